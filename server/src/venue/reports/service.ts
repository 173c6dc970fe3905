/** Daily sales are updated in each order's transaction, so that reading a year costs about as much as reading a day. */
import type { SalesSummary } from "@comanda/contract/venue/reports.ts";
import type { Ctx } from "#lib/context.ts";
import { because, validationError } from "#lib/errors.ts";
import { formatDate } from "#lib/instant.ts";
import { wallClock } from "#lib/time-zone.ts";
import { type CountedSale, decidePeriod, NO_BRANCH, negated, percentChange, type Rollup, rollupsOf, withAverage } from "./rules.ts";
import {
  addDifferences,
  addMonthDifferences,
  addToDailySales,
  listDifferences,
  listMonthDifferences,
  lockSums,
  salesRollups,
  sumPeriods,
} from "./store.ts";

export { listDifferences, listMonthDifferences };

/** A sale counts on the day and in the hour in which the order was placed, in the restaurant's time zone. */
export const saleTime = (ctx: Ctx, placedAt: Date): { sold_on: string; sold_hour: number } => {
  const clock = wallClock(ctx.tenant.zone, placedAt);
  return { sold_on: formatDate(clock), sold_hour: clock.hour };
};

/** An order as the orders module has it. Without an hour it is from before hours were stored, and counts in that of `placed_at`. */
type CountedOrder = Omit<CountedSale, "sold_hour"> & { sold_hour: number | null; placed_at: Date };

const rollupsOfOrder = (ctx: Ctx, order: CountedOrder): Rollup[] =>
  rollupsOf({ ...order, sold_hour: order.sold_hour ?? wallClock(ctx.tenant.zone, order.placed_at).hour });

export const addSale = (ctx: Ctx, order: CountedOrder): void => {
  const { sold_on, branch_id, total_minor } = order;
  if (sold_on !== null) addToDailySales(ctx, sold_on, branch_id, { orders: 1, revenue_minor: total_minor });
  ctx.db.writeAtCommit(salesRollups, rollupsOfOrder(ctx, order));
};

/** A rejected or cancelled order is removed from the day it was counted on. */
export const subtractSale = (ctx: Ctx, order: CountedOrder): void => {
  const { sold_on, branch_id, total_minor } = order;
  if (sold_on !== null) addToDailySales(ctx, sold_on, branch_id, { orders: -1, revenue_minor: -total_minor });
  ctx.db.writeAtCommit(salesRollups, negated(rollupsOfOrder(ctx, order)));
};

/** A line was struck: the day of the sale keeps its order and changes its revenue. */
export const correctSale = (ctx: Ctx, order: CountedOrder, struck: CountedOrder): void => {
  const { sold_on, branch_id, total_minor } = order;
  if (sold_on !== null && struck.total_minor !== total_minor)
    addToDailySales(ctx, sold_on, branch_id, { orders: 0, revenue_minor: struck.total_minor - total_minor });
  ctx.db.writeAtCommit(salesRollups, [...negated(rollupsOfOrder(ctx, order)), ...rollupsOfOrder(ctx, struck)]);
};

type CountedPayment = { kind: "payment" | "refund"; service_day: string; method: string; branch_id: number | null; amount_minor: number };

/** Payments and refunds count on the day and in the branch that are stored with them, as in the takings. */
export const countPayment = (ctx: Ctx, { kind, service_day, method, branch_id, amount_minor }: CountedPayment): void =>
  ctx.db.writeAtCommit(salesRollups, [{ kind, date: service_day, branch_id: branch_id ?? NO_BRANCH, key: method, count: 1, amount_minor }]);

export const readSalesSummary = async (ctx: Ctx, wanted: { from?: string; to?: string; branch_id?: number }): Promise<SalesSummary> => {
  const period = decidePeriod(wanted, wallClock(ctx.tenant.zone, ctx.now));
  if ("errors" in period) throw validationError(period.errors);
  const sums = await sumPeriods(ctx, period, wanted.branch_id);
  if (wanted.branch_id !== undefined && !sums.has_branch)
    throw validationError({ branch_id: [because("There is no such branch.", "unknown_branch")] });
  const current = withAverage({ orders: sums.orders, revenue_minor: sums.revenue_minor });
  const previous = withAverage({ orders: sums.previous_orders, revenue_minor: sums.previous_revenue_minor });
  return {
    from: period.from,
    to: period.to,
    branch_id: wanted.branch_id ?? null,
    currency: ctx.tenant.currency,
    ...current,
    previous,
    change: {
      revenue_pct: percentChange(current.revenue_minor, previous.revenue_minor),
      orders_pct: percentChange(current.orders, previous.orders),
    },
  };
};

/** Returns what it added. A second repair, and the worker that counts earlier sales, wait for its commit. */
export const repairSums = (ctx: Ctx, from: string, to: string): Promise<Rollup[]> => {
  lockSums(ctx);
  return addDifferences(ctx, from, to);
};

export const repairMonths = (ctx: Ctx): Promise<Rollup[]> => {
  lockSums(ctx);
  return addMonthDifferences(ctx);
};
