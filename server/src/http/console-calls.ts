/** The console's calls: a cookie instead of a token, one origin, a role instead of a scope. The services underneath are the same. */
import { type ConsoleOperationId, consoleEntries, type consoleOperations } from "@comanda/contract/console.ts";
import type { ConsoleOperation } from "@comanda/contract/console-operation.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Static, TObject } from "typebox";
import type { Deps } from "#deps.ts";
import type { Ctx, Entrance, HouseCtx } from "#lib/context.ts";
import { fail } from "#lib/errors.ts";
import { type Source, sourceOf } from "#lib/network-source.ts";
import { countAddress, holdTo } from "./address-limit.ts";
import { isPlainJson, parseBody } from "./body.ts";
import type { ConsoleLimit, Counted } from "./console-limit.ts";
import { sendRefusal } from "./errors.ts";
import type { RateLimiter } from "./rate-limit.ts";
import { sendJson } from "./reply.ts";
import { rootUrlOf } from "./root-url.ts";
import { routePath } from "./route-path.ts";
import { bodyReader, queryReader } from "./validate.ts";

type OperationOf<I extends ConsoleOperationId> = (typeof consoleOperations)[I];
type BodyOf<O> = O extends { body: infer B extends TObject } ? Static<B> : undefined;
type QueryOf<O> = O extends { query: infer Q extends TObject } ? Static<Q> : undefined;
type AnswerOf<O extends ConsoleOperation> = Static<O["success"]["body"]>;

export type Call<I extends ConsoleOperationId> = {
  id: number;
  /** Where the service is reached, as configured or as this request says. */
  rootUrl: string;
  query(): QueryOf<OperationOf<I>>;
  body(): BodyOf<OperationOf<I>>;
};

/** A person at the door, signed in or not. `inHouse` opens a transaction that belongs to no venue. */
export type Caller<V> = {
  visit: V;
  cookie: string;
  now: Date;
  client: string | null;
  inHouse<T>(work: (ctx: HouseCtx) => Promise<T>): Promise<T>;
  /** The network that this caller comes from. */
  source: Source;
  /** Null takes the cookie away. */
  setCookie(value: string | null): void;
  /** Secrets of this browser, by which accounts know it: one for each account, the last one first. */
  devices: readonly string[];
  keepDevice(secret: string): void;
  /** Attempts of this kind in a minute from one address, which several people may share. */
  count(kind: string, limit: number): Promise<void>;
  /** One more in a bucket of its own; refused with `rate_limited` when that is one too many. */
  countIn(bucket: Bucket): Promise<void>;
  isFull(bucket: Bucket): Promise<boolean>;
  /** One more, refused or not. */
  record(bucket: Bucket): Promise<void>;
  giveBack(bucket: Bucket): Promise<void>;
};

export type Bucket = { key: string; limit: number; windowSeconds: number };

/** Calls that are more than one transaction: those of the sandbox, a venue of its own, and those that wait for the world outside. */
export type WideCallIds = "readSandbox" | "openSandbox" | "resetSandbox" | "checkAddress" | "rotateSecret";
export type VenueCallIds = Exclude<
  { [I in ConsoleOperationId]: OperationOf<I>["path"] extends `/venues/${string}` ? I : never }[ConsoleOperationId],
  WideCallIds
>;
export type StrangerCallIds = { [I in ConsoleOperationId]: OperationOf<I>["who"] extends "anyone" ? I : never }[ConsoleOperationId];
export type PersonCallIds = Exclude<ConsoleOperationId, VenueCallIds | WideCallIds | StrangerCallIds>;

export type VenueCall<I extends VenueCallIds> = (ctx: Ctx, call: Call<I>) => Promise<AnswerOf<OperationOf<I>>>;
/** The role is looked at whenever the venue is entered, so a wide call enters it first. */
export type Entrances = { inVenue: EnterVenue; inTenant: EnterTenant };
export type EnterVenue = <T>(work: (ctx: Ctx) => Promise<T>) => Promise<T>;
export type Place = { tenant: Ctx["tenant"]; entrance?: Entrance };
export type EnterTenant = <T>(place: Place, work: (ctx: Ctx) => Promise<T>) => Promise<T>;
export type WideCall<I extends WideCallIds> = (venues: Entrances, call: Call<I>) => Promise<AnswerOf<OperationOf<I>>>;
export type PersonCall<I extends PersonCallIds, V> = (caller: Caller<V>, call: Call<I>) => Promise<AnswerOf<OperationOf<I>>>;
export type StrangerCall<I extends StrangerCallIds> = (caller: Caller<null>, call: Call<I>) => Promise<AnswerOf<OperationOf<I>>>;

