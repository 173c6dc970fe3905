/** The contract's response shapes, strictly: every listed field, and no other. */
import { type ApiOperationId, apiOperations } from "@comanda/contract/operations.ts";
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";

/** A JSON Schema as plain data, as far as the kit reads it. */
export type PlainSchema = {
  type?: string | string[];
  enum?: unknown[];
  anyOf?: PlainSchema[];
  properties?: Record<string, PlainSchema>;
  required?: string[];
  additionalProperties?: unknown;
  maxProperties?: number;
  format?: string;
  pattern?: string;
  "x-unreadable-as"?: unknown;
};

/** Whole seconds and a numeric offset: the only form of a date-time in answers. */
export const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[+-]\d{2}:\d{2}$/;

export const plain = (schema: unknown): PlainSchema => JSON.parse(JSON.stringify(schema)) as PlainSchema;

export const typesOf = (schema: PlainSchema): string[] => [...[schema.type ?? []].flat(), ...(schema.anyOf ?? []).flatMap(typesOf)];

/** What is wrong with the body of a success; empty when it is exactly as the contract says. */
export const successProblems = (id: ApiOperationId, body: unknown): string[] => checkOf(id)(body);

type StrictCheck = (value: unknown) => string[];

/** Checks any other shape of the contract, such as the body of an event. */
export const strictCheck = (schema: object): StrictCheck => {
  const validate = ajv.compile(strict(plain(schema)) as object);
  return (value) => (validate(value) ? [] : (validate.errors ?? []).map(sentenceOf));
};

const sentenceOf = ({ instancePath, message, params }: ErrorObject): string =>
  [instancePath || "(body)", message, JSON.stringify(params)].join(" ");

/** Most checks run a few times, so shortening their code would take longer than it saves: half of the time of a compilation. */
const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
ajvFormats.default(ajv);
ajv.addKeyword("x-needs-text");
ajv.addKeyword("x-unreadable-as");

const checks = new Map<ApiOperationId, StrictCheck>();

const checkOf = (id: ApiOperationId): StrictCheck => {
  const known = checks.get(id);
  if (known) return known;
  const check = strictCheck(apiOperations[id].success.body);
  checks.set(id, check);
  return check;
};

const strict = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(strict);
  if (typeof value !== "object" || value === null) return value;
  const schema = Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, strict(entry)])) as PlainSchema;
  if (isObjectShape(schema)) schema.additionalProperties = false;
  if (schema.format === "date-time") schema.pattern ??= DATE_TIME.source;
  return schema;
};

const isObjectShape = (schema: PlainSchema): boolean =>
  schema.type === "object" && typeof schema.properties === "object" && schema.additionalProperties === undefined;
