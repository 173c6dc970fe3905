/** Requests made from the OpenAPI document: every operation, each of its inputs in turn replaced by something hostile. */
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { boundaryValues, HEADERS, HOSTILE_JSON, TEXTS, type ValueSchema, wrongTypesFor } from "./hostile-values.ts";

export type HostileRequest = {
  method: string;
  /** Below /api/v1, with the query. */
  target: string;
  headers: Record<string, string>;
  payload: Buffer | null;
};

/** Ids that exist and values that fit, by the name of the field or parameter they stand for. */
export type KnownIds = Record<string, unknown>;

export type DescribedOperation = {
  id: string;
  method: string;
  path: string;
  body: ValueSchema | null;
  query: { name: string; schema: ValueSchema }[];
  fields: SchemaField[];
  statuses: number[];
};

type SchemaField = { path: (string | number)[]; schema: ValueSchema };
type JsonMembers = Record<string, unknown>;

export const describeOperations = (document: JsonMembers): DescribedOperation[] => {
  const follow = (schema: unknown): ValueSchema => followed(schema, document) as ValueSchema;
  const paths = Object.entries(document.paths as Record<string, Record<string, JsonMembers>>);
  // The OAuth endpoints have their own shapes and errors, and their own table of what they refuse.
  const api = paths.filter(([path]) => path.startsWith("/api/v1/"));
  return api.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const parameters = followed(operation.parameters ?? [], document) as { name: string; in: string; schema: ValueSchema }[];
      const content = (operation.requestBody as { content?: Record<string, JsonMembers> } | undefined)?.content?.["application/json"];
      const body = content ? follow(content.schema) : null;
      return {
        id: String(operation.operationId),
        method: method.toUpperCase(),
        path: path.replace("/api/v1", ""),
        body,
        query: parameters.filter((parameter) => parameter.in === "query").map(({ name, schema }) => ({ name, schema: follow(schema) })),
        fields: body ? fieldsOf(body, []) : [],
        statuses: Object.keys(operation.responses as JsonMembers).map(Number),
      };
    }),
  );
};

const followed = (value: unknown, document: JsonMembers): unknown => {
  if (Array.isArray(value)) return value.map((entry) => followed(entry, document));
  if (typeof value !== "object" || value === null) return value;
  const { $ref } = value as { $ref?: string };
  if ($ref)
    return followed(
      ($ref.split("/").slice(1) as string[]).reduce<unknown>((at, step) => (at as JsonMembers)[step], document),
      document,
    );
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, followed(entry, document)]));
};

const fieldsOf = (schema: ValueSchema, path: SchemaField["path"]): SchemaField[] => [
  ...(path.length > 0 ? [{ path, schema }] : []),
  ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => fieldsOf(inner, [...path, name])),
  ...(schema.items ? fieldsOf(schema.items, [...path, 0]) : []),
  ...(typeof schema.additionalProperties === "object" ? fieldsOf(schema.additionalProperties, [...path, "en"]) : []),
  ...(schema.anyOf ?? []).flatMap((inner) => fieldsOf(inner, path).filter((field) => field.path.length > path.length)),
];

