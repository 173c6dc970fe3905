/** The operations table as an OpenAPI 3.1 document. Shapes with a title become components, by identity. */
import { AREAS } from "../areas.ts";
import { ErrorBody } from "../errors.ts";
import { EVENT_SAMPLES } from "../events/event-samples.ts";
import { EVENT_TABLE } from "../events/event-table.ts";
import { EVENT_TYPES, type EventType, eventSchema, isSent } from "../events/events.ts";
import { type Operation, PATH_PARAMETERS, pathParameters } from "../operation.ts";
import { API_PREFIX, type OperationId, operationEntries, operations } from "../operations.ts";
import { SAMPLE_DAY } from "../sandbox/sandbox-sample.ts";
import { SCOPES } from "../scopes.ts";
import { UUID_PATTERN } from "../shared.ts";
import { errorResponses, type OpenApiObject } from "./errors.ts";
import { exampleOn } from "./example-dates.ts";
import { OAUTH_SECURITY, oauthPaths } from "./oauth.ts";
import { EXAMPLES, type OperationExample } from "./operation-examples.ts";

/** `today` is the day for which the dates of the examples are written; without it they are those of the sample. */
export const openapiDocument = (rootUrl: string, today = SAMPLE_DAY): OpenApiObject => {
  const components: OpenApiObject = {};
  const schema = (value: unknown) => hoist(value, components);
  const paths: Record<string, OpenApiObject> = {};
  for (const [id, operation] of operationEntries) {
    const path = `${API_PREFIX}${operation.path}`;
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describeOperation(id, exampleOn(EXAMPLES[id], today), schema) };
  }
  Object.assign(paths, oauthPaths(schema));
  const webhooks = Object.fromEntries(EVENT_TYPES.map((type) => [type, describeEvent(type, schema)]));
  schema(ErrorBody);
  return {
    openapi: "3.1.0",
    info: {
      title: "Restaurant Operations API",
      version: "1.0.0",
      description: INFO,
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

const INFO = `One restaurant at a time, chosen by the bearer token: menus, orders, bookings, guests and sales figures.

- **Money** is an integer in the currency's minor unit: \`1250\` is 12.50 euros and 1.250 dinars.
- **Texts** are maps from language to text. **Times** are RFC 3339 with the offset of the restaurant's clock.
- **Every success** is an object of \`data\`, \`meta\` and \`links\`; **every refusal** is \`error\` with a \`code\` to switch on.
- **Every POST** takes an \`Idempotency-Key\`, so that it can be repeated without a second effect.

With the token of a [sandbox](/docs/guide/sandbox) every request on this page can be sent as it stands: its examples are the sandbox's own sample.

New here? Begin with the [quick start](/docs/guide/quick-start). All guides: [/docs/guide](/docs/guide).`;

const TAGS = [
  ...Object.entries(AREAS).map(([name, { description }]) => ({ name, description })),
  { name: "OAuth", description: "Tokens for apps that venues install." },
];

const describeOperation = (id: OperationId, example: OperationExample, schema: (value: unknown) => unknown): OpenApiObject => {
  const operation: Operation = operations[id];
  const isPost = operation.method === "POST";
  const { status, body } = operation.success;
  return {
    operationId: id,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.scope === null ? operation.description : `${operation.description} Needs the scope \`${operation.scope}\`.`,
    ...(operation.scope === null ? {} : { "x-scope": operation.scope }),
    ...(operation.isAddition ? { "x-addition": true } : {}),
    parameters: [
      ...pathParameterList(operation, example),
      ...queryParameterList(operation, example, schema),
      ...(isPost ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(operation.body
      ? { requestBody: { required: true, content: { "application/json": { schema: schema(operation.body), example: example.body } } } }
      : {}),
    responses: {
      [status]: {
        description: status === 201 ? "Created." : "Done.",
        headers: { ...ANSWER_HEADERS, ...IGNORED, ...(status === 201 ? LOCATION : {}), ...(isPost ? REPLAYED : {}) },
        content: {
          "application/json": { schema: schema(body), example: example.answer },
          ...(operation.waits ? { "text/event-stream": EVENT_STREAM } : {}),
        },
      },
      ...errorResponses(operation, { schema, headers: ANSWER_HEADERS, errors: example.errors ?? {} }),
    },
  };
};

/** A delivery proves itself by its signature, so the token of the API has no part in it. */
const describeEvent = (type: EventType, schema: (value: unknown) => unknown): OpenApiObject => ({
  post: {
    operationId: `on_${type.replace(".", "_")}`,
    summary: type,
    description: describeOccasion(type),
    security: [],
    parameters: deliveryHeaders(type),
    requestBody: {
      required: true,
      content: { "application/json": { schema: schema(eventSchema(type)), example: EVENT_SAMPLES[type] } },
    },
    responses: { "2XX": { description: "Any 2xx within 10 seconds is taken as received." } },
  },
});

const describeOccasion = (type: EventType): string => {
  const { occursWhen, madeBy } = EVENT_TABLE[type];
  if (!isSent(type)) return `**Not yet sent.** ${occursWhen}`;
  const inSandbox = type === "ping" ? "" : ` In a sandbox, \`comanda sandbox trigger SLUG ${type}\` triggers one.`;
  return `${occursWhen}\n\n**To see one:** ${madeBy}${inSandbox}`;
};

const deliveryHeaders = (type: EventType): OpenApiObject[] => [
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

/** What a call that waits sends when it is asked for a stream. */
const EVENT_STREAM: OpenApiObject = {
  schema: { type: "string", description: "`id` is the position behind the event, `data` the event." },
  example: `id: 1024.1794211200000-0.7.1.1794657600000\ndata: ${JSON.stringify(EVENT_SAMPLES.ping)}\n\n`,
};

const pathParameterList = (operation: Operation, { path: example }: OperationExample): OpenApiObject[] =>
  pathParameters(operation.path).map((name) => ({
    name,
    in: "path",
    required: true,
    description: `The id of the ${name === "item" ? "dish" : name}. One of another restaurant is not found.`,
    schema: PATH_PARAMETERS[name] === "integer" ? { type: "integer" } : { type: "string", format: "uuid" },
    example,
  }));

const queryParameterList = (operation: Operation, { query = {} }: OperationExample, schema: (value: unknown) => unknown): OpenApiObject[] =>
  Object.entries(operation.query?.properties ?? {}).map(([name, property]) => {
    const required = (operation.query?.required as string[] | undefined)?.includes(name) ?? false;
    return {
      name,
      in: "query",
      required,
      description: (property as { description?: string }).description,
      schema: schema(property),
      ...(required ? { example: query[name] } : offered(query[name])),
    };
  });

/** The reference shows this value and sends it only when the reader ticks it: `x-disabled` is Scalar's word for that. */
const offered = (value: unknown): OpenApiObject => (value === undefined ? {} : { examples: { sample: { value, "x-disabled": true } } });

const IDEMPOTENCY_KEY: OpenApiObject = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Repeating the request with the same key and body within 24 hours gives the first answer back, a refusal too. Make the key of your own name for the request and a hash of the body, so that a corrected body is a new request.",
  schema: { type: "string", maxLength: 255 },
  ...offered("cart-4711-9f86d081884c7d65"),
};

const ANSWER_HEADERS: OpenApiObject = {
  "X-RateLimit-Limit": { schema: { type: "integer" }, description: "Requests per minute." },
  "X-RateLimit-Remaining": { schema: { type: "integer", minimum: 0 }, description: "Requests left in this window." },
  "X-Request-Id": { schema: { type: "string" }, description: "Names this call in the logs of the service." },
  "Service-Sandbox": { schema: { type: "string", const: "true" }, description: "Only on answers to a sandbox's token." },
};
/** Shown on success, where a slip goes unnoticed; refusals carry it too. */
const IGNORED: OpenApiObject = {
  "Service-Ignored": {
    schema: { type: "string" },
    description: "Only in a sandbox: what you sent and the operation does not know, such as `query.stauts, body.price`.",
  },
};
const LOCATION: OpenApiObject = { Location: { schema: { type: "string", format: "uri" }, description: "The address of what was made." } };
const REPLAYED: OpenApiObject = {
  "Idempotent-Replayed": { schema: { type: "string", const: "true" }, description: "Only when this is the first answer, given again." },
};

/** Replaces each titled schema by a reference and keeps its body once, under the title. */
const hoist = (value: unknown, components: OpenApiObject): unknown => {
  if (Array.isArray(value)) return value.map((entry) => hoist(entry, components));
  if (typeof value !== "object" || value === null) return value;
  const { title, ...rest } = value as OpenApiObject;
  const body = Object.fromEntries(Object.entries(rest).map(([key, entry]) => [key, hoist(entry, components)]));
  if (typeof title !== "string") return body;
  components[title] = body;
  return { $ref: `#/components/schemas/${title}` };
};
