/**
 * The venue file: everything an owner configures, as one JSON document that `comanda venue import` reads and
 * `comanda venue export` writes. Things that refer to each other carry a `key`, a short name unique in its list.
 */
import { type Static, type TSchema, Type } from "typebox";
import { Allergen, DESCRIPTION_LENGTH_MAX, Dietary, NAME_LENGTH_MAX } from "./menu.ts";
import { ORDER_TYPES } from "./orders.ts";
import { Currency, DateTime, LANGUAGE_PATTERN, Literals, Minor, Nullable, Shape, TranslationsInput } from "./shared.ts";

export const VENUE_FILE_FORMAT = "comanda.venue/1";

/** May be left out of a file; whoever reads the file gets this value instead. */
const Default = <T extends TSchema>(schema: T, value: unknown): T => ({ ...schema, default: value });

/** A member with a default need not be there, though the type says that it always is: reading fills it in. */
const withoutDefaultsRequired = <T extends TSchema>(schema: T): T => {
  const { properties, required, items, ...rest } = schema as T & {
    properties?: Record<string, TSchema & { default?: unknown }>;
    required?: string[];
    items?: TSchema;
  };
  return {
    ...rest,
    ...(items ? { items: withoutDefaultsRequired(items) } : {}),
    ...(properties
      ? {
          properties: Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, withoutDefaultsRequired(property)])),
          required: (required ?? []).filter((name) => properties[name]?.default === undefined),
        }
      : {}),
  } as unknown as T;
};

const Key = Type.String({ pattern: "^[a-z0-9][a-z0-9_-]{0,63}$", description: "Short name, unique in its list." });
const Name = TranslationsInput({ lengthMax: NAME_LENGTH_MAX });
const Language = Type.String({ pattern: LANGUAGE_PATTERN, maxLength: 35 });
const Text = (lengthMax: number, description?: string) =>
  Type.String({ minLength: 1, maxLength: lengthMax, ...(description ? { description } : {}) });
const CalendarDate = Type.String({ format: "date" });
const Percent = Type.Number({ minimum: 0, maximum: 100, multipleOf: 0.001 });
const Days = (max: number, min = 0) => Type.Integer({ minimum: min, maximum: max });

