/** Moves that wait for a few seconds, during which they can be undone. The queue is in memory: closing the page drops it. */
import type { OrderStatus, StatusMove } from "@comanda/contract/venue/orders.ts";

export const UNDO_MS = 5000;

/** One tap of a person. Its key makes a repeated request have one effect. */
export type OrderMove = {
  key: string;
  orderId: string;
  name: string;
  seenStatus: OrderStatus;
  status: StatusMove["status"];
  reason: string | null;
};
export type WaitingMove = OrderMove & { dueAt: number };

/** These are sent at once: the guest waits, and nothing is lost by them. */
const AT_ONCE: readonly StatusMove["status"][] = ["accepted", "ready"];

export const isSentAtOnce = (status: StatusMove["status"]): boolean => AT_ONCE.includes(status);

/** A second tap on the same order replaces the first. */
export const addMove = (queue: readonly WaitingMove[], move: OrderMove, now: number): WaitingMove[] => [
  ...queue.filter(({ orderId }) => orderId !== move.orderId),
  { ...move, dueAt: now + UNDO_MS },
];

export const splitDue = (queue: readonly WaitingMove[], now: number): { due: WaitingMove[]; rest: WaitingMove[] } => ({
  due: queue.filter(({ dueAt }) => dueAt <= now),
  rest: queue.filter(({ dueAt }) => dueAt > now),
});

/** Without a key: the newest. */
export const undoMove = (queue: readonly WaitingMove[], key = queue.at(-1)?.key): WaitingMove[] => queue.filter((move) => move.key !== key);

export const nextDueAt = (queue: readonly WaitingMove[]): number | null =>
  queue.length === 0 ? null : Math.min(...queue.map(({ dueAt }) => dueAt));
