/** Registers the console's calls. They use a cookie instead of a token, one origin, and a role instead of a scope. */

import type { ConsoleOperation } from "@comanda/contract/console/operation.ts";
import { type ConsoleOperationId, consoleEntries, type consoleOperations } from "@comanda/contract/console/operations.ts";
import { isSandboxSlug, liveSlugOf } from "@comanda/contract/sandbox/sandbox-slug.ts";
import { UUID_PATTERN } from "@comanda/contract/shared.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Static, TObject } from "typebox";
import type { Deps } from "#deps.ts";
import type { Actor, Ctx, GlobalContext, LockMode } from "#lib/context.ts";
import { apiError } from "#lib/errors.ts";
import { isKeptJson, type JsonPieces, jsonAround, type KeptJson } from "#lib/kept-json.ts";
import { type Source, sourceOf } from "#lib/network-source.ts";
import { countCallerAddress, enforceQuota } from "../address-limit.ts";
import { isPlainJson, parseBody } from "../api/body.ts";
import { type Claim, fingerprintOf, readKey } from "../api/idempotency.ts";
import { bodyReader, queryReader } from "../api/validate.ts";
import { sendApiError } from "../errors.ts";
import type { RateLimiter } from "../rate-limit.ts";
import { type ApiAnswer, sendAnswer, sendJson } from "../reply.ts";
import { rootUrlOf } from "../root-url.ts";
import { routePath } from "../route-path.ts";
import { answerInVenue, answerOf, answerSecretInVenue, type OnceForUser, onceForUser, type RunOnce } from "./answer-once.ts";
import type { ConsoleRateLimit, CountedCaller } from "./console-rate-limit.ts";
import { cookieOf, devicesOf, screenCookieOf, setDeviceCookie, setScreenCookie, setSessionCookie } from "./session-cookie.ts";

type ConsoleOperationOf<I extends ConsoleOperationId> = (typeof consoleOperations)[I];
type ConsoleBodyOf<O> = O extends { body: infer B extends TObject } ? Static<B> : undefined;
type ConsoleQueryOf<O> = O extends { query: infer Q extends TObject } ? Static<Q> : undefined;
type ConsoleAnswerOf<O extends ConsoleOperation> = Static<O["success"]["body"]>;

export type ConsoleCall<I extends ConsoleOperationId> = {
  id: number;
  /** The order, reservation or other subject of the path that has a UUID. */
  uuid: string;
  /** The service's address from the settings, or else from this request. */
  rootUrl: string;
  query(): ConsoleQueryOf<ConsoleOperationOf<I>>;
  body(): ConsoleBodyOf<ConsoleOperationOf<I>>;
};

/** The caller of a public call or a session call. `inGlobalTransaction` opens a transaction without a tenant. */
export type ConsoleCaller<V> = {
  session: V;
  cookie: string;
  now: Date;
  client: string | null;
  /** Around the effect of a call that has a key, in its transaction. */
  once: RunOnce;
  inGlobalTransaction<T>(work: (ctx: GlobalContext) => Promise<T>): Promise<T>;
  inNewVenue: RunInNewVenue;
  /** The venue of an invitation whose link the caller holds. */
  inInvitingVenue: RunInInvitingVenue;
  /** The caller's host and network. */
  source: Source;
  /** Null removes the cookie. */
  setCookie(value: string | null): void;
  /** The secret of a screen that is paired, or waits for it. */
  screenCookie: string | null;
  setScreenCookie(value: string): void;
  /** The device secrets of this browser: one for each account, the latest first. */
  devices: readonly string[];
  rememberDevice(secret: string): void;
  /** Counts attempts of this kind per minute and address. Several users may share an address. */
  count(kind: string, limit: number): Promise<void>;
  /** Counts one more in the bucket; throws `rate_limited` over the limit. */
  countIn(bucket: RateBucket): Promise<void>;
  isFull(bucket: RateBucket): Promise<boolean>;
  /** Counts one more and never throws for the limit. */
  record(bucket: RateBucket): Promise<void>;
  refund(bucket: RateBucket): Promise<void>;
};

export type RateBucket = { key: string; limit: number; windowSeconds: number };

/** Calls with several transactions: a sandbox is a tenant of its own, and no transaction stays open during an outbound request. */
export type MultiTransactionCallIds = "readSandbox" | "openSandbox" | "resetSandbox" | "checkAddress" | "rotateSecret" | "removeMember";
export type VenueCallIds = Exclude<
  { [I in ConsoleOperationId]: ConsoleOperationOf<I>["path"] extends `/venues/${string}` ? I : never }[ConsoleOperationId],
  MultiTransactionCallIds
