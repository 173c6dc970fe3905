/** Validates values against the contract's schemas: all errors at once, by dotted path, as English sentences with their reasons. */
import { ORDER_STATUSES } from "@comanda/contract/venue/orders.ts";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { TObject } from "typebox";
import { because, FAULTS_MAX, type FieldRefusals, type Refusal, shortened } from "./errors.ts";
import { parseDate, parseInstant, parseQueryInstant } from "./instant.ts";

const ajv = new Ajv2020({
  allErrors: true,
  coerceTypes: false,
  useDefaults: true,
  strict: true,
  strictTypes: false,
  allowUnionTypes: true,
  // Percentages have three decimals, which binary floating point cannot represent exactly.
  multipleOfPrecision: 6,
});
(addFormats as unknown as (target: Ajv2020) => void)(ajv);
// Looser than the library's e-mail (letters of any script) and stricter than its date-time (no space for the T).
ajv.addFormat("email", /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/);
ajv.addFormat("date-time", (text: string) => parseInstant(text) !== null);
ajv.addFormat("date", (text: string) => parseDate(text) !== null);
ajv.addFormat("time-of-day", /^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/);
ajv.addFormat("order-status-list", (text: string) =>
  text.split(",").every((part) => part.trim() === "" || (ORDER_STATUSES as readonly string[]).includes(part.trim())),
);
ajv.addFormat("date-or-date-time", (text: string) => parseDate(text) !== null || parseQueryInstant(text) !== null);
ajv.addKeyword({ keyword: "x-unreadable-as", schemaType: "number" });
// At least one language must have a text; a plain string is held to minLength instead.
ajv.addKeyword({
  keyword: "x-needs-text",
  type: "object",
  schemaType: "boolean",
  validate: (_wanted: boolean, texts: Record<string, unknown>) => Object.values(texts).some((text) => text !== null && text !== ""),
});

/** Longer member names of the client are cut where they are repeated in an error. */
const NAME_SHOWN_MAX = 64;

export type Check = (value: unknown) => FieldRefusals;

/** A schema is compiled once in a process, however many applications are built in it. */
const compiled = new WeakMap<TObject, Visit>();

/**
 * An empty object means valid. Missing members get their defaults. The schema is compiled for the first value, not at the start: it takes
 * milliseconds, and for hundreds of schemas a third of the processor time of a start.
 */
export const createCheck =
  (schema: TObject): Check =>
  (value) => {
    const check = compiled.get(schema) ?? compile(schema);
    compiled.set(schema, check);
    const found: Found = { faults: {}, count: 0 };
    check(value, [], found);
    return found.faults;
  };

type Path = (string | number)[];
type Found = { faults: FieldRefusals; count: number };
type Visit = (value: unknown, path: Path, found: Found) => void;
type Lists = { at: string[]; visitEntry: Visit }[];

/**
 * Checks the entries of lists one by one and stops at the largest number of errors to report. The library would make an object for each
 * error, and a body of 1 MiB can hold half a million.
 */
const compile = (schema: object): Visit => {
  const lists: Lists = [];
  const check = ajv.compile(withoutEntries(schema, [], lists));
  return (value, path, found) => {
    if (!check(value)) gather(check, path, found);
    for (const { at, visitEntry } of lists) {
      const list = memberAt(value, at);
      if (!Array.isArray(list)) continue;
      for (let index = 0; index < list.length && found.count < FAULTS_MAX; index++) visitEntry(list[index], [...path, ...at, index], found);
    }
  };
};

type Node = { items?: object; properties?: Record<string, object> };

const withoutEntries = (schema: object, at: string[], lists: Lists): object => {
  const { items, properties, ...rest } = schema as Node;
  if (items) lists.push({ at, visitEntry: compile(items) });
  if (!properties) return rest;
  const members = Object.entries(properties).map(([name, member]) => [name, withoutEntries(member, [...at, name], lists)]);
  return { ...rest, properties: Object.fromEntries(members) as object };
};

const memberAt = (value: unknown, at: readonly string[]): unknown =>
  at.reduce((parent: unknown, name) => (typeof parent === "object" && parent !== null ? Reflect.get(parent, name) : undefined), value);

const gather = ({ errors }: ValidateFunction, path: Path, found: Found): void => {
  for (const error of errors ?? []) {
    const refusal = refusalOf(error);
    const name = [...path, ...faultPath(error)].map((part) => shortened(String(part), NAME_SHOWN_MAX)).join(".") || "body";
    const ofField = found.faults[name] ?? [];
    if (!refusal || ofField.some(({ sentence }) => sentence === refusal.sentence) || found.count >= FAULTS_MAX) continue;
    found.faults[name] = [...ofField, refusal];
    found.count++;
  }
};

