/** Builds the HTTP application: the gates, the one list of all routes, and the doors around them. */

import { CONSOLE_PREFIX } from "@comanda/contract/console-operation.ts";
import { LIVE_PATH } from "@comanda/contract/live.ts";
import { API_PREFIX } from "@comanda/contract/operations.ts";
import type { Feature } from "@comanda/contract/scopes.ts";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RouteOptions,
} from "fastify";
import { tenantDb } from "#db/pool.ts";
import { addAccessLog } from "#http/access-log.ts";
import { createPageLimit, type PageLimit } from "#http/address-limit.ts";
import { addAskers } from "#http/askers.ts";
import { bindOperations, type Handlers, refuseUnknown, routeOf, unknownRefusal } from "#http/bind.ts";
import { BODY_BYTES_MAX, SMALL_BODY_BYTES_MAX, softenType } from "#http/body.ts";
import { bindConsole } from "#http/console-calls.ts";
import { createConsoleLimit } from "#http/console-limit.ts";
import { addConsolePages } from "#http/console-pages.ts";
import { addDrain } from "#http/drain.ts";
import { sendRefusal } from "#http/errors.ts";
import { declaredFields } from "#http/faulty-fields.ts";
import { type Authenticator, createGate, type Gate, type Visitor } from "#http/gate.ts";
import { handedRequestId } from "#http/handed.ts";
import { heldRefusal, isHeld, refuseWhileHeld } from "#http/held.ts";
import { addLive } from "#http/live.ts";
import { addMcp, type McpParts } from "#http/mcp.ts";
import { openMemory } from "#http/memory.ts";
import { addOAuth } from "#http/oauth.ts";
import { noteUnderWay } from "#http/pipelining.ts";
import { createPlaces, type Places } from "#http/places.ts";
import { createRateLimiter, type RateLimiter } from "#http/rate-limit.ts";
import { addReference } from "#http/reference.ts";
import { routePath } from "#http/route-path.ts";
import { fail } from "#lib/errors.ts";
import { newUuid } from "#lib/ids.ts";
import type { Notebook } from "#platform/requests/service.ts";
import { lacking, shutGate } from "#platform/tenants/rules.ts";
import { bearerOf, isExpired, isUnchanged, isUseWorthNoting, noteUse, recogniseToken } from "#platform/tokens/service.ts";
import type { TokenHolder } from "#platform/tokens/store.ts";
import type { Sender } from "#platform/webhooks/send.ts";
import { guestRoutes } from "#venue/guests/routes.ts";
import { menuRoutes } from "#venue/menu/routes.ts";
import { orderRoutes } from "#venue/orders/routes.ts";
import { reportRoutes } from "#venue/reports/routes.ts";
import { reservationRoutes } from "#venue/reservations/routes.ts";
import { admitToLive, lookAtVenue, openDoor } from "./console.ts";
import type { Deps } from "./deps.ts";
import { openOAuth } from "./oauth.ts";
import { openSender } from "./outbound.ts";

/** The one list of all operations' handlers; the start fails if it and the contract's table differ. */
export const routes: Handlers = { ...menuRoutes, ...orderRoutes, ...reservationRoutes, ...guestRoutes, ...reportRoutes };

const STALLED_MS_MAX = 30_000;

export type App = { http: FastifyInstance; isDraining(): boolean; stop(): Promise<void> };

type Given = {
  limiter?: RateLimiter;
  handlers?: Handlers;
  sender?: Sender;
  notebook?: Notebook;
  agents?: Partial<McpParts>;
  /** Is shown every route, whoever adds it. */
  onRoute?: (route: RouteOptions) => void;
};