>;
/** What a call does in the sandbox before its own transaction in the venue. It may be refused after that, so it can be repeated. */
export type SandboxSteps = { [I in VenueCallIds]?: (venues: VenueTransactions, call: ConsoleCall<I>) => Promise<void> };
export type PublicCallIds = { [I in ConsoleOperationId]: ConsoleOperationOf<I>["who"] extends "anyone" ? I : never }[ConsoleOperationId];
export type ScreenCallIds = { [I in ConsoleOperationId]: ConsoleOperationOf<I>["who"] extends "screen" ? I : never }[ConsoleOperationId];
export type SessionCallIds = Exclude<ConsoleOperationId, VenueCallIds | MultiTransactionCallIds | PublicCallIds | ScreenCallIds>;

/** As an object, or as bytes that are kept. */
type AnswerOrKept<A> = A | (A extends { data: infer D extends object } ? { data: KeptJson<D> } : never);
export type VenueCall<I extends VenueCallIds> = (
  ctx: Ctx,
  call: ConsoleCall<I>,
) => Promise<AnswerOrKept<ConsoleAnswerOf<ConsoleOperationOf<I>>>>;
/** `inVenue` checks the role, so a call with several transactions runs it first. `once` is around the effect, in the last of them. */
export type VenueTransactions = { inVenue: RunInVenue; inTenant: RunInTenant; once: RunOnce };
export type RunInVenue = <T>(work: (ctx: Ctx) => Promise<T>) => Promise<T>;
export type TenantTarget = { tenant: Ctx["tenant"]; sandboxLock?: LockMode };
export type RunInTenant = <T>(target: TenantTarget, work: (ctx: Ctx) => Promise<T>) => Promise<T>;
/** A venue that does not exist yet, and who makes it. `prepare` runs again, with the number of the attempt, when the slug was taken meanwhile. */
export type NewVenue = { tenant: Omit<Ctx["tenant"], "id">; actor: Actor };
export type RunInNewVenue = <T>(prepare: (attempt: number) => Promise<NewVenue>, work: (ctx: Ctx) => Promise<T>) => Promise<T>;
export type InvitingVenue = { restaurantId: number; email: string };
export type RunInInvitingVenue = <T>(invitation: InvitingVenue, work: (ctx: Ctx) => Promise<T>) => Promise<T>;
export type MultiTransactionCall<I extends MultiTransactionCallIds> = (
  venues: VenueTransactions,
  call: ConsoleCall<I>,
) => Promise<ConsoleAnswerOf<ConsoleOperationOf<I>>>;
export type SessionCall<I extends SessionCallIds, V> = (
  caller: ConsoleCaller<V>,
  call: ConsoleCall<I>,
) => Promise<ConsoleAnswerOf<ConsoleOperationOf<I>>>;
export type PublicCall<I extends PublicCallIds> = (
  caller: ConsoleCaller<null>,
  call: ConsoleCall<I>,
) => Promise<ConsoleAnswerOf<ConsoleOperationOf<I>>>;

/** The venue is that of the screen. */
export type ScreenCall<I extends ScreenCallIds, S> = (
  ctx: Ctx,
  call: ConsoleCall<I>,
  screen: S,
) => Promise<ConsoleAnswerOf<ConsoleOperationOf<I>>>;

export type ScreenCalls<S> = { [I in ScreenCallIds]: ScreenCall<I, S> };
export type VenueCalls = { [I in VenueCallIds]: VenueCall<I> };
export type MultiTransactionCalls = { [I in MultiTransactionCallIds]: MultiTransactionCall<I> };
export type SessionCalls<V> = { [I in SessionCallIds]: SessionCall<I, V> };
export type PublicCalls = { [I in PublicCallIds]: PublicCall<I> };

export type AuthenticatedScreen<S> = { request: FastifyRequest; operation: ConsoleOperation; screen: S };

/** `session` is null for a public call. */
export type AuthenticatedCall<V> = { request: FastifyRequest; operation: ConsoleOperation; session: V };

/**
 * The composition passes these in, because http imports no module. Each transaction of a write locks the session and membership that
 * it relies on, and checks both again.
 */
