/** Authenticates, counts and authorizes a request before its body is read (open point D27). */
import { type Operation, writesNothing } from "@comanda/contract/operation.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "#deps.ts";
import { authorize } from "#lib/authorization.ts";
import { type ApiError, apiError } from "#lib/errors.ts";
import type { Principal } from "#lib/principal.ts";
import { countCallerAddress } from "../address-limit.ts";
import { sendApiError } from "../errors.ts";
import { type Quota, quotaHeaders, type RateLimiter } from "../rate-limit.ts";
import { writeHeaders } from "../reply.ts";
import { requirePrincipal } from "./auth-state.ts";
import { namedNotFound } from "./not-found-messages.ts";
import type { TokenAuthenticator } from "./principal-cache.ts";
import { tokenMessage } from "./token-message.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    operation?: Operation;
  }
}

export type Authenticated = { readonly principal: Principal; readonly quota: Quota };

/** Returns the authenticated caller to code that runs after the request was admitted. */
export const authenticatedAs = (request: FastifyRequest): Authenticated => {
  const { quota } = request.auth;
  if (quota === null) throw new Error("The request was not counted");
  return { principal: requirePrincipal(request), quota };
};

export type Authentication = {
  /** Authenticates the token and counts the request. The caller rejects a request over its quota. */
  identifyAndCount(request: FastifyRequest, reply: FastifyReply, challenge?: string): Promise<Authenticated>;
  /** Looks the token up again and changes nothing of the request. Null: it is no longer valid. */
  identifyAgain(request: FastifyRequest, now: Date): Promise<Principal | null>;
  /** Authenticates, counts and authorizes a request of the API. */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /**
   * Authenticates and authorizes the request again. True: the principal is unchanged. False: it changed, so what was read for the old
   * one must be discarded. Throws when the request is now rejected.
   */
  admitAgain(request: FastifyRequest, reply: FastifyReply, now: Date): Promise<boolean>;
  /** Counts one more request of the same caller. Its answer has begun, so the caller decides what happens over the quota. */
  countOneMore(request: FastifyRequest): Promise<Quota>;
  /** A write asks this under its locks. */
  isUnchanged: TokenAuthenticator["isUnchanged"];
  /** Counts the request first if it failed before that: every answer carries the rate headers (§8). */
  sendError(request: FastifyRequest, reply: FastifyReply, error: unknown): Promise<FastifyReply>;
};

export const createAuthentication = (deps: Deps, limiter: RateLimiter, tokens: TokenAuthenticator): Authentication => {
  const { clock } = deps;
  const counter = createRequestCounter(deps, limiter);
  const { countRequest, showQuota } = counter;
  const { identifyAgain, admitAgain } = createAdmittingAgain(tokens, counter);
  const admitFromCache = async (request: FastifyRequest, reply: FastifyReply, cached: Principal): Promise<void> => {
    await countRequest(request, reply, cached);
    const now = clock.now();
    if (rejectionOf(request, now) === null) request.auth.mustBeAdmittedAgain = true;
    // The cached principal may be outdated, so only a current one is rejected.
    else await admitAgain(request, reply, now);
  };
  return {
    identifyAgain,
    admitAgain,
    countOneMore: (request) => counter.countPrincipal(requirePrincipal(request)),
    isUnchanged: tokens.isUnchanged,
    identifyAndCount: async (request, reply, challenge) =>
      countRequest(request, reply, await tokens.identify(request, clock.now()), challenge),
    async admit(request, reply) {
      const { auth, routeOptions } = request;
      const now = clock.now();
      const { operation } = routeOptions.config;
      const isRead = operation !== undefined && writesNothing(operation);
      if (auth.forwarded) {
        auth.principal = viaMcp(auth.forwarded.principal);
        showQuota(request, reply, auth.forwarded.quota);
        // The MCP message may have taken seconds to arrive.
        auth.mustBeAdmittedAgain = isRead;
        return authorizeOperation(request, now);
      }
      const cached = isRead ? tokens.getCached(request) : null;
      // A fault is taken by a request of a valid token only.
      if (cached && !cached.hasFaults) return admitFromCache(request, reply, cached);
      await countRequest(request, reply, await tokens.identify(request, now));
      authorizeOperation(request, now);
      // The body of such a read may arrive seconds later.
      auth.mustBeAdmittedAgain = isRead && operation.method !== "GET";
    },
    async sendError(request, reply, thrown) {
      const error = namedNotFound(request, thrown);
      if (request.auth.quota !== null) return sendApiError(request, reply, error);
      const countError = await counter.countUnauthenticated(request, reply).catch((failure: unknown) => failure);
      return sendApiError(request, reply, countError ?? error);
    },
  };
};

