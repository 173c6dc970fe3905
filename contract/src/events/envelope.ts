/** Event types and their envelope (contract §6). */
import { type Static, Type } from "typebox";
import { AREA_OF_SUBJECT, type NumberedArea } from "../console/change-areas.ts";
import { Currency, DateTime, Id, Literals, Shape, UUID_PATTERN } from "../shared.ts";
import { EVENT_TABLE, type EventGroup } from "./event-table.ts";

export const EVENT_TYPES = Object.keys(EVENT_TABLE) as (keyof typeof EVENT_TABLE)[];
export const EventType = Literals(EVENT_TYPES);
export type EventType = Static<typeof EventType>;

type EventTable = typeof EVENT_TABLE;
type UnsentEvent = { [T in EventType]: EventTable[T] extends { isSent: false } ? T : never }[EventType];
/** Types that a module may emit. */
export type EmittedEvent = Exclude<EventType, UnsentEvent>;

/** Events about the venue itself; `ping` is about an address. */
export type VenueEvent = Exclude<EmittedEvent, "ping">;

/** What an event is about: the member of its data, or of its stock, that has an id of this kind. A week of shifts is named by branch and day. */
export const subjectOf = <T extends VenueEvent>(type: T, data: EventData[T]): { kind: EventSubject; id: number | string } => {
  const kind = SUBJECT_KIND[type];
  if (kind === "shift_week") {
    const { branch_id, week_start } = data as EventData["shift.published"];
    return { kind, id: `${branch_id}:${week_start}` };
  }
  const holder = "stock" in data ? data.stock : data;
  return { kind, id: (holder as unknown as Record<EventSubject, { id: number | string }>)[kind].id };
};

type EventSubject =
  | "order"
  | "reservation"
  | "item"
  | "payment"
  | "guest"
  | "gift_card"
  | "review"
  | "ingredient"
  | "shift_week"
  | "experience_booking";
const SUBJECT_KIND: Record<VenueEvent, EventSubject> = {
  "order.created": "order",
  "order.status_changed": "order",
  "order.paid": "order",
  "reservation.created": "reservation",
  "reservation.updated": "reservation",
  "reservation.cancelled": "reservation",
  "menu.item_updated": "item",
  "payment.refunded": "payment",
  "guest.created": "guest",
  "guest.updated": "guest",
  "giftcard.issued": "gift_card",
  "giftcard.redeemed": "gift_card",
  "review.created": "review",
  "stock.below_par": "ingredient",
  "shift.published": "shift_week",
  "experience.booked": "experience_booking",
};

export const kindOfSubject = (type: VenueEvent): EventSubject => SUBJECT_KIND[type];

/** The area in which the change of an event is numbered. */
export const areaOf = (type: EmittedEvent): NumberedArea => AREA_OF_SUBJECT[type === "ping" ? "webhook" : SUBJECT_KIND[type]];

export const isSent = (type: EventType): boolean => !("isSent" in EVENT_TABLE[type]);
/** Types of areas that are not built yet. An endpoint may subscribe to them; none is sent. */
export const UNSENT_EVENTS = EVENT_TYPES.filter((type) => !isSent(type));

export type EventData = { [T in EventType]: Static<EventTable[T]["data"]> };

export const EventEnvelope = Shape("Event", {
  id: Type.String({ pattern: UUID_PATTERN, description: "The same for every attempt to deliver it: tell repeats by it." }),
  type: EventType,
  created_at: DateTime,
  restaurant: Shape(
    "EventRestaurant",
    { id: Id, slug: Type.String(), currency: Currency },
    { description: "The restaurant that the event is about." },
  ),
  data: Type.Object({}),
});
export type EventEnvelope = Static<typeof EventEnvelope>;

/** The whole body of one type of event. */
export type EventBody<T extends EventType> = Omit<EventEnvelope, "type" | "data"> & { type: T; data: EventData[T] };

export const eventSchema = (type: EventType) =>
  Shape(`${pascalCase(type)}Event`, { ...EventEnvelope.properties, type: Type.Literal(type), data: EVENT_TABLE[type].data });

const pascalCase = (type: EventType): string =>
  type
    .split(/[._]/)
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join("");

/** What people read who choose what to subscribe to; without the schemas, because the console has it too. */
export const EVENTS = Object.fromEntries(
  EVENT_TYPES.map((type) => [type, { group: EVENT_TABLE[type].group, occursWhen: EVENT_TABLE[type].occursWhen }]),
) as Record<EventType, { group: EventGroup; occursWhen: string }>;
