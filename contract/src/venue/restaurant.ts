/** What a program has to know before its first real call (decision 0064): its token and the restaurant. An addition to version 1. */
import { type Static, Type } from "typebox";
import type { Operation } from "../operation.ts";
import { ALL_SCOPES, FEATURES } from "../scopes.ts";
import { CalendarDate, Currency, DateTime, Literals, MinorWithin, Nullable, One, Shape, Translations } from "../shared.ts";
import { WEEKDAYS } from "../venue-file/opening-hours.ts";
import { OrderType } from "./orders.ts";

const TOKEN_KINDS = ["live", "sandbox", "app"] as const;

/** The schema states no bounds, because they would be a third of the shape in the document. */
const Whole = Type.Integer();
const Amount = MinorWithin({});
const Time = Type.String();

const WeeklyHours = Type.Array(Type.Object({ days: Type.Array(Literals(WEEKDAYS)), from: Time, to: Time }), {
  title: "WeeklyHours",
  description: "Weekly spans. A `to` at or before `from` is on the next day. An empty list is never.",
});

export const RestaurantContext = Shape("RestaurantContext", {
  token: Type.Object({
    id: Whole,
    kind: Literals(TOKEN_KINDS),
    name: Type.String(),
    scopes: Type.Array(Literals(ALL_SCOPES)),
    expires_at: Nullable(DateTime),
    rate_per_minute: Whole,
  }),
  restaurant: Type.Object({
    id: Whole,
    slug: Type.String(),
    name: Translations,
    zone: Type.String(),
    currency: Currency,
    default_language: Type.String(),
    languages: Type.Array(Type.String()),
    is_sandbox: Type.Boolean(),
    is_suspended: Type.Boolean(),
  }),
  features: Type.Array(Literals(FEATURES)),
  order_types: Type.Array(
    Type.Object({
      type: OrderType,
      minimum_minor: Amount,
      fee_minor: Amount,
      service_charge_percent: Type.Number(),
      preparation_minutes: Whole,
      paused_until: Nullable(DateTime),
    }),
  ),
  delivery_zones: Type.Array(
    Type.Object({ name: Type.String(), cities: Type.Array(Type.String()), fee_minor: Amount, minimum_minor: Amount }),
  ),
  schedule_days_max: Whole,
  branches: Type.Array(
    Type.Object({
      id: Whole,
      name: Translations,
      is_default: Type.Boolean(),
      address: Nullable(Type.String()),
      hours: Nullable(WeeklyHours),
      closing_days: Type.Array(CalendarDate),
      tables: Type.Array(Type.Object({ id: Whole, name: Type.String(), code: Nullable(Type.String()), seats: Whole })),
    }),
  ),
  bookings: Nullable(
    Type.Object({ party_size_max: Whole, lead_minutes: Whole, horizon_days: Whole, service_periods: Nullable(WeeklyHours) }),
  ),
});
export type RestaurantContext = Static<typeof RestaurantContext>;

export const restaurantOperations = {
  getRestaurant: {
    method: "GET",
    path: "/restaurant",
    scope: null,
    isAddition: true,
    tag: "Restaurant",
    summary: "Read the context",
    description:
      "The token that calls, its restaurant, what can be ordered how, and when it is open. Read it first, and again when a rule refuses. Any token may call it.",
    success: { status: 200, body: One(RestaurantContext) },
    extraStatuses: [],
  },
} as const satisfies Record<string, Operation>;
