/** What each event carries under `data` (contract §6.2): resources as the API shows them, and those that only events show. */
import { type Static, Type } from "typebox";
import { Guest } from "./guests.ts";
import { Item } from "./menu.ts";
import { Order, OrderStatus } from "./orders.ts";
import { Reservation } from "./reservations.ts";
import {
  CalendarDate,
  Currency,
  DateTime,
  Id,
  Literals,
  Minor,
  Nullable,
  PRICE_MAX,
  Shape,
  TimeOfDay,
  Translations,
  UUID_PATTERN,
} from "./shared.ts";

const Uuid = Type.String({ pattern: UUID_PATTERN });
const Changed = Type.Array(Type.String(), { minItems: 1, description: "Names of the fields that changed." });

const Refund = Type.Object({
  id: Id,
  amount_minor: Type.Integer({ minimum: 1 }),
  currency: Currency,
  reason: Nullable(Type.String()),
  refunded_at: DateTime,
});

const Payment = Type.Object({
  id: Id,
  order_id: Nullable(Uuid),
  reservation_id: Nullable(Uuid),
  method: Type.String(),
  amount_minor: Type.Integer({ minimum: 1 }),
  refunded_total_minor: Type.Integer({ minimum: 0 }),
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
    // Whoever knows the whole code can spend it (open point D168).
    code_last4: Type.String({
      minLength: 4,
      maxLength: 4,
      description: "The last four characters of the code; the code itself is never sent.",
    }),
    initial_minor: Type.Integer({ minimum: 1, maximum: PRICE_MAX }),
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
  amount_minor: Type.Integer({ minimum: 1, maximum: PRICE_MAX }),
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
  amount_minor: Type.Integer({ minimum: 0, description: "For all tickets together, in the currency's minor unit." }),
  currency: Currency,
  guest: Type.Object({ name: Type.String(), phone: Nullable(Type.String()), email: Nullable(Type.String()) }),
  paid_at: DateTime,
});

/** In the contract's order, which lists and the reference keep. */
export const EVENT_DATA = {
  ping: Shape("Ping", { message: Type.String() }),
  "order.created": Shape("OrderCreated", { order: Order }),
  "order.status_changed": Shape("OrderStatusChanged", { order: Order, previous_status: OrderStatus }),
  "order.paid": Shape("OrderPaid", { order: Order }),
  "reservation.created": Shape("ReservationCreated", { reservation: Reservation }),
  "reservation.updated": Shape("ReservationUpdated", { reservation: Reservation, changed: Changed }),
  "reservation.cancelled": Shape("ReservationCancelled", { reservation: Reservation, cancelled_by: Literals(["restaurant", "guest"]) }),
  "menu.item_updated": Shape("MenuItemUpdated", { item: Item, changed: Changed }),
  "payment.refunded": Shape("PaymentRefunded", { refund: Refund, payment: Payment }),
  "guest.created": Shape("GuestCreated", { guest: Guest, erased: Type.Literal(false) }),
  "guest.updated": GuestUpdated,
  "giftcard.issued": Shape("GiftcardIssued", { gift_card: GiftCard }),
  "giftcard.redeemed": Shape("GiftcardRedeemed", { gift_card: GiftCard, redemption: Redemption }),
  "review.created": Shape("ReviewCreated", { review: Review }),
  "stock.below_par": Shape("StockBelowPar", { stock: Stock }),
  "shift.published": Shape("ShiftPublished", {
    branch_id: Id,
    week_start: CalendarDate,
    week_end: CalendarDate,
    shifts: Type.Array(Shift),
  }),
  "experience.booked": Shape("ExperienceBooked", { experience_booking: ExperienceBooking }),
};
