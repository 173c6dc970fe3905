/** Experiences: what guests buy tickets for, their sessions with seats, the tickets that staff sell, and the guest list of a session. */
import { type Static, Type } from "typebox";
import { Currency, Id, Literals, MinorWithin, Nullable, TimeOfDay, Translations } from "../shared.ts";
import { ExperienceFile } from "../venue-file/experiences.ts";
import { Key, Language } from "../venue-file/fields.ts";
import { COUNTER_TICKET_METHODS, SEATS_MAX, TICKET_METHODS, TICKETS_MAX, TICKETS_STATES, WEEKS_MAX } from "./experience-limits.ts";
import { GuestContactDetails } from "./guests.ts";
import { type ConsoleOperation, Count, Data, Done, Instant } from "./operation.ts";

const Version = Type.Integer({ minimum: 1 });
const Reason = Type.String({ minLength: 3, maxLength: 200, pattern: "\\S" });
const Seats = Type.Integer({ minimum: 1, maximum: SEATS_MAX });
const Tickets = Type.Integer({ minimum: 1, maximum: TICKETS_MAX });
const TicketsAmount = MinorWithin({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Day = Type.String({ format: "date" });

const { name, description, price_minor, branch, is_active } = ExperienceFile.properties;
export const ExperienceValue = Type.Object({ name, description, price_minor, branch, is_active });
export type ExperienceValue = Static<typeof ExperienceValue>;

/** `version` changes with the value. */
export const ExperienceDetails = Type.Object({ id: Id, version: Version, value: ExperienceValue });
export type ExperienceDetails = Static<typeof ExperienceDetails>;

/** A removed one is listed while one of its sessions is. */
export const ListedExperience = Type.Object({
  id: Id,
  version: Version,
  name: Translations,
  price_minor,
  branch,
  is_active: Type.Boolean(),
  is_removed: Type.Boolean(),
});
export type ListedExperience = Static<typeof ListedExperience>;

/** What is neither sold nor held is left. `version` changes with the seats and with a cancellation, not with sales. */
export const ExperienceSession = Type.Object({
  id: Id,
  version: Version,
  experience_id: Id,
  starts_at: Instant,
  capacity: Seats,
  sold: Count,
  held: Count,
  is_cancelled: Type.Boolean(),
});
export type ExperienceSession = Static<typeof ExperienceSession>;

export const ExperienceDesk = Type.Object({
  experiences: Type.Array(ListedExperience),
  /**
   * Sessions from the first day on, the next ones first. Cancelled sessions of earlier days whose tickets are not all refunded come before
   * them.
   */
  sessions: Type.Array(ExperienceSession),
  /** Later sessions exist. */
  is_cut: Type.Boolean(),
  from: Day,
  /** The present day on the venue's clock. */
  today: Day,
  branches: Type.Array(Type.Object({ key: Key, name: Translations })),
  currency: Currency,
  default_language: Language,
  zone: Type.String(),
});
export type ExperienceDesk = Static<typeof ExperienceDesk>;

/** The name is the one that staff wrote down; after an erasure it says so. Without phone and e-mail it is erased 30 days after the session. */
export const SessionBooking = Type.Object({
  id: Id,
  version: Version,
  state: Literals(TICKETS_STATES),
  tickets: Tickets,
  arrived: Count,
  amount_minor: TicketsAmount,
  /** What is left of the payment: less than the amount after a refund of a part. */
  refundable_minor: TicketsAmount,
  name: Type.String(),
  phone: Nullable(Type.String()),
  email: Nullable(Type.String()),
  guest_id: Nullable(Id),
  /** While they are held: until when. */
  hold_ends_at: Instant,
  paid_at: Nullable(Instant),
  /** Null for tickets that are not paid, or free. */
  method: Nullable(Literals(TICKET_METHODS)),
  sold_by: Type.String(),
});
export type SessionBooking = Static<typeof SessionBooking>;

export const SessionSheet = Type.Object({
  session: ExperienceSession,
  experience: Type.Object({ id: Id, name: Translations, description: Nullable(Translations), price_minor, is_active: Type.Boolean() }),
  branch: Translations,
  /** Held and paid ones, by name. */
  bookings: Type.Array(SessionBooking),
  /** Released, expired, refunded and cancelled ones, the latest first. Not all of them. */
  ended: Type.Array(SessionBooking),
  /** Why no tickets are sold: null while they are. */
  closed_because: Nullable(Literals(["cancelled", "over", "inactive"])),
  currency: Currency,
  default_language: Language,
  zone: Type.String(),
});
export type SessionSheet = Static<typeof SessionSheet>;

/** Answers of writes are stored for repeated requests, so they have no personal data: the page reads the session again. */
export const ChangedTickets = Type.Object({
  id: Id,
  version: Version,
  state: Literals(TICKETS_STATES),
  tickets: Tickets,
  arrived: Count,
  amount_minor: TicketsAmount,
  hold_ends_at: Instant,
});
export type ChangedTickets = Static<typeof ChangedTickets>;

const PATH = "/venues/{venue}/experiences" as const;
const EXPERIENCE_PATH = `${PATH}/{id}` as const;
const SESSION_PATH = "/venues/{venue}/experience-sessions/{id}" as const;
const BOOKING_PATH = "/venues/{venue}/experience-bookings/{id}" as const;

const Write = { method: "POST", who: "manager", isService: true, isIdempotent: true } as const;
const Sale = { ...Write, who: "staff" } as const;
/** Guests have tickets: they come, or get their money back, also while the venue is suspended. */
const Promised = { ...Sale, finishesOrders: true } as const;

const Seen = { seen_version: Version };

export const experienceOperations = {
  /** Sessions from a day on; without one, from today. */
  readExperiences: {
    method: "GET",
    path: PATH,
    who: "staff",
    isService: true,
    query: Type.Object({ from: Type.Optional(Day) }),
    success: { status: 200, body: Data(ExperienceDesk) },
  },
  readExperience: {
    method: "GET",
    path: EXPERIENCE_PATH,
    who: "manager",
    isService: true,
    success: { status: 200, body: Data(ExperienceDetails) },
  },
  addExperience: {
    ...Write,
    path: PATH,
    bodyBytesMax: 64 * 1024,
    body: Type.Object({ experience: ExperienceValue }),
    success: { status: 201, body: Data(ExperienceDetails) },
  },
  /** 409 `state_changed` when it is no longer as the page saw it. Tickets that are held or sold keep their price. */
  saveExperience: {
    ...Write,
    method: "PUT",
    path: EXPERIENCE_PATH,
    bodyBytesMax: 64 * 1024,
    body: Type.Object({ ...Seen, experience: ExperienceValue }),
    success: { status: 200, body: Data(ExperienceDetails) },
  },
  /**
   * 422 `sessions` while tickets are held or sold for a session to come, or those of a cancelled session are not refunded. Its other sessions
   * to come are cancelled.
   */
  removeExperience: { ...Write, path: `${EXPERIENCE_PATH}/remove`, body: Type.Object(Seen), success: { status: 200, body: Done } },
  /** Plans sessions on the venue's clock, once or week by week. 422 `date` when it is past, or there is a session at that moment. */
  addExperienceSessions: {
    ...Write,
    path: `${EXPERIENCE_PATH}/sessions`,
    body: Type.Object({ date: Day, time: TimeOfDay, capacity: Seats, weeks: Type.Integer({ minimum: 1, maximum: WEEKS_MAX }) }),
    success: { status: 201, body: Data(Type.Array(ExperienceSession)) },
  },
  readExperienceSession: {
    method: "GET",
    path: SESSION_PATH,
    who: "staff",
    isService: true,
    success: { status: 200, body: Data(SessionSheet) },
  },
  /** 422 `capacity` below what is sold and held. */
  changeExperienceSession: {
    ...Write,
    method: "PUT",
    path: SESSION_PATH,
    body: Type.Object({ ...Seen, capacity: Seats }),
    success: { status: 200, body: Data(ExperienceSession) },
  },
  /** Held tickets are released. Paid ones stay until each of them is refunded. */
  cancelExperienceSession: {
    ...Write,
    path: `${SESSION_PATH}/cancellation`,
    body: Type.Object({ ...Seen, reason: Reason }),
    success: { status: 200, body: Data(ExperienceSession) },
  },
  /**
   * Holds them for five minutes; free tickets are sold at once. 422 `tickets` when fewer are left, `session` when none are sold. With a phone
   * number or an e-mail address the guest is found by it, or gets a profile.
   */
  bookTickets: {
    ...Sale,
    path: `${SESSION_PATH}/bookings`,
    body: Type.Object({
      tickets: Tickets,
      name: GuestContactDetails.properties.name,
      phone: GuestContactDetails.properties.phone,
      email: GuestContactDetails.properties.email,
    }),
    success: { status: 201, body: Data(ChangedTickets) },
  },
  /** Holds tickets again whose hold has run out, if as many are left. They keep their price. */
  holdTicketsAgain: {
    ...Sale,
    path: `${BOOKING_PATH}/hold`,
    body: Type.Object(Seen),
    success: { status: 200, body: Data(ChangedTickets) },
  },
  releaseTickets: {
    ...Sale,
    path: `${BOOKING_PATH}/release`,
    body: Type.Object(Seen),
    success: { status: 200, body: Data(ChangedTickets) },
  },
  /** All of them at once. 422 `booking` when the hold has run out. */
  payTickets: {
    ...Promised,
    path: `${BOOKING_PATH}/payments`,
    body: Type.Object({ ...Seen, method: Literals(COUNTER_TICKET_METHODS) }),
    success: { status: 201, body: Data(ChangedTickets) },
  },
  /** 422 `code` for an unknown code, `gift_card` for a card that is frozen or expired, `amount_minor` when less is on the card. */
  payTicketsWithGiftCard: {
    ...Promised,
    path: `${BOOKING_PATH}/gift-card-payments`,
    triesCodes: true,
    body: Type.Object({ ...Seen, code: Type.String({ minLength: 1, maxLength: 60 }) }),
    success: { status: 201, body: Data(ChangedTickets) },
  },
  /** All that is left of the payment; what a gift card paid goes back to the card. Free tickets are cancelled. The seats can be sold again. */
  refundTickets: {
    ...Promised,
    who: "manager",
    path: `${BOOKING_PATH}/refunds`,
    body: Type.Object({ ...Seen, reason: Reason }),
    success: { status: 201, body: Data(ChangedTickets) },
  },
  /** How many of the party are here. A smaller number takes arrivals back. */
  setArrivedGuests: {
    ...Promised,
    method: "PUT",
    path: `${BOOKING_PATH}/arrived`,
    body: Type.Object({ ...Seen, arrived: Type.Integer({ minimum: 0, maximum: TICKETS_MAX }) }),
    success: { status: 200, body: Data(ChangedTickets) },
  },
} as const satisfies Record<string, ConsoleOperation>;
