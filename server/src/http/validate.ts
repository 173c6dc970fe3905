/** Bodies and queries as the contract declares them: tidied, checked, and refused with every fault at once. */
import type { TObject } from "typebox";
import { type Faults, invalid } from "#lib/errors.ts";
import { createCheck } from "#lib/schema.ts";
import type { JsonObject } from "./body.ts";
import { readQuery } from "./query.ts";

export type BodyReader = (body: JsonObject) => JsonObject;
export type QueryReader = (search: string) => Record<string, unknown>;

export const bodyReader = (schema: TObject): BodyReader => {
  const check = createCheck(schema);
  return (body) => {
    const faults: Faults = {};
    const tidy = tidyValue(body, schema as Node, "", faults) as JsonObject;
    raise({ ...check(tidy), ...faults });
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

type Node = { properties?: Record<string, Node>; items?: Node; additionalProperties?: Node | boolean };

/**
 * Declared members only, strings trimmed (lengths count what is left). NUL and half a surrogate pair are refused
 * here because PostgreSQL can store neither.
 */
const tidyValue = (value: unknown, schema: Node, path: string, faults: Faults): unknown => {
  if (typeof value === "string") {
    if (value.includes("\0")) faults[path] = ["Must not contain the character U+0000."];
    else if (!value.isWellFormed()) faults[path] = ["Must be well-formed Unicode text."];
    return value.trim();
  }
  const at = (name: string | number) => (path === "" ? String(name) : `${path}.${name}`);
  if (Array.isArray(value)) return value.map((entry, index) => tidyValue(entry, schema.items ?? {}, at(index), faults));
  if (typeof value !== "object" || value === null) return value;
  const tidy: [string, unknown][] = [];
  for (const [name, entry] of Object.entries(value)) {
    const declared = schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    const open = typeof schema.additionalProperties === "object" ? schema.additionalProperties : undefined;
    const child = declared ?? open;
    if (child) tidy.push([name, tidyValue(entry, child, at(name), faults)]);
  }
  return Object.fromEntries(tidy);
};
