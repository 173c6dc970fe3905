import type { Translations } from "@comanda/contract/shared.ts";
import { sql } from "kysely";
import { insertRows } from "#db/bulk-upsert.ts";
import { builder } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";

/** `line_id` is the order's line; tickets from before lines could be struck have none. */
export type TicketLine = {
  line_id?: number;
  name: Translations;
  variant_name: Translations | null;
  quantity: number;
  modifiers: { name: Translations }[];
  voided?: true;
};
export type TicketState = "held" | "queued" | "fired" | "voided" | "withdrawn";

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

export const moveTickets = (ctx: Ctx, orderId: string, to: TicketState, voidReason: string | null): void =>
  ctx.db.defer(sql`
    update tickets set state = ${to}, void_reason = ${voidReason}, updated_at = ${ctx.now}
    where restaurant_id = ${ctx.tenant.id} and order_id = ${orderId} and state in ('held', 'queued', 'fired')`);

/** A reason may contain the name of the guest. */
export const clearVoidReasons = (ctx: Ctx, orderIds: string[]): void =>
  ctx.db.defer(sql`
    update tickets set void_reason = null
    where restaurant_id = ${ctx.tenant.id} and order_id = any(${orderIds}::uuid[]) and void_reason is not null`);

export const fireQueuedTickets = (ctx: Ctx, orderId: string): void =>
  ctx.db.defer(sql`
    update tickets set state = 'fired', updated_at = ${ctx.now}
    where restaurant_id = ${ctx.tenant.id} and order_id = ${orderId} and state = 'queued'`);

/** Locks the tickets of an order that are not closed. */
export const lockOpenTickets = (ctx: Ctx, orderId: string): Promise<{ id: number; lines: TicketLine[] }[]> =>
  ctx.db.query(sql<{ id: number; lines: TicketLine[] }>`
    select id, lines from tickets
    where restaurant_id = ${ctx.tenant.id} and order_id = ${orderId} and state in ('held', 'queued', 'fired') order by id for update`);

/** With a reason the ticket is voided. */
export const updateTicketLines = (ctx: Ctx, id: number, lines: TicketLine[], voidReason: string | null): void =>
  ctx.db.defer(sql`
    update tickets set lines = ${JSON.stringify(lines)}::jsonb, updated_at = ${ctx.now},
      state = case when ${voidReason}::text is null then state else 'voided' end, void_reason = ${voidReason}
    where restaurant_id = ${ctx.tenant.id} and id = ${id}`);

/** Returns the tickets that were still held. */
export const releaseTickets = (ctx: Ctx, orderId: string, to: TicketState): Promise<{ id: number }[]> =>
  ctx.db.query(sql<{ id: number }>`
    update tickets set state = ${to}, updated_at = ${ctx.now}
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
