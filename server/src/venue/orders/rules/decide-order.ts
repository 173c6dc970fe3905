/** The price of an order as the rules give it, and the decision on a new one: all refusals, or everything that will be written. */
import type { NewOrder } from "@comanda/contract/venue/orders.ts";
import type { Charges } from "@comanda/contract/venue-file/charges.ts";
import type { OrderingRules } from "@comanda/contract/venue-file/ordering-rules.ts";
import { wallClock } from "#lib/time-zone.ts";
import type { OrderPriceList, PriceList } from "#venue/menu/rules/items.ts";
import type { BranchHours, OpeningCalendar } from "#venue/settings/rules/opening-hours.ts";
import type { StoredLoad } from "#venue/settings/rules/order-types.ts";
import { type PricedLine, priceLines, sizeError } from "./lines.ts";
import {
  type DeliveryTerms,
  type DiningTable,
  decideDelivery,
  decideTiming,
  isTiming,
  minimumError,
  type OrderTiming,
  pauseError,
  tableError,
  typeError,
} from "./order-policy.ts";
import { type Amounts, areExact, priceOrder } from "./pricing.ts";
import { type Refusals, refuse } from "./refusals.ts";

export type OrderContext = {
  priceList: PriceList;
  settings: {
    ordering: OrderingRules;
    charges: Charges;
    branches: BranchHours[];
    loads?: readonly StoredLoad[];
    table: DiningTable | null;
  };
  zone: string;
  now: Date;
};

/** The context as it is read for an order that will be placed. */
export type PlacingContext = OrderContext & { priceList: OrderPriceList };

export type PlacedOrder = {
  branchId: number | null;
  table: DiningTable | null;
  timing: OrderTiming;
  delivery: DeliveryTerms;
  lines: PricedLine[];
  amounts: Amounts;
};

/** What the API and staff can ask for. Staff take an order for a table without a name or a phone number. */
export type WantedOrder = Omit<NewOrder, "channel" | "customer_name" | "customer_phone"> & {
  channel?: NewOrder["channel"] | "pos";
  customer_name: string | null;
  customer_phone: string | null;
};

/**
 * `timing` is null when the wanted time is refused; `moment` is the one that prices are of. Lines that are refused are left out of the
 * amounts.
 */
export type PricedOrder = Omit<PlacedOrder, "timing"> & { timing: OrderTiming | null; moment: Date; errors: Refusals };

/** A dine-in order belongs to the branch of its table, any other to the default one (open point D92). */
export const branchOf = (branches: readonly BranchHours[], table: DiningTable | null): BranchHours | undefined =>
  branches.find(({ id }) => id === table?.branch_id) ?? branches.find(({ is_default }) => is_default);

export const calendarOf = (branch: BranchHours | undefined, zone: string): OpeningCalendar => ({
  zone,
  hours: branch?.hours ?? null,
  closingDays: branch?.closing_days ?? [],
});

export const quoteOrder = (wanted: WantedOrder, { priceList, settings, zone, now }: OrderContext): PricedOrder => {
  const { ordering, charges, branches, loads = [], table } = settings;
  const branch = branchOf(branches, table);
  const calendar = calendarOf(branch, zone);
  const timing = decideTiming(wanted, calendar, { ...ordering, loads }, now);
  const { delivery, errors: deliveryErrors } = decideDelivery(wanted, ordering);
  // Without a valid time the lines are checked as of now, so that the response names their errors too.
  const moment = isTiming(timing) ? timing.moment : now;
  const clock = wallClock(zone, moment);
  const { lines, errors: lineErrors } = priceLines(wanted.lines, priceList, wanted.channel ?? "web", clock);
  const amounts = priceOrder(
    lines.map(({ line, tax_key }) => ({ line_total_minor: line.line_total_minor, tax_key })),
    charges,
    { type: wanted.type, deliveryFeeMinor: delivery.feeMinor },
    clock,
  );
  const areLinesGood = Object.keys(lineErrors).length === 0;
  const amountError: Refusals = areExact(amounts) ? {} : { lines: refuse("too_much") };
  const errors = {
    ...pauseError(wanted, loads, moment, { zone, now }),
    ...typeError(wanted, ordering),
    ...tableError(wanted, table),
    ...deliveryErrors,
    ...(isTiming(timing) ? {} : timing),
    ...lineErrors,
    ...(areLinesGood ? minimumError(amounts.subtotal_minor, delivery) : {}),
    ...sizeError(lines),
    ...amountError,
  };
  return { branchId: branch?.id ?? null, table, timing: isTiming(timing) ? timing : null, moment, delivery, lines, amounts, errors };
};

export const decideOrder = (wanted: WantedOrder, context: OrderContext): PlacedOrder | { errors: Refusals } => {
  const { errors, timing, moment: _, ...priced } = quoteOrder(wanted, context);
  return Object.keys(errors).length > 0 || timing === null ? { errors } : { ...priced, timing };
};
