/** Where the contract leaves text open: the fields of requests in which anybody may write anything, found in the shapes. */
import { type OperationId, operationEntries } from "@comanda/contract/operations.ts";
import type { SampleCall } from "./operation-calls.ts";

type TextSchema = {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  maxLength?: number;
  anyOf?: TextSchema[];
  properties?: Record<string, TextSchema>;
  items?: TextSchema;
  additionalProperties?: TextSchema | boolean;
};

/** `lines.0.note`, and how long it may be. */
export type OpenText = { id: OperationId; path: string; lengthMax: number };

const LENGTH_MAX = 200;
/** A language in which the samples have texts. */
const LANGUAGE = "en";

const textsIn = (schema: TextSchema, path: string): Omit<OpenText, "id">[] => {
  if (schema.anyOf) return schema.anyOf.flatMap((one) => textsIn(one, path));
  if (schema.enum || schema.const !== undefined || schema.format || schema.pattern) return [];
  const own = [schema.type ?? []].flat().includes("string") ? [{ path, lengthMax: schema.maxLength ?? LENGTH_MAX }] : [];
  const below = (name: string): string => (path === "" ? name : `${path}.${name}`);
  const { properties = {}, items, additionalProperties } = schema;
  return [
    ...own,
    ...Object.entries(properties).flatMap(([name, member]) => textsIn(member, below(name))),
    ...(items ? textsIn(items, below("0")) : []),
    ...(typeof additionalProperties === "object" ? textsIn(additionalProperties, below(LANGUAGE)) : []),
  ];
};

export const openTexts = (): OpenText[] =>
  operationEntries.flatMap(([id, { body }]) =>
    body === undefined ? [] : textsIn(JSON.parse(JSON.stringify(body)) as TextSchema, "").map((text) => ({ id, ...text })),
  );

/** Puts the text into its place in the call, and adds what the sample lacks on the way there. */
export const withText = (call: SampleCall, path: string, text: string): SampleCall => {
  const body = structuredClone(call.body ?? {}) as Record<string, unknown>;
  const names = path.split(".");
  const last = names.pop() ?? "";
  let place: Record<string, unknown> = body;
  for (const [index, name] of names.entries()) {
    const isThere = typeof place[name] === "object" && place[name] !== null;
    if (!isThere) place[name] = (names[index + 1] ?? last) === "0" ? [] : {};
    place = place[name] as Record<string, unknown>;
  }
  place[last] = text;
  return { ...call, body };
};
