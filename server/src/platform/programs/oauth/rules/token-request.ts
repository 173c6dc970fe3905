/** The rules of the token and revocation requests (RFC 6749 §2.3 and §4.1.3, RFC 7636 §4.6, RFC 7009), one function each. All are pure. */
import { GRANT_TYPES } from "@comanda/contract/oauth.ts";
import type { Scope } from "@comanda/contract/scopes.ts";
import { OAuthError } from "#lib/errors.ts";
import type { Parameters } from "#lib/oauth-parameters.ts";
import { challengeOf, sameBytes } from "#lib/token-format.ts";
import { readScopes } from "./authorization-request.ts";

export type Credentials = { clientId: string; secret: string };

type SentCredentials = {
  headers: readonly string[];
  /** Null: there is no Authorization header, or it is not HTTP Basic. */
  basic: Credentials | null;
  clientId: string | undefined;
  secret: string | undefined;
};
type CredentialCheck = (sent: SentCredentials) => OAuthError | null;

/** RFC 9110 §11.6.2: a request has one Authorization header. */
const requireOneAuthorizationHeader: CredentialCheck = ({ headers }) =>
  headers.length > 1 ? new OAuthError("invalid_request", "More than one Authorization header.") : null;

/** RFC 6749 §2.3: a client uses one authentication method in a request. */
const requireOneAuthenticationMethod: CredentialCheck = ({ headers, secret }) =>
  headers.length > 0 && secret !== undefined
    ? new OAuthError("invalid_request", "The client secret was sent in the header and in the body.")
    : null;

/** RFC 6749 §2.3.1: a header is HTTP Basic. */
const requireBasicAuthentication: CredentialCheck = ({ headers, basic }) =>
  headers.length > 0 && basic === null
    ? new OAuthError("invalid_client", "The Authorization header is not HTTP Basic with a client id and secret.")
    : null;

/** RFC 6749 §2.3: a client_id in the body beside the header must name the same client. */
const requireSameClientId: CredentialCheck = ({ basic, clientId }) =>
  basic && clientId !== undefined && clientId !== basic.clientId
    ? new OAuthError("invalid_request", "The client ids in the header and in the body differ.")
    : null;

/** RFC 6749 §3.2.1: every client is confidential and must authenticate. */
const requireCredentials: CredentialCheck = ({ headers, clientId, secret }) =>
  headers.length === 0 && (clientId === undefined || secret === undefined)
    ? new OAuthError("invalid_client", "Send the client id and secret by HTTP Basic, or as client_id and client_secret.")
    : null;

/** Checks are in the order in which they apply: the first error is the answer. */
const CREDENTIAL_CHECKS: readonly CredentialCheck[] = [
  requireOneAuthorizationHeader,
  requireOneAuthenticationMethod,
  requireBasicAuthentication,
  requireSameClientId,
  requireCredentials,
];

export const readCredentials = (headers: readonly string[], parameters: Parameters): Credentials => {
  const [header] = headers;
  const [clientId, secret] = [parameters.get("client_id"), parameters.get("client_secret")];
  const basic = header === undefined ? null : readBasic(header);
  for (const check of CREDENTIAL_CHECKS) {
    const error = check({ headers, basic, clientId, secret });
    if (error) throw error;
  }
  return basic ?? { clientId: clientId ?? "", secret: secret ?? "" };
};

const BASIC = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i;

const readBasic = (header: string): Credentials | null => {
  const [, base64 = ""] = BASIC.exec(header) ?? [];
  const text = Buffer.from(base64, "base64").toString();
  const colon = text.indexOf(":");
  const clientId = colon < 0 ? null : formDecode(text.slice(0, colon));
  const secret = colon < 0 ? null : formDecode(text.slice(colon + 1));
  return clientId && secret ? { clientId, secret } : null;
};

/** RFC 6749 §2.3.1: id and secret are form-encoded before they are joined, so they are split first and decoded second. */
const formDecode = (text: string): string | null => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
};

/** RFC 6749 §5.2: a missing parameter is invalid_request. */
export const requireParameter = (parameters: Parameters, name: string): string => {
  const value = parameters.get(name);
  if (value === undefined) throw new OAuthError("invalid_request", `The parameter ${name} is missing.`);
  return value;
};

type GrantType = (typeof GRANT_TYPES)[number];

/** RFC 6749 §5.2: a grant type that is not offered is unsupported_grant_type. */
export const requireGrantType = (parameters: Parameters): GrantType => {
  const value = requireParameter(parameters, "grant_type");
  const grantType = GRANT_TYPES.find((known) => known === value);
  if (grantType === undefined) throw new OAuthError("unsupported_grant_type");
  return grantType;
};

export type CodeRequest = { code: string; redirectUri: string; verifier: string };

/** RFC 6749 §4.1.3 and RFC 7636 §4.5: all three are required, and are checked before the code is looked up. */
export const readCodeRequest = (parameters: Parameters): CodeRequest => ({
  code: requireParameter(parameters, "code"),
  redirectUri: requireParameter(parameters, "redirect_uri"),
  verifier: requireParameter(parameters, "code_verifier"),
});

export type RefreshRequest = { token: string; scopes: Scope[] | null };

/** RFC 6749 §6: the token is required. The scope is optional, and every name in it must be known. */
export const readRefreshRequest = (parameters: Parameters): RefreshRequest => {
  const token = requireParameter(parameters, "refresh_token");
  const text = parameters.get("scope");
  const scopes = text === undefined ? null : readScopes(text);
  if (text !== undefined && scopes === null) throw new OAuthError("invalid_scope");
  return { token, scopes };
};

const VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/;

/** RFC 7636 §4.1 and §4.6. */
export const isVerifierOf = (verifier: string, challenge: string): boolean =>
  VERIFIER.test(verifier) && sameBytes(Buffer.from(challengeOf(verifier)), Buffer.from(challenge));
