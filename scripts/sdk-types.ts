/** From the OpenAPI document to the SDK's types and its table of operations. Only what our own document uses is understood. */
import { REASONS, REFUSAL_REASONS } from "@comanda/contract/reasons.ts";

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
type PlainOperation = {
  operationId: string;
  summary: string;
  parameters: OpenApiParameter[];
  body?: OpenApiSchema | undefined;
  data: OpenApiSchema;
  meta: OpenApiSchema;
};

const API_PREFIX = "/api/v1";

const comment = (text: string | undefined, indent: string): string => (text ? `${indent}/** ${text.replaceAll("*/", "* /")} */\n` : "");

const literal = (value: unknown): string => JSON.stringify(value);

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

const queryOf = (parameters: OpenApiParameter[]): OpenApiSchema => {
  const query = parameters.filter((parameter) => parameter.in === "query");
  return {
    type: "object",
    properties: Object.fromEntries(
      query.map(({ name, schema, description }) => [name, { ...schema, ...(description ? { description } : {}) }]),
    ),
    required: query.filter(({ required }) => required).map(({ name }) => name),
  };
};

const lastPart = ({ $ref }: { $ref?: string }): string => $ref?.split("/").at(-1) ?? "";

const plainOperation = (operation: OpenApiOperation, { schemas, parameters: shared }: OpenApiDocument["components"]): PlainOperation => {
  const { operationId, summary, parameters = [], requestBody, responses } = operation;
  const follow = (schema: OpenApiSchema = {}): OpenApiSchema => (schema.$ref ? (schemas[lastPart(schema)] ?? {}) : schema);
  const success = follow((responses["200"] ?? responses["201"])?.content?.["application/json"]?.schema).properties ?? {};
  return {
    operationId,
    summary,
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
  const query = queryOf(parameters);
  const fields = [
    `    path: ${path ? typeOf(path.schema) : "never"};`,
    `    query: ${Object.keys(query.properties ?? {}).length > 0 ? typeOf(query, "    ") : "never"};`,
    `    body: ${body ? typeOf(body, "    ") : "never"};`,
    `    data: ${typeOf(data, "    ")};`,
    `    meta: ${typeOf(meta, "    ")};`,
  ];
  return `${comment(`${summary}.`, "  ")}  ${operationId}: {\n${fields.join("\n")}\n  };\n`;
};

/** `setItemAvailability` of `/items/{item}/availability` is `items.setAvailability`; a noun of its own is the name: `reports.salesSummary`. */
const methodOf = (operationId: string, path: string): [resource: string, method: string] => {
  const resource = (path.split("/")[1] ?? "").replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const [, verb = "", noun = ""] = /^([a-z]+)(.*)$/.exec(operationId) ?? [];
  const stem = resource.charAt(0).toUpperCase() + resource.slice(1).replace(/(?:ies|y|s)$/, "");
  const own = new RegExp(`^${stem}(?:ies|y|s)?(?![a-z])`);
  if (own.test(noun)) return [resource, verb + noun.replace(own, "")];
  return [resource, verb === "get" ? noun.charAt(0).toLowerCase() + noun.slice(1) : operationId];
};

/** What a method takes before its options, in this order. */
const takenBy = ({ parameters, body, meta }: PlainOperation): string[] => {
  const isPaged = "next_cursor" in (meta.properties ?? {});
  const query = parameters.some((parameter) => parameter.in === "query") ? [isPaged ? "filter" : "query"] : [];
  return [...(parameters.some((parameter) => parameter.in === "path") ? ["id"] : []), ...query, ...(body ? ["body"] : [])];
};

const describeMethods = (api: { path: string; operation: PlainOperation }[]): string => {
  const methods = api.map(({ path, operation }) => {
    const [resource, method] = methodOf(operation.operationId, path);
    return { resource, text: `    ${method}: [${[operation.operationId, ...takenBy(operation)].map(literal).join(", ")}],\n` };
  });
  const resources = Map.groupBy(methods, ({ resource }) => resource);
  return [...resources].map(([name, list]) => `  ${name}: {\n${list.map(({ text }) => text).join("")}  },\n`).join("");
};

const describeReasons = (): string =>
  REFUSAL_REASONS.map((reason) => {
    const { meaning, params } = REASONS[reason];
    return `${comment(meaning, "  ")}  ${reason}: ${typeOf(params as OpenApiSchema, "  ")};\n`;
  }).join("");

export const sdkTypes = (document: OpenApiDocument): string => {
  const { components, paths, webhooks } = document;
  const api = Object.entries(paths)
    .filter(([path]) => path.startsWith(API_PREFIX))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        path: path.slice(API_PREFIX.length),
        method,
        operation: plainOperation(operation, components),
      })),
    );
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

/** The client's methods by resource: the operation of each, and what it takes before its options. */
export const METHODS = {
${describeMethods(api)}} as const;
`;
};
