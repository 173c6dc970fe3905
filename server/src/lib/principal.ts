/** Who a bearer token acts for (open points D27–D31). */
import type { Feature } from "@comanda/contract/scopes.ts";
import type { Actor, Tenant } from "./context.ts";

export type Principal = {
  readonly tokenId: number;
  /** Set for a token of a marketplace app. */
  readonly appId: number | null;
  readonly tenant: Tenant;
  readonly actor: Actor;
  readonly features: readonly Feature[];
  readonly plan_until: Date | null;
  readonly suspended_at: Date | null;
  readonly expires_at: Date | null;
  /** Requests per minute of this token or plan; null means the service's default. */
  readonly ratePerMinute: number | null;
  /** Changes with every value above. */
  readonly digest: string;
};
