/** The OpenAPI document is one that code generators can trust: formats, words, codes, scopes and its size. */
import { ERRORS, type ErrorCode } from "@comanda/contract/errors.ts";
import { openapiDocument } from "@comanda/contract/openapi/document.ts";
import type { Operation } from "@comanda/contract/operation.ts";
import { API_PREFIX, apiOperationEntries } from "@comanda/contract/operations.ts";
import { UUID_PATTERN } from "@comanda/contract/shared.ts";
import { expect, test } from "vitest";

type JsonNode = { [key: string]: unknown };
type LintedOperation = JsonNode & { security: JsonNode[]; responses: Record<string, JsonNode> };
type LintedDocument = JsonNode & {
  paths: Record<string, Record<string, LintedOperation>>;
  webhooks?: unknown;
  components: Record<string, Record<string, JsonNode>>;
};

const document = (): LintedDocument => structuredClone(openapiDocument("http://127.0.0.1:4000")) as unknown as LintedDocument;

/** Every schema of the document, with its place. Examples are values, not schemas. */
const eachSchema = (value: unknown, at: string, visit: (schema: JsonNode, at: string) => void): void => {
  if (Array.isArray(value)) for (const [index, entry] of value.entries()) eachSchema(entry, `${at}/${index}`, visit);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  visit(value as JsonNode, at);
  for (const [key, entry] of Object.entries(value))
    if (key !== "example" && key !== "examples" && key !== "enum") eachSchema(entry, `${at}/${key}`, visit);
};

const formatFaults = (described: LintedDocument): string[] => {
  const faults: string[] = [];
  eachSchema(described, "", ({ type, pattern, format }, at) => {
    if ([type].flat().includes("integer") && format !== "int32" && format !== "int64") faults.push(`${at} has the format ${format}`);
    const isId = [type].flat().includes("string") && /\/properties\/(?!client_)(\w+_)?id$/.test(at);
    if ((isId || pattern === UUID_PATTERN) && format !== "uuid") faults.push(`${at} is a uuid without a format`);
  });
  return faults;
};

test("every integer says how large it is, and every uuid that it is one", () => {
  expect(formatFaults(document())).toEqual([]);
  const planted = document();
  const { Item, Order } = planted.components.schemas as Record<string, { properties: Record<string, JsonNode> }>;
  delete Item?.properties.id?.format;
  delete Order?.properties.id?.format;
  expect(formatFaults(planted)).toHaveLength(2);
});

const wordFaults = (described: LintedDocument): string[] => {
  const schemas = described.components.schemas ?? {};
  const hasWords = ({ description, $ref }: JsonNode): boolean =>
    (typeof description === "string" && /[.`]$/.test(description)) ||
    (typeof $ref === "string" && schemas[$ref.split("/").at(-1) ?? ""]?.description !== undefined);
  const faults: string[] = [];
  eachSchema(described, "", ({ properties }, at) => {
    if (typeof properties !== "object" || properties === null || at.endsWith("/properties")) return;
    for (const [name, property] of Object.entries(properties))
      if (!hasWords(property as JsonNode)) faults.push(`${at}.${name} has no words`);
  });
  return faults;
};

test("every property of every shape is described", () => {
  expect(wordFaults(document())).toEqual([]);
  const planted = document();
  const { Order } = planted.components.schemas as Record<string, { properties: Record<string, JsonNode> }>;
  delete Order?.properties.note?.description;
  expect(wordFaults(planted)).toEqual([expect.stringContaining("Order.note has no words")]);
});

const describedAt = ({ paths }: LintedDocument, { method, path }: Operation): LintedOperation =>
  paths[`${API_PREFIX}${path}`]?.[method.toLowerCase()] as LintedOperation;

const followed = (described: LintedDocument, node: JsonNode): JsonNode =>
  typeof node.$ref === "string"
    ? ((node.$ref.split("/").slice(1) as string[]).reduce<unknown>((at, step) => (at as JsonNode)[step], described) as JsonNode)
    : node;

test("every operation names its scope, and every refusal the codes that its status can have", () => {
  const described = document();
  for (const [id, operation] of apiOperationEntries) {
    const { security, responses, ...rest } = describedAt(described, operation);
    expect(security, id).toEqual([
      { bearer: [] },
      ...(operation.onlyInSandbox ? [] : [{ oauth: operation.scope === null ? [] : [operation.scope] }]),
    ]);
    expect(rest["x-addition"], id).toBe(operation.isAddition);
    for (const [status, response] of Object.entries(responses)) {
      if (Number(status) < 400) continue;
      const { content } = followed(described, response) as { content: Record<string, { schema: JsonNode; examples: JsonNode }> };
      const { schema = {}, examples = {} } = content["application/json"] ?? {};
      const body = followed(described, schema) as { properties: { error: { properties: { code: { enum: ErrorCode[] } } } } };
      const codes = body.properties.error.properties.code.enum;
      expect(codes, `${id} ${status}`).toEqual(Object.keys(examples));
      for (const code of codes) expect(ERRORS[code].status, `${id} ${code}`).toBe(Number(status));
    }
  }
});

/** The components that are needed, whatever they need themselves included. */
const reachable = (described: LintedDocument, from: unknown, found = new Set<string>()): Set<string> => {
  eachSchema(from, "", (node) => {
    if (typeof node.$ref !== "string" || found.has(node.$ref)) return;
    found.add(node.$ref);
    reachable(described, followed(described, node), found);
  });
  return found;
};

/** The document as it is served, with these operations alone; `webhooks` only where they are given. */
const bytesOf = (described: LintedDocument, chosen: Operation[], webhooks: unknown = {}): number => {
  const { webhooks: _, paths: __, components, ...head } = described;
  const operations = chosen.map((operation) => [`${operation.method} ${operation.path}`, describedAt(described, operation)]);
  const refs = reachable(described, [...operations.map(([, operation]) => operation), webhooks]);
  const parts = [...refs].map((ref) => [ref, followed(described, { $ref: ref })]);
  const { securitySchemes } = components;
  return Buffer.byteLength(JSON.stringify([head, securitySchemes, Object.fromEntries(operations), Object.fromEntries(parts)]));
};

/**
 * Additions that need more words than most (decision 0074), as they were measured: the feed has every event, the context all that a program
 * configures otherwise and a refusal 403 that no other operation has, the quote every rule, and the acts in a sandbox are one operation.
 */
const LARGER: Record<string, number> = { "/events": 6200, "/restaurant": 9400, "/orders/quote": 8500, "/sandbox/act": 8600 };

test("the operations of the contract take at most 160 kB, and an addition at most 4 kB", () => {
  const described = document();
  const all: Operation[] = apiOperationEntries.map(([, operation]) => operation);
  const first = all.filter(({ isAddition }) => !isAddition);
  const bytes = bytesOf(described, first);
  console.info(`${first.length} operations: ${bytes} bytes; the whole document: ${Buffer.byteLength(JSON.stringify(described))}`);
  expect(bytes).toBeLessThanOrEqual(160_000);
  const { webhooks } = described;
  const whole = bytesOf(described, all, webhooks);
  for (const added of all.filter(({ isAddition }) => isAddition)) {
    const others = all.filter((operation) => operation !== added);
    const own = whole - bytesOf(described, others, webhooks);
    console.info(`${added.method} ${added.path}: ${own} bytes`);
    expect(own, added.path).toBeLessThanOrEqual(LARGER[added.path] ?? 4000);
  }
});
