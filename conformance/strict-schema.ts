/** The contract's response shapes, read strictly: every listed field present, nothing beside them. */
import { type OperationId, operations } from "@comanda/contract/operations.ts";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
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

/** Whole seconds and a numeric offset: the one form in which the API prints a moment. */
export const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[+-]\d{2}:\d{2}$/;

export const plain = (schema: unknown): PlainSchema => JSON.parse(JSON.stringify(schema)) as PlainSchema;

export const typesOf = (schema: PlainSchema): string[] => [...[schema.type ?? []].flat(), ...(schema.anyOf ?? []).flatMap(typesOf)];

/** What is wrong with the body of a success; empty when it is exactly as the contract says. */
export const successProblems = (id: OperationId, body: unknown): string[] => {
  const validate = validatorOf(id);
  if (validate(body)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath || "(body)", message, JSON.stringify(params)].join(" "),
  );
};

const ajv = new Ajv2020({ strict: false, allErrors: true });
ajvFormats.default(ajv);
ajv.addKeyword("x-needs-text");
ajv.addKeyword("x-unreadable-as");

const validators = new Map<OperationId, ValidateFunction>();

const validatorOf = (id: OperationId): ValidateFunction => {
  const known = validators.get(id);
  if (known) return known;
  const validator = ajv.compile(strict(plain(operations[id].success.body)) as object);
  validators.set(id, validator);
  return validator;
};

const strict = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(strict);
  if (typeof value !== "object" || value === null) return value;
  const schema = Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, strict(entry)])) as PlainSchema;
  if (isObjectShape(schema)) schema.additionalProperties = false;
  if (schema.format === "date-time") schema.pattern = DATE_TIME.source;
  return schema;
};

const isObjectShape = (schema: PlainSchema): boolean =>
  schema.type === "object" && typeof schema.properties === "object" && schema.additionalProperties === undefined;
