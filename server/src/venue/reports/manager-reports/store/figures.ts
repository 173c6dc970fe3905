/** Figures are read from the sums of days; what is not summed, from the rows of a bounded span. */
import type { CountedDay, KitchenTimes, ReportKind, ReportRow } from "@comanda/contract/console/reports.ts";
import { type RawBuilder, sql } from "kysely";
import type { Ctx } from "#lib/context.ts";
import { type ChosenPeriod, type ComparedSpan, type InstantSpan, wholeMonths } from "../rules.ts";

type Rows = RawBuilder<ReportRow>;

/** Orders without a branch count under 0. */
const ofBranch = (branchId: number | null, column = sql`branch_id`): RawBuilder<unknown> =>
  branchId === null ? sql`` : sql`and ${column} = ${branchId}`;

const daySums = (ctx: Ctx, { from, to, branchId }: ChosenPeriod): Rows => sql`
  select date::text as key, null::jsonb as name, sum(orders)::bigint as count, sum(revenue_minor)::bigint as amount_minor, 0::bigint as refunded_minor
  from daily_sales where restaurant_id = ${ctx.tenant.id} and date between ${from}::date and ${to}::date ${ofBranch(branchId)}
  group by date having sum(orders) <> 0 or sum(revenue_minor) <> 0 order by date`;

const branchSums = (ctx: Ctx, { from, to, branchId }: ChosenPeriod): Rows => sql`
  select s.branch_id::text as key, (select b.name from branches b where b.restaurant_id = ${ctx.tenant.id} and b.id = s.branch_id) as name,
    sum(s.orders)::bigint as count, sum(s.revenue_minor)::bigint as amount_minor, 0::bigint as refunded_minor
  from daily_sales s where s.restaurant_id = ${ctx.tenant.id} and s.date between ${from}::date and ${to}::date ${ofBranch(branchId, sql`s.branch_id`)}
  group by s.branch_id having sum(s.orders) <> 0 or sum(s.revenue_minor) <> 0 order by amount_minor desc, key`;

const rollups = (ctx: Ctx, kind: string, { from, to, branchId }: ChosenPeriod): RawBuilder<unknown> => sql`
  sales_rollups where restaurant_id = ${ctx.tenant.id} and kind = ${kind} and date between ${from}::date and ${to}::date ${ofBranch(branchId)}`;

/** These kinds have many keys: whole months are read as months, the days before and after them as days. */
const partsOf = (ctx: Ctx, kind: "hour" | "dish", period: ChosenPeriod): RawBuilder<unknown> => {
  const columns = sql`key, count, amount_minor`;
  const months = wholeMonths(period);
  if (!months) return sql`select ${columns} from ${rollups(ctx, kind, period)}`;
  const days = sql`sales_rollups where restaurant_id = ${ctx.tenant.id} and kind = ${kind} ${ofBranch(period.branchId)}`;
  return sql`select ${columns} from ${rollups(ctx, `${kind}_month`, { ...period, from: months.first, to: months.last })}
    union all select ${columns} from ${days} and date >= ${period.from}::date and date < ${months.first}::date
    union all select ${columns} from ${days} and date >= ${months.until}::date and date <= ${period.to}::date`;
};

const hourSums = (ctx: Ctx, period: ChosenPeriod): Rows => sql`
  select key, null::jsonb as name, sum(count)::bigint as count, sum(amount_minor)::bigint as amount_minor, 0::bigint as refunded_minor
  from (${partsOf(ctx, "hour", period)}) parts group by key having sum(count) <> 0 or sum(amount_minor) <> 0 order by key`;

const channelSums = (ctx: Ctx, period: ChosenPeriod): Rows => sql`
  select key, null::jsonb as name, sum(count)::bigint as count, sum(amount_minor)::bigint as amount_minor, 0::bigint as refunded_minor
  from ${rollups(ctx, "channel", period)} group by key having sum(count) <> 0 or sum(amount_minor) <> 0 order by amount_minor desc, key`;

/** Payments and refunds of a method are two rows of a day. */
const methodSums = (ctx: Ctx, { from, to, branchId }: ChosenPeriod): Rows => sql`
  select key, null::jsonb as name, coalesce(sum(count) filter (where kind = 'payment'), 0)::bigint as count,
    coalesce(sum(amount_minor) filter (where kind = 'payment'), 0)::bigint as amount_minor,
    coalesce(sum(amount_minor) filter (where kind = 'refund'), 0)::bigint as refunded_minor
  from sales_rollups where restaurant_id = ${ctx.tenant.id} and kind in ('payment', 'refund') and date between ${from}::date and ${to}::date
    ${ofBranch(branchId)}
  group by key order by amount_minor desc, key`;