export const buildApp = async (deps: Deps, given: Given = {}): Promise<App> => {
  const limiter = given.limiter ?? createRateLimiter(deps.redis);
  const authenticator = createAuthenticator(deps);
  const gate = createGate(deps, limiter, authenticator);
  const countPage = createPageLimit(deps, limiter);
  const app = Fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "request_id" }),
    genReqId: () => handedRequestId() ?? newUuid(deps.clock.now()),
    bodyLimit: SMALL_BODY_BYTES_MAX,
    // Slow and endless requests are cut off. Node looks for them every 30 s unless told otherwise.
    requestTimeout: 10_000,
    keepAliveTimeout: 72_000,
    // So are clients who stop reading: nothing has moved on the connection for so long. Open lines beat twice as often.
    connectionTimeout: STALLED_MS_MAX,
    http: { headersTimeout: 5_000, connectionsCheckingInterval: 1_000, maxHeaderSize: 16_384 },
    routerOptions: { ignoreTrailingSlash: true },
    trustProxy: deps.config.trustedProxies.length > 0 ? deps.config.trustedProxies : false,
    // While draining, requests on open connections are still served, each told to close its connection.
    return503OnClosing: false,
    forceCloseConnections: "idle",
    // A path that cannot be decoded names nothing; it passes the same gates as any other (D16).
    frameworkErrors: (_error, request, reply) => refuseUndecodable(request, reply),
  });
  noteOnRequests(app);
  if (given.onRoute) app.addHook("onRoute", given.onRoute);
  app.addHook("onRequest", (request, reply, done) => {
    if (noteUnderWay(request, reply)) done();
  });
  const askAs = addAskers(app, authenticator.recall);
  // No hook runs for such a path, so what they do for every request is done here.
  const refuseUndecodable = (request: FastifyRequest, reply: FastifyReply): void => {
    if (!noteUnderWay(request, reply)) return;
    setFirstHeaders(deps, request, reply);
    if (isHeld(deps)) return void sendRefusal(request, reply, heldRefusal());
    askAs(request, () => void refuseStray({ gate, countPage }, request, reply));
  };
  app.removeAllContentTypeParsers();
  // Bytes stay bytes until the gates are passed and the handler asks for the body.
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  // Before any route: a route keeps the handler that it found when it was added.
  app.setErrorHandler((error, request, reply) => sendRefusal(request, reply, error));
  const drain = addDrain(app, deps.config.drainMs);
  addFirstSteps(app, deps, { gate, countPage });
  addAccessLog(app, deps);
  await addReference(app, deps);
  addConsolePages(app);
  await app.register(async (venues) => addVenueRoutes(venues, { deps, gate, limiter, given }));
  return { http: app, ...drain };
};

type Strays = { gate: Gate; countPage: PageLimit };

const HSTS = "max-age=31536000";

const setFirstHeaders = ({ config }: Deps, request: FastifyRequest, reply: FastifyReply): void => {
  reply.raw.setHeader("X-Request-Id", request.id);
  reply.raw.setHeader("X-Content-Type-Options", "nosniff");
  // RFC 6797 §7.2: not over plain HTTP.
  if (config.publicUrl?.startsWith("https://")) reply.raw.setHeader("Strict-Transport-Security", HSTS);
};

/** What holds for every request, whichever route it finds or misses: nothing is read of a body before somebody has counted it. */
const addFirstSteps = (app: FastifyInstance, deps: Deps, strays: Strays): void => {
  app.addHook("onRequest", (request, reply, done) => {
    setFirstHeaders(deps, request, reply);
    if (request.is404) return void refuseStray(strays, request, reply);
    done();
  });
  app.addHook("onRequest", async (request, reply) => {
    if (request.routeOptions.config.countedBy === undefined) await strays.countPage(request, reply);
  });
  // Refused above, before it gets here.
  app.setNotFoundHandler((request, reply) => refuseStray(strays, request, reply));
};

/** What the gates note on a request as it passes them. */
const noteOnRequests = (app: FastifyInstance): void => {
  app.decorateRequest("visitor", null as unknown as Visitor);
  app.decorateRequest("isCounted", false);
  app.decorateRequest("known", null);
  app.decorateRequest("refusedWith", null);
  app.decorateRequest("faultyFields", null);
  app.decorateRequest("handed", null);
  app.decorateRequest("confirm", null);
  app.decorateRequest("readmit", null);
};

