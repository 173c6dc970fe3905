import type { OrderLine, OrderStatus, OrderType, TaxRow } from "@comanda/contract/orders.ts";
import { sql } from "kysely";
import { insertRows } from "#db/apply.ts";
import { first, only, q } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";

export type OrderRow = {
  id: string;
  status: OrderStatus;
  type: OrderType;
  channel: string;
  branch_id: number | null;
  table_shown: { id: number; name: string; code: string | null } | null;
  guest_id: number | null;
  customer_name: string | null;
  customer_phone: string | null;
  customer_email: string | null;
  note: string | null;
  delivery_address: { line1: string; city: string; phone: string } | null;
  currency: string;
  subtotal_minor: number;
  discount_minor: number;
  service_charge_minor: number;
  tax_added_minor: number;
  delivery_fee_minor: number;
  total_minor: number;
  tax_breakdown: TaxRow[] | null;
  cancel_reason: string | null;
  lines: OrderLine[];
  placed_at: Date;
  scheduled_for: Date | null;
  paid_at: Date | null;
  updated_at: Date;
  sold_on: string | null;
};

const ORDER = sql`
  select id, status, type, channel, branch_id, table_shown, guest_id, customer_name, customer_phone, customer_email, note,
    delivery_address, currency, subtotal_minor, discount_minor, service_charge_minor, tax_added_minor, delivery_fee_minor,
    total_minor, tax_breakdown, cancel_reason, lines, placed_at, scheduled_for, paid_at, updated_at, sold_on
  from orders`;

export const newLineIds = async (ctx: Ctx, count: number): Promise<number[]> =>
  (
    await only(
      ctx.db.query(
        sql<{ ids: number[] }>`select array(select nextval('order_line_ids') from generate_series(1, ${count}::integer)) as ids`,
      ),
    )
  ).ids;

export const insertOrder = (ctx: Ctx, order: OrderRow & { table_id: number | null; held_until: Date | null }): void =>
  insertRows(ctx, "orders", [{ ...order }]);

export const findOrder = (ctx: Ctx, id: string): Promise<OrderRow | undefined> =>
  first(ctx.db.query(sql<OrderRow>`${ORDER} where restaurant_id = ${ctx.tenant.id} and id = ${id}`));

/** The same, and nobody else moves this order until the transaction ends. */
export const lockOrder = (ctx: Ctx, id: string): Promise<OrderRow | undefined> =>
  first(ctx.db.query(sql<OrderRow>`${ORDER} where restaurant_id = ${ctx.tenant.id} and id = ${id} for update`));

export type OrderChange = Partial<Pick<OrderRow, "status" | "cancel_reason" | "paid_at">>;

/** The row is locked by whoever calls this; the status it was seen in is a second guard, not the first. */
export const updateOrder = (ctx: Ctx, order: OrderRow, change: OrderChange): void =>
  ctx.db.later(
    q
      .updateTable("orders")
      .set({ ...change, updated_at: ctx.now, changed_at: sql<Date>`clock_timestamp()` })
      .where("restaurant_id", "=", ctx.tenant.id)
      .where("id", "=", order.id)
      .where("status", "=", order.status),
  );

const UNDER_WAY: readonly OrderStatus[] = ["placed", "accepted", "ready"];

export type OrderFilter = {
  statuses?: OrderStatus[];
  type?: OrderType;
  channel?: string;
  placedFrom?: Date;
  placedBefore?: Date;
  updatedSince?: Date;
};
/** `settledUntil` is of the walk's first page, when the walk is one through changes. */
export type OrderPosition = { placedAt: Date; id: string; isBackwards: boolean; settledUntil: string | null };

export const listOrderRows = (
  ctx: Ctx,
  filter: OrderFilter & { settledUntil: string | null },
  position: OrderPosition | null,
  rowCount: number,
): Promise<OrderRow[]> => {
  const conditions = [sql`restaurant_id = ${ctx.tenant.id}`];
  // Said in full and not as a parameter, so that every plan may use the small index of orders under way.
  if (filter.statuses?.every((status) => UNDER_WAY.includes(status))) conditions.push(sql`status in ('placed', 'accepted', 'ready')`);
  // One is compared as one: PostgreSQL before 17 checks a list against the row and not inside the index.
  if (filter.statuses?.length === 1) conditions.push(sql`status = ${filter.statuses[0]}`);
  else if (filter.statuses) conditions.push(sql`status = any(${filter.statuses}::text[])`);
  if (filter.type) conditions.push(sql`type = ${filter.type}`);
  if (filter.channel) conditions.push(sql`channel = ${filter.channel}`);
  if (filter.placedFrom) conditions.push(sql`placed_at >= ${filter.placedFrom}`);
  if (filter.placedBefore) conditions.push(sql`placed_at < ${filter.placedBefore}`);
  if (filter.updatedSince) conditions.push(sql`updated_at >= ${filter.updatedSince}`);
  if (filter.settledUntil) conditions.push(sql`changed_at < ${filter.settledUntil}::timestamptz`);
  if (position) {
    const than = position.isBackwards ? sql`>` : sql`<`;
    conditions.push(sql`(placed_at, id) ${than} (${position.placedAt}, ${position.id}::uuid)`);
  }
  const order = position?.isBackwards ? sql`placed_at, id` : sql`placed_at desc, id desc`;
  return ctx.db.query(sql<OrderRow>`${ORDER} where ${sql.join(conditions, sql` and `)} order by ${order} limit ${rowCount}`);
};

/** The sale stays; who bought and where it went does not. */
export const blankCustomer = (ctx: Ctx, guestId: number): Promise<{ id: string }[]> =>
  ctx.db.query(sql<{ id: string }>`
    update orders set customer_name = null, customer_phone = null, customer_email = null, note = null, delivery_address = null,
      cancel_reason = null, updated_at = ${ctx.now}, changed_at = clock_timestamp()
    where restaurant_id = ${ctx.tenant.id} and guest_id = ${guestId} returning id`);
