/**
 * A bill is open while a table has it: `bill_tables` holds one row for each of its tables. That row is locked before anything changes which
 * orders the bill has or whether it is open.
 */
import type { BillTable } from "@comanda/contract/console/bills.ts";
import { sql } from "kysely";
import { first, oneRow, type Row } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";

export type NewBill = { id: string; branch_id: number | null; table: BillTable; service_day: string };

/** The bill of an earlier day of service ends when one of its tables gets its first order of this day. All its tables are free then. */
const endEarlierBill = (ctx: Ctx, { table, service_day }: NewBill) => sql`
  with ended as (
    select t.table_id, t.bill_id from bill_tables t
    where t.restaurant_id = ${ctx.tenant.id} and t.bill_id = (
      select e.bill_id from bill_tables e
      where e.restaurant_id = ${ctx.tenant.id} and e.table_id = ${table.id} and e.service_day < ${service_day}::date)
    order by t.table_id for update
  ), freed as (
    delete from bill_tables t using ended
    where t.restaurant_id = ${ctx.tenant.id} and t.table_id = ended.table_id and t.bill_id = ended.bill_id
  )
  update bills set closed_at = ${ctx.now}, closing = 'day_ended'
  where restaurant_id = ${ctx.tenant.id} and id in (select bill_id from ended) and closed_at is null`;

/** The table keeps its bill, or gets the new one. Two orders at once wait for each other at this row. */
const claimTable = (ctx: Ctx, { id, table, service_day }: NewBill) => sql`
  insert into bill_tables (restaurant_id, table_id, bill_id, service_day) values (${ctx.tenant.id}, ${table.id}, ${id}, ${service_day})
  on conflict (restaurant_id, table_id) do update set service_day = bill_tables.service_day`;

/** Only when the table got the new bill. */
const insertBill = (ctx: Ctx, { id, branch_id, table, service_day }: NewBill) => sql`
  insert into bills (restaurant_id, id, branch_id, tables, service_day, opened_at)
  select restaurant_id, bill_id, ${branch_id}, ${JSON.stringify([table])}::jsonb, ${service_day}::date, ${ctx.now}
  from bill_tables t where t.restaurant_id = ${ctx.tenant.id} and t.table_id = ${table.id} and t.bill_id = ${id}`;

/** The table has an open bill from here until the commit, and no other change of it is made. */
export const openBillIfNone = (ctx: Ctx, bill: NewBill): void => {
  ctx.db.defer(endEarlierBill(ctx, bill));
  ctx.db.defer(claimTable(ctx, bill));
  ctx.db.defer(insertBill(ctx, bill));
};

/** A closed bill has no table, and nothing is locked. */
export const lockTablesOf = (ctx: Ctx, billIds: readonly string[]): void =>
  ctx.db.defer(sql`
    select from bill_tables where restaurant_id = ${ctx.tenant.id} and bill_id = any(${[...billIds]}::uuid[]) order by table_id for update`);

export type BillRow = Omit<Row<"bills">, "restaurant_id">;

const COLUMNS = sql`id, branch_id, tables, service_day, opened_at, asked_at, closed_at, closing`;

export const findBill = (ctx: Ctx, id: string): Promise<BillRow | undefined> =>
  first(ctx.db.query(sql<BillRow>`select ${COLUMNS} from bills where restaurant_id = ${ctx.tenant.id} and id = ${id}`));

/** Unpaid orders come first, so that a limit leaves out none that is due. */
export const listOrderIds = async (ctx: Ctx, billIds: readonly string[], rowCount: number): Promise<string[]> =>
  (
    await ctx.db.query(sql<{ id: string }>`
      select id from orders where restaurant_id = ${ctx.tenant.id} and bill_id = any(${[...billIds]}::uuid[])
      order by paid_at is not null, id limit ${rowCount}`)
  ).map(({ id }) => id);

