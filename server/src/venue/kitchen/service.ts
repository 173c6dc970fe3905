/** Kitchen tickets by station: queued when the order is placed, fired when it is accepted (open point D101). */

import type { Ctx } from "#lib/context.ts";
import { recordChange } from "#lib/record-change.ts";
import { strikeTicketLine } from "./rules.ts";
import {
  clearVoidReasons,
  fireQueuedTickets,
  insertTickets,
  listTickets,
  listTicketsOf,
  lockOpenTickets,
  moveTickets,
  releaseTickets,
  type TicketLine,
  type TicketState,
  updateTicketLines,
} from "./store.ts";

const DEFAULT_STATION = "kitchen";

type LineToCook = Omit<TicketLine, "line_id" | "voided"> & { id: number };

/** One ticket per station, in the order in which the stations first appear on the order. */
export const queueTickets = (
  ctx: Ctx,
  orderId: string,
  lines: { station: string | null; line: LineToCook }[],
  heldUntil: Date | null,
): void => {
  const stations = new Map<string, TicketLine[]>();
  for (const { station, line } of lines) {
    const name = station ?? DEFAULT_STATION;
    const { id, name: itemName, variant_name, quantity, modifiers } = line;
    const shown = {
      line_id: id,
      name: itemName,
      variant_name,
      quantity,
      modifiers: modifiers.map((modifier) => ({ name: modifier.name })),
    };
    stations.set(name, [...(stations.get(name) ?? []), shown]);
  }
  const tickets = [...stations].map(([station, ticketLines]) => ({ station, lines: ticketLines, release_at: heldUntil }));
  insertTickets(ctx, orderId, heldUntil === null ? "queued" : "held", tickets);
  recordTickets(ctx, orderId);
};

/** The tickets of an order change together, so the change names the order. */
const recordTickets = (ctx: Ctx, orderId: string): void => recordChange(ctx, { kind: "ticket", id: orderId });

const moveAndRecord = (ctx: Ctx, orderId: string, to: TicketState, voidReason: string | null): void => {
  moveTickets(ctx, orderId, to, voidReason);
  recordTickets(ctx, orderId);
};

/** Held tickets stay held: accepting an order for later does not start it. */
export const fireTickets = (ctx: Ctx, orderId: string): void => {
  fireQueuedTickets(ctx, orderId);
  recordTickets(ctx, orderId);
};
export const withdrawTickets = (ctx: Ctx, orderId: string): void => moveAndRecord(ctx, orderId, "withdrawn", null);
export const voidTickets = (ctx: Ctx, orderId: string, reason: string): void => moveAndRecord(ctx, orderId, "voided", reason);

/** The line stays on its ticket, struck. A ticket without another line is voided. Does nothing when the kitchen has closed the ticket. */
export const strikeOnTicket = async (ctx: Ctx, orderId: string, line: LineToCook, reason: string): Promise<void> => {
  const struck = strikeTicketLine(await lockOpenTickets(ctx, orderId), line);
  if (!struck) return;
  updateTicketLines(ctx, struck.id, struck.lines, struck.isEmpty ? reason : null);
  recordTickets(ctx, orderId);
};

/** Idempotent: a second run finds no held tickets. The caller has locked the order. */
export const releaseHeldTickets = async (ctx: Ctx, orderId: string, to: "queued" | "fired" | "withdrawn"): Promise<number> => {
  const released = await releaseTickets(ctx, orderId, to);
  if (released.length > 0) recordTickets(ctx, orderId);
  return released.length;
};

export const eraseVoidReasons = (ctx: Ctx, orderIds: string[]): void => clearVoidReasons(ctx, orderIds);

export const readTickets = (ctx: Ctx, rowCount: number) => listTickets(ctx, rowCount);

export const readTicketsOf = (ctx: Ctx, orderId: string) => listTicketsOf(ctx, orderId);
