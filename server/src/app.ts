/** Builds the HTTP application: the gates, the one list of all routes, and the doors around them. */

import { CONSOLE_PREFIX } from "@comanda/contract/console-operation.ts";
import { LIVE_PATH } from "@comanda/contract/live.ts";
import { API_PREFIX } from "@comanda/contract/operations.ts";
import type { Feature } from "@comanda/contract/scopes.ts";
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from "fastify";
import { tenantDb } from "#db/pool.ts";
import { bindOperations, type Handlers, refuseUnknown, routeOf, unknownRefusal } from "#http/bind.ts";
import { softenType } from "#http/body.ts";
import { bindConsole } from "#http/console-calls.ts";
import { addConsolePages } from "#http/console-pages.ts";
import { addDrain } from "#http/drain.ts";
import { sendRefusal } from "#http/errors.ts";
import { type Authenticator, createGate, type Gate, type Visitor } from "#http/gate.ts";
import { handedRequestId } from "#http/handed.ts";
import { addLive } from "#http/live.ts";
import { addMcp, type McpParts } from "#http/mcp.ts";
import { openMemory } from "#http/memory.ts";
import { addOAuth } from "#http/oauth.ts";
import { addOperatorDoors } from "#http/operator.ts";
import { addPlaces } from "#http/places.ts";
import { createRateLimiter, type RateLimiter } from "#http/rate-limit.ts";
import { addReference } from "#http/reference.ts";
import { routePath } from "#http/route-path.ts";
import { fail } from "#lib/errors.ts";
import { newUuid } from "#lib/ids.ts";
import type { Notebook } from "#platform/requests/service.ts";
import { lacking, shutGate } from "#platform/tenants/rules.ts";
import { bearerOf, isUseWorthNoting, noteUse, recogniseToken } from "#platform/tokens/service.ts";
import type { TokenHolder } from "#platform/tokens/store.ts";
import { createSender, type Sender } from "#platform/webhooks/send.ts";
import { guestRoutes } from "#venue/guests/routes.ts";
import { menuRoutes } from "#venue/menu/routes.ts";
import { orderRoutes } from "#venue/orders/routes.ts";
import { reportRoutes } from "#venue/reports/routes.ts";
import { reservationRoutes } from "#venue/reservations/routes.ts";
import { admitToLive, lookAtVenue, openDoor } from "./console.ts";
import type { Deps } from "./deps.ts";
import { openOAuth } from "./oauth.ts";

const BODY_BYTES_MAX = 1024 * 1024;

/** The one list of all operations' handlers; the start fails if it and the contract's table differ. */
export const routes: Handlers = { ...menuRoutes, ...orderRoutes, ...reservationRoutes, ...guestRoutes, ...reportRoutes };

export type App = { http: FastifyInstance; stop(): Promise<void> };

type Given = { limiter?: RateLimiter; handlers?: Handlers; sender?: Sender; notebook?: Notebook; agents?: Partial<McpParts> };

export const buildApp = async (deps: Deps, given: Given = {}): Promise<App> => {
  const limiter = given.limiter ?? createRateLimiter(deps.redis);
  const gate = createGate(deps, limiter, createAuthenticator(deps));
  const app = Fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "request_id" }),
    genReqId: () => handedRequestId() ?? newUuid(deps.clock.now()),
    bodyLimit: BODY_BYTES_MAX,
    // Slow and endless requests are cut off. Node looks for them every 30 s unless told otherwise.
    requestTimeout: 10_000,
    keepAliveTimeout: 72_000,
    http: { headersTimeout: 5_000, connectionsCheckingInterval: 1_000, maxHeaderSize: 16_384 },
    routerOptions: { ignoreTrailingSlash: true },
    trustProxy: deps.config.trustedProxies.length > 0 ? deps.config.trustedProxies : false,
    // While draining, requests on open connections are still served, each told to close its connection.
    return503OnClosing: false,
    forceCloseConnections: "idle",
    // A path that cannot be decoded names nothing; it passes the same gates as any other (D16).
    frameworkErrors: (_error, request, reply) => void refuseStray(gate, request, reply),
  });
  noteOnRequests(app);
  app.removeAllContentTypeParsers();
  // Bytes stay bytes until the gates are passed and the handler asks for the body.
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.addHook("onRequest", (request, reply, done) => {
    reply.raw.setHeader("X-Request-Id", request.id);
    done();
  });
  // Before any route: a route keeps the handler that it found when it was added.
  app.setErrorHandler((error, request, reply) => sendRefusal(request, reply, error));
  const drain = addDrain(app, deps.config.drainMs);
  addOperatorDoors(app, deps, drain);
  await addReference(app, deps);
  addConsolePages(app);
  await app.register(async (api) => addApi(api, deps, gate, given), { prefix: API_PREFIX });
  await app.register(async (oauth) => addOAuth(oauth, deps, limiter, openOAuth(deps)));
  await app.register(async (agents) => addMcp(agents, deps, gate, given.agents));
  const sender = given.sender ?? createSender();
  app.addHook("onClose", () => sender.close());
  await app.register(
    async (calls) => {
      bindConsole(calls, deps, limiter, openDoor(deps, limiter, sender));
      addLive(calls, { path: routePath(LIVE_PATH), admit: admitToLive(deps), look: lookAtVenue(deps), log: deps.log });
    },
    { prefix: CONSOLE_PREFIX },
  );
  app.setNotFoundHandler((request, reply) => refuseStray(gate, request, reply));
  return { http: app, stop: drain.stop };
};

