/** Decides what happens next in the demo: which orders move on, and whether a new one comes in. Pure, so that tests can run an evening. */
import type { OrderStatus } from "@comanda/contract/venue/orders.ts";

const MINUTE_MS = 60_000;
/** At most so many orders are open, so that a board left alone for a night stays readable. */
const OPEN_MAX = 12;
/** A person who looks at the board has this long to accept an order before the demo does. */
const AGE_MIN_MS: Partial<Record<OrderStatus, number>> = { placed: 3 * MINUTE_MS, accepted: 9 * MINUTE_MS, ready: 4 * MINUTE_MS };
const NEXT: Partial<Record<OrderStatus, DemoMove["to"]>> = { placed: "accepted", accepted: "ready", ready: "completed" };
/** The chance of a new order in one step. Steps are a quarter of a minute apart. */
const ARRIVAL_CHANCE = 0.3;

export type DemoOrder = { id: string; status: OrderStatus; changedAt: Date; isHeld: boolean };
export type DemoMove = { id: string; to: "accepted" | "ready" | "completed" };

/** At most one order moves in a step, the one that has waited longest. */
export const decideStep = (
  open: readonly DemoOrder[],
  now: Date,
  chance: () => number,
): { move: DemoMove | null; isOrderArriving: boolean } => {
  const waitedMs = ({ status, changedAt }: DemoOrder): number => now.getTime() - changedAt.getTime() - (AGE_MIN_MS[status] ?? Infinity);
  const [longest] = open
    .filter((order) => !order.isHeld && waitedMs(order) > 0)
    .toSorted((a, b) => a.changedAt.getTime() - b.changedAt.getTime());
  const to = longest && NEXT[longest.status];
  const isFull = open.filter(({ isHeld }) => !isHeld).length >= OPEN_MAX;
  return { move: longest && to ? { id: longest.id, to } : null, isOrderArriving: !isFull && chance() < ARRIVAL_CHANCE };
};

/** The orders with which the demo starts: how long ago each was placed, and how far it has come. */
export const STARTING_ORDERS: readonly { minutesAgo: number; moves: readonly DemoMove["to"][] }[] = [
  { minutesAgo: 52, moves: ["accepted", "ready", "completed"] },
  { minutesAgo: 41, moves: ["accepted", "ready", "completed"] },
  { minutesAgo: 33, moves: ["accepted", "ready"] },
  { minutesAgo: 26, moves: ["accepted", "ready"] },
  { minutesAgo: 24, moves: ["accepted"] },
  { minutesAgo: 17, moves: ["accepted"] },
  { minutesAgo: 12, moves: ["accepted"] },
  { minutesAgo: 8, moves: ["accepted"] },
  { minutesAgo: 2, moves: [] },
  { minutesAgo: 1, moves: [] },
];
