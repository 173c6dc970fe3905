/** Every event type (contract §6.2): what it carries under `data`, where lists show it, when it occurs, whether it is sent. */
import { type Static, type TSchema, Type } from "typebox";
import type { Scope } from "../scopes.ts";
import {
  CalendarDate,
  Currency,
  DateTime,
  Id,
  Literals,
  Minor,
  MinorWithin,
  Nullable,
  PRICE_MAX,
  Shape,
  TimeOfDay,
  Translations,
  UUID_PATTERN,
} from "../shared.ts";
import { Guest } from "../venue/guests.ts";
import { Item } from "../venue/menu.ts";
import { Order, OrderStatus } from "../venue/orders.ts";
import { Reservation } from "../venue/reservations.ts";

const Uuid = Type.String({ pattern: UUID_PATTERN });
const Changed = Type.Array(Type.String(), { minItems: 1, description: "Names of the fields that changed." });

const Refund = Type.Object({
  id: Id,
  amount_minor: MinorWithin({ minimum: 1 }),
  currency: Currency,
  reason: Nullable(Type.String()),
  refunded_at: DateTime,
});

const Payment = Type.Object({
  id: Id,
  order_id: Nullable(Uuid),
  reservation_id: Nullable(Uuid),
  method: Type.String(),
  amount_minor: MinorWithin({ minimum: 1 }),
  refunded_total_minor: MinorWithin({ minimum: 0 }),
});

type GuestUpdated = { guest: Static<typeof Guest>; erased: false } | { guest: { id: number }; erased: true };

const GuestUpdated = Type.Unsafe<GuestUpdated>({
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
});

const GiftCard = Shape(
  "GiftCard",
  {
    id: Id,
    // The whole code is a bearer secret (open point D168).
    code_last4: Type.String({
      minLength: 4,
      maxLength: 4,
      description: "The last four characters of the code; the code itself is never sent.",
    }),
    initial_minor: MinorWithin({ minimum: 1, maximum: PRICE_MAX }),
    balance_minor: Minor,
    currency: Currency,
    source: Literals(["sale", "staff"], { description: "Bought by a guest, or given out by the restaurant." }),
    expires_at: Nullable(DateTime),
    issued_at: DateTime,
  },
  { description: "A gift card as it stands after the event." },
);

const Redemption = Type.Object({
  order_id: Uuid,
  amount_minor: MinorWithin({ minimum: 1, maximum: PRICE_MAX }),
  redeemed_at: DateTime,
});

const Review = Type.Object({
  id: Id,
  rating: Type.Integer({ minimum: 1, maximum: 5 }),
  comment: Nullable(Type.String()),
  order_id: Nullable(Uuid),
  reservation_id: Nullable(Uuid),
  guest_name: Nullable(Type.String()),
  created_at: DateTime,
});

/** Quantities are in the ingredient's unit, which may be counted in parts; a count that lags behind may fall below nothing. */
const Stock = Type.Object({
  ingredient: Type.Object({ id: Id, name: Type.String(), sku: Type.String(), unit: Type.String() }),
  branch_id: Id,
  on_hand: Type.Number(),
  par_level: Type.Number(),
  previous_on_hand: Type.Number(),
});

const Shift = Type.Object({
  id: Id,
  staff: Type.Object({ id: Id, name: Type.String() }),
  role: Nullable(Type.String()),
  starts_at: DateTime,
  ends_at: DateTime,
});

const ExperienceBooking = Type.Object({
  id: Id,
  experience: Type.Object({ id: Id, name: Translations }),
  date: CalendarDate,
  time: TimeOfDay,
  tickets: Type.Integer({ minimum: 1 }),
  amount_minor: MinorWithin({ minimum: 0, description: "For all tickets together, in the currency's minor unit." }),
  currency: Currency,
  guest: Type.Object({ name: Type.String(), phone: Nullable(Type.String()), email: Nullable(Type.String()) }),
  paid_at: DateTime,
});

export type EventGroup =
  | "Test"
  | "Orders"
  | "Reservations"
  | "Menu"
  | "Payments"
  | "Guests"
  | "Gift cards"
  | "Reviews"
  | "Stock"
  | "Staff"
  | "Experiences";

type EventEntry = {
  readonly data: TSchema;
  /** Which scope reads such data in the API; "any": every token may see it; null: no operation shows it, so only webhooks carry it. */
  readonly scope: Scope | "any" | null;
  /** The group in which people who choose what to subscribe to find the type. */
  readonly group: EventGroup;
  /** The sentence that says when it occurs. */
  readonly occursWhen: string;
  /** The sentence that says what to do to see one. */
  readonly madeBy: string;
  /** The type belongs to an area that is not built yet: an endpoint may subscribe to it, none is sent. */
  readonly isSent?: false;
};

