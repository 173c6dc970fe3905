import type { Translations } from "@comanda/contract/shared.ts";
import { sql } from "kysely";
import { insertRows } from "#db/apply.ts";
import { q } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";

export type TicketLine = { name: Translations; variant_name: Translations | null; quantity: number; modifiers: { name: Translations }[] };
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

/** Only tickets that still matter to the kitchen move. */
export const moveTickets = (ctx: Ctx, orderId: string, to: TicketState, voidReason: string | null): void =>
  ctx.db.later(sql`
    update tickets set state = ${to}, void_reason = ${voidReason}, updated_at = ${ctx.now}
    where restaurant_id = ${ctx.tenant.id} and order_id = ${orderId} and state in ('held', 'queued', 'fired')`);

/** Staff may name the guest in a reason. */
export const blankVoidReasons = (ctx: Ctx, orderIds: string[]): void =>
  ctx.db.later(sql`
    update tickets set void_reason = null
    where restaurant_id = ${ctx.tenant.id} and order_id = any(${orderIds}::uuid[]) and void_reason is not null`);

/** The tickets that were still held. */
export const releaseTickets = (ctx: Ctx, orderId: string): Promise<{ id: number }[]> =>
  ctx.db.query(sql<{ id: number }>`
    update tickets set state = 'queued', updated_at = ${ctx.now}
    where restaurant_id = ${ctx.tenant.id} and order_id = ${orderId} and state = 'held' returning id`);

export const listTickets = (ctx: Ctx, rowCount: number) =>
  ctx.db.query(
    q
      .selectFrom("tickets")
      .select(["id", "order_id", "station", "state", "lines", "release_at", "void_reason", "created_at", "updated_at"])
      .where("restaurant_id", "=", ctx.tenant.id)
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .limit(rowCount),
  );
