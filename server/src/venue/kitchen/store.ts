import type { Translations } from "@comanda/contract/shared.ts";
import { type RawBuilder, sql } from "kysely";
import { insertRows } from "#db/bulk-upsert.ts";
import { builder, first } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";

/** `line_id` is the order's line; tickets from before lines could be struck have none. */
export type TicketLine = {
  line_id?: number;
  item_id?: number;
  name: Translations;
  variant_name: Translations | null;
  quantity: number;
  modifiers: { name: Translations }[];
  voided?: true;
  done?: true;
  /** The kitchen has seen that the line was struck. */
  acknowledged?: true;
};
export type TicketState = "held" | "queued" | "fired" | "done" | "voided" | "withdrawn";

/** Later than at the last change, so that a screen recognizes the newer of two answers: a change of one ticket may bring its own time. */
const CHANGED_NOW = sql`greatest(changed_at + interval '1 millisecond', clock_timestamp())`;

export const insertTickets = (
  ctx: Ctx,
  orderId: string,
  state: "held" | "queued",
  tickets: { station: string; lines: TicketLine[]; release_at: Date | null }[],
): void =>
  insertRows(
    ctx,
    "tickets",
    tickets.map((ticket) => ({ order_id: orderId, state, ...ticket, created_at: ctx.now, updated_at: ctx.now })),
  );

/** Takes the tickets back. The kitchen need not take note of what it has cooked already. */
export const moveTickets = (ctx: Ctx, orderId: string, to: TicketState, voidReason: string | null): void =>
  ctx.db.defer(sql`
    update tickets set state = ${to}, void_reason = ${voidReason}, updated_at = ${ctx.now}, changed_at = ${CHANGED_NOW},
      acknowledged_at = case when state = 'done' then ${ctx.now}::timestamptz else acknowledged_at end
    where restaurant_id = ${ctx.tenant.id} and order_id = ${orderId} and state in ('held', 'queued', 'fired', 'done')`);

/** A reason may contain the name of the guest. */
export const clearVoidReasons = (ctx: Ctx, orderIds: string[]): void =>
  ctx.db.defer(sql`
    update tickets set void_reason = null
    where restaurant_id = ${ctx.tenant.id} and order_id = any(${orderIds}::uuid[]) and void_reason is not null`);

export const fireQueuedTickets = (ctx: Ctx, orderId: string): void =>
  ctx.db.defer(sql`
    update tickets set state = 'fired', fired_at = ${ctx.now}, updated_at = ${ctx.now}, changed_at = ${CHANGED_NOW}
    where restaurant_id = ${ctx.tenant.id} and order_id = ${orderId} and state = 'queued'`);

export type StruckTicket = Pick<KitchenTicketRow, "state" | "lines" | "acknowledged_at"> & { void_reason: string | null };

/** The caller holds the row lock. */
export const updateStruckTicket = (ctx: Ctx, id: number, { state, lines, acknowledged_at, void_reason }: StruckTicket): void =>
  ctx.db.defer(sql`
    update tickets set state = ${state}, lines = ${JSON.stringify(lines)}::jsonb, acknowledged_at = ${acknowledged_at},
      void_reason = ${void_reason}, updated_at = ${ctx.now}, changed_at = ${CHANGED_NOW}
    where restaurant_id = ${ctx.tenant.id} and id = ${id}`);

/** Returns the tickets that were still held. */
export const releaseTickets = (ctx: Ctx, orderId: string, to: TicketState): Promise<{ id: number }[]> =>
  ctx.db.query(sql<{ id: number }>`
    update tickets set state = ${to}, fired_at = case when ${to} = 'fired' then ${ctx.now}::timestamptz end, updated_at = ${ctx.now},
      changed_at = ${CHANGED_NOW}
    where restaurant_id = ${ctx.tenant.id} and order_id = ${orderId} and state = 'held' returning id`);

export const listTicketsOf = (ctx: Ctx, orderId: string) =>
  ctx.db.query(
    builder
      .selectFrom("tickets")
      .select(["id", "station", "state", "release_at", "updated_at"])
      .where("restaurant_id", "=", ctx.tenant.id)
      .where("order_id", "=", orderId)
      .orderBy("id"),
  );

export const listTickets = (ctx: Ctx, rowCount: number) =>
  ctx.db.query(
    builder
      .selectFrom("tickets")
      .select(["id", "order_id", "station", "state", "lines", "release_at", "void_reason", "created_at", "updated_at"])
      .where("restaurant_id", "=", ctx.tenant.id)
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .limit(rowCount),
  );

/** The order is out of the kitchen. */
export const closeOpenTickets = (ctx: Ctx, orderId: string): void =>
  ctx.db.defer(sql`
    update tickets set state = 'done', done_at = ${ctx.now}, updated_at = ${ctx.now}, changed_at = ${CHANGED_NOW}
    where restaurant_id = ${ctx.tenant.id} and order_id = ${orderId} and state in ('held', 'queued', 'fired')`);

export type KitchenTicketRow = {
  id: number;
  order_id: string;
  station: string;
  state: TicketState;
  lines: TicketLine[];
  is_priority: boolean;
  fired_at: Date | null;
  done_at: Date | null;
  acknowledged_at: Date | null;
  changed_at: Date | null;
  updated_at: Date;
};

