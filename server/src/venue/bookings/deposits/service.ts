/** The deposit of a booking: asked for, paid at the counter, given back. Nothing moves money by itself. */
import type { Reservation } from "@comanda/contract/venue/reservations.ts";
import type { Ctx } from "#lib/context.ts";
import { validationError } from "#lib/errors.ts";
import { refundTicketPayment } from "#venue/bookings/experiences/service/sales.ts";
import { findReservationForChange, type OpenReservation } from "#venue/bookings/reservations/service/bookings.ts";
import { setDeposit } from "#venue/bookings/reservations/service/changes.ts";
import { refundToSource } from "#venue/orders/gift-cards/service/payments.ts";
import { readReservationOf, recordDeposit, refundDeposits, refundPayment, sumDeposits } from "#venue/orders/payments/service.ts";
import { canAsk, canRefund, canTake } from "./rules.ts";

const refuse = (sentence: string): Error => validationError({ deposit: [sentence] });

export const askForDeposit = (ctx: Ctx, reservation: OpenReservation, amountMinor: number): Reservation => {
  if (!canAsk(reservation)) throw refuse("No deposit can be asked for this booking.");
  return setDeposit(ctx, reservation, { deposit_minor: amountMinor, deposit_status: "pending" });
};

export const takeSeenDeposit = async (
  ctx: Ctx,
  reservation: OpenReservation,
  method: "cash" | "card_terminal" | "other",
): Promise<Reservation> => {
  if (!canTake(reservation)) throw refuse("No deposit is due for this booking.");
  await recordDeposit(ctx, reservation, { method, amount_minor: reservation.deposit_minor });
  return setDeposit(ctx, reservation, { deposit_status: "paid" });
};

export const refundSeenDeposit = async (ctx: Ctx, reservation: OpenReservation, reason: string): Promise<Reservation> => {
  if (!canRefund(reservation)) throw refuse("No deposit was paid for this booking.");
  await refundDeposits(ctx, reservation.id, reason);
  return setDeposit(ctx, reservation, { deposit_status: "refunded" });
};

/**
 * Any payment, in part or in full. A deposit of which nothing is left is refunded, and tickets are cancelled, as in the console. Locks the
 * booking before its payment.
 */
export const refundAnyPayment = async (
  ctx: Ctx,
  paymentId: number,
  refund: { amount_minor: number; reason: string | null },
): Promise<{ id: number }> => {
  const reservationId = await readReservationOf(ctx, paymentId);
  if (reservationId === null) return (await refundTicketPayment(ctx, paymentId, refund)) ?? refundToSource(ctx, paymentId, refund);
  const reservation = await findReservationForChange(ctx, reservationId);
  const refunded = await refundPayment(ctx, paymentId, refund);
  const left = (await sumDeposits(ctx, [reservationId])).get(reservationId) ?? 0;
  if (left === 0 && canRefund(reservation)) setDeposit(ctx, reservation, { deposit_status: "refunded" });
  return refunded;
};
