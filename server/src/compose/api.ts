/** Builds the HTTP application: hooks of every request, the API, OAuth, MCP and the console. */

import { API_PREFIX } from "@comanda/contract/operations.ts";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RouteOptions,
} from "fastify";
import { tenantDb } from "#db/pool.ts";
import { createPageLimit, type PageLimit } from "#http/address-limit.ts";
import { type RequestAuth, startAuth } from "#http/api/auth-state.ts";
import { type Authentication, createAuthentication } from "#http/api/authentication.ts";
import { SMALL_BODY_BYTES_MAX } from "#http/api/body.ts";
import { unknownPageError } from "#http/api/not-found-messages.ts";
import { unknownRouteError } from "#http/api/path-matching.ts";
import { createTokenAuthenticator, type TokenLookup } from "#http/api/principal-cache.ts";
import { addConsoleFiles } from "#http/console/static-files.ts";
import { addReference } from "#http/docs/api-reference.ts";
import { sendApiError } from "#http/errors.ts";
import { forwardedRequestId } from "#http/mcp/forwarded-auth.ts";
import { addAccessLog } from "#http/ops/access-log.ts";
import { addQueueAssignment } from "#http/ops/assign-queue.ts";
import { createClientErrorHandler, hasHost, IGNORES_HOST, ignoreUnknownExpectations, missingHost } from "#http/ops/client-errors.ts";
import { addGracefulShutdown } from "#http/ops/graceful-shutdown.ts";
import { heldError, isHeld } from "#http/ops/held-requests.ts";
import { countPipelined } from "#http/ops/pipelining-limit.ts";
import { addSocketLimits, READING_RULES, type ReadingRules, readFilesMax, socketLimitsOf } from "#http/ops/socket-limits.ts";
import { createRateLimiter, type RateLimiter, uncountedHeaders } from "#http/rate-limit.ts";
import { writeHeaders } from "#http/reply.ts";
import { addressList } from "#lib/address-list.ts";
import { newUuid } from "#lib/ids.ts";
import {
  bearerOf,
  isLastUsedOutdated,
  isPrincipalUnchanged,
  lookUpToken,
  principalOf,
  touchLastUsed,
} from "#platform/programs/tokens/service.ts";
import type { TokenRecord } from "#platform/programs/tokens/store.ts";
import type { Deps } from "../deps.ts";
import { routes } from "./handlers.ts";
import { addVenueRoutes, type VenueRouteParts } from "./venue-routes.ts";

const STALLED_CONNECTION_MS_MAX = 30_000;

export type App = { http: FastifyInstance; isShuttingDown(): boolean; stop(): Promise<void> };

type HttpAppOptions = Partial<VenueRouteParts> & {
  limiter?: RateLimiter;
  reading?: ReadingRules;
  /** Called for every route of the application. */
  onRoute?: (route: RouteOptions) => void;
};

const CONNECTION_LIMITS = {
  // Slow and endless requests are cut off. Node checks for them every 30 s by default.
  requestTimeout: 10_000,
  keepAliveTimeout: 72_000,
  // A client that stops reading is disconnected after this time without traffic. A change stream sends a heartbeat twice as often.
  connectionTimeout: STALLED_CONNECTION_MS_MAX,
  http: { headersTimeout: 5_000, connectionsCheckingInterval: 1_000, maxHeaderSize: 16_384, ...IGNORES_HOST },
};

export const buildApp = async (deps: Deps, given: HttpAppOptions = {}): Promise<App> => {
  const limiter = given.limiter ?? createRateLimiter(deps.redis);
  const tokens = createTokenAuthenticator(tokenLookup(deps));
  const authentication = createAuthentication(deps, limiter, tokens);
  const countPage = createPageLimit(deps, limiter);
  const app = Fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "request_id" }),
    genReqId: () => forwardedRequestId() ?? newUuid(deps.clock.now()),
    bodyLimit: SMALL_BODY_BYTES_MAX,
    ...CONNECTION_LIMITS,
    routerOptions: { ignoreTrailingSlash: true },
    trustProxy: deps.config.trustedProxies.length > 0 ? deps.config.trustedProxies : false,
    clientErrorHandler: createClientErrorHandler(deps),
    // During the shutdown, requests on open connections are still served, with `Connection: close`.
    return503OnClosing: false,
    forceCloseConnections: "idle",
    // A path that cannot be decoded matches no route. It is counted and authenticated like any other (D16).
    frameworkErrors: (_error, request, reply) => rejectUndecodable(request, reply),
  });
  decorateRequests(app);
  limitSockets(app, deps, given.reading);
  ignoreUnknownExpectations(app);
  if (given.onRoute) app.addHook("onRoute", given.onRoute);
  app.addHook("onRequest", (request, reply, done) => {
    if (beginRequest(request, reply)) done();
  });
  const runInQueue = addQueueAssignment(app, tokens.getCached);
  // Fastify runs no hooks for such a path, so this function does their work.
  const rejectUndecodable = (request: FastifyRequest, reply: FastifyReply): void => {
    if (!beginRequest(request, reply)) return;
    setFirstHeaders(deps, request, reply);
    if (!hasHost(request)) return void rejectWithoutHost(deps, request, reply);
    if (isHeld(deps)) return void sendApiError(request, reply, heldError());
    runInQueue(request, () => void rejectUnmatched({ authentication, countPage }, request, reply));
  };
  app.removeAllContentTypeParsers();
  // The body is parsed when the handler asks for it, after authentication and authorization.
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  // Set before any route: a route uses the error handler that is set when it is added.
  app.setErrorHandler((error, request, reply) => sendApiError(request, reply, error));
  const shutdown = addGracefulShutdown(app, deps.config.shutdownGraceMs);
  addFirstHooks(app, deps, { authentication, countPage });
  addAccessLog(app, deps);
  await addReference(app, deps);
  addConsoleFiles(app);
  const parts = { ...given, handlers: given.handlers ?? routes };
  await app.register(async (venues) => addVenueRoutes(venues, { deps, authentication, limiter }, parts));
  return { http: app, ...shutdown };
};

