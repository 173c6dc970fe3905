/** The names of faulty fields for the log of requests: words of the contract, never what a client wrote. */
import { KEY_ARGUMENT } from "@comanda/contract/agent-tools.ts";
import { type Operation, pathParameters } from "@comanda/contract/operation.ts";
import { KEY_HEADER } from "./idempotency.ts";

type Node = { properties?: Record<string, Node>; items?: Node };

const FIELDS_MAX = 10;

/** `details` of a refusal in paths that the operation declares; `…` stands for a name that it does not, such as a language. */
export const declaredFields = (fields: readonly string[], operation: Operation | undefined): string[] => {
  if (!operation) return [];
  const roots = [operation.body, operation.query].filter((schema) => schema !== undefined) as Node[];
  const others = ["body", KEY_HEADER, KEY_ARGUMENT, ...pathParameters(operation.path)];
  const declared = fields.map((field) => (others.includes(field) ? field : declaredPath(field, roots)));
  return [...new Set(declared)].slice(0, FIELDS_MAX);
};

const declaredPath = (field: string, roots: readonly Node[]): string => {
  const parts = field.split(".");
  let node: Node | undefined = roots.find(({ properties = {} }) => Object.hasOwn(properties, parts[0] ?? ""));
  const known: string[] = [];
  for (const part of parts) {
    const isIndex = node?.items !== undefined && /^\d{1,9}$/.test(part);
    node = isIndex ? node?.items : Object.hasOwn(node?.properties ?? {}, part) ? node?.properties?.[part] : undefined;
    known.push(node ? part : "…");
    if (!node) break;
  }
  return known.join(".");
};
