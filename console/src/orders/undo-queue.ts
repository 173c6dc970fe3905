/** Moves that wait for a few seconds, during which they can be undone. The queue is in memory: closing the page drops it. */
import type { StockChoice } from "@comanda/contract/console/stock-kinds.ts";
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
  stock: StockChoice | null;
  /** What is still to be paid, in words; null when nothing is. */
  unpaid: string | null;
};

/** These are sent at once: the guest waits, and nothing is lost by them. */
const AT_ONCE = ["accepted", "ready"] as const;

type UndoableStatus = Exclude<StatusMove["status"], (typeof AT_ONCE)[number]>;
type UndoableMove = OrderMove & { status: UndoableStatus };
export type WaitingMove = UndoableMove & { dueAt: number };

export const canUndo = (status: StatusMove["status"]): status is UndoableStatus => !AT_ONCE.some((sent) => sent === status);

/** A second tap on the same order replaces the first. */
export const addMove = (queue: readonly WaitingMove[], move: UndoableMove, now: number): WaitingMove[] => [
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
