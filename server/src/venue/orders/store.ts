import type { OrderStatus, OrderType } from "@comanda/contract/venue/orders.ts";
import { sql } from "kysely";
import { BEGUN_AT, CHANGED_AGAIN_AT } from "#db/begun-at.ts";
import { builder, first, oneRow, type Row } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import type { ParsedOrderFilter } from "./rules/filters.ts";

/** `insertOrder` gets the whole row, so a new column needs a value there. */
export type OrderRow = Omit<
  Row<"orders">,
  "restaurant_id" | "table_id" | "held_until" | "changed_at" | "ready_at" | "status" | "type" | "number" | "promised_at"
> & {
  status: OrderStatus;
  type: OrderType;
};

const COLUMNS = sql`id, status, type, channel, branch_id, table_snapshot, guest_id, customer_name, customer_phone, customer_email, note,
    delivery_address, currency, subtotal_minor, discount_minor, service_charge_minor, tax_added_minor, delivery_fee_minor,
    total_minor, tax_breakdown, cancel_reason, lines, placed_at, scheduled_for, paid_at, updated_at, sold_on, sold_hour,
    stock_needs, bill_id`;
const ORDER = sql`select ${COLUMNS} from orders`;

export const newLineIds = async (ctx: Ctx, count: number): Promise<number[]> =>
  (
    await oneRow(
      ctx.db.query(
        sql<{ ids: number[] }>`select array(select nextval('order_line_ids') from generate_series(1, ${count}::integer)) as ids`,
      ),
    )
  ).ids;

export type NewOrderRow = OrderRow & { table_id: number | null; held_until: Date | null; promised_at: Date };

/** The open bill of its table, which the caller has opened and locked. Null for an order that joins none. */
const billOfTable = (ctx: Ctx, tableId: number | null) =>
  tableId === null
    ? sql`null::uuid`
    : sql`(select bt.bill_id from bill_tables bt where bt.restaurant_id = ${ctx.tenant.id} and bt.table_id = ${tableId})`;

/**
 * The order takes the next number of its branch on its day of service. Its counter is locked from here until the commit. `billTableId`: it
 * joins the bill of this table.
 */
export const insertOrder = (
  ctx: Ctx,
  { bill_id: _, ...order }: NewOrderRow,
  { serviceDay, billTableId }: { serviceDay: string; billTableId: number | null },
): void => {
  const columns = Object.keys(order);
  ctx.db.defer(sql`
    with counter as (
      insert into order_counters (restaurant_id, branch_id, day, last)
      values (${ctx.tenant.id}, ${order.branch_id ?? 0}, ${serviceDay}, 1)
      on conflict (restaurant_id, branch_id, day) do update set last = order_counters.last + 1 returning last
    )
    insert into orders (restaurant_id, number, changed_at, bill_id, ${sql.join(columns.map((name) => sql.ref(name)))})
    select ${ctx.tenant.id}::bigint, counter.last, ${BEGUN_AT}, ${billOfTable(ctx, billTableId)}, ${sql.join(columns.map((name) => sql.ref(`given.${name}`)))}
    from counter, jsonb_populate_record(null::orders, ${JSON.stringify(order)}::jsonb) given`);
};

export const findOrder = (ctx: Ctx, id: string): Promise<OrderRow | undefined> =>
  first(ctx.db.query(sql<OrderRow>`${ORDER} where restaurant_id = ${ctx.tenant.id} and id = ${id}`));

export type RatedOrderRow = Pick<
  Row<"orders">,
  "id" | "number" | "status" | "guest_id" | "customer_name" | "customer_phone" | "customer_email" | "placed_at"
>;

/** A review needs who ordered, and how to reach them. */
export const findRatedOrder = (ctx: Ctx, id: string): Promise<RatedOrderRow | undefined> =>
  first(
    ctx.db.query(sql<RatedOrderRow>`
      select id, number, status, guest_id, customer_name, customer_phone, customer_email, placed_at from orders
      where restaurant_id = ${ctx.tenant.id} and id = ${id}`),
  );

/** The lock that a foreign key takes later anyway. Taken first, it is in the order of locks. */
export const keepRatedOrder = async (ctx: Ctx, id: string): Promise<void> => {
  await ctx.db.query(sql`select from orders where restaurant_id = ${ctx.tenant.id} and id = ${id} for key share`);
};

