/** The bookings of a day as staff work with them: who comes, who is here, which table is free. */
import { type Static, Type } from "typebox";
import { CalendarDate, Id, Literals, MinorWithin, Nullable, PRICE_MAX, TimeOfDay, Translations, UUID_PATTERN } from "../shared.ts";
import { BOOKING_REFUSAL_REASONS } from "../venue/booking-refusals.ts";
import { NewReservation, Reservation } from "../venue/reservations.ts";
import { TablePlace, TableShape } from "../venue-file/restaurant.ts";
import { type ConsoleOperation, Count, Data, Instant } from "./operation.ts";
import { OrderPayment, OrderStep } from "./orders.ts";

const Uuid = Type.String({ pattern: UUID_PATTERN });
const Version = Type.Integer({ minimum: 1 });
const PartySize = Type.Integer({ minimum: 1, maximum: 500 });
const Amount = MinorWithin({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export const DayBooking = Type.Object({
  reservation: Reservation,
  /** Counts the changes of this booking. A write names the version that the page saw. */
  version: Version,
  branch_id: Id,
  /** The tables that it holds, or held last. More than one when they are joined. */
  table_ids: Type.Array(Id),
  starts_at: Instant,
  ends_at: Instant,
  is_walk_in: Type.Boolean(),
  arrived_at: Nullable(Instant),
  seated_at: Nullable(Instant),
  left_at: Nullable(Instant),
  no_show_at: Nullable(Instant),
  /** What was paid of the deposit and not refunded. */
  paid_minor: Amount,
  guest_id: Nullable(Id),
  visits_count: Count,
});
export type DayBooking = Static<typeof DayBooking>;

const FloorTable = Type.Object({
  id: Id,
  name: Type.String(),
  code: Nullable(Type.String()),
  seats: PartySize,
  branch_id: Id,
  /** Null: the plan finds a place for it. */
  place: Nullable(TablePlace),
  shape: TableShape,
});
export type FloorTable = Static<typeof FloorTable>;

const TableBlock = Type.Object({
  id: Uuid,
  branch_id: Id,
  table_ids: Type.Array(Id),
  starts_at: Instant,
  ends_at: Instant,
  reason: Type.String(),
  blocked_by: Type.String(),
});
export type TableBlock = Static<typeof TableBlock>;

export const WaitlistEntry = Type.Object({
  id: Uuid,
  version: Version,
  branch_id: Id,
  guest_id: Nullable(Id),
  name: Type.String(),
  phone: Type.String(),
  party_size: PartySize,
  note: Nullable(Type.String()),
  quoted_minutes: Count,
  added_at: Instant,
  notified_at: Nullable(Instant),
});
export type WaitlistEntry = Static<typeof WaitlistEntry>;

/** An open order of guests who sit at a table without a booking, by its number of the day. */
const TableOrder = Type.Object({ order_id: Uuid, number: Nullable(Count), table_id: Id, since: Instant });
export type TableOrder = Static<typeof TableOrder>;

/** When the branch serves on that day, from `from` to `to`. A span after midnight ends on the next day. */
const ServiceSpan = Type.Object({ branch_id: Id, from: Instant, to: Instant });

/** The bookings of one day, or those that changed after a position that the page knows. One of the second kind may be of another day. */
export const BookingDay = Type.Object({
  date: CalendarDate,
  position: Type.String(),
  is_whole: Type.Boolean(),
  bookings: Type.Array(DayBooking),
  is_cut: Type.Boolean(),
  waitlist: Type.Array(WaitlistEntry),
  blocks: Type.Array(TableBlock),
  /** Present orders at the tables. Empty when the day is not today. */
  table_orders: Type.Array(TableOrder),
  tables: Type.Array(FloorTable),
  branches: Type.Array(Type.Object({ id: Id, name: Translations })),
  spans: Type.Array(ServiceSpan),
  slot_minutes: Type.Integer({ minimum: 5 }),
  party_size_max: PartySize,
  currency: Type.String(),
  zone: Type.String(),
  now: Instant,
});
export type BookingDay = Static<typeof BookingDay>;

export const BookingDetails = Type.Object({
  booking: DayBooking,
  steps: Type.Array(OrderStep),
  payments: Type.Array(OrderPayment),
});
export type BookingDetails = Static<typeof BookingDetails>;

const BookingRefusalShape = Type.Object({
  field: Type.String(),
  reason: Literals(BOOKING_REFUSAL_REASONS),
  values: Type.Record(Type.String(), Type.Union([Type.Number(), Type.String()])),
});

/** Whether the party would be asked for a deposit or a card, and the rule that decides it. */
const BookingGuarantee = Type.Object({
  reason: Literals(["asked", "none_set", "party_smaller", "other_hours"]),
  /** `total_minor` is for the whole party. */
  asked: Nullable(
    Type.Object({ type: Literals(["deposit", "card"]), total_minor: Amount, amount_minor: Amount, per_person: Type.Boolean() }),
  ),
  /** Null: the owner asks for nothing. */
  party_size_min: Nullable(PartySize),
  has_hours: Type.Boolean(),
});
export type BookingGuarantee = Static<typeof BookingGuarantee>;

/** Whether a party could be booked, with the tables it would get or every reason against it. */
export const BookingTrial = Type.Object({
  is_possible: Type.Boolean(),
  table_ids: Type.Array(Id),
  /** True: the venue has no tables for bookings, so every open time is offered. */
  is_unchecked: Type.Boolean(),
  /** True: no table is free, and the owner allows more bookings than tables. */
  is_overbooked: Type.Boolean(),
  ends_at: Nullable(Instant),
  /** Null when the party cannot be booked. */
  guarantee: Nullable(BookingGuarantee),
  refusals: Type.Array(BookingRefusalShape),
});
export type BookingTrial = Static<typeof BookingTrial>;

const BookingTime = Type.Object({ time: TimeOfDay, is_free: Type.Boolean(), table_ids: Type.Array(Id) });

/** The tables that a party of each size would get now, and until when they are free. */
const WalkInTables = Type.Object({
  party_size: PartySize,
  table_ids: Type.Array(Id),
  until: Instant,
});

/** What staff do with a booking when its party comes and goes. Each has one effect, judged by the version that the page saw. */
export const BOOKING_STEPS = ["arrive", "seat", "leave", "no_show", "undo_no_show", "undo_arrive", "undo_leave", "cancel"] as const;
export type BookingStep = (typeof BOOKING_STEPS)[number];

const TableIds = Type.Array(Id, { maxItems: 20, uniqueItems: true });
const Minutes = Type.Integer({ minimum: 15, maximum: 720 });
const BOOKING_PATH = "/venues/{venue}/bookings/{reservation}" as const;
const { name, phone, email, date, time, note } = NewReservation.properties;

const Write = { who: "staff", isService: true, isIdempotent: true, needsFeature: "reservations" } as const;
const ManagerWrite = { ...Write, who: "manager" } as const;
const Read = { method: "GET", who: "staff", isService: true, needsFeature: "reservations" } as const;

export const bookingOperations = {
  readBookingDay: {
    ...Read,
    path: "/venues/{venue}/bookings",
    query: Type.Object({ date: Type.Optional(Type.String({ format: "date" })), after: Type.Optional(Type.String({ maxLength: 80 })) }),
    success: { status: 200, body: Data(BookingDay) },
  },
  readBookingDetails: { ...Read, path: BOOKING_PATH, success: { status: 200, body: Data(BookingDetails) } },
  /** The times of a day for a party. A booking that is moved does not stand in its own way. */
  findBookingTimes: {
    ...Read,
    path: "/venues/{venue}/booking-times",
    query: Type.Object({
      date: Type.String({ format: "date" }),
      party_size: PartySize,
      branch: Type.Optional(Id),
      moved: Type.Optional(Uuid),
    }),
    success: { status: 200, body: Data(Type.Array(BookingTime)) },
  },
  /** Answers by the rules for guests, as the API applies them. */
  tryBooking: {
    ...Read,
    path: "/venues/{venue}/booking-trial",
    query: Type.Object({ date: Type.String({ format: "date" }), time: TimeOfDay, party_size: PartySize }),
    success: { status: 200, body: Data(BookingTrial) },
  },
  findWalkInTables: {
    ...Read,
    path: "/venues/{venue}/walk-in-tables",
    query: Type.Object({ branch: Type.Optional(Id) }),
    success: { status: 200, body: Data(Type.Array(WalkInTables)) },
  },
  makeBooking: {
    ...Write,
    method: "POST",
    path: "/venues/{venue}/bookings",
    body: Type.Object({
      name,
      phone,
      email,
      note,
      date,
      time,
      party_size: PartySize,
      branch_id: Type.Optional(Nullable(Id)),
      table_ids: Type.Optional(TableIds),
      minutes: Type.Optional(Minutes),
    }),
    success: { status: 201, body: Data(DayBooking) },
  },
  /** Seated at once. Without tables the smallest free one that fits is taken. */
  seatWalkIn: {
    ...Write,
    method: "POST",
    path: "/venues/{venue}/walk-ins",
    body: Type.Object({ party_size: PartySize, branch_id: Type.Optional(Nullable(Id)), table_ids: Type.Optional(TableIds) }),
    success: { status: 201, body: Data(DayBooking) },
  },
  /** 409 `state_changed` when the booking is no longer as the page saw it. */
  stepBooking: {
    ...Write,
    method: "POST",
    path: `${BOOKING_PATH}/steps`,
    body: Type.Object({ seen_version: Version, step: Literals(BOOKING_STEPS) }),
    success: { status: 200, body: Data(DayBooking) },
  },
  answerBooking: {
    ...ManagerWrite,
    method: "POST",
    path: `${BOOKING_PATH}/answer`,
    body: Type.Object({ seen_version: Version, answer: Literals(["confirm", "decline"]) }),
    success: { status: 200, body: Data(DayBooking) },
  },
  /** Fields that are not given stay. Several tables are joined. */
  changeBooking: {
    ...Write,
    method: "PATCH",
    path: BOOKING_PATH,
    body: Type.Object({
      seen_version: Version,
      name: Type.Optional(name),
      phone: Type.Optional(phone),
      email,
      note,
      date: Type.Optional(date),
      time: Type.Optional(time),
      party_size: Type.Optional(PartySize),
      table_ids: Type.Optional(TableIds),
      minutes: Type.Optional(Minutes),
    }),
    success: { status: 200, body: Data(DayBooking) },
  },
  /** The amount that the guest is asked for. Null when nothing is asked. */
  askDeposit: {
    ...ManagerWrite,
    method: "POST",
    path: `${BOOKING_PATH}/deposit`,
    body: Type.Object({ seen_version: Version, amount_minor: MinorWithin({ minimum: 1, maximum: PRICE_MAX }) }),
    success: { status: 200, body: Data(DayBooking) },
  },
  takeDeposit: {
    ...ManagerWrite,
    method: "POST",
    path: `${BOOKING_PATH}/payments`,
    body: Type.Object({ seen_version: Version, method: Literals(["cash", "card_terminal", "other"]) }),
    success: { status: 201, body: Data(DayBooking) },
  },
  refundDeposit: {
    ...ManagerWrite,
    method: "POST",
    path: `${BOOKING_PATH}/refunds`,
    body: Type.Object({ seen_version: Version, reason: Type.String({ minLength: 3, maxLength: 200 }) }),
    success: { status: 201, body: Data(DayBooking) },
  },
  /** 422 `table_ids` when a booking holds one of the tables then. Without tables all of the branch are blocked. */
  blockTables: {
    ...ManagerWrite,
    method: "POST",
    path: "/venues/{venue}/table-blocks",
    body: Type.Object({
      branch_id: Type.Optional(Nullable(Id)),
      table_ids: Type.Optional(TableIds),
      starts_at: Instant,
      ends_at: Instant,
      reason: Type.String({ minLength: 1, maxLength: 200 }),
    }),
    success: { status: 201, body: Data(TableBlock) },
  },
  endBlock: {
    ...ManagerWrite,
    method: "DELETE",
    path: "/venues/{venue}/table-blocks/{block}",
    success: { status: 200, body: Data(Type.Object({})) },
  },
} as const satisfies Record<string, ConsoleOperation>;