export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export const Hours = Type.Array(
  Type.Object(
    {
      days: Type.Array(Literals(WEEKDAYS), { minItems: 1, maxItems: 7, uniqueItems: true }),
      from: Type.String({ pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$" }),
      to: Type.String({ pattern: "^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$" }),
    },
    { additionalProperties: false },
  ),
  {
    maxItems: 50,
    description:
      "Weekly spans on the branch's clock. A `to` at or before `from` is on the next day. An empty list is never; null is always.",
  },
);
export type Hours = Static<typeof Hours>;

const strict = { additionalProperties: false };

const Restaurant = Type.Object(
  {
    slug: Type.String({ pattern: "^[a-z0-9][a-z0-9-]{1,62}$" }),
    name: Name,
    currency: Currency,
    zone: Text(64, "IANA time zone, for example Europe/Rome."),
    default_language: Language,
    plan: Type.Optional(Key),
    email: Default(Nullable(Type.String({ format: "email", maxLength: 254 })), null),
    phone: Default(Nullable(Text(40)), null),
  },
  strict,
);

const Branch = Type.Object(
  {
    key: Key,
    name: Name,
    is_default: Default(Type.Boolean(), false),
    address: Default(Nullable(Text(500)), null),
    hours: Default(Nullable(Hours), null),
    closing_days: Default(
      Type.Array(Type.Object({ date: CalendarDate, reason: Default(Nullable(Text(200)), null) }, strict), { maxItems: 1000 }),
      [],
    ),
  },
  strict,
);

const Table = Type.Object(
  {
    key: Key,
    branch: Key,
    name: Text(60),
    code: Default(Nullable(Text(60, "What the guest's QR code carries; asked for in dine-in orders.")), null),
    seats: Type.Integer({ minimum: 1, maximum: 100 }),
    is_active: Default(Type.Boolean(), true),
  },
  strict,
);

const TableCombination = Type.Object(
  {
    tables: Type.Array(Key, { minItems: 2, maxItems: 10, uniqueItems: true }),
    seats: Type.Integer({ minimum: 1, maximum: 500 }),
  },
  strict,
);

const ModifierGroupFile = Type.Object(
  {
    key: Key,
    name: Name,
    min_select: Default(Type.Integer({ minimum: 0, maximum: 100 }), 0),
    max_select: Default(Nullable(Type.Integer({ minimum: 1, maximum: 100 })), null),
    options: Type.Array(
      Type.Object({ key: Key, name: Name, price_minor: Default(Minor, 0), is_available: Default(Type.Boolean(), true) }, strict),
      { maxItems: 100 },
    ),
  },
  strict,
);

const ItemFile = Type.Object(
  {
    key: Key,
    name: Name,
    description: Default(Nullable(TranslationsInput({ lengthMax: DESCRIPTION_LENGTH_MAX })), null),
    price_minor: Default(Nullable(Minor), null),
    variants: Default(
      Type.Array(Type.Object({ key: Key, name: Name, price_minor: Minor, is_default: Default(Type.Boolean(), false) }, strict), {
        maxItems: 20,
      }),
      [],
    ),
    modifier_groups: Default(Type.Array(Key, { maxItems: 100, uniqueItems: true }), []),
    dietary: Default(Dietary, "none"),
    allergens: Default(Nullable(Type.Array(Allergen, { maxItems: 14, uniqueItems: true })), null),
    is_available: Default(Type.Boolean(), true),
    show_online: Default(Type.Boolean(), true),
    tax: Default(Nullable(Key), null),
  },
  strict,
);

const CategoryFile = Type.Object(
  {
    key: Key,
    name: Name,
    is_active: Default(Type.Boolean(), true),
    hours: Default(Nullable(Hours), null),
    station: Default(Nullable(Text(60, "The kitchen station that cooks this category.")), null),
    items: Type.Array(ItemFile, { maxItems: 2000 }),
  },
  strict,
);

const MenuFile = Type.Object(
  {
    key: Key,
    name: Name,
    is_active: Default(Type.Boolean(), true),
    hours: Default(Nullable(Hours), null),
    categories: Type.Array(CategoryFile, { maxItems: 500 }),
  },
  strict,
);

export const HappyHour = Type.Object(
  {
    key: Key,
    name: Name,
    is_active: Default(Type.Boolean(), true),
    hours: Default(Nullable(Hours), null),
    percent_off: Default(Nullable(Percent), null),
    price_minor: Default(Nullable(Minor), null),
    categories: Default(Type.Array(Key, { maxItems: 500 }), []),
    items: Default(Type.Array(Key, { maxItems: 2000 }), []),
    variants: Default(Type.Array(Type.Object({ item: Key, variant: Key }, strict), { maxItems: 2000 }), []),
  },
  { ...strict, description: "Exactly one of `percent_off` and `price_minor` is set; the lowest price wins where several run." },
);

export const OrderingRules = Type.Object(
  {
    types: Default(
      Type.Array(Type.Object({ type: Literals(ORDER_TYPES), minimum_minor: Default(Minor, 0) }, strict), {
        maxItems: 3,
        description: "The order types offered, each with its minimum.",
      }),
      ORDER_TYPES.map((type) => ({ type, minimum_minor: 0 })),
    ),
    schedule_days_max: Default(Days(730), 365),
    delivery_fee_minor: Default(Minor, 0),
    delivery_zones: Default(
      Type.Array(
        Type.Object(
          {
            name: Text(120),
            cities: Type.Array(Text(120), { minItems: 1, maxItems: 500 }),
            fee_minor: Minor,
            minimum_minor: Default(Nullable(Minor), null),
          },
          strict,
        ),
        { maxItems: 200, description: "No zones: everywhere, at the flat fee. A zone without a minimum takes the one for delivery." },
      ),
      [],
    ),
  },
  strict,
);
export type OrderingRules = Static<typeof OrderingRules>;

const PartySize = Type.Integer({ minimum: 1, maximum: 500 });

export const BookingRules = Type.Object(
  {
    slot_minutes: Default(Type.Integer({ minimum: 5, maximum: 240 }), 30),
    turn_times: Default(
      Type.Array(
        Type.Object({ party_size_max: Default(Nullable(PartySize), null), minutes: Type.Integer({ minimum: 15, maximum: 720 }) }, strict),
        { minItems: 1, maxItems: 20, description: "First row whose `party_size_max` fits; null fits any party." },
      ),
      [{ party_size_max: null, minutes: 90 }],
    ),
    service_periods: Default(Nullable(Hours), null),
    party_size_max: Default(PartySize, 20),
    lead_minutes: Default(Type.Integer({ minimum: 0, maximum: 43_200 }), 0),
    horizon_days: Default(Days(730), 365),
    allow_overbooking: Default(Type.Boolean(), false),
    waiting_list: Default(Type.Boolean(), false),
    guarantee: Default(
      Nullable(
        Type.Object(
          {
            type: Literals(["deposit", "card"]),
            amount_minor: Minor,
            per_person: Default(Type.Boolean(), false),
            party_size_min: Default(PartySize, 1),
            hours: Default(Nullable(Hours), null),
          },
          strict,
        ),
      ),
      null,
    ),
  },
  strict,
);
export type BookingRules = Static<typeof BookingRules>;

const Tax = Type.Object(
  { key: Key, name: Text(60), rate: Percent, inclusive: Type.Boolean(), is_default: Default(Type.Boolean(), false) },
  strict,
);

const Promotion = Type.Object(
  {
    key: Key,
    name: Name,
    is_active: Default(Type.Boolean(), true),
    hours: Default(Nullable(Hours), null),
    types: Default(Type.Array(Literals(ORDER_TYPES), { minItems: 1, maxItems: ORDER_TYPES.length, uniqueItems: true }), ORDER_TYPES),
    subtotal_min_minor: Default(Minor, 0),
    percent_off: Default(Nullable(Percent), null),
    amount_off_minor: Default(Nullable(Minor), null),
  },
  strict,
);

const ServiceCharge = Type.Object(
  {
    percent: Percent,
    types: Default(Type.Array(Literals(ORDER_TYPES), { maxItems: ORDER_TYPES.length, uniqueItems: true }), ["dine_in"]),
    tax: Default(Nullable(Key), null),
  },
  strict,
);

export const Charges = Type.Object(
  {
    taxes: Default(Type.Array(Tax, { maxItems: 20 }), []),
    service_charge: Default(Nullable(ServiceCharge), null),
    delivery_fee_tax: Default(Nullable(Key), null),
    promotions: Default(
      Type.Array(Promotion, { maxItems: 100, description: "Discounts that apply by themselves; the largest one wins." }),
      [],
    ),
  },
  strict,
);
export type Charges = Static<typeof Charges>;

export const STAFF_ROLES = ["owner", "manager", "staff"] as const;

const Staff = Type.Object(
  {
    email: Type.String({ format: "email", maxLength: 254 }),
    name: Text(120),
    role: Literals(STAFF_ROLES),
    locale: Default(Nullable(Language), null),
  },
  strict,
);

const GuestFile = Type.Object(
  {
    key: Key,
    name: Text(120),
    phone: Default(Nullable(Text(40)), null),
    email: Default(Nullable(Type.String({ format: "email", maxLength: 254 })), null),
    locale: Default(Nullable(Language), null),
    marketing_opted_in: Default(Type.Boolean(), false),
    marketing_opted_in_at: Default(Nullable(DateTime), null),
    staff_note: Default(Nullable(Text(2000)), null),
  },
  strict,
);

export const VenueFile = withoutDefaultsRequired(
  Shape(
    "VenueFile",
    {
      format: Literals([VENUE_FILE_FORMAT]),
      restaurant: Restaurant,
      branches: Type.Array(Branch, { minItems: 1, maxItems: 200 }),
      tables: Default(Type.Array(Table, { maxItems: 2000 }), []),
      table_combinations: Default(Type.Array(TableCombination, { maxItems: 2000 }), []),
      modifier_groups: Default(Type.Array(ModifierGroupFile, { maxItems: 1000 }), []),
      menus: Type.Array(MenuFile, { maxItems: 50 }),
      happy_hours: Default(Type.Array(HappyHour, { maxItems: 200 }), []),
      ordering: Default(OrderingRules, {}),
      booking: Default(BookingRules, {}),
      charges: Default(Charges, {}),
      staff: Default(Type.Array(Staff, { maxItems: 1000 }), []),
      guests: Default(Type.Array(GuestFile, { maxItems: 100_000 }), []),
    },
    strict,
  ),
);
export type VenueFile = Static<typeof VenueFile>;