/** The best `rowsMax` dishes, and one row for the others. */
const dishSums = (ctx: Ctx, period: ChosenPeriod, rowsMax: number): Rows => sql`
  with dishes as (
    select key, sum(count) as count, sum(amount_minor) as amount, row_number() over (order by sum(amount_minor) desc, key) as place
    from (${partsOf(ctx, "dish", period)}) parts group by key having sum(count) <> 0 or sum(amount_minor) <> 0
  ), shown as (
    select case when place <= ${rowsMax} then key else 'others' end as key, sum(count)::bigint as count, sum(amount)::bigint as amount, min(place) as place
    from dishes group by 1
  )
  select s.key, i.name, s.count, s.amount as amount_minor, 0::bigint as refunded_minor
  from shown s left join items i on i.restaurant_id = ${ctx.tenant.id} and s.key <> 'others' and i.id = nullif(s.key, 'others')::bigint
  order by s.place`;

const SUMS: Record<ReportKind, (ctx: Ctx, period: ChosenPeriod, rowsMax: number) => Rows> = {
  day: daySums,
  hour: hourSums,
  channel: channelSums,
  dish: dishSums,
  branch: branchSums,
  method: methodSums,
};

/** At most 366 days of sums, however many orders there were. */
export const sumSales = (ctx: Ctx, by: ReportKind, period: ChosenPeriod, dishesMax: number): Promise<ReportRow[]> =>
  ctx.db.query(sql<ReportRow>`${SUMS[by](ctx, period, dishesMax)}`);

export type HourSum = { date: string; hour: number; orders: number; revenue_minor: number };

/** Sums of orders by hour in each of a few spans of at most a day. */
export const sumHours = (ctx: Ctx, spans: readonly ComparedSpan[], branchId: number | null): Promise<HourSum[]> =>
  ctx.db.query(sql<HourSum>`
    select s.date, h.hour, h.orders, h.revenue_minor
    from unnest(${spans.map(({ date }) => date)}::text[], ${spans.map(({ from }) => from)}::timestamptz[],
        ${spans.map(({ until }) => until)}::timestamptz[]) as s (date, starts_at, ends_at)
      cross join lateral (
        select coalesce(o.sold_hour, extract(hour from o.placed_at at time zone ${ctx.tenant.zone}))::integer as hour,
          count(*)::bigint as orders, sum(o.total_minor)::bigint as revenue_minor
        from orders o
        where o.restaurant_id = ${ctx.tenant.id} and o.placed_at >= s.starts_at and o.placed_at < s.ends_at
          and o.status not in ('rejected', 'cancelled') and o.sold_on is not null
          ${branchId === null ? sql`` : sql`and coalesce(o.branch_id, 0) = ${branchId}`}
        group by 1) h
    order by 1, 2`);

/** Days on which anything was sold. */
export const listSoldDays = async (ctx: Ctx, dates: readonly string[], branchId: number | null): Promise<Set<string>> => {
  const rows = await ctx.db.query(sql<{ date: string }>`
    select distinct date::text as date from daily_sales
    where restaurant_id = ${ctx.tenant.id} and date = any(${[...dates]}::date[]) and orders <> 0 ${ofBranch(branchId)}`);
  return new Set(rows.map(({ date }) => date));
};

/** The latest `ticketsMax` of the span, all stations together first. */
export const sumKitchenTimes = (ctx: Ctx, span: InstantSpan, branchId: number | null, ticketsMax: number): Promise<KitchenTimes[]> =>
  ctx.db.query(sql<KitchenTimes>`
    with done as (
      select station, extract(epoch from done_at - fired_at)::float / 60 as minutes from tickets t
      where restaurant_id = ${ctx.tenant.id} and state = 'done' and done_at >= ${span.from} and done_at < ${span.until} and fired_at is not null
        ${
          branchId === null
            ? sql``
            : sql`and exists (select from orders o where o.restaurant_id = ${ctx.tenant.id} and o.id = t.order_id and coalesce(o.branch_id, 0) = ${branchId})`
        }
      order by done_at desc limit ${ticketsMax}
    )
    select station, count(*)::integer as tickets, round(percentile_cont(0.5) within group (order by minutes)::numeric, 1)::float as p50_minutes,
      round(percentile_cont(0.9) within group (order by minutes)::numeric, 1)::float as p90_minutes
    from done group by grouping sets ((), (station)) having count(*) > 0 order by grouping(station) desc, station`);

/** Sums by the day for which they were booked. */
export const sumBookings = (ctx: Ctx, { from, to, branchId }: ChosenPeriod): Promise<CountedDay[]> =>
  ctx.db.query(sql<CountedDay>`
    select date::text as date, count(*) filter (where not is_walk_in and status in ('confirmed', 'seated', 'no_show'))::integer as bookings,
      coalesce(sum(party_size) filter (where status = 'seated'), 0)::integer as covers,
      coalesce(sum(party_size) filter (where status = 'seated' and is_walk_in), 0)::integer as walk_in_covers,
      count(*) filter (where status = 'no_show')::integer as no_shows
    from reservations where restaurant_id = ${ctx.tenant.id} and date between ${from}::date and ${to}::date
      and status in ('confirmed', 'seated', 'no_show') ${ofBranch(branchId)}
    group by date order by date`);