/** Locks the row until the transaction ends. */
export const lockOrder = (ctx: Ctx, id: string): Promise<OrderRow | undefined> =>
  first(ctx.db.query(sql<OrderRow>`${ORDER} where restaurant_id = ${ctx.tenant.id} and id = ${id} for update`));

/** Locks in the order of the ids, so that two changes of several orders do not wait for each other. */
export const lockOrdersById = async (ctx: Ctx, ids: readonly string[]): Promise<void> => {
  await ctx.db.query(
    sql`select from orders where restaurant_id = ${ctx.tenant.id} and id = any(${[...ids]}::uuid[]) order by id for update`,
  );
};

/** An order for later joins the bill of its table when the kitchen begins with it. */
export const joinBillOfTable = (ctx: Ctx, id: string, tableId: number): void =>
  ctx.db.defer(sql`
    update orders set bill_id = ${billOfTable(ctx, tableId)}, changed_at = ${CHANGED_AGAIN_AT}
    where restaurant_id = ${ctx.tenant.id} and id = ${id} and bill_id is null`);

/** The caller has locked the orders of both bills. */
export const updateBillOfOrders = async (ctx: Ctx, from: string, into: string): Promise<{ id: string }[]> =>
  ctx.db.query(sql<{ id: string }>`
    update orders set bill_id = ${into}, changed_at = ${CHANGED_AGAIN_AT}
    where restaurant_id = ${ctx.tenant.id} and bill_id = ${from} returning id`);

/** Open orders follow the guests to another table. What is finished stays where it was served. */
export const updateTableOfOrders = (
  ctx: Ctx,
  billId: string,
  from: number,
  table: { id: number; name: string; code: string | null },
): Promise<{ id: string }[]> =>
  ctx.db.query(sql<{ id: string }>`
    update orders set table_id = ${table.id}, table_snapshot = ${JSON.stringify(table)}::jsonb,
      updated_at = greatest(updated_at, ${ctx.now}::timestamptz), changed_at = ${CHANGED_AGAIN_AT}
    where restaurant_id = ${ctx.tenant.id} and bill_id = ${billId} and table_id = ${from} and status in ('placed', 'accepted', 'ready')
    returning id`);

export type OrderChange = Pick<OrderRow, "updated_at"> & Partial<Pick<OrderRow, "status" | "cancel_reason" | "paid_at">>;

/** The caller holds the row lock. Comparing the status is a second guard. */
export const updateOrder = (ctx: Ctx, order: OrderRow, change: OrderChange): void =>
  ctx.db.defer(
    builder
      .updateTable("orders")
      .set({ ...change, ...(change.status === "ready" ? { ready_at: change.updated_at } : {}), changed_at: CHANGED_AGAIN_AT })
      .where("restaurant_id", "=", ctx.tenant.id)
      .where("id", "=", order.id)
      .where("status", "=", order.status),
  );

export const findLastAddress = (ctx: Ctx, guestId: number): Promise<Pick<OrderRow, "delivery_address"> | undefined> =>
  first(
    ctx.db.query(sql<Pick<OrderRow, "delivery_address">>`
      select delivery_address from orders
      where restaurant_id = ${ctx.tenant.id} and guest_id = ${guestId} and delivery_address is not null
      order by placed_at desc limit 1`),
  );

export type StruckOrder = Pick<OrderRow, "lines" | "stock_needs" | "tax_breakdown" | "updated_at"> & Record<AmountColumn, number>;
type AmountColumn = "subtotal_minor" | "discount_minor" | "service_charge_minor" | "tax_added_minor" | "delivery_fee_minor" | "total_minor";

/** The caller holds the row lock. */
export const updateLines = (ctx: Ctx, id: string, { lines, stock_needs, tax_breakdown, updated_at, ...amounts }: StruckOrder): void =>
  ctx.db.defer(sql`
    update orders set lines = ${JSON.stringify(lines)}::jsonb, stock_needs = ${stock_needs && JSON.stringify(stock_needs)}::jsonb,
      tax_breakdown = ${tax_breakdown && JSON.stringify(tax_breakdown)}::jsonb,
      subtotal_minor = ${amounts.subtotal_minor}, discount_minor = ${amounts.discount_minor},
      service_charge_minor = ${amounts.service_charge_minor}, tax_added_minor = ${amounts.tax_added_minor},
      total_minor = ${amounts.total_minor}, updated_at = ${updated_at}, changed_at = ${CHANGED_AGAIN_AT}
    where restaurant_id = ${ctx.tenant.id} and id = ${id}`);

const OPEN_STATUSES: readonly OrderStatus[] = ["placed", "accepted", "ready"];

