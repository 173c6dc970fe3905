/** Result codes of deliveries and URL checks. The console translates them. */

/** Why a delivery failed. */
export const FAILURES = [
  "address",
  "blocked_address",
  "dns",
  "connection",
  "unreachable",
  "handshake",
  "tls",
  "timeout",
  "redirect",
  "status",
  "answer",
  "secret",
  "disconnected",
  "removed",
  "lapsed",
  "restored",
] as const;
export type Failure = (typeof FAILURES)[number];

/** Why a URL is refused before it is called. */
export const URL_ERRORS = ["not_url", "not_https", "user_info"] as const;
export type UrlError = (typeof URL_ERRORS)[number];

/** Passed steps of a URL check. */
export const CHECK_RESULTS = ["is_https", "name_found", "is_literal", "is_public", "is_certified", "has_answered"] as const;
export type CheckResult = (typeof CHECK_RESULTS)[number];

export const REASON_CODES = [...FAILURES, ...URL_ERRORS, ...CHECK_RESULTS] as const;
export type ReasonCode = (typeof REASON_CODES)[number];