type Parts = { deps: Deps; gate: Gate; limiter: RateLimiter; given: Given };

/** Everything that answers for a venue. */
const addVenueRoutes = async (app: FastifyInstance, { deps, gate, limiter, given }: Parts): Promise<void> => {
  refuseWhileHeld(app, deps);
  const places = createPlaces(deps);
  await app.register(async (api) => addApi(api, deps, { gate, places }, given), { prefix: API_PREFIX });
  await app.register(async (oauth) => addOAuth(oauth, deps, limiter, openOAuth(deps)));
  await app.register(async (agents) => addMcp(agents, deps, { gate, places }, given.agents));
  const sender = openSender(deps, given.sender);
  app.addHook("onClose", () => sender.close());
  await app.register(
    async (calls) => {
      const limit = createConsoleLimit(deps, limiter);
      calls.addHook("onRoute", (route) => {
        route.config = { ...route.config, countedBy: "console" };
      });
      calls.addHook("onRequest", limit.countAddress);
      // Not the open lines: they stay for hours, and nobody works on them.
      await calls.register(async (answered) => {
        places.guard(answered);
        bindConsole(answered, deps, { limiter, limit }, openDoor(deps, limiter, sender));
      });
      addLive(calls, { path: routePath(LIVE_PATH), admit: admitToLive(deps), limit, look: lookAtVenue(deps), log: deps.log });
    },
    { prefix: CONSOLE_PREFIX },
  );
};

type Doors = { gate: Gate; places: Places };

const addApi = (api: FastifyInstance, deps: Deps, { gate, places }: Doors, { handlers = routes, notebook }: Given): void => {
  api.addHook("onRoute", (route) => {
    route.config = { ...route.config, countedBy: "gate" };
    route.bodyLimit = BODY_BYTES_MAX;
  });
  // Before all gates: whoever is refused for want of a place costs no look-up.
  places.guard(api);
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
  api.setErrorHandler((error, request, reply) =>
    request.asker.isCrowdedOut ? places.refuse(request, reply) : gate.refuse(request, reply, error),
  );
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
    fields: request.faultyFields && declaredFields(request.faultyFields, request.routeOptions.config.operation),
    ms: Math.round(reply.elapsedTime),
    address: request.ip,
    client: request.headers["user-agent"]?.slice(0, 200) ?? null,
    request_id: request.id,
  });
};

/** What no route answers: under the prefix after the gates, elsewhere at once. */
const refuseStray = async ({ gate, countPage }: Strays, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
  const isOfApi = `${request.url}/`.startsWith(`${API_PREFIX}/`);
  const refusal = await (isOfApi ? gate.pass(request, reply) : countPage(request, reply)).then(
    () => (isOfApi ? unknownRefusal(request, reply) : fail("not_found")),
    (error: unknown) => error,
  );
  return isOfApi ? gate.refuse(request, reply, refusal) : sendRefusal(request, reply, refusal);
};

const createAuthenticator = (deps: Deps): Authenticator => {
  const memory = openMemory(visitorOf, ["last_used_at"]);
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
    locks: locksOf(holder),
    isUnchanged: (db) => isUnchanged(db, holder),
    isExpired: (now) => isExpired(holder, now),
  };
};

const locksOf = ({ restaurant_id, app_id }: TokenHolder): Visitor["locks"] => [
  { of: "venue", id: restaurant_id, mode: "shared" },
  ...(app_id === null ? [] : [{ of: "app", id: app_id, mode: "shared" } as const]),
];

/** An app is counted by its installation, however many tokens it holds there (open points D41, D43). */
const actorOf = ({ id, installation_id, name, scopes }: TokenHolder): Visitor["actor"] =>
  installation_id === null
    ? { kind: "token", id, name, scopes, caller: `token:${id}` }
    : { kind: "app", id: installation_id, name, scopes, caller: `installation:${installation_id}` };