/** JSON text standing in a tree of values, written as it is. */
class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const written = (value: unknown): string => {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${value.map(written).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value).map(([name, entry]) => `${JSON.stringify(name)}:${written(entry)}`)}}`;
};

/** A body that is as valid as the document can say: required members, and members with a known value. */
const exampleOf = (schema: ValueSchema, known: KnownIds, name = ""): unknown => {
  if (name in known) return known[name];
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  const [type] = [schema.type ?? []].flat();
  if (type === "object" && !schema.properties) return { en: "Example" };
  if (type === "object" || schema.properties) {
    const wanted = Object.entries(schema.properties ?? {}).filter(([member]) => schema.required?.includes(member) || member in known);
    return Object.fromEntries(wanted.map(([member, inner]) => [member, exampleOf(inner, known, member)]));
  }
  if (type === "array") return [exampleOf(schema.items ?? {}, known)];
  if (type === "integer" || type === "number") return schema.minimum ?? 1;
  if (type === "boolean") return true;
  return schema.anyOf?.[0] ? exampleOf(schema.anyOf[0], known) : "Example";
};

type Change = { field: SchemaField; value: string };

/** The example with some of its fields replaced; what leads to a field is made up on the way. */
const bodyWith = (operation: DescribedOperation, known: KnownIds, changes: Change[]): string => {
  const root = structuredClone(exampleOf(operation.body ?? {}, known)) as JsonMembers;
  for (const { field, value } of changes) {
    let at = root as Record<string | number, unknown>;
    for (const [depth, step] of field.path.slice(0, -1).entries()) {
      const here = field.path.slice(0, depth + 1).join(".");
      const schema = operation.fields.find(({ path }) => path.join(".") === here)?.schema ?? {};
      if (typeof at[step] !== "object" || at[step] === null || at[step] instanceof Raw) at[step] = exampleOf(container(schema), known);
      at = at[step] as Record<string | number, unknown>;
    }
    at[field.path.at(-1) ?? ""] = new Raw(value);
  }
  return written(root);
};

/** Where a text may also be a map, the map: only that can lead further down. */
const container = (schema: ValueSchema): ValueSchema =>
  [schema.type].flat().includes("object") && !schema.properties ? { type: "object" } : schema;

export const pathParameters = ({ path }: DescribedOperation): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);

const pathWith = (operation: DescribedOperation, known: KnownIds, given: Record<string, string> = {}): string =>
  operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => given[name] ?? String(known[name] ?? 1));

const JSON_TYPE = { "content-type": "application/json" };

export type FieldProbe = HostileRequest & { id: string; field: string; value: string; json: string };

/** The example body with one value, given as JSON text, in the place of one field. */
export const fieldProbe = (operation: DescribedOperation, known: KnownIds, field: SchemaField, value: string): FieldProbe => {
  const json = bodyWith(operation, known, [{ field, value }]);
  const { id, method } = operation;
  const target = pathWith(operation, known);
  return { id, method, target, headers: JSON_TYPE, payload: Buffer.from(json), field: field.path.join("."), value, json };
};

/** Each field of each body with each JSON type that it does not allow: all must be refused by name. */
export const wrongTypeProbes = (operations: DescribedOperation[], known: KnownIds): FieldProbe[] =>
  operations.flatMap((operation) =>
    operation.fields.flatMap((field) => wrongTypesFor(field.schema).map((value) => fieldProbe(operation, known, field, value))),
  );

const anyText = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...TEXTS) }, { weight: 1, arbitrary: fc.string({ unit: "binary" }) });

/** As a careful client, a careless one and a hostile one would write a text into a URL. */
const inUrl = (text: string, style: number): string => {
  const careful = encodeURIComponent(text.toWellFormed());
  if (style === 0) return careful;
  if (style === 1) return careful.replaceAll("%20", "+").replaceAll("%", "%25");
  if (style === 2) return [...Buffer.from(text.slice(0, 500))].map((byte) => `%${byte.toString(16)}`).join("");
  if (style === 3) return `${careful.slice(0, 200)}%`;
  return text.replaceAll(/[\0-\x20\x7f-\uffff#?]/g, "%c3").slice(0, 2000);
};

const urlText = fc.tuple(anyText, fc.nat({ max: 4 })).map(([text, style]) => inUrl(text, style));

const pathProbe = (operation: DescribedOperation, known: KnownIds): fc.Arbitrary<HostileRequest> =>
  urlText.map((text) => {
    const [name] = pathParameters(operation);
    const target = name ? pathWith(operation, known, { [name]: text }) : `${operation.path}/${text}`;
    return { method: operation.method, target, headers: {}, payload: null };
  });

const queryProbe = (operation: DescribedOperation, known: KnownIds): fc.Arbitrary<HostileRequest> => {
  const declared = operation.query.map(({ name }) => name);
  const name = fc.constantFrom(...declared, ...declared, "cursor", "unknown", "__proto__", "per_page[]", "%00");
  const bounds = operation.query.flatMap(({ schema }) => boundaryValues(schema)).map((text) => text.replaceAll('"', ""));
  const value = fc.oneof(urlText, fc.constantFrom("", "1", "true", ...bounds));
  const glue = fc.constantFrom("&", "&", "&", "&&", ";", "&=&");
  return fc.tuple(fc.array(fc.tuple(name, value), { minLength: 1, maxLength: 4 }), glue).map(([pairs, between]) => ({
    method: operation.method,
    target: `${pathWith(operation, known)}?${pairs.map(([left, right]) => `${left}=${right}`).join(between)}`,
    headers: {},
    payload: null,
  }));
};

const fieldsProbe = (operation: DescribedOperation, known: KnownIds, countMax: number): fc.Arbitrary<HostileRequest> => {
  const changes = operation.fields.map((field) => {
    const values = fc.oneof(fc.constantFrom(...HOSTILE_JSON), fc.constantFrom("1", ...boundaryValues(field.schema)));
    return values.map((value): Change => ({ field, value }));
  });
  return fc.array(fc.oneof(...changes), { minLength: 1, maxLength: countMax }).map((chosen) => ({
    method: operation.method,
    target: pathWith(operation, known),
    headers: JSON_TYPE,
    payload: Buffer.from(bodyWith(operation, known, chosen)),
  }));
};

/** Senseless bodies: random trees that use the right names, and bytes that are no JSON at all. */
const bodyProbe = (operation: DescribedOperation, known: KnownIds): fc.Arbitrary<HostileRequest> => {
  const names = operation.fields.flatMap(({ path }) => path.filter((step) => typeof step === "string"));
  const tree = fc.object({ key: fc.constantFrom(...names, "__proto__", "en"), maxDepth: 4, withNullPrototype: true });
  const valid = bodyWith(operation, known, []);
  const bytes = fc.oneof(
    tree.map((value) => Buffer.from(JSON.stringify(value))),
    fc.json().map((text) => Buffer.from(text)),
    fc.constantFrom(...HOSTILE_JSON).map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 64 }).map((array) => Buffer.from(array)),
    fc.nat({ max: valid.length }).map((length) => Buffer.from(valid.slice(0, length))),
    fc.constantFrom(
      gzipSync(valid),
      Buffer.from(valid, "utf16le"),
      Buffer.from(`\ufeff${valid}`),
      Buffer.from(valid.replace("{", '{"__proto__":{"polluted":1},"name":"first",')),
      Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xc3, 0x28, 0xff, 0xfe]), Buffer.from('"}')]),
      Buffer.from(`${valid}${valid}`),
      Buffer.from("{'name':1,}"),
      Buffer.from("name=x&price_minor=1"),
    ),
  );
  return bytes.map((payload) => ({ method: operation.method, target: pathWith(operation, known), headers: JSON_TYPE, payload }));
};

const headerProbe = (operation: DescribedOperation, known: KnownIds): fc.Arbitrary<HostileRequest> =>
  fc
    .array(
      fc.constantFrom(...Object.entries(HEADERS)).chain(([name, values]) => fc.tuple(fc.constant(name), fc.constantFrom(...values))),
      { minLength: 1, maxLength: 3 },
    )
    .map((pairs) => ({
      method: operation.method,
      target: pathWith(operation, known),
      headers: { ...(operation.body ? JSON_TYPE : {}), ...Object.fromEntries(pairs) },
      payload: operation.body ? Buffer.from(bodyWith(operation, known, [])) : null,
    }));

const methodProbe = (operation: DescribedOperation, known: KnownIds): fc.Arbitrary<HostileRequest> =>
  fc
    .tuple(fc.constantFrom("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"), fc.constantFrom(...HOSTILE_JSON))
    .map(([method, json]) => ({
      method,
      target: pathWith(operation, known),
      headers: { ...JSON_TYPE, "idempotency-key": "x" },
      payload: Buffer.from(json),
    }));

export const anyProbe = (operations: DescribedOperation[], known: KnownIds): fc.Arbitrary<HostileRequest> =>
  fc.oneof(...operations.map((operation) => ({ weight: operation.body ? 3 : 1, arbitrary: probeOf(operation, known) })));

const probeOf = (operation: DescribedOperation, known: KnownIds): fc.Arbitrary<HostileRequest> =>
  fc.oneof(
    { weight: 3, arbitrary: pathProbe(operation, known) },
    { weight: operation.query.length > 0 ? 9 : 1, arbitrary: queryProbe(operation, known) },
    { weight: 2, arbitrary: headerProbe(operation, known) },
    { weight: 1, arbitrary: methodProbe(operation, known) },
    ...(operation.body
      ? [
          { weight: 14, arbitrary: fieldsProbe(operation, known, 1) },
          { weight: 4, arbitrary: fieldsProbe(operation, known, 4) },
          { weight: 4, arbitrary: bodyProbe(operation, known) },
        ]
      : []),
  );
