import { ERRORS, type ErrorCode } from "@comanda/contract/errors.ts";
import { OAUTH_ERRORS, type OAuthErrorCode } from "@comanda/contract/oauth.ts";

/** An error of the contract. Any code throws it, http/errors.ts sends it. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, details: Record<string, unknown>, headers: Record<string, string>) {
    super(ERRORS[code].message);
    this.code = code;
    this.details = details;
    this.headers = headers;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

export const apiError = (code: ErrorCode, details: Record<string, unknown> = {}, headers: Record<string, string> = {}): ApiError =>
  new ApiError(code, details, headers);

/** Throws an error that was returned so that its transaction could commit. */
export const unwrap = <T>(outcome: T | ApiError): T => {
  if (outcome instanceof ApiError) throw outcome;
  return outcome;
};

/** Sentences by field path, as in `details` of validation_failed (§7.1). */
export type FieldErrors = Record<string, string[]>;

/** At most this many fields are reported. A client corrects a few at a time and sees the rest then (D22). */
export const FAULTS_MAX = 500;
const SENTENCES_MAX = 20;
const TEXT_LENGTH_MAX = 400;
const FAULTS_BYTES_MAX = 250_000;

export const validationError = (faults: FieldErrors): ApiError => apiError("validation_failed", bounded(faults));

/** Limits the size of the error. */
const bounded = (faults: FieldErrors): FieldErrors => {
  const kept: [string, string[]][] = [];
  let bytes = 0;
  for (const [name, sentences] of Object.entries(faults).slice(0, FAULTS_MAX)) {
    const entry: [string, string[]] = [shortened(name), sentences.slice(0, SENTENCES_MAX).map((text) => shortened(text))];
    bytes += Buffer.byteLength(JSON.stringify(entry));
    if (bytes > FAULTS_BYTES_MAX) break;
    kept.push(entry);
  }
  return Object.fromEntries(kept);
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
