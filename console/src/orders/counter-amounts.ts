/** Amounts that people write at the counter. */

const digitsOf = (currency: string): number =>
  new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;

/** 3450 as 34.50, for a field. */
export const writeAmount = (minor: number, currency: string): string => (minor / 10 ** digitsOf(currency)).toFixed(digitsOf(currency));

/** Null when the text is not an amount in this currency. A comma separates decimals too. */
export const readAmount = (text: string, currency: string): number | null => {
  const digits = digitsOf(currency);
  const match = /^(\d{1,12})(?:[.,](\d*))?$/.exec(text.trim());
  if (!match || (match[2] ?? "").length > digits) return null;
  return Number(`${match[1]}${(match[2] ?? "").padEnd(digits, "0")}`);
};

type PayableOrder = { order: { total_minor: number; paid_at: string | null; status: string }; paid_minor: number };

/** More was paid than the order comes to now, because a line was struck after the payment. A refund gives it back. */
export const overpaidOf = ({ order, paid_minor }: PayableOrder): number =>
  order.status === "cancelled" || order.status === "rejected" ? 0 : Math.max(0, paid_minor - order.total_minor);

/** Nothing is due for an order that was paid, also when a part was refunded, or that was rejected or cancelled. */
export const dueOf = ({ order, paid_minor }: PayableOrder): number =>
  order.paid_at !== null || order.status === "cancelled" || order.status === "rejected" ? 0 : Math.max(0, order.total_minor - paid_minor);
