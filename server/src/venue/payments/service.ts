/** Payments and refunds as staff record them; the money itself moves elsewhere. */
import type { Ctx } from "#lib/context.ts";
import { fail, invalid } from "#lib/errors.ts";
import { formatInstant } from "#lib/zone.ts";
import { recordAudit } from "#platform/audit/service.ts";
import { emit } from "#platform/events/service.ts";
import { findOrderForChange, markPaid } from "#venue/orders/service.ts";
import { isCovered, isPayable, refundableMinor } from "./rules.ts";
import {
  blankRefundReasons,
  insertPayment,
  insertRefund,
  listPaymentsOf,
  lockPayment,
  type PaymentMethod,
  type PaymentRow,
} from "./store.ts";

const requireAmount = (amountMinor: number): void => {
  if (!Number.isSafeInteger(amountMinor) || amountMinor < 1) throw invalid({ amount_minor: ["Must be a whole number of at least 1."] });
};

/** The order is locked, so of two payments at once exactly one finds it covered for the first time. */
export const recordPayment = async (
  ctx: Ctx,
  orderId: string,
  { method, amount_minor }: { method: PaymentMethod; amount_minor: number },
): Promise<{ id: number; is_paid: boolean }> => {
  requireAmount(amount_minor);
  const order = await findOrderForChange(ctx, orderId);
  if (!isPayable(order.status)) throw invalid({ order: [`The order is ${order.status}: nothing is to be paid for it.`] });
  const earlier = await listPaymentsOf(ctx, orderId);
  const id = await insertPayment(ctx, { order_id: orderId, method, amount_minor });
  recordAudit(ctx, { action: "payment.recorded", subject: { kind: "payment", id }, after: { order_id: orderId, method, amount_minor } });
  const is_paid = isCovered(order.total_minor, [...earlier, { amount_minor, refunded_total_minor: 0 }]);
  if (is_paid) markPaid(ctx, order);
  return { id, is_paid };
};

/** A refund gives back a part or the rest of one payment; that the order was paid stays true. */
export const refundPayment = async (
  ctx: Ctx,
  paymentId: number,
  { amount_minor, reason }: { amount_minor: number; reason: string | null },
): Promise<{ id: number }> => {
  requireAmount(amount_minor);
  const payment = await lockPayment(ctx, paymentId);
  if (!payment) throw fail("not_found");
  if (amount_minor > refundableMinor(payment)) throw invalid({ amount_minor: [`At most ${refundableMinor(payment)} can be refunded.`] });
  const id = await insertRefund(ctx, { payment_id: paymentId, amount_minor, reason });
  recordAudit(ctx, { action: "payment.refunded", subject: { kind: "payment", id: paymentId }, after: { amount_minor }, reason });
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

/** The ids of the payments of these orders. */
export const eraseRefundReasons = async (ctx: Ctx, orderIds: string[]): Promise<number[]> =>
  (await blankRefundReasons(ctx, orderIds)).map(({ id }) => id);

export const readPayments = (ctx: Ctx, orderId: string): Promise<PaymentRow[]> => listPaymentsOf(ctx, orderId);
