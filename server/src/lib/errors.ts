import { ERRORS, type ErrorCode } from "@comanda/contract/errors.ts";
import { OAUTH_ERRORS, type OAuthErrorCode } from "@comanda/contract/oauth.ts";
import type { FieldReason, ParamsArgument, RefusalReason } from "@comanda/contract/reasons.ts";

type ApiErrorParts = Partial<Pick<ApiError, "details" | "headers" | "reasons" | "message">>;

/** An error of the contract. Any code throws it, http/errors.ts sends it. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown>;
  readonly headers: Record<string, string>;
  /** Sent to those who ask for them. */
  readonly reasons: readonly FieldReason[];

  constructor(code: ErrorCode, { details = {}, headers = {}, reasons = [], message = ERRORS[code].message }: ApiErrorParts) {
    super(message);
    this.code = code;
    this.details = details;
    this.headers = headers;
    this.reasons = reasons;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** Without a message it has the code's. */
export const apiError = (
  code: ErrorCode,
  details: Record<string, unknown> = {},
  headers: Record<string, string> = {},
  message: string = MESSAGE_OF_CODE[code]?.(details) ?? ERRORS[code].message,
): ApiError => new ApiError(code, { details, headers, message, reasons: REASON_OF_CODE[code]?.(details) ?? [] });

const KEY_FIELD = "Idempotency-Key";

/** The codes of the API that are themselves refusals by a rule. For `validation_failed` each sentence has its own. */
const REASON_OF_CODE: Partial<Record<ErrorCode, (details: Record<string, unknown>) => FieldReason[]>> = {
  invalid_transition: ({ from, to }) => [
    { field: "status", reason: "invalid_transition", params: { from: from as string, to: to as string } },
  ],
  idempotency_key_in_use: () => [{ field: KEY_FIELD, reason: "idempotency_key_in_use", params: {} }],
  idempotency_key_reused: () => [{ field: KEY_FIELD, reason: "idempotency_key_reused", params: {} }],
};

/** The codes whose details name what to change. */
const MESSAGE_OF_CODE: Partial<Record<ErrorCode, (details: Record<string, unknown>) => string>> = {
  invalid_transition: ({ from, to }) =>
    from === to
      ? `It is ${String(from)} already, so it cannot become so again.`
      : `What is ${String(from)} cannot become ${String(to)}: read it again before the next step.`,
  insufficient_scope: ({ required_scope }) => `This token does not carry the scope ${String(required_scope)} that the operation needs.`,
};

/** Throws an error that was returned so that its transaction could commit. */
export const unwrap = <T>(outcome: T | ApiError): T => {
  if (outcome instanceof ApiError) throw outcome;
  return outcome;
};

/** Sentences by field path, as in `details` of validation_failed (§7.1). Without reasons: of calls that only the console makes. */
export type FieldErrors = Record<string, string[]>;

/** A sentence and its reason. */
export type Refusal = { readonly sentence: string } & {
  [R in RefusalReason]: Omit<Extract<FieldReason, { reason: R }>, "field">;
}[RefusalReason];

/** Refusals by field path. Every check that a client of the API can meet gives these. */
export type FieldRefusals = Record<string, Refusal[]>;

export const because = <R extends RefusalReason>(sentence: string, reason: R, ...[params]: ParamsArgument<R>): Refusal =>
  ({ sentence, reason, params: params ?? {} }) as Refusal;

/** The console and the command line show sentences only. */
export const sentencesOf = (refusals: FieldRefusals): FieldErrors =>
  Object.fromEntries(Object.entries(refusals).map(([field, ofField]) => [field, ofField.map(({ sentence }) => sentence)]));

/** At most this many fields are reported. A client corrects a few at a time and sees the rest then (D22). */
export const FAULTS_MAX = 500;
const SENTENCES_MAX = 20;
const TEXT_LENGTH_MAX = 400;
const FAULTS_BYTES_MAX = 250_000;

export const validationError = (faults: FieldErrors | FieldRefusals): ApiError => {
  const { details, reasons } = bounded(faults);
  return new ApiError("validation_failed", { details, reasons, message: firstOf(details) });
};

/** Many programs log the message alone. */
const firstOf = (details: FieldErrors): string => {
  const [first] = Object.entries(details);
  if (first === undefined) return ERRORS.validation_failed.message;
  const [field, [sentence = ""]] = first;
  const others = Object.values(details).flat().length - 1;
  return `${field}: ${sentence}${others > 0 ? ` (${others} more)` : ""}`;
};

/** Limits the size of the error. */
const bounded = (faults: FieldErrors | FieldRefusals): { details: FieldErrors; reasons: FieldReason[] } => {
  const kept: [string, string[]][] = [];
  const reasons: FieldReason[] = [];
  let bytes = 0;
  for (const [name, all] of Object.entries(faults).slice(0, FAULTS_MAX)) {
    const refusals: (string | Refusal)[] = all.slice(0, SENTENCES_MAX);
    const entry: [string, string[]] = [shortened(name), refusals.map((one) => shortened(typeof one === "string" ? one : one.sentence))];
    bytes += Buffer.byteLength(JSON.stringify(entry));
    if (bytes > FAULTS_BYTES_MAX) break;
    kept.push(entry);
    for (const one of refusals)
      if (typeof one !== "string") reasons.push({ field: entry[0], reason: one.reason, params: one.params } as FieldReason);
  }
  return { details: Object.fromEntries(kept), reasons };
};

/** Shortens a client's text before it is repeated in an error. */
export const shortened = (text: string, lengthMax = TEXT_LENGTH_MAX): string =>
  text.length > lengthMax ? `${text.slice(0, lengthMax).toWellFormed()}…` : text;

/** An error of RFC 6749 §5.2, whose body has a shape of its own. http/oauth/endpoints.ts sends it. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;

  constructor(code: OAuthErrorCode, description: string = OAUTH_ERRORS[code]) {
    super(description);
    this.code = code;
  }
}

/** A mistake of the operator: printed as one sentence without a stack. */
export class UserError extends Error {}
