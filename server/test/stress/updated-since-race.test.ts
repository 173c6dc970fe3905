/**
 * Clients ask for changes since the last one they saw while some changes commit late: no change is missed.
 *
 * @every-postgres
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Order, OrderStatus } from "@comanda/contract/venue/orders.ts";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildApp } from "../../src/compose/api.ts";
import { type Config, readConfig } from "../../src/config.ts";
import { openPool } from "../../src/db/pool.ts";
import { openDeps, openLog } from "../../src/deps.ts";
import { random, SEED } from "../support/seeded-random.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const SECONDS = Number(process.env.TEST_SECONDS ?? (process.env.TEST_STRESS ? 60 : 2));
const WRITERS = 12;
/** Three ways to follow: whole pages at once, small ones, and small ones by a client that takes its time. */
const WAYS = [
  { perPage: 100, pauseMs: 0 },
  { perPage: 25, pauseMs: 0 },
  { perPage: 25, pauseMs: 200 },
];
const SLOW_PERCENT = 20;
const SLOW_MS = { min: 5, max: 300 };
const RECENT_MAX = 300;
const WRITER_PAUSE_MS = 40;
const OWN_WRITES = process.env.TEST_STRESS ? 100 : 30;
const OWN_WRITES_BESIDE = process.env.TEST_STRESS ? 100 : 15;

let app: TestApp;
let lab: TestVenue;
let dishId: number;

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
  const { data } = (await app.call(lab.token, "GET", "/items?per_page=100")).body;
  dishId = data.find((item: { name: { en: string } }) => item.name.en === "Plain Plate").id;
});
afterAll(() => app.close());

type ChangeReply = { status: number; body: { data: Order; meta: object } };
type ChangesPage = { status: number; body: { data: Order[]; meta: { next_cursor: string | null } } };
type SyncServer = {
  post(path: string, body: object): Promise<ChangeReply>;
  get(path: string): Promise<ChangesPage>;
  close(): Promise<void>;
};

/** What happens to a statement on its way: nothing, or something that a fault or a slow network would do to it. */
type StatementChange = (statement: unknown, send: () => Promise<unknown>) => Promise<unknown>;

/** The application on the system's clock, for only there do moments of change and of commit mean anything. */
const openServer = async (meddle: StatementChange = (_, send) => send()): Promise<SyncServer> => {
  const config = readConfig({
    DATABASE_URL: app.database.appUrl,
    LOG_LEVEL: "fatal",
    SHUTDOWN_GRACE_MS: "0",
    DATABASE_CONNECTIONS_MAX: "16",
  });
  const deps = await openDeps(config, { pool: changingPool(config, meddle) });
  const server = await buildApp(deps);
  const headers = { authorization: `Bearer ${lab.token}` };
  const ask = async <T>(method: "GET" | "POST", path: string, body?: object): Promise<T> => {
    const answer = await server.http.inject({ method, url: `/api/v1${path}`, headers, ...(body ? { body } : {}) });
    return { status: answer.statusCode, body: answer.json() } as T;
  };
  return {
    post: (path, body) => ask("POST", path, body),
    get: (path) => ask("GET", path),
    async close() {
      await server.stop();
      await deps.close();
    },
  };
};

const changingPool = ({ databaseUrl, databaseConnectionsMax, logLevel }: Config, meddle: StatementChange): pg.Pool => {
  const pool = openPool({ url: databaseUrl, connectionsMax: databaseConnectionsMax, log: openLog(logLevel) });
  pool.on("connect", (client) => {
    const send = client.query.bind(client) as (...parameters: unknown[]) => Promise<unknown>;
    client.query = ((first: unknown, ...rest: unknown[]) => meddle(first, () => send(first, ...rest))) as typeof client.query;
  });
  return pool;
};

/** Some commits are delayed: everything is written but not yet visible to other transactions. */
const slowCommits = (percent: number): StatementChange => {
  const chance = random(SEED);
  return async (statement, send) => {
    if (statement === "commit" && chance(100) < percent) await sleep(SLOW_MS.min + chance(SLOW_MS.max - SLOW_MS.min));
    return send();
  };
};

/** Reads of one statement are query objects, whose text is still open to change when they are sent. */
const rewrite =
  (pattern: RegExp, replacement: string): StatementChange =>
  (statement, send) => {
    if (statement instanceof pg.Query) {
      const query = statement as unknown as { text: string };
      query.text = query.text.replace(pattern, replacement);
    }
    return send();
  };
const holdNothingBack = rewrite(/commit_horizon\(\)/, "clock_timestamp()");
const eachPageForItself = rewrite(/changed_at < (\$\d+::timestamptz)/, "$1 is not null and changed_at < commit_horizon()");

const NEXT: Partial<Record<OrderStatus, OrderStatus>> = { placed: "accepted", accepted: "ready", ready: "completed" };

