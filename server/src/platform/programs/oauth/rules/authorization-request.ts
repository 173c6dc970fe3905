/** The rules of the authorization request (RFC 6749 §4.1.1, RFC 7636), one function each. All are pure. */
import type { AuthorizeErrorCode } from "@comanda/contract/oauth.ts";
import { operationEntries } from "@comanda/contract/operations.ts";
import { type Feature, isScope, type Scope } from "@comanda/contract/scopes.ts";
import type { Parameters, Received } from "#lib/oauth-parameters.ts";

/** The redirect address is not proven to be the app's: the browser gets an error page and no redirect (open point D142). */
export class UntrustedRedirectError extends Error {}

/** An error that is sent to the app's redirect address, after that address was checked (RFC 6749 §4.1.2.1). */
export class AuthorizeError extends Error {
  readonly code: AuthorizeErrorCode;

  constructor(code: AuthorizeErrorCode, description: string) {
    super(description);
    this.code = code;
  }
}

/** RFC 6749 §4.1.2.1: without exactly one client_id and one redirect_uri no address can be trusted. */
export const requireClientAndRedirectUri = ({ parameters, repeated }: Received): { clientId: string; redirectUri: string } => {
  const [clientId, redirectUri] = [parameters.get("client_id"), parameters.get("redirect_uri")];
  if (clientId === undefined || redirectUri === undefined || repeated.includes("client_id") || repeated.includes("redirect_uri"))
    throw new UntrustedRedirectError("The request must name its app (client_id) and its address (redirect_uri), each once.");
  return { clientId, redirectUri };
};

/** RFC 6749 §2.2: the client must be registered. */
export const requireRegisteredClient = <A>(app: A | undefined): A => {
  if (!app) throw new UntrustedRedirectError("No app is registered under this client_id.");
  return app;
};

/** RFC 9700 §2.1: redirect addresses are compared as strings, without patterns. */
export const matchRedirectUri = ({ redirect_uris }: { redirect_uris: readonly string[] }, redirectUri: string): void => {
  if (!redirect_uris.includes(redirectUri))
    throw new UntrustedRedirectError("The app has not registered this redirect_uri, letter by letter.");
};

type RegisteredScopes = { scopes: readonly Scope[] };
type AuthorizationCheck = (received: Received, app: RegisteredScopes) => AuthorizeError | null;

/** RFC 6749 §3.1: no parameter may come more than once. */
const requireEachParameterOnce: AuthorizationCheck = ({ repeated }) =>
  repeated.length === 0 ? null : new AuthorizeError("invalid_request", "A parameter was sent more than once.");

/** RFC 6749 §4.1.1: response_type is required. */
const requireResponseType: AuthorizationCheck = ({ parameters }) =>
  parameters.has("response_type") ? null : new AuthorizeError("invalid_request", "The parameter response_type is missing.");

/** RFC 6749 §3.1.1: the authorization code flow is the only one offered. */
const requireResponseTypeCode: AuthorizationCheck = ({ parameters }) =>
  parameters.get("response_type") === "code" ? null : new AuthorizeError("unsupported_response_type", "response_type must be code.");

/** RFC 9101 §6.3: request objects are rejected, because ignoring one would ignore what it asks for. */
const rejectRequestObjects: AuthorizationCheck = ({ parameters }) =>
  parameters.has("request") || parameters.has("request_uri")
    ? new AuthorizeError("invalid_request", "Request objects are not supported.")
    : null;

/** RFC 7636 §4.4.1: PKCE is required of every client. */
const requirePkce: AuthorizationCheck = ({ parameters }) =>
  parameters.has("code_challenge") ? null : new AuthorizeError("invalid_request", "PKCE is required: code_challenge is missing.");

/** RFC 9700 §2.1.1: the method plain, which is the default of RFC 7636 §4.3, is not accepted. */
const requirePkceS256: AuthorizationCheck = ({ parameters }) =>
  parameters.get("code_challenge_method") === "S256" ? null : new AuthorizeError("invalid_request", "code_challenge_method must be S256.");

const CHALLENGE = /^[A-Za-z0-9\-_]{43}$/;

