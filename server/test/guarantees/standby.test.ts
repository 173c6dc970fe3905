/** A primary with a synchronous standby: what takes no writes is not used, and a change of the primary loses nothing. */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SET_TENANT } from "#db/single-query.ts";
import { parserOf } from "#db/type-parsers.ts";
import { openTestDatabase } from "../support/database.ts";
import { faultsOf, newOrderLog, orderOf, underLoad } from "../support/order-load.ts";
import { createFleet, type Fleet, type ServerProcess } from "../support/processes.ts";
import { type Replication, startReplication } from "../support/replication.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const LOAD_MS = process.env.TEST_STRESS ? 20_000 : 1500;

let pair: Replication;
let app: TestApp;
let lab: TestVenue;
let itemId: number;

beforeAll(async () => {
  pair = await startReplication();
  const database = openTestDatabase(pair.primary, async () => undefined);
  // The standby is named first: it must be passed over.
  app = await startApp({ database, environment: { DATABASE_URL: pair.url([pair.standby, pair.primary]) } });
  app.clock.set(new Date().toISOString());
  lab = await app.venue("lab");
  const { data } = (await app.call(lab.token, "GET", "/items?per_page=100")).body;
  itemId = data.find((item: { name: { en: string } }) => item.name.en === "Plain Plate").id;
});
afterAll(async () => {
  await app?.close();
  await app?.database.drop();
  await pair?.close();
});

const place = () => app.call(lab.token, "POST", "/orders", { body: orderOf(itemId) });
const read = () => app.call(lab.token, "GET", `/items/${itemId}`);
const readiness = async () => (await app.ops.inject("/readyz")).statusCode;

test("a standby is not used, and alone it is a sentence at the start", async () => {
  expect([(await place()).status, await readiness()]).toEqual([201, 200]);
  const started = startApp({ database: app.database, environment: { DATABASE_URL: pair.standby.appUrl } });
  await expect(started).rejects.toThrow(/^PostgreSQL at 127\.0\.0\.1:\d+, database replicated, cannot be used: it takes no writes/);
});

test("planted: a pool that does not ask serves reads from the standby, which may be late", async () => {
  const pool = new pg.Pool({
    connectionString: pair.standby.appUrl,
    options: "-c search_path=app -c timezone=UTC",
    pipeline: true,
    types: { getTypeParser: parserOf as pg.CustomTypesConfig["getTypeParser"] },
    onConnect: ((client: pg.ClientBase) => client.query({ ...SET_TENANT, values: [""] })) as (client: pg.ClientBase) => void,
  } as pg.PoolConfig);
  const blind = await startApp({ database: app.database, environment: { DATABASE_URL: pair.url() }, pool: () => pool });
  expect((await blind.call(lab.token, "GET", `/items/${itemId}`)).status).toBe(200);
  // What does not depend on the pool holds here as well.
  expect((await blind.call(lab.token, "POST", "/orders", { body: orderOf(itemId) })).status).toBe(503);
  await blind.close();
});

describe("a primary that is set to read-only", () => {
  const setReadOnly = async (value: "on" | "off"): Promise<void> => {
    await pair.admin(pair.primary, `alter system set default_transaction_read_only = ${value}`);
    await pair.admin(pair.primary, "select pg_reload_conf()");
    await sleep(100);
  };

  test("is not ready and answers everything with 503 and Retry-After; when it takes writes again, so does the service", async () => {
    for (let count = 0; count < 5; count++) await Promise.all([place(), read(), read()]);
    await setReadOnly("on");
    const refused = await place();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "2"]);
    // No connection from before is left, so a read is not answered from there either.
    expect((await read()).status).toBe(503);
    expect(await readiness()).toBe(503);
    await setReadOnly("off");
    expect(await readiness()).toBe(200);
    expect([(await place()).status, (await read()).status]).toEqual([201, 200]);
  });

  test("is left by a process that gets no writes", async () => {
    await read();
    await setReadOnly("on");
    expect(await readiness()).toBe(503);
    expect(app.deps.pool.totalCount).toBe(0);
    await setReadOnly("off");
    expect(await readiness()).toBe(200);
  });
});

