/** Guests in the console: search, profile, consent, and what a guest may ask for: correction, a copy of the data, erasure. */
import { type Static, Type } from "typebox";
import { Currency, Id, LANGUAGE_PATTERN, Literals, MinorWithin, Nullable, Translations } from "../shared.ts";

import { ORDER_STATUSES, ORDER_TYPES } from "../venue/orders.ts";
import { RESERVATION_STATUSES } from "../venue/reservations.ts";
import { TICKETS_STATES } from "./experience-limits.ts";
import { CONSENT_SOURCES, ERASED_KINDS, type ErasedKind, STAFF_CONSENT_SOURCES } from "./guest-kinds.ts";
import { type ConsoleOperation, Count, Data, Instant } from "./operation.ts";

const Amount = MinorWithin({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
/** A person writes 2,000 characters; a merge puts the notes of both profiles together. */
export const STAFF_NOTE_LENGTH_MAX = 16_000;

/** What the staff can correct. Phone and e-mail are shown to staff with or without consent. */
export const GuestContactDetails = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 120, pattern: "\\S" }),
  phone: Nullable(Type.String({ minLength: 1, maxLength: 40, pattern: "\\S" })),
  email: Nullable(Type.String({ format: "email", maxLength: 254 })),
  locale: Nullable(Type.String({ pattern: LANGUAGE_PATTERN, maxLength: 35 })),
});
export type GuestContactDetails = Static<typeof GuestContactDetails>;

export const FoundGuest = Type.Object({
  id: Id,
  name: Type.String(),
  phone: Nullable(Type.String()),
  email: Nullable(Type.String()),
  visits_count: Count,
  last_visit_at: Nullable(Instant),
  marketing_opted_in: Type.Boolean(),
});
export type FoundGuest = Static<typeof FoundGuest>;

export const ConsentEntry = Type.Object({
  id: Id,
  at: Instant,
  is_given: Type.Boolean(),
  source: Literals(CONSENT_SOURCES),
  /** Empty when the service recorded it without a person. */
  recorded_by: Type.String(),
});
export type ConsentEntry = Static<typeof ConsentEntry>;

/** A profile that was merged into this one. Its number and address still lead to this guest. */
export const OtherContact = Type.Object({ id: Id, name: Type.String(), phone: Nullable(Type.String()), email: Nullable(Type.String()) });
export type OtherContact = Static<typeof OtherContact>;

const GuestOrder = Type.Object({
  id: Type.String(),
  number: Nullable(Type.Integer({ minimum: 1 })),
  type: Literals(ORDER_TYPES),
  status: Literals(ORDER_STATUSES),
  total_minor: Amount,
  placed_at: Instant,
});
const GuestReservation = Type.Object({
  id: Type.String(),
  status: Literals(RESERVATION_STATUSES),
  party_size: Type.Integer({ minimum: 1 }),
  starts_at: Instant,
});
const GuestExperience = Type.Object({
  id: Id,
  session_id: Id,
  name: Translations,
  tickets: Type.Integer({ minimum: 1 }),
  state: Literals(TICKETS_STATES),
  starts_at: Instant,
});

export const GuestProfile = Type.Object({
  id: Id,
  /** Changes with details, note, consent and merges, not with visits. */
  version: Type.String(),
  ...GuestContactDetails.properties,
  note: Nullable(Type.String()),
  marketing_opted_in: Type.Boolean(),
  marketing_opted_in_at: Nullable(Instant),
  visits_count: Count,
  total_spend_minor: Amount,
  currency: Currency,
  last_visit_at: Nullable(Instant),
  created_at: Instant,
  /** The newest first. */
  consents: Type.Array(ConsentEntry),
  other_contacts: Type.Array(OtherContact),
  /** The latest ones, the newest first. */
  orders: Type.Array(GuestOrder),
  reservations: Type.Array(GuestReservation),
  experiences: Type.Array(GuestExperience),
  /** Older orders, bookings or tickets exist. */
  is_cut: Type.Boolean(),
  zone: Type.String(),
});
export type GuestProfile = Static<typeof GuestProfile>;

/** What was erased, by kind. It holds no personal data. */
export const ErasureReceipt = Type.Object({
  guest_id: Id,
  erased_at: Instant,
  erased_by: Type.String(),
  erased: Type.Object(Object.fromEntries(ERASED_KINDS.map((kind) => [kind, Count])) as Record<ErasedKind, typeof Count>),
});
export type ErasureReceipt = Static<typeof ErasureReceipt>;

