/** The whole decision on a new order: every fault together, or everything that will be written. */
import type { NewOrder } from "@comanda/contract/orders.ts";
import type { Charges, Hours, OrderingRules } from "@comanda/contract/venue-file.ts";
import type { Faults } from "#lib/errors.ts";
import { wallClock } from "#lib/zone.ts";
import type { PriceList } from "#venue/menu/rules.ts";
import { type PricedLine, priceLines, sizeFault } from "./lines.ts";
import {
  type Delivery,
  type DiningTable,
  decideDelivery,
  decideTiming,
  isTiming,
  minimumFault,
  type Timing,
  tableFault,
  typeFault,
} from "./ordering.ts";
import { type Amounts, areExact, priceOrder } from "./pricing.ts";

type Branch = { id: number; is_default: boolean; hours: Hours | null; closing_days: string[] };

export type Circumstances = {
  priceList: PriceList;
  settings: { ordering: OrderingRules; charges: Charges; branches: Branch[]; table: DiningTable | null };
  zone: string;
  now: Date;
};

export type PlacedOrder = {
  branchId: number | null;
  table: DiningTable | null;
  timing: Timing;
  delivery: Delivery;
  lines: PricedLine[];
  amounts: Amounts;
};

export const decideOrder = (wanted: NewOrder, { priceList, settings, zone, now }: Circumstances): PlacedOrder | { faults: Faults } => {
  const { ordering, charges, branches, table } = settings;
  // A dine-in order belongs to the branch of its table, any other to the default one (open point D92).
  const branch = branches.find(({ id }) => id === table?.branch_id) ?? branches.find(({ is_default }) => is_default);
  const opening = { zone, hours: branch?.hours ?? null, closingDays: branch?.closing_days ?? [] };
  const timing = decideTiming(wanted.scheduled_for, opening, ordering, now);
  const { delivery, faults: deliveryFaults } = decideDelivery(wanted, ordering);
  // Without a valid time the lines are judged as of now, so that their own faults are named too.
  const clock = wallClock(zone, isTiming(timing) ? timing.moment : now);
  const { lines, faults: lineFaults } = priceLines(wanted.lines, priceList, wanted.channel ?? "web", clock);
  const amounts = priceOrder(
    lines.map(({ line, tax_key }) => ({ line_total_minor: line.line_total_minor, tax_key })),
    charges,
    { type: wanted.type, deliveryFeeMinor: delivery.feeMinor },
    clock,
  );
  const areLinesGood = Object.keys(lineFaults).length === 0;
  const amountFault: Faults = areExact(amounts) ? {} : { lines: ["The order comes to more than can be charged."] };
  const faults = {
    ...typeFault(wanted, ordering),
    ...tableFault(wanted, table),
    ...deliveryFaults,
    ...(isTiming(timing) ? {} : timing),
    ...lineFaults,
    ...(areLinesGood ? minimumFault(amounts.subtotal_minor, delivery) : {}),
    ...sizeFault(lines),
    ...amountFault,
  };
  if (Object.keys(faults).length > 0 || !isTiming(timing)) return { faults };
  return { branchId: branch?.id ?? null, table, timing, delivery, lines, amounts };
};
