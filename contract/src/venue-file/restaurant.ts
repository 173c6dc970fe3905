/** The restaurant, its branches and its tables in a venue file. */
import { type Static, Type } from "typebox";
import { Currency, Literals, Nullable } from "../shared.ts";
import { Default, Key, Language, Name, strict, Text } from "./fields.ts";
import { Hours } from "./opening-hours.ts";

const CalendarDate = Type.String({ format: "date" });

export const Restaurant = Type.Object(
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

export const ClosingDay = Type.Object({ date: CalendarDate, reason: Default(Nullable(Text(200)), null) }, strict);
export const CLOSING_DAYS_MAX = 1000;

export const Branch = Type.Object(
  {
    key: Key,
    name: Name,
    is_default: Default(Type.Boolean(), false),
    address: Default(Nullable(Text(500)), null),
    hours: Default(Nullable(Hours), null),
    closing_days: Default(Type.Array(ClosingDay, { maxItems: CLOSING_DAYS_MAX }), []),
  },
  strict,
);

export const BRANCHES_MAX = 200;
export const TABLES_MAX = 2000;

const PerCent = Type.Integer({ minimum: 0, maximum: 100 });

/** The middle of the table, in per cent of the plan from its upper left corner. */
export const TablePlace = Type.Object({ x: PerCent, y: PerCent }, strict);
export type TablePlace = Static<typeof TablePlace>;

export const TABLE_SHAPES = ["square", "round", "long"] as const;
export const TableShape = Literals(TABLE_SHAPES);
export type TableShape = Static<typeof TableShape>;

export const Table = Type.Object(
  {
    key: Key,
    branch: Key,
    name: Text(60),
    code: Default(
      Nullable(
        Text(
          60,
          "What the guest's QR code carries; asked for in dine-in orders. Null: the table keeps its code, and a new table gets one.",
        ),
      ),
      null,
    ),
    seats: Type.Integer({ minimum: 1, maximum: 100 }),
    is_active: Default(Type.Boolean(), true),
    place: Type.Optional(
      Type.Unsafe<TablePlace | null>({
        ...Nullable(TablePlace),
        description: "Missing: it stays as it is; a new table is not on the plan. Null: not on the plan.",
      }),
    ),
    shape: Type.Optional(Type.Unsafe<TableShape>({ ...TableShape, description: "Missing: it stays as it is; a new table is square." })),
  },
  strict,
);

export const TableCombination = Type.Object(
  {
    tables: Type.Array(Key, { minItems: 2, maxItems: 10, uniqueItems: true }),
    seats: Type.Integer({ minimum: 1, maximum: 500 }),
  },
  strict,
);