export type ConsoleHandlers<V, S> = {
  authenticate(cookie: string, slug: string | null, now: Date): Promise<V | null>;
  rateLimitedAs(request: FastifyRequest, session: V): CountedCaller;
  userIdOf(session: V): number;
  /** Runs a transaction of the venue. A user without the role, and an unknown venue, get the same error. */
  inVenue<T>(call: AuthenticatedCall<V>, work: (ctx: Ctx) => Promise<T>): Promise<T>;
  inTenant<T>(call: AuthenticatedCall<V>, target: TenantTarget, work: (ctx: Ctx) => Promise<T>): Promise<T>;
  inGlobalTransaction<T>(call: AuthenticatedCall<V | null>, work: (ctx: GlobalContext) => Promise<T>): Promise<T>;
  inNewVenue(call: AuthenticatedCall<V | null>): RunInNewVenue;
  inInvitingVenue(call: AuthenticatedCall<V | null>): RunInInvitingVenue;
  venueCalls: VenueCalls;
  sandboxSteps: SandboxSteps;
  multiTransactionCalls: MultiTransactionCalls;
  sessionCalls: SessionCalls<V>;
  publicCalls: PublicCalls;
  authenticateScreen(cookie: string): Promise<S | null>;
  screenLimitedAs(screen: S): CountedCaller;
  /** Runs a transaction of the screen's venue. A write gets the screen as it is under the transaction's locks. */
  inScreenVenue<T>(call: AuthenticatedScreen<S>, work: (ctx: Ctx, screen: S) => Promise<T>): Promise<T>;
  screenCalls: ScreenCalls<S>;
};

/** Users who may share one address. */
const USERS_PER_ADDRESS = 6;

/** The slug in the path. PostgreSQL rejects U+0000, so such a slug becomes the empty one, which no venue has. */
const slugIn = (request: FastifyRequest): string | null => {
  const { venue = null } = request.params as { venue?: string };
  return venue?.includes("\0") ? "" : venue;
};

/** The slug of the venue in the path, or of the venue whose sandbox is in the path. */
export const venueOf = (request: FastifyRequest): string | null => {
  const slug = slugIn(request);
  return slug && liveSlugOf(slug);
};

export const isOfSandbox = (request: FastifyRequest): boolean => isSandboxSlug(slugIn(request) ?? "");

/** Whether the call comes from our own page, as a write must: by Sec-Fetch-Site, or by Origin in browsers without that header. */
export const isSameOrigin = (deps: Deps, request: FastifyRequest): boolean => {
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin";
  const { origin } = request.headers;
  return origin !== undefined && origin === new URL(rootUrlOf(deps, request)).origin;
};

const rejectCrossSite = (deps: Deps, request: FastifyRequest): void => {
  if (request.method === "GET" || request.method === "HEAD") return;
  if (!isSameOrigin(deps, request)) throw apiError("cross_site");
  // A form of another site cannot send JSON.
  if (!isPlainJson(request.headers["content-type"])) throw apiError("cross_site");
};

export type ConsoleLimits = { limiter: RateLimiter; limit: ConsoleRateLimit };

export const registerConsole = <V, S>(app: FastifyInstance, deps: Deps, limits: ConsoleLimits, handlers: ConsoleHandlers<V, S>): void => {
  app.setErrorHandler((error, request, reply) => sendApiError(request, reply, error));
  app.addHook("onRequest", async (request) => rejectCrossSite(deps, request));
  for (const [id, operation] of consoleEntries)
    registerCall(app, { deps, ...limits, handlers: handlers as ConsoleHandlers<unknown, unknown> }, id, operation);
};

type ConsoleRegistration = ConsoleLimits & { deps: Deps; handlers: ConsoleHandlers<unknown, unknown> };
type AnyConsoleCall = { id: number; uuid: string; rootUrl: string; query(): unknown; body(): unknown };
type AnySandboxStep = (venues: VenueTransactions, call: AnyConsoleCall) => Promise<void>;
type AnyConsoleHandler = (first: unknown, call: AnyConsoleCall, screen?: unknown) => Promise<{ data: unknown }>;

const handlerOf = (
  { publicCalls, sessionCalls, venueCalls, multiTransactionCalls, screenCalls }: ConsoleRegistration["handlers"],
  id: ConsoleOperationId,
): AnyConsoleHandler => {
  const all: Record<string, unknown> = { ...publicCalls, ...sessionCalls, ...venueCalls, ...multiTransactionCalls, ...screenCalls };
  const handler = all[id] as AnyConsoleHandler | undefined;
  if (!handler) throw new Error(`The console's call ${id} has no handler`);
  return handler;
};

