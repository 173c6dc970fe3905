/** Orders and visits that are rated: who came, how to reach them, and whether it is over. */
import type { Ctx } from "#lib/context.ts";
import { findReservation, keepReservation } from "#venue/bookings/reservations/service/bookings.ts";
import type { RatedSubject } from "#venue/orders/review-requests/service.ts";
import { findRatedOrder } from "#venue/orders/service/reads.ts";
import { keepRatedOrder } from "#venue/orders/service.ts";
import type { Rated } from "../rules.ts";

type RatedVisitRow = NonNullable<Awaited<ReturnType<typeof findReservation>>>;

const ratedVisit = ({ guest_id, name, phone, email, status, left_at, ends_at }: RatedVisitRow): Rated => ({
  guestId: guest_id,
  name,
  phone,
  email,
  overAt: status === "seated" ? (left_at ?? ends_at) : null,
});

/** A completed order is over: nothing leads away from that status. */
const readRatedByOrder = async (ctx: Ctx, id: string): Promise<Rated | null> => {
  const order = await findRatedOrder(ctx, id);
  if (!order) return null;
  const { guest_id: guestId, customer_name: name, customer_phone: phone, customer_email: email, status } = order;
  return { guestId, name, phone, email, overAt: status === "completed" ? ctx.now : null };
};

export const readRated = async (ctx: Ctx, { order_id, reservation_id }: RatedSubject): Promise<Rated | null> => {
  if (order_id !== null) return readRatedByOrder(ctx, order_id);
  const visit = await findReservation(ctx, reservation_id);
  return visit ? ratedVisit(visit) : null;
};

/** Before the request is locked, in the order of locks. */
export const keepRated = (ctx: Ctx, { order_id, reservation_id }: RatedSubject): Promise<void> =>
  order_id !== null ? keepRatedOrder(ctx, order_id) : keepReservation(ctx, reservation_id);
