/**
 * Guests who are to be asked for a review. Orders and bookings say when one is over; `venue/guest-records/reviews` asks. A sandbox asks no guest. Locks:
 * after those of the order or reservation and of the guest.
 */
import type { Ctx } from "#lib/context.ts";
import {
  type DueRequest,
  endRequestsOf,
  findSentRequest,
  insertRequest,
  listDueRequests,
  lockSentRequest,
  markRequestSent,
  markRequestUsed,
  postponeRequest,
  type RatedSubject,
  type SentRequest,
  skipRequest,
  updateDueTime,
} from "./store.ts";

export type { DueRequest, RatedSubject, SentRequest };
export { endRequestsOf, findSentRequest, listDueRequests, lockSentRequest, markRequestSent, markRequestUsed, postponeRequest, skipRequest };

type RatedContact = { phone: string | null; email: string | null };

const isReachable = ({ phone, email }: RatedContact): boolean => Boolean(phone) || email !== null;

export const requestOrderReview = (ctx: Ctx, orderId: string, contact: RatedContact): void => {
  if (ctx.tenant.kind === "sandbox" || !isReachable(contact)) return;
  insertRequest(ctx, { order_id: orderId, reservation_id: null }, ctx.now);
};

/** `overAt` is when the party left, or is expected to leave. */
export const requestVisitReview = (ctx: Ctx, reservation: RatedContact & { id: string }, overAt: Date): void => {
  if (ctx.tenant.kind === "sandbox" || !isReachable(reservation)) return;
  updateDueTime(ctx, reservation.id, overAt);
  insertRequest(ctx, { order_id: null, reservation_id: reservation.id }, overAt);
};
