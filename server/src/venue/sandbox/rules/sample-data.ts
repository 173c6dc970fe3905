/** The venue, order, booking and shifts of a new sandbox (open point D138). */

import type { ShiftValue } from "@comanda/contract/console/shifts.ts";
import { SANDBOX_GIFT_CARD_CODE } from "@comanda/contract/sandbox/sandbox-ids.ts";
import { sandboxSlugOf } from "@comanda/contract/sandbox/sandbox-slug.ts";
import type { Translations } from "@comanda/contract/shared.ts";
import type { NewOrder } from "@comanda/contract/venue/orders.ts";
import type { NewReservation } from "@comanda/contract/venue/reservations.ts";
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import type { Tenant } from "#lib/context.ts";
import { addDays, type CalendarDate, formatDate } from "#lib/instant.ts";

const BOOKING_TIME = "19:30";
const GIFT_CARD_MINOR = 5000;
const SESSION = { time: "18:00", capacity: 8, weeks: 2 };

/** On the real clock, which opening and resetting a sandbox go by. Takes time zone and currency of the restaurant, and its language where the sample is translated into it. */
export const sandboxTenant = (id: number, live: Tenant, sample: VenueFile): Tenant => ({
  id,
  slug: sandboxSlugOf(live.slug),
  kind: "sandbox",
  currency: live.currency,
  zone: live.zone,
  default_language: isWrittenIn(sample, live.default_language) ? live.default_language : sample.restaurant.default_language,
  clock_offset_ms: 0,
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

/** Ids of an item, its variants and its options by their keys in the sample. */
export type SampleItem = { key: string; id: number; variants: Record<string, number>; options: Record<string, number> };

/** The sample order, by the keys of the sample file. */
const ORDERED = [
  { item: "lentil-soup", variant: "bowl", options: ["rye"], quantity: 2 },
  { item: "mushroom-toast", variant: null, options: ["white", "egg"], quantity: 1 },
  { item: "tea", variant: "two", options: [], quantity: 1 },
];

export const ORDERED_ITEM_KEYS = ORDERED.map(({ item }) => item);

export const sampleOrder = ({ guests, tables }: VenueFile, items: readonly SampleItem[]): NewOrder => {
  const [guest] = guests;
  const lines = ORDERED.map(({ item: key, variant, options, quantity }) => {
    const item = items.find((candidate) => candidate.key === key);
    const option_ids = options.map((option) => item?.options[option] ?? 0);
    return { item_id: item?.id ?? 0, variant_id: variant === null ? null : (item?.variants[variant] ?? 0), quantity, option_ids };
  });
  const customer = { customer_name: guest?.name ?? "", customer_phone: guest?.phone ?? "", customer_email: guest?.email ?? null };
  return { type: "dine_in", table_code: tables[0]?.code ?? null, ...customer, note: "Lemon on the side, please.", lines };
};

/** It does not expire, so that no reset finds it expired. */
export const sampleGiftCard = () => ({
  code: SANDBOX_GIFT_CARD_CODE,
  amount_minor: GIFT_CARD_MINOR,
  expires_on: null,
  guest_id: null,
  message: "For your first trials.",
});

/** Above par, and so that a few orders fall below it. By the catalogue numbers of the sample. */
const DELIVERED: Record<string, number> = { "LEN-RED-5KG": 2.5, "EGG-30": 30 };
const DELIVERED_OTHERWISE = 3;

type SampleSheet = { branch_id: number; ingredients: readonly { id: number; sku: string }[] };

export const sampleDelivery = ({ branch_id, ingredients }: SampleSheet) => ({
  branch_id,
  lines: ingredients.map(({ id, sku }) => ({ ingredient_id: id, quantity: DELIVERED[sku] ?? DELIVERED_OTHERWISE })),
  reason: null,
});

/** `person` is the place in the sample. Some shifts are on the day itself, so that the present week has some. None is published. */
const PLANNED = [
  { person: 0, days: 0, from: "09:00", to: "17:00", role: "Kitchen" },
  { person: 1, days: 0, from: "16:00", to: "00:30", role: "Floor" },
  { person: 0, days: 1, from: "09:00", to: "17:00", role: "Kitchen" },
  { person: 1, days: 1, from: "16:00", to: "00:30", role: "Floor" },
  { person: 2, days: 2, from: "10:00", to: "15:00", role: null },
];

export const sampleShifts = (staff: readonly { id: number }[], day: CalendarDate): ShiftValue[] =>
  PLANNED.map(({ person, days, ...shift }) => ({
    staff_id: staff[person]?.id ?? 0,
    date: formatDate(addDays(day, days)),
    ...shift,
    note: null,
  }));

/** The sessions begin tomorrow, so that they are still to come at the next reset. */
export const sampleSessions = (day: CalendarDate) => ({ date: formatDate(addDays(day, 1)), ...SESSION });

/** Tomorrow evening, so that it is still in the future at the next reset. */
export const sampleBooking = ({ guests }: VenueFile, day: CalendarDate): NewReservation => {
  const guest = guests[1];
  const contact = { name: guest?.name ?? "", phone: guest?.phone ?? "", email: guest?.email ?? null };
  return { ...contact, party_size: 4, date: formatDate(addDays(day, 1)), time: BOOKING_TIME, note: "By the stove, if there is room." };
};