const registerCall = (
  app: FastifyInstance,
  registration: ConsoleRegistration,
  id: ConsoleOperationId,
  operation: ConsoleOperation,
): void => {
  const { handlers, deps, limit } = registration;
  const handler = handlerOf(handlers, id);
  const readBody = operation.body && bodyReader(operation.body);
  const readQuery = operation.query && queryReader(operation.query);
  const isMultiTransaction = id in handlers.multiTransactionCalls;
  const isOfVenue = id in handlers.venueCalls;
  const sandboxStep = (handlers.sandboxSteps as Record<string, AnySandboxStep | undefined>)[id];
  app.route({
    method: operation.method,
    url: routePath(operation.path),
    ...(operation.bodyBytesMax === undefined ? {} : { bodyLimit: operation.bodyBytesMax }),
    handler: async (request, reply) => {
      const call: AnyConsoleCall = {
        id: idOf(request),
        uuid: uuidOf(request),
        rootUrl: rootUrlOf(deps, request),
        query: () => readQuery?.(new URL(request.url, "http://x").search),
        body: () => readBody?.(parseBody(request.body as Buffer | undefined, request.headers)),
      };
      if (operation.who === "screen")
        return answerScreen(registration, { request, reply, operation }, (ctx, screen) => handler(ctx, call, screen));
      const cookie = isOfScreen(operation) ? null : cookieOf(request);
      const session =
        operation.who === "anyone" || cookie === null ? null : await handlers.authenticate(cookie, venueOf(request), deps.clock.now());
      if (operation.who !== "anyone" && session === null) throw apiError("signed_out");
      if (session !== null) await limit.countCaller(reply, handlers.rateLimitedAs(request, session), operation);
      const authenticated = { request, operation, session };
      const inVenue: RunInVenue = (work) => handlers.inVenue(authenticated, work);
      const inTenant: RunInTenant = (target, work) => handlers.inTenant(authenticated, target, work);
      const forUser = onceForUser(session === null ? 0 : handlers.userIdOf(session), operation.isIdempotent ? claimOf(request) : null);
      const { once } = forUser;
      await sandboxStep?.({ inVenue, inTenant, once }, call);
      if (isOfVenue && operation.isIdempotent && operation.who !== "invited")
        return sendAnswer(request, reply, await inVenue((ctx) => answerByKey(ctx, authenticated, () => handler(ctx, call))));
      const inGlobal: RunGlobally = (work) => handlers.inGlobalTransaction(authenticated, work);
      const handle = isOfVenue
        ? () => inVenue((ctx) => once(ctx, () => handler(ctx, call)))
        : isMultiTransaction
          ? () => handler({ inVenue, inTenant, once }, call)
          : () => handler(callerOf(registration, authenticated, { reply, cookie: cookie ?? "", once }), call);
      return answerForUser(request, reply, { operation, forUser, handle, look: isMultiTransaction ? inVenue : inGlobal });
    },
  });
};

type RunGlobally = <T>(work: (ctx: GlobalContext) => Promise<T>) => Promise<T>;
type UserAnswering = { operation: ConsoleOperation; forUser: OnceForUser; handle: () => Promise<{ data: unknown }>; look: RunGlobally };

/**
 * A repeated call may be refused before its effect, because of the effect: what it removes is gone. It gets the first answer, after the checks
 * of who makes the call.
 */
const answerForUser = async (
  request: FastifyRequest,
  reply: FastifyReply,
  { operation: { success }, forUser, handle, look }: UserAnswering,
): Promise<FastifyReply> => {
  let answer: { data: unknown };
  try {
    answer = await handle();
  } catch (error) {
    const first = forUser.find && (await look(forUser.find).catch(() => null));
    if (first === null) throw error;
    return sendAnswer(request, reply, { ...answerOf(success.status, first), isReplay: true });
  }
  if (!forUser.isReplay()) return sendJson(reply, success.status, bodyOf(answer));
  return sendAnswer(request, reply, { ...answerOf(success.status, JSON.stringify(answer)), isReplay: true });
};

/** On these paths the cookie of a user is not read, and on all others that of a screen is not. */
const isOfScreen = ({ path }: ConsoleOperation): boolean => path === "/screen" || path.startsWith("/screen/");

