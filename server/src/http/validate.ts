/** Bodies and queries as the contract declares them: tidied, checked, and refused with every fault at once. */
import type { TObject } from "typebox";
import { FAULTS_MAX, type Faults, invalid } from "#lib/errors.ts";
import { createCheck, entriesMaxSentence } from "#lib/schema.ts";
import type { JsonObject } from "./body.ts";
import { readQuery } from "./query.ts";

export type BodyReader = (body: JsonObject) => JsonObject;
export type QueryReader = (search: string) => Record<string, unknown>;

export const bodyReader = (schema: TObject): BodyReader => {
  const check = createCheck(schema);
  return (body) => {
    const found: Found = { faults: {}, count: 0 };
    const tidy = tidyValue(body, schema as Node, "", found) as JsonObject;
    raise({ ...check(tidy), ...found.faults });
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

const raise = (faults: Faults): void => {
  if (Object.keys(faults).length > 0) throw invalid(faults);
};

type Node = {
  properties?: Record<string, Node>;
  items?: Node;
  additionalProperties?: Node | boolean;
  maxItems?: number;
  maxProperties?: number;
};

type Found = { faults: Faults; count: number };

const note = (found: Found, path: string, sentence: string): void => {
  if (++found.count <= FAULTS_MAX) found.faults[path] = [sentence];
};

const childPath = (path: string, name: string | number): string => (path === "" ? String(name) : `${path}.${name}`);

/**
 * Declared members only, strings trimmed (lengths count what is left). NUL and half a surrogate pair are refused
 * here because PostgreSQL can store neither. A list or map that is too long is one fault, and what it holds is looked at
 * by nobody: an empty one stands for it, and its fault replaces whatever is wrong with that.
 */
const tidyValue = (value: unknown, schema: Node, path: string, found: Found): unknown => {
  if (typeof value === "string") {
    if (value.includes("\0")) note(found, path, "Must not contain the character U+0000.");
    else if (!value.isWellFormed()) note(found, path, "Must be well-formed Unicode text.");
    return value.trim();
  }
  if (Array.isArray(value)) return tidyList(value, schema, path, found);
  if (typeof value !== "object" || value === null) return value;
  return tidyMembers(value as JsonObject, schema, path, found);
};

const tidyList = (list: unknown[], { items, maxItems }: Node, path: string, found: Found): unknown[] => {
  if (items === undefined) return [];
  if (maxItems !== undefined && list.length > maxItems) {
    note(found, path, entriesMaxSentence(maxItems));
    return [];
  }
  return list.map((entry, index) => tidyValue(entry, items, childPath(path, index), found));
};

const tidyMembers = (value: JsonObject, schema: Node, path: string, found: Found): JsonObject => {
  const { properties = {}, additionalProperties, maxProperties } = schema;
  const open = typeof additionalProperties === "object" ? additionalProperties : undefined;
  const names = Object.keys(value);
  if (open && maxProperties !== undefined && names.length > maxProperties) {
    note(found, path, entriesMaxSentence(maxProperties));
    return {};
  }
  const tidy: [string, unknown][] = [];
  for (const name of names) {
    const child = Object.hasOwn(properties, name) ? properties[name] : open;
    if (child) tidy.push([name, tidyValue(value[name], child, childPath(path, name), found)]);
  }
  return Object.fromEntries(tidy);
};
