/**
 * Moves that wait for a few seconds, during which they can be undone. Rejections and cancellations wait in memory: closing the page drops them.
 * The steps of the kitchen and the counter wait in the outbox.
 */
import type { StockChoice } from "@comanda/contract/console/stock-kinds.ts";
import type { OrderStatus, StatusMove } from "@comanda/contract/venue/orders.ts";
import { UNDO_MS } from "../offline/queued-moves.ts";

/** One tap of a person. Its key makes a repeated request have one effect. */
export type OrderMove = {
  key: string;
  orderId: string;
  name: string;
  seenStatus: OrderStatus;
  status: StatusMove["status"];
  reason: string | null;
  stock: StockChoice | null;
  /** What is still to be paid, in words; null when nothing is. */
  unpaid: string | null;
};

/** What can still be taken back, here or in the outbox. */
export type HeldMove = Pick<OrderMove, "key" | "orderId" | "name" | "status" | "unpaid"> & { dueAt: number };
export type WaitingMove = OrderMove & { dueAt: number };

/** A second tap on the same order replaces the first. */
export const addMove = (queue: readonly WaitingMove[], move: OrderMove, now: number): WaitingMove[] => [
  ...queue.filter(({ orderId }) => orderId !== move.orderId),
  { ...move, dueAt: now + UNDO_MS },
];

export const splitDue = (queue: readonly WaitingMove[], now: number): { due: WaitingMove[]; rest: WaitingMove[] } => ({
  due: queue.filter(({ dueAt }) => dueAt <= now),
  rest: queue.filter(({ dueAt }) => dueAt > now),
});

export const undoMove = (queue: readonly WaitingMove[], key: string): WaitingMove[] => queue.filter((move) => move.key !== key);

/** The last move of each order, the newest last: the one before it was meant. */
export const undoable = (moves: readonly HeldMove[]): HeldMove[] => {
  const sorted = moves.toSorted((one, other) => one.dueAt - other.dueAt);
  return sorted.filter(({ orderId }, place) => !sorted.slice(place + 1).some((later) => later.orderId === orderId));
};

export const nextDueAt = (queue: readonly Pick<HeldMove, "dueAt">[]): number | null =>
  queue.length === 0 ? null : Math.min(...queue.map(({ dueAt }) => dueAt));
