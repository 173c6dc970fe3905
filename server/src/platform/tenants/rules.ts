/** Whether a caller may pass: the venue's plan and standing, then the token's scopes (open points D27–D31). */
import type { Operation } from "@comanda/contract/operation.ts";
import type { Feature, Scope } from "@comanda/contract/scopes.ts";
import { fail, type Refusal } from "#lib/errors.ts";

export type Standing = { plan_until: Date | null; suspended_at: Date | null; features: readonly Feature[] };

export const isLapsed = ({ plan_until }: Standing, now: Date): boolean => plan_until !== null && plan_until <= now;

type Wanted = Pick<Operation, "scope" | "feature" | "method">;

/** What the token or the plan lacks for this operation, or null. */
export const lacking = ({ features }: Pick<Standing, "features">, scopes: readonly Scope[], operation: Wanted): Refusal | null => {
  if (!scopes.includes(operation.scope)) return fail("insufficient_scope", { required_scope: operation.scope });
  if (operation.feature && !features.includes(operation.feature)) return fail("plan_feature_unavailable", { feature: operation.feature });
  return null;
};

/** The refusal of the first gate that is shut, or null. Without an operation only "any call" applies. */
export const shutGate = (standing: Standing, scopes: readonly Scope[], operation: Wanted | null, now: Date): Refusal | null => {
  if (isLapsed(standing, now)) return fail("plan_lapsed");
  if (operation === null) return null;
  const lack = lacking(standing, scopes, operation);
  if (lack) return lack;
  if (operation.method !== "GET" && standing.suspended_at !== null) return fail("restaurant_suspended");
  return null;
};
