/** Makes the SDK's types and its table of operations from the OpenAPI document. It understands only what our own document uses. */
import { CONSOLE_ERROR_CODES, ERRORS, type ErrorCode } from "@comanda/contract/errors.ts";
import { OAUTH_ERRORS } from "@comanda/contract/oauth.ts";
import { REASONS, REFUSAL_REASONS } from "@comanda/contract/reasons.ts";
import { ALL_SCOPES } from "@comanda/contract/scopes.ts";

type OpenApiSchema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: OpenApiSchema[];
  items?: OpenApiSchema;
  properties?: Record<string, OpenApiSchema>;
  required?: string[];
  additionalProperties?: OpenApiSchema | boolean;
  description?: string;
};
type OpenApiParameter = { name: string; in: "query" | "path" | "header"; required: boolean; description?: string; schema: OpenApiSchema };
type OpenApiContent = Record<string, { schema: OpenApiSchema }>;
type OpenApiOperation = {
  operationId: string;
  summary: string;
  description: string;
  parameters?: (OpenApiParameter | { $ref: string })[];
  requestBody?: { content: OpenApiContent };
  responses: Record<string, { content?: OpenApiContent }>;
};
export type OpenApiDocument = {
  paths: Record<string, Record<string, OpenApiOperation>>;
  webhooks: Record<string, { post: { requestBody: { content: OpenApiContent } } }>;
  components: { schemas: Record<string, OpenApiSchema>; parameters: Record<string, OpenApiParameter> };
};
/** An operation whose parameters and envelope are no references any more. */
export type PlainOperation = {
  operationId: string;
  summary: string;
  description: string;
  parameters: OpenApiParameter[];
  body?: OpenApiSchema | undefined;
  data: OpenApiSchema;
  meta: OpenApiSchema;
};

const API_PREFIX = "/api/v1";

export const comment = (text: string | undefined, indent: string): string =>
  text ? `${indent}/** ${text.replaceAll("*/", "* /")} */\n` : "";

export const literal = (value: unknown): string => JSON.stringify(value);

const typeOf = (schema: OpenApiSchema, indent = ""): string => {
  if (schema.$ref) return schema.$ref.split("/").at(-1) ?? "unknown";
  if ("const" in schema) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(" | ");
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, indent)).join(" | ");
  return [schema.type ?? "unknown"]
    .flat()
    .map((type) => plainType(type, schema, indent))
    .join(" | ");
};

const plainType = (type: string, schema: OpenApiSchema, indent: string): string => {
  if (type === "integer") return "number";
  if (type === "array") return `(${typeOf(schema.items ?? {}, indent)})[]`;
  if (type === "object") return objectType(schema, indent);
  return type;
};

const objectType = ({ properties = {}, required = [], additionalProperties }: OpenApiSchema, indent: string): string => {
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([name, schema]) => {
    const optional = required.includes(name) ? "" : "?";
    return `${comment(schema.description, inner)}${inner}${name}${optional}: ${typeOf(schema, inner)};\n`;
  });
  if (typeof additionalProperties === "object") members.push(`${inner}[name: string]: ${typeOf(additionalProperties, inner)};\n`);
  return members.length === 0 ? "Record<string, never>" : `{\n${members.join("")}${indent}}`;
};

/** What one entry of a list with commas is: a program gives one, or an array. */
const LIST_ENTRIES: Record<string, string> = {
  "listOrders.status": 'Order["status"]',
  "listEvents.types": 'Operations["listEvents"]["data"][number]["type"]',
};

/** A query is text, but a program gives booleans and arrays; the client writes them as text. */
const inputType = (operationId: string, { name, schema, description }: OpenApiParameter): string => {
  if (schema.enum?.includes("true") && schema.enum.includes("false")) return "boolean";
  if (!description?.includes("separated by commas")) return typeOf(schema, "      ");
  const entry = LIST_ENTRIES[`${operationId}.${name}`];
  if (entry === undefined) throw new Error(`LIST_ENTRIES does not say what the entries of ${operationId}.${name} are`);
  return `${entry} | readonly ${entry}[]`;
};

const queryType = (operationId: string, parameters: OpenApiParameter[]): string => {
  const query = parameters.filter((parameter) => parameter.in === "query");
  if (query.length === 0) return "never";
  const members = query.map((parameter) => {
    const words = parameter.description?.replace("One status, or several separated by commas.", "One status, or several.");
    const type = inputType(operationId, parameter);
    return `${comment(words?.replace(", separated by commas.", "."), "      ")}      ${parameter.name}${parameter.required ? "" : "?"}: ${type};\n`;
  });
  return `{\n${members.join("")}    }`;
};

const lastPart = ({ $ref }: { $ref?: string }): string => $ref?.split("/").at(-1) ?? "";

