/** Tickets are paid and refunded all at once, and their guests arrive. Locks: session, booking, payment, gift card. */
import type { COUNTER_TICKET_METHODS, TicketMethod } from "@comanda/contract/console/experience-limits.ts";
import type { ChangedTickets } from "@comanda/contract/console/experiences.ts";
import type { Ctx } from "#lib/context.ts";
import { validationError } from "#lib/errors.ts";
import { recordAudit } from "#platform/activity/audit/service.ts";
import { payTicketsWithCard, refundToSource } from "#venue/orders/gift-cards/service/payments.ts";
import { lockRefundable, recordTicketPayment } from "#venue/orders/payments/service.ts";
import { presentTickets } from "../present.ts";
import { arrivalErrors, hasRunOut } from "../rules.ts";
import { type ExperienceBookingRow, findBookingByPayment, setArrived, setEnded, setPaid } from "../store/bookings.ts";
import {
  bookingError,
  type LockedBooking,
  lockSeenBooking,
  lockSessionAndBooking,
  type SeenVersion,
  subjectOf,
  tellOfSale,
} from "./tickets.ts";

const refuseUnpayable = (ctx: Ctx, { session, row }: LockedBooking): void => {
  if (session.cancelled_at !== null) throw bookingError("The session is cancelled.");
  if (hasRunOut(row, ctx.now)) throw bookingError("The hold has run out. Hold the tickets again.");
  if (row.state !== "held") throw bookingError("These tickets are not held.");
};

/** Payment, seats and event are one commit. */
const sell = async (ctx: Ctx, { session, row }: LockedBooking, payment: { id: number; method: TicketMethod }): Promise<ChangedTickets> => {
  const paid = await setPaid(ctx, row.id, payment);
  recordAudit(ctx, {
    action: "experience_booking.paid",
    subject: subjectOf(row.id),
    after: { tickets: row.tickets, amount_minor: row.amount_minor, method: payment.method },
  });
  tellOfSale(ctx, paid, session);
  return presentTickets(paid);
};

const record = (ctx: Ctx, { session, row }: LockedBooking, method: TicketMethod): Promise<{ id: number }> =>
  recordTicketPayment(ctx, { id: row.id, branch_id: session.branch_id }, { method, amount_minor: row.amount_minor });

type SeenPayment = SeenVersion & { method: (typeof COUNTER_TICKET_METHODS)[number] };

/** Tickets of a price are paid all at once. */
export const paySeenTickets = async (ctx: Ctx, id: number, read: () => SeenPayment): Promise<ChangedTickets> => {
  const { body, ...locked } = await lockSeenBooking(ctx, id, read);
  refuseUnpayable(ctx, locked);
  const payment = await record(ctx, locked, body.method);
  return sell(ctx, locked, { ...payment, method: body.method });
};

export const paySeenTicketsWithCard = async (ctx: Ctx, id: number, read: () => SeenVersion & { code: string }): Promise<ChangedTickets> => {
  const { body, ...locked } = await lockSeenBooking(ctx, id, read);
  refuseUnpayable(ctx, locked);
  const card = { code: body.code, amount_minor: locked.row.amount_minor };
  const payment = await payTicketsWithCard(ctx, card, () => record(ctx, locked, "gift_card"));
  return sell(ctx, locked, { ...payment, method: "gift_card" });
};

/** `refunded_minor` is what was given back now, less than the price after a refund of a part. Free tickets are cancelled, not refunded. */
const cancelPaid = async (
  ctx: Ctx,
  row: ExperienceBookingRow,
  { refunded_minor, reason }: { refunded_minor: number; reason: string | null },
): Promise<ExperienceBookingRow> => {
  const cancelled = await setEnded(ctx, row.id, "cancelled");
  const { tickets } = row;
  const ended =
    row.payment_id === null
      ? { action: "experience_booking.cancelled", after: { tickets } }
      : { action: "experience_booking.refunded", after: { tickets, amount_minor: refunded_minor } };
  recordAudit(ctx, { ...ended, subject: subjectOf(row.id), reason });
  return cancelled;
};

/** All that is left of the payment. Free tickets are only cancelled. */
export const refundSeenTickets = async (ctx: Ctx, id: number, read: () => SeenVersion & { reason: string }): Promise<ChangedTickets> => {
  const { row, body } = await lockSeenBooking(ctx, id, read);
  if (row.state !== "paid") throw bookingError("These tickets are not paid.");
  const refunded_minor = row.payment_id === null ? 0 : await lockRefundable(ctx, row.payment_id);
  if (row.payment_id !== null && refunded_minor > 0)
    await refundToSource(ctx, row.payment_id, { amount_minor: refunded_minor, reason: body.reason });
  return presentTickets(await cancelPaid(ctx, row, { refunded_minor, reason: body.reason }));
};

/** Null when the payment is for something else. Tickets of whose payment nothing is left are cancelled, as in the console. */
export const refundTicketPayment = async (
  ctx: Ctx,
  paymentId: number,
  refund: { amount_minor: number; reason: string | null },
): Promise<{ id: number } | null> => {
  const found = await findBookingByPayment(ctx, paymentId);
  if (!found) return null;
  const { row } = await lockSessionAndBooking(ctx, found);
  const refunded = await refundToSource(ctx, paymentId, refund);
  if (row.state === "paid" && (await lockRefundable(ctx, paymentId)) === 0)
    await cancelPaid(ctx, row, { refunded_minor: refund.amount_minor, reason: refund.reason });
  return refunded;
};

/** A smaller number takes arrivals back. */
export const setArrivedGuests = async (ctx: Ctx, id: number, read: () => SeenVersion & { arrived: number }): Promise<ChangedTickets> => {
  const { row, body } = await lockSeenBooking(ctx, id, read);
  if (row.state !== "paid") throw bookingError("These tickets are not paid.");
  const errors = arrivalErrors(body.arrived, row);
  if (errors) throw validationError(errors);
  if (body.arrived === row.arrived) return presentTickets(row);
  const after = await setArrived(ctx, id, body.arrived);
  recordAudit(ctx, {
    action: body.arrived > row.arrived ? "experience_booking.arrived" : "experience_booking.arrival_undone",
    subject: subjectOf(id),
    before: { arrived: row.arrived },
    after: { arrived: body.arrived },
  });
  return presentTickets(after);
};
