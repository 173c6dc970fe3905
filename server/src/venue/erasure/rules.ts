/** Removes a guest from a stored event body. */

export const ERASED_NAME = "Erased guest";

type StoredEvent = Record<string, unknown>;

const isObject = (value: unknown): value is StoredEvent => typeof value === "object" && value !== null && !Array.isArray(value);

/** Orders keep their amounts, reservations their time and party size, guest events only the id. */
export const withoutGuest = (envelope: StoredEvent, guestId: number): StoredEvent => {
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
