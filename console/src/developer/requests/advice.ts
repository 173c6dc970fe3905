/** Advice for refused requests. */
import { publicOperations } from "virtual:contract";
import type { RequestRow } from "@comanda/contract/console/logs.ts";
import { enLogs } from "../../texts/en-logs.ts";

export type AdvisedCode = keyof typeof enLogs.requests.advice;

/** The log stores only known path segments: an unknown path ends in dots or is null. */
export const isUnknownPath = ({ route }: Pick<RequestRow, "route">): boolean => route === null || route.endsWith("…");

/** An unknown path gets other advice than an unknown id. */
export const advisedCode = ({ code, route }: Pick<RequestRow, "code" | "route">): AdvisedCode | null => {
  if (code === "not_found" && isUnknownPath({ route })) return "unknown_path";
  return code !== null && Object.hasOwn(enLogs.requests.advice, code) ? (code as AdvisedCode) : null;
};

/** The scope that the contract requires for the operation. */
export const scopeNeeded = ({ method, route }: Pick<RequestRow, "method" | "route">): string | null =>
  publicOperations.find((operation) => operation.method === method && operation.path === route)?.scope ?? null;

/** What refused a request, by its code. */
const GATES: Record<AdvisedCode, keyof typeof enLogs.requests.gates> = {
  unauthenticated: "token",
  rate_limited: "rate",
  plan_lapsed: "plan",
  plan_feature_unavailable: "plan",
  restaurant_suspended: "plan",
  insufficient_scope: "scope",
  unknown_path: "path",
  method_not_allowed: "path",
  payload_too_large: "size",
  validation_failed: "fields",
  idempotency_key_in_use: "key",
  idempotency_key_reused: "key",
  not_found: "lookup",
  cursor_expired: "lookup",
  invalid_transition: "status",
  server_error: "service",
  service_unavailable: "service",
};

export const gateOf = (row: Pick<RequestRow, "code" | "route">) => {
  const code = advisedCode(row);
  return code && GATES[code];
};