/** The bills of these orders. */
export const listBillIds = async (ctx: Ctx, orderIds: readonly string[]): Promise<string[]> =>
  (
    await ctx.db.query(sql<{ id: string }>`
      select distinct bill_id as id from orders
      where restaurant_id = ${ctx.tenant.id} and id = any(${[...orderIds]}::uuid[]) and bill_id is not null`)
  ).map(({ id }) => id);

/** Its tables are free for the next bill. */
export const closeBill = (ctx: Ctx, id: string, closing: string): void =>
  ctx.db.defer(sql`
    with freed as (delete from bill_tables where restaurant_id = ${ctx.tenant.id} and bill_id = ${id})
    update bills set closed_at = ${ctx.now}, closing = ${closing} where restaurant_id = ${ctx.tenant.id} and id = ${id} and closed_at is null`);

/** Nothing of it is open or unpaid. The caller has locked its tables, so of two last orders the later one sees the other. */
export const closeIfSettled = (ctx: Ctx, id: string): void =>
  ctx.db.defer(sql`
    with settled as (
      update bills b set closed_at = ${ctx.now}, closing = 'settled'
      where b.restaurant_id = ${ctx.tenant.id} and b.id = ${id} and b.closed_at is null and not exists (
        select from orders o where o.restaurant_id = b.restaurant_id and o.bill_id = b.id
          and (o.status in ('placed', 'accepted', 'ready') or (o.status = 'completed' and o.paid_at is null and o.total_minor > 0)))
      returning b.id
    )
    delete from bill_tables t using settled where t.restaurant_id = ${ctx.tenant.id} and t.bill_id = settled.id`);

export type OpenBillRow = Pick<BillRow, "id" | "branch_id" | "tables" | "opened_at" | "asked_at"> & {
  orders: number;
  total_minor: number;
  due_minor: number;
};

/** What is due of each order is what `dueOf` of the rules says. */
export const listOpenBills = (ctx: Ctx, rowCount: number): Promise<OpenBillRow[]> =>
  ctx.db.query(sql<OpenBillRow>`
    select b.id, b.branch_id, b.tables, b.opened_at, b.asked_at, coalesce(s.orders, 0)::integer as orders, coalesce(s.total_minor, 0)::bigint as total_minor,
      coalesce(s.due_minor, 0)::bigint as due_minor
    from bills b
    left join lateral (
      select count(*) as orders, sum(o.total_minor) as total_minor, 
        sum(case when o.is_done then 0 else greatest(o.total_minor - o.paid_minor, 0) end) as due_minor
      from (
        select total_minor, status = 'completed' and paid_at is not null as is_done, (
          select coalesce(sum(p.amount_minor - p.refunded_total_minor), 0) from payments p
          where p.restaurant_id = orders.restaurant_id and p.order_id = orders.id) as paid_minor
        from orders where restaurant_id = b.restaurant_id and bill_id = b.id and status not in ('rejected', 'cancelled')
      ) o
    ) s on true
    where b.restaurant_id = ${ctx.tenant.id} and b.closed_at is null
      and b.id in (select t.bill_id from bill_tables t where t.restaurant_id = ${ctx.tenant.id})
    order by b.opened_at, b.id limit ${rowCount}`);

export type BillLineKey = { order_id: string; line_id: number };
export type NewBillPayment = {
  bill_id: string;
  method: string;
  amount_minor: number;
  tip_minor: number;
  tendered_minor: number | null;
  lines: readonly BillLineKey[];
  service_day: string;
};
export type BillPaymentRow = Pick<
  Row<"bill_payments">,
  "id" | "method" | "amount_minor" | "tip_minor" | "tendered_minor" | "recorded_by" | "recorded_at"
> & { lines: BillLineKey[]; refunded_minor: number };

