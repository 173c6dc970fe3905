/** What the kitchen sees: tickets by station, queued at placing, fired on accept, gone when the order is (open point D101). */
import type { Ctx } from "#lib/context.ts";
import { blankVoidReasons, insertTickets, listTickets, moveTickets, releaseTickets, type TicketLine } from "./store.ts";

const DEFAULT_STATION = "kitchen";

/** One ticket per station, in the order in which the stations first appear on the order. */
export const queueTickets = (
  ctx: Ctx,
  orderId: string,
  lines: { station: string | null; line: TicketLine }[],
  heldUntil: Date | null,
): void => {
  const stations = new Map<string, TicketLine[]>();
  for (const { station, line } of lines) {
    const name = station ?? DEFAULT_STATION;
    const { name: dish, variant_name, quantity, modifiers } = line;
    const shown = { name: dish, variant_name, quantity, modifiers: modifiers.map((modifier) => ({ name: modifier.name })) };
    stations.set(name, [...(stations.get(name) ?? []), shown]);
  }
  const tickets = [...stations].map(([station, ticketLines]) => ({ station, lines: ticketLines, release_at: heldUntil }));
  insertTickets(ctx, orderId, heldUntil === null ? "queued" : "held", tickets);
};

export const fireTickets = (ctx: Ctx, orderId: string): void => moveTickets(ctx, orderId, "fired", null);
export const withdrawTickets = (ctx: Ctx, orderId: string): void => moveTickets(ctx, orderId, "withdrawn", null);
export const voidTickets = (ctx: Ctx, orderId: string, reason: string): void => moveTickets(ctx, orderId, "voided", reason);

/** At the opening; a second run finds nothing to do. */
export const releaseHeldTickets = async (ctx: Ctx, orderId: string): Promise<number> => (await releaseTickets(ctx, orderId)).length;

export const eraseVoidReasons = (ctx: Ctx, orderIds: string[]): void => blankVoidReasons(ctx, orderIds);

export const readTickets = (ctx: Ctx, rowCount: number) => listTickets(ctx, rowCount);
