/**
 * The event feed: stored bytes in the order of commits, only of types that the token's scopes read, for thirty days, also while waiting.
 *
 * @long
 */
import { setTimeout as sleep } from "node:timers/promises";
import { EVENT_TYPES, type EventType } from "@comanda/contract/events/envelope.ts";
import { ALL_SCOPES, type Scope } from "@comanda/contract/scopes.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type App, buildApp } from "#compose/api.ts";
import { routes } from "#compose/handlers.ts";
import { purgeExpired } from "#compose/retention.ts";
import type { Handlers } from "#http/api/operations.ts";
import { type FeedKey, type FeedPosition, readFeedPosition, writeFeedPosition } from "#lib/feed-position.ts";
import { addEndpoint } from "#platform/events/webhooks/service/endpoints.ts";
import { revokeToken } from "#platform/programs/tokens/service.ts";
import { askFeed, emitEveryType, type FeedAnswer, listenFor, openFeedStream, readAll } from "../support/event-feed.ts";
import { addToken } from "../support/many-tokens.ts";
import { plainDish } from "../support/operation-calls.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const WANTED = { kind: "api", name: "feed", ratePerMinute: 1_000_000, expiresAt: null } as const;

let app: TestApp;
let lab: TestVenue;
let cafe: TestVenue;
let url: string;
let endpointId: number;
let itemId: number;