export const insertBillPayment = async (ctx: Ctx, { lines, ...payment }: NewBillPayment): Promise<number> => {
  const { id } = await oneRow(
    ctx.db.query(sql<{ id: number }>`
    insert into bill_payments (restaurant_id, bill_id, method, amount_minor, tip_minor, tendered_minor, lines, service_day, recorded_by, recorded_at)
    values (${ctx.tenant.id}, ${payment.bill_id}, ${payment.method}, ${payment.amount_minor}, ${payment.tip_minor}, ${payment.tendered_minor},
      ${JSON.stringify(lines)}::jsonb, ${payment.service_day}, ${ctx.actor.name}, ${ctx.now})
    returning id`),
  );
  return id;
};

/** The oldest first. */
export const listBillPayments = (ctx: Ctx, billId: string): Promise<BillPaymentRow[]> =>
  ctx.db.query(sql<BillPaymentRow>`
    select b.id, b.method, b.amount_minor, b.tip_minor, b.tendered_minor, b.recorded_by, b.recorded_at, b.lines,
      (select coalesce(sum(p.refunded_total_minor), 0)::bigint from payments p
       where p.restaurant_id = b.restaurant_id and p.bill_payment_id = b.id) as refunded_minor
    from bill_payments b where b.restaurant_id = ${ctx.tenant.id} and b.bill_id = ${billId} order by b.id`);

export const setAsked = (ctx: Ctx, id: string, isAsked: boolean): void =>
  ctx.db.defer(sql`update bills set asked_at = ${isAsked ? ctx.now : null} where restaurant_id = ${ctx.tenant.id} and id = ${id}`);

/** Returns false when another bill has the table: its row is there, or became there while this statement waited. */
export const moveToTable = async (ctx: Ctx, billId: string, from: number, to: BillTable): Promise<boolean> => {
  const moved = await ctx.db.query(sql<{ table_id: number }>`
    insert into bill_tables (restaurant_id, table_id, bill_id, service_day)
    select restaurant_id, ${to.id}, bill_id, service_day from bill_tables
    where restaurant_id = ${ctx.tenant.id} and table_id = ${from} and bill_id = ${billId}
    on conflict (restaurant_id, table_id) do nothing returning table_id`);
  if (moved.length === 0) return false;
  ctx.db.defer(sql`delete from bill_tables where restaurant_id = ${ctx.tenant.id} and table_id = ${from} and bill_id = ${billId}`);
  ctx.db.defer(sql`
    update bills set tables = (
      select jsonb_agg(case when (t.value ->> 'id')::bigint = ${from} then ${JSON.stringify(to)}::jsonb else t.value end order by t.ordinality)
      from jsonb_array_elements(tables) with ordinality t)
    where restaurant_id = ${ctx.tenant.id} and id = ${billId}`);
  return true;
};

/** Tables and payments of the other bill become this one's. The orders follow in a statement of their own module. */
export const takeOver = (ctx: Ctx, billId: string, otherId: string): void => {
  ctx.db.defer(sql`
    update bills b set tables = b.tables || o.tables, asked_at = coalesce(b.asked_at, o.asked_at) from bills o
    where b.restaurant_id = ${ctx.tenant.id} and b.id = ${billId} and o.restaurant_id = ${ctx.tenant.id} and o.id = ${otherId}`);
  ctx.db.defer(sql`
    update bill_tables t set bill_id = ${billId}, service_day = (
      select max(k.service_day) from bill_tables k where k.restaurant_id = ${ctx.tenant.id} and k.bill_id in (${billId}, ${otherId}))
    where t.restaurant_id = ${ctx.tenant.id} and t.bill_id in (${billId}, ${otherId})`);
  ctx.db.defer(sql`update bill_payments set bill_id = ${billId} where restaurant_id = ${ctx.tenant.id} and bill_id = ${otherId}`);
  ctx.db.defer(sql`
    update bills set closed_at = ${ctx.now}, closing = 'merged' where restaurant_id = ${ctx.tenant.id} and id = ${otherId} and closed_at is null`);
};
