/** Validates values against the contract's schemas: all errors at once, by dotted path, as English sentences. */
import { ORDER_STATUSES } from "@comanda/contract/venue/orders.ts";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { TObject } from "typebox";
import { FAULTS_MAX, type FieldErrors, shortened } from "./errors.ts";
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

export type Check = (value: unknown) => FieldErrors;

/** Compiling takes milliseconds, so a schema is compiled once in a process, however many applications are built in it. */
const compiled = new WeakMap<TObject, Visit>();

/** An empty object means valid. Missing members get their defaults. */
export const createCheck = (schema: TObject): Check => {
  const check = compiled.get(schema) ?? compile(schema);
  compiled.set(schema, check);
  return (value) => {
    const found: Found = { faults: {}, count: 0 };
    check(value, [], found);
    return found.faults;
  };
};

type Path = (string | number)[];
type Found = { faults: FieldErrors; count: number };
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
    const sentence = faultSentence(error);
    const name = [...path, ...faultPath(error)].map((part) => shortened(String(part), NAME_SHOWN_MAX)).join(".") || "body";
    if (!sentence || found.faults[name]?.includes(sentence) || found.count >= FAULTS_MAX) continue;
    found.faults[name] = [...(found.faults[name] ?? []), sentence];
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

const FORMAT_SENTENCES: Record<string, string> = {
  "date-or-date-time": "Must be a date, or a date-time with an offset.",
  "time-of-day": "Must be a time of day, written HH:MM.",
  "order-status-list": `Must be one or more of ${ORDER_STATUSES.join(", ")}.`,
};

export const entriesMaxSentence = (limit: number): string => `Must have at most ${limit} entries.`;

const SENTENCES: Record<string, (params: Record<string, unknown>) => string | null> = {
  required: () => "Is required.",
  type: ({ type }) =>
    `Must be ${[type]
      .flat()
      .map((name) => TYPE_WORDS[name as string] ?? name)
      .join(" or ")}.`,
  enum: ({ allowedValues }) => `Must be one of ${(allowedValues as unknown[]).filter((value) => value !== null).join(", ")}.`,
  minimum: ({ limit }) => `Must be at least ${limit}.`,
  maximum: ({ limit }) => `Must be at most ${limit}.`,
  minLength: ({ limit }) => (limit === 1 ? "Must not be blank." : `Must have at least ${limit} characters.`),
  maxLength: ({ limit }) => `Must have at most ${limit} characters.`,
  minItems: ({ limit }) => `Must have at least ${limit} ${limit === 1 ? "entry" : "entries"}.`,
  maxItems: ({ limit }) => entriesMaxSentence(limit as number),
  maxProperties: ({ limit }) => entriesMaxSentence(limit as number),
  uniqueItems: () => "Must not contain the same entry twice.",
  pattern: ({ pattern }) => `Must match ${pattern}.`,
  format: ({ format }) => FORMAT_SENTENCES[format as string] ?? `Must be a valid ${format}.`,
  multipleOf: ({ multipleOf }) => `Must be a multiple of ${multipleOf}.`,
  additionalProperties: ({ additionalProperty }) => `Has no member named ${shortened(additionalProperty as string, NAME_SHOWN_MAX)}.`,
  "x-needs-text": () => "Must have a text in at least one language.",
  // Left out, because the error about the name itself is reported under the member's path.
  propertyNames: () => null,
};

const faultSentence = (error: ErrorObject): string | null => {
  if (error.propertyName !== undefined) return "Is not a language code.";
  const sentence = SENTENCES[error.keyword];
  return sentence ? sentence(error.params) : `${error.message ?? "Is not valid"}.`;
};
