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

/** Field path to sentences, as `details` of validation_failed carries them (§7.1). */
export type Faults = Record<string, string[]>;

export const invalid = (faults: Faults): Refusal => fail("validation_failed", faults);

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