export type OrderFilter = ParsedOrderFilter["filter"];
/** `commitHorizon` is that of the first page; null without `updated_since`. */
export type OrderPosition = { placedAt: Date; id: string; isBackwards: boolean; commitHorizon: string | null };

export const listOrderRows = (
  ctx: Ctx,
  filter: OrderFilter & { commitHorizon: string | null },
  position: OrderPosition | null,
  rowCount: number,
): Promise<OrderRow[]> => {
  const conditions = [sql`restaurant_id = ${ctx.tenant.id}`];
  // Literal values, because a parameter would keep generic plans from the partial index of open orders.
  if (filter.statuses?.every((status) => OPEN_STATUSES.includes(status))) conditions.push(sql`status in ('placed', 'accepted', 'ready')`);
  // `=` for one status: PostgreSQL before 17 filters an array after the index scan, not inside it.
  if (filter.statuses?.length === 1) conditions.push(sql`status = ${filter.statuses[0]}`);
  else if (filter.statuses) conditions.push(sql`status = any(${filter.statuses}::text[])`);
  if (filter.type) conditions.push(sql`type = ${filter.type}`);
  if (filter.channel) conditions.push(sql`channel = ${filter.channel}`);
  if (filter.placedFrom) conditions.push(sql`placed_at >= ${filter.placedFrom}`);
  if (filter.placedBefore) conditions.push(sql`placed_at < ${filter.placedBefore}`);
  if (filter.updatedSince) conditions.push(sql`updated_at >= ${filter.updatedSince}`);
  if (filter.commitHorizon) conditions.push(sql`changed_at < ${filter.commitHorizon}::timestamptz`);
  if (position) {
    const than = position.isBackwards ? sql`>` : sql`<`;
    conditions.push(sql`(placed_at, id) ${than} (${position.placedAt}, ${position.id}::uuid)`);
  }
  const order = position?.isBackwards ? sql`placed_at, id` : sql`placed_at desc, id desc`;
  return ctx.db.query(sql<OrderRow>`${ORDER} where ${sql.join(conditions, sql` and `)} order by ${order} limit ${rowCount}`);
};

/** Keeps the sale, removes the customer and the address. */
export const clearCustomer = (ctx: Ctx, guestId: number): Promise<{ id: string }[]> =>
  ctx.db.query(sql<{ id: string }>`
    update orders set customer_name = null, customer_phone = null, customer_email = null, note = null, delivery_address = null,
      cancel_reason = null, updated_at = greatest(updated_at, ${ctx.now}::timestamptz), changed_at = ${CHANGED_AGAIN_AT}
    where restaurant_id = ${ctx.tenant.id} and guest_id = ${guestId} returning id`);

/** An order as staff see it. */
export type BoardOrderRow = OrderRow & {
  number: number | null;
  promised_at: Date | null;
  held_until: Date | null;
  ready_at: Date | null;
  paid_minor: number;
  changed_at: Date;
};

const BOARD_ORDER = sql`select ${COLUMNS}, number, promised_at, held_until, ready_at, changed_at,
  (select coalesce(sum(p.amount_minor - p.refunded_total_minor), 0)::bigint from payments p
   where p.restaurant_id = orders.restaurant_id and p.order_id = orders.id) as paid_minor
  from orders`;

/** The oldest first, so that a limit never hides an order that waits long. */
export const listOpenOrders = (ctx: Ctx, rowCount: number): Promise<BoardOrderRow[]> =>
  ctx.db.query(sql<BoardOrderRow>`${BOARD_ORDER}
    where restaurant_id = ${ctx.tenant.id} and status in ('placed', 'accepted', 'ready') order by placed_at, id limit ${rowCount}`);

export type TableOrderRow = { id: string; number: number | null; table_id: number; since: Date };

/** Open orders of guests at a table, who came in this span. One for later, or one that waits for the opening, counts from that time. */
export const listTableOrders = (ctx: Ctx, { from, to }: { from: Date; to: Date }, rowCount: number): Promise<TableOrderRow[]> =>
  ctx.db.query(sql<TableOrderRow>`
    select id, number, table_id, since from (
      select id, number, table_id, placed_at, greatest(placed_at, scheduled_for, held_until) as since from orders
      where restaurant_id = ${ctx.tenant.id} and status in ('placed', 'accepted', 'ready') and type = 'dine_in' and table_id is not null
    ) o where since between ${from} and ${to} order by placed_at, id limit ${rowCount}`);

