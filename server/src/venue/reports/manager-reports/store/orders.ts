/** The orders behind a figure, the latest first. */
import type { ReportOrder } from "@comanda/contract/console/reports.ts";
import { type RawBuilder, sql } from "kysely";
import type { Ctx } from "#lib/context.ts";
import type { ChosenPeriod, FigureFilter, InstantSpan } from "../rules.ts";

export type FigureOrderRow = Omit<ReportOrder, "placed_at"> & { placed_at: Date };
export type ListPosition = { at: Date; id: string };
export type FoundOrders = { rows: FigureOrderRow[]; next: ListPosition | null };

type FigureSearch = { period: ChosenPeriod; span: InstantSpan; filter: FigureFilter; position: ListPosition | null };

/** Orders that one call reads: what it costs at most, however rare the dish is. */
const SCANNED_MAX = 500;

/** Every condition but the time is judged after the reading, so that a rare branch costs no more than a frequent one. */
const scannedOrders = (ctx: Ctx, { span, position }: FigureSearch): RawBuilder<unknown> => sql`
  select id, number, placed_at, status, type, channel, total_minor, branch_id, sold_on, lines,
    coalesce(sold_hour, extract(hour from placed_at at time zone ${ctx.tenant.zone})) as hour
  from orders
  where restaurant_id = ${ctx.tenant.id} and placed_at >= ${span.from}::timestamptz - interval '1 day' and placed_at < ${span.until}::timestamptz + interval '1 day'
    ${position === null ? sql`` : sql`and (placed_at, id) < (${position.at}, ${position.id}::uuid)`}
  order by placed_at desc, id desc limit ${SCANNED_MAX}`;

/** Only counted orders: sold in the period, neither rejected nor cancelled. */
const isCounted = ({ from, to, branchId }: ChosenPeriod): RawBuilder<unknown> => sql`
  sold_on between ${from}::date and ${to}::date and status not in ('rejected', 'cancelled')
  ${branchId === null ? sql`` : sql`and coalesce(branch_id, 0) = ${branchId}`}`;

const conditionOf = ({ hour, channel, itemId, branchId }: FigureFilter): RawBuilder<unknown> => {
  if (hour) return sql`extract(isodow from sold_on) - 1 = ${hour.weekday} and hour = ${hour.hour}`;
  if (channel) return sql`type = ${channel.type} and channel = ${channel.channel}`;
  if (branchId !== null) return sql`coalesce(branch_id, 0) = ${branchId}`;
  return itemId === null ? sql`true` : sql`portions > 0`;
};

/** What the order adds to the figure. */
const partOf = ({ itemId }: FigureFilter): RawBuilder<unknown> =>
  itemId === null
    ? sql`(select null::bigint as portions, total_minor as part_minor) part`
    : sql`(select coalesce(sum((l -> 'quantity')::bigint), 0)::bigint as portions, coalesce(sum((l -> 'line_total_minor')::bigint), 0)::bigint as part_minor
        from jsonb_array_elements(lines) l where (l -> 'item_id')::bigint = ${itemId} and not coalesce((l -> 'voided')::boolean, false)) part`;

type ScannedRow = FigureOrderRow & { scanned: number; last_at: Date | null; last_id: string | null };

export const listFigureOrders = async (ctx: Ctx, search: FigureSearch, rowsMax: number): Promise<FoundOrders> => {
  const found = await ctx.db.query(sql<ScannedRow>`
    with scanned as materialized (${scannedOrders(ctx, search)}),
    ending as (
      select count(*)::integer as scanned, min(placed_at) as last_at, (array_agg(id order by placed_at, id))[1] as last_id from scanned
    ), matching as (
      select id, number, placed_at, status, type, channel, total_minor, portions, part_minor
      from scanned cross join lateral ${partOf(search.filter)}
      where ${isCounted(search.period)} and ${conditionOf(search.filter)} order by placed_at desc, id desc limit ${rowsMax + 1}
    )
    select e.scanned, e.last_at, e.last_id, m.id, m.number, m.placed_at, m.status, m.type, m.channel, m.total_minor, m.portions, m.part_minor
    from ending e left join matching m on true order by m.placed_at desc, m.id desc`);
  return pageOf(found, rowsMax);
};

/** Continues after the last row of a full page, or else where the reading ended. */
const pageOf = (found: readonly ScannedRow[], rowsMax: number): FoundOrders => {
  const matching = found.filter(({ id }) => id !== null).map(({ scanned: _scanned, last_at: _at, last_id: _id, ...row }) => row);
  const rows = matching.slice(0, rowsMax);
  const [ending, last] = [found[0], rows.at(-1)];
  if (matching.length > rowsMax && last) return { rows, next: { at: last.placed_at, id: last.id } };
  const isMore = ending !== undefined && ending.scanned === SCANNED_MAX && ending.last_at !== null && ending.last_id !== null;
  return { rows, next: isMore ? { at: ending.last_at as Date, id: ending.last_id as string } : null };
};

type PaidRow = FigureOrderRow & { recorded_at: Date; payment_id: string };

/**
 * Orders with a payment of this method in the period, one row for each payment. A deposit has no order. Days and branch are those stored with
 * the payment; a venue that changed its zone moved its days by 26 hours at most.
 */
export const listPaidOrders = async (ctx: Ctx, { period, span, filter, position }: FigureSearch, rowsMax: number): Promise<FoundOrders> => {
  const found = await ctx.db.query(sql<PaidRow>`
    select o.id, o.number, o.placed_at, o.status, o.type, o.channel, o.total_minor, null::bigint as portions, p.amount_minor as part_minor,
      p.recorded_at, p.id::text as payment_id
    from payments p join orders o on o.restaurant_id = p.restaurant_id and o.id = p.order_id
    where p.restaurant_id = ${ctx.tenant.id} and p.recorded_at >= ${span.from}::timestamptz - interval '2 days'
      and p.recorded_at < ${span.until}::timestamptz + interval '2 days' and p.service_day between ${period.from}::date and ${period.to}::date
      ${filter.method === null ? sql`` : sql`and p.method = ${filter.method}`}
      ${period.branchId === null ? sql`` : sql`and coalesce(p.branch_id, 0) = ${period.branchId}`}
      ${position === null ? sql`` : sql`and (p.recorded_at, p.id) < (${position.at}, ${position.id}::bigint)`}
    order by p.recorded_at desc, p.id desc limit ${rowsMax + 1}`);
  const shown = found.slice(0, rowsMax);
  const last = shown.at(-1);
  return {
    rows: shown.map(({ recorded_at: _at, payment_id: _id, ...row }) => row),
    next: found.length > rowsMax && last ? { at: last.recorded_at, id: last.payment_id } : null,
  };
};
