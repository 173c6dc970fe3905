/** What a bill owes, what each line costs, and how a payment is divided over the orders. */
import type { OrderStatus } from "@comanda/contract/venue/orders.ts";
import { split } from "#lib/money.ts";

type BilledLine = { id: number; line_total_minor: number; voided: boolean };
export type BilledOrder = {
  id: string;
  status: OrderStatus;
  total_minor: number;
  paid_minor: number;
  /** It was covered once. A refund does not change that. */
  isPaid: boolean;
  lines: readonly BilledLine[];
};
export type LineKey = { order_id: string; line_id: number };
export type LineShare = LineKey & { share_minor: number };

/** Rejected and cancelled orders count nothing. */
export const counts = ({ status }: Pick<BilledOrder, "status">): boolean => status !== "rejected" && status !== "cancelled";

/** An order that was overpaid takes nothing from another. What is refunded of an order that was paid and completed is not due again. */
export const dueOf = (order: Pick<BilledOrder, "status" | "total_minor" | "paid_minor" | "isPaid">): number => {
  const isDone = !counts(order) || (order.status === "completed" && order.isPaid);
  return isDone ? 0 : Math.max(0, order.total_minor - order.paid_minor);
};

export const dueOfAll = (orders: readonly BilledOrder[]): number => orders.reduce((sum, order) => sum + dueOf(order), 0);

/** The shares of an order add up to its total. Struck lines have none. */
export const lineShares = (orders: readonly BilledOrder[]): LineShare[] =>
  orders.filter(counts).flatMap((order) => {
    const left = order.lines.filter(({ voided }) => !voided);
    const shares = split(
      order.total_minor,
      left.map(({ line_total_minor }) => line_total_minor),
    );
    return left.map(({ id }, index) => ({ order_id: order.id, line_id: id, share_minor: shares[index] ?? 0 }));
  });

export const isSameLine = (a: LineKey, b: LineKey): boolean => a.order_id === b.order_id && a.line_id === b.line_id;

/** What the chosen lines cost together; at most what is still due, because parts of them may be paid. */
export const costOfLines = (orders: readonly BilledOrder[], chosen: readonly LineShare[]): number =>
  Math.min(
    dueOfAll(orders),
    chosen.reduce((sum, { share_minor }) => sum + share_minor, 0),
  );

export type PaymentPart = { order_id: string; amount_minor: number };

/**
 * The parts add up to the amount, which is at most what is due. Each chosen line's order gets what its lines cost first; the rest goes to the
 * oldest orders. No order gets more than it owes.
 */
export const dividePayment = (amountMinor: number, orders: readonly BilledOrder[], chosen: readonly LineShare[]): PaymentPart[] => {
  const wanted = new Map<string, number>();
  for (const { order_id, share_minor } of chosen) wanted.set(order_id, (wanted.get(order_id) ?? 0) + share_minor);
  const parts = new Map<string, number>();
  let left = amountMinor;
  const give = (order: BilledOrder, most: number): void => {
    const part = Math.min(left, most, dueOf(order) - (parts.get(order.id) ?? 0));
    if (part <= 0) return;
    parts.set(order.id, (parts.get(order.id) ?? 0) + part);
    left -= part;
  };
  for (const order of orders) give(order, wanted.get(order.id) ?? 0);
  for (const order of orders) give(order, left);
  return orders.flatMap(({ id }) => (parts.has(id) ? [{ order_id: id, amount_minor: parts.get(id) ?? 0 }] : []));
};
