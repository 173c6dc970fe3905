/** Records payments and refunds. It does not move money. */

import type { Ctx } from "#lib/context.ts";
import { apiError, validationError } from "#lib/errors.ts";
import { recordChange } from "#lib/record-change.ts";
import { serviceDay, serviceDaySpan } from "#lib/service-day.ts";
import { formatInstant } from "#lib/time-zone.ts";
import { recordAudit } from "#platform/audit/service.ts";
import { emit } from "#platform/events/service.ts";
import { findOrderForChange, markPaid } from "#venue/orders/service.ts";
import { isCovered, isPayable, refundableMinor } from "./rules.ts";
import {
  clearRefundReasons,
  insertPayment,
  insertRefund,
  listPaymentsOf,
  lockPayment,
  type PaymentMethod,
  type PaymentRow,
  sumTakings,
  type TakingsSumRow,
} from "./store.ts";

const assertAmount = (amountMinor: number): void => {
  if (!Number.isSafeInteger(amountMinor) || amountMinor < 1)
    throw validationError({ amount_minor: ["Must be a whole number of at least 1."] });
};

/** Locks the order, so that of two concurrent payments exactly one finds it covered for the first time. */
export const recordPayment = async (
  ctx: Ctx,
  orderId: string,
  { method, amount_minor }: { method: PaymentMethod; amount_minor: number },
): Promise<{ id: number; is_paid: boolean }> => {
  assertAmount(amount_minor);
  const order = await findOrderForChange(ctx, orderId);
  if (!isPayable(order.status)) throw validationError({ order: [`The order is ${order.status}: nothing is to be paid for it.`] });
  const earlier = await listPaymentsOf(ctx, orderId);
  const id = await insertPayment(ctx, { order_id: orderId, method, amount_minor });
  recordAudit(ctx, { action: "payment.recorded", subject: { kind: "payment", id }, after: { order_id: orderId, method, amount_minor } });
  recordChange(ctx, { kind: "order", id: orderId });
  const is_paid = isCovered(order.total_minor, [...earlier, { amount_minor, refunded_total_minor: 0 }]);
  if (is_paid) markPaid(ctx, order);
  return { id, is_paid };
};

/** The total became smaller: what was paid before may cover it now. An order for which nothing was paid stays unpaid. */
export const markPaidIfCovered = async (ctx: Ctx, order: Parameters<typeof markPaid>[1]): Promise<void> => {
  if (order.paid_at !== null) return;
  const payments = await listPaymentsOf(ctx, order.id);
  if (payments.some((payment) => refundableMinor(payment) > 0) && isCovered(order.total_minor, payments)) markPaid(ctx, order);
};

/** Refunds one payment in part or in full. `paid_at` of the order stays. */
export const refundPayment = async (
  ctx: Ctx,
  paymentId: number,
  { amount_minor, reason }: { amount_minor: number; reason: string | null },
): Promise<{ id: number }> => {
  assertAmount(amount_minor);
  const payment = await lockPayment(ctx, paymentId);
  if (!payment) throw apiError("not_found");
  if (amount_minor > refundableMinor(payment))
    throw validationError({ amount_minor: [`At most ${refundableMinor(payment)} can be refunded.`] });
  const id = await insertRefund(ctx, { payment_id: paymentId, amount_minor, reason });
  recordAudit(ctx, { action: "payment.refunded", subject: { kind: "payment", id: paymentId }, after: { amount_minor }, reason });
  if (payment.order_id !== null) recordChange(ctx, { kind: "order", id: payment.order_id });
  emit(ctx, "payment.refunded", {
    refund: { id, amount_minor, currency: ctx.tenant.currency, reason, refunded_at: formatInstant(ctx.tenant.zone, ctx.now) },
    payment: {
      id: payment.id,
      order_id: payment.order_id,
      reservation_id: null,
      method: payment.method,
      amount_minor: payment.amount_minor,
      refunded_total_minor: payment.refunded_total_minor + amount_minor,
    },
  });
  return { id };
};

/** Returns the ids of the payments of these orders. */
export const eraseRefundReasons = async (ctx: Ctx, orderIds: string[]): Promise<number[]> =>
  (await clearRefundReasons(ctx, orderIds)).map(({ id }) => id);

/** The takings of one day of service. Without a day it is the present one. */
export const readTakings = async (
  ctx: Ctx,
  day = serviceDay(ctx.tenant.zone, ctx.now),
): Promise<{ date: string; rows: TakingsSumRow[] }> => {
  const span = serviceDaySpan(ctx.tenant.zone, day);
  if (span === null) throw validationError({ date: ["Must be a date."] });
  return { date: day, rows: await sumTakings(ctx, span) };
};

export const readPayments = (ctx: Ctx, orderId: string): Promise<PaymentRow[]> => listPaymentsOf(ctx, orderId);
