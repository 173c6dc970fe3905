/**
 * What may be shown of an error: in the log, on a terminal, in the row of a failed job. Only the members named here are shown, because
 * others carry what the service worked with: PostgreSQL's `detail` has a whole row, `where` has parameters, a mail server repeats the
 * address.
 */
import { UserError } from "./errors.ts";
import { plainLine, plainText } from "./plain-text.ts";

export type DescribedError = {
  type: string;
  message: string;
  stack?: string;
  cause?: DescribedError;
  errors?: DescribedError[];
} & Partial<Record<ErrorName, string>>;

/** Codes, and names of things that the schema has. */
const NAMED_MEMBERS = ["code", "severity", "routine", "schema", "table", "column", "constraint"] as const;
type ErrorName = (typeof NAMED_MEMBERS)[number];

const NAME = /^[\w.-]{1,80}$/;
const MESSAGE_LENGTH_MAX = 500;
/** Searching for addresses takes the square of the length. */
const READ_LENGTH_MAX = 2000;
const DEPTH_MAX = 3;
const ERRORS_MAX = 5;

const SQLSTATE = /^[0-9A-Z]{5}$/;
/** Messages of these classes quote names of the schema only. A syntax error quotes the statement. */
const NAMES_ONLY = /^(?!42601)(?:08|0A|23|25|26|28|3D|3F|40|42|53|55|57|58)/;

type ErrorMembers = Partial<Record<ErrorName | "name" | "message" | "stack" | "cause" | "errors", unknown>>;

const quotesValues = ({ name, code, severity }: ErrorMembers): boolean => {
  if (typeof severity === "string" && typeof code === "string" && SQLSTATE.test(code)) return !NAMES_ONLY.test(code);
  // JSON.parse repeats a part of what it read.
  return name === "SyntaxError";
};

const QUOTED = /".*"/s;
/** The pattern also finds the user and password of an address with `://`. */
const MAIL_ADDRESS = /[^\s<>"',;]+@[^\s<>"',;]+/g;

const messageOf = (error: ErrorMembers): string => {
  const message = typeof error.message === "string" ? error.message : "";
  const told = quotesValues(error) ? message.replace(QUOTED, '"…"') : message;
  return plainLine(told.slice(0, READ_LENGTH_MAX).replaceAll(MAIL_ADDRESS, "…@…"), MESSAGE_LENGTH_MAX);
};

/** Keeps the lines that say where it happened. The lines above repeat the message. */
const framesOf = ({ stack, message }: ErrorMembers): string[] => {
  if (typeof stack !== "string") return [];
  const frames = typeof message === "string" && message !== "" ? stack.replace(message, () => "") : stack;
  return frames.split("\n").filter((line) => /^ {4}at /.test(line));
};

const describe = (thrown: unknown, depth: number): DescribedError => {
  if (typeof thrown !== "object" || thrown === null) return { type: typeof thrown, message: "This is no error, so nothing of it is told." };
  const error = thrown as ErrorMembers;
  const type = typeof error.name === "string" && NAME.test(error.name) ? error.name : "Error";
  const message = messageOf(error);
  const frames = framesOf(error);
  const { cause, errors } = error;
  return {
    type,
    message,
    ...Object.fromEntries(NAMED_MEMBERS.flatMap((name) => namedMember(name, error[name]))),
    ...(frames.length === 0 ? {} : { stack: [`${type}: ${message}`, ...frames].join("\n") }),
    ...(cause === undefined || depth === DEPTH_MAX ? {} : { cause: describe(cause, depth + 1) }),
    ...(Array.isArray(errors) && depth < DEPTH_MAX
      ? { errors: errors.slice(0, ERRORS_MAX).map((one: unknown) => describe(one, depth + 1)) }
      : {}),
  };
};

const namedMember = (name: ErrorName, value: unknown): [ErrorName, string][] => {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && NAME.test(text) ? [[name, text]] : [];
};

export const describeError = (error: unknown): DescribedError => describe(error, 0);

/** What a terminal shows of a fault: the message, and where it happened. */
export const errorText = (error: unknown): string => {
  const { type, message, code, stack = `${type}: ${message}`, cause, errors } = describeError(error);
  const own = code === undefined ? stack : `${code} ${stack}`;
  const inner = [cause, errors?.[0]].flatMap((one) => (one ? [one.stack ?? `${one.type}: ${one.message}`] : []));
  return [own, ...inner].join("\ncaused by ");
};

/** Stands in for the error where other code stores the whole of it. */
export const tellableError = (error: unknown): Error => {
  const { type, message, stack, cause: _, errors: __, ...named } = describeError(error);
  return Object.assign(new Error(message), { name: type, stack: stack ?? `${type}: ${message}` }, named);
};

/** What a terminal shows: of a misuse its message, of a fault of ours also where it happened. */
export const explain = (error: unknown): string => `${error instanceof UserError ? plainText(error.message) : errorText(error)}\n`;
