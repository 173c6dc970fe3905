/** What the service tells its subscribers (contract §6): the event types, the envelope, and the data of each type. */
import { type Static, Type } from "typebox";
import { Guest } from "./guests.ts";
import { Item } from "./menu.ts";
import { Order, OrderStatus } from "./orders.ts";
import { Reservation } from "./reservations.ts";
import { Currency, DateTime, Id, Literals, Nullable, Shape, UUID_PATTERN } from "./shared.ts";

export const EVENT_TYPES = [
  "ping",
  "order.created",
  "order.status_changed",
  "order.paid",
  "reservation.created",
  "reservation.updated",
  "reservation.cancelled",
  "menu.item_updated",
  "payment.refunded",
  "guest.created",
  "guest.updated",
  "giftcard.issued",
  "giftcard.redeemed",
  "review.created",
  "stock.below_par",
  "shift.published",
  "experience.booked",
] as const;
export const EventType = Literals(EVENT_TYPES);
export type EventType = Static<typeof EventType>;

const Refund = Type.Object({
  id: Id,
  amount_minor: Type.Integer({ minimum: 1 }),
  currency: Currency,
  reason: Nullable(Type.String()),
  refunded_at: DateTime,
});

const Payment = Type.Object({
  id: Id,
  order_id: Nullable(Type.String({ pattern: UUID_PATTERN })),
  reservation_id: Nullable(Type.String({ pattern: UUID_PATTERN })),
  method: Type.String(),
  amount_minor: Type.Integer({ minimum: 1 }),
  refunded_total_minor: Type.Integer({ minimum: 0 }),
});

type GuestUpdated = { guest: Static<typeof Guest>; erased: false } | { guest: { id: number }; erased: true };

/** The data of each event that a room emits today; a type is added here when its room comes. */
export const EVENT_DATA = {
  "order.created": Shape("OrderCreated", { order: Order }),
  "order.status_changed": Shape("OrderStatusChanged", { order: Order, previous_status: OrderStatus }),
  "order.paid": Shape("OrderPaid", { order: Order }),
  "payment.refunded": Shape("PaymentRefunded", { refund: Refund, payment: Payment }),
  "reservation.created": Shape("ReservationCreated", { reservation: Reservation }),
  "reservation.updated": Shape("ReservationUpdated", {
    reservation: Reservation,
    changed: Type.Array(Type.String(), { minItems: 1, description: "Names of the fields that changed." }),
  }),
  "reservation.cancelled": Shape("ReservationCancelled", { reservation: Reservation, cancelled_by: Literals(["restaurant", "guest"]) }),
  "guest.updated": Type.Unsafe<GuestUpdated>({
    title: "GuestUpdated",
    description: "An erased guest is told by its id alone: delete what you hold of it.",
    anyOf: [
      { type: "object", required: ["guest", "erased"], properties: { guest: Guest, erased: { const: false } } },
      {
        type: "object",
        required: ["guest", "erased"],
        properties: { guest: { type: "object", required: ["id"], properties: { id: Id } }, erased: { const: true } },
      },
    ],
  }),
  "guest.created": Shape("GuestCreated", { guest: Guest, erased: Type.Literal(false) }),
  "menu.item_updated": Shape("MenuItemUpdated", {
    item: Item,
    changed: Type.Array(Type.String(), { minItems: 1, description: "Names of the fields that changed." }),
  }),
};
export type EmittedEvent = keyof typeof EVENT_DATA;
export type EventData = { [T in EmittedEvent]: Static<(typeof EVENT_DATA)[T]> };

export const EventEnvelope = Shape("Event", {
  id: Type.String({ pattern: UUID_PATTERN }),
  type: EventType,
  created_at: DateTime,
  restaurant: Type.Object({ id: Id, slug: Type.String(), currency: Currency }),
  data: Type.Object({}),
});
export type EventEnvelope = Static<typeof EventEnvelope>;