const KITCHEN_TICKET = sql`select id, order_id, station, state, lines, is_priority, fired_at, done_at, acknowledged_at, changed_at, updated_at
  from tickets`;

/** What a part of the kitchen sees: of its branch or of none, at its stations; no stations are all. */
export type KitchenPart = { branch_id: number | null; stations: readonly string[] };

/** A condition on `tickets`. It stands before every limit, so that tickets of other parts take no room. */
const ofPart = (ctx: Ctx, { branch_id, stations }: KitchenPart): RawBuilder<unknown> => sql`
  ${stations.length === 0 ? sql`` : sql`and station = any(${stations}::text[])`}
  ${
    branch_id === null
      ? sql``
      : sql`and exists (select from orders o where o.restaurant_id = ${ctx.tenant.id} and o.id = tickets.order_id
          and (o.branch_id = ${branch_id} or o.branch_id is null))`
  }`;

/** Bounds what is read for one order on average. */
const TICKETS_PER_ORDER = 4;

/**
 * Orders with something for this part of the kitchen, the newest first: a ticket that cooks, or one that was taken back since then and not acknowledged.
 * `is_cut`: not all such tickets were read.
 */
export const listKitchenOrders = (
  ctx: Ctx,
  part: KitchenPart,
  { firedSince, takenBackSince }: { firedSince: Date; takenBackSince: Date },
  rowCount: number,
): Promise<{ order_id: string; is_cut: boolean }[]> => {
  const ticketsMax = rowCount * TICKETS_PER_ORDER;
  return ctx.db.query(sql<{ order_id: string; is_cut: boolean }>`
    with cooking as (
      select order_id, fired_at from tickets
      where restaurant_id = ${ctx.tenant.id} and state = 'fired' and fired_at is not null and fired_at >= ${firedSince} ${ofPart(ctx, part)}
      order by fired_at desc limit ${ticketsMax}
    ), taken_back as (
      select order_id, fired_at from tickets
      where restaurant_id = ${ctx.tenant.id} and state in ('voided', 'withdrawn') and fired_at > ${takenBackSince}
        and fired_at is not null and acknowledged_at is null ${ofPart(ctx, part)}
      order by fired_at desc limit ${ticketsMax}
    )
    select order_id, greatest((select count(*) from cooking), (select count(*) from taken_back)) >= ${ticketsMax} as is_cut
    from (select * from cooking union all select * from taken_back) shown group by order_id order by max(fired_at) desc limit ${rowCount}`);
};

/** All tickets that the kitchen got of these orders. */
export const listTicketsOfOrders = (ctx: Ctx, orderIds: readonly string[]): Promise<KitchenTicketRow[]> =>
  ctx.db.query(sql<KitchenTicketRow>`${KITCHEN_TICKET}
    where restaurant_id = ${ctx.tenant.id} and order_id = any(${orderIds}::uuid[]) and fired_at is not null order by fired_at, id`);

/** The newest first. */
export const listDoneRows = (ctx: Ctx, part: KitchenPart, since: Date, rowCount: number): Promise<KitchenTicketRow[]> =>
  ctx.db.query(sql<KitchenTicketRow>`${KITCHEN_TICKET}
    where restaurant_id = ${ctx.tenant.id} and state = 'done' and done_at > ${since} and fired_at is not null ${ofPart(ctx, part)}
    order by done_at desc limit ${rowCount}`);

export type FoundTicket = Pick<KitchenTicketRow, "order_id" | "lines">;

export const findFiredTicket = (ctx: Ctx, id: number): Promise<FoundTicket | undefined> =>
  first(
    ctx.db.query(
      sql<FoundTicket>`select order_id, lines from tickets where restaurant_id = ${ctx.tenant.id} and id = ${id} and fired_at is not null`,
    ),
  );

/** Every ticket of the order, in one order for all transactions. */
export const lockTicketsOf = (ctx: Ctx, orderId: string): Promise<KitchenTicketRow[]> =>
  ctx.db.query(sql<KitchenTicketRow>`${KITCHEN_TICKET}
    where restaurant_id = ${ctx.tenant.id} and order_id = ${orderId} order by id for update`);

export type TicketUpdate = Pick<
  KitchenTicketRow,
  "state" | "lines" | "is_priority" | "done_at" | "acknowledged_at" | "changed_at" | "updated_at"
>;

/** The caller holds the row lock. */
export const updateTicket = (ctx: Ctx, id: number, ticket: TicketUpdate): void =>
  ctx.db.defer(sql`
    update tickets set state = ${ticket.state}, lines = ${JSON.stringify(ticket.lines)}::jsonb, is_priority = ${ticket.is_priority},
      done_at = ${ticket.done_at}, acknowledged_at = ${ticket.acknowledged_at}, updated_at = ${ticket.updated_at},
      changed_at = ${ticket.changed_at}
    where restaurant_id = ${ctx.tenant.id} and id = ${id}`);

export type VoidReasonRow = { at: Date; station: string; reason: string };

/** What `clearVoidReasons` would clear. */
export const listVoidReasons = (ctx: Ctx, orderIds: string[]): Promise<VoidReasonRow[]> =>
  ctx.db.query(sql<VoidReasonRow>`
    select updated_at as at, station, void_reason as reason from tickets
    where restaurant_id = ${ctx.tenant.id} and order_id = any(${orderIds}::uuid[]) and void_reason is not null order by id`);
