/** Status transitions of an order (contract §3.1), and what each does to the kitchen tickets. */
import type { OrderStatus } from "@comanda/contract/venue/orders.ts";

export const ORDER_TRANSITIONS: Record<OrderStatus, readonly OrderStatus[]> = {
  placed: ["accepted", "rejected", "cancelled"],
  accepted: ["ready", "cancelled"],
  ready: ["completed", "cancelled"],
  rejected: [],
  completed: [],
  cancelled: [],
};

export const canMove = (from: OrderStatus, to: OrderStatus): boolean => ORDER_TRANSITIONS[from].includes(to);

export type KitchenStep = { step: "fire" } | { step: "withdraw" } | { step: "void"; reason: string } | { step: "close" } | { step: "none" };

/** A cancel without a reason withdraws the tickets. With a reason it voids them (open point D104). What is ready is out of the kitchen. */
export const kitchenStep = (to: OrderStatus, reason: string | null): KitchenStep => {
  if (to === "accepted") return { step: "fire" };
  if (to === "rejected") return { step: "withdraw" };
  if (to === "cancelled") return reason === null ? { step: "withdraw" } : { step: "void", reason };
  return { step: to === "ready" || to === "completed" ? "close" : "none" };
};

/** When nothing is left to cook of an order, it is ready after this time, unless a ticket is recalled. */
const READY_AFTER_MS = 20_000;

/** Counted from the later moment: the transaction of the last bump may have begun before that of another bump. */
export const readyAt = (lastBump: Date, now: Date): Date => new Date(Math.max(lastBump.getTime(), now.getTime()) + READY_AFTER_MS);

/** The state of held tickets when their time has come: fired if the order was accepted, queued if it still waits for that. */
export const releasedState = (status: OrderStatus): "queued" | "fired" | "withdrawn" =>
  status === "placed" ? "queued" : status === "accepted" ? "fired" : "withdrawn";
