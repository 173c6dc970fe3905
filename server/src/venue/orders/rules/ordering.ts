/** The owner's ordering rules (contract §4.2): types, tables, delivery, opening hours, scheduling, holding. */
import type { NewOrder } from "@comanda/contract/orders.ts";
import type { OrderingRules } from "@comanda/contract/venue-file.ts";
import type { Faults } from "#lib/errors.ts";
import { parseInstant } from "#lib/instant.ts";
import { isOpenAt, nextOpening, type Opening } from "./opening.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

export type DiningTable = { id: number; name: string; code: string | null; branch_id: number };

/** When the order is for: at once, at a chosen time, or held until the branch opens (open points D93, D94). */
export type Timing = { moment: Date; scheduled_for: Date | null; held_until: Date | null };

export const decideTiming = (wanted: string | null | undefined, opening: Opening, rules: OrderingRules, now: Date): Timing | Faults => {
  if (wanted === null || wanted === undefined) {
    const opens = nextOpening(opening, now);
    if (opens === null) return { scheduled_for: ["The restaurant does not open within the next two weeks."] };
    if (opens.getTime() === now.getTime()) return { moment: now, scheduled_for: null, held_until: null };
    return { moment: opens, scheduled_for: opens, held_until: opens };
  }
  const chosen = parseInstant(wanted);
  if (chosen === null) return { scheduled_for: ["Must be a valid date-time."] };
  if (chosen.getTime() < Math.floor(now.getTime() / 1000) * 1000) return { scheduled_for: ["Lies in the past."] };
  if (chosen.getTime() > now.getTime() + rules.schedule_days_max * DAY_MS) return { scheduled_for: ["Is too far ahead."] };
  if (!isOpenAt(opening, chosen)) return { scheduled_for: ["The restaurant is closed at that time."] };
  return { moment: chosen, scheduled_for: chosen, held_until: null };
};

export const isTiming = (decided: Timing | Faults): decided is Timing => decided.moment instanceof Date;

export const typeFault = ({ type }: NewOrder, { types }: OrderingRules): Faults =>
  types.some((offered) => offered.type === type) ? {} : { type: ["The restaurant does not offer this type of order."] };

/** Only a dine-in order has a table; for others a code is ignored (open point D91). */
export const tableFault = ({ type, table_code }: NewOrder, table: DiningTable | null): Faults => {
  if (type !== "dine_in") return {};
  if (!table_code) return { table_code: ["Is required for a dine-in order."] };
  return table ? {} : { table_code: ["There is no such table."] };
};

export type Delivery = { address: { line1: string; city: string; phone: string } | null; feeMinor: number; minimumMinor: number };

/** Where to, for how much, and from which amount on. Other types have neither address nor fee (open points D87–D90). */
export const decideDelivery = (wanted: NewOrder, rules: OrderingRules): { delivery: Delivery; faults: Faults } => {
  const minimumMinor = rules.types.find(({ type }) => type === wanted.type)?.minimum_minor ?? 0;
  if (wanted.type !== "delivery") return { delivery: { address: null, feeMinor: 0, minimumMinor }, faults: {} };
  const { line1 = "", city = "", phone } = wanted.delivery_address ?? {};
  const faults: Faults = {};
  if (!wanted.delivery_address) faults.delivery_address = ["Is required for a delivery."];
  else {
    if (line1 === "") faults["delivery_address.line1"] = ["Is required for a delivery."];
    if (city === "") faults["delivery_address.city"] = ["Is required for a delivery."];
  }
  const zone = rules.delivery_zones.find(({ cities }) => cities.some((name) => plain(name) === plain(city)));
  if (city !== "" && rules.delivery_zones.length > 0 && !zone) faults["delivery_address.city"] = ["The restaurant does not deliver there."];
  return {
    delivery: {
      address: { line1, city, phone: phone || wanted.customer_phone },
      feeMinor: zone?.fee_minor ?? rules.delivery_fee_minor,
      minimumMinor: zone?.minimum_minor ?? minimumMinor,
    },
    faults,
  };
};

export const minimumFault = (subtotalMinor: number, { minimumMinor }: Delivery): Faults =>
  subtotalMinor < minimumMinor ? { lines: [`The order must come to at least ${minimumMinor} in minor units.`] } : {};

/** City names are compared without regard to case, accents and surrounding space. */
const plain = (name: string): string =>
  name
    .trim()
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase();
