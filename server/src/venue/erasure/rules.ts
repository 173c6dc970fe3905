/** What is left of a guest in a stored event: the sale or the booking, but nobody's name. */

export const ERASED_NAME = "Erased guest";

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

/** Orders keep their amounts, bookings their time and size; a guest's own event keeps its id alone. */
export const withoutGuest = (envelope: Json, guestId: number): Json => {
  const data = isObject(envelope.data) ? envelope.data : {};
  const { order, reservation, guest, refund } = data;
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
      ...(isObject(refund) ? { refund: { ...refund, reason: null } } : {}),
      ...(isObject(guest) ? { guest: { id: guestId }, erased: true } : {}),
    },
  };
};