/** RFC 7636 §4.2: a challenge is a SHA-256 hash in base64url without padding. */
const requireChallengeFormat: AuthorizationCheck = ({ parameters }) =>
  CHALLENGE.test(parameters.get("code_challenge") ?? "")
    ? null
    : new AuthorizeError("invalid_request", "code_challenge must be 43 characters of base64url.");

/** Bytes that are not UTF-8 were decoded as U+FFFD. */
const CONTROL_CHARACTERS = /[\p{Cc}\ufffd]/u;

/** RFC 6749 appendix A.5 allows printable characters. Any text that can be returned unchanged is accepted. */
const rejectControlCharactersInState: AuthorizationCheck = ({ parameters }) =>
  CONTROL_CHARACTERS.test(parameters.get("state") ?? "")
    ? new AuthorizeError("invalid_request", "state has characters that no text has.")
    : null;

/** RFC 6749 §3.3: every scope must be known. */
const requireKnownScopes: AuthorizationCheck = ({ parameters }, app) =>
  requestedScopes(parameters, app) === null ? new AuthorizeError("invalid_scope", "A scope is unknown.") : null;

/** RFC 6749 §3.3: an app may ask for the scopes that it is registered for. */
const requireRegisteredScopes: AuthorizationCheck = ({ parameters }, app) => {
  const foreign = requestedScopes(parameters, app)?.find((scope) => !app.scopes.includes(scope));
  return foreign === undefined ? null : new AuthorizeError("invalid_scope", `The app is not registered for ${foreign}.`);
};

/** Checks are in the order in which they apply: the first error is the answer. */
const AUTHORIZATION_CHECKS: readonly AuthorizationCheck[] = [
  requireEachParameterOnce,
  requireResponseType,
  requireResponseTypeCode,
  rejectRequestObjects,
  requirePkce,
  requirePkceS256,
  requireChallengeFormat,
  rejectControlCharactersInState,
  requireKnownScopes,
  requireRegisteredScopes,
];

export type RequestedAuthorization = { scopes: Scope[]; state: string | null; codeChallenge: string };

export const readAuthorizationRequest = (received: Received, app: RegisteredScopes): RequestedAuthorization => {
  for (const check of AUTHORIZATION_CHECKS) {
    const error = check(received, app);
    if (error) throw error;
  }
  const { parameters } = received;
  return {
    scopes: requestedScopes(parameters, app) ?? [],
    state: parameters.get("state") ?? null,
    codeChallenge: parameters.get("code_challenge") ?? "",
  };
};

/** RFC 6749 §3.3: without the parameter, all scopes that the app is registered for. Null when a scope is unknown. */
const requestedScopes = (parameters: Parameters, app: RegisteredScopes): Scope[] | null => {
  const text = parameters.get("scope");
  return text === undefined ? [...app.scopes] : readScopes(text);
};

/** RFC 6749 §3.3: scope names are separated by single spaces. Null when a name is unknown. */
export const readScopes = (text: string): Scope[] | null => {
  const names = text.split(" ");
  return names.every(isScope) ? [...new Set(names)] : null;
};

/** RFC 6749 §4.1.2 with `iss` of RFC 9207. The query of the registered address is not changed. */
export const redirectTo = (
  uri: string,
  result: { code: string } | AuthorizeError,
  { state, issuer }: { state: string | null; issuer: string },
): string => {
  const parameters = new URLSearchParams(
    result instanceof AuthorizeError ? { error: result.code, error_description: result.message } : { code: result.code },
  );
  if (state !== null) parameters.set("state", state);
  parameters.set("iss", issuer);
  return `${uri}${uri.includes("?") ? "&" : "?"}${parameters}`;
};

/** Scopes whose operations all need a feature that the plan lacks. The consent screen names them. */
export const scopesWithout = (scopes: readonly Scope[], features: readonly Feature[]): Scope[] =>
  scopes.filter((scope) => {
    const operations = operationEntries.filter(([, operation]) => operation.scope === scope);
    return operations.every(([, { feature }]) => feature !== undefined && !features.includes(feature));
  });
