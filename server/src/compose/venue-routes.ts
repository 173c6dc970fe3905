/** The routes that serve venues: the API, OAuth, MCP, the page of guests and the console. A restored copy that was not released rejects all of them. */
import { CHANGE_STREAM_PATH, SCREEN_STREAM_PATH } from "@comanda/contract/console/change-areas.ts";
import { CONSOLE_PREFIX } from "@comanda/contract/console/operation.ts";
import { API_PREFIX } from "@comanda/contract/operations.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { withTenant } from "#db/with-tenant.ts";
import { createAnswerFaults } from "#http/api/answer-faults.ts";
import { requirePrincipal } from "#http/api/auth-state.ts";
import type { Authentication } from "#http/api/authentication.ts";
import { BODY_BYTES_MAX, tolerateContentType } from "#http/api/body.ts";
import { type Handlers, registerOperations } from "#http/api/operations.ts";
import { routeOf, routePath, unknownRouteError } from "#http/api/path-matching.ts";
import { declaredFields, declaredReasons } from "#http/api/undeclared-fields.ts";
import { createWaitingCalls, type WaitingCalls } from "#http/api/waiting-calls.ts";
import type { ChangeWatch } from "#http/change-watch.ts";
import { addChangeStream } from "#http/console/change-stream.ts";
import { createConsoleRateLimit } from "#http/console/console-rate-limit.ts";
import { registerConsole } from "#http/console/register-calls.ts";
import { addReviewPage } from "#http/guest-pages/endpoints.ts";
import { addMcp, type McpParts } from "#http/mcp/mcp-server.ts";
import { addOAuth } from "#http/oauth/endpoints.ts";
import { type ConcurrencyLimit, createConcurrencyLimit } from "#http/ops/concurrency-limit.ts";
import { rejectWhileHeld } from "#http/ops/held-requests.ts";
import type { RateLimiter } from "#http/rate-limit.ts";
import { requestOrigin } from "#http/request-origin.ts";
import type { RequestLogBuffer } from "#platform/activity/request-log/service.ts";
import { type TakenFault, takeAnswerFault } from "#platform/events/sandbox-faults/service.ts";
import type { Sender } from "#platform/events/webhooks/send/sender.ts";
import type { Deps } from "../deps.ts";
import { authorizeChangeStream, authorizeScreenStream, checkStreamAccess, openChangeWatch } from "./change-stream.ts";
import { createConsole } from "./console.ts";
import { createReviewPage } from "./guest-pages.ts";
import { createOAuth } from "./oauth.ts";
import { openSender } from "./outbound-switch.ts";

export type VenueRouteParts = {
  handlers: Handlers;
  sender?: Sender;
  requestLog?: RequestLogBuffer;
  agents?: Partial<McpParts>;
};

type VenueRouteDeps = { deps: Deps; authentication: Authentication; limiter: RateLimiter };

export const addVenueRoutes = async (
  app: FastifyInstance,
  { deps, authentication, limiter }: VenueRouteDeps,
  parts: VenueRouteParts,
): Promise<void> => {
  rejectWhileHeld(app, deps);
  const concurrencyLimit = createConcurrencyLimit(deps);
  const watch = openChangeWatch(deps);
  const waitingCalls = createWaitingCalls({
    cursorKey: deps.cursorKey,
    watch,
    leavePlace: concurrencyLimit.leave,
    countOneMore: authentication.countOneMore,
  });
  // A waiting call would delay the shutdown.
  app.addHook("preClose", async () => waitingCalls.close());
  await app.register(async (api) => addApi(api, deps, { authentication, concurrencyLimit, waitingCalls }, parts), { prefix: API_PREFIX });
  await app.register(async (oauth) => addOAuth(oauth, deps, limiter, createOAuth(deps)));
  await app.register(async (agents) => addMcp(agents, deps, { authentication, concurrencyLimit }, parts.agents));
  await app.register(async (pages) => {
    concurrencyLimit.limit(pages);
    addReviewPage(pages, { deps, limiter, handlers: createReviewPage(deps) });
  });
  const sender = openSender(deps, parts.sender);
  app.addHook("onClose", () => sender.close());
  const consoleParts = { deps, limiter, concurrencyLimit, sender, watch };
  await app.register(async (calls) => addConsole(calls, consoleParts), { prefix: CONSOLE_PREFIX });
};

