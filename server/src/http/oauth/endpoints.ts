/** The OAuth endpoints at the root (contract §4.6, §7.2): limits, content types and the error format. platform/programs/oauth makes the decisions. */
import { OAUTH_PREFIX, RevokeRequest, TokenRequest, type TokenResponse } from "@comanda/contract/oauth.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isContention, isUnavailable } from "#db/pool.ts";
import type { Deps } from "#deps.ts";
import { ApiError, OAuthError } from "#lib/errors.ts";
import { headerValues } from "#lib/headers.ts";
import { type Received, received } from "#lib/oauth-parameters.ts";
import { countCallerAddress } from "../address-limit.ts";
import { isPlainJson, parseBody, tolerateContentType } from "../api/body.ts";
import { quotaHeaders, type RateLimiter } from "../rate-limit.ts";
import { sendJson, writeHeaders } from "../reply.ts";
import { protectRedirect, sendErrorPage } from "./error-page.ts";

export type OAuthCall = { request: FastifyRequest; received: Received; authorization: string[] };

/** The redirect, or the text of the error page. */
export type AuthorizeOutcome = { redirectTo: string } | { errorPage: string };

/** The composition passes these in, because http imports no module. */
export type OAuthHandlers = {
  metadata(request: FastifyRequest): object;
  authorize(call: OAuthCall): Promise<AuthorizeOutcome>;
  token(call: OAuthCall): Promise<TokenResponse>;
  revoke(call: OAuthCall): Promise<void>;
};

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
const KNOWN = new Set([...Object.keys(TokenRequest.properties), ...Object.keys(RevokeRequest.properties)]);
const UNAVAILABLE_RETRY_SECONDS = "2";
const BASIC = 'Basic realm="comanda", charset="UTF-8"';

export const addOAuth = (app: FastifyInstance, deps: Deps, limiter: RateLimiter, handlers: OAuthHandlers): void => {
  app.setErrorHandler((error, request, reply) => sendOAuthError(request, reply, error));
  // Fastify would reject an unreadable content type before the request is counted.
  app.addHook("onRequest", async (request) => tolerateContentType(request));
  app.get("/.well-known/oauth-authorization-server", async (request, reply) =>
    sendJson(reply, 200, JSON.stringify(handlers.metadata(request))),
  );
  const counted = countBy(deps, limiter);
  const config = { countedBy: "oauth" } as const;
  app.get(`${OAUTH_PREFIX}/authorize`, { onRequest: counted("authorize"), config }, async (request, reply) => {
    const outcome = await handlers.authorize({ request, received: received(queryOf(request)), authorization: [] });
    if ("errorPage" in outcome) return sendErrorPage(request, reply, outcome.errorPage);
    protectRedirect(reply);
    writeHeaders(reply, { Location: outcome.redirectTo });
    return reply.code(302).send();
  });
  app.post(`${OAUTH_PREFIX}/token`, { onRequest: counted("token"), config }, async (request, reply) =>
    send(reply, 200, await handlers.token(callOf(request))),
  );
  app.post(`${OAUTH_PREFIX}/revoke`, { onRequest: counted("revoke"), config }, async (request, reply) => {
    await handlers.revoke(callOf(request));
    return send(reply, 200, {});
  });
  addOtherMethods(app, counted);
};

const ENDPOINTS = { authorize: "GET, HEAD", token: "POST", revoke: "POST" } as const;
type Endpoint = keyof typeof ENDPOINTS;

const addOtherMethods = (app: FastifyInstance, counted: ReturnType<typeof countBy>): void => {
  for (const [endpoint, allowed] of Object.entries(ENDPOINTS))
    app.route({
      method: ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].filter((method) => !allowed.split(", ").includes(method)),
      url: `${OAUTH_PREFIX}/${endpoint}`,
      onRequest: counted(endpoint as Endpoint),
      config: { countedBy: "oauth" },
      handler: async (_request, reply) => {
        writeHeaders(reply, { Allow: allowed });
        return send(reply, 405, { error: "invalid_request", error_description: `This address answers to ${allowed} only.` });
      },
    });
};