const plainOperation = (operation: OpenApiOperation, { schemas, parameters: shared }: OpenApiDocument["components"]): PlainOperation => {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const follow = (schema: OpenApiSchema = {}): OpenApiSchema => (schema.$ref ? (schemas[lastPart(schema)] ?? {}) : schema);
  const success = follow((responses["200"] ?? responses["201"])?.content?.["application/json"]?.schema).properties ?? {};
  return {
    operationId,
    summary,
    description,
    parameters: parameters.map((one) => ("name" in one ? one : (shared[lastPart(one)] as OpenApiParameter))),
    body: requestBody?.content["application/json"]?.schema,
    data: success.data ?? {},
    meta: follow(success.meta),
  };
};

/** The names of all shapes that these have in them. Envelopes and errors have types of their own in the SDK. */
const namesIn = (value: unknown, schemas: Record<string, OpenApiSchema>, found: Set<string>): Set<string> => {
  if (typeof value !== "object" || value === null) return found;
  const name = lastPart(value as { $ref?: string });
  if (name !== "" && !found.has(name)) namesIn(schemas[name], schemas, found.add(name));
  for (const entry of Object.values(value)) namesIn(entry, schemas, found);
  return found;
};

const describeOperation = ({ operationId, summary, parameters, body, data, meta }: PlainOperation): string => {
  const path = parameters.find((parameter) => parameter.in === "path");
  const fields = [
    `    path: ${path ? typeOf(path.schema) : "never"};`,
    `    query: ${queryType(operationId, parameters)};`,
    `    body: ${body ? typeOf(body, "    ") : "never"};`,
    `    data: ${typeOf(data, "    ")};`,
    `    meta: ${typeOf(meta, "    ")};`,
  ];
  return `${comment(`${summary}.`, "  ")}  ${operationId}: {\n${fields.join("\n")}\n  };\n`;
};

const describeReasons = (): string =>
  REFUSAL_REASONS.map((reason) => {
    const { meaning, params } = REASONS[reason];
    return `${comment(meaning, "  ")}  ${reason}: ${typeOf(params as OpenApiSchema, "  ")};\n`;
  }).join("");

const union = (values: readonly string[]): string => values.map(literal).join(" | ");

const API_CODES = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => !CONSOLE_ERROR_CODES.includes(code));

export const operationsIn = ({ components, paths }: OpenApiDocument): { path: string; method: string; operation: PlainOperation }[] =>
  Object.entries(paths)
    .filter(([path]) => path.startsWith(API_PREFIX))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        path: path.slice(API_PREFIX.length),
        method,
        operation: plainOperation(operation, components),
      })),
    );

export const sdkTypes = (document: OpenApiDocument): string => {
  const { components, paths, webhooks } = document;
  const api = operationsIn(document);
  const oauth = Object.entries(paths).filter(([path]) => !path.startsWith(API_PREFIX));
  const named = namesIn([api.map(({ operation }) => operation), oauth, webhooks], components.schemas, new Set());
  const schemas = Object.entries(components.schemas)
    .filter(([name]) => named.has(name))
    .map(([name, schema]) => `${comment(schema.description, "")}export type ${name} = ${typeOf(schema)};\n`);
  const events = Object.values(webhooks).map(({ post }) => typeOf(post.requestBody.content["application/json"]?.schema ?? {}));
  const table = api.map(({ path, method, operation }) => `  ${operation.operationId}: ["${method.toUpperCase()}", "${path}"],\n`);
  return `// @generated by \`npm run generate\` from the OpenAPI document. Do not edit.

${schemas.join("\n")}
/** Every event that a webhook can carry; tell them apart by \`type\`. */
export type WebhookEvent =\n${events.map((name) => `  | ${name}`).join("\n")};

/** The code of a refusal. Codes are added over time, so keep a default for unknown ones. */
export type ErrorCode = ${union(API_CODES)};

export type OAuthErrorCode = ${union(Object.keys(OAUTH_ERRORS))};

export type Scope = ${union(ALL_SCOPES)};

/** Why a request is refused: the parameters of each reason. Reasons are added over time, so keep a default for unknown ones. */
export type ReasonParams = {
${describeReasons()}};

export type Reason = keyof ReasonParams;

/** One refusal: the field as in \`details\`, its reason, and the parameters of that reason. */
export type FieldReason = { [R in Reason]: { field: string; reason: R; params: ReasonParams[R] } }[Reason];

/** What goes into each operation and what comes out. */
export type Operations = {
${api.map(({ operation }) => describeOperation(operation)).join("")}};

export type OperationId = keyof Operations;

export const OPERATIONS: Record<OperationId, readonly [method: string, path: string]> = {
${table.join("")}};
`;
};