type ConsoleParts = { deps: Deps; limiter: RateLimiter; concurrencyLimit: ConcurrencyLimit; sender: Sender; watch: ChangeWatch };

const addConsole = async (app: FastifyInstance, { deps, limiter, concurrencyLimit, sender, watch }: ConsoleParts): Promise<void> => {
  const limit = createConsoleRateLimit(deps, limiter);
  app.addHook("onRoute", (route) => {
    route.config = { ...route.config, countedBy: "console" };
  });
  app.addHook("onRequest", limit.countAddress);
  // The limit leaves out the change stream, which stays open for hours and costs no work.
  await app.register(async (calls) => {
    concurrencyLimit.limit(calls);
    registerConsole(calls, { deps, limiter, limit, handlers: createConsole(deps, limiter, sender) });
  });
  addChangeStream(app, {
    paths: { [routePath(CHANGE_STREAM_PATH)]: authorizeChangeStream(deps), [SCREEN_STREAM_PATH]: authorizeScreenStream(deps) },
    checkAccess: checkStreamAccess(deps),
    limit,
    watch,
    log: deps.log,
  });
};

type ApiDeps = { authentication: Authentication; concurrencyLimit: ConcurrencyLimit; waitingCalls: WaitingCalls };

const addApi = (
  api: FastifyInstance,
  deps: Deps,
  { authentication, concurrencyLimit, waitingCalls }: ApiDeps,
  { handlers, requestLog }: VenueRouteParts,
): void => {
  api.addHook("onRoute", (route) => {
    route.config = { ...route.config, countedBy: "token" };
    route.bodyLimit = BODY_BYTES_MAX;
  });
  // Limited before authentication, because a rejected request must not cost a lookup.
  concurrencyLimit.limit(api);
  api.addHook("onRequest", authentication.admit);
  if (requestLog)
    api.addHook("onResponse", (request, reply, done) => {
      recordRequest(requestLog, deps, request, reply);
      done();
    });
  // Fastify would reject an unknown content type before the resource is looked up, even for a call without a body.
  api.addHook("onRequest", (request, _reply, done) => {
    tolerateContentType(request);
    done();
  });
  api.setErrorHandler((error, request, reply) =>
    request.queueScope.isShed ? concurrencyLimit.sendOverloaded(request, reply) : authentication.sendError(request, reply, error),
  );
  const recordLost = (request: FastifyRequest, reply: FastifyReply): void => requestLog && recordRequest(requestLog, deps, request, reply);
  const faults = createAnswerFaults({ take: takeFaultIn(deps), leavePlace: concurrencyLimit.leave, recordLost });
  registerOperations(api, { deps, authentication, waitingCalls, faults }, handlers);
  // Runs before the body is read, as the refusal of an operation that the caller must not know does: so no body distinguishes the two.
  const refuse = async (request: FastifyRequest, reply: FastifyReply): Promise<never> => {
    throw unknownRouteError(request, reply);
  };
  for (const url of ["/", "/*"]) api.all(url, { onRequest: refuse }, refuse);
};

/** In a transaction of its own: what was taken stays taken, whatever the request then does. */
const takeFaultIn =
  (deps: Deps) =>
  (request: FastifyRequest, operationId: string): Promise<TakenFault | null> => {
    const { tenant, actor } = requirePrincipal(request);
    return withTenant(deps, { tenant, actor, from: requestOrigin(request) }, (ctx) => takeAnswerFault(ctx, operationId));
  };

/** Ids and query strings are left out, because they may identify a guest. */
const recordRequest = ({ add }: RequestLogBuffer, { clock }: Deps, request: FastifyRequest, reply: FastifyReply): void => {
  const { principal } = request.auth;
  if (principal === null) return;
  const { operation } = request.routeOptions.config;
  const reasons = declaredReasons(request.refusalReasons ?? [], operation);
  add({
    restaurant_id: principal.tenant.id,
    token_id: principal.tokenId,
    at: clock.now(),
    method: request.method,
    route: routeOf(request),
    status: reply.statusCode,
    code: request.errorCode,
    fields: request.invalidFields && declaredFields(request.invalidFields, operation),
    reasons: reasons.length === 0 ? null : reasons,
    ms: Math.round(reply.elapsedTime),
    address: request.ip,
    client: request.headers["user-agent"]?.slice(0, 200) ?? null,
    request_id: request.id,
  });
};
