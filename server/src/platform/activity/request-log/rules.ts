/** Hourly counts of requests, the status filters of the request log, and which check refused a request. */
import type { RequestGate } from "@comanda/contract/console/logs.ts";
import { isShapeReason } from "@comanda/contract/reasons.ts";

const HOUR_MS = 60 * 60 * 1000;
export const HOURS_SHOWN = 24;

export const hourOf = (moment: Date): Date => new Date(Math.floor(moment.getTime() / HOUR_MS) * HOUR_MS);

export type RequestCounts = { requests: number; errors: number; limited: number };
export const ZERO_COUNTS: RequestCounts = { requests: 0, errors: 0, limited: 0 };

/** 429 is counted as limited, not as an error. */
export const countOf = (status: number): RequestCounts => ({
  requests: 1,
  errors: status >= 400 && status !== 429 ? 1 : 0,
  limited: status === 429 ? 1 : 0,
});

export const addCounts = (a: RequestCounts, b: RequestCounts): RequestCounts => ({
  requests: a.requests + b.requests,
  errors: a.errors + b.errors,
  limited: a.limited + b.limited,
});

/** The last 24 hours, the current one last. Hours without a request are zeros. */
export const lastHours = (rows: readonly (RequestCounts & { hour: Date })[], now: Date): RequestCounts[] => {
  const first = hourOf(now).getTime() - (HOURS_SHOWN - 1) * HOUR_MS;
  const hours: RequestCounts[] = Array.from({ length: HOURS_SHOWN }, () => ZERO_COUNTS);
  for (const { hour, ...counts } of rows) {
    const index = (hour.getTime() - first) / HOUR_MS;
    const before = hours[index];
    if (before) hours[index] = addCounts(before, counts);
  }
  return hours;
};

const STATUSES = { "2xx": [200, 299], "4xx": [400, 499], "5xx": [500, 599], "429": [429, 429] } as const;

export const statusesOf = (name: keyof typeof STATUSES): [number, number] => [...STATUSES[name]];

/** Each code of the API and the check that answers with it. */
const GATES: Record<string, RequestGate> = {
  unauthenticated: "token",
  rate_limited: "rate",
  plan_lapsed: "plan",
  plan_feature_unavailable: "plan",
  restaurant_suspended: "plan",
  insufficient_scope: "scope",
  method_not_allowed: "path",
  payload_too_large: "size",
  idempotency_key_in_use: "key",
  idempotency_key_reused: "key",
  not_found: "lookup",
  cursor_expired: "lookup",
  validation_failed: "fields",
  invalid_transition: "status",
  server_error: "service",
  service_unavailable: "service",
};

type RefusedRequest = { code: string | null; route: string; reasons: readonly { reason: string }[] | null };

/** The log keeps three dots after the known part of a path that is not in the contract. */
const isUnknownPath = (route: string): boolean => route === "" || route.endsWith("…");

export const gateOf = ({ code, route, reasons }: RefusedRequest): RequestGate | null => {
  if (code === "not_found" && isUnknownPath(route)) return "path";
  if (code === "validation_failed" && reasons?.some(({ reason }) => !isShapeReason(reason))) return "rules";
  return (code === null ? undefined : GATES[code]) ?? null;
};
