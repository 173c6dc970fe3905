/** What an agent reads beside a refusal. */
import { KEY_ARGUMENT } from "@comanda/contract/agent-tools.ts";
import type { ErrorCode } from "@comanda/contract/errors.ts";

export const hintFor = (code: string, key: string | undefined): string | undefined => {
  const hint = HINTS[code as ErrorCode];
  const isUnclear = code === "server_error" || code === "service_unavailable" || code === "idempotency_key_in_use";
  return isUnclear && key !== undefined ? `${hint} Send ${KEY_ARGUMENT} ${key} with it, so that it is done at most once.` : hint;
};

/** Advice for the agent. */
const HINTS: Partial<Record<ErrorCode, string>> = {
  insufficient_scope: "This token cannot do that. Ask the owner for a token with the scope in details.required_scope; do not try again.",
  plan_feature_unavailable: "The venue's plan does not include this. Tell the user; do not try again.",
  restaurant_suspended: "The venue can be read but not changed at the moment. Tell the user; do not try again.",
  plan_lapsed: "The venue has no plan in force, so nothing works until it is renewed. Tell the user.",
  not_found: "Nothing in this venue has that id. List first and take the id from there; ids of other venues are unknown here.",
  invalid_transition: "Read the order or booking again: its status does not allow this step. details.from is the status it has.",
  validation_failed: "Correct the arguments named in details and call again with a new key.",
  idempotency_key_reused: "That key belongs to another call. Leave it out, or make a new one for this change.",
  idempotency_key_in_use: "The first call with this key is still running. Wait a second and repeat it.",
  rate_limited: "Wait for details.retry_after_seconds before the next call.",
  payload_too_large: "Send less in one call: its arguments may have 1 MiB.",
  server_error: "This was a fault of the service. Repeat the call once; if it stays, tell the user.",
  service_unavailable: "The service is busy. Wait for details.retry_after_seconds and repeat the call.",
};