export const listOrdersById = (ctx: Ctx, ids: string[]): Promise<BoardOrderRow[]> =>
  ctx.db.query(
    sql<BoardOrderRow>`${BOARD_ORDER} where restaurant_id = ${ctx.tenant.id} and id = any(${ids}::uuid[]) order by placed_at, id`,
  );

/**
 * `isClosed`: only orders that are done, rejected or cancelled. `branchId`: of this branch or of none. `digits` are the last ones of the
 * phone number. `name` is looked for in the names of guest and table and in the address, `table` is the whole number of a table.
 */
export type OrderSearch = {
  from: Date;
  until: Date;
  isClosed: boolean;
  branchId: number | null;
  number: number | null;
  name: string | null;
  digits: string | null;
  table: string | null;
};

/**
 * The newest first: at most `rowCount` open and as many closed ones. The span bounds the cost of the closed ones, because numbers, names and
 * digits have no index. Open ones are few, and one that was placed for later can be older than the span.
 */
export const searchOrders = (ctx: Ctx, search: OrderSearch, rowCount: number): Promise<BoardOrderRow[]> => {
  const { from, until, isClosed } = search;
  const end = sql`${matching(search)} order by placed_at desc, id desc limit ${rowCount}`;
  const closed = sql`${BOARD_ORDER} where restaurant_id = ${ctx.tenant.id} and status in ('completed', 'rejected', 'cancelled')
    and placed_at >= ${from} and placed_at < ${until} ${end}`;
  if (isClosed) return ctx.db.query(sql<BoardOrderRow>`${closed}`);
  const open = sql`${BOARD_ORDER} where restaurant_id = ${ctx.tenant.id} and status in ('placed', 'accepted', 'ready') ${end}`;
  return ctx.db.query(sql<BoardOrderRow>`
    select ${COLUMNS}, number, promised_at, held_until, ready_at, changed_at, paid_minor
    from ((${open}) union all (${closed})) found order by placed_at desc, id desc`);
};

const matching = ({ branchId, number, name, digits, table }: OrderSearch) => {
  const named = [
    ...(number === null ? [] : [sql`number = ${number}`]),
    ...(name === null
      ? []
      : [
          sql`concat_ws(' ', customer_name, table_snapshot ->> 'name', delivery_address ->> 'line1', delivery_address ->> 'city') ilike ${likePattern(name)}`,
        ]),
    ...(digits === null ? [] : [sql`regexp_replace(customer_phone, '[^0-9]', '', 'g') like ${`%${digits}`}`]),
    ...(table === null ? [] : [sql`table_snapshot ->> 'name' ~ ${`(^|[^0-9])0*${table}$`}`]),
  ];
  return sql`${branchId === null ? sql`` : sql`and (branch_id = ${branchId} or branch_id is null)`}
    ${named.length === 0 ? sql`` : sql`and (${sql.join(named, sql` or `)})`}`;
};

const likePattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;

export type GuestOrderRow = Pick<OrderRow, "id" | "type" | "status" | "total_minor" | "placed_at"> & { number: number | null };

/** The newest first. */
export const listOrdersOfGuest = (ctx: Ctx, guestId: number, rowCount: number): Promise<GuestOrderRow[]> =>
  ctx.db.query(sql<GuestOrderRow>`
    select id, number, type, status, total_minor, placed_at from orders
    where restaurant_id = ${ctx.tenant.id} and guest_id = ${guestId} order by placed_at desc limit ${rowCount}`);

/** All of them with their personal data, the newest first. */
export const listWholeOrdersOfGuest = (ctx: Ctx, guestId: number): Promise<OrderRow[]> =>
  ctx.db.query(sql<OrderRow>`${ORDER} where restaurant_id = ${ctx.tenant.id} and guest_id = ${guestId} order by placed_at desc`);

/** A merge locks the orders before the guests, as every change of an order does. */
export const lockOrdersOfGuest = async (ctx: Ctx, guestId: number): Promise<void> => {
  await ctx.db.query(sql`select id from orders where restaurant_id = ${ctx.tenant.id} and guest_id = ${guestId} order by id for update`);
};

/** No answer shows which profile an order belongs to, so `updated_at` stays. */
export const updateOrderGuest = (ctx: Ctx, from: number, into: number): Promise<{ id: string }[]> =>
  ctx.db.query(
    sql<{ id: string }>`update orders set guest_id = ${into} where restaurant_id = ${ctx.tenant.id} and guest_id = ${from} returning id`,
  );
