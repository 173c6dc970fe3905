/** Which operations a principal may call, and which refusal comes first (open points D27–D31). */
import type { Operation } from "@comanda/contract/operation.ts";
import { type ApiError, apiError } from "./errors.ts";
import type { Principal } from "./principal.ts";

type OperationAccess = Pick<Operation, "scope" | "feature" | "method" | "onlyInSandbox">;

export const isLapsed = ({ plan_until }: Pick<Principal, "plan_until">, now: Date): boolean => plan_until !== null && plan_until <= now;

export const isExpired = ({ expires_at }: Pick<Principal, "expires_at">, now: Date): boolean => expires_at !== null && expires_at <= now;

/** A token of the sandbox itself. An app that is installed there has the rights that it was given. */
export const isOfSandbox = ({ tenant, appId }: Pick<Principal, "tenant" | "appId">): boolean => tenant.kind === "sandbox" && appId === null;

/** The scope or plan feature that is missing for the operation, or null. */
export const missingGrant = ({ actor, features }: Principal, { scope, feature }: OperationAccess): ApiError | null => {
  if (scope !== null && !actor.scopes.includes(scope)) return apiError("insufficient_scope", { required_scope: scope });
  return feature && !features.includes(feature) ? apiError("plan_feature_unavailable", { feature }) : null;
};

/** The first reason to reject the call, or null. Without an operation only the plan is checked. */
export const authorize = (principal: Principal, operation: OperationAccess | null, now: Date): ApiError | null => {
  if (isLapsed(principal, now)) return apiError("plan_lapsed");
  if (operation === null) return null;
  if (operation.onlyInSandbox && !isOfSandbox(principal)) return apiError("not_found");
  const missing = missingGrant(principal, operation);
  if (missing) return missing;
  return operation.method !== "GET" && principal.suspended_at !== null ? apiError("restaurant_suspended") : null;
};
