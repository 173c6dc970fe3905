/** Parameters and headers that operations share: components of the OpenAPI document. */
import { Wait } from "../events/event-feed.ts";
import { REASONS_HEADER, REASONS_WANTED } from "../reasons.ts";
import { Paging, UUID_PATTERN } from "../shared.ts";
import type { OpenApiObject, SchemaWriter } from "./schemas.ts";

/** Marks what the contract of version 1 does not name: it was added later, as §9 allows. */
export const ADDITION = { "x-addition": true };

/** The reference shows this value and sends it only when the reader ticks it: `x-disabled` is Scalar's word for that. */
export const offered = (value: unknown): OpenApiObject =>
  value === undefined ? {} : { examples: { sample: { value, "x-disabled": true } } };

export const PARAMETER_NAMES: Record<string, string> = { per_page: "PerPage", cursor: "Cursor", wait: "Wait" };

export const parameterRef = (name: string): OpenApiObject => ({ $ref: `#/components/parameters/${name}` });

/** The parameter has them already. */
export const withoutWords = (property: object): OpenApiObject => {
  const { description: _, ...schema } = property as OpenApiObject;
  return schema;
};

const wordsOf = (schema: object): unknown => (schema as OpenApiObject).description;

/** The headers of every delivery of an event. */
const DELIVERY_PARAMETERS: OpenApiObject = {
  ServiceDelivery: {
    name: "Service-Delivery",
    in: "header",
    required: true,
    description: "The id of the event, as in the body and the same for every attempt: tell repeats by it.",
    schema: { type: "string", pattern: UUID_PATTERN, format: "uuid" },
  },
  ServiceSignature: {
    name: "Service-Signature",
    in: "header",
    required: true,
    description:
      "`t=<unix seconds>,v1=<hex>`: the HMAC-SHA-256 of the seconds, a full stop and the raw body, keyed with the whole signing secret. While a secret is being replaced there are two `v1`, and one that matches is enough. Refuse it when `t` is older than five minutes.",
    schema: { type: "string", pattern: "^t=\\d+(,v1=[0-9a-f]{64})+$" },
  },
};

export const sharedParameters = (schema: SchemaWriter): OpenApiObject => ({
  PerPage: {
    name: "per_page",
    in: "query",
    required: false,
    description: wordsOf(Paging.per_page),
    schema: schema(withoutWords(Paging.per_page)),
    ...offered(25),
  },
  Cursor: {
    name: "cursor",
    in: "query",
    required: false,
    description: wordsOf(Paging.cursor),
    schema: schema(withoutWords(Paging.cursor)),
  },
  Wait: {
    name: "wait",
    in: "query",
    required: false,
    description: wordsOf(Wait),
    schema: schema(withoutWords(Wait)),
    ...offered(0),
    ...ADDITION,
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description:
      "Repeating the request with the same key and body within 24 hours gives the first answer back, a refusal too. Make the key of your own name for the request and a hash of the body, so that a corrected body is a new request.",
    schema: { type: "string", maxLength: 255 },
    ...offered("cart-4711-9f86d081884c7d65"),
  },
  ServiceReasons: {
    name: REASONS_HEADER,
    in: "header",
    required: false,
    description: "With `1`, a refusal by a rule (409 and 422) has `error.reasons`: one for each sentence, for programs.",
    schema: { type: "string", enum: [REASONS_WANTED] },
    ...offered(REASONS_WANTED),
    ...ADDITION,
  },
  ...DELIVERY_PARAMETERS,
});

const INTEGER = { type: "integer", format: "int32", minimum: 0 };
const TRUE = { type: "string", const: "true" };

export const SHARED_HEADERS = {
  "X-RateLimit-Limit": { schema: INTEGER, description: "Requests per minute.", ...ADDITION },
  "X-RateLimit-Remaining": { schema: INTEGER, description: "Requests left in this window." },
  "X-Request-Id": { schema: { type: "string" }, description: "Names this call in the logs of the service.", ...ADDITION },
  "Service-Sandbox": { schema: TRUE, description: "Only on answers to a sandbox's token." },
  "Service-Ignored": {
    schema: { type: "string" },
    description: "Only in a sandbox: what you sent and the operation does not know, such as `query.stauts, body.price`.",
    ...ADDITION,
  },
  Location: { schema: { type: "string", format: "uri" }, description: "The address of what was made." },
  "Idempotent-Replayed": { schema: TRUE, description: "Only when this is the first answer, given again." },
  Link: { schema: { type: "string" }, description: 'Leads to the part of the guide about this code, with `rel="help"`.', ...ADDITION },
  "Retry-After": { schema: { type: "integer", format: "int32", minimum: 1 }, description: "Seconds to wait." },
} as const satisfies Record<string, OpenApiObject>;

type HeaderName = keyof typeof SHARED_HEADERS;

/** The headers of every answer under the API's prefix. */
export const ANSWER_HEADERS: HeaderName[] = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-Request-Id", "Service-Sandbox"];

export const headerRefs = (names: readonly HeaderName[]): OpenApiObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
