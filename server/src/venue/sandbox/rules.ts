/** The calendar of a sandbox, and what its sample is made of (open points D137, D138). */
import type { NewOrder } from "@comanda/contract/orders.ts";
import type { NewReservation } from "@comanda/contract/reservations.ts";
import type { Translations } from "@comanda/contract/shared.ts";
import type { VenueFile } from "@comanda/contract/venue-file.ts";
import type { Tenant } from "#lib/context.ts";
import { addDays, type CalendarDate, formatDate, instantAt } from "#lib/instant.ts";
import { wallClock } from "#lib/zone.ts";

const RESET_MINUTE = 3 * 60;
/** Before the hour of the reset, so that nothing in a fresh sample lies ahead, whichever night it is restored for. */
const SAMPLE_MINUTE = 75;
const BOOKING_TIME = "19:30";

/** At four where the clocks skip three o'clock; where it comes twice, the first time. */
const resetOn = (zone: string, day: CalendarDate): Date => instantAt(zone, day, RESET_MINUTE);

/** A sandbox's day runs from reset to reset, so until three in the morning it is still yesterday. */
export const sandboxDay = (zone: string, now: Date): CalendarDate => {
  const { year, month, day } = wallClock(zone, now);
  const today = { year, month, day };
  return now < resetOn(zone, today) ? addDays(today, -1) : today;
};

export const nextReset = (zone: string, now: Date): Date => resetOn(zone, addDays(sandboxDay(zone, now), 1));

/** When everything in the sample came about. */
export const sampleMoment = (zone: string, day: CalendarDate): Date => instantAt(zone, day, SAMPLE_MINUTE);

/** No venue file can have such a slug, so no restaurant is ever in its way. */
const SLUG_ENDING = ".sandbox";

/** The sandbox of this restaurant: its clock and its currency, its language where the sample is written in it. */
export const sandboxTenant = (id: number, live: Tenant, sample: VenueFile): Tenant => ({
  id,
  slug: live.slug + SLUG_ENDING,
  kind: "sandbox",
  currency: live.currency,
  zone: live.zone,
  default_language: isWrittenIn(sample, live.default_language) ? live.default_language : sample.restaurant.default_language,
});

export const sandboxFile = (sample: VenueFile, { slug, currency, zone, default_language }: Tenant): VenueFile => ({
  ...sample,
  restaurant: { ...sample.restaurant, slug, currency, zone, default_language },
});

const isWrittenIn = ({ menus, modifier_groups }: VenueFile, language: string): boolean =>
  [
    ...menus,
    ...menus.flatMap(({ categories }) => categories),
    ...menus.flatMap(({ categories }) => categories).flatMap(({ items }) => items),
    ...modifier_groups,
  ].every(({ name }: { name: Translations }) => Boolean(name[language]));

/** Ids of a dish, its sizes and its options by the keys of the sample. */
export type SampleDish = { key: string; id: number; sizes: Record<string, number>; options: Record<string, number> };

/** What the first guest of the sample has ordered, in the sample's own keys. */
const ORDERED = [
  { dish: "lentil-soup", size: "bowl", options: ["rye"], quantity: 2 },
  { dish: "mushroom-toast", size: null, options: ["white", "egg"], quantity: 1 },
  { dish: "tea", size: "two", options: [], quantity: 1 },
];

export const ORDERED_DISHES = ORDERED.map(({ dish }) => dish);

export const sampleOrder = ({ guests, tables }: VenueFile, dishes: readonly SampleDish[]): NewOrder => {
  const [guest] = guests;
  const lines = ORDERED.map(({ dish: key, size, options, quantity }) => {
    const dish = dishes.find((known) => known.key === key);
    const option_ids = options.map((option) => dish?.options[option] ?? 0);
    return { item_id: dish?.id ?? 0, variant_id: size === null ? null : (dish?.sizes[size] ?? 0), quantity, option_ids };
  });
  const customer = { customer_name: guest?.name ?? "", customer_phone: guest?.phone ?? "", customer_email: guest?.email ?? null };
  return { type: "dine_in", table_code: tables[0]?.code ?? null, ...customer, note: "Lemon on the side, please.", lines };
};

/** Tomorrow evening: it still lies ahead when the next reset comes. */
export const sampleBooking = ({ guests }: VenueFile, day: CalendarDate): NewReservation => {
  const guest = guests[1];
  const contact = { name: guest?.name ?? "", phone: guest?.phone ?? "", email: guest?.email ?? null };
  return { ...contact, party_size: 4, date: formatDate(addDays(day, 1)), time: BOOKING_TIME, note: "By the stove, if there is room." };
};
