/** Calls the server by operation name. Every error is a `CallError`. */

import { calls, prefix } from "virtual:contract";
import type { ConsoleOperationId, consoleOperations } from "@comanda/contract/console/operations.ts";
import type { ErrorCode } from "@comanda/contract/errors.ts";
import type { Static, TSchema } from "typebox";

type ConsoleOperations = typeof consoleOperations;
type ParameterOf<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParameterOf<Rest> : never;
type CallPart<Name extends string, Shape> = Shape extends TSchema ? { [N in Name]: Static<Shape> } : unknown;
type CallQuery<Shape> = Shape extends TSchema ? { query?: Static<Shape>; waitMsMax?: number } : unknown;
type ParametersOf<Path> = [ParameterOf<Path>] extends [never] ? unknown : { params: Record<ParameterOf<Path>, string | number> };

/** After this time the call counts as unanswered. */
type CallTime = { waitMsMax?: number };

type InputOf<Id extends ConsoleOperationId> = ParametersOf<ConsoleOperations[Id]["path"]> &
  CallPart<"body", ConsoleOperations[Id] extends { body: infer Shape } ? Shape : null> &
  CallQuery<ConsoleOperations[Id] extends { query: infer Shape } ? Shape : null>;

/** Writes that have one effect however often they are sent with one key. They are sent by `kit/write.ts`. */
export type KeyedCallId = {
  [Id in ConsoleOperationId]: ConsoleOperations[Id] extends { isIdempotent: true } ? Id : never;
}[ConsoleOperationId];
export type KeyedCallInput<Id extends KeyedCallId> = InputOf<Id>;

export type CallId = Exclude<ConsoleOperationId, KeyedCallId>;
export type CallInput<Id extends CallId> = InputOf<Id>;
type CallArguments<Id extends CallId> = unknown extends CallInput<Id> ? [input?: CallTime] : [input: CallInput<Id> & CallTime];
export type CallReply<Id extends ConsoleOperationId> = Static<ConsoleOperations[Id]["success"]["body"]>;

/** `offline`: no answer arrived. `unreadable`: the answer is not from our server, for example a proxy's error page. */
export type CallErrorCode = ErrorCode | "offline" | "unreadable";

export class CallError extends Error {
  readonly code: CallErrorCode;
  readonly status: number;
  readonly details: Record<string, unknown>;
  /** The id that support needs. */
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(
    code: CallErrorCode,
    message: string,
    rest: Partial<Pick<CallError, "status" | "details" | "requestId" | "retryAfterSeconds">> = {},
  ) {
    super(message);
    this.name = "Refused";
    this.code = code;
    this.status = rest.status ?? 0;
    this.details = rest.details ?? {};
    this.requestId = rest.requestId ?? null;
    this.retryAfterSeconds = rest.retryAfterSeconds ?? null;
  }
}

export const hasErrorCode = (error: unknown, code: CallErrorCode): boolean => error instanceof CallError && error.code === code;

/** Neither an answer nor a refusal: it may be one in a moment. 500 is a fault of the service, which is there. */
export const isServiceAway = (error: unknown): boolean =>
  error instanceof CallError && (error.code === "offline" || error.code === "unreadable" || AWAY_STATUSES.includes(error.status));

const AWAY_STATUSES: readonly number[] = [502, 503, 504];

type LooseCallInput = CallTime & {
  params?: Record<string, string | number>;
  query?: Record<string, unknown>;
  body?: unknown;
  idempotencyKey?: string;
};

export type KeyedCall = LooseCallInput & { idempotencyKey: string };

/** Asks for the password; resolves to false when the prompt is closed. Set by `ConfirmPassword`. */
let askForPassword: () => Promise<boolean> = async () => false;
export const onPasswordRequired = (ask: typeof askForPassword): void => {
  askForPassword = ask;
};

export const call = <Id extends CallId>(id: Id, ...[input]: CallArguments<Id>): Promise<CallReply<Id>> => sendCall(id, input ?? {});

/** A call that requires a recent password is repeated after the password is confirmed. */
export const sendCall = async <Id extends ConsoleOperationId>(id: Id, input: LooseCallInput): Promise<CallReply<Id>> => {
  try {
    return await sendOnce(id, input);
  } catch (error) {
    if (!hasErrorCode(error, "password_required") || !(await askForPassword())) throw error;
    return sendOnce(id, input);
  }
};

/** After this time a write counts as unanswered where its caller names no other. The longest write, a venue's file, takes a few seconds. */
const WRITE_MS_MAX = 30_000;

const sendOnce = async <Id extends ConsoleOperationId>(id: Id, input: LooseCallInput): Promise<CallReply<Id>> => {
  const { params, query, body, idempotencyKey, waitMsMax } = input;
  const [method, path] = calls[id];
  // Writes always send a JSON content type, even without a body: a cross-site form cannot.
  const headers = { "Content-Type": "application/json", ...(idempotencyKey ? { "Idempotency-Key": idempotencyKey } : {}) };
  const writing = method === "GET" ? {} : { headers, body: JSON.stringify(body ?? {}) };
  const msMax = waitMsMax ?? (method === "GET" ? undefined : WRITE_MS_MAX);
  const answer = await fetch(`${addressOf(path, params)}${writeQuery(query)}`, {
    method,
    credentials: "same-origin",
    ...writing,
    ...(msMax === undefined ? {} : { signal: AbortSignal.timeout(msMax) }),
  }).catch(() => {
    throw new CallError("offline", "The service did not answer.");
  });
  const content: unknown = await answer.json().catch(() => null);
  if (answer.ok && content !== null) return content as CallReply<Id>;
  throw readCallError(answer, content);
};

/** The URL of a contract path with its parameters filled in. */
export const addressOf = (path: string, params: LooseCallInput["params"] = {}): string =>
  prefix + path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));

const writeQuery = (query: LooseCallInput["query"] = {}): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return given.length === 0 ? "" : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
};

const readCallError = (answer: Response, content: unknown): CallError => {
  const { error } = (content ?? {}) as { error?: { code: ErrorCode; message: string; details: Record<string, unknown> } };
  const retryAfter = Number(answer.headers.get("Retry-After"));
  const rest = {
    status: answer.status,
    requestId: answer.headers.get("X-Request-Id"),
    retryAfterSeconds: retryAfter > 0 ? retryAfter : null,
  };
  if (typeof error?.code !== "string") return new CallError("unreadable", `The answer (${answer.status}) could not be read.`, rest);
  return new CallError(error.code, error.message, { ...rest, details: error.details ?? {} });
};

const UNANSWERED: readonly CallErrorCode[] = ["offline", "unreadable", "idempotency_key_in_use", "rate_limited"];

/** A limit of the venue names its end. The server looks at it after the key, so the write had no effect. */
const isVenueLimit = ({ code, details }: CallError): boolean => code === "rate_limited" && details.until !== undefined;

/** Whether the write had an effect is not known: it may not have arrived, or its first try still runs. */
export const isUnanswered = (error: Error): boolean =>
  error instanceof CallError && (error.status >= 500 || UNANSWERED.includes(error.code)) && !isVenueLimit(error);

const RETRY_SECONDS_MAX = 10;
const isLongWait = (error: Error): boolean => error instanceof CallError && (error.retryAfterSeconds ?? 0) > RETRY_SECONDS_MAX;

/** The write can be repeated with its key. */
export const isWorthRetrying = (count: number, error: Error): boolean => count < 3 && isUnanswered(error) && !isLongWait(error);
