/** Pages made from the contract, so that the site's search finds operations, events and error codes. The reader at /docs can try them. */

import { CONSOLE_ERROR_CODES, ERRORS, type ErrorCode, helpPathOf } from "@comanda/contract/errors.ts";
import { openapiDocument } from "@comanda/contract/openapi/document.ts";
import { WRITTEN_ADDRESS } from "../../server/src/http/docs/guide-files.ts";
import { fieldRows, type Schema, table } from "./schema-tables.ts";

/** `name` is the last part of its URL. */
export type ReferencePage = { name: string; title: string; text: string };

type Parameter = { $ref?: string; name?: string; in?: string; required?: boolean; description?: string; schema?: Schema };
type Media = { content?: { "application/json"?: { schema?: Schema; example?: unknown } } };
type ApiOperation = {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: Media;
  responses: Record<string, Media & { $ref?: string; description?: string }>;
};
type ApiDocument = {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, ApiOperation>>;
  webhooks: Record<string, { post: ApiOperation }>;
  components: {
    parameters: Record<string, Parameter>;
    responses: Record<string, Media & { description: string }>;
    schemas: Record<string, Schema>;
  };
};

const api = openapiDocument(WRITTEN_ADDRESS) as unknown as ApiDocument;

const json = (value: unknown): string => ["```json", JSON.stringify(value, null, 2), "```"].join("\n");
const slug = (tag: string): string => tag.toLowerCase();
const tryIt = (address: string): string => `<a href="/docs#${address}" target="_self">Open it in the interactive reference</a>`;

const parameterOf = (given: Parameter): Parameter =>
  given.$ref ? (api.components.parameters[given.$ref.split("/").at(-1) ?? ""] ?? given) : given;

const parametersOf = ({ parameters = [] }: ApiOperation): string =>
  parameters.length === 0
    ? ""
    : table(
        ["parameter", "where", "what it is"],
        parameters
          .map(parameterOf)
          .map(({ name = "", in: place = "", required, description = "" }) => [
            `\`${name}\``,
            `${place}${required ? ", required" : ""}`,
            description,
          ]),
      );

const bodyOf = ({ requestBody }: ApiOperation): string => {
  const { schema, example } = requestBody?.content?.["application/json"] ?? {};
  if (!schema) return "";
  const rows = fieldRows(schema, api.components.schemas);
  return [
    rows.length === 0 ? "" : `The body:\n\n${table(["field", "type", "what it is"], rows)}`,
    example === undefined ? "" : json(example),
  ]
    .filter(Boolean)
    .join("\n\n");
};

const answersOf = ({ responses }: ApiOperation): string => {
  const all = Object.entries(responses).map(([status, given]) => {
    const shared = given.$ref ? api.components.responses[given.$ref.split("/").at(-1) ?? ""] : undefined;
    return { status, description: given.description ?? shared?.description ?? "", example: given.content?.["application/json"]?.example };
  });
  const success = all.find(({ status, example }) => status.startsWith("2") && example !== undefined);
  const rows = all.map(({ status, description }) => [status, description]);
  return [table(["status", "when"], rows), success ? `The answer, ${success.status}:\n\n${json(success.example)}` : ""]
    .filter(Boolean)
    .join("\n\n");
};

const operationPart = (path: string, method: string, operation: ApiOperation): string =>
  [
    `## ${operation.summary}`,
    ["```http", `${method.toUpperCase()} ${path}`, "```"].join("\n"),
    operation.description,
    tryIt(`tag/${slug(operation.tags[0] ?? "")}/${method.toUpperCase()}${path}`),
    parametersOf(operation),
    bodyOf(operation),
    answersOf(operation),
  ]
    .filter(Boolean)
    .join("\n\n");

const operationPage = ({ name, description }: ApiDocument["tags"][number]): ReferencePage => {
  const parts = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(name))
      .map(([method, operation]) => operationPart(path, method, operation)),
  );
  return { name: slug(name), title: `${name}: operations`, text: `# ${name}: operations\n\n${description}\n\n${parts.join("\n\n")}\n` };
};

const eventPage = (): ReferencePage => {
  const parts = Object.entries(api.webhooks).map(([type, { post }]) =>
    [`## ${type}`, post.description, json(post.requestBody?.content?.["application/json"]?.example)].join("\n\n"),
  );
  const intro =
    "What a [webhook](../webhooks.md) or the [event feed](../events.md) sends, with an example of each type. The list with the occasions is in the guide to [webhooks](../webhooks.md).";
  return { name: "event-types", title: "Event types", text: `# Event types\n\n${intro}\n\n${parts.join("\n\n")}\n` };
};

const errorPage = (): ReferencePage => {
  const codes = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => !CONSOLE_ERROR_CODES.includes(code));
  const rows = codes.map((code) => {
    const anchor = helpPathOf(code).split("#")[1];
    return [`\`${code}\``, String(ERRORS[code].status), ERRORS[code].message, `[what to do](../errors.md#${anchor})`];
  });
  const intro =
    "Each code that an answer of the API can carry, with its status and its sentence. The guide to [errors](../errors.md) says what to do.";
  return {
    name: "error-codes",
    title: "Error codes",
    text: `# Error codes\n\n${intro}\n\n${table(["code", "status", "message", "guide"], rows)}\n`,
  };
};

export const REFERENCE_PAGES: readonly ReferencePage[] = [...api.tags.map(operationPage), eventPage(), errorPage()];
