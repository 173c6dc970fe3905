/** The owner's ordering rules (contract §4.2): types, tables, delivery, opening hours, scheduling, holding. */
import type { NewOrder } from "@comanda/contract/venue/orders.ts";
import { type OrderingRules, PREPARATION_MINUTES } from "@comanda/contract/venue-file/ordering-rules.ts";
import { parseInstant } from "#lib/instant.ts";
import { formatInstant } from "#lib/time-zone.ts";
import { isOpenAt, nextOpening, type OpeningCalendar } from "#venue/settings/rules/opening-hours.ts";
import { extraMinutesAt, formatEnd, pauseEndAt, type StoredLoad } from "#venue/settings/rules/order-types.ts";
import { type Refusals, refuse } from "./refusals.ts";

const MINUTE_MS = 60 * 1000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export type DiningTable = { id: number; name: string; code: string | null; branch_id: number };

/**
 * An order is for now, for a chosen time, or held until the branch opens (open points D93, D94). The kitchen does not see it before
 * `held_until`. The guest is promised it for `promised_at`.
 */
export type OrderTiming = { moment: Date; scheduled_for: Date | null; held_until: Date | null; promised_at: Date };

type WantedTiming = Pick<NewOrder, "type" | "scheduled_for">;

/** `loads` are the types that are paused or busy. */
type TimingRules = OrderingRules & { loads?: readonly StoredLoad[] };

/** While the kitchen is busy, an order for a moment before the end of it takes longer. */
const preparationMs = ({ type }: WantedTiming, { types, loads = [] }: TimingRules, moment: Date): number => {
  const minutes = types.find((offered) => offered.type === type)?.preparation_minutes ?? PREPARATION_MINUTES[type];
  return (minutes + extraMinutesAt(loads, type, moment)) * MINUTE_MS;
};

export const decideTiming = (wanted: WantedTiming, calendar: OpeningCalendar, rules: TimingRules, now: Date): OrderTiming | Refusals => {
  if (wanted.scheduled_for === null || wanted.scheduled_for === undefined) {
    const opens = nextOpening(calendar, now);
    if (opens === null) return { scheduled_for: refuse("no_opening") };
    const promised_at = new Date(opens.getTime() + preparationMs(wanted, rules, opens));
    if (opens.getTime() === now.getTime()) return { moment: now, scheduled_for: null, held_until: null, promised_at };
    return { moment: opens, scheduled_for: opens, held_until: opens, promised_at };
  }
  return decideChosenTime(wanted.scheduled_for, calendar, { rules, now, needsMs: (chosen) => preparationMs(wanted, rules, chosen) });
};

type TimingLimits = { rules: OrderingRules; now: Date; needsMs: (chosen: Date) => number };

const decideChosenTime = (wanted: string, calendar: OpeningCalendar, { rules, now, needsMs }: TimingLimits): OrderTiming | Refusals => {
  const chosen = parseInstant(wanted);
  if (chosen === null) return { scheduled_for: refuse("not_a_time") };
  if (chosen.getTime() < Math.floor(now.getTime() / 1000) * 1000)
    return { scheduled_for: refuse("past", { now: formatInstant(calendar.zone, now) }) };
  if (chosen.getTime() > now.getTime() + rules.schedule_days_max * DAY_MS)
    return { scheduled_for: refuse("too_far_ahead", { days_max: rules.schedule_days_max }) };
  if (!isOpenAt(calendar, chosen)) return { scheduled_for: refuse("closed_then", openingAfter(calendar, chosen)) };
  // The kitchen begins in time, but not before the branch opens. The branch is open at the chosen time, so there is an opening until then.
  const begins = nextOpening(calendar, new Date(chosen.getTime() - needsMs(chosen))) ?? chosen;
  return { moment: chosen, scheduled_for: chosen, held_until: begins > now ? begins : null, promised_at: chosen };
};

const openingAfter = (calendar: OpeningCalendar, chosen: Date): { opens: string; opens_at?: string } => {
  const opens = nextOpening(calendar, chosen);
  return opens
    ? { opens: `opens next at ${formatInstant(calendar.zone, opens)}`, opens_at: opens.toISOString() }
    : { opens: "does not open within the two weeks after it" };
};