test("a commit that no standby has confirmed is not acknowledged", async () => {
  const [receiver] = await pair.admin<{ pid: number }>(pair.standby, "select pid from pg_stat_wal_receiver");
  process.kill(receiver?.pid ?? 0, "SIGSTOP");
  try {
    const answer = place();
    const waiting = "select pid from pg_stat_activity where wait_event = 'SyncRep'";
    while ((await pair.admin(pair.primary, waiting)).length === 0) await sleep(20);
    await pair.admin(pair.primary, `select pg_cancel_backend(pid) from (${waiting}) w`);
    expect((await answer).status).toBe(503);
  } finally {
    process.kill(receiver?.pid ?? 0, "SIGCONT");
  }
});

describe("another server becomes the primary under load", () => {
  let fleet: Fleet;
  let server: ServerProcess;
  beforeAll(async () => {
    fleet = await createFleet(pair.url());
    server = await fleet.start();
  });
  afterAll(() => fleet.close());

  const untilReady = async (): Promise<void> => {
    for (const deadline = Date.now() + 100_000; Date.now() < deadline; await sleep(50))
      if ((await fetch(`${server.opsUrl}/readyz`)).status === 200) return;
    throw new Error(`not ready:\n${server.output().slice(-2000)}`);
  };

  test("no answer is 500, every acknowledged order is there, and none twice", async () => {
    const [before] = await app.database.asOwner<{ orders: number }>("select count(*)::integer as orders from orders");
    await app.database.asOwner("delete from events");
    const { diaries } = await underLoad(fleet.port, [lab], async () => {
      await sleep(LOAD_MS);
      await pair.primary.stop("immediate");
      await sleep(300);
      expect((await fetch(`${server.opsUrl}/readyz`)).status).toBe(503);
      await pair.promote();
      await untilReady();
      await sleep(LOAD_MS);
    });
    const [orderLog = newOrderLog()] = diaries;
    const promoted = openTestDatabase(pair.standby, async () => undefined);
    const faults = await faultsOf({ database: promoted }, lab.id, orderLog, before?.orders ?? 0);
    const { written, refused, slowestMs } = orderLog;
    console.info(
      `switch: ${written.length} orders acknowledged, slowest ${Math.round(slowestMs)} ms, refused ${JSON.stringify([...refused])}`,
    );
    expect(faults).toEqual([]);
    expect([...refused.keys()].filter((status) => status !== 503)).toEqual([]);
    expect(written.length).toBeGreaterThan(50);
    // What the judge would say of an order that was lost on the way.
    await promoted.asOwner("delete from idempotency_keys where key = $1", [written[0]?.key]);
    expect(await faultsOf({ database: promoted }, lab.id, orderLog, before?.orders ?? 0)).toHaveLength(1);
    await promoted.drop();
  });
});

describe.runIf(process.env.TEST_STRESS)("planted: a standby that is not waited for", () => {
  test("takes over without orders that were acknowledged, and the comparison shows it", async () => {
    const loose = await startReplication({ isSynchronous: false });
    const database = openTestDatabase(loose.primary, async () => undefined);
    const maker = await startApp({ database, environment: { DATABASE_URL: loose.primary.appUrl } });
    const venue = await maker.venue("lab");
    await maker.close();
    const fleet = await createFleet(loose.url());
    const server = await fleet.start();
    const { diaries } = await underLoad(fleet.port, [venue], async () => {
      await sleep(1000);
      const startStandby = await loose.stopStandby();
      await sleep(1000);
      await loose.primary.stop("immediate");
      await startStandby();
      await loose.promote();
      for (const deadline = Date.now() + 100_000; (await fetch(`${server.opsUrl}/readyz`)).status !== 200; await sleep(50))
        if (Date.now() > deadline) throw new Error("not ready");
    });
    const promoted = openTestDatabase(loose.standby, async () => undefined);
    const faults = await faultsOf({ database: promoted }, venue.id, diaries[0] ?? newOrderLog(), 0);
    console.info(`planted: ${diaries[0]?.written.length} orders acknowledged, ${faults.length} faults, such as: ${faults[0]}`);
    expect(faults.filter((fault) => fault.endsWith("is there 0 times")).length).toBeGreaterThan(0);
    await promoted.drop();
    await database.drop();
    await fleet.close();
    await loose.close();
  });
});
