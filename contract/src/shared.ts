/** The shapes that every area of the API shares (contract §2.1), and the two helpers they are built with. */
import { type Static, type TNumberOptions, type TProperties, type TSchema, Type } from "typebox";
import type { Minor as MinorAmount } from "./minor.ts";

/** One list of literals gives the JSON Schema enum and the TypeScript union. */
export const Literals = <const T extends readonly string[]>(values: T, options: object = {}) =>
  Type.Unsafe<T[number]>({ type: "string", enum: [...values], ...options });

/** `T or null` as one schema with a type list: one error message per fault, where a union would give three. */
export const Nullable = <T extends TSchema>(schema: T) => {
  const plain = schema as TSchema & { type?: string | string[]; enum?: unknown[]; title?: string };
  if (plain.type === undefined || plain.title !== undefined) return Type.Unsafe<Static<T> | null>({ anyOf: [schema, { type: "null" }] });
  return Type.Unsafe<Static<T> | null>({
    ...plain,
    type: [plain.type].flat().concat("null"),
    ...(plain.enum ? { enum: [...plain.enum, null] } : {}),
  });
};

/** A shape with a name of its own: it becomes a component of the OpenAPI document. */
export const Shape = <T extends TProperties>(title: string, properties: T, options: object = {}) =>
  Type.Object(properties, { title, ...options });

export const ID_MAX = Number.MAX_SAFE_INTEGER;
export const PRICE_MAX = 2_147_483_647;
export const LANGUAGE_PATTERN = "^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$";
/** The limit of one written text. Texts that were stored before the limit may have more languages, so answers have no limit. */
export const LANGUAGES_MAX = 20;
/** RFC 5646 §4.4.1: a buffer of 35 characters holds every tag in use. */
const LanguageCode = { pattern: LANGUAGE_PATTERN, maxLength: 35 };
export const UUID_PATTERN = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$";

export const Id = Type.Integer({ minimum: 1, maximum: ID_MAX });
export const MinorWithin = (bounds: TNumberOptions) => Type.Unsafe<MinorAmount>(Type.Integer(bounds));
export const Minor = MinorWithin({ minimum: 0, maximum: PRICE_MAX, description: "Amount in the currency's minor unit." });
export const Currency = Type.String({ pattern: "^[A-Z]{3}$", description: "ISO 4217 code." });
export const DateTime = Type.String({
  format: "date-time",
  pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}[+-]\\d{2}:\\d{2}$",
  description: "RFC 3339, whole seconds, with the numeric offset of the restaurant's zone.",
});
export const CalendarDate = Type.String({ format: "date" });
export const TimeOfDay = Type.String({ pattern: "^[0-2][0-9]:[0-5][0-9]$", description: "HH:MM on the restaurant's clock." });

export const Translations = Type.Unsafe<Translations>({
  title: "Translations",
  type: "object",
  description: "Language code to text; a language without a text is null.",
  propertyNames: { pattern: LANGUAGE_PATTERN },
  additionalProperties: { type: ["string", "null"] },
});
export type Translations = { [language: string]: string | null };

/** Text on write (§1.4): a plain string is the restaurant's default language, a map names its languages. */
export const TextInput = ({ lengthMax, required }: { lengthMax: number; required: boolean }) =>
  Type.Unsafe<string | Translations>({
    type: ["string", "object"],
    maxLength: lengthMax,
    maxProperties: LANGUAGES_MAX,
    propertyNames: LanguageCode,
    additionalProperties: { type: ["string", "null"], maxLength: lengthMax },
    ...(required ? { minLength: 1, "x-needs-text": true } : {}),
  });

/** A map with at least one text in it, where a plain string is refused (names of sizes). */
export const TranslationsInput = ({ lengthMax }: { lengthMax: number }) =>
  Type.Unsafe<Translations>({
    type: "object",
    maxProperties: LANGUAGES_MAX,
    propertyNames: LanguageCode,
    additionalProperties: { type: ["string", "null"], maxLength: lengthMax },
    "x-needs-text": true,
  });

const Empty = Type.Object({}, { maxProperties: 0 });

/** The envelope of §1.6: every success has exactly `data`, `meta` and `links`. */
export const One = <D extends TSchema, M extends TSchema>(data: D, meta?: M) => Type.Object({ data, meta: meta ?? Empty, links: Empty });

export const List = <D extends TSchema>(row: D, meta: TProperties = {}) =>
  Type.Object({
    data: Type.Array(row),
    meta: Type.Object({ count: Type.Integer({ minimum: 0 }), ...meta }),
    links: Empty,
  });

const Cursor = Nullable(Type.String());

export const Page = <D extends TSchema>(row: D, meta: TProperties = {}) =>
  Type.Object({
    data: Type.Array(row),
    meta: Type.Object({ per_page: Type.Integer({ minimum: 1, maximum: 100 }), next_cursor: Cursor, prev_cursor: Cursor, ...meta }),
    links: Type.Object({ next: Nullable(Type.String({ format: "uri" })), prev: Nullable(Type.String({ format: "uri" })) }),
  });

/** The two query parameters of every cursor-paged list (§4, §8). */
export const Paging = {
  per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25, description: "Rows on a page." })),
  cursor: Type.Optional(Type.String({ description: "A position taken from `meta.next_cursor` or `meta.prev_cursor`; opaque." })),
};

/** A yes or no in a query string: exactly these four spellings (§4.1, §4.4). */
export const QueryBoolean = (description: string) => Type.Optional(Literals(["true", "false", "1", "0"], { description }));
