/** A tool call as the request of its operation, and the operation's answer as the result of the call. */
import { randomUUID } from "node:crypto";
import { AGENT_ROWS, AGENT_ROWS_MAX, type AgentTool, KEY_ARGUMENT } from "@comanda/contract/agent-tools.ts";
import type { ErrorCode } from "@comanda/contract/errors.ts";
import { pathParameters } from "@comanda/contract/operation.ts";
import { API_PREFIX } from "@comanda/contract/operations.ts";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { type Faults, invalid, type Refusal } from "#lib/errors.ts";
import { plainValues } from "#lib/plain-text.ts";
import { KEY_HEADER } from "./idempotency.ts";

type Given = Readonly<Record<string, unknown>>;

export type OperationRequest = { method: AgentTool["operation"]["method"]; url: string; headers: Record<string, string>; payload?: string };

/** Values are passed on as they are written: the route alone decides what it takes. */
export const requestOf = ({ operation }: AgentTool, given: Given): OperationRequest => {
  const faults: Faults = {};
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => pathSegment(given[name]));
  for (const name of pathParameters(operation.path)) if (isAbsent(given[name])) faults[name] = ["Is required."];
  const key = operation.method === "POST" ? keyOf(given[KEY_ARGUMENT], faults) : null;
  const query = search(given, Object.keys(operation.query?.properties ?? {}), faults);
  if (Object.keys(faults).length > 0) throw invalid(faults);
  const body = operation.body && picked(given, Object.keys(operation.body.properties));
  return {
    method: operation.method,
    url: `${API_PREFIX}${path}${query}`,
    headers: { ...(key === null ? {} : { [KEY_HEADER]: key }), ...(body ? { "Content-Type": "application/json" } : {}) },
    ...(body ? { payload: JSON.stringify(body) } : {}),
  };
};

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** No id holds anything else, and dots or bars would lead to another path; a dash is an id that nothing has. */
const pathSegment = (value: unknown): string => (/^[\w-]{1,100}$/.test(asText(value)) ? asText(value) : "-");

// Control characters cannot travel in a header, and PostgreSQL stores no NUL.
const UNSENDABLE = /\p{Cc}/u;

/** A key in a header is the Latin-1 view of its UTF-8 bytes: the same key by either way is one key. */
const keyOf = (value: unknown, faults: Faults): string => {
  if (isAbsent(value) || value === "") return randomUUID();
  if (typeof value === "string" && value.isWellFormed() && !UNSENDABLE.test(value)) return Buffer.from(value.trim()).toString("latin1");
  faults[KEY_ARGUMENT] = ["Must be a text without control characters."];
  return "";
};

const picked = (given: Given, names: readonly string[]): Given =>
  Object.fromEntries(names.filter((name) => Object.hasOwn(given, name)).map((name) => [name, given[name]]));

/** As long as one may be in the address of a request. */
const QUERY_TEXT_LENGTH_MAX = 4000;

const search = (given: Given, names: readonly string[], faults: Faults): string => {
  const pairs = names.filter((name) => !isAbsent(given[name])).map((name): [string, string] => [name, asText(given[name])]);
  for (const [name, text] of pairs)
    if (text.length > QUERY_TEXT_LENGTH_MAX) faults[name] = [`Must have at most ${QUERY_TEXT_LENGTH_MAX} characters.`];
  const query = new URLSearchParams(pairs);
  if (names.includes("per_page")) query.set("per_page", pageSize(query.get("per_page")));
  return query.size === 0 ? "" : `?${query}`;
};

/** An object that came as JSON may have a member `toString` that is no function, so it is never asked for its text. */
const asText = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(asText).join();
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};

const pageSize = (text: string | null): string => {
  if (text === null) return String(AGENT_ROWS);
  return Number(text) > AGENT_ROWS_MAX ? String(AGENT_ROWS_MAX) : text;
};

export type OperationAnswer = { statusCode: number; payload: string; headers: Record<string, unknown> };

/** A success carries its JSON twice: as structured content for programs, and as text for clients that read only text. */
export const resultOf = ({ statusCode, payload, headers }: OperationAnswer, sent: OperationRequest): CallToolResult => {
  // Guests write names and notes: characters that an agent reads and a person does not see could give it orders.
  const body = plainValues(JSON.parse(payload)) as Record<string, unknown>;
  if (statusCode >= 400) return refused(body.error as RefusalBody, headers["retry-after"], sent.headers[KEY_HEADER]);
  const isReplay = headers["idempotent-replayed"] === "true";
  return {
    structuredContent: body,
    content: [{ type: "text", text: JSON.stringify(body) }, ...(isReplay ? [{ type: "text" as const, text: REPLAYED }] : [])],
    ...(isReplay ? { _meta: { "comanda/idempotent-replayed": true } } : {}),
  };
};

export const resultOfRefusal = ({ code, message, details, headers }: Refusal): CallToolResult =>
  refused({ code, message, details }, headers["Retry-After"]);

type RefusalBody = { code: string; message: string; details: Record<string, unknown> };

const REPLAYED = "This is the first answer given again: the key was used before, and nothing was done a second time.";

/**
 * Text only. Structured content must match the tool's output schema, which describes success; the official client 1.x throws away
 * a result that does not match, also with `isError`, so that the model would never read the reason.
 */
const refused = (error: RefusalBody, retryAfter: unknown, key?: string): CallToolResult => {
  const wait = retryAfter === undefined ? {} : { retry_after_seconds: Number(retryAfter) };
  const body = { error: { ...error, details: { ...error.details, ...wait } } };
  const hint = hintFor(error.code, key);
  return {
    isError: true,
    content: [{ type: "text", text: JSON.stringify(body) }, ...(hint ? [{ type: "text" as const, text: hint }] : [])],
  };
};

const hintFor = (code: string, key: string | undefined): string | undefined => {
  const hint = HINTS[code as ErrorCode];
  const isUnclear = code === "server_error" || code === "service_unavailable" || code === "idempotency_key_in_use";
  return isUnclear && key !== undefined ? `${hint} Send ${KEY_ARGUMENT} ${key} with it, so that it is done at most once.` : hint;
};

/** What an agent can do about it. */
const HINTS: Partial<Record<ErrorCode, string>> = {
  insufficient_scope: "This token cannot do that. Ask the owner for a token with the scope in details.required_scope; do not try again.",
  plan_feature_unavailable: "The venue's plan does not include this. Tell the user; do not try again.",
  restaurant_suspended: "The venue can be read but not changed at the moment. Tell the user; do not try again.",
  plan_lapsed: "The venue has no plan in force, so nothing works until it is renewed. Tell the user.",
  not_found: "Nothing in this venue has that id. List first and take the id from there; ids of other venues are unknown here.",
  invalid_transition: "Read the order or booking again: its status does not allow this step. details.from is the status it has.",
  validation_failed: "Correct the arguments named in details and call again with a new key.",
  idempotency_key_reused: "That key belongs to another call. Leave it out, or make a new one for this change.",
  idempotency_key_in_use: "The first call with this key is still running. Wait a second and repeat it.",
  rate_limited: "Wait for details.retry_after_seconds before the next call.",
  payload_too_large: "Send less in one call: its arguments may have 1 MiB.",
  server_error: "This was a fault of the service. Repeat the call once; if it stays, tell the user.",
  service_unavailable: "The service is busy. Wait for details.retry_after_seconds and repeat the call.",
};
