/** The one way to the server: every call by its name in the contract's table, every refusal as a `Refused`. */

import { calls, prefix } from "virtual:contract";
import type { ConsoleOperationId, consoleOperations } from "@comanda/contract/console.ts";
import type { ErrorCode } from "@comanda/contract/errors.ts";
import type { Static, TSchema } from "typebox";

type Operations = typeof consoleOperations;
type ParameterOf<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParameterOf<Rest> : never;
type Part<Name extends string, Shape> = Shape extends TSchema ? { [N in Name]: Static<Shape> } : unknown;
type QueryOf<Shape> = Shape extends TSchema ? { query?: Static<Shape> } : unknown;
type ParametersOf<Path> = [ParameterOf<Path>] extends [never] ? unknown : { params: Record<ParameterOf<Path>, string | number> };

export type Input<Id extends ConsoleOperationId> = ParametersOf<Operations[Id]["path"]> &
  Part<"body", Operations[Id] extends { body: infer Shape } ? Shape : null> &
  QueryOf<Operations[Id] extends { query: infer Shape } ? Shape : null>;
export type Reply<Id extends ConsoleOperationId> = Static<Operations[Id]["success"]["body"]>;

/** `offline`: no answer came. `unreadable`: what came is not from our server, such as a proxy's error page. */
export type RefusalCode = ErrorCode | "offline" | "unreadable";

export class Refused extends Error {
  readonly code: RefusalCode;
  readonly status: number;
  readonly details: Record<string, unknown>;
  /** To be quoted when asking for help. */
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(
    code: RefusalCode,
    message: string,
    rest: Partial<Pick<Refused, "status" | "details" | "requestId" | "retryAfterSeconds">> = {},
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

export const isRefused = (error: unknown, code: RefusalCode): boolean => error instanceof Refused && error.code === code;

type LooseInput = { params?: Record<string, string | number>; query?: Record<string, unknown>; body?: unknown };

/** Asks the person for the password; false when they would not give it. What is on the page sets it. */
let askForPassword: () => Promise<boolean> = async () => false;
export const onPasswordRequired = (ask: typeof askForPassword): void => {
  askForPassword = ask;
};

/** A call that is refused because the password was given too long ago is repeated once it was given again. */
export const call = async <Id extends ConsoleOperationId>(
  id: Id,
  ...given: unknown extends Input<Id> ? [input?: undefined] : [input: Input<Id>]
): Promise<Reply<Id>> => {
  try {
    return await callOnce(id, ...given);
  } catch (error) {
    if (!isRefused(error, "password_required") || !(await askForPassword())) throw error;
    return callOnce(id, ...given);
  }
};

const callOnce = async <Id extends ConsoleOperationId>(
  id: Id,
  ...[input]: unknown extends Input<Id> ? [input?: undefined] : [input: Input<Id>]
): Promise<Reply<Id>> => {
  const { params, query, body }: LooseInput = input ?? {};
  const [method, path] = calls[id];
  // A write says that it is JSON even when it has nothing to say: a form of another site could not.
  const writing = method === "GET" ? {} : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body ?? {}) };
  const answer = await fetch(`${addressOf(path, params)}${writeQuery(query)}`, {
    method,
    credentials: "same-origin",
    ...writing,
  }).catch(() => {
    throw new Refused("offline", "The service did not answer.");
  });
  const content: unknown = await answer.json().catch(() => null);
  if (answer.ok && content !== null) return content as Reply<Id>;
  throw readRefusal(answer, content);
};

/** Of a path as the contract writes it. */
export const addressOf = (path: string, params: LooseInput["params"] = {}): string =>
  prefix + path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));

const writeQuery = (query: LooseInput["query"] = {}): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return given.length === 0 ? "" : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
};

const readRefusal = (answer: Response, content: unknown): Refused => {
  const { error } = (content ?? {}) as { error?: { code: ErrorCode; message: string; details: Record<string, unknown> } };
  const retryAfter = Number(answer.headers.get("Retry-After"));
  const rest = {
    status: answer.status,
    requestId: answer.headers.get("X-Request-Id"),
    retryAfterSeconds: retryAfter > 0 ? retryAfter : null,
  };
  if (typeof error?.code !== "string") return new Refused("unreadable", `The answer (${answer.status}) could not be read.`, rest);
  return new Refused(error.code, error.message, { ...rest, details: error.details ?? {} });
};
