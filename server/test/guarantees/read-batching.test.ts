/**
 * Reads that share a connection: none waits for another's limits, none fails with another, none starves behind writes.
 *
 * @every-postgres
 */
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPool, transaction } from "#db/pool.ts";
import { createReadBatcher, type ReadBatcher } from "#db/read-batcher.ts";
import { openLog } from "#deps.ts";
import { asAdmin } from "../support/admin-connection.ts";
import { startApp, type TestApp } from "../support/test-app.ts";
import { testPostgres } from "../support/test-postgres.ts";

const CONNECTIONS = 4;
const LIMIT_MS = 500;
const CONNECT_MS_MAX = 60_000;

let app: TestApp;
let owner: pg.Client;

beforeAll(async () => {
  app = await startApp();
  owner = new pg.Client({ connectionString: app.database.ownerUrl });
  await owner.connect();
  await owner.query("create table app.shelf (jar integer); insert into app.shelf values (1); grant select on app.shelf to comanda_app");
});
afterAll(async () => {
  await owner.end();
  await app.close();
});

const withLine = async (work: (line: ReadBatcher, pool: pg.Pool) => Promise<void>, connectionsMax = CONNECTIONS): Promise<void> => {
  const pool = openPool({ url: app.database.appUrl, connectionsMax, log: openLog("fatal"), statementTimeoutMs: LIMIT_MS });
  // These tests compare times. A machine that stands still for two seconds must not end every wait for a connection at once.
  pool.options.connectionTimeoutMillis = CONNECT_MS_MAX;
  try {
    await work(createReadBatcher(pool), pool);
  } finally {
    await pool.end();
  }
};

const nap = (seconds: number) => sql<{ slept: string }>`select pg_sleep(${seconds})::text as slept`;
const jar = sql<{ jar: number }>`select jar from shelf`;
const tenantSeen = sql<{ tenant: string }>`select current_setting('app.restaurant_id') as tenant`;

type ReadResult = { outcome: string; ms: number };

const endingOf = async (asked: Promise<unknown[]>): Promise<ReadResult> => {
  const begin = performance.now();
  const outcome = await asked.then(
    (rows) => JSON.stringify(rows[0]),
    (error: { code?: string }) => error.code ?? String(error),
  );
  return { outcome, ms: performance.now() - begin };
};

test("a read that runs into a limit fails alone: those behind are answered, each for its own venue, and do not add up limits", async () => {
  await withLine(async (line) => {
    const slow = Array.from({ length: 6 }, () => endingOf(line.global.query(nap(30))));
    const quick = [11, 12].map((id) => endingOf(line.tenant(id).query(tenantSeen)));
    for (const { outcome, ms } of await Promise.all(slow)) expect([outcome, ms < LIMIT_MS * 4.5]).toEqual(["57014", true]);
    expect((await Promise.all(quick)).map(({ outcome }) => outcome)).toEqual([11, 12].map((id) => `{"tenant":"${id}"}`));
  }, 8);
});

test("a statement that could not be prepared does not fail the other reads that use it", async () => {
  await withLine(async (line) => {
    await owner.query("begin; lock table app.shelf in access exclusive mode");
    const readers = Array.from({ length: 8 }, () => endingOf(line.global.query(jar)));
    await sleep(LIMIT_MS * 1.5);
    await owner.query("rollback");
    const outcomes = (await Promise.all(readers)).map(({ outcome }) => outcome);
    // The first was stopped by its limit; its neighbours had none of their own to run into.
    expect(outcomes).toEqual(["57014", ...Array(7).fill('{"jar":1}')]);
  });
});

test("a connection that is killed costs the read that was running, and no other", async () => {
  await withLine(async (line, pool) => {
    const running = endingOf(line.global.query(sql`select pg_terminate_backend(pg_backend_pid())`));
    const behind = [21, 22, 23].map((id) => endingOf(line.tenant(id).query(tenantSeen)));
    expect((await running).outcome).toBe("57P01");
    expect((await Promise.all(behind)).map(({ outcome }) => outcome)).toEqual([21, 22, 23].map((id) => `{"tenant":"${id}"}`));
    await expect.poll(() => pool.idleCount).toBe(pool.totalCount);
  });
});

test("a database that refuses connections counts as one that does not answer: 503, and an answer again once it is open", async () => {
  const name = new URL(app.database.ownerUrl).pathname.slice(1);
  const admin = await asAdmin((await testPostgres()).adminUrl, "postgres");
  const { token } = await app.venue("lab");
  const statusOf = async () => (await app.call(token, "GET", "/menus")).status;
  const appRole = new URL(app.database.appUrl).username;
  try {
    await admin.query(`alter database ${name} allow_connections false`);
    await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = $2", [name, appRole]);
    await expect.poll(statusOf).toBe(503);
    expect(await Promise.all([statusOf(), statusOf(), statusOf()])).toEqual([503, 503, 503]);
  } finally {
    await admin.query(`alter database ${name} allow_connections true`);
    await admin.end();
  }
  await expect.poll(statusOf, { timeout: 100_000 }).toBe(200);
});

test("columns that change under a prepared statement cost a connection, not every read of the next half hour", async () => {
  await withLine(async (line) => {
    expect((await endingOf(line.global.query(jar))).outcome).toBe('{"jar":1}');
    await owner.query("alter table app.shelf alter column jar type text");
    expect((await endingOf(line.global.query(jar))).outcome).toBe("0A000");
    expect((await endingOf(line.global.query(jar))).outcome).toBe('{"jar":"1"}');
  }, 1);
});

test("so do those under a change: the transaction fails once, and the connection goes with it", async () => {
  await withLine(async (_line, pool) => {
    const change = () => endingOf(transaction(pool, 7, async ({ db }) => db.query(jar)));
    const before = (await change()).outcome;
    await owner.query("alter table app.shelf add column lid integer; alter table app.shelf alter column jar type varchar");
    expect((await change()).outcome).toBe("0A000");
    expect((await change()).outcome).toBe(before);
  }, 1);
});

/** How many writes come before the last of 160 reads, while 40 writers want the same connections. */
const readsBesideWrites = async (pool: pg.Pool, line: ReadBatcher): Promise<number> => {
  let isOver = false;
  let writes = 0;
  const writers = Array.from({ length: 40 }, async () => {
    while (!isOver) {
      const client = await pool.connect();
      await client.query("select pg_sleep(0.02)");
      client.release();
      writes++;
    }
  });
  const written = Promise.all(writers);
  await expect.poll(() => pool.waitingCount).toBeGreaterThan(0);
  const before = writes;
  const endings = await Promise.all(Array.from({ length: 160 }, () => endingOf(line.tenant(7).query(tenantSeen))));
  const meanwhile = writes - before;
  isOver = true;
  await written;
  expect(new Set(endings.map(({ outcome }) => outcome))).toEqual(new Set(['{"tenant":"7"}']));
  return meanwhile;
};

test("reads have as many places in the queue for a connection as they need; with one for all they would starve", async () => {
  await withLine(async (line, pool) => {
    const fair = await readsBesideWrites(pool, line);
    let turn: Promise<unknown> = Promise.resolve();
    const oneByOne = Object.create(pool, {
      connect: {
        value: () => {
          const mine = turn.then(() => pool.connect());
          turn = mine;
          return mine;
        },
      },
    }) as pg.Pool;
    const starved = await readsBesideWrites(pool, createReadBatcher(oneByOne));
    console.info(`160 reads beside 40 writers: ${fair} writes came first, with one place in the queue ${starved}`);
    expect(fair * 3).toBeLessThan(starved);
  });
});