/** Each writer places orders and moves on those of any writer. */
const writeUntil = async (server: SyncServer, isOver: () => boolean): Promise<number> => {
  const recent: { id: string; status: OrderStatus }[] = [];
  const chance = random(SEED);
  const writer = async (_: unknown, number: number): Promise<number> => {
    let changes = 0;
    for (; !isOver(); changes++) {
      const order = recent[chance(recent.length)];
      const next = order && NEXT[order.status];
      const { status, body } =
        next && chance(2) === 0
          ? await server.post(`/orders/${order.id}/status`, { status: next })
          : await server.post("/orders", cart(`+1 555 0${number}`));
      if (status === 409) continue;
      expect([200, 201], JSON.stringify(body)).toContain(status);
      if (status === 200 && order) order.status = body.data.status;
      else recent.push(body.data);
      if (recent.length > RECENT_MAX) recent.shift();
      await sleep(WRITER_PAUSE_MS);
    }
    return changes;
  };
  return (await Promise.all(Array.from({ length: WRITERS }, writer))).reduce((sum, changes) => sum + changes, 0);
};

const cart = (phone: string) => ({
  type: "pickup",
  customer_name: "Ada",
  customer_phone: phone,
  lines: [{ item_id: dishId, quantity: 1 }],
});

type SyncReader = { since: string; perPage: number; pauseMs: number; seen: Map<string, string>; syncs: number; pages: number };

const stateOf = ({ status, updated_at }: Pick<Order, "status" | "updated_at">): string => `${status} ${updated_at}`;

/** One sync: every page of what changed at or after the last change seen. */
const sync = async (
  server: SyncServer,
  reader: SyncReader,
  between: () => Promise<unknown> = () => sleep(reader.pauseMs),
): Promise<void> => {
  const query = new URLSearchParams({ updated_since: reader.since, per_page: String(reader.perPage) });
  for (let cursor: string | null = ""; cursor !== null; reader.pages++) {
    if (cursor !== "") query.set("cursor", cursor);
    const { status, body } = await server.get(`/orders?${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    for (const order of body.data) {
      reader.seen.set(order.id, stateOf(order));
      if (order.updated_at > reader.since) reader.since = order.updated_at;
    }
    cursor = body.meta.next_cursor;
    if (cursor !== null) await between();
  }
  reader.syncs++;
};

const newReader = (since: string, way: { perPage: number; pauseMs: number }): SyncReader => ({
  since,
  ...way,
  seen: new Map(),
  syncs: 0,
  pages: 0,
});

type SyncRun = { missed: number[]; figures: string };

/** Writers and readers side by side; then each reader syncs once more, and must know every order as it is. */
const runSync = async (seconds: number, slowPercent: number): Promise<SyncRun> => {
  const [writing, reading] = [await openServer(slowCommits(slowPercent)), await openServer()];
  const since = new Date(Date.now() - 1000).toISOString().replace(/\.\d+Z/, "+00:00");
  const readers = WAYS.map((way) => newReader(since, way));
  const deadline = performance.now() + seconds * 1000;
  const isOver = () => performance.now() > deadline;
  const follow = async (reader: SyncReader): Promise<void> => {
    while (!isOver()) await sync(reading, reader);
  };
  const [changes] = await Promise.all([writeUntil(writing, isOver), ...readers.map(follow)]);
  for (const reader of readers) await sync(reading, Object.assign(reader, { pauseMs: 0 }));
  await Promise.all([writing.close(), reading.close()]);
  const rows = await app.database.asOwner<{ id: string; status: OrderStatus; updated_at: string }>(
    `select id, status, to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"') as updated_at from orders where updated_at >= $1`,
    [since],
  );
  const missed = readers.map(({ seen }) => rows.filter((row) => seen.get(row.id) !== stateOf(row)).length);
  const sum = (count: (reader: SyncReader) => number) => readers.reduce((total, reader) => total + count(reader), 0);
  const figures = `${changes} changes of ${rows.length} orders in ${seconds} s, ${slowPercent} % of the commits slow; ${readers.length} readers, ${sum(({ syncs }) => syncs)} syncs, ${sum(({ pages }) => pages)} pages; missed: ${missed}`;
  return { missed, figures };
};

test(`D77 ${WAYS.length} readers that sync by updated_since beside ${WRITERS} writers miss nothing in ${SECONDS} s`, {
  timeout: 300_000,
}, async () => {
  const { missed, figures } = await runSync(SECONDS, SLOW_PERCENT);
  console.log(`TEST_SEED=${SEED}, ${figures}`);
  expect(missed).toEqual(WAYS.map(() => 0));
});

/** Between two pages an order of the first changes and, a second later, one of the second; gives back what the reader made of it. */
const changeBetweenPages = async (meddle?: StatementChange): Promise<string[]> => {
  const server = await openServer(meddle);
  const place = async () => (await server.post("/orders", cart("+1 555 0188"))).body.data;
  const accept = ({ id }: Order) => server.post(`/orders/${id}/status`, { status: "accepted" });
  await sleep(1000);
  const [older, newer] = [await place(), await place()];
  const reader = newReader(older.updated_at, { perPage: 1, pauseMs: 0 });
  let isFirst = true;
  await sync(server, reader, async () => {
    if (!isFirst) return;
    isFirst = false;
    await accept(newer);
    await sleep(1000);
    await accept(older);
  });
  await sync(server, reader);
  await server.close();
  return [older, newer].map(({ id }) => reader.seen.get(id)?.split(" ")[0] ?? "unseen");
};

test("D77 what changes between two pages of a sync is in the next one", async () => {
  expect(await changeBetweenPages()).toEqual(["accepted", "accepted"]);
});

test("planted fault: when each page settles for itself, such a change is missed", async () => {
  expect(await changeBetweenPages(eachPageForItself)).toEqual(["accepted", "placed"]);
});

/** Places orders one by one and counts how many requests it takes each time until the order is in the list. */
const placeAndRead = async (server: SyncServer, times: number): Promise<{ requestsMax: number; figures: string }> => {
  const counts = new Map<number, number>();
  const begin = performance.now();
  for (let round = 0; round < times; round++) {
    const { id, updated_at } = (await server.post("/orders", cart("+1 555 0199"))).body.data;
    const query = new URLSearchParams({ updated_since: updated_at, per_page: "100" });
    let requests = 1;
    while (!(await server.get(`/orders?${query}`)).body.data.some((order) => order.id === id)) requests++;
    counts.set(requests, (counts.get(requests) ?? 0) + 1);
  }
  const mean = (performance.now() - begin) / times;
  const figures = `requests until seen ${JSON.stringify(Object.fromEntries(counts))}, ${mean.toFixed(0)} ms for each order and its look`;
  return { requestsMax: Math.max(...counts.keys()), figures };
};

test(`D77 an order is in the list right after its answer: ${OWN_WRITES} times`, async () => {
  const server = await openServer();
  const { requestsMax, figures } = await placeAndRead(server, OWN_WRITES);
  await server.close();
  console.log(`own writes: ${figures}`);
  expect(requestsMax).toBe(1);
});

test(`beside writers that commit late an order is in the list a moment after its answer: ${OWN_WRITES_BESIDE} times`, async () => {
  const [writing, own] = [await openServer(slowCommits(SLOW_PERCENT)), await openServer()];
  let isDone = false;
  const others = writeUntil(writing, () => isDone);
  const { requestsMax, figures } = await placeAndRead(own, OWN_WRITES_BESIDE);
  isDone = true;
  const changes = await others;
  await Promise.all([writing.close(), own.close()]);
  console.log(`own writes beside ${changes} others: TEST_SEED=${SEED}, ${figures}`);
  // Each look waits a moment for older transactions; a chain of slow ones on one order may outlast more than one look.
  expect(requestsMax).toBeLessThanOrEqual(5);
});

/** Commits pass until `hold` is called, and the later ones at `release`. */
const heldCommits = () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let isHeld = false;
  const meddle: StatementChange = async (statement, send) => {
    if (statement === "commit" && isHeld) await released;
    return send();
  };
  return { meddle, release, hold: () => (isHeld = true) };
};

