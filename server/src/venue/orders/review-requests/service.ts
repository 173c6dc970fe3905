/**
 * Guests who are to be asked for a review. Orders and bookings say when one is over; `venue/guest-records/reviews` asks. A sandbox asks no guest. Locks:
 * after those of the order or reservation and of the guest.
 */
import type { Ctx } from "#lib/context.ts";
import {
  type DueRequest,
  endOf,
  findByMessage,
  insertRequest,
  listDue,
  lockByMessage,
  type RatedSubject,
  type SentRequest,
  setDueAt,
  setSent,
  setSkipped,
  setUsed,
  updateDueTime,
} from "./store.ts";

export type { DueRequest, RatedSubject, SentRequest };

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

export const readDueRequests = (ctx: Ctx, rowCount: number): Promise<DueRequest[]> => listDue(ctx, rowCount);

/** False when another process was faster, or the guest was erased. */
export const markRequestSent = (ctx: Ctx, id: number, sent: { messageId: number; expiresAt: Date }): Promise<boolean> =>
  setSent(ctx, id, sent);

export const postponeRequest = (ctx: Ctx, id: number, dueAt: Date): void => setDueAt(ctx, id, dueAt);

export const skipRequest = (ctx: Ctx, id: number, reason: string): void => setSkipped(ctx, id, reason);

export const findSentRequest = (ctx: Ctx, messageId: number): Promise<SentRequest | undefined> => findByMessage(ctx, messageId);

export const lockSentRequest = (ctx: Ctx, messageId: number): Promise<SentRequest | undefined> => lockByMessage(ctx, messageId);

export const markRequestUsed = (ctx: Ctx, id: number): void => setUsed(ctx, id);

/** An erasure ends the links of these orders and reservations. */
export const endRequestsOf = (ctx: Ctx, ids: readonly string[]): Promise<void> => endOf(ctx, ids);
