/** The booking area: its resource (contract §2.6), availability (§2.7), statuses (§3.2) and operations (§4.3). */
import { type Static, Type } from "typebox";
import type { Operation } from "../operation.ts";
import { CalendarDate, DateTime, Id, Literals, Minor, Nullable, One, Page, Paging, Shape, TimeOfDay, UUID_PATTERN } from "../shared.ts";

export const RESERVATION_STATUSES = ["pending", "confirmed", "declined", "cancelled", "seated", "no_show"] as const;
export const ReservationStatus = Literals(RESERVATION_STATUSES);
export type ReservationStatus = Static<typeof ReservationStatus>;

export const Reservation = Shape("Reservation", {
  id: Type.String({ pattern: UUID_PATTERN }),
  status: ReservationStatus,
  name: Type.String(),
  phone: Type.String(),
  email: Nullable(Type.String()),
  party_size: Type.Integer({ minimum: 1 }),
  date: CalendarDate,
  time: TimeOfDay,
  table_id: Nullable(Id),
  note: Nullable(Type.String()),
  deposit_minor: Nullable(Minor),
  deposit_status: Nullable(Type.String({ description: "pending, paid, refunded or forfeited." })),
  created_at: DateTime,
  updated_at: DateTime,
});
export type Reservation = Static<typeof Reservation>;

export const Availability = Shape("Availability", {
  date: CalendarDate,
  party_size: Type.Integer({ minimum: 1 }),
  engine: Type.Boolean({ description: "True: slots are worked out from tables and bookings. False: every open slot is offered." }),
  slots: Type.Array(
    Type.Object({
      time: TimeOfDay,
      available: Type.Boolean(),
      guarantee: Type.Boolean({
        description: "True: the restaurant asks for a card or a deposit at this time. A booking through the API takes neither.",
      }),
    }),
  ),
  guarantee: Nullable(Type.Object({ type: Literals(["deposit", "card"]), amount_minor: Minor, per_person: Type.Boolean() })),
  notify: Type.Boolean({ description: "True: guests may ask to be told when a table comes free." }),
});
export type Availability = Static<typeof Availability>;

export const NewReservation = Shape("NewReservation", {
  name: Type.String({ minLength: 1, maxLength: 120 }),
  phone: Type.String({ minLength: 1, maxLength: 40 }),
  email: Type.Optional(Nullable(Type.String({ format: "email", maxLength: 254 }))),
  party_size: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
  date: CalendarDate,
  time: Type.String({ ...TimeOfDay, format: "time-of-day" }),
  table_id: Type.Optional(Nullable(Id)),
  note: Type.Optional(Nullable(Type.String({ maxLength: 500 }))),
  status: Type.Optional(Literals(["pending", "confirmed"])),
});
export type NewReservation = Static<typeof NewReservation>;

export const reservationOperations = {
  listReservations: {
    method: "GET",
    path: "/reservations",
    scope: "reservations:read",
    feature: "reservations",
    tag: "Reservations",
    summary: "List bookings",
    description: "Bookings by date and time, page by page. Every condition given must hold.",
    query: Type.Object({
      date: Type.Optional(Type.String({ format: "date", description: "Only this day." })),
      from: Type.Optional(Type.String({ format: "date", description: "From this day on." })),
      to: Type.Optional(Type.String({ format: "date", description: "Up to this day." })),
      status: Type.Optional(Literals(RESERVATION_STATUSES, { description: "Only bookings in this status." })),
      ...Paging,
    }),
    success: { status: 200, body: Page(Reservation) },
    extraStatuses: [422],
  },
  createReservation: {
    method: "POST",
    path: "/reservations",
    scope: "reservations:write",
    feature: "reservations",
    tag: "Reservations",
    summary: "Make a booking",
    description:
      "The booking rules apply, a table is found for the party, and the guest is told as for a booking by phone. `time` may be any minute inside opening hours and, where the restaurant has service periods, inside one of those. No card and no deposit is taken, also where availability says `guarantee`.",
    body: NewReservation,
    sends: ["message"],
    success: { status: 201, body: One(Reservation) },
    extraStatuses: [422],
  },
  getAvailability: {
    method: "GET",
    path: "/availability",
    scope: "reservations:read",
    feature: "reservations",
    tag: "Reservations",
    summary: "Read free times",
    description: "The times of one day for one party, and which of them can be booked.",
    query: Type.Object({
      date: Type.String({ format: "date", description: "The day asked for." }),
      party_size: Type.Integer({ minimum: 1, description: "How many guests." }),
    }),
    success: { status: 200, body: One(Availability) },
    extraStatuses: [422],
  },
  getReservation: {
    method: "GET",
    path: "/reservations/{reservation}",
    scope: "reservations:read",
    feature: "reservations",
    tag: "Reservations",
    summary: "Read a booking",
    description: "One booking.",
    success: { status: 200, body: One(Reservation) },
    extraStatuses: [404],
  },
  cancelReservation: {
    method: "POST",
    path: "/reservations/{reservation}/cancel",
    scope: "reservations:write",
    feature: "reservations",
    tag: "Reservations",
    summary: "Cancel a booking",
    description:
      "Cancelled by the restaurant, whoever asked for it: `reservation.cancelled` says so. The guest is told and the table is free again.",
    sends: ["message"],
    success: { status: 200, body: One(Reservation) },
    extraStatuses: [404, 409],
  },
} as const satisfies Record<string, Operation>;
