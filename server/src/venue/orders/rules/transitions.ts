/** Which moves an order may make (contract §3.1), and what each does to the kitchen. */
import type { OrderStatus } from "@comanda/contract/orders.ts";

export const MOVES: Record<OrderStatus, readonly OrderStatus[]> = {
  placed: ["accepted", "rejected", "cancelled"],
  accepted: ["ready", "cancelled"],
  ready: ["completed", "cancelled"],
  rejected: [],
  completed: [],
  cancelled: [],
};

export const canMove = (from: OrderStatus, to: OrderStatus): boolean => MOVES[from].includes(to);

export type KitchenStep = { step: "fire" } | { step: "withdraw" } | { step: "void"; reason: string } | { step: "none" };

/** A cancel without a reason takes the tickets back; with one they stay on record as voided (open point D104). */
export const kitchenStep = (to: OrderStatus, reason: string | null): KitchenStep => {
  if (to === "accepted") return { step: "fire" };
  if (to === "rejected") return { step: "withdraw" };
  if (to === "cancelled") return reason === null ? { step: "withdraw" } : { step: "void", reason };
  return { step: "none" };
};