/** All data that is held about one guest. Its parts are open records: they hold rows as they are stored. */
const ExportedRows = Type.Array(Type.Record(Type.String(), Type.Unknown()));
export const GuestExport = Type.Object({
  exported_at: Instant,
  restaurant: Type.String(),
  profile: Type.Record(Type.String(), Type.Unknown()),
  merged_profiles: ExportedRows,
  consents: ExportedRows,
  orders: ExportedRows,
  reservations: ExportedRows,
  waitlist: ExportedRows,
  gift_cards: ExportedRows,
  reviews: ExportedRows,
  experience_bookings: ExportedRows,
  messages: ExportedRows,
  reasons: ExportedRows,
  events: ExportedRows,
});
export type GuestExport = Static<typeof GuestExport>;

/** Answers of writes are stored for repeated requests, so they have no personal data: the page reads the profile again. */
const Changed = Data(Type.Object({ id: Id }));

const GUESTS_PATH = "/venues/{venue}/guests" as const;
const GUEST_PATH = `${GUESTS_PATH}/{id}` as const;

export const guestProfileOperations = {
  /**
   * Searches all guests by the end of a phone number, or by the beginning of the first or last name. It also searches the profiles that
   * changed last by a part inside of either. Guests with the latest visit come first.
   */
  findGuests: {
    method: "GET",
    path: GUESTS_PATH,
    who: "staff",
    isService: true,
    perMinute: 120,
    query: Type.Object({ search: Type.Optional(Type.String({ minLength: 1, maxLength: 80 })) }),
    success: { status: 200, body: Data(Type.Object({ guests: Type.Array(FoundGuest), is_cut: Type.Boolean() })) },
  },
  readGuestProfile: { method: "GET", path: GUEST_PATH, who: "staff", isService: true, success: { status: 200, body: Data(GuestProfile) } },
  /** 409 `state_changed` when the note is not the one that the page saw; `details` has the profile and who changed it. */
  setGuestNote: {
    method: "PUT",
    path: `${GUEST_PATH}/note`,
    who: "staff",
    isService: true,
    isIdempotent: true,
    bodyBytesMax: 64 * 1024,
    body: Type.Object({
      seen_note: Nullable(Type.String({ maxLength: STAFF_NOTE_LENGTH_MAX })),
      note: Nullable(Type.String({ minLength: 1, maxLength: 2000, pattern: "\\S" })),
    }),
    success: { status: 200, body: Changed },
  },
  /** 409 as above. 422 `phone` when another guest has this number. */
  changeGuestDetails: {
    method: "PUT",
    path: `${GUEST_PATH}/details`,
    who: "staff",
    isService: true,
    isIdempotent: true,
    body: Type.Object({
      seen: Type.Object({
        name: Type.String({ maxLength: 500 }),
        phone: Nullable(Type.String({ maxLength: 500 })),
        email: Nullable(Type.String({ maxLength: 500 })),
        locale: Nullable(Type.String({ maxLength: 500 })),
      }),
      details: GuestContactDetails,
    }),
    success: { status: 200, body: Changed },
  },
  recordGuestConsent: {
    method: "POST",
    path: `${GUEST_PATH}/consents`,
    who: "manager",
    isService: true,
    isIdempotent: true,
    body: Type.Object({ seen_is_given: Type.Boolean(), is_given: Type.Boolean(), source: Literals(STAFF_CONSENT_SOURCES) }),
    success: { status: 201, body: Changed },
  },
  /** The guest of the path stays, the other one becomes part of it. It cannot be undone. */
  mergeGuests: {
    method: "POST",
    path: `${GUEST_PATH}/merge`,
    who: "manager",
    isService: true,
    isIdempotent: true,
    body: Type.Object({
      other_id: Id,
      seen_version: Type.String({ maxLength: 80 }),
      other_seen_version: Type.String({ maxLength: 80 }),
    }),
    success: { status: 200, body: Changed },
  },
  /** Works without a plan too: a guest's right to the data does not depend on it. Each export is in the activity log. */
  exportGuest: {
    method: "POST",
    path: `${GUEST_PATH}/export`,
    who: "manager",
    perMinute: 30,
    body: Type.Object({}),
    success: { status: 200, body: Data(GuestExport) },
  },
  /** Works without a plan too. It cannot be undone; the receipt is kept in the activity log. */
  eraseGuest: {
    method: "POST",
    path: `${GUEST_PATH}/erasure`,
    who: "owner",
    isIdempotent: true,
    body: Type.Object({ seen_version: Type.String({ maxLength: 80 }) }),
    success: { status: 200, body: Data(ErasureReceipt) },
  },
} as const satisfies Record<string, ConsoleOperation>;
