/** When an order is paid, and how much of a payment can be refunded. */
import type { OrderStatus } from "@comanda/contract/venue/orders.ts";

/** Payments made before the order was cancelled can still be refunded. */
export const isPayable = (status: OrderStatus): boolean => status !== "cancelled" && status !== "rejected";

/** Only a test order has no day of sale. */
export const isTestOrder = ({ sold_on }: { sold_on: string | null }): boolean => sold_on === null;

export type PaymentAmounts = { amount_minor: number; refunded_total_minor: number };

export const isCovered = (totalMinor: number, payments: readonly PaymentAmounts[]): boolean =>
  payments.reduce((sum, { amount_minor, refunded_total_minor }) => sum + amount_minor - refunded_total_minor, 0) >= totalMinor;

export const refundableMinor = ({ amount_minor, refunded_total_minor }: PaymentAmounts): number => amount_minor - refunded_total_minor;
