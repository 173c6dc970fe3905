/** Every failure ends with a sentence that says what to do, and with an exit code of its own kind. */
import { ApiError, ConnectionError } from "@comanda/sdk";
import { PROGRAM } from "./program.ts";

export const EXIT = { done: 0, failed: 1, usage: 2, login: 3, unreachable: 4, interrupted: 130 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exit: ExitCode;

  constructor(exit: ExitCode, message: string) {
    super(message);
    this.exit = exit;
  }
}

const detailsOf = ({ fields, requestId }: ApiError): string =>
  [
    ...Object.entries(fields).map(([field, sentences]) => `\n  ${field}: ${[sentences].flat().join(" ")}`),
    ...(requestId === null ? [] : [`\n  request ${requestId}`]),
  ].join("");

const adviceOf = ({ code, status, requiredScope }: ApiError): string => {
  if (status === 401) return ` Run \`${PROGRAM} login\` with a token that is in force.`;
  if (code === "insufficient_scope") return ` Ask the restaurant's owner for a token with the scope ${requiredScope ?? "that is missing"}.`;
  if (code === "cursor_expired")
    return " Events behind this position may be missing. Read your data again, then begin with --from latest, or take what is kept with --from oldest.";
  if (status === 429) return " Other programs with this token share its rate, and two may wait for events at the same time.";
  return "";
};

const codeOf = ({ cause }: ConnectionError): string => {
  const inner = cause instanceof Error ? (cause.cause as { code?: unknown } | undefined) : undefined;
  return typeof inner?.code === "string" ? ` (${inner.code})` : "";
};

/** The failure of a call as a sentence for people. */
export const explain = (error: unknown): CommandError => {
  if (error instanceof CommandError) return error;
  if (error instanceof ApiError) {
    const sentence = `${error.message}${adviceOf(error)} [${error.status} ${error.code}]${detailsOf(error)}`;
    return new CommandError(error.status === 401 ? EXIT.login : EXIT.failed, sentence);
  }
  if (error instanceof ConnectionError)
    return new CommandError(EXIT.unreachable, `${error.message}${codeOf(error)} Check the address that you gave to \`${PROGRAM} login\`.`);
  return new CommandError(EXIT.failed, error instanceof Error ? error.message : String(error));
};