const faultPath = ({ instancePath, keyword, params, propertyName }: ErrorObject): string[] => {
  const parts = instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (keyword === "required") parts.push(params.missingProperty as string);
  if (propertyName !== undefined) parts.push(propertyName);
  return parts;
};

const TYPE_WORDS: Record<string, string> = {
  integer: "a whole number",
  number: "a number",
  string: "a text",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};

const TYPE_REASONS = {
  integer: "not_an_integer",
  number: "not_a_number",
  string: "not_a_text",
  boolean: "not_a_boolean",
  array: "not_a_list",
  object: "not_an_object",
} as const;

/** Null may stand for no value, so it is not among the types that a reason names. */
const typeRefusal = (types: string[]): Refusal => {
  const sentence = `Must be ${types.map((name) => TYPE_WORDS[name] ?? name).join(" or ")}.`;
  const allowed = types.filter((name): name is keyof typeof TYPE_REASONS => Object.hasOwn(TYPE_REASONS, name));
  const [only] = allowed;
  return only !== undefined && allowed.length === 1 ? because(sentence, TYPE_REASONS[only]) : because(sentence, "wrong_type", { allowed });
};

const FORMAT_REFUSALS: Record<string, Refusal> = {
  date: because("Must be a valid date.", "not_a_date"),
  email: because("Must be an e-mail address, such as ada@example.com.", "not_an_email"),
  "date-time": because("Must be a date-time with an offset, such as 2026-11-14T19:30:00+01:00.", "not_a_date_time"),
  "date-or-date-time": because(
    "Must be a date, or a date-time with an offset, such as 2026-11-14T19:30:00+01:00.",
    "not_a_date_or_date_time",
  ),
  "time-of-day": because("Must be a time of day from 00:00 to 23:59, written HH:MM.", "not_a_time"),
  "order-status-list": because(`Must be one or more of ${ORDER_STATUSES.join(", ")}.`, "not_one_of", { allowed: [...ORDER_STATUSES] }),
};

export const tooManyEntries = (max: number): Refusal => because(`Must have at most ${max} entries.`, "too_many_entries", { max });

type KeywordParams = { limit: number; type: string | string[]; allowedValues: unknown[]; [name: string]: unknown };

const REFUSALS: Record<string, (params: KeywordParams) => Refusal | null> = {
  required: () => because("Is required.", "required"),
  type: ({ type }) => typeRefusal([type].flat()),
  enum: ({ allowedValues }) => {
    const allowed = allowedValues.filter((value) => value !== null).map(String);
    return because(`Must be one of ${allowed.join(", ")}.`, "not_one_of", { allowed });
  },
  minimum: ({ limit }) => because(`Must be at least ${limit}.`, "too_low", { min: limit }),
  maximum: ({ limit }) => because(`Must be at most ${limit}.`, "too_high", { max: limit }),
  minLength: ({ limit }) =>
    limit === 1 ? because("Must not be blank.", "blank") : because(`Must have at least ${limit} characters.`, "too_short", { min: limit }),
  maxLength: ({ limit }) => because(`Must have at most ${limit} characters.`, "too_long", { max: limit }),
  minItems: ({ limit }) => because(`Must have at least ${limit} ${limit === 1 ? "entry" : "entries"}.`, "too_few_entries", { min: limit }),
  maxItems: ({ limit }) => tooManyEntries(limit),
  maxProperties: ({ limit }) => tooManyEntries(limit),
  uniqueItems: () => because("Must not contain the same entry twice.", "not_valid"),
  pattern: ({ pattern }) => because(`Must match ${pattern}.`, "wrong_pattern", { pattern: String(pattern) }),
  format: ({ format }) => FORMAT_REFUSALS[format as string] ?? because(`Must be a valid ${format}.`, "not_valid"),
  multipleOf: ({ multipleOf }) => because(`Must be a multiple of ${multipleOf}.`, "not_valid"),
  additionalProperties: ({ additionalProperty }) =>
    because(`Has no member named ${shortened(additionalProperty as string, NAME_SHOWN_MAX)}.`, "not_valid"),
  "x-needs-text": () => because("Must have a text in at least one language.", "no_text"),
  // Left out, because the error about the name itself is reported under the member's path.
  propertyNames: () => null,
};

const refusalOf = (error: ErrorObject): Refusal | null => {
  if (error.propertyName !== undefined) return because("Is not a language code.", "not_a_language");
  const refuse = REFUSALS[error.keyword];
  return refuse ? refuse(error.params as KeywordParams) : because(`${error.message ?? "Is not valid"}.`, "not_valid");
};
