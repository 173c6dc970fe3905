/** Sales figures, counted in the orders' own transactions, so that a year costs about as much to read as a day. */
import type { SalesSummary } from "@comanda/contract/reports.ts";
import type { Ctx } from "#lib/context.ts";
import { invalid } from "#lib/errors.ts";
import { formatDate } from "#lib/instant.ts";
import { wallClock } from "#lib/zone.ts";
import { decidePeriod, percentChange, withAverage } from "./rules.ts";
import { addToDay, sumPeriods } from "./store.ts";

type Sale = { sold_on: string | null; branch_id: number | null; total_minor: number };

/** The day a sale counts on: that of its placing, on the restaurant's clock. */
export const saleDay = (ctx: Ctx, placedAt: Date): string => formatDate(wallClock(ctx.tenant.zone, placedAt));

export const countSale = (ctx: Ctx, { sold_on, branch_id, total_minor }: Sale): void => {
  if (sold_on !== null) addToDay(ctx, sold_on, branch_id, { orders: 1, revenue_minor: total_minor });
};

/** A refused or cancelled order was no sale: the day it was counted on gives it back. */
export const uncountSale = (ctx: Ctx, { sold_on, branch_id, total_minor }: Sale): void => {
  if (sold_on !== null) addToDay(ctx, sold_on, branch_id, { orders: -1, revenue_minor: -total_minor });
};

export const readSalesSummary = async (ctx: Ctx, wanted: { from?: string; to?: string; branch_id?: number }): Promise<SalesSummary> => {
  const period = decidePeriod(wanted, wallClock(ctx.tenant.zone, ctx.now));
  if ("faults" in period) throw invalid(period.faults);
  const sums = await sumPeriods(ctx, period, wanted.branch_id);
  if (wanted.branch_id !== undefined && !sums.has_branch) throw invalid({ branch_id: ["There is no such branch."] });
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