/** What the gates note on a request as it passes them. */
const noteOnRequests = (app: FastifyInstance): void => {
  app.decorateRequest("visitor", null as unknown as Visitor);
  app.decorateRequest("isCounted", false);
  app.decorateRequest("known", null);
  app.decorateRequest("refusedWith", null);
  app.decorateRequest("handed", null);
  app.decorateRequest("confirm", null);
};

const addApi = (api: FastifyInstance, deps: Deps, gate: Gate, { handlers = routes, notebook }: Given): void => {
  // Before all gates: whoever is refused for want of a place costs no look-up.
  addPlaces(api, deps);
  api.addHook("onRequest", gate.pass);
  if (notebook)
    api.addHook("onResponse", (request, reply, done) => {
      noteRequest(notebook, deps, request, reply);
      done();
    });
  // Fastify would refuse a type it cannot read before the resource is looked up, and a cancel that has no body to begin with.
  api.addHook("onRequest", (request, _reply, done) => {
    softenType(request);
    done();
  });
  api.setErrorHandler((error, request, reply) => gate.refuse(request, reply, error));
  bindOperations(api, deps, handlers);
  for (const url of ["/", "/*"]) api.all(url, async (request, reply) => refuseUnknown(request, reply));
};

/** Ids and query strings are left out: what is kept says what was asked, not about whom. */
const noteRequest = ({ note }: Notebook, { clock }: Deps, request: FastifyRequest, reply: FastifyReply): void => {
  const { known } = request;
  if (known === null) return;
  note({
    restaurant_id: known.tenant.id,
    token_id: known.tokenId,
    at: clock.now(),
    method: request.method,
    route: routeOf(request),
    status: reply.statusCode,
    code: request.refusedWith,
    ms: Math.round(reply.elapsedTime),
    address: request.ip,
    client: request.headers["user-agent"]?.slice(0, 200) ?? null,
    request_id: request.id,
  });
};

/** What no route answers: under the prefix after the gates, elsewhere at once. */
const refuseStray = async (gate: Gate, request: Parameters<Gate["pass"]>[0], reply: Parameters<Gate["pass"]>[1]) => {
  if (!`${request.url}/`.startsWith(`${API_PREFIX}/`)) return sendRefusal(request, reply, fail("not_found"));
  const refusal = await gate.pass(request, reply).then(
    () => unknownRefusal(request, reply),
    (error: unknown) => error,
  );
  return gate.refuse(request, reply, refusal);
};

const createAuthenticator = (deps: Deps): Authenticator => {
  const memory = openMemory(visitorOf, ["last_used_at", "told"]);
  return {
    recall: (request) => memory.recall(bearerOf(request.raw.rawHeaders))?.visitor ?? null,
    async authenticate(request, now) {
      const bearer = bearerOf(request.raw.rawHeaders);
      const known = memory.recall(bearer);
      const holder = bearer === null ? null : await recogniseToken(deps.line.house, bearer, now, known?.holder ?? null);
      if (!holder || bearer === null) {
        memory.forget(bearer);
        return null;
      }
      // Nobody waits for this: it is a convenience for the owner, at most once a minute.
      if (isUseWorthNoting(holder, now))
        noteUse(tenantDb(deps.pool, holder.restaurant_id), holder, now).catch((error: unknown) =>
          request.log.warn({ err: error }, "the last use of a token was not noted"),
        );
      return known && holder === known.holder ? known.visitor : memory.remember(bearer, holder);
    },
  };
};

const visitorOf = (holder: TokenHolder): Visitor => {
  const features: Feature[] = [];
  if (holder.has_reservations) features.push("reservations");
  if (holder.has_reporting) features.push("reporting");
  const standing = { plan_until: holder.plan_until, suspended_at: holder.suspended_at, features };
  return {
    tenant: {
      id: holder.restaurant_id,
      slug: holder.slug,
      kind: holder.restaurant_kind,
      currency: holder.currency,
      zone: holder.zone,
      default_language: holder.default_language,
    },
    tokenId: holder.id,
    actor: actorOf(holder),
    ratePerMinute: holder.token_rate ?? holder.plan_rate,
    refusalOf: (operation, now) => shutGate(standing, holder.scopes, operation, now),
    includes: (operation) => lacking(standing, holder.scopes, operation) === null,
  };
};

/** An app is counted by its installation, however many tokens it holds there (open points D41, D43). */
const actorOf = ({ id, installation_id, name, scopes }: TokenHolder): Visitor["actor"] =>
  installation_id === null
    ? { kind: "token", id, name, scopes, caller: `token:${id}` }
    : { kind: "app", id: installation_id, name, scopes, caller: `installation:${installation_id}` };
