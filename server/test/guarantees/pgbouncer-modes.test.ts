/** The service runs behind pgbouncer: session mode works in full, any other mode is refused at the start with a sentence. */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startWorker } from "#compose/worker.ts";
import { refuseSharedSessions } from "#db/pooler-check.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { orderOf } from "../support/order-load.ts";
import { hasPgbouncer, type Pgbouncer, startPgbouncer } from "../support/pgbouncer.ts";
import { startApp, type TestApp } from "../support/test-app.ts";

const SENTENCE = /^DATABASE_URL leads to a pooler in transaction or statement mode.*pool_mode = session/;

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());

const withPooler = async <T>(settings: Record<string, string | number>, work: (pooler: Pgbouncer) => Promise<T>): Promise<T> => {
  const pooler = await startPgbouncer(database.appUrl, settings);
  try {
    return await work(pooler);
  } finally {
    await pooler.stop();
  }
};

test("PostgreSQL itself has a backend for each session", async () => {
  await refuseSharedSessions(database.appUrl);
});

describe.skipIf(!hasPgbouncer)("a pooler in session mode", () => {
  let pooler: Pgbouncer;
  let app: TestApp;
  beforeAll(async () => {
    pooler = await startPgbouncer(database.appUrl, { pool_mode: "session" });
    app = await startApp({ database, environment: { DATABASE_URL: pooler.through(database.appUrl) } });
    app.clock.set(new Date().toISOString());
  });
  afterAll(async () => {
    await app.close();
    await pooler.stop();
  });

  test("gives every session the service's settings, and takes them back", async () => {
    const shown =
      "select current_setting('search_path') as path, current_setting('timezone') as zone, current_setting('statement_timeout') as ms";
    expect((await app.deps.pool.query(shown)).rows).toEqual([{ path: "app", zone: "UTC", ms: "5s" }]);
    const plain = new pg.Client({ connectionString: pooler.through(database.appUrl) });
    await plain.connect();
    expect((await plain.query(shown)).rows).toMatchObject([{ ms: "0" }]);
    await plain.end();
  });

  test("serves requests side by side, and a worker with its lock and its jobs", async () => {
    const lab = await app.venue("lab");
    const { data } = (await app.call(lab.token, "GET", "/items?per_page=100")).body;
    const itemId = data.find((item: { name: { en: string } }) => item.name.en === "Plain Plate").id;
    const worker = await startWorker(app.deps);
    try {
      for (let round = 0; round < 5; round++) {
        const placed = () => app.call(lab.token, "POST", "/orders", { body: orderOf(itemId) });
        const answers = await Promise.all([placed(), app.call(lab.token, "GET", `/items/${itemId}`), placed()]);
        expect(answers.map(({ status }) => status)).toEqual([201, 200, 201]);
      }
      while (!worker.isServing()) await sleep(20);
      const [seen] = await database.asOwner<{ count: number }>(
        "select count(*)::integer as count from pg_locks where locktype = 'advisory' and granted",
      );
      expect(seen?.count).toBeGreaterThan(0);
    } finally {
      await worker.stop();
    }
  });

  test("planted: settings in the startup message would be refused by the pooler", async () => {
    const client = new pg.Client({ connectionString: pooler.through(database.appUrl), options: "-c search_path=app" });
    await expect(client.connect()).rejects.toThrow("unsupported startup parameter");
  });
});

describe.skipIf(!hasPgbouncer)("a pooler in another mode", () => {
  const MODES: Record<string, string | number>[] = [
    { pool_mode: "transaction" },
    { pool_mode: "transaction", server_round_robin: 1, min_pool_size: 5 },
    { pool_mode: "transaction", default_pool_size: 1 },
    { pool_mode: "statement" },
  ];
  test.each(MODES)("$pool_mode is refused at the start (%o)", async (settings) => {
    await withPooler(settings, async (pooler) => {
      const started = startApp({ database, environment: { DATABASE_URL: pooler.through(database.appUrl) } });
      await expect(started).rejects.toThrow(SENTENCE);
    });
  });

  test("transaction mode is seen while others use the pooler as well", async () => {
    await withPooler({ pool_mode: "transaction", min_pool_size: 10 }, async (pooler) => {
      const url = pooler.through(database.appUrl);
      let isOver = false;
      const neighbours = Array.from({ length: 8 }, async () => {
        const client = new pg.Client({ connectionString: url });
        await client.connect();
        while (!isOver) await client.query("select pg_sleep(random() * 0.005)");
        await client.end();
      });
      for (let attempt = 0; attempt < 10; attempt++) await expect(refuseSharedSessions(url)).rejects.toThrow(SENTENCE);
      isOver = true;
      await Promise.all(neighbours);
    });
  });
});
