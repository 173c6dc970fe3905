/** The operations table as an OpenAPI 3.1 document. Shapes with a title become components, by identity. */
import { ERRORS, ErrorBody, type ErrorCode } from "./errors.ts";
import { EVENT_SAMPLES } from "./event-samples.ts";
import { EVENT_TYPES, EVENTS, type EventType, eventSchema } from "./events.ts";
import { OAUTH_SECURITY, oauthPaths } from "./openapi-oauth.ts";
import { type Operation, PATH_PARAMETERS, pathParameters } from "./operation.ts";
import { API_PREFIX, operationEntries } from "./operations.ts";
import { SCOPES } from "./scopes.ts";
import { UUID_PATTERN } from "./shared.ts";

type Json = { [key: string]: unknown };

export const openapiDocument = (rootUrl: string): Json => {
  const components: Json = {};
  const schema = (value: unknown) => hoist(value, components);
  const paths: Record<string, Json> = {};
  for (const [id, operation] of operationEntries) {
    const path = `${API_PREFIX}${operation.path}`;
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describeOperation(id, operation, schema) };
  }
  Object.assign(paths, oauthPaths(schema));
  const webhooks = Object.fromEntries(EVENT_TYPES.map((type) => [type, describeEvent(type, schema)]));
  schema(ErrorBody);
  return {
    openapi: "3.1.0",
    info: {
      title: "Restaurant Operations API",
      version: "1.0.0",
      description:
        "One restaurant at a time, chosen by the bearer token. Money is an integer in the currency's minor unit; every success is an object of data, meta and links.",
    },
    servers: [{ url: rootUrl }],
    security: [{ bearer: [] }, { oauth: [] }],
    tags: TAGS,
    paths,
    webhooks,
    components: {
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: `A restaurant's token. Scopes: ${Object.entries(SCOPES)
            .map(([scope, meaning]) => `\`${scope}\` ${meaning}`)
            .join(" ")}`,
        },
        ...OAUTH_SECURITY,
      },
      schemas: components,
    },
  };
};

const TAGS = [
  { name: "Menu", description: "Menus, categories, dishes, sizes and modifiers." },
  { name: "Orders", description: "Placed on any channel, priced from the menu, moved through the kitchen." },
  { name: "Reservations", description: "Free times, bookings and the tables they hold." },
  { name: "Guests", description: "Profiles, with contact details only under consent." },
  { name: "Reports", description: "What was sold." },
  { name: "OAuth", description: "Tokens for apps that venues install." },
];

const COMMON_ERRORS: ErrorCode[] = ["unauthenticated", "insufficient_scope", "rate_limited"];
const ERROR_OF_STATUS: Record<number, ErrorCode> = { 404: "not_found", 409: "invalid_transition", 422: "validation_failed" };

const describeOperation = (id: string, operation: Operation, schema: (value: unknown) => unknown): Json => {
  const isPost = operation.method === "POST";
  const codes = new Set<ErrorCode>([
    ...COMMON_ERRORS,
    ...operation.extraStatuses.flatMap((status) => ERROR_OF_STATUS[status] ?? []),
    ...(isPost ? (["idempotency_key_in_use", "idempotency_key_reused"] as const) : []),
  ]);
  const responses: Json = {
    [operation.success.status]: {
      description: operation.success.status === 201 ? "Created." : "Done.",
      headers: RATE_HEADERS,
      content: { "application/json": { schema: schema(operation.success.body) } },
    },
  };
  for (const code of codes) responses[ERRORS[code].status] ??= describeError(code, codes, schema);
  return {
    operationId: id,
    tags: [operation.tag],
    summary: operation.summary,
    description: `${operation.description} Needs the scope \`${operation.scope}\`.`,
    "x-scope": operation.scope,
    parameters: [...pathParameterList(operation), ...queryParameterList(operation, schema), ...(isPost ? [IDEMPOTENCY_KEY] : [])],
    ...(operation.body ? { requestBody: { required: true, content: { "application/json": { schema: schema(operation.body) } } } } : {}),
    responses,
  };
};

const describeError = (code: ErrorCode, codes: Set<ErrorCode>, schema: (value: unknown) => unknown): Json => {
  const status = ERRORS[code].status;
  const same = [...codes].filter((other) => ERRORS[other].status === status);
  return {
    description: same.map((other) => `\`${other}\`: ${ERRORS[other].message}`).join(" "),
    headers: RATE_HEADERS,
    content: { "application/json": { schema: schema(ErrorBody) } },
  };
};

/** A delivery proves itself by its signature, so the token of the API has no part in it. */
const describeEvent = (type: EventType, schema: (value: unknown) => unknown): Json => ({
  post: {
    operationId: `on_${type.replace(".", "_")}`,
    summary: type,
    description: EVENTS[type].occursWhen,
    security: [],
    parameters: deliveryHeaders(type),
    requestBody: {
      required: true,
      content: { "application/json": { schema: schema(eventSchema(type)), example: EVENT_SAMPLES[type] } },
    },
    responses: { "2XX": { description: "Any 2xx within 10 seconds is taken as received." } },
  },
});

const deliveryHeaders = (type: EventType): Json[] => [
  {
    name: "Service-Event",
    in: "header",
    required: true,
    description: "The type of the event, as in the body.",
    schema: { type: "string", const: type },
  },
  {
    name: "Service-Delivery",
    in: "header",
    required: true,
    description: "The id of the event, as in the body and the same for every attempt: tell repeats by it.",
    schema: { type: "string", pattern: UUID_PATTERN },
  },
  {
    name: "Service-Signature",
    in: "header",
    required: true,
    description:
      "`t=<unix seconds>,v1=<hex>`: the HMAC-SHA-256 of the seconds, a full stop and the raw body, keyed with the whole signing secret. While a secret is being replaced there are two `v1`, and one that matches is enough. Refuse it when `t` is older than five minutes.",
    schema: { type: "string", pattern: "^t=\\d+(,v1=[0-9a-f]{64})+$" },
  },
];

const pathParameterList = (operation: Operation): Json[] =>
  pathParameters(operation.path).map((name) => ({
    name,
    in: "path",
    required: true,
    schema: PATH_PARAMETERS[name] === "integer" ? { type: "integer" } : { type: "string", format: "uuid" },
  }));

const queryParameterList = (operation: Operation, schema: (value: unknown) => unknown): Json[] =>
  Object.entries(operation.query?.properties ?? {}).map(([name, property]) => ({
    name,
    in: "query",
    required: (operation.query?.required as string[] | undefined)?.includes(name) ?? false,
    description: (property as { description?: string }).description,
    schema: schema(property),
  }));

const IDEMPOTENCY_KEY: Json = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "Repeating the request with the same key and body within 24 hours gives the first answer back.",
  schema: { type: "string", maxLength: 255 },
};

const RATE_HEADERS: Json = {
  "X-RateLimit-Limit": { schema: { type: "integer" }, description: "Requests per minute." },
  "X-RateLimit-Remaining": { schema: { type: "integer", minimum: 0 }, description: "Requests left in this window." },
};

/** Replaces each titled schema by a reference and keeps its body once, under the title. */
const hoist = (value: unknown, components: Json): unknown => {
  if (Array.isArray(value)) return value.map((entry) => hoist(entry, components));
  if (typeof value !== "object" || value === null) return value;
  const { title, ...rest } = value as Json;
  const body = Object.fromEntries(Object.entries(rest).map(([key, entry]) => [key, hoist(entry, components)]));
  if (typeof title !== "string") return body;
  components[title] = body;
  return { $ref: `#/components/schemas/${title}` };
};
