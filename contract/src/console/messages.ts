/** Messages that the venue sends to guests and to its team: the state of each, sending a failed one again, setting it aside. */
import { type Static, Type } from "typebox";
import { Id, Literals, Nullable } from "../shared.ts";
import { type ConsoleOperation, Count, Data, Instant } from "./operation.ts";

/** What a message is about. Staff see those about bookings and parties that wait; managers see all. */
export const MESSAGE_SUBJECTS = ["reservation", "waiting", "order", "review", "shift_week", "staff"] as const;
export type MessageSubject = (typeof MESSAGE_SUBJECTS)[number];

/** `skipped`: it was not meant to be sent, because a newer one replaced it, or the venue is a sandbox. */
export const MESSAGE_STATES = ["waiting", "sent", "failed", "skipped"] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/**
 * Why the last attempt failed. `not_set_up`: the service has no mail server or no gateway for text messages. `address`: nothing can be sent to
 * it. `country`: the service sends no text messages there. `refused`: the receiving side said no, and will say so again. `unreachable`: it did
 * not answer. `limit`: the messages of a day were used up. `replaced`: a newer message took its place.
 */
export const MESSAGE_FAILURES = ["not_set_up", "address", "country", "refused", "unreachable", "limit", "replaced"] as const;
export type MessageFailure = (typeof MESSAGE_FAILURES)[number];

/** A message is sent again by hand at most this often. */
export const MESSAGE_RETRIES_MAX = 5;

export const VenueMessage = Type.Object({
  id: Id,
  kind: Type.String(),
  about: Literals(MESSAGE_SUBJECTS),
  subject_id: Type.String(),
  channel: Literals(["email", "sms"]),
  recipient: Type.String(),
  state: Literals(MESSAGE_STATES),
  /** Null after an attempt that succeeded, and before the first one. */
  failure: Nullable(Literals(MESSAGE_FAILURES)),
  attempts: Count,
  created_at: Instant,
  updated_at: Instant,
  can_retry: Type.Boolean(),
});
export type VenueMessage = Static<typeof VenueMessage>;

/** Answers of writes are stored for repeated requests, so they have no personal data. */
const ChangedMessage = Type.Object({ id: Id });

const MESSAGE_PATH = "/venues/{venue}/messages/{id}" as const;
const Write = { method: "POST", who: "staff", isService: true, isIdempotent: true } as const;
const Seen = { seen_attempts: Count };

export const messageOperations = {
  /**
   * Lists messages of the last seven days, the newest first. Without a subject it lists the last message about each; without `about` too,
   * messages that failed and were not set aside.
   */
  listMessages: {
    method: "GET",
    path: "/venues/{venue}/messages",
    who: "staff",
    isService: true,
    query: Type.Object({
      about: Type.Optional(Literals(MESSAGE_SUBJECTS)),
      subject: Type.Optional(Type.String({ minLength: 1, maxLength: 254 })),
    }),
    success: { status: 200, body: Data(Type.Array(VenueMessage)) },
  },
  /**
   * Sends the message to the same address, or to another one. 409 `state_changed` unless it failed as the page saw it. 422 `id` after five
   * times, or too late.
   */
  retryMessage: {
    ...Write,
    path: `${MESSAGE_PATH}/retry`,
    perMinute: 30,
    body: Type.Object({ ...Seen, recipient: Type.Optional(Type.String({ minLength: 3, maxLength: 254 })) }),
    success: { status: 200, body: Data(ChangedMessage) },
  },
  /** The venue knows that it failed. It stays with its subject. */
  setMessageAside: {
    ...Write,
    path: `${MESSAGE_PATH}/set-aside`,
    body: Type.Object(Seen),
    success: { status: 200, body: Data(ChangedMessage) },
  },
} as const satisfies Record<string, ConsoleOperation>;
