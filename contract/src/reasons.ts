/** What came of sending to an address, as codes: whoever shows them puts them into words. */

/** Why a message did not arrive. */
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

/** What is wrong with an address as it is written. */
export const ADDRESS_FAULTS = ["not_url", "not_https", "user_info"] as const;
export type AddressFault = (typeof ADDRESS_FAULTS)[number];

/** What was found to be good when an address was looked at. */
export const FINDINGS = ["is_https", "name_found", "is_literal", "is_public", "is_certified", "has_answered"] as const;
export type Finding = (typeof FINDINGS)[number];

export const REASON_CODES = [...FAILURES, ...ADDRESS_FAULTS, ...FINDINGS] as const;
export type ReasonCode = (typeof REASON_CODES)[number];