beforeAll(async () => {
  app = await startApp({ environment: { ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString("base64")}` } });
  [lab, cafe] = [await app.venue("lab"), await app.venue("gulf-cafe")];
  url = await listenFor(app.app);
  itemId = await plainDish(app.database, lab.id);
  const { encryptionKeys } = app.deps.config;
  const wish = { url: "https://hooks.example/feed", events: ["order.paid"], description: null };
  endpointId = await forVenue(app.deps, lab.slug, async (ctx) => (await addEndpoint(ctx, wish, encryptionKeys)).endpoint.id);
});
afterAll(() => app.close());

const tokenWith = (scopes: readonly Scope[]): Promise<{ id: number; token: string }> =>
  forVenue(app.deps, lab.slug, (ctx) => addToken(ctx, { ...WANTED, scopes: [...scopes] }));

const latest = async (token = lab.token, at = url): Promise<string> => (await askFeed(at, token, { after: "latest" })).body.meta.cursor;

const feedKey = (): FeedKey => ({ key: app.deps.cursorKey, tenantId: lab.id });
const positionOf = (cursor: string): FeedPosition => readFeedPosition(feedKey(), cursor) as FeedPosition;

const place = async (venue = lab): Promise<string> => {
  const dish = venue === lab ? itemId : await plainDish(app.database, venue.id);
  const body = { type: "pickup", customer_name: "Ada", customer_phone: "+39 06 1", lines: [{ item_id: dish, quantity: 1 }] };
  const answer = await app.call(venue.token, "POST", "/orders", { body });
  expect(answer.status).toBe(201);
  return answer.body.data.id;
};

const typesOf = ({ body }: FeedAnswer): EventType[] => body.data.map(({ type }) => type);

/** Builds the application with another handler of the feed, which plants a fault. */
const withHandler = async (listEvents: Handlers["listEvents"]): Promise<{ at: string; server: App }> => {
  const server = await buildApp(app.deps, { handlers: { ...routes, listEvents } });
  return { at: await listenFor(server), server };
};

describe("what it tells", () => {
  test("the stored bytes of each event once, in the order of the commits, in pages of any size", async () => {
    const after = await latest();
    for (let turn = 0; turn < 3; turn++) await forVenue(app.deps, lab.slug, async (ctx) => emitEveryType(ctx, endpointId));
    const stored = await app.database.asOwner<{ id: string; body: string }>(
      `select e.id, e.body from changes c join events e on e.restaurant_id = c.restaurant_id and e.id = c.event_id
       where c.restaurant_id = $1 and c.number > $2 order by c.number, c.position`,
      [lab.id, positionOf(after).number],
    );
    const bodyOf = new Map(stored.map(({ id, body }) => [id, body]));
    const { text, body } = await askFeed(url, lab.token, { after });
    expect(text.startsWith(`{"data":[${body.data.map(({ id }) => bodyOf.get(id)).join(",")}],"meta":{`)).toBe(true);
    const order = stored.map(({ id }) => id).filter((id) => body.data.some((event) => event.id === id));
    expect(order).toHaveLength(30);
    for (const limit of [1, 7, 100]) {
      const pages = await readAll(url, lab.token, { after, limit });
      expect(pages.data.map(({ id }) => id)).toEqual(order);
      // The position behind an event goes on with the next one.
      const middle = pages.meta.cursors[11] ?? "";
      expect((await readAll(url, lab.token, { after: middle, limit })).data.map(({ id }) => id)).toEqual(order.slice(12));
    }
  });

  test("without a position it begins with the oldest event, and another venue's events are in no answer", async () => {
    const { data } = await readAll(url, cafe.token, {});
    const before = data.length;
    await place(cafe);
    await place(lab);
    const now = (await readAll(url, cafe.token, {})).data;
    expect(now.length).toBeGreaterThan(before);
    expect(new Set(now.map(({ restaurant }) => restaurant.id))).toEqual(new Set([cafe.id]));
  });

  test("422 for a position of another venue, one that is none, and a type that is none or that no scope reads", async () => {
    for (const query of [{ after: await latest(cafe.token) }, { after: "x" }, { after: "1.1-1.1.9999999999.1" }, { wait: 21 }]) {
      const { status, body } = await askFeed(url, lab.token, query);
      expect([status, Object.keys(body.error.details)]).toEqual([422, Object.keys(query)]);
    }
    for (const types of ["order.eaten", "order.created,", "giftcard.issued"])
      expect((await askFeed(url, lab.token, { types })).status).toBe(422);
  });
});

/** This table is written by hand: what each scope shows. Every token sees a ping, which says nothing about the venue. */
const SEEN_WITH: Record<Scope, EventType[]> = {
  "menu:read": ["menu.item_updated"],
  "menu:write": [],
  "orders:read": ["order.created", "order.status_changed", "order.paid"],
  "orders:write": [],
  "reservations:read": ["reservation.created", "reservation.updated", "reservation.cancelled"],
  "reservations:write": [],
  "guests:read": ["guest.created", "guest.updated"],
  "reports:read": [],
};

describe("scopes", () => {
  let after: string;
  const tokens = new Map<Scope, string>();

  beforeAll(async () => {
    after = await latest();
    await forVenue(app.deps, lab.slug, async (ctx) => emitEveryType(ctx, endpointId));
    for (const scope of ALL_SCOPES) tokens.set(scope, (await tokenWith([scope])).token);
  });

  const isSeen = (scope: Scope, type: EventType): boolean => type === "ping" || SEEN_WITH[scope].includes(type);

  /** Every type with every scope: in the whole feed, when it is asked for, and in the stream. */
  const faultsOf = async (at: string, scopes: readonly Scope[] = ALL_SCOPES): Promise<string[]> => {
    const faults: string[] = [];
    for (const scope of scopes) {
      const token = tokens.get(scope) ?? "";
      const stream = await openFeedStream(at, token, { after });
      await expect.poll(() => stream.lastId()).not.toBe("");
      const streamed = stream.events().map(({ data }) => (JSON.parse(data) as { type: EventType }).type);
      stream.close();
      const whole = typesOf(await askFeed(at, token, { after }));
      for (const type of EVENT_TYPES) {
        const asked = await askFeed(at, token, { after, types: type });
        const got = [whole.includes(type), streamed.includes(type), asked.status === 200 && typesOf(asked).includes(type)];
        if (got.some((seen) => seen !== isSeen(scope, type))) faults.push(`${scope} ${type}: ${got}`);
        if (!isSeen(scope, type) && ![403, 422].includes(asked.status)) faults.push(`${scope} ${type}: ${asked.status}`);
      }
    }
    return faults;
  };

  test("R5.1 17 types with 8 scopes: a token sees the types whose data its scope reads, and 403 names the scope it lacks", async () => {
    const faults = await faultsOf(url);
    console.info(`event feed: ${EVENT_TYPES.length} types with ${ALL_SCOPES.length} scopes, ${faults.length} leaks or gaps`);
    expect([EVENT_TYPES.length, ALL_SCOPES.length]).toEqual([17, 8]);
    expect(faults).toEqual([]);
    const refused = await askFeed(url, tokens.get("menu:read") ?? "", { types: "order.created" });
    expect([refused.status, refused.body.error]).toMatchObject([403, { details: { required_scope: "orders:read" } }]);
  });

  test("planted: a feed that does not look at the scopes, or takes every token for that of a sandbox, is found", async () => {
    const faulty: Handlers["listEvents"][] = [
      (ctx, input) => routes.listEvents({ ...ctx, actor: { ...ctx.actor, scopes: ALL_SCOPES } }, input),
      (ctx, input) => routes.listEvents({ ...ctx, tenant: { ...ctx.tenant, kind: "sandbox" } }, input),
    ];
    for (const listEvents of faulty) {
      const { at, server } = await withHandler(listEvents);
      const scopes = ALL_SCOPES.slice(0, 2);
      expect((await faultsOf(at, scopes)).length).toBeGreaterThanOrEqual(scopes.length);
      await server.stop();
    }
  });

  test("a plan without bookings shows none", async () => {
    const token = tokens.get("reservations:read") ?? "";
    await app.database.asOwner("update restaurants set plan = 'essential' where id = $1", [lab.id]);
    expect(typesOf(await askFeed(url, token, { after }))).toEqual(["ping"]);
    const refused = await askFeed(url, token, { after, types: "reservation.created" });
    expect([refused.status, refused.body.error.details]).toEqual([403, { feature: "reservations" }]);
    await app.database.asOwner("update restaurants set plan = 'complete' where id = $1", [lab.id]);
    expect(typesOf(await askFeed(url, token, { after }))).toContain("reservation.created");
  });
});

describe("thirty days", () => {
  const NOW = "2026-11-14T12:00:00Z";
  beforeEach(() => app.clock.set(NOW));
  afterAll(() => app.clock.set(NOW));

  const missedAfter = async (at: string, after: string, orderId: string): Promise<string> => {
    const { status, body, text } = await askFeed(at, lab.token, { after, types: "order.created" });
    if (status !== 200) return `${status} ${body.error.code}`;
    return text.includes(orderId) ? "told" : "missed";
  };

  /** Days after the position and its order, each after a purge: the order is sent, or the position is refused. */
  const course = async (at: string, days: readonly number[]): Promise<string[]> => {
    app.clock.set(NOW);
    const after = await latest(lab.token, at);
    const orderId = await place();
    const seen: string[] = [];
    for (const day of days) {
      app.clock.set(new Date(Date.parse(NOW) + day * DAY_MS).toISOString());
      await purgeExpired(app.deps);
      seen.push(await missedAfter(at, after, orderId));
    }
    return seen;
  };

  test("410 when events behind the position may be gone, with a position to start over from", async () => {
    const after = await latest();
    expect(await course(url, [1, 29, 29.9, 30, 31])).toEqual(["told", "told", "told", "410 cursor_expired", "410 cursor_expired"]);
    const { body } = await askFeed(url, lab.token, { after });
    const { latest: start } = body.error.details as { latest: string };
    const orderId = await place();
    expect(await missedAfter(url, start, orderId)).toBe("told");
  });

  test("planted: a feed that goes on from any position misses an event without a word", async () => {
    const { at, server } = await withHandler((ctx, input) => routes.listEvents({ ...ctx, now: new Date(NOW) }, input));
    expect(await course(at, [29, 31])).toEqual(["told", "missed"]);
    await server.stop();
  });

  test("a client that asks now and then goes on for months, though nothing happened", async () => {
    let after = await latest();
    for (let day = 0; day < 100; day += 20) {
      app.clock.set(new Date(Date.parse(NOW) + day * DAY_MS).toISOString());
      const { status, body } = await askFeed(url, lab.token, { after, types: "order.paid" });
      expect(status).toBe(200);
      after = body.meta.cursor;
    }
  });

  test("410 for a position of another numbering, and for one behind the venue's last number", async () => {
    const present = positionOf(await latest());
    const statusAt = async (change: Partial<FeedPosition>): Promise<number> =>
      (await askFeed(url, lab.token, { after: writeFeedPosition(feedKey(), { ...present, ...change }) })).status;
    expect(await statusAt({})).toBe(200);
    expect(await statusAt({ epoch: `${Number(present.epoch.split("-")[0]) - 1}-0` })).toBe(410);
    expect(await statusAt({ number: present.number + 1 })).toBe(410);
  });
});

describe("a call that waits", () => {
  test("is answered when an event is stored, by this process and by another", async () => {
    const other = await startApp({ database: app.database });
    for (const writer of [app, other]) {
      const waiting = askFeed(url, lab.token, { after: await latest(), types: "order.created", wait: 20 });
      await sleep(300);
      const body = { type: "pickup", customer_name: "Ada", customer_phone: "+39 06 1", lines: [{ item_id: itemId, quantity: 1 }] };
      const { data } = (await writer.call(lab.token, "POST", "/orders", { body })).body;
      const startedAt = performance.now();
      expect((await waiting).text).toContain(data.id);
      // The read ended before its time was over.
      expect(performance.now() - startedAt).toBeLessThan(15_000);
    }
    await other.close();
  });

  test("is answered with no event when its time is over, and its position goes on", async () => {
    const after = await latest();
    const answer = await askFeed(url, lab.token, { after, wait: 1 });
    expect([answer.status, answer.body.data]).toEqual([200, []]);
    const orderId = await place();
    expect((await askFeed(url, lab.token, { after: answer.body.meta.cursor })).text).toContain(orderId);
  });

  test("401 at once when its token is revoked", async () => {
    const { id, token } = await tokenWith(["orders:read"]);
    const waiting = askFeed(url, token, { after: await latest(token), wait: 20 });
    const stream = await openFeedStream(url, token, { after: "latest" });
    await sleep(300);
    await forVenue(app.deps, lab.slug, (ctx) => revokeToken(ctx, id));
    expect((await waiting).status).toBe(401);
    await expect.poll(() => stream.isEnded()).toBe(true);
  });

  test("two of a token: 429 above, and a place is free again when a client leaves or has its answer", async () => {
    const { token } = await tokenWith(["orders:read"]);
    const after = await latest(token);
    const leaving = new AbortController();
    const first = askFeed(url, token, { after, wait: 20 }, leaving.signal).catch(() => null);
    const second = await openFeedStream(url, token, { after });
    await sleep(300);
    const refused = await askFeed(url, token, { after, wait: 20 });
    expect([refused.status, refused.body.error.code]).toEqual([429, "rate_limited"]);
    expect(refused.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    expect((await openFeedStream(url, token, { after })).status).toBe(429);
    // What does not wait is not counted, and neither is another token.
    expect((await askFeed(url, token, { after })).status).toBe(200);
    expect((await askFeed(url, lab.token, { after, wait: 1 })).status).toBe(200);
    leaving.abort();
    await first;
    await expect.poll(async () => (await askFeed(url, token, { after, wait: 1 })).status).toBe(200);
    second.close();
    await expect.poll(async () => (await openFeedStream(url, token, { after })).status).toBe(200);
  });
});

describe("while calls wait", () => {
  const ENVIRONMENT = { DATABASE_CONNECTIONS_MAX: "1", MAX_CONCURRENT_REQUESTS: "2" };

  /** Two calls and two streams wait on one connection and two places: whether other calls are answered, and how many connections are used. */
  const othersBeside = async (small: TestApp, at: string): Promise<{ statuses: number[]; inUse: number }> => {
    const { token } = await tokenWith(["orders:read"]);
    const after = await latest();
    const stop = new AbortController();
    const waiting = [1, 2].map(() => askFeed(at, token, { after, wait: 10 }, stop.signal).catch(() => null));
    const streams = [await openFeedStream(at, lab.token, { after }), await openFeedStream(at, lab.token, { after })];
    await sleep(500);
    const { pool } = small.deps;
    let inUse = 1;
    // On a busy machine the last read of a stream may still run.
    for (let tries = 0; inUse > 0 && tries < 20; tries++) {
      await sleep(100);
      inUse = pool.totalCount - pool.idleCount;
    }
    const statuses = await Promise.all(
      [1, 2].map(async () => (await fetch(at.replace("/events", "/menus"), { headers: { authorization: `Bearer ${lab.token}` } })).status),
    );
    stop.abort();
    for (const stream of streams) stream.close();
    await Promise.all(waiting);
    return { statuses, inUse };
  };

  test("they hold no connection and no place of the concurrency limit", async () => {
    const small = await startApp({ database: app.database, environment: ENVIRONMENT });
    expect(await othersBeside(small, await listenFor(small.app))).toEqual({ statuses: [200, 200], inUse: 0 });
    await small.close();
  });

  test("planted: calls that wait inside of their handler hold the places", async () => {
    const small = await startApp({ database: app.database, environment: ENVIRONMENT });
    const listEvents: Handlers["listEvents"] = async (ctx, input) => {
      const result = await routes.listEvents(ctx, input);
      await sleep(3000);
      return result;
    };
    const server = await buildApp(small.deps, { handlers: { ...routes, listEvents } });
    const at = await listenFor(server);
    const { token } = await tokenWith(["orders:read"]);
    const waiting = [1, 2].map(() => askFeed(at, token, { wait: 10 }));
    await sleep(500);
    expect((await fetch(at.replace("/events", "/menus"), { headers: { authorization: `Bearer ${lab.token}` } })).status).toBe(503);
    await Promise.all(waiting);
    await server.stop();
    await small.close();
  });
});
