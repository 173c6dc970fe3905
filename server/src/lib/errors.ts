import { ERRORS, type ErrorCode } from "@comanda/contract/errors.ts";
import { OAUTH_ERRORS, type OAuthErrorCode } from "@comanda/contract/oauth.ts";

/** An answer that the contract names: thrown anywhere, written once by http/errors.ts. */
export class Refusal extends Error {
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

export const fail = (code: ErrorCode, details: Record<string, unknown> = {}, headers: Record<string, string> = {}): Refusal =>
  new Refusal(code, details, headers);

/** For a refusal that was returned so that its transaction commits: thrown afterwards. */
export const unwrap = <T>(outcome: T | Refusal): T => {
  if (outcome instanceof Refusal) throw outcome;
  return outcome;
};

/** Field path to sentences, as `details` of validation_failed carries them (§7.1). */
export type Faults = Record<string, string[]>;

/** Fields that a refusal names. A client mends a handful at a time; the rest is told when these are mended (D22). */
export const FAULTS_MAX = 500;
const SENTENCES_MAX = 20;
const TEXT_LENGTH_MAX = 400;
const FAULTS_BYTES_MAX = 250_000;

export const invalid = (faults: Faults): Refusal => fail("validation_failed", bounded(faults));

/** What was sent does not decide how long the refusal is. */
const bounded = (faults: Faults): Faults => {
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

/** Text of a client, where it is repeated to it. */
export const shortened = (text: string, lengthMax = TEXT_LENGTH_MAX): string =>
  text.length > lengthMax ? `${text.slice(0, lengthMax).toWellFormed()}…` : text;

/** An answer of RFC 6749 §5.2, which has a shape of its own: written once by http/oauth.ts. */
export class OAuthRefusal extends Error {
  readonly code: OAuthErrorCode;

  constructor(code: OAuthErrorCode, description: string = OAUTH_ERRORS[code]) {
    super(description);
    this.code = code;
  }
}

/** A mistake of the person at the command line: printed without a stack. */
export class Misuse extends Error {}
