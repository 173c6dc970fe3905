/**
 * Compares a request's field names with those that its operation declares (open points D08, D190). Undeclared fields are ignored, because a
 * client may be newer than the service. A sandbox lists them in a header, because there they are mostly mistakes.
 */
import { KEY_ARGUMENT } from "@comanda/contract/agent-tools.ts";
import { type Operation, pathParameters } from "@comanda/contract/operation.ts";
import type { FieldReason } from "@comanda/contract/reasons.ts";
import { KEY_HEADER } from "./idempotency.ts";

export const IGNORED_HEADER = "Service-Ignored";

/** These limits keep the header below 1 kB. */
const NAMES_MAX = 10;
const NAME_LENGTH_MAX = 60;

export type FieldSchema = { properties?: Record<string, FieldSchema>; items?: FieldSchema; additionalProperties?: unknown };
type SentInput = { search: string; body: unknown };

/** The header's value, such as `query.stauts, body.lines.0.price`; null when all fields are declared. */
export const ignoredIn = ({ query, body: schema }: Operation, { search, body }: SentInput): string | null => {
  const names = new Set<string>();
  for (const [name, value] of new URLSearchParams(search)) {
    if (names.size > NAMES_MAX) break;
    const declared: object | undefined = Object.hasOwn(query?.properties ?? {}, name) ? query?.properties[name] : undefined;
    if (!declared || isUnreadable(declared, value)) names.add(`query.${headerSafe(name)}`);
  }
  if (schema) for (const { path, name } of undeclaredMembers(body, schema as FieldSchema)) names.add(`body${path}.${headerSafe(name)}`);
  if (names.size === 0) return null;
  const shown = [...names].slice(0, NAMES_MAX);
  return [...shown, ...(names.size > NAMES_MAX ? ["..."] : [])].join(", ");
};

/** A filter that selects nothing where its value is no number (open point D10). */
const isUnreadable = (declared: object, value: string): boolean =>
  "x-unreadable-as" in declared && value !== "" && !/^\d{1,15}$/.test(value);

/** `path` begins with a dot, or is empty. `known` are the names that are declared beside it. */
export type UndeclaredMember = { path: string; name: string; known: string[] };

/** One more than are shown, enough to know that there are more. */
export const undeclaredMembers = (body: unknown, schema: FieldSchema): UndeclaredMember[] => {
  const found: UndeclaredMember[] = [];
  collect(body, schema, "", found);
  return found;
};

const collect = (value: unknown, schema: FieldSchema, path: string, found: UndeclaredMember[]): void => {
  if (found.length > NAMES_MAX || typeof value !== "object" || value === null) return;
  const { properties = {}, items, additionalProperties } = schema;
  if (Array.isArray(value)) {
    if (items) for (const [index, entry] of value.entries()) collect(entry, items, `${path}.${index}`, found);
    return;
  }
  const known = Object.keys(properties);
  for (const [name, entry] of Object.entries(value)) {
    const child = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (child) collect(entry, child, `${path}.${name}`, found);
    else if (typeof additionalProperties !== "object" && found.length <= NAMES_MAX) found.push({ path, name, known });
  }
};

/** A header holds plain ASCII without commas or line breaks. */
const headerSafe = (name: string): string => encodeURIComponent(name.slice(0, NAME_LENGTH_MAX).toWellFormed()).slice(0, NAME_LENGTH_MAX);

const FIELDS_MAX = 10;

/**
 * The field paths of a validation error for the request log. `…` replaces a name that the operation does not declare, such as a language,
 * so that no text of a client is logged.
 */
export const declaredFields = (fields: readonly string[], operation: Operation | undefined): string[] => {
  if (!operation) return [];
  return [...new Set(fields.map(declaredName(operation)))].slice(0, FIELDS_MAX);
};

type LoggedReason = { field: string; reason: string; params: Record<string, unknown> };

/** Reasons with their fields as above. Parameters come from the contract and the venue's rules. */
export const declaredReasons = (reasons: readonly FieldReason[], operation: Operation | undefined): LoggedReason[] => {
  if (!operation || reasons.length === 0) return [];
  const nameOf = declaredName(operation);
  return reasons.slice(0, FIELDS_MAX).map(({ field, reason, params }) => ({ field: nameOf(field), reason, params: { ...params } }));
};

const declaredName = (operation: Operation): ((field: string) => string) => {
  const roots = [operation.body, operation.query].filter((schema) => schema !== undefined) as FieldSchema[];
  const others = ["body", KEY_HEADER, KEY_ARGUMENT, ...pathParameters(operation.path)];
  return (field) => (others.includes(field) ? field : declaredPath(field, roots));
};

const declaredPath = (field: string, roots: readonly FieldSchema[]): string => {
  const parts = field.split(".");
  let node: FieldSchema | undefined = roots.find(({ properties = {} }) => Object.hasOwn(properties, parts[0] ?? ""));
  const known: string[] = [];
  for (const part of parts) {
    const isIndex = node?.items !== undefined && /^\d{1,9}$/.test(part);
    node = isIndex ? node?.items : Object.hasOwn(node?.properties ?? {}, part) ? node?.properties?.[part] : undefined;
    known.push(node ? part : "…");
    if (!node) break;
  }
  return known.join(".");
};
