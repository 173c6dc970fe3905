/** Records payments and refunds. It does not move money. */

import type { OrderPayment } from "@comanda/contract/console/orders.ts";
import type { Ctx } from "#lib/context.ts";
import { apiError, validationError } from "#lib/errors.ts";
import { recordChange } from "#lib/record-change.ts";
import { serviceDay, serviceDaySpan } from "#lib/service-day.ts";
import { formatInstant } from "#lib/time-zone.ts";
import { recordAudit } from "#platform/activity/audit/service.ts";
import { emit } from "#platform/events/service.ts";
import { lockTablesOf } from "#venue/orders/bills/service.ts";
import { findOrderForChange, markPaid } from "#venue/orders/service.ts";
import { countPayment } from "#venue/reports/service.ts";
import { isCovered, isPayable, isTestOrder, refundableMinor } from "./rules.ts";
import {
  clearRefundReasons,
  clearRefundReasonsOf,
  findReservationOf,
  insertPayment,
  insertRefund,
  listDepositsOf,
  listPaymentIds,
  listPaymentsLeft,
  listPaymentsOf,
  listRefundReasons,
  lockPayment,
  type NewPayment,
  type PaidSubject,
  type PaymentMethod,
  sumDeposits,
  sumTakings,
  type TakingsSumRow,
} from "./store.ts";

export { listPaymentsOf, listRefundReasons, sumDeposits };

const assertAmount = (amountMinor: number): void => {
  if (!Number.isSafeInteger(amountMinor) || amountMinor < 1)
    throw validationError({ amount_minor: ["Must be a whole number of at least 1."] });
};

/** Stores the payment with the day and the branch under which it is counted in the same commit. */
const storePayment = async (ctx: Ctx, payment: PaidSubject & Omit<NewPayment, "service_day">): Promise<number> => {
  const service_day = serviceDay(ctx.tenant.zone, ctx.now);
  const { method, branch_id, amount_minor } = payment;
  const id = await insertPayment(ctx, { ...payment, service_day });
  countPayment(ctx, { kind: "payment", service_day, method, branch_id, amount_minor });
  return id;
};

/** Locks the order, so that of two concurrent payments exactly one finds it covered for the first time. */
export const recordPayment = async (
  ctx: Ctx,
  orderId: string,
  { method, amount_minor, bill_payment_id = null }: { method: PaymentMethod; amount_minor: number; bill_payment_id?: number | null },
): Promise<{ id: number; is_paid: boolean }> => {
  assertAmount(amount_minor);
  const order = await findOrderForChange(ctx, orderId);
  if (!isPayable(order.status)) throw validationError({ order: [`The order is ${order.status}: nothing is to be paid for it.`] });
  if (isTestOrder(order)) throw validationError({ order: ["This is a test order: nothing is to be paid for it."] });
  if (order.bill_id !== null) lockTablesOf(ctx, [order.bill_id]);
  const earlier = await listPaymentsOf(ctx, orderId);
  const id = await storePayment(ctx, { order_id: orderId, method, amount_minor, branch_id: order.branch_id, bill_payment_id });
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
  const service_day = serviceDay(ctx.tenant.zone, ctx.now);
  const id = await insertRefund(ctx, { payment_id: paymentId, amount_minor, reason, service_day });
  countPayment(ctx, { kind: "refund", service_day, method: payment.method, branch_id: payment.branch_id, amount_minor });
  recordAudit(ctx, { action: "payment.refunded", subject: { kind: "payment", id: paymentId }, after: { amount_minor }, reason });
  if (payment.order_id !== null) recordChange(ctx, { kind: "order", id: payment.order_id });
  if (payment.reservation_id !== null) recordChange(ctx, { kind: "reservation", id: payment.reservation_id });
  emit(ctx, "payment.refunded", {
    refund: { id, amount_minor, currency: ctx.tenant.currency, reason, refunded_at: formatInstant(ctx.tenant.zone, ctx.now) },
    payment: {
      id: payment.id,
      order_id: payment.order_id,
      reservation_id: payment.reservation_id,
      method: payment.method,
      amount_minor: payment.amount_minor,
      refunded_total_minor: payment.refunded_total_minor + amount_minor,
    },
  });
  return { id };
};

