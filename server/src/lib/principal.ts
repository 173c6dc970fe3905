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
  /** A fault of the sandbox's answers may be due. */
  readonly hasFaults: boolean;
  /** Changes with every value above but `hasFaults` and the clock of a sandbox. */
  readonly accessDigest: string;
  /** Changes with every value above. */
  readonly digest: string;
};

/** What the token of a request may do. `ratePerMinute` is the limit by which the request was counted. */
export type TokenAccess = Omit<Principal, "ratePerMinute"> & { readonly ratePerMinute: number };

/** How a token ended that was valid once. The expired access token of an app is followed by another. */
export type TokenEnding = "revoked" | "expired" | "expired access";