/**
 * An order waits for the counter of its branch. A second later an earlier order is accepted, and one more begins to wait. Then the first
 * one commits, while the last one is still running. Gives back whether a reader that asked before and after that commit finds it.
 */
const waitForNumber = async (readers?: StatementChange): Promise<boolean> => {
  const commits = heldCommits();
  const [writing, reading] = [await openServer(commits.meddle), await openServer(readers)];
  const blocker = new pg.Client({ connectionString: app.database.ownerUrl });
  await blocker.connect();
  const earlier = (await writing.post("/orders", cart("+1 555 0177"))).body.data;
  const reader = newReader(earlier.updated_at, { perPage: 100, pauseMs: 0 });
  await blocker.query("begin; select from app.order_counters for update");
  const waiting = writing.post("/orders", cart("+1 555 0178"));
  await sleep(1100);
  const accepted = (await writing.post(`/orders/${earlier.id}/status`, { status: "accepted" })).body.data;
  commits.hold();
  const last = writing.post("/orders", cart("+1 555 0179"));
  await sleep(200);
  await sync(reading, reader);
  await blocker.query("rollback");
  const late = (await waiting).body.data;
  expect(late.updated_at < accepted.updated_at).toBe(true);
  await sync(reading, reader);
  expect(reader.seen.get(accepted.id)).toBe(stateOf(accepted));
  commits.release();
  await last;
  await sync(reading, reader);
  await Promise.all([writing.close(), reading.close(), blocker.end()]);
  return reader.seen.has(late.id);
};

test("D77 an order that waited for its number is not missed", async () => {
  expect(await waitForNumber()).toBe(true);
});

test("planted fault: when unsettled changes are shown, an order that waited is missed", async () => {
  expect(await waitForNumber(holdNothingBack)).toBe(false);
});

test("planted fault: with the time of the write an order that waited is missed", async () => {
  await app.database.asOwner(`create function app.set_write_time() returns trigger language plpgsql
    as $$ begin new.changed_at := clock_timestamp(); return new; end $$`);
  await app.database.asOwner("create trigger set_write_time before insert on orders for each row execute function app.set_write_time()");
  try {
    expect(await waitForNumber()).toBe(false);
  } finally {
    await app.database.asOwner("drop trigger set_write_time on orders");
  }
});