export const recordDeposit = async (
  ctx: Ctx,
  { id: reservationId, branch_id }: { id: string; branch_id: number },
  { method, amount_minor }: { method: PaymentMethod; amount_minor: number },
): Promise<void> => {
  assertAmount(amount_minor);
  const id = await storePayment(ctx, { reservation_id: reservationId, method, amount_minor, branch_id });
  recordAudit(ctx, {
    action: "payment.recorded",
    subject: { kind: "payment", id },
    after: { reservation_id: reservationId, method, amount_minor },
  });
};

/** What was paid for a gift card: it counts as taken on its day, and belongs to no order. */
export const recordSale = async (
  ctx: Ctx,
  { method, amount_minor }: { method: PaymentMethod; amount_minor: number },
): Promise<{ id: number }> => {
  assertAmount(amount_minor);
  const id = await storePayment(ctx, { method, amount_minor, branch_id: null });
  recordAudit(ctx, { action: "payment.recorded", subject: { kind: "payment", id }, after: { method, amount_minor } });
  return { id };
};

/** What was paid for the tickets of a party. */
export const recordTicketPayment = async (
  ctx: Ctx,
  { id: bookingId, branch_id }: { id: number; branch_id: number },
  { method, amount_minor }: { method: PaymentMethod; amount_minor: number },
): Promise<{ id: number }> => {
  assertAmount(amount_minor);
  const id = await storePayment(ctx, { method, amount_minor, branch_id });
  recordAudit(ctx, {
    action: "payment.recorded",
    subject: { kind: "payment", id },
    after: { experience_booking_id: bookingId, method, amount_minor },
  });
  return { id };
};

/** What can still be refunded of this payment, until the commit. */
export const lockRefundable = async (ctx: Ctx, paymentId: number): Promise<number> => {
  const payment = await lockPayment(ctx, paymentId);
  return payment ? refundableMinor(payment) : 0;
};

/** What can be refunded of each of these payments now. */
export const readRefundable = async (ctx: Ctx, paymentIds: readonly number[]): Promise<Map<number, number>> =>
  new Map(
    (paymentIds.length === 0 ? [] : await listPaymentsLeft(ctx, paymentIds)).map((payment) => [payment.id, refundableMinor(payment)]),
  );

/** Gives back all that is left of what was paid for this reservation. */
export const refundDeposits = async (ctx: Ctx, reservationId: string, reason: string | null): Promise<void> => {
  for (const payment of await listDepositsOf(ctx, reservationId))
    if (refundableMinor(payment) > 0) await refundPayment(ctx, payment.id, { amount_minor: refundableMinor(payment), reason });
};

/** The reservation whose deposit this payment is. Null for any other payment. */
export const readReservationOf = async (ctx: Ctx, paymentId: number): Promise<string | null> =>
  (await findReservationOf(ctx, paymentId))?.reservation_id ?? null;

export const readDepositPayments = async (ctx: Ctx, reservationId: string): Promise<OrderPayment[]> =>
  (await listDepositsOf(ctx, reservationId)).map(presentPayment);

/** Erases the reasons of these orders and reservations, and of payments for something else. */
export const eraseRefundReasons = async (ctx: Ctx, subjectIds: string[], paymentIds: readonly number[]): Promise<void> => {
  await clearRefundReasons(ctx, subjectIds);
  clearRefundReasonsOf(ctx, paymentIds);
};

export const readPaymentIds = async (ctx: Ctx, subjectIds: string[]): Promise<number[]> =>
  (await listPaymentIds(ctx, subjectIds)).map(({ id }) => id);

/** The takings of one day of service. Without a day it is the present one. */
export const readTakings = async (
  ctx: Ctx,
  day = serviceDay(ctx.tenant.zone, ctx.now),
): Promise<{ date: string; rows: TakingsSumRow[] }> => {
  const span = serviceDaySpan(ctx.tenant.zone, day);
  if (span === null) throw validationError({ date: ["Must be a date."] });
  return { date: day, rows: await sumTakings(ctx, day, span) };
};

/** The oldest first. */
export const readOrderPayments = async (ctx: Ctx, orderId: string): Promise<OrderPayment[]> =>
  (await listPaymentsOf(ctx, orderId)).map(presentPayment);

const presentPayment = ({ recorded_at, ...payment }: Omit<OrderPayment, "recorded_at"> & { recorded_at: Date }): OrderPayment => ({
  id: payment.id,
  method: payment.method,
  amount_minor: payment.amount_minor,
  refunded_total_minor: payment.refunded_total_minor,
  recorded_by: payment.recorded_by,
  recorded_at: recorded_at.toISOString(),
});
