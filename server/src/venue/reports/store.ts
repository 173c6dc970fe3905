import { type RawBuilder, sql } from "kysely";
import { type CommitWriter, oneRow, precompiled } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import { mergeRollups, NO_BRANCH, type ReportPeriod, type Rollup, type SalesFigures } from "./rules.ts";

/** Negative figures subtract. One row per branch and day, so only orders of the same venue contend for it. */
export const addToDailySales = (ctx: Ctx, date: string, branchId: number | null, { orders, revenue_minor }: SalesFigures): void =>
  ctx.db.defer(sql`
    insert into daily_sales (restaurant_id, date, branch_id, orders, revenue_minor)
    values (${ctx.tenant.id}, ${date}::date, ${branchId ?? NO_BRANCH}, ${orders}::integer, ${revenue_minor}::bigint)
    on conflict (restaurant_id, date, branch_id) do update
    set orders = daily_sales.orders + excluded.orders, revenue_minor = daily_sales.revenue_minor + excluded.revenue_minor`);

type PeriodSums = { orders: number; revenue_minor: number; previous_orders: number; previous_revenue_minor: number; has_branch: boolean };

/**
 * One pass over at most 2 × 366 rows per branch, whatever the number of orders. Sums are capped at 2^53 - 1, the largest exact JSON number.
 */
export const sumPeriods = (ctx: Ctx, { from, to, previousFrom }: ReportPeriod, branchId: number | undefined): Promise<PeriodSums> => {
  const ofBranch = branchId === undefined ? sql`` : sql`and branch_id = ${branchId}`;
  return oneRow(
    ctx.db.query(sql<PeriodSums>`
      select coalesce(sum(orders) filter (where date >= ${from}::date), 0)::bigint as orders,
        least(coalesce(sum(revenue_minor) filter (where date >= ${from}::date), 0), ${Number.MAX_SAFE_INTEGER}::bigint)::bigint as revenue_minor,
        coalesce(sum(orders) filter (where date < ${from}::date), 0)::bigint as previous_orders,
        least(coalesce(sum(revenue_minor) filter (where date < ${from}::date), 0), ${Number.MAX_SAFE_INTEGER}::bigint)::bigint as previous_revenue_minor,
        exists (select from branches where restaurant_id = ${ctx.tenant.id} and id = ${branchId ?? NO_BRANCH} and deleted_at is null) as has_branch
      from daily_sales where restaurant_id = ${ctx.tenant.id} and date between ${previousFrom}::date and ${to}::date ${ofBranch}`),
  );
};

const ADD_UP = sql`on conflict (restaurant_id, kind, date, branch_id, key) do update
  set count = sales_rollups.count + excluded.count, amount_minor = sales_rollups.amount_minor + excluded.amount_minor`;

/** The rows are given in the order of their keys, so no two transactions wait for each other. */
const addRollups = precompiled(
  (tenantId: number, rollups: string) => sql`
    insert into sales_rollups (restaurant_id, kind, date, branch_id, key, count, amount_minor)
    select ${tenantId}::bigint, r.kind, r.date, r.branch_id, r.key, r.count, r.amount_minor
    from json_to_recordset(${rollups}::json) as r (kind text, date date, branch_id bigint, key text, count bigint, amount_minor bigint)
    ${ADD_UP}`,
);

/** Sums are the last rows that a transaction locks before the change counter. */
export const salesRollups: CommitWriter<Rollup> = {
  write: (tenantId, items) => {
    const rollups = mergeRollups(items);
    return rollups.length === 0 ? null : addRollups(tenantId, JSON.stringify(rollups));
  },
};

/** What the orders and payments of these days come to, minus what is stored. */
export const listDifferences = (ctx: Ctx, from: string, to: string): Promise<Rollup[]> =>
  ctx.db.query(sql<Rollup>`
    select kind, date::text as date, branch_id, key, count, amount_minor
    from sales_differences(${ctx.tenant.id}, ${from}::date, ${to}::date) order by kind, date, branch_id, key`);

/** Before differences are added, in a statement of its own: the next one sees what another repair has added. */
export const lockSums = (ctx: Ctx): void => ctx.db.defer(sql`select lock_sums(${ctx.tenant.id})`);

/** Exact while sales are counted: a commit changes both sides of a difference alike. Of two repairs at once, each would add the whole. */
const addAll = (ctx: Ctx, differences: RawBuilder<unknown>): Promise<Rollup[]> =>
  ctx.db.query(sql<Rollup>`
    with missing as materialized (select d.kind, d.date, d.branch_id, d.key, d.count, d.amount_minor from ${differences} d),
    added as (
      insert into sales_rollups (restaurant_id, kind, date, branch_id, key, count, amount_minor)
      select ${ctx.tenant.id}::bigint, m.kind, m.date, m.branch_id, m.key, m.count, m.amount_minor
      from missing m order by m.kind collate "C", m.date, m.branch_id, m.key collate "C"
      ${ADD_UP}
    )
    select kind, date::text as date, branch_id, key, count, amount_minor from missing order by kind, date, branch_id, key`);

export const addDifferences = (ctx: Ctx, from: string, to: string): Promise<Rollup[]> =>
  addAll(ctx, sql`sales_differences(${ctx.tenant.id}, ${from}::date, ${to}::date)`);

/** Sums of months that differ from those of their days. */
export const listMonthDifferences = (ctx: Ctx): Promise<Rollup[]> =>
  ctx.db.query(sql<Rollup>`
    select kind, date::text as date, branch_id, key, count, amount_minor from month_differences(${ctx.tenant.id})
    order by kind, date, branch_id, key`);

export const addMonthDifferences = (ctx: Ctx): Promise<Rollup[]> => addAll(ctx, sql`month_differences(${ctx.tenant.id})`);
