import { sql } from "kysely";
import { only } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import type { Figures, Period } from "./rules.ts";

/** Orders without a branch are kept under 0, so that the key has no holes. */
const NO_BRANCH = 0;

/** Adds to the day's figures, or takes away with negative ones. One row per branch and day: only a venue's own orders meet there. */
export const addToDay = (ctx: Ctx, date: string, branchId: number | null, { orders, revenue_minor }: Figures): void =>
  ctx.db.later(sql`
    insert into sales_days (restaurant_id, date, branch_id, orders, revenue_minor)
    values (${ctx.tenant.id}, ${date}::date, ${branchId ?? NO_BRANCH}, ${orders}::integer, ${revenue_minor}::bigint)
    on conflict (restaurant_id, date, branch_id) do update
    set orders = sales_days.orders + excluded.orders, revenue_minor = sales_days.revenue_minor + excluded.revenue_minor`);

type Sums = { orders: number; revenue_minor: number; previous_orders: number; previous_revenue_minor: number; has_branch: boolean };

/**
 * Both periods in one pass over at most twice 366 rows a branch, whatever the number of orders. A JSON number is exact up
 * to 2^53, so that is the most that is said.
 */
export const sumPeriods = (ctx: Ctx, { from, to, previousFrom }: Period, branchId: number | undefined): Promise<Sums> => {
  const ofBranch = branchId === undefined ? sql`` : sql`and branch_id = ${branchId}`;
  return only(
    ctx.db.query(sql<Sums>`
      select coalesce(sum(orders) filter (where date >= ${from}::date), 0)::bigint as orders,
        least(coalesce(sum(revenue_minor) filter (where date >= ${from}::date), 0), ${Number.MAX_SAFE_INTEGER}::bigint)::bigint as revenue_minor,
        coalesce(sum(orders) filter (where date < ${from}::date), 0)::bigint as previous_orders,
        least(coalesce(sum(revenue_minor) filter (where date < ${from}::date), 0), ${Number.MAX_SAFE_INTEGER}::bigint)::bigint as previous_revenue_minor,
        exists (select from branches where restaurant_id = ${ctx.tenant.id} and id = ${branchId ?? NO_BRANCH} and deleted_at is null) as has_branch
      from sales_days where restaurant_id = ${ctx.tenant.id} and date between ${previousFrom}::date and ${to}::date ${ofBranch}`),
  );
};
