/** Whether a party is asked for a deposit or a card, and by which rule of the owner. */
import type { BookingGuarantee } from "@comanda/contract/console/bookings.ts";
import type { BookingRules } from "@comanda/contract/venue-file/booking-rules.ts";
import type { WallClock } from "#lib/time-zone.ts";
import { isWithinHours } from "#venue/settings/rules/opening-hours.ts";

export const decideGuarantee = ({ guarantee }: BookingRules, partySize: number, clock: WallClock): BookingGuarantee => {
  if (guarantee === null) return { reason: "none_set", asked: null, party_size_min: null, has_hours: false };
  const { type, amount_minor, per_person, party_size_min, hours } = guarantee;
  const rule = { party_size_min, has_hours: hours !== null };
  if (partySize < party_size_min) return { reason: "party_smaller", asked: null, ...rule };
  if (!isWithinHours(hours, clock)) return { reason: "other_hours", asked: null, ...rule };
  const total = per_person ? amount_minor * partySize : amount_minor;
  return { reason: "asked", asked: { type, total_minor: total, amount_minor, per_person }, ...rule };
};
