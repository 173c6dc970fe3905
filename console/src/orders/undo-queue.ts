/**
 * Moves that are held for a few seconds, during which they can be undone. Rejections and cancellations are held in memory: closing the page
 * drops them. The steps of the kitchen and the counter are held in the outbox.
 */
import type { StockChoice } from "@comanda/contract/console/stock-kinds.ts";
import type { OrderStatus, StatusMove } from "@comanda/contract/venue/orders.ts";
import { type QueuedMove, UNDO_MS } from "#offline/queued-moves.ts";

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
  /** Steps of the order that were on their way at the tap: it is sent after their answers. */
  afterKeys: readonly string[];
};

/** What can still be taken back, here or in the outbox. */
export type HeldMove = Pick<OrderMove, "key" | "orderId" | "name" | "status" | "unpaid"> & { dueAt: number };
export type HeldInMemory = OrderMove & { dueAt: number };

/** A second tap on the same order replaces the first. */
export const addMove = (queue: readonly HeldInMemory[], move: OrderMove, now: number): HeldInMemory[] => [
  ...queue.filter(({ orderId }) => orderId !== move.orderId),
  { ...move, dueAt: now + UNDO_MS },
];

/** `onTheirWay`: steps of its order that cannot be taken back any more. It is made for the status after them. */
export const followSteps = (queue: readonly HeldInMemory[], key: string, onTheirWay: readonly QueuedMove[]): HeldInMemory[] => {
  const last = onTheirWay.at(-1);
  const afterKeys = onTheirWay.map((step) => step.key);
  return queue.map((move) => (move.key === key && last ? { ...move, seenStatus: last.status, afterKeys } : move));
};

export const splitDue = (queue: readonly HeldInMemory[], now: number): { due: HeldInMemory[]; rest: HeldInMemory[] } => ({
  due: queue.filter(({ dueAt }) => dueAt <= now),
  rest: queue.filter(({ dueAt }) => dueAt > now),
});

export const undoMove = (queue: readonly HeldInMemory[], key: string): HeldInMemory[] => queue.filter((move) => move.key !== key);

/** The last move of each order, the newest last: the one before it was meant. */
export const undoable = (moves: readonly HeldMove[]): HeldMove[] => {
  const sorted = moves.toSorted((one, other) => one.dueAt - other.dueAt);
  return sorted.filter(({ orderId }, place) => !sorted.slice(place + 1).some((later) => later.orderId === orderId));
};

export const nextDueAt = (queue: readonly Pick<HeldMove, "dueAt">[]): number | null =>
  queue.length === 0 ? null : Math.min(...queue.map(({ dueAt }) => dueAt));