const limitSockets = (app: FastifyInstance, { config, metrics }: Deps, reading = READING_RULES): void =>
  addSocketLimits(app, {
    limits: socketLimitsOf(config, readFilesMax()),
    isProxy: addressList(config.trustedProxies),
    reading,
    onEnd: metrics.countEndedSocket,
  });

type UnmatchedDeps = { authentication: Authentication; countPage: PageLimit };

/** False: the connection was closed and the request must not be handled. */
const beginRequest = (request: FastifyRequest, reply: FastifyReply): boolean => {
  startAuth(request);
  return countPipelined(request, reply);
};

const HSTS = "max-age=31536000";

const setFirstHeaders = ({ config }: Deps, request: FastifyRequest, reply: FastifyReply): void => {
  reply.raw.setHeader("X-Request-Id", request.id);
  reply.raw.setHeader("X-Content-Type-Options", "nosniff");
  // RFC 6797 §7.2: the header must not be sent over plain HTTP.
  if (config.publicUrl?.startsWith("https://")) reply.raw.setHeader("Strict-Transport-Security", HSTS);
};

/** Runs for every request, also without a matching route: no body is read before the request is counted. */
const addFirstHooks = (app: FastifyInstance, deps: Deps, unmatched: UnmatchedDeps): void => {
  app.addHook("onRequest", (request, reply, done) => {
    setFirstHeaders(deps, request, reply);
    if (!hasHost(request)) return void rejectWithoutHost(deps, request, reply);
    if (request.is404) return void rejectUnmatched(unmatched, request, reply);
    done();
  });
  app.addHook("onRequest", async (request, reply) => {
    if (request.routeOptions.config.countedBy === undefined) await unmatched.countPage(request, reply);
  });
  // Fastify needs this handler; the hook above has already rejected such requests.
  app.setNotFoundHandler((request, reply) => rejectUnmatched(unmatched, request, reply));
};

/** The request is not counted, like everything that the parser refuses. */
const rejectWithoutHost = ({ config }: Deps, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  writeHeaders(reply, uncountedHeaders(config));
  return sendApiError(request, reply, missingHost());
};

const decorateRequests = (app: FastifyInstance): void => {
  app.decorateRequest("auth", null as unknown as RequestAuth);
  app.decorateRequest("errorCode", null);
  app.decorateRequest("invalidFields", null);
  app.decorateRequest("refusalReasons", null);
};

/** Answers requests that match no route. Under the API's prefix they are authenticated first. */
const rejectUnmatched = async (
  { authentication, countPage }: UnmatchedDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const isOfApi = `${request.url}/`.startsWith(`${API_PREFIX}/`);
  const refusal = await (isOfApi ? authentication.admit(request, reply) : countPage(request, reply)).then(
    () => (isOfApi ? unknownRouteError(request, reply) : unknownPageError(request)),
    (error: unknown) => error,
  );
  return isOfApi ? authentication.sendError(request, reply, refusal) : sendApiError(request, reply, refusal);
};

const tokenLookup = (deps: Deps): TokenLookup<TokenRecord> => ({
  bearerOf,
  principalOf,
  isUnchanged: isPrincipalUnchanged,
  async findToken(bearer, now, cached) {
    const record = await lookUpToken(deps.readBatcher.global, bearer, now, cached);
    // The call is not awaited, because no answer depends on it.
    if (record && typeof record === "object" && isLastUsedOutdated(record, now))
      touchLastUsed(tenantDb(deps.pool, record.restaurant_id), record, now).catch((error: unknown) =>
        deps.log.warn({ err: error }, "the last use of a token was not recorded"),
      );
    return record;
  },
});
