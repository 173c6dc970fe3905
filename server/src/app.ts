/** Builds the HTTP application: the gates, the one list of all routes, and the doors around them. */
import { API_PREFIX } from "@comanda/contract/operations.ts";
import type { Feature } from "@comanda/contract/scopes.ts";
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import { openDb, tenantDb } from "#db/pool.ts";
import { bindOperations, type Handlers, refuseUnknown, unknownRefusal } from "#http/bind.ts";
import { addDrain } from "#http/drain.ts";
import { sendRefusal } from "#http/errors.ts";
import { type Authenticate, createGate, type Gate, type Visitor } from "#http/gate.ts";
import { addOperatorDoors } from "#http/operator.ts";
import { createRateLimiter, type RateLimiter } from "#http/rate-limit.ts";
import { addReference } from "#http/reference.ts";
import { writeHeaders } from "#http/reply.ts";
import { fail } from "#lib/errors.ts";
import { newUuid } from "#lib/ids.ts";
import { shutGate } from "#platform/tenants/rules.ts";
import { bearerOf, noteUse, recogniseToken } from "#platform/tokens/service.ts";
import type { TokenHolder } from "#platform/tokens/store.ts";
import { guestRoutes } from "#venue/guests/routes.ts";
import { menuRoutes } from "#venue/menu/routes.ts";
import { orderRoutes } from "#venue/orders/routes.ts";
import { reportRoutes } from "#venue/reports/routes.ts";
import { reservationRoutes } from "#venue/reservations/routes.ts";
import type { Deps } from "./deps.ts";

const BODY_BYTES_MAX = 1024 * 1024;
const READABLE_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(?:;|$)/;

/** The one list of all operations' handlers; the start fails if it and the contract's table differ. */
export const routes: Handlers = { ...menuRoutes, ...orderRoutes, ...reservationRoutes, ...guestRoutes, ...reportRoutes };

export type App = { http: FastifyInstance; stop(): Promise<void> };

export const buildApp = async (deps: Deps, given: { limiter?: RateLimiter; handlers?: Handlers } = {}): Promise<App> => {
  const gate = createGate(deps, given.limiter ?? createRateLimiter(deps.redis), createAuthenticate(deps));
  const app = Fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "request_id" }),
    genReqId: () => newUuid(deps.clock.now()),
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
  app.decorateRequest("visitor", null as unknown as Visitor);
  app.decorateRequest("isCounted", false);
  app.removeAllContentTypeParsers();
  // Bytes stay bytes until the gates are passed and the handler asks for the body.
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.addHook("onRequest", async (request, reply) => {
    writeHeaders(reply, { "X-Request-Id": request.id });
  });
  const drain = addDrain(app, deps.config.drainMs);
  addOperatorDoors(app, deps, drain);
  await addReference(app, deps.config);
  await app.register(async (api) => addApi(api, deps, gate, given.handlers ?? routes), { prefix: API_PREFIX });
  app.setNotFoundHandler((request, reply) => refuseStray(gate, request, reply));
  app.setErrorHandler((error, request, reply) => sendRefusal(request, reply, error));
  return { http: app, stop: drain.stop };
};

const addApi = (api: FastifyInstance, deps: Deps, gate: Gate, handlers: Handlers): void => {
  api.addHook("onRequest", gate.pass);
  // Fastify would refuse a type it cannot read before the resource is looked up, and a cancel that has no body to begin with.
  api.addHook("onRequest", async ({ raw: { headers } }) => {
    const type = headers["content-type"];
    if (type !== undefined && !READABLE_TYPE.test(type)) headers["content-type"] = "application/octet-stream";
  });
  api.setErrorHandler((error, request, reply) => gate.refuse(request, reply, error));
  bindOperations(api, deps, handlers);
  for (const url of ["/", "/*"]) api.all(url, async (request, reply) => refuseUnknown(request, reply));
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

const createAuthenticate = (deps: Deps): Authenticate => {
  const db = openDb(deps.pool);
  return async (request, now) => {
    const bearer = bearerOf(request.raw.rawHeaders);
    const holder = bearer === null ? null : await recogniseToken(db, bearer, now);
    if (!holder) return null;
    // Nobody waits for this: it is a convenience for the owner, at most once a minute.
    noteUse(tenantDb(deps.pool, holder.restaurant_id), holder, now).catch((error: unknown) =>
      request.log.warn({ err: error }, "the last use of a token was not noted"),
    );
    return visitorOf(holder);
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
    actor: { kind: "token", id: holder.id, name: holder.name, scopes: holder.scopes, caller: `token:${holder.id}` },
    ratePerMinute: holder.token_rate ?? holder.plan_rate,
    refusalOf: (operation, now) => shutGate(standing, holder.scopes, operation, now),
  };
};
