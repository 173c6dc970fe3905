/** What the service tells its subscribers (contract §6): the event types, what each is about, and the envelope around it. */
import { type Static, Type } from "typebox";
import { EVENT_DATA } from "./event-data.ts";
import { Currency, DateTime, Id, Literals, Shape, UUID_PATTERN } from "./shared.ts";

export const EVENT_TYPES = Object.keys(EVENT_DATA) as (keyof typeof EVENT_DATA)[];
export const EventType = Literals(EVENT_TYPES);
export type EventType = Static<typeof EventType>;

/** Types of parts of the service that are not built yet. An address may ask for them; they are not sent yet. */
export const UNSENT_EVENTS = [
  "giftcard.issued",
  "giftcard.redeemed",
  "review.created",
  "stock.below_par",
  "shift.published",
  "experience.booked",
] as const satisfies readonly EventType[];

export const isSent = (type: EventType): boolean => !UNSENT_EVENTS.some((unsent) => unsent === type);

/** What a room may tell. */
export type EmittedEvent = Exclude<EventType, (typeof UNSENT_EVENTS)[number]>;
export type EventData = { [T in EventType]: Static<(typeof EVENT_DATA)[T]> };

export const EventEnvelope = Shape("Event", {
  id: Type.String({ pattern: UUID_PATTERN, description: "The same for every attempt to deliver it: tell repeats by it." }),
  type: EventType,
  created_at: DateTime,
  restaurant: Type.Object({ id: Id, slug: Type.String(), currency: Currency }),
  data: Type.Object({}),
});
export type EventEnvelope = Static<typeof EventEnvelope>;

/** The whole body of one type of event. */
export type EventBody<T extends EventType> = Omit<EventEnvelope, "type" | "data"> & { type: T; data: EventData[T] };

export const eventSchema = (type: EventType) =>
  Shape(`${pascalCase(type)}Event`, { ...EventEnvelope.properties, type: Type.Literal(type), data: EVENT_DATA[type] });

const pascalCase = (type: EventType): string =>
  type
    .split(/[._]/)
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join("");

type EventGroup =
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

/** For people who choose what to subscribe to: where a type is listed, and the sentence that says when it occurs. */
export const EVENTS: Record<EventType, { group: EventGroup; occursWhen: string }> = {
  ping: {
    group: "Test",
    occursWhen: "Sent when somebody asks for a test delivery. It says nothing about the restaurant, only that the address answers.",
  },
  "order.created": {
    group: "Orders",
    occursWhen: "Sent when an order is placed on any channel, also one that waits for the next opening.",
  },
  "order.status_changed": {
    group: "Orders",
    occursWhen: "Sent when an order moves from one status to another. The order has the new one, `previous_status` the old one.",
  },
  "order.paid": {
    group: "Orders",
    occursWhen: "Sent once per order, when its payments first cover the total.",
  },
  "reservation.created": {
    group: "Reservations",
    occursWhen: "Sent when a booking is made, whether it is confirmed at once or still waits for the restaurant.",
  },
  "reservation.updated": {
    group: "Reservations",
    occursWhen: "Sent when anything about a booking changes, its status and table included. A cancellation has an event of its own.",
  },
  "reservation.cancelled": {
    group: "Reservations",
    occursWhen: "Sent when a booking is cancelled. `cancelled_by` says by which side.",
  },
  "menu.item_updated": {
    group: "Menu",
    occursWhen: "Sent when a dish changes, be it a price, a text, or being sold out or back on. A new dish is not told, nor is an import.",
  },
  "payment.refunded": {
    group: "Payments",
    occursWhen: "Sent when a payment is given back in part or in full, once for each refund.",
  },
  "guest.created": {
    group: "Guests",
    occursWhen: "Sent when somebody who was not known before gets a profile, for instance with a first order or booking.",
  },
  "guest.updated": {
    group: "Guests",
    occursWhen:
      "Sent when a guest's details or consent change, and when a guest is forgotten: then `erased` is true and only the id is left. A visit alone is not told.",
  },
  "giftcard.issued": {
    group: "Gift cards",
    occursWhen: "Sent when a gift card comes into being, sold to a guest or given out by staff. The whole code is never sent.",
  },
  "giftcard.redeemed": {
    group: "Gift cards",
    occursWhen: "Sent when an order is paid with a gift card, in part or in full. `balance_minor` is what is left on the card.",
  },
  "review.created": {
    group: "Reviews",
    occursWhen: "Sent when a guest leaves a rating, with or without words.",
  },
  "stock.below_par": {
    group: "Stock",
    occursWhen:
      "Sent when an ingredient's stock in a branch falls from its par level or above to below it. Further falls are not told until it has been back up.",
  },
  "shift.published": {
    group: "Staff",
    occursWhen: "Sent when the rota of a branch is published for a week, with every shift of that week.",
  },
  "experience.booked": {
    group: "Experiences",
    occursWhen: "Sent when tickets for an experience have been booked and paid.",
  },
};
