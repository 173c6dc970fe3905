/** Opening a venue in the browser: the link, the venue's first settings and dishes, a test order, going live. */
import { type Static, Type } from "typebox";
import { Currency, Literals, Minor, Nullable, TranslationsInput } from "../shared.ts";
import { NAME_LENGTH_MAX } from "../venue/menu.ts";
import { ORDER_STATUSES } from "../venue/orders.ts";
import { Language, strict, Text } from "../venue-file/fields.ts";
import { WEEKDAYS } from "../venue-file/opening-hours.ts";
import { type ConsoleOperation, Data, Done } from "./operation.ts";
import { Email, LinkSecret, NewPassword, SignedIn } from "./session.ts";

export const FIRST_CATEGORIES_MAX = 10;
export const FIRST_DISHES_MAX = 60;

const OpeningTime = Type.String({ pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$" });
const Name = TranslationsInput({ lengthMax: NAME_LENGTH_MAX });

/** Hours that are equal on every day that is not closed. A `to` at or before `from` is on the next day. */
const FirstHours = Type.Object(
  { from: OpeningTime, to: OpeningTime, closed: Type.Array(Literals(WEEKDAYS), { maxItems: 6, uniqueItems: true }) },
  strict,
);
export type FirstHours = Static<typeof FirstHours>;

const FirstCategory = Type.Object(
  {
    name: Name,
    dishes: Type.Array(Type.Object({ name: Name, price_minor: Minor }, strict), { minItems: 1, maxItems: FIRST_DISHES_MAX }),
  },
  strict,
);
export type FirstCategory = Static<typeof FirstCategory>;

/** What a venue begins with. Everything else is set later, on the pages for it. */
export const FirstVenue = Type.Object(
  {
    name: Text(NAME_LENGTH_MAX),
    currency: Currency,
    zone: Text(64),
    language: Language,
    /** Null: always open. */
    hours: Nullable(FirstHours),
    menu: Type.Array(FirstCategory, { minItems: 1, maxItems: FIRST_CATEGORIES_MAX }),
  },
  strict,
);
export type FirstVenue = Static<typeof FirstVenue>;

const Opened = Type.Object({ slug: Type.String() });

const TestOrder = Type.Object({ id: Type.String(), status: Literals(ORDER_STATUSES) });

/** `is_suspended`: by the operator, so the owner cannot go live. */
const VenueOpening = Type.Object({ is_live: Type.Boolean(), is_suspended: Type.Boolean(), test_order: Nullable(TestOrder) });
export type VenueOpening = Static<typeof VenueOpening>;

/** A menu of first dishes in several languages. */
const FIRST_VENUE_BYTES_MAX = 65_536;

export const signUpOperations = {
  readSignUp: {
    method: "GET",
    path: "/sign-up",
    who: "anyone",
    success: { status: 200, body: Data(Type.Object({ is_open: Type.Boolean() })) },
  },
  /** The answer is the same whether anybody has that address or not; the mail says which. 404 where venues are opened by invitation. */
  askToSignUp: {
    method: "POST",
    path: "/sign-up",
    who: "anyone",
    body: Type.Object({ email: Email, locale: Type.Optional(Nullable(Literals(["en", "ar"]))) }),
    success: { status: 202, body: Done },
  },
  /** A POST, so that no log keeps the secret. */
  readSignUpLink: {
    method: "POST",
    path: "/sign-up/link",
    who: "anyone",
    body: Type.Object({ secret: LinkSecret }),
    success: { status: 200, body: Data(Type.Object({ email: Type.String(), has_account: Type.Boolean() })) },
  },
  /** Serves an address without an account: account, venue and session are one commit. The venue is not live. */
  openVenue: {
    method: "POST",
    path: "/sign-up/venue",
    who: "anyone",
    bodyBytesMax: FIRST_VENUE_BYTES_MAX,
    body: Type.Object({
      secret: LinkSecret,
      person_name: Text(120),
      password: NewPassword,
      locale: Type.Optional(Nullable(Literals(["en", "ar"]))),
      venue: FirstVenue,
    }),
    success: { status: 201, body: Data(Type.Object({ slug: Type.String(), session: SignedIn })) },
  },
  /** Serves a person who is signed in. Where venues are opened by invitation, it needs the secret of one to the same address. */
  openAnotherVenue: {
    method: "POST",
    path: "/person/venues",
    who: "person",
    isIdempotent: true,
    perMinute: 5,
    bodyBytesMax: FIRST_VENUE_BYTES_MAX,
    body: Type.Object({ secret: Type.Optional(Nullable(LinkSecret)), venue: FirstVenue }),
    success: { status: 201, body: Data(Opened) },
  },
  readOpening: { method: "GET", path: "/venues/{venue}/opening", who: "owner", success: { status: 200, body: Data(VenueOpening) } },
  /** One for the venue: a second call answers with the first order. Reports do not count it. 409 once the venue is live. */
  placeTestOrder: {
    method: "POST",
    path: "/venues/{venue}/opening/test-order",
    who: "owner",
    isIdempotent: true,
    perMinute: 20,
    success: { status: 201, body: Data(VenueOpening) },
  },
  /** Orders are accepted from here on. The test order is cancelled where it is still open. */
  goLive: {
    method: "POST",
    path: "/venues/{venue}/opening/live",
    who: "owner",
    revokes: "venue",
    isIdempotent: true,
    success: { status: 200, body: Data(VenueOpening) },
  },
} as const satisfies Record<string, ConsoleOperation>;