const createAdmittingAgain = (
  tokens: TokenAuthenticator,
  { countAsNow }: RequestCounter,
): Pick<Authentication, "identifyAgain" | "admitAgain"> => {
  const identifyAgain: Authentication["identifyAgain"] = async (request, now) => {
    const { forwarded } = request.auth;
    if (forwarded === null) return tokens.identify(request, now);
    const principal = await forwarded.identifyAgain(now);
    return principal && viaMcp(principal);
  };
  return {
    identifyAgain,
    async admitAgain(request, reply, now) {
      const before = requirePrincipal(request);
      const principal = await identifyAgain(request, now);
      const isUnchanged = principal?.digest === before.digest;
      // The MCP endpoint counts and sends this error.
      if (principal === null && request.auth.forwarded) throw unauthenticated(request);
      if (!isUnchanged) await countAsNow(request, reply, principal);
      authorizeOperation(request, now);
      return isUnchanged;
    },
  };
};

const viaMcp = (principal: Principal): Principal => ({ ...principal, actor: { ...principal.actor, via: "mcp" } });

const unauthenticated = (request: FastifyRequest, challenge = "Bearer"): ApiError => {
  const isExpired = request.auth.ending?.startsWith("expired") && !challenge.includes(EXPIRED);
  return apiError("unauthenticated", {}, { "WWW-Authenticate": isExpired ? `${challenge} ${EXPIRED}` : challenge }, tokenMessage(request));
};

/** RFC 6750 §3.1. */
const EXPIRED = 'error="invalid_token"';

const rejectionOf = (request: FastifyRequest, now: Date): ApiError | null => {
  if (request.auth.quota?.isOver) return apiError("rate_limited");
  return authorize(requirePrincipal(request), request.routeOptions.config.operation ?? null, now);
};

const authorizeOperation = (request: FastifyRequest, now: Date): void => {
  const rejection = rejectionOf(request, now);
  if (rejection) throw rejection;
};

type RequestCounter = ReturnType<typeof createRequestCounter>;

const createRequestCounter = ({ clock, config }: Deps, limiter: RateLimiter) => {
  const showQuota = (request: FastifyRequest, reply: FastifyReply, quota: Quota): void => {
    request.auth.quota = quota;
    writeHeaders(reply, quotaHeaders(quota, clock.now().getTime()));
  };
  // Guessing a token is hopeless. This limit only stops a broken client from flooding, so it is wide (D40).
  const countUnauthenticated = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const limit = config.unauthenticatedRatePerMinute;
    const quota = await countCallerAddress(limiter, reply, { who: "address", limit });
    showQuota(request, reply, quota);
    if (quota.isOver) throw apiError("rate_limited");
  };
  const countPrincipal = ({ actor, ratePerMinute }: Principal): Promise<Quota> =>
    limiter.count(actor.caller, ratePerMinute ?? config.ratePerMinute);
  /** Counts by principal, or by address when there is none, and rejects the latter. */
  const countRequest = async (
    request: FastifyRequest,
    reply: FastifyReply,
    principal: Principal | null,
    challenge?: string,
  ): Promise<Authenticated> => {
    request.auth.principal = principal;
    if (principal === null) {
      reply.raw.removeHeader("Service-Sandbox");
      await countUnauthenticated(request, reply);
      throw unauthenticated(request, challenge);
    }
    if (principal.tenant.kind === "sandbox") writeHeaders(reply, { "Service-Sandbox": "true" });
    const quota = await countPrincipal(principal);
    showQuota(request, reply, quota);
    return { principal, quota };
  };
  /** The principal changed after the request was counted. It is counted again only if its caller or its rate changed. */
  const countAsNow = async (request: FastifyRequest, reply: FastifyReply, principal: Principal | null): Promise<void> => {
    const { principal: before, quota } = request.auth;
    if (principal?.actor.caller === before?.actor.caller && principal?.ratePerMinute === before?.ratePerMinute) {
      request.auth.principal = principal;
      return;
    }
    if (quota) for (const name of Object.keys(quotaHeaders(quota, 0))) reply.raw.removeHeader(name);
    await countRequest(request, reply, principal);
  };
  return { showQuota, countUnauthenticated, countPrincipal, countRequest, countAsNow };
};
