/** Lists about guests that the browser needs too. This file imports nothing, so that a page does not load the shapes. */

/** How a guest said so. A person at the console chooses one of these. */
export const STAFF_CONSENT_SOURCES = ["in_person", "phone", "written", "online"] as const;
/** `before`: from the time before consent had a history. */
export const CONSENT_SOURCES = [...STAFF_CONSENT_SOURCES, "file", "command", "merge", "before"] as const;
export type ConsentSource = (typeof CONSENT_SOURCES)[number];

/** What an erasure counts. */
export const ERASED_KINDS = [
  "profiles",
  "orders",
  "reservations",
  "waitlist",
  "gift_cards",
  "reviews",
  "experience_bookings",
  "messages",
  "consents",
  "events",
  "reasons",
] as const;
export type ErasedKind = (typeof ERASED_KINDS)[number];
