/** Cleans and validates bodies and queries against the contract, and reports all errors at once. */
import type { TObject } from "typebox";
import { because, FAULTS_MAX, type FieldRefusals, type Refusal, validationError } from "#lib/errors.ts";
import { formatAmount } from "#lib/money.ts";
import { textFault } from "#lib/plain-text.ts";
import { createCheck, tooManyEntries } from "#lib/schema.ts";
import type { BodyObject } from "./body.ts";

/** `currency`: the restaurant's, for the refusal of an amount. */
export type BodyReader = (body: BodyObject, currency?: string) => BodyObject;
export type QueryReader = (search: string) => Record<string, unknown>;

export const bodyReader = (schema: TObject): BodyReader => {
  const check = createCheck(schema);
  return (body, currency) => {
    const found: FoundErrors = { faults: {}, count: 0 };
    const tidy = tidyValue(body, schema as BodySchema, "", found) as BodyObject;
    raise(withAmountHints({ ...check(tidy), ...found.faults }, currency));
    return tidy;
  };
};

export const queryReader = (schema: TObject): QueryReader => {
  const check = createCheck(schema);
  return (search) => {
    const { values, faults } = readQuery(search, schema);
    raise({ ...check(values), ...faults });
    return values;
  };
};

/** What is wrong with an amount is mostly that it was written in whole units. */
const withAmountHints = (faults: FieldRefusals, currency: string | undefined): FieldRefusals =>
  Object.fromEntries(
    Object.entries(faults).map(([field, refusals]) => [
      field,
      currency !== undefined && field.endsWith("_minor")
        ? refusals.map((refusal) => ({ ...refusal, sentence: `${refusal.sentence} ${amountHint(currency)}` }) as Refusal)
        : refusals,
    ]),
  );

const amountHint = (currency: string): string =>
  `Amounts are whole numbers in the currency's minor unit: ${formatAmount(MINOR_EXAMPLE, currency)} is ${MINOR_EXAMPLE}.`;

const MINOR_EXAMPLE = 1250;

const raise = (faults: FieldRefusals): void => {
  if (Object.keys(faults).length > 0) throw validationError(faults);
};

type BodySchema = {
  properties?: Record<string, BodySchema>;
  items?: BodySchema;
  additionalProperties?: BodySchema | boolean;
  maxItems?: number;
  maxProperties?: number;
};

type FoundErrors = { faults: FieldRefusals; count: number };

const note = (found: FoundErrors, path: string, refusal: Refusal): void => {
  if (++found.count <= FAULTS_MAX) found.faults[path] = [refusal];
};

const childPath = (path: string, name: string | number): string => (path === "" ? String(name) : `${path}.${name}`);

/**
 * Keeps declared members only and trims strings before their length is checked. NUL and lone surrogates are rejected, because PostgreSQL
 * cannot store them. A list or map that is too long is one error: an empty one replaces it, so that its entries are not checked.
 */
const tidyValue = (value: unknown, schema: BodySchema, path: string, found: FoundErrors): unknown => {
  if (typeof value === "string") {
    const fault = textFault(value);
    if (fault !== null) note(found, path, fault);
    return value.trim();
  }
  if (Array.isArray(value)) return tidyList(value, schema, path, found);
  if (typeof value !== "object" || value === null) return value;
  return tidyMembers(value as BodyObject, schema, path, found);
};

const tidyList = (list: unknown[], { items, maxItems }: BodySchema, path: string, found: FoundErrors): unknown[] => {
  if (items === undefined) return [];
  if (maxItems !== undefined && list.length > maxItems) {
    note(found, path, tooManyEntries(maxItems));
    return [];
  }
  return list.map((entry, index) => tidyValue(entry, items, childPath(path, index), found));
};

const tidyMembers = (value: BodyObject, schema: BodySchema, path: string, found: FoundErrors): BodyObject => {
  const { properties = {}, additionalProperties, maxProperties } = schema;
  const open = typeof additionalProperties === "object" ? additionalProperties : undefined;
  const names = Object.keys(value);
  if (open && maxProperties !== undefined && names.length > maxProperties) {
    note(found, path, tooManyEntries(maxProperties));
    return {};
  }
  const tidy: [string, unknown][] = [];
  for (const name of names) {
    const child = Object.hasOwn(properties, name) ? properties[name] : open;
    if (child) tidy.push([name, tidyValue(value[name], child, childPath(path, name), found)]);
  }
  return Object.fromEntries(tidy);
};

/** Query strings (open points D04, D09, D10): an empty parameter counts as absent, a repeated one is rejected, integers are plain digits. */
type Property = { type?: string | string[]; "x-unreadable-as"?: number };

const INTEGER = /^[0-9]{1,15}$/;

type ReadQuery = { values: Record<string, unknown>; faults: FieldRefusals };

/** The declared parameters as values; anything undeclared is left out. */
const readQuery = (search: string, schema: TObject): ReadQuery => {
  const sent = new URLSearchParams(search);
  const values: Record<string, unknown> = {};
  const faults: FieldRefusals = {};
  for (const [name, property] of Object.entries(schema.properties) as [string, Property][]) {
    const given = sent.getAll(name);
    const texts = given.filter((text) => text !== "");
    const fallback = property["x-unreadable-as"];
    if (fallback === undefined && texts[0]?.includes("\0")) {
      // PostgreSQL cannot store it, so no row can match it.
      faults[name] = [because("Must not contain the character U+0000.", "nul_character")];
    } else if (given.length > 1) {
      if (fallback === undefined) faults[name] = [because("May be given once only.", "repeated")];
      else values[name] = fallback;
    } else if (texts[0] !== undefined) {
      const value = readValue(texts[0], property);
      if (value !== undefined) values[name] = value;
      else if (fallback !== undefined) values[name] = fallback;
      else faults[name] = [because("Must be a whole number.", "not_an_integer")];
    }
  }
  return { values, faults };
};

const readValue = (text: string, property: Property): string | number | undefined => {
  if (property.type !== "integer") return text;
  return INTEGER.test(text) ? Number(text) : undefined;
};
