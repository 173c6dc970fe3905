/** Parties that wait for a table. */
import { Type } from "typebox";
import { Id, Nullable } from "../shared.ts";
import { NewReservation } from "../venue/reservations.ts";
import { DayBooking, WaitlistEntry } from "./bookings.ts";
import { type ConsoleOperation, Count, Data } from "./operation.ts";

const PartySize = Type.Integer({ minimum: 1, maximum: 500 });
const { name, note } = NewReservation.properties;
const SeenVersion = { seen_version: Type.Integer({ minimum: 1 }) };
const ENTRY_PATH = "/venues/{venue}/waitlist/{entry}" as const;
const Write = { method: "POST", who: "staff", isService: true, isIdempotent: true, needsFeature: "reservations" } as const;

export const waitlistOperations = {
  /** How long a party would wait, from how long parties really stay. */
  quoteWait: {
    method: "GET",
    path: "/venues/{venue}/wait-quote",
    who: "staff",
    isService: true,
    needsFeature: "reservations",
    query: Type.Object({ party_size: PartySize, branch: Type.Optional(Id) }),
    success: { status: 200, body: Data(Type.Object({ minutes: Count })) },
  },
  addToWaitlist: {
    ...Write,
    path: "/venues/{venue}/waitlist",
    body: Type.Object({
      name,
      phone: Type.String({ maxLength: 40 }),
      note,
      party_size: PartySize,
      branch_id: Type.Optional(Nullable(Id)),
      /** The time that staff named to the party, where it is not the quote. */
      quoted_minutes: Type.Optional(Type.Integer({ minimum: 0, maximum: 600 })),
    }),
    success: { status: 201, body: Data(WaitlistEntry) },
  },
  /** Tells the party that its table is free. 422 `phone` without a number. */
  notifyWaiting: {
    ...Write,
    path: `${ENTRY_PATH}/notify`,
    body: Type.Object(SeenVersion),
    success: { status: 200, body: Data(WaitlistEntry) },
  },
  seatWaiting: {
    ...Write,
    path: `${ENTRY_PATH}/seat`,
    body: Type.Object({ ...SeenVersion, table_ids: Type.Optional(Type.Array(Id, { maxItems: 20, uniqueItems: true })) }),
    success: { status: 201, body: Data(DayBooking) },
  },
  /** The party went away. */
  removeWaiting: {
    ...Write,
    path: `${ENTRY_PATH}/remove`,
    body: Type.Object(SeenVersion),
    success: { status: 200, body: Data(Type.Object({})) },
  },
} as const satisfies Record<string, ConsoleOperation>;