const answerScreen = async (
  { handlers, limit }: ConsoleRegistration,
  { request, reply, operation }: { request: FastifyRequest; reply: FastifyReply; operation: ConsoleOperation },
  handle: (ctx: Ctx, screen: unknown) => Promise<unknown>,
): Promise<FastifyReply> => {
  const cookie = screenCookieOf(request);
  const screen = cookie === null ? null : await handlers.authenticateScreen(cookie);
  if (screen === null) throw apiError("signed_out");
  await limit.countCaller(reply, handlers.screenLimitedAs(screen), operation);
  const call = { request, operation, screen };
  if (!operation.isIdempotent) return sendJson(reply, operation.success.status, JSON.stringify(await handlers.inScreenVenue(call, handle)));
  const answer = await handlers.inScreenVenue(call, (ctx, present) => answerByKey(ctx, call, () => handle(ctx, present)));
  return sendAnswer(request, reply, answer);
};

const callerOf = (
  { deps, limiter, handlers }: ConsoleRegistration,
  authenticated: AuthenticatedCall<unknown>,
  { reply, cookie, once }: { reply: FastifyReply; cookie: string; once: RunOnce },
): ConsoleCaller<unknown> => {
  const { request, session } = authenticated;
  const source = sourceOf(request.ip);
  const devices = devicesOf(request);
  return {
    session,
    cookie,
    source,
    devices,
    now: deps.clock.now(),
    client: request.headers["user-agent"] ?? null,
    once,
    inGlobalTransaction: (work) => handlers.inGlobalTransaction(authenticated, work),
    inNewVenue: handlers.inNewVenue(authenticated),
    inInvitingVenue: handlers.inInvitingVenue(authenticated),
    setCookie: (value) => setSessionCookie(reply, value),
    screenCookie: isOfScreen(authenticated.operation) ? screenCookieOf(request) : null,
    setScreenCookie: (value) => setScreenCookie(reply, value),
    rememberDevice: (secret) => setDeviceCookie(reply, [secret, ...devices.filter((known) => known !== secret)]),
    count: async (kind, limit) =>
      enforceQuota(
        await countCallerAddress(limiter, reply, { who: `console:${kind}:address`, limit: limit * USERS_PER_ADDRESS }),
        reply,
        deps,
      ),
    countIn: async ({ key, limit, windowSeconds }) =>
      enforceQuota(await limiter.count(`console:${key}`, limit, windowSeconds), reply, deps),
    record: async ({ key, limit, windowSeconds }) => void (await limiter.count(`console:${key}`, limit, windowSeconds)),
    isFull: async ({ key, limit, windowSeconds }) => (await limiter.peek?.(`console:${key}`, limit, windowSeconds)) === 0,
    refund: async ({ key, limit, windowSeconds }) => limiter.refund?.(`console:${key}`, limit, windowSeconds),
  };
};

const bodyOf = (answer: { data: unknown }): string | JsonPieces => {
  const { data } = answer;
  return isKeptJson(data) ? jsonAround("data", data) : JSON.stringify(answer);
};

const answerByKey = (
  ctx: Ctx,
  { operation, request }: Pick<AuthenticatedCall<unknown>, "operation" | "request">,
  handle: () => Promise<unknown>,
): Promise<ApiAnswer> => {
  const answer = async () => answerOf(operation.success.status, JSON.stringify(await handle()));
  return (operation.showsSecret ? answerSecretInVenue : answerInVenue)(ctx, claimOf(request), answer);
};

/** Null without a key. The body is part of the fingerprint as it was sent. */
const claimOf = (request: FastifyRequest): Claim | null => {
  const key = readKey(request.raw.rawHeaders);
  if (key === null) return null;
  const body = parseBody(request.body as Buffer | undefined, request.headers);
  return { key, fingerprint: fingerprintOf(request.method, request.url, body) };
};

/** A path has at most one UUID. Its name says what it is of. */
const UUID_NAMES = ["order", "reservation", "block", "entry"];

const uuidOf = (request: FastifyRequest): string => {
  const params = request.params as Record<string, string | undefined>;
  const uuid = UUID_NAMES.map((name) => params[name]).find((value) => value !== undefined) ?? "";
  if (uuid !== "" && !new RegExp(UUID_PATTERN).test(uuid)) throw apiError("not_found");
  return uuid;
};

const idOf = (request: FastifyRequest): number => {
  const { id } = request.params as { id?: string };
  if (id === undefined) return 0;
  const number = /^[1-9][0-9]{0,15}$/.test(id) ? Number(id) : 0;
  if (!Number.isSafeInteger(number) || number === 0) throw apiError("not_found");
  return number;
};