export type VenueCalls = { [I in VenueCallIds]: VenueCall<I> };
export type WideCalls = { [I in WideCallIds]: WideCall<I> };
export type PersonCalls<V> = { [I in PersonCallIds]: PersonCall<I, V> };
export type StrangerCalls = { [I in StrangerCallIds]: StrangerCall<I> };

/** A call that was recognised: `visit` is null where anyone may call. */
export type Recognised<V> = { request: FastifyRequest; operation: ConsoleOperation; visit: V };

/**
 * What `console.ts` of the rooms and the composition hand in: http knows no room. Each transaction of a write locks the access it
 * relies on, and asks again whether session and role stand.
 */
export type ConsoleDoor<V> = {
  recognise(cookie: string, slug: string | null, now: Date): Promise<V | null>;
  countedAs(request: FastifyRequest, visit: V): Counted;
  /** The venue's transaction for this person, refused unless the role is held there; unknown venues look the same. */
  inVenue<T>(call: Recognised<V>, work: (ctx: Ctx) => Promise<T>): Promise<T>;
  inTenant<T>(call: Recognised<V>, place: Place, work: (ctx: Ctx) => Promise<T>): Promise<T>;
  inHouse<T>(call: Recognised<V | null>, work: (ctx: HouseCtx) => Promise<T>): Promise<T>;
  venueCalls: VenueCalls;
  wideCalls: WideCalls;
  personCalls: PersonCalls<V>;
  strangerCalls: StrangerCalls;
};

/** How many people may sit behind one address. */
const OFFICE = 6;

/** `__Host-`: only over TLS (or on this machine), only this host, every path, and no subdomain can set it. */
const COOKIE = "__Host-comanda";
const COOKIE_SECONDS = 60 * 24 * 60 * 60;

/** Longer than a session: a browser stays known after signing out. Its values are separated by dots. */
const DEVICE_COOKIE = "__Host-comanda-devices";
const DEVICE_COOKIE_SECONDS = 180 * 24 * 60 * 60;
const DEVICES_MAX = 4;
const DEVICE_FORM = /^[0-9A-Za-z]{43}$/;

