/** The operations table as tools of the Model Context Protocol: one typed tool for each operation, none written by hand. */
import type { TObject } from "typebox";
import { keepsAnswers, type Operation, PATH_PARAMETERS, pathParameters, writesNothing } from "./operation.ts";
import { type OperationId, operationEntries } from "./operations.ts";
import { ID_MAX, UUID_PATTERN } from "./shared.ts";

type SchemaValue = string | number | boolean | null | SchemaValue[] | SchemaJson;
type SchemaJson = { [key: string]: SchemaValue };

type ObjectSchema = { type: "object"; properties: SchemaJson; required: string[] };

export type AgentTool = {
  readonly id: OperationId;
  readonly operation: Operation;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  /** The members of the answer's rows that guests wrote. */
  readonly guestTexts: readonly string[];
  readonly annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean };
};

/** Short pages by default and a low maximum, because agents pay for every token they read. */
export const AGENT_ROWS = 10;
export const AGENT_ROWS_MAX = 25;

export const KEY_ARGUMENT = "idempotency_key";
export const KEY_LENGTH_MAX = 255;

/** `createOrder` → `create_order`. */
export const toolName = (id: string): string => id.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const toolOf = (id: OperationId, operation: Operation): AgentTool => ({
  id,
  operation,
  name: toolName(id),
  title: operation.summary,
  description: [operation.description, ...(operation.sends ?? []).map((kind) => SENT[kind])].join(" "),
  inputSchema: inputSchemaOf(id, operation),
  guestTexts: GUEST_TEXTS[shapeOf(operation)] ?? [],
  annotations: annotationsOf(operation),
});

const SENT: Record<NonNullable<Operation["sends"]>[number], string> = {
  ticket: "May send a ticket to the kitchen.",
  message: "May send mail or a text message to the guest.",
};

/** A guest, or someone who calls in a guest's name, chooses these texts, so they may hold instructions to an agent. */
export const GUEST_TEXTS: Record<string, readonly string[]> = {
  Order: ["customer", "note", "delivery_address", "cancel_reason"],
  Reservation: ["name", "phone", "email", "note"],
  Guest: ["name", "phone", "email"],
};

/** The name of the shape that an answer has, in one row or in many. */
export const shapeOf = ({ success }: Operation): string => {
  const { data } = (success.body as TObject).properties as { data?: { $id?: string; title?: string; items?: { title?: string } } };
  return data?.title ?? data?.items?.title ?? "";
};

export const agentTools = (): AgentTool[] =>
  operationEntries.flatMap(([id, operation]) => (operation.waits ? [] : [toolOf(id, operation)]));

/** Adding something destroys nothing; a change overwrites. The open world is the kitchen's printer and the guest's mail. */
const annotationsOf = (operation: Operation): AgentTool["annotations"] => {
  const { method, success, sends = [] } = operation;
  const isRead = writesNothing(operation);
  return {
    readOnlyHint: isRead,
    destructiveHint: !isRead && success.status !== 201,
    idempotentHint: isRead || method !== "POST",
    openWorldHint: sends.length > 0,
  };
};

/** Arguments of the path, the query and the body side by side: an agent fills one flat form. */
const inputSchemaOf = (id: string, operation: Operation): ObjectSchema => {
  const parts: [SchemaJson, readonly string[]][] = [
    [pathProperties(operation), pathParameters(operation.path)],
    [shortPages(propertiesOf(operation.query)), requiredOf(operation.query)],
    [propertiesOf(operation.body), requiredOf(operation.body)],
    [keepsAnswers(operation) ? { [KEY_ARGUMENT]: KEY } : {}, []],
  ];
  const names = parts.flatMap(([properties]) => Object.keys(properties));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`The tool of ${id} would have two arguments named ${twice}`);
  return {
    type: "object",
    properties: Object.assign({}, ...parts.map(([properties]) => properties)) as SchemaJson,
    required: parts.flatMap(([, required]) => required),
  };
};

const KEY: SchemaJson = {
  type: "string",
  minLength: 1,
  maxLength: KEY_LENGTH_MAX,
  description: "Your own name for this change: with it a repeated call is done once.",
};

const pathProperties = ({ path }: Operation): SchemaJson =>
  Object.fromEntries(
    pathParameters(path).map((name) => [name, { ...ID_SCHEMAS[PATH_PARAMETERS[name]], description: `The id of the ${name}.` }]),
  );

const ID_SCHEMAS: Record<"integer" | "uuid", SchemaJson> = {
  integer: { type: "integer", minimum: 1, maximum: ID_MAX },
  uuid: { type: "string", pattern: UUID_PATTERN },
};

const propertiesOf = (schema: TObject | undefined): SchemaJson => plain(schema?.properties ?? {}) as SchemaJson;
const requiredOf = (schema: TObject | undefined): readonly string[] => (schema?.required as string[] | undefined) ?? [];

const shortPages = ({ per_page, ...rest }: SchemaJson): SchemaJson =>
  per_page === undefined ? rest : { ...rest, per_page: { ...(per_page as SchemaJson), maximum: AGENT_ROWS_MAX, default: AGENT_ROWS } };

const KNOWN_FORMATS = ["date-time", "date", "email", "uri", "uuid"];

/** Removes our own schema keywords and formats, and the bound of every id. The route still checks them. */
const plain = (value: unknown): SchemaValue => {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value as SchemaValue;
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([key, entry]) =>
          !key.startsWith("x-") &&
          !(key === "maximum" && entry === ID_MAX) &&
          (key !== "format" || typeof entry !== "string" || KNOWN_FORMATS.includes(entry)),
      )
      .map(([key, entry]) => [key, plain(entry)]),
  );
};
