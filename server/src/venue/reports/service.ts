/** Daily sales are updated in each order's transaction, so that reading a year costs about as much as reading a day. */
import type { SalesSummary } from "@comanda/contract/venue/reports.ts";
import type { Ctx } from "#lib/context.ts";
import { validationError } from "#lib/errors.ts";
import { formatDate } from "#lib/instant.ts";
import { wallClock } from "#lib/time-zone.ts";
import { decidePeriod, percentChange, withAverage } from "./rules.ts";
import { addToDailySales, sumPeriods } from "./store.ts";

type CountedSale = { sold_on: string | null; branch_id: number | null; total_minor: number };

/** A sale counts on the day the order was placed, in the restaurant's time zone. */
export const saleDay = (ctx: Ctx, placedAt: Date): string => formatDate(wallClock(ctx.tenant.zone, placedAt));

export const addSale = (ctx: Ctx, { sold_on, branch_id, total_minor }: CountedSale): void => {
  if (sold_on !== null) addToDailySales(ctx, sold_on, branch_id, { orders: 1, revenue_minor: total_minor });
};

/** A rejected or cancelled order is removed from the day it was counted on. */
export const subtractSale = (ctx: Ctx, { sold_on, branch_id, total_minor }: CountedSale): void => {
  if (sold_on !== null) addToDailySales(ctx, sold_on, branch_id, { orders: -1, revenue_minor: -total_minor });
};

/** A line was struck: the day of the sale keeps its order and changes its revenue. */
export const correctSale = (ctx: Ctx, { sold_on, branch_id, total_minor }: CountedSale, newTotalMinor: number): void => {
  if (sold_on !== null && newTotalMinor !== total_minor)
    addToDailySales(ctx, sold_on, branch_id, { orders: 0, revenue_minor: newTotalMinor - total_minor });
};

export const readSalesSummary = async (ctx: Ctx, wanted: { from?: string; to?: string; branch_id?: number }): Promise<SalesSummary> => {
  const period = decidePeriod(wanted, wallClock(ctx.tenant.zone, ctx.now));
  if ("errors" in period) throw validationError(period.errors);
  const sums = await sumPeriods(ctx, period, wanted.branch_id);
  if (wanted.branch_id !== undefined && !sums.has_branch) throw validationError({ branch_id: ["There is no such branch."] });
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
