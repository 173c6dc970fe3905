/** Everything that a client may send has a bound: a text, list or map without one would let what was sent decide how much work it is. */
import { consoleEntries } from "@comanda/contract/console/operations.ts";
import { apiOperationEntries } from "@comanda/contract/operations.ts";
import { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { type TObject, Type } from "typebox";
import { expect, test } from "vitest";
import { createCheck } from "../../src/lib/schema.ts";

type BoundedSchema = {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  format?: string;
  maxLength?: number;
  maxItems?: number;
  maxProperties?: number;
  items?: BoundedSchema;
  properties?: Record<string, BoundedSchema>;
  additionalProperties?: BoundedSchema | boolean;
  propertyNames?: BoundedSchema;
  anyOf?: BoundedSchema[];
};

/** A text of this format is only as long as a clock or calendar shows it. */
const SHORT_FORMATS = ["date", "date-time", "time-of-day", "date-or-date-time", "order-status-list"];
/** Repeats without an end: a star, a plus, or a count that has no upper number. */
const ENDLESS = /[*+](?![^[]*\])|\{\d+,\}/;

const isShort = ({ enum: values, const: value, pattern, format, maxLength }: BoundedSchema): boolean =>
  maxLength !== undefined ||
  values !== undefined ||
  value !== undefined ||
  (pattern !== undefined && !ENDLESS.test(pattern)) ||
  (format !== undefined && SHORT_FORMATS.includes(format));

/** The places in a schema where a client may send as much as it likes. */
const unbounded = (node: BoundedSchema, at: string): string[] => {
  const types = [node.type ?? []].flat();
  const found: string[] = [];
  if (types.length === 0 && !node.enum && node.const === undefined && !node.anyOf) found.push(`${at}: anything`);
  if (types.includes("string") && !isShort(node)) found.push(`${at}: text`);
  if (types.includes("array")) {
    if (node.maxItems === undefined) found.push(`${at}: list`);
    found.push(...unbounded(node.items ?? {}, `${at}.*`));
  }
  for (const [name, member] of Object.entries(node.properties ?? {})) found.push(...unbounded(member, `${at}.${name}`));
  if (typeof node.additionalProperties === "object") {
    if (node.maxProperties === undefined) found.push(`${at}: map`);
    if (node.propertyNames?.maxLength === undefined) found.push(`${at}: names`);
    found.push(...unbounded(node.additionalProperties, `${at}.*`));
  }
  for (const branch of node.anyOf ?? []) found.push(...unbounded(branch, at));
  return found;
};

const bodies: [string, BoundedSchema][] = [
  ...[...apiOperationEntries, ...consoleEntries].flatMap(([id, { body }]): [string, BoundedSchema][] =>
    body ? [[id, body as BoundedSchema]] : [],
  ),
  ["venue file", VenueFile as BoundedSchema],
];

test("D187 every text, list and map that a body may hold has a bound", () => {
  expect(bodies.length).toBeGreaterThan(20);
  expect(bodies.flatMap(([id, body]) => unbounded(body, id))).toEqual([]);
});

test("what has no bound is found", () => {
  const text = { type: "string", maxLength: 5 };
  const planted: BoundedSchema = {
    type: "object",
    properties: {
      text: { type: ["string", "null"] },
      word: { type: "string", pattern: "^[a-z]+$" },
      code: { type: "string", pattern: "^[a-z+]{2,5}$" },
      list: { type: "array", items: text },
      map: { type: "object", additionalProperties: text, propertyNames: { maxLength: 3 } },
      names: { type: "object", additionalProperties: text, maxProperties: 3 },
      rows: { type: "array", maxItems: 2, items: { type: "object", properties: { deep: { type: "string" } } } },
      anything: {},
    },
  };
  expect(unbounded(planted, "body")).toEqual([
    "body.text: text",
    "body.word: text",
    "body.list: list",
    "body.map: map",
    "body.names: names",
    "body.rows.*.deep: text",
    "body.anything: anything",
  ]);
});

/** A service compiles a schema for its first value, so one that cannot be compiled would not end its start. */
const notCompiled = (schemas: [string, object][]): string[] =>
  schemas.flatMap(([id, schema]) => {
    try {
      createCheck(schema as TObject)({});
      return [];
    } catch (error) {
      return [`${id}: ${(error as Error).message}`];
    }
  });

const queries = [...apiOperationEntries, ...consoleEntries].flatMap(([id, operation]): [string, object][] =>
  "query" in operation && operation.query ? [[id, operation.query]] : [],
);

test("every body and query of the contract compiles", () => {
  expect(queries.length).toBeGreaterThan(20);
  expect(notCompiled([...bodies, ...queries])).toEqual([]);
});

test("planted: a schema with a word that no validator knows is found", () => {
  const planted = Type.Object({ name: Type.String({ maxLenght: 5 }) });
  expect(notCompiled([["planted", planted]])).toEqual(['planted: strict mode: unknown keyword: "maxLenght"']);
});
