/**
 * Names what a request carries and its operation does not know (open points D08, D190). The service ignores it, because a client may be newer;
 * in a sandbox a header says so, because there it is mostly a slip.
 */
import type { Operation } from "@comanda/contract/operation.ts";

export const IGNORED_HEADER = "Service-Ignored";

/** The header stays below 1 kB, whatever was sent. */
const NAMES_MAX = 10;
const NAME_LENGTH_MAX = 60;

type Node = { properties?: Record<string, Node>; items?: Node; additionalProperties?: unknown };
type Sent = { search: string; body: unknown };

/** The header's value, such as `query.stauts, body.lines.0.price`; null when everything is known. */
export const ignoredIn = ({ query, body: schema }: Operation, { search, body }: Sent): string | null => {
  const names = new Set<string>();
  for (const name of new URLSearchParams(search).keys()) {
    if (names.size > NAMES_MAX) break;
    if (!Object.hasOwn(query?.properties ?? {}, name)) names.add(`query.${written(name)}`);
  }
  if (schema) collect(body, schema as Node, "body", names);
  if (names.size === 0) return null;
  const shown = [...names].slice(0, NAMES_MAX);
  return [...shown, ...(names.size > NAMES_MAX ? ["..."] : [])].join(", ");
};

/** One name more than are shown is enough to know that there are more. */
const collect = (value: unknown, schema: Node, path: string, names: Set<string>): void => {
  if (names.size > NAMES_MAX || typeof value !== "object" || value === null) return;
  const { properties = {}, items, additionalProperties } = schema;
  if (Array.isArray(value)) {
    if (items) for (const [index, entry] of value.entries()) collect(entry, items, `${path}.${index}`, names);
    return;
  }
  for (const [name, entry] of Object.entries(value)) {
    const child = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (child) collect(entry, child, `${path}.${name}`, names);
    else if (typeof additionalProperties !== "object" && names.size <= NAMES_MAX) names.add(`${path}.${written(name)}`);
  }
};

/** A header holds plain ASCII without commas or line breaks. */
const written = (name: string): string => encodeURIComponent(name.slice(0, NAME_LENGTH_MAX).toWellFormed()).slice(0, NAME_LENGTH_MAX);
