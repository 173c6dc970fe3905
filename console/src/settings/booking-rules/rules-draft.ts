/** Changes of the booking rules that the form makes. */
import { minor } from "@comanda/contract/minor.ts";
import type { BookingRules } from "@comanda/contract/venue-file/booking-rules.ts";

export type StayRow = BookingRules["turn_times"][number];
export type Guarantee = NonNullable<BookingRules["guarantee"]>;
export type GuaranteeChoice = "none" | Guarantee["type"];

const PARTY_MAX = 500;

/** Adds a size that no row names yet, before the row for any party. Without such a row, that one is added. */
export const addStay = (rows: readonly StayRow[]): StayRow[] => {
  const before = rows.findIndex(({ party_size_max }) => party_size_max === null);
  const minutes = rows.at(before)?.minutes ?? 90;
  if (before === -1) return [...rows, { party_size_max: null, minutes }];
  const largest = Math.max(0, ...rows.slice(0, before).map(({ party_size_max }) => party_size_max ?? 0));
  return [...rows.slice(0, before), { party_size_max: Math.min(PARTY_MAX, largest + 2), minutes }, ...rows.slice(before)];
};

/** A period without days or times cannot be saved. */
export const hasGaps = ({ service_periods, guarantee }: BookingRules): boolean =>
  [...(service_periods ?? []), ...(guarantee?.hours ?? [])].some(({ days, from, to }) => days.length === 0 || from === "" || to === "");

const NEW_GUARANTEE: Omit<Guarantee, "type"> = { amount_minor: minor(0), per_person: true, party_size_min: 1, hours: null };

/** What was entered for a deposit stays when it becomes a card, and the other way around. */
export const chooseGuarantee = (present: BookingRules["guarantee"], choice: GuaranteeChoice): BookingRules["guarantee"] =>
  choice === "none" ? null : { ...NEW_GUARANTEE, ...present, type: choice };
