/** The operations table as an OpenAPI 3.1 document. Shapes with a title become components, by identity. */
import { AREAS } from "../areas.ts";
import { EVENT_TYPES, type EventType, eventSchema, isSent } from "../events/envelope.ts";
import { EVENT_SAMPLES } from "../events/event-samples.ts";
import { EVENT_TABLE } from "../events/event-table.ts";
import { keepsAnswers, type Operation, PATH_PARAMETERS, pathParameters } from "../operation.ts";
import { API_PREFIX, type ApiOperationId, apiOperationEntries, apiOperations } from "../operations.ts";
import { SAMPLE_DAY } from "../sandbox/sandbox-sample.ts";
import { SCOPES } from "../scopes.ts";
import { errorResponses } from "./errors.ts";
import { exampleOn } from "./example-dates.ts";
import { OAUTH_SECURITY, oauthPaths } from "./oauth.ts";
import { EXAMPLES, type OperationExample } from "./operation-examples.ts";
import {
  ADDITION,
  ANSWER_HEADERS,
  headerRefs,
  offered,
  PARAMETER_NAMES,
  parameterRef,
  SHARED_HEADERS,
  sharedParameters,
  withoutWords,
} from "./parameters.ts";
import { createSchemaWriter, namedEnvelope, type OpenApiObject, type SchemaWriter } from "./schemas.ts";

/** `today` is the day for which the dates of the examples are written; without it they are those of the sample. */
export const openapiDocument = (rootUrl: string, today = SAMPLE_DAY): OpenApiObject => {
  const components: OpenApiObject = {};
  const responses: OpenApiObject = {};
  const schema = createSchemaWriter(components);
  const parameters = sharedParameters(schema);
  const paths: Record<string, OpenApiObject> = {};
  for (const [id, operation] of apiOperationEntries) {
    const path = `${API_PREFIX}${operation.path}`;
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: describeOperation(id, exampleOn(EXAMPLES[id], today), { schema, responses }),
    };
  }
  Object.assign(paths, oauthPaths(schema));
  const webhooks = Object.fromEntries(EVENT_TYPES.map((type) => [type, describeEvent(type, schema)]));
  return {
    openapi: "3.1.0",
    info: {
      title: "Restaurant Operations API",
      version: "1.0.0",
      description: INFO,
      contact: { name: "The Comanda authors" },
      license: { name: "MIT License", identifier: "MIT" },
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
      parameters,
      headers: SHARED_HEADERS,
      responses,
      schemas: components,
    },
  };
};

const INFO = `One restaurant at a time, chosen by the bearer token: menus, orders, bookings, guests and sales figures.

- **Money** is an integer in the currency's minor unit: \`1250\` is 12.50 euros and 1.250 dinars.
- **Texts** are maps from language to text. **Times** are RFC 3339 with the offset of the restaurant's clock.
- **Every success** is an object of \`data\`, \`meta\` and \`links\`; **every refusal** is \`error\` with a \`code\` to switch on.
- **What was added** to version 1 later is marked \`x-addition\`: the contract does not name it.
- **Every POST** takes an \`Idempotency-Key\`, so that it can be repeated without a second effect. A quote has none.

With the token of a [sandbox](/docs/guide/sandbox) every request on this page can be sent as it stands: its examples are the sandbox's own sample.

New here? Begin with the [quick start](/docs/guide/quick-start). All guides: [/docs/guide](/docs/guide).`;

const TAGS = [
  ...Object.entries(AREAS).map(([name, { description }]) => ({ name, description })),
  { name: "OAuth", description: "Tokens for apps that venues install." },
];

type OperationWriter = { schema: SchemaWriter; responses: OpenApiObject };

const describeOperation = (id: ApiOperationId, example: OperationExample, writer: OperationWriter): OpenApiObject => {
  const { schema } = writer;
  const operation: Operation = apiOperations[id];
  const isPost = operation.method === "POST";
  const { status, body } = operation.success;
  const isRefusable = isPost || operation.extraStatuses.includes(422);
  return {
    operationId: id,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.scope === null ? operation.description : `${operation.description} Needs the scope \`${operation.scope}\`.`,
    ...(operation.scope === null ? {} : { "x-scope": operation.scope }),
    ...(operation.isAddition ? ADDITION : {}),
    security: [{ bearer: [] }, ...(operation.onlyInSandbox ? [] : [{ oauth: operation.scope === null ? [] : [operation.scope] }])],
    parameters: [
      ...pathParameterList(operation, example),
      ...queryParameterList(operation, example, schema),
      ...(isPost ? [parameterRef("IdempotencyKey")] : []),
      ...(isRefusable ? [parameterRef("ServiceReasons")] : []),
    ],
    ...(operation.body
      ? { requestBody: { required: true, content: { "application/json": { schema: schema(operation.body), example: example.body } } } }
      : {}),
    responses: {
      [status]: {
        description: status === 201 ? "Created." : "Done.",
        headers: headerRefs([
          ...ANSWER_HEADERS,
          "Service-Ignored",
          ...(status === 201 ? (["Location"] as const) : []),
          ...(keepsAnswers(operation) ? (["Idempotent-Replayed"] as const) : []),
        ]),
        content: {
          "application/json": { schema: schema(namedEnvelope(id, body)), example: example.answer },
          ...(operation.waits === "events" ? { "text/event-stream": EVENT_STREAM } : {}),
        },
      },
      ...errorResponses(operation, example.errors, writer),
    },
  };
};

/** A delivery proves itself by its signature, so the token of the API has no part in it. */
const describeEvent = (type: EventType, schema: SchemaWriter): OpenApiObject => ({
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
  return `${occursWhen}\n\n**To see one:** ${madeBy} In a sandbox, \`POST /sandbox/act\` triggers one.`;
};

const deliveryHeaders = (type: EventType): OpenApiObject[] => [
  {
    name: "Service-Event",
    in: "header",
    required: true,
    description: "The type of the event, as in the body.",
    schema: { type: "string", const: type },
  },
  parameterRef("ServiceDelivery"),
  parameterRef("ServiceSignature"),
];

/** What a call that waits sends when it is asked for a stream. */
const EVENT_STREAM: OpenApiObject = {
  schema: { type: "string", description: "`id` is the position behind the event, `data` the event." },
  example: `id: 1024.QzKR…\ndata: {"id":"01a1…","type":"ping",…}\n\n`,
};

const pathParameterList = (operation: Operation, { path: example }: OperationExample): OpenApiObject[] =>
  pathParameters(operation.path).map((name) => ({
    name,
    in: "path",
    required: true,
    description: `The id of the ${name === "item" ? "dish" : name}. One of another restaurant is not found.`,
    schema: PATH_PARAMETERS[name] === "integer" ? { type: "integer", format: "int64" } : { type: "string", format: "uuid" },
    example,
  }));

const queryParameterList = (operation: Operation, { query = {} }: OperationExample, schema: SchemaWriter): OpenApiObject[] =>
  Object.entries(operation.query?.properties ?? {}).map(([name, property]) => {
    const shared = PARAMETER_NAMES[name];
    if (shared !== undefined) return parameterRef(shared);
    const required = (operation.query?.required as string[] | undefined)?.includes(name) ?? false;
    return {
      name,
      in: "query",
      required,
      description: (property as { description?: string }).description,
      schema: schema(withoutWords(property)),
      ...(required ? { example: query[name] } : offered(query[name])),
    };
  });
