/** The OAuth endpoints at the root (contract §4.6, §7.2): limits, content types, the error shape. What they decide is in platform/oauth. */
import { OAUTH_PREFIX, RevokeRequest, TokenRequest, type TokenResponse } from "@comanda/contract/oauth.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isContention, isUnavailable } from "#db/pool.ts";
import type { Deps } from "#deps.ts";
import { OAuthRefusal, Refusal } from "#lib/errors.ts";
import { headerValues } from "#lib/headers.ts";
import { type Received, received } from "#lib/parameters.ts";
import { countAddress } from "./address-limit.ts";
import { isPlainJson, parseBody, softenType } from "./body.ts";
import { protectRedirect, sendDeadEnd } from "./oauth-page.ts";
import { quotaHeaders, type RateLimiter } from "./rate-limit.ts";
import { sendJson, writeHeaders } from "./reply.ts";

export type OAuthCall = { request: FastifyRequest; received: Received; authorization: string[] };

/** Where the browser goes next, or why it goes nowhere. */
export type Way = { redirectTo: string } | { deadEnd: string };

/** What platform/oauth and the composition hand in: http knows no room. */
export type OAuthDoor = {
  metadata(request: FastifyRequest): object;
  authorize(call: OAuthCall): Promise<Way>;
  token(call: OAuthCall): Promise<TokenResponse>;
  revoke(call: OAuthCall): Promise<void>;
};

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
const KNOWN = new Set([...Object.keys(TokenRequest.properties), ...Object.keys(RevokeRequest.properties)]);
const UNAVAILABLE_RETRY_SECONDS = "2";
const BASIC = 'Basic realm="comanda", charset="UTF-8"';

export const addOAuth = (app: FastifyInstance, deps: Deps, limiter: RateLimiter, door: OAuthDoor): void => {
  app.setErrorHandler((error, request, reply) => refuse(request, reply, error));
  // A type that Fastify cannot read would be refused before it is counted.
  app.addHook("onRequest", async (request) => softenType(request));
  app.get("/.well-known/oauth-authorization-server", async (request, reply) =>
    sendJson(reply, 200, JSON.stringify(door.metadata(request))),
  );
  const counted = countBy(deps, limiter);
  const config = { countedBy: "oauth" } as const;
  app.get(`${OAUTH_PREFIX}/authorize`, { onRequest: counted("authorize"), config }, async (request, reply) => {
    const way = await door.authorize({ request, received: received(queryOf(request)), authorization: [] });
    if ("deadEnd" in way) return sendDeadEnd(request, reply, way.deadEnd);
    protectRedirect(reply);
    writeHeaders(reply, { Location: way.redirectTo });
    return reply.code(302).send();
  });
  app.post(`${OAUTH_PREFIX}/token`, { onRequest: counted("token"), config }, async (request, reply) =>
    send(reply, 200, await door.token(callOf(request))),
  );
  app.post(`${OAUTH_PREFIX}/revoke`, { onRequest: counted("revoke"), config }, async (request, reply) => {
    await door.revoke(callOf(request));
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

/** Per address and endpoint, before anything is read (open point D154). Forwarded addresses count only from proxies we know. */
const countBy =
  ({ clock, config }: Deps, limiter: RateLimiter) =>
  (endpoint: Endpoint) =>
  async (request: FastifyRequest, reply: FastifyReply) => {
    const quota = await countAddress(limiter, { who: `oauth:${endpoint}`, address: request.ip, limit: config.oauthRatePerMinute });
    writeHeaders(reply, quotaHeaders(quota, clock.now().getTime()));
    if (quota.isOver) return refuseRate(reply);
  };

const refuseRate = (reply: FastifyReply): FastifyReply =>
  send(reply, 429, { message: "Too many requests from this address: wait the seconds given in Retry-After." });

/** Never kept anywhere on the way (RFC 6749 §5.1). */
const send = (reply: FastifyReply, status: number, body: object): FastifyReply => {
  writeHeaders(reply, { Pragma: "no-cache" });
  return sendJson(reply, status, JSON.stringify(body));
};

const queryOf = (request: FastifyRequest): URLSearchParams => new URL(request.url, "http://x").searchParams;

const callOf = (request: FastifyRequest): OAuthCall => {
  const call = { request, received: received(bodyPairs(request)), authorization: headerValues(request.raw.rawHeaders, "authorization") };
  if (call.received.repeated.length > 0) throw new OAuthRefusal("invalid_request", "A parameter was sent more than once.");
  return call;
};

/** Only the body counts: what stands in the address is logged on its way, so secrets there are not accepted (RFC 6749 §2.3.1). */
const bodyPairs = (request: FastifyRequest): Iterable<readonly [string, string]> => {
  const bytes = request.body as Buffer | undefined;
  const type = request.headers["content-type"];
  if (!bytes || bytes.length === 0) return [];
  if (isPlainJson(type)) return jsonPairs(bytes, type);
  if (type === undefined || !FORM_TYPE.test(type))
    throw new OAuthRefusal("invalid_request", "The body must be sent as application/x-www-form-urlencoded or application/json.");
  try {
    return new URLSearchParams(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new OAuthRefusal("invalid_request", "The body is not valid UTF-8.");
  }
};

const jsonPairs = (bytes: Buffer, type: string | undefined): [string, string][] => {
  let members: [string, unknown][];
  try {
    members = Object.entries(parseBody(bytes, type));
  } catch (error) {
    const [sentence] = error instanceof Refusal ? ((error.details.body as string[] | undefined) ?? []) : [];
    throw new OAuthRefusal("invalid_request", sentence);
  }
  // What we do not know is none of our business (RFC 6749 §3.2).
  return members
    .filter(([name]) => KNOWN.has(name))
    .map(([name, value]) => {
      if (typeof value !== "string") throw new OAuthRefusal("invalid_request", `The member ${name} must be a string.`);
      return [name, value];
    });
};

const refuse = (request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply => {
  if (error instanceof OAuthRefusal) {
    const isClient = error.code === "invalid_client";
    if (isClient) writeHeaders(reply, { "WWW-Authenticate": BASIC });
    return send(reply, isClient ? 401 : 400, { error: error.code, error_description: error.message });
  }
  if (error instanceof Refusal && error.code === "rate_limited") return refuseRate(reply);
  // What Fastify marks as the client's mistake: a body too long, too short, or of a type that cannot be.
  if (((error as { statusCode?: number }).statusCode ?? 500) < 500)
    return send(reply, 400, { error: "invalid_request", error_description: "The body is too large or not as long as announced." });
  request.log.error({ err: error }, "an OAuth request failed");
  const isElsewhere = error instanceof Refusal && error.code === "service_unavailable";
  if (!isUnavailable(error) && !isContention(error) && !isElsewhere)
    return send(reply, 500, { error: "server_error", error_description: "Something went wrong on our side." });
  writeHeaders(reply, { "Retry-After": UNAVAILABLE_RETRY_SECONDS });
  return send(reply, 503, {
    error: "temporarily_unavailable",
    error_description: "The service cannot answer right now: try again shortly.",
  });
};