/** In the contract's order, which lists and the reference keep. A new type is one entry here. */
export const EVENT_TABLE = {
  ping: {
    data: Shape("Ping", { message: Type.String() }),
    scope: "any",
    group: "Test",
    occursWhen: "Sent when somebody asks for a test delivery. It says nothing about the restaurant, only that the address answers.",
    madeBy: "Choose the address under Webhooks in the console and send a ping.",
  },
  "order.created": {
    data: Shape("OrderCreated", { order: Order }),
    scope: "orders:read",
    group: "Orders",
    occursWhen: "Sent when an order is placed on any channel, also one that waits for the next opening.",
    madeBy: "Place an order with `POST /orders`, or take one on the orders board.",
  },
  "order.status_changed": {
    data: Shape("OrderStatusChanged", { order: Order, previous_status: OrderStatus }),
    scope: "orders:read",
    group: "Orders",
    occursWhen: "Sent when an order moves from one status to another. The order has the new one, `previous_status` the old one.",
    madeBy: "Move an order with `POST /orders/{id}/status`, or accept it on the orders board.",
  },
  "order.paid": {
    data: Shape("OrderPaid", { order: Order }),
    scope: "orders:read",
    group: "Orders",
    occursWhen: "Sent once per order, when its payments first cover the total.",
    madeBy: "Take the whole amount of an order on the orders board.",
  },
  "reservation.created": {
    data: Shape("ReservationCreated", { reservation: Reservation }),
    scope: "reservations:read",
    group: "Reservations",
    occursWhen: "Sent when a booking is made, whether it is confirmed at once or still waits for the restaurant.",
    madeBy: "Book with `POST /reservations`, or on the bookings page.",
  },
  "reservation.updated": {
    data: Shape("ReservationUpdated", { reservation: Reservation, changed: Changed }),
    scope: "reservations:read",
    group: "Reservations",
    occursWhen: "Sent when anything about a booking changes, its status and table included. A cancellation has an event of its own.",
    madeBy: "Seat a booking, or change its time, on the bookings page.",
  },
  "reservation.cancelled": {
    data: Shape("ReservationCancelled", { reservation: Reservation, cancelled_by: Literals(["restaurant", "guest"]) }),
    scope: "reservations:read",
    group: "Reservations",
    occursWhen: "Sent when a booking is cancelled. `cancelled_by` says by which side.",
    madeBy: "Cancel a booking with `POST /reservations/{id}/cancel`, or on the bookings page.",
  },
  "menu.item_updated": {
    data: Shape("MenuItemUpdated", { item: Item, changed: Changed }),
    scope: "menu:read",
    group: "Menu",
    occursWhen: "Sent when a dish changes, be it a price, a text, or being sold out or back on. A new dish is not told, nor is an import.",
    madeBy: "Change a dish with `PATCH /items/{id}`, or sell it out under Menu today.",
  },
  "payment.refunded": {
    data: Shape("PaymentRefunded", { refund: Refund, payment: Payment }),
    scope: null,
    group: "Payments",
    occursWhen: "Sent when a payment is given back in part or in full, once for each refund.",
    madeBy: "Give back a payment of an order on the orders board.",
  },
  "guest.created": {
    data: Shape("GuestCreated", { guest: Guest, erased: Type.Literal(false) }),
    scope: "guests:read",
    group: "Guests",
    occursWhen: "Sent when somebody who was not known before gets a profile, for instance with a first order or booking.",
    madeBy: "Place an order or book with a phone number that is new to the restaurant.",
  },
  "guest.updated": {
    data: GuestUpdated,
    scope: "guests:read",
    group: "Guests",
    occursWhen:
      "Sent when a guest's details or consent change, and when a guest is forgotten: then `erased` is true and only the id is left. A visit alone is not told.",
    madeBy: "Change a guest's details or consent on the guest's page.",
  },
  "giftcard.issued": {
    data: Shape("GiftcardIssued", { gift_card: GiftCard }),
    scope: null,
    group: "Gift cards",
    occursWhen: "Sent when a gift card comes into being, sold to a guest or given out by staff. The whole code is never sent.",
    madeBy: "Sell or give out a gift card on the gift cards page.",
  },
  "giftcard.redeemed": {
    data: Shape("GiftcardRedeemed", { gift_card: GiftCard, redemption: Redemption }),
    scope: null,
    group: "Gift cards",
    occursWhen: "Sent when an order is paid with a gift card, in part or in full. `balance_minor` is what is left on the card.",
    madeBy: "Take a gift card for an order on the orders board.",
  },
  "review.created": {
    data: Shape("ReviewCreated", { review: Review }),
    scope: null,
    group: "Reviews",
    occursWhen: "Sent when a guest leaves a rating, with or without words.",
    madeBy: "Open the link that a guest got after an order or a visit, and rate.",
  },
  "stock.below_par": {
    data: Shape("StockBelowPar", { stock: Stock }),
    scope: null,
    group: "Stock",
    occursWhen:
      "Sent when an ingredient's stock in a branch falls from its par level or above to below it. Further falls are not told until it has been back up.",
    madeBy: "Record waste of an ingredient on the stock page until less than its par level is left.",
  },
  "shift.published": {
    data: Shape("ShiftPublished", {
      branch_id: Id,
      week_start: CalendarDate,
      week_end: CalendarDate,
      shifts: Type.Array(Shift),
    }),
    scope: null,
    group: "Staff",
    occursWhen: "Sent when the rota of a branch is published for a week, with every shift of that week.",
    madeBy: "Plan a week on the shifts page and publish it.",
  },
  "experience.booked": {
    data: Shape("ExperienceBooked", { experience_booking: ExperienceBooking }),
    scope: null,
    group: "Experiences",
    occursWhen: "Sent when tickets for an experience have been booked and paid.",
    madeBy: "Sell tickets on the experiences page and take the payment.",
  },
} as const satisfies Record<string, EventEntry>;
