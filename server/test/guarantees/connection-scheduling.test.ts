/** Venues alternate for connections. A statement waits in its venue's queue and leaves it when its client disconnects. */
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { replaceScheduler, schedulerOf } from "#db/connection-scheduler.ts";
import { openPool, transaction } from "#db/pool.ts";
import { newQueueScope, runInQueueScope } from "#db/queue-scope.ts";
import { createReadBatcher } from "#db/read-batcher.ts";
import { openLog } from "#deps.ts";
import { createUser } from "../support/console-client.ts";
import { connectAgent, listen } from "../support/mcp-clients.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const CONNECTIONS = 4;
const CONCURRENT_MAX = 6;

let app: TestApp;
let noisy: TestVenue;
let quiet: TestVenue;

beforeAll(async () => {
  app = await startApp({ environment: { DATABASE_CONNECTIONS_MAX: String(CONNECTIONS), MAX_CONCURRENT_REQUESTS: String(CONCURRENT_MAX) } });
  [noisy, quiet] = [await app.venue("lab"), await app.venue("gulf-cafe")];
});
afterAll(() => app.close());

let pools: pg.Pool[] = [];
afterEach(async () => {
  for (const pool of pools) await pool.end();
  pools = [];
});

const newPool = (): pg.Pool => {
  const pool = openPool({ url: app.database.appUrl, connectionsMax: CONNECTIONS, log: openLog("fatal") });
  pools.push(pool);
  return pool;
};

const nap = (ms: number) => sql`select pg_sleep(${ms / 1000})`;
const napIn = (pool: pg.Pool, venue: number, ms: number) => transaction(pool, venue, ({ db }) => db.query(nap(ms)));
const asRequestOf = <T>(venue: number, work: () => Promise<T>): Promise<T> => runInQueueScope(newQueueScope(`venue ${venue}`, venue), work);

const msOf = async (work: Promise<unknown>): Promise<number> => {
  const begin = performance.now();
  await work;
  return performance.now() - begin;
};

/**
 * How long another venue waits for a change and a read while one has many long transactions to do. A statement that waits in the pool's own
 * queue may be refused there after two seconds, which counts as its wait.
 */
const waitBeside = async (pool: pg.Pool): Promise<number> => {
  const line = createReadBatcher(pool);
  // All connections are open before the flood, so that none of the waits is the opening of one.
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, n) => asRequestOf(10 + n, () => napIn(pool, 10 + n, 20))));
  const flood = Array.from({ length: 16 }, () => asRequestOf(1, () => napIn(pool, 1, 250)));
  await sleep(50);
  const asked = [asRequestOf(2, () => napIn(pool, 2, 0)), asRequestOf(2, () => line.tenant(2).query(nap(0)))];
  const waits = asked.map((one) => msOf(Promise.allSettled([one])));
  const longest = Math.max(...(await Promise.all(waits)));
  await Promise.allSettled(flood);
  return longest;
};

describe("connections", () => {
  test("one venue's long transactions leave some free for the others; without turns they take them all", async () => {
    const fair = await waitBeside(newPool());
    const pool = newPool();
    replaceScheduler(pool, Number.POSITIVE_INFINITY);
    expect(fair * 3).toBeLessThan(await waitBeside(pool));
  });

  test("no statement waits in the pool's own queue, and all are served", async () => {
    const pool = newPool();
    const line = createReadBatcher(pool);
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, pool.waitingCount);
    }, 1);
    const work = Array.from({ length: 200 }, (_, n) => {
      const venue = n % 3;
      return asRequestOf(venue, () => (n % 2 === 0 ? napIn(pool, venue, 2) : line.tenant(venue).query(nap(2))));
    });
    const all = Promise.all(work);
    expect(schedulerOf(pool).waiting()).toBeGreaterThan(100);
    await all;
    clearInterval(watch);
    expect([most, schedulerOf(pool).waiting(), pool.totalCount]).toEqual([0, 0, CONNECTIONS]);
  });

  test("background work of a venue does not wait behind its requests, nor they behind it", async () => {
    const pool = newPool();
    const asRequest = () => asRequestOf(1, () => napIn(pool, 1, 50));
    const asJob = () => napIn(pool, 1, 50);
    for (const [many, one] of [
      [asRequest, asJob],
      [asJob, asRequest],
    ] as const) {
      const flood = msOf(Promise.all(Array.from({ length: 60 }, many)));
      const wait = await msOf(one());
      expect(wait * 3).toBeLessThan(await flood);
    }
  });

  test("when none can be opened, those who wait are told at once", async () => {
    const pool = openPool({ url: "postgres://unknown@127.0.0.1:1/none", connectionsMax: 1, log: openLog("fatal") });
    pools.push(pool);
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => napIn(pool, 1, 0)));
    expect(outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason.code)).toEqual(outcomes.map(() => "ECONNREFUSED"));
    expect(schedulerOf(pool).waiting()).toBe(0);
  });
});

