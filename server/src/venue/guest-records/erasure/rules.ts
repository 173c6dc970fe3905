/** Which data of a guest is erased, and what a stored event keeps. */
import type { GuestExport } from "@comanda/contract/console/guests.ts";
import type { HandedBooking } from "#venue/bookings/reservations/rules/booking.ts";

export const ERASED_NAME = "Erased guest";

/**
 * Every column that an erasure blanks or whose rows it deletes, with the part of a guest's export that shows it. A copy holds nothing that
 * the other columns do not hold. `guest-export.test.ts` compares the list with what an erasure changes in the database.
 */
export const ERASED_COLUMNS: Readonly<Record<string, keyof GuestExport | "copy">> = {
  "guests.name": "profile",
  "guests.phone": "profile",
  "guests.email": "profile",
  "guests.locale": "profile",
  "guests.staff_note": "profile",
  "guests.marketing_opted_in": "profile",
  "guests.marketing_opted_in_at": "profile",
  "guests.phone_key": "copy",
  "guests.email_key": "copy",
  "guest_consents.*": "consents",
  "orders.customer_name": "orders",
  "orders.customer_phone": "orders",
  "orders.customer_email": "orders",
  "orders.note": "orders",
  "orders.delivery_address": "orders",
  "orders.cancel_reason": "orders",
  "reservations.name": "reservations",
  "reservations.phone": "reservations",
  "reservations.email": "reservations",
  "reservations.note": "reservations",
  "waitlist_entries.name": "waitlist",
  "waitlist_entries.phone": "waitlist",
  "waitlist_entries.note": "waitlist",
  "gift_cards.guest_id": "gift_cards",
  "gift_cards.message": "gift_cards",
  "reviews.comment": "reviews",
  "reviews.guest_name": "reviews",
  "reviews.reply": "reviews",
  "experience_bookings.name": "experience_bookings",
  "experience_bookings.phone": "experience_bookings",
  "experience_bookings.email": "experience_bookings",
  "notifications.*": "messages",
  "tickets.void_reason": "reasons",
  "refunds.reason": "reasons",
  "audit_entries.reason": "reasons",
  "events.body": "events",
  "delivery_attempts.answer": "copy",
  "idempotency_keys.*": "copy",
};

type StoredEvent = Record<string, unknown>;

const isObject = (value: unknown): value is StoredEvent => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Whether an event is about this guest. Events of a booking that was handed over before are about the guest it had then, and those that name
 * the person it has now are about that one.
 */
export const createOwnEventCheck = (handed: readonly HandedBooking[], guestIds: readonly number[]) => {
  const byId = new Map(handed.map((booking) => [booking.id, booking]));
  return ({ body }: { body: string }): boolean => {
    const { data } = JSON.parse(body) as StoredEvent;
    const reservation = isObject(data) && isObject(data.reservation) ? data.reservation : null;
    const review = isObject(data) && isObject(data.review) ? data.review : null;
    const booking = byId.get(String(reservation?.id ?? review?.reservation_id));
    if (!booking) return true;
    // A review is written after the visit, by the guest who came.
    const isOfPresentGuest = review !== null || (reservation?.name === booking.name && reservation.phone === booking.phone);
    return isOfPresentGuest === (booking.guest_id !== null && guestIds.includes(booking.guest_id));
  };
};

/** Orders keep their amounts, reservations their time and party size, guest events only the id. */
export const withoutGuest = (envelope: StoredEvent): StoredEvent => {
  const data = isObject(envelope.data) ? envelope.data : {};
  const { order, reservation, guest, refund, review, experience_booking } = data;
  return {
    ...envelope,
    data: {
      ...data,
      ...(isObject(order)
        ? {
            order: {
              ...order,
              customer: { name: null, phone: null, email: null },
              note: null,
              delivery_address: null,
              cancel_reason: null,
            },
          }
        : {}),
      ...(isObject(reservation) ? { reservation: { ...reservation, name: ERASED_NAME, phone: "", email: null, note: null } } : {}),
      ...(isObject(review) ? { review: { ...review, comment: null, guest_name: null } } : {}),
      ...(isObject(experience_booking)
        ? { experience_booking: { ...experience_booking, guest: { name: ERASED_NAME, phone: null, email: null } } }
        : {}),
      ...(isObject(refund) ? { refund: { ...refund, reason: null } } : {}),
      ...(isObject(guest) ? { guest: { id: guest.id }, erased: true } : {}),
    },
  };
};
