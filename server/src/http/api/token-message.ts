/**
 * What a 401 says: the form that is expected, and what was seen of it. It never repeats what was sent, because that may be a secret in the
 * wrong place.
 */
import type { FastifyRequest } from "fastify";
import { headerValues } from "#lib/headers.ts";
import type { TokenEnding } from "#lib/principal.ts";
import { readToken } from "#lib/token-format.ts";
import { FOR_BROWSERS } from "./not-found-messages.ts";

const FORM = "Send the header `Authorization: Bearer <id>|svc_…` with a whole token from the developer settings.";

const ENDED: Record<TokenEnding, string> = {
  revoked: "This token was revoked. Create another one in the developer settings.",
  expired: "This token has expired. Create another one in the developer settings.",
  "expired access": "This access token has expired. Get a new one at POST /oauth/token with grant_type=refresh_token.",
};

export const tokenMessage = (request: FastifyRequest): string => {
  const message = request.auth.ending ? ENDED[request.auth.ending] : shapeMessage(request);
  // A preflight request carries no token, so a browser meets this refusal.
  const isPreflight = request.method === "OPTIONS" && request.headers["access-control-request-method"] !== undefined;
  return isPreflight ? `${FOR_BROWSERS} ${message}` : message;
};

const shapeMessage = (request: FastifyRequest): string => {
  const [value, ...more] = headerValues(request.raw.rawHeaders, "authorization");
  if (more.length > 0) return `Authorization was sent more than once. ${FORM}`;
  if (value === undefined) return `${elsewhere(request)} ${FORM}`;
  if (value.trim() === "") return `The header Authorization is empty. ${FORM}`;
  const [, scheme = "", token = ""] = /^(\S+)\s*(.*)$/.exec(value.trim()) ?? [];
  if (scheme.toLowerCase() !== "bearer") return `${schemeFault(scheme)} ${FORM}`;
  return token === "" ? `There is no token after Bearer. ${FORM}` : tokenFault(token);
};

const TOKEN_NAMES = /[?&](?:access_token|api_key|apikey|key|token|auth|authorization)=/i;
const OTHER_HEADERS = ["x-api-key", "api-key", "x-auth-token", "x-access-token"];

const elsewhere = ({ url, headers }: FastifyRequest): string => {
  if (TOKEN_NAMES.test(url) || /svc_/.test(url))
    return "A token in the address is not read, because addresses are logged: treat it as known and revoke it.";
  const other = OTHER_HEADERS.find((name) => headers[name] !== undefined);
  if (other !== undefined) return `A token in ${other} is not read.`;
  return headers.cookie === undefined
    ? "The header Authorization is missing."
    : "The header Authorization is missing, and cookies are not read.";
};

const schemeFault = (scheme: string): string => {
  if (/^basic$/i.test(scheme)) return "The API takes Bearer, not Basic, which is for POST /oauth/token.";
  if (/svc_/.test(scheme)) return "The word Bearer and a space are missing before the token.";
  return "The header Authorization does not begin with Bearer and a space.";
};

/** Secrets of OAuth (contract §5.2), and what to do with each. */
const OAUTH_SECRETS: [prefix: RegExp, message: string][] = [
  [/svc_cs_/, "This is a client secret of an app. It goes to POST /oauth/token, which gives the access token to send here."],
  [/svc_app_/, "This is the client id of an app. It goes to POST /oauth/token, which gives the access token to send here."],
  [/svc_ac_/, "This is an authorization code. Exchange it at POST /oauth/token for the access token to send here."],
  [/svc_ort_/, "This is a refresh token. POST /oauth/token with grant_type=refresh_token gives the access token to send here."],
  [/whsec_/, "This is the signing secret of a webhook. It verifies what the service sends, and calls nothing."],
];

const tokenFault = (token: string): string => {
  const secret = OAUTH_SECRETS.find(([prefix]) => prefix.test(token));
  if (secret) return secret[1];
  if (/["'<>`\u2018-\u201f]/.test(token)) return `There are quotes or brackets around the token: send it without them. ${FORM}`;
  if (/\\[rn]|%0[ad]/i.test(token)) return `The token contains a line break: remove it where the token is read. ${FORM}`;
  if (/%7c/i.test(token)) return `The | in the token is percent-encoded: send it as it is. ${FORM}`;
  if (/[\s,]/.test(token)) return `There is more than one word after Bearer. ${FORM}`;
  if (token.startsWith("svc_")) return `The token has no id: it begins with a number and |, before svc_. ${FORM}`;
  if (readToken(token))
    return "No token like this is known here. It may belong to another installation, or to a sandbox that has a newer token.";
  return /^\d+\|svc_/.test(token)
    ? `The token is not whole: characters are missing, changed or added. ${FORM}`
    : `This is not a token of this service. ${FORM}`;
};
