/** Amounts that people write at the counter. */

import { latinDigits } from "@comanda/contract/digits.ts";
import { type Minor, minor } from "@comanda/contract/minor.ts";
import type { OrderStatus } from "@comanda/contract/venue/orders.ts";

const digitsOf = (currency: string): number =>
  new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;

/** 3450 as 34.50, for a field. */
export const writeAmount = (amount: Minor, currency: string): string => (amount / 10 ** digitsOf(currency)).toFixed(digitsOf(currency));

/** Null when the text is not an amount in this currency. A comma separates decimals too, and so does the Arabic ٫. */
export const readAmount = (text: string, currency: string): Minor | null => {
  const digits = digitsOf(currency);
  const match = /^(\d{1,12})(?:[.,\u066b](\d*))?$/.exec(latinDigits(text.trim()));
  if (!match || (match[2] ?? "").length > digits) return null;
  return minor(Number(`${match[1]}${(match[2] ?? "").padEnd(digits, "0")}`));
};

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