/** Counts per address and endpoint before the body is read (open point D154). Forwarded addresses count only from trusted proxies. */
const countBy =
  ({ clock, config }: Deps, limiter: RateLimiter) =>
  (endpoint: Endpoint) =>
  async (_request: FastifyRequest, reply: FastifyReply) => {
    const quota = await countCallerAddress(limiter, reply, { who: `oauth:${endpoint}`, limit: config.oauthRatePerMinute });
    writeHeaders(reply, quotaHeaders(quota, clock.now().getTime()));
    if (quota.isOver) return sendRateLimited(reply);
  };

const sendRateLimited = (reply: FastifyReply): FastifyReply =>
  send(reply, 429, { message: "Too many requests from this address: wait the seconds given in Retry-After." });

/** Answers are not cached (RFC 6749 §5.1). */
const send = (reply: FastifyReply, status: number, body: object): FastifyReply => {
  writeHeaders(reply, { Pragma: "no-cache" });
  return sendJson(reply, status, JSON.stringify(body));
};

const queryOf = (request: FastifyRequest): URLSearchParams => new URL(request.url, "http://x").searchParams;

const callOf = (request: FastifyRequest): OAuthCall => {
  const call = { request, received: received(bodyPairs(request)), authorization: headerValues(request.raw.rawHeaders, "authorization") };
  if (call.received.repeated.length > 0) throw new OAuthError("invalid_request", "A parameter was sent more than once.");
  return call;
};

/** Only the body is read: URLs are logged on the way, so secrets there are not accepted (RFC 6749 §2.3.1). */
const bodyPairs = (request: FastifyRequest): Iterable<readonly [string, string]> => {
  const bytes = request.body as Buffer | undefined;
  const type = request.headers["content-type"];
  if (!bytes || bytes.length === 0) return [];
  if (isPlainJson(type)) return jsonPairs(bytes, type);
  if (type === undefined || !FORM_TYPE.test(type))
    throw new OAuthError("invalid_request", "The body must be sent as application/x-www-form-urlencoded or application/json.");
  try {
    return new URLSearchParams(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new OAuthError("invalid_request", "The body is not valid UTF-8.");
  }
};

const jsonPairs = (bytes: Buffer, type: string | undefined): [string, string][] => {
  let members: [string, unknown][];
  try {
    members = Object.entries(parseBody(bytes, { "content-type": type }));
  } catch (error) {
    const [sentence] = error instanceof ApiError ? ((error.details.body as string[] | undefined) ?? []) : [];
    throw new OAuthError("invalid_request", sentence);
  }
  // Unknown parameters are ignored (RFC 6749 §3.2).
  return members
    .filter(([name]) => KNOWN.has(name))
    .map(([name, value]) => {
      if (typeof value !== "string") throw new OAuthError("invalid_request", `The member ${name} must be a string.`);
      return [name, value];
    });
};

const sendOAuthError = (request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply => {
  if (error instanceof OAuthError) {
    const isClient = error.code === "invalid_client";
    if (isClient) writeHeaders(reply, { "WWW-Authenticate": BASIC });
    return send(reply, isClient ? 401 : 400, { error: error.code, error_description: error.message });
  }
  if (error instanceof ApiError && error.code === "rate_limited") return sendRateLimited(reply);
  // Fastify's client errors: the body is too long, too short, or has an impossible type.
  if (((error as { statusCode?: number }).statusCode ?? 500) < 500)
    return send(reply, 400, { error: "invalid_request", error_description: "The body is too large or not as long as announced." });
  request.log.error({ err: error }, "an OAuth request failed");
  const isElsewhere = error instanceof ApiError && error.code === "service_unavailable";
  if (!isUnavailable(error) && !isContention(error) && !isElsewhere)
    return send(reply, 500, { error: "server_error", error_description: "Something went wrong on our side." });
  writeHeaders(reply, { "Retry-After": UNAVAILABLE_RETRY_SECONDS });
  return send(reply, 503, {
    error: "temporarily_unavailable",
    error_description: "The service cannot answer right now: try again shortly.",
  });
};
