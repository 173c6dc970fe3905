/** The requests of RFC 6749, RFC 7636 and RFC 7009 as lists of named checks. Pure: what is known goes in, a decision comes out. */
import type { AuthorizeErrorCode } from "@comanda/contract/oauth.ts";
import { operationEntries } from "@comanda/contract/operations.ts";
import { type Feature, isScope, type Scope } from "@comanda/contract/scopes.ts";
import { OAuthRefusal } from "#lib/errors.ts";
import type { Parameters, Received } from "#lib/parameters.ts";
import { challengeOf, sameBytes } from "#lib/secrets.ts";

export const required = (parameters: Parameters, name: string): string => {
  const value = parameters.get(name);
  if (value === undefined) throw new OAuthRefusal("invalid_request", `The parameter ${name} is missing.`);
  return value;
};

/** RFC 6749 §3.3: names separated by single spaces. Null when one of them is no scope. */
export const readScopes = (text: string): Scope[] | null => {
  const names = text.split(" ");
  return names.every(isScope) ? [...new Set(names)] : null;
};

// --- The client proves itself (RFC 6749 §2.3.1) ---

export type Credentials = { clientId: string; secret: string };

const BASIC = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i;

/** RFC 6749 §2.3.1: id and secret are form-encoded before they are joined, so they are decoded after they are parted. */
const formDecode = (text: string): string | null => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
};

const readBasic = (header: string): Credentials => {
  const [, base64 = ""] = BASIC.exec(header) ?? [];
  const text = Buffer.from(base64, "base64").toString();
  const colon = text.indexOf(":");
  const clientId = colon < 0 ? null : formDecode(text.slice(0, colon));
  const secret = colon < 0 ? null : formDecode(text.slice(colon + 1));
  if (!clientId || !secret)
    throw new OAuthRefusal("invalid_client", "The Authorization header is not HTTP Basic with a client id and secret.");
  return { clientId, secret };
};

/** One way of proving, not two (RFC 6749 §2.3). A client id in the body beside the header is fine when it is the same. */
export const readCredentials = (headers: readonly string[], parameters: Parameters): Credentials => {
  const [clientId, secret] = [parameters.get("client_id"), parameters.get("client_secret")];
  const [header, ...others] = headers;
  if (others.length > 0) throw new OAuthRefusal("invalid_request", "More than one Authorization header.");
  if (header !== undefined) {
    if (secret !== undefined) throw new OAuthRefusal("invalid_request", "The client secret was sent in the header and in the body.");
    const basic = readBasic(header);
    if (clientId !== undefined && clientId !== basic.clientId)
      throw new OAuthRefusal("invalid_request", "The client ids in the header and in the body differ.");
    return basic;
  }
  if (clientId === undefined || secret === undefined)
    throw new OAuthRefusal("invalid_client", "Send the client id and secret by HTTP Basic, or as client_id and client_secret.");
  return { clientId, secret };
};

// --- Proof Key for Code Exchange (RFC 7636) ---

const VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/;
const CHALLENGE = /^[A-Za-z0-9\-_]{43}$/;

export const isVerifierOf = (verifier: string, challenge: string): boolean =>
  VERIFIER.test(verifier) && sameBytes(Buffer.from(challengeOf(verifier)), Buffer.from(challenge));

// --- The authorization request (RFC 6749 §4.1.1) ---

/** Errors that go back to the app, once it is known that the address is the app's (RFC 6749 §4.1.2.1). */
export class AuthorizeRefusal extends Error {
  readonly code: AuthorizeErrorCode;

  constructor(code: AuthorizeErrorCode, description: string) {
    super(description);
    this.code = code;
  }
}

export type Asked = { scopes: Scope[]; state: string | null; codeChallenge: string };
type Check = (parameters: Parameters, app: { scopes: readonly Scope[] }) => AuthorizeRefusal | null;

const AUTHORIZE_CHECKS: Check[] = [
  (parameters) =>
    parameters.has("response_type") ? null : new AuthorizeRefusal("invalid_request", "The parameter response_type is missing."),
  (parameters) =>
    parameters.get("response_type") === "code" ? null : new AuthorizeRefusal("unsupported_response_type", "response_type must be code."),
  (parameters) =>
    parameters.has("request") || parameters.has("request_uri")
      ? new AuthorizeRefusal("invalid_request", "Request objects are not supported.")
      : null,
  (parameters) =>
    parameters.has("code_challenge") ? null : new AuthorizeRefusal("invalid_request", "PKCE is required: code_challenge is missing."),
  (parameters) =>
    parameters.get("code_challenge_method") === "S256"
      ? null
      : new AuthorizeRefusal("invalid_request", "code_challenge_method must be S256."),
  (parameters) =>
    CHALLENGE.test(parameters.get("code_challenge") ?? "")
      ? null
      : new AuthorizeRefusal("invalid_request", "code_challenge must be 43 characters of base64url."),
  // RFC 6749 appendix A.5 allows printable characters; this much is needed to send it back as it came.
  (parameters) =>
    UNSPEAKABLE.test(parameters.get("state") ?? "")
      ? new AuthorizeRefusal("invalid_request", "state has characters that no text has.")
      : null,
  (parameters, app) => {
    const scopes = askedScopes(parameters, app);
    if (scopes === null) return new AuthorizeRefusal("invalid_scope", "A scope is unknown.");
    const foreign = scopes.find((scope) => !app.scopes.includes(scope));
    return foreign === undefined ? null : new AuthorizeRefusal("invalid_scope", `The app is not registered for ${foreign}.`);
  },
];

/** U+FFFD is what bytes that are no UTF-8 were read as. */
const UNSPEAKABLE = /[\p{Cc}\ufffd]/u;

const askedScopes = (parameters: Parameters, app: { scopes: readonly Scope[] }): Scope[] | null => {
  const text = parameters.get("scope");
  return text === undefined ? [...app.scopes] : readScopes(text);
};

export const readAuthorizeRequest = ({ parameters, repeated }: Received, app: { scopes: readonly Scope[] }): Asked => {
  const [twice] = repeated;
  if (twice !== undefined) throw new AuthorizeRefusal("invalid_request", "A parameter was sent more than once.");
  for (const check of AUTHORIZE_CHECKS) {
    const refusal = check(parameters, app);
    if (refusal) throw refusal;
  }
  return {
    scopes: askedScopes(parameters, app) ?? [],
    state: parameters.get("state") ?? null,
    codeChallenge: parameters.get("code_challenge") ?? "",
  };
};

/** RFC 6749 §4.1.2 with `iss` of RFC 9207; the query that the address was registered with stays as it is. */
export const redirectTo = (
  uri: string,
  answer: { code: string } | AuthorizeRefusal,
  rest: { state: string | null; issuer: string },
): string => {
  const parameters = new URLSearchParams(
    answer instanceof AuthorizeRefusal ? { error: answer.code, error_description: answer.message } : { code: answer.code },
  );
  if (rest.state !== null) parameters.set("state", rest.state);
  parameters.set("iss", rest.issuer);
  return `${uri}${uri.includes("?") ? "&" : "?"}${parameters}`;
};

/** Scopes that open nothing under a plan without these features: the owner is told before allowing them. */
export const scopesWithout = (scopes: readonly Scope[], features: readonly Feature[]): Scope[] =>
  scopes.filter((scope) => {
    const opened = operationEntries.filter(([, operation]) => operation.scope === scope);
    return opened.every(([, { feature }]) => feature !== undefined && !features.includes(feature));
  });