const namedCookie = (request: FastifyRequest, name: string): string | null => {
  const pairs = (request.headers.cookie ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
};

export const cookieOf = (request: FastifyRequest): string | null => namedCookie(request, COOKIE);

const devicesOf = (request: FastifyRequest): string[] =>
  (namedCookie(request, DEVICE_COOKIE) ?? "").split(".", DEVICES_MAX).filter((secret) => DEVICE_FORM.test(secret));

/** The venue that an address names. No database can be asked for U+0000, and no venue is called by nothing. */
export const venueOf = (request: FastifyRequest): string | null => {
  const { venue = null } = request.params as { venue?: string };
  return venue?.includes("\0") ? "" : venue;
};

const writeCookie = (reply: FastifyReply, { name, value, seconds }: { name: string; value: string; seconds: number }): void => {
  reply.raw.appendHeader("Set-Cookie", `${name}=${value}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=${seconds}`);
};

/** A write must come from a page of our own. Browsers say so themselves; where one does not, the origin must be ours. */
const isFromOurPage = (deps: Deps, request: FastifyRequest): boolean => {
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin";
  const { origin } = request.headers;
  return origin !== undefined && origin === new URL(rootUrlOf(deps, request)).origin;
};

const refuseForeign = (deps: Deps, request: FastifyRequest): void => {
  if (request.method === "GET" || request.method === "HEAD") return;
  if (!isFromOurPage(deps, request)) throw fail("cross_site");
  // A form of another site can send only the simple types.
  if (!isPlainJson(request.headers["content-type"])) throw fail("cross_site");
};

export type Limits = { limiter: RateLimiter; limit: ConsoleLimit };

export const bindConsole = <V>(app: FastifyInstance, deps: Deps, limits: Limits, door: ConsoleDoor<V>): void => {
  app.setErrorHandler((error, request, reply) => sendRefusal(request, reply, error));
  app.addHook("onRequest", async (request) => refuseForeign(deps, request));
  for (const [id, operation] of consoleEntries) bindCall(app, { deps, ...limits, door: door as ConsoleDoor<unknown> }, id, operation);
};

type Bound = Limits & { deps: Deps; door: ConsoleDoor<unknown> };
type AnyCall = { id: number; rootUrl: string; query(): unknown; body(): unknown };
type AnyHandler = (first: unknown, call: AnyCall) => Promise<unknown>;

const bindCall = (app: FastifyInstance, bound: Bound, id: ConsoleOperationId, operation: ConsoleOperation): void => {
  const { door, deps, limit } = bound;
  const handler = (
    { ...door.strangerCalls, ...door.personCalls, ...door.venueCalls, ...door.wideCalls } as Record<string, AnyHandler | undefined>
  )[id];
  if (!handler) throw new Error(`The console's call ${id} has no handler`);
  const readBody = operation.body && bodyReader(operation.body);
  const readQuery = operation.query && queryReader(operation.query);
  const isWide = id in door.wideCalls;
  const isOfVenue = id in door.venueCalls;
  app.route({
    method: operation.method,
    url: routePath(operation.path),
    ...(operation.bodyBytesMax === undefined ? {} : { bodyLimit: operation.bodyBytesMax }),
    handler: async (request, reply) => {
      const call: AnyCall = {
        id: idOf(request),
        rootUrl: rootUrlOf(deps, request),
        query: () => readQuery?.(new URL(request.url, "http://x").search),
        body: () => readBody?.(parseBody(request.body as Buffer | undefined, request.headers["content-type"])),
      };
      const cookie = cookieOf(request);
      const visit = operation.who === "anyone" || cookie === null ? null : await door.recognise(cookie, venueOf(request), deps.clock.now());
      if (operation.who !== "anyone" && visit === null) throw fail("signed_out");
      if (visit !== null) await limit.countPerson(reply, door.countedAs(request, visit), operation);
      const recognised = { request, operation, visit };
      const inVenue: EnterVenue = (work) => door.inVenue(recognised, work);
      const inTenant: EnterTenant = (place, work) => door.inTenant(recognised, place, work);
      const answer = isOfVenue
        ? await inVenue((ctx) => handler(ctx, call))
        : isWide
          ? await handler({ inVenue, inTenant }, call)
          : await handler(callerOf(bound, recognised, reply, cookie ?? ""), call);
      return sendJson(reply, operation.success.status, JSON.stringify(answer));
    },
  });
};

const callerOf = (
  { deps, limiter, door }: Bound,
  recognised: Recognised<unknown>,
  reply: FastifyReply,
  cookie: string,
): Caller<unknown> => {
  const { request, visit } = recognised;
  const source = sourceOf(request.ip);
  const devices = devicesOf(request);
  return {
    visit,
    cookie,
    source,
    devices,
    now: deps.clock.now(),
    client: request.headers["user-agent"] ?? null,
    inHouse: (work) => door.inHouse(recognised, work),
    setCookie: (value) => writeCookie(reply, { name: COOKIE, value: value ?? "", seconds: value === null ? 0 : COOKIE_SECONDS }),
    keepDevice: (secret) => {
      const value = [secret, ...devices.filter((known) => known !== secret)].slice(0, DEVICES_MAX).join(".");
      writeCookie(reply, { name: DEVICE_COOKIE, value, seconds: DEVICE_COOKIE_SECONDS });
    },
    count: async (kind, limit) =>
      holdTo(await countAddress(limiter, { who: `console:${kind}:address`, address: request.ip, limit: limit * OFFICE }), reply, deps),
    countIn: async ({ key, limit, windowSeconds }) => holdTo(await limiter.count(`console:${key}`, limit, windowSeconds), reply, deps),
    record: async ({ key, limit, windowSeconds }) => void (await limiter.count(`console:${key}`, limit, windowSeconds)),
    isFull: async ({ key, limit, windowSeconds }) => (await limiter.peek?.(`console:${key}`, limit, windowSeconds)) === 0,
    giveBack: async ({ key, limit, windowSeconds }) => limiter.giveBack?.(`console:${key}`, limit, windowSeconds),
  };
};

const idOf = (request: FastifyRequest): number => {
  const { id } = request.params as { id?: string };
  if (id === undefined) return 0;
  const number = /^[1-9][0-9]{0,15}$/.test(id) ? Number(id) : 0;
  if (!Number.isSafeInteger(number) || number === 0) throw fail("not_found");
  return number;
};