export const isTiming = (decided: OrderTiming | Refusals): decided is OrderTiming => decided.moment instanceof Date;

export const typeError = ({ type }: Pick<NewOrder, "type">, { types }: OrderingRules): Refusals =>
  types.some((offered) => offered.type === type)
    ? {}
    : { type: refuse("not_offered", { offered: types.map((offered) => offered.type).join(", ") || "none" }) };

const TYPE_NAMES: Record<NewOrder["type"], string> = { dine_in: "Dine-in", pickup: "Pickup", delivery: "Delivery" };

/** A pause is judged by the moment that the order is for (open points D81, D200). */
export const pauseError = (
  { type }: Pick<NewOrder, "type">,
  loads: readonly StoredLoad[],
  moment: Date,
  { zone, now }: { zone: string; now: Date },
): Refusals => {
  const end = pauseEndAt(loads, type, moment);
  return end === null
    ? {}
    : { type: refuse("paused", { type: TYPE_NAMES[type], until: formatEnd(zone, end, now), ends_at: end.toISOString() }) };
};

/** Only a dine-in order has a table; for others a code is ignored (open point D91). */
export const tableError = ({ type, table_code }: Pick<NewOrder, "type" | "table_code">, table: DiningTable | null): Refusals => {
  if (type !== "dine_in") return {};
  if (!table_code) return { table_code: refuse("table_required") };
  return table ? {} : { table_code: refuse("unknown_table") };
};

export type DeliveryTerms = { address: { line1: string; city: string; phone: string } | null; feeMinor: number; minimumMinor: number };

type WantedDelivery = Pick<NewOrder, "type" | "delivery_address"> & { customer_phone: string | null };

/** Address, fee and minimum amount. Other order types have neither address nor fee (open points D87–D90). */
export const decideDelivery = (wanted: WantedDelivery, rules: OrderingRules): { delivery: DeliveryTerms; errors: Refusals } => {
  const minimumMinor = rules.types.find(({ type }) => type === wanted.type)?.minimum_minor ?? 0;
  if (wanted.type !== "delivery") return { delivery: { address: null, feeMinor: 0, minimumMinor }, errors: {} };
  const { line1 = "", city = "", phone } = wanted.delivery_address ?? {};
  const errors: Refusals = {};
  if (!wanted.delivery_address) errors.delivery_address = refuse("delivery_required");
  else {
    if (line1 === "") errors["delivery_address.line1"] = refuse("delivery_required");
    if (city === "") errors["delivery_address.city"] = refuse("delivery_required");
  }
  const zone = zoneFor(rules, city);
  if (city !== "" && rules.delivery_zones.length > 0 && !zone)
    errors["delivery_address.city"] = refuse("not_delivered_there", { cities: citiesOf(rules) });
  return {
    delivery: {
      address: { line1, city, phone: phone || (wanted.customer_phone ?? "") },
      feeMinor: zone?.fee_minor ?? rules.delivery_fee_minor,
      minimumMinor: zone?.minimum_minor ?? minimumMinor,
    },
    errors,
  };
};

const CITIES_SHOWN_MAX = 20;

const citiesOf = ({ delivery_zones }: OrderingRules): string => {
  const cities = delivery_zones.flatMap((zone) => zone.cities);
  return `${cities.slice(0, CITIES_SHOWN_MAX).join(", ")}${cities.length > CITIES_SHOWN_MAX ? " and others" : ""}`;
};

/** Returns the first zone with the city. */
export const zoneFor = ({ delivery_zones }: OrderingRules, city: string): OrderingRules["delivery_zones"][number] | undefined =>
  delivery_zones.find(({ cities }) => cities.some((name) => normalizeCity(name) === normalizeCity(city)));

export const minimumError = (subtotalMinor: number, { minimumMinor }: DeliveryTerms): Refusals =>
  subtotalMinor < minimumMinor ? { lines: refuse("below_minimum", { minimum_minor: minimumMinor, subtotal_minor: subtotalMinor }) } : {};

/** Ignores case, accents and surrounding space. */
const normalizeCity = (name: string): string =>
  name
    .trim()
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase();
