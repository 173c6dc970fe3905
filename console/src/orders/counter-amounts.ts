/** What is still due for an order, and what was paid beyond it. */
import { type Minor, minor } from "@comanda/contract/minor.ts";
import type { OrderStatus } from "@comanda/contract/venue/orders.ts";

type PayableOrder = { order: { total_minor: Minor; paid_at: string | null; status: OrderStatus }; paid_minor: Minor };

/** Closed without being sold: nothing is to be paid for it. */
export const isUnsold = (status: OrderStatus): boolean => status === "cancelled" || status === "rejected";

/** More was paid than the order comes to now: a line was struck after the payment, or the order was not sold. A refund gives it back. */
export const overpaidOf = ({ order, paid_minor }: PayableOrder): Minor =>
  minor(Math.max(0, paid_minor - (isUnsold(order.status) ? 0 : order.total_minor)));

/**
 * The total of an open order can rise after its payment, because a struck line ended a promotion. Nothing is due for an order that was
 * paid and completed, also when a part was refunded later.
 */
export const dueOf = ({ order, paid_minor }: PayableOrder): Minor => {
  const isDone = isUnsold(order.status) || (order.status === "completed" && order.paid_at !== null);
  return minor(isDone ? 0 : Math.max(0, order.total_minor - paid_minor));
};
