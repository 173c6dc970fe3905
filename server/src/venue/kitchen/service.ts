/** Kitchen tickets by station: queued when the order is placed, fired when it is accepted (open point D101), done when they are cooked. */

import type { Ctx } from "#lib/context.ts";
import { recordChange } from "#lib/record-change.ts";
import { isCooked, lastDoneAt, nextChangedAt, type StruckOfLine, strikeTicketLine } from "./rules.ts";
import {
  clearVoidReasons,
  closeOpenTickets,
  type FoundTicket,
  findFiredTicket,
  fireQueuedTickets,
  insertTickets,
  type KitchenPart,
  type KitchenTicketRow,
  listDoneRows,
  listKitchenOrders,
  listTickets,
  listTicketsOf,
  listTicketsOfOrders,
  listVoidReasons,
  lockTicketsOf,
  moveTickets,
  releaseTickets,
  type TicketLine,
  type TicketState,
  updateStruckTicket,
  updateTicket,
} from "./store.ts";

export { isCooked, lastDoneAt, listTickets, listTicketsOf, listTicketsOfOrders, listVoidReasons, lockTicketsOf };

const DEFAULT_STATION = "kitchen";

/** The station of a category that names none. */
export const stationOf = (station: string | null): string => station ?? DEFAULT_STATION;

type LineToCook = Omit<TicketLine, "line_id" | "voided" | "done" | "acknowledged"> & { id: number };

/** One ticket per station, in the order in which the stations first appear on the order. */
export const queueTickets = (
  ctx: Ctx,
  orderId: string,
  lines: { station: string | null; line: LineToCook }[],
  heldUntil: Date | null,
): void => {
  const stations = new Map<string, TicketLine[]>();
  for (const { station, line } of lines) {
    const name = stationOf(station);
    const { id, item_id, name: itemName, variant_name, quantity, modifiers } = line;
    const shown = {
      line_id: id,
      ...(item_id === undefined ? {} : { item_id }),
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

export const closeTickets = (ctx: Ctx, orderId: string): void => {
  closeOpenTickets(ctx, orderId);
  recordTickets(ctx, orderId);
};

/** The line stays on its ticket, struck. Returns the tickets of the order before and after. The caller has locked the order. */
export const strikeOnTicket = async (
  ctx: Ctx,
  orderId: string,
  line: StruckOfLine<LineToCook>,
  reason: string,
): Promise<{ before: KitchenTicketRow[]; after: KitchenTicketRow[] }> => {
  const before = await lockTicketsOf(ctx, orderId);
  const struck = strikeTicketLine<TicketLine, KitchenTicketRow>(before, line, ctx.now);
  if (!struck) return { before, after: before };
  updateStruckTicket(ctx, struck.after.id, { ...struck.after, void_reason: struck.after.state === "voided" ? reason : null });
  recordTickets(ctx, orderId);
  return { before, after: before.map((ticket) => (ticket === struck.before ? struck.after : ticket)) };
};

/** Idempotent: a second run finds no held tickets. The caller has locked the order. */
export const releaseHeldTickets = async (ctx: Ctx, orderId: string, to: "queued" | "fired" | "withdrawn"): Promise<void> => {
  const released = await releaseTickets(ctx, orderId, to);
  if (released.length > 0) recordTickets(ctx, orderId);
};

/** A screen shows the guest's name and note with each ticket, so it has to read the tickets again. */
export const eraseGuestOnTickets = (ctx: Ctx, orderIds: string[]): void => {
  clearVoidReasons(ctx, orderIds);
  for (const id of orderIds) recordTickets(ctx, id);
};

export type { KitchenPart, KitchenTicketRow };

/** A ticket that was taken back is shown for this long, unless the kitchen acknowledges it. */
const TAKEN_BACK_MS = 12 * 60 * 60 * 1000;

/** Ids of the orders with open tickets of this part of the kitchen that were fired since then. Above the limit, the newest. */
export const readKitchenOrders = async (
  ctx: Ctx,
  part: KitchenPart,
  firedSince: Date,
  rowsMax: number,
): Promise<{ ids: string[]; isCut: boolean }> => {
  const takenBackSince = new Date(ctx.now.getTime() - TAKEN_BACK_MS);
  const rows = await listKitchenOrders(ctx, part, { firedSince, takenBackSince }, rowsMax + 1);
  const isCut = rows.length > rowsMax || rows.some(({ is_cut }) => is_cut);
  return { ids: rows.slice(0, rowsMax).map(({ order_id }) => order_id), isCut };
};

export const readDoneTickets = (ctx: Ctx, part: KitchenPart, rowCount: number): Promise<KitchenTicketRow[]> =>
  listDoneRows(ctx, part, new Date(ctx.now.getTime() - TAKEN_BACK_MS), rowCount);

/** Null when the kitchen never got such a ticket. */
export const readFiredTicket = async (ctx: Ctx, id: number): Promise<FoundTicket | null> => (await findFiredTicket(ctx, id)) ?? null;

/** Returns the ticket as it is stored. The caller has locked it. */
export const saveTicket = (ctx: Ctx, ticket: KitchenTicketRow): KitchenTicketRow => {
  const saved = { ...ticket, changed_at: nextChangedAt(ticket.changed_at, ctx.now), updated_at: ctx.now };
  updateTicket(ctx, saved.id, saved);
  recordTickets(ctx, saved.order_id);
  return saved;
};