/** Takes every connection, each for another venue, until the caller stops it. */
const holdAll = async (): Promise<() => Promise<void>> => {
  const end = Promise.withResolvers<void>();
  const held = Array.from({ length: CONNECTIONS }, (_, n) => holdOne(900 + n, end.promise));
  await expect.poll(() => app.deps.pool.totalCount - app.deps.pool.idleCount).toBe(CONNECTIONS);
  return async () => {
    end.resolve();
    await Promise.all(held);
  };
};

const holdOne = (venue: number, end: Promise<void>): Promise<void> =>
  transaction(app.deps.pool, venue, async ({ startedAt }) => {
    await startedAt;
    await end;
  });

const orderOf = async ({ token }: TestVenue) => {
  const { data } = (await app.call(token, "GET", "/items?per_page=100")).body;
  const { id } = data.find((item: { name: { en: string } }) => item.name.en === "Plain Plate");
  return { type: "pickup", customer_name: "Ada", customer_phone: "+1 555 0100", lines: [{ item_id: id, quantity: 1 }] };
};

const countOrders = async ({ id }: TestVenue): Promise<number> =>
  (await app.database.asOwner<{ count: number }>("select count(*)::integer from orders where restaurant_id = $1", [id]))[0]?.count ?? 0;

describe("requests", () => {
  test("a client who hangs up leaves the queue: what it asked for is never begun", async () => {
    const [body, port] = [
      JSON.stringify(await orderOf(noisy)),
      Number(new URL(await app.app.http.listen({ host: "127.0.0.1", port: 0 })).port),
    ];
    const before = await countOrders(noisy);
    const letGo = await holdAll();
    const sockets = Array.from({ length: CONCURRENT_MAX - 1 }, () => connect({ port, host: "127.0.0.1" }));
    for (const socket of sockets) {
      await once(socket, "connect");
      const headers = `Authorization: Bearer ${noisy.token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
      socket.write(`POST /api/v1/orders HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${body}`);
    }
    await expect.poll(() => schedulerOf(app.deps.pool).waiting()).toBe(sockets.length);
    for (const socket of sockets) socket.destroy();
    await sleep(100);
    await letGo();
    await expect.poll(() => schedulerOf(app.deps.pool).waiting()).toBe(0);
    expect((await app.call(noisy.token, "POST", "/orders", { body: await orderOf(noisy) })).status).toBe(201);
    expect(await countOrders(noisy)).toBe(before + 1);
  });

  test("at the limit a venue that has fewer waiting gets a place: the newest of the others is refused instead", async () => {
    const letGo = await holdAll();
    const waiting = Array.from({ length: CONCURRENT_MAX }, () => app.call(noisy.token, "GET", "/menus"));
    await expect.poll(() => schedulerOf(app.deps.pool).waiting()).toBeGreaterThanOrEqual(CONCURRENT_MAX);
    // A further request of the same venue finds no longer queue to take a place from.
    expect((await app.call(noisy.token, "GET", "/menus")).status).toBe(503);
    const other = app.call(quiet.token, "GET", "/menus");
    const refused = await waiting.at(-1);
    expect([refused?.status, refused?.headers.get("retry-after"), refused?.body.error.code]).toEqual([503, "1", "service_unavailable"]);
    await letGo();
    expect((await other).status).toBe(200);
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([...Array(CONCURRENT_MAX - 1).fill(200), 503]);
  });

  test("the console waits in its venue's queue: another venue's console does not wait for it", async () => {
    const [one, other] = [await createUser(app, noisy.slug, "owner"), await createUser(app, quiet.slug, "owner")];
    await one.call("GET", `/venues/${noisy.slug}/activity`);
    await other.call("GET", `/venues/${quiet.slug}/activity`);
    const held = Promise.withResolvers<void>();
    const slow = Array.from({ length: CONNECTIONS * 2 }, () => asRequestOf(noisy.id, () => holdOne(noisy.id, held.promise)));
    const waiting = one.call("GET", `/venues/${noisy.slug}/activity`);
    expect((await other.call("GET", `/venues/${quiet.slug}/activity`)).status).toBe(200);
    const isWaiting = await Promise.race([waiting.then(() => false), sleep(100).then(() => true)]);
    held.resolve();
    expect([isWaiting, (await waiting).status]).toEqual([true, 200]);
    await Promise.all(slow);
  });
});

test("tool calls do not wait for themselves, even where there is one connection", async () => {
  const narrow = await startApp({ environment: { DATABASE_CONNECTIONS_MAX: "1" } });
  const { token } = await narrow.venue("lab");
  const agent = await connectAgent(await listen(narrow.app), token);
  const answers = await Promise.all(Array.from({ length: 20 }, () => agent.call("list_menus")));
  expect(answers.map(({ isError }) => isError)).toEqual(Array(20).fill(false));
  await agent.close();
  await narrow.close();
});
