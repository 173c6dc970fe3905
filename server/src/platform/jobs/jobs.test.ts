/** The job engine on a real database: one commit with the change, few rights, and nothing lost by a stop or an error. */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { getRollbackPlans, PgBoss } from "pg-boss";
import settings from "pg-boss/package.json" with { type: "json" };
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startWorker } from "#compose/worker.ts";
import { migrate } from "#db/migrate.ts";
import { JOBS_SCHEMA, onConnection, QUEUE_NAMES } from "#db/pg-boss.ts";
import { openDeps } from "#deps.ts";
import { orderJobs } from "#venue/orders/jobs.ts";
import { asAdmin } from "../../../test/support/admin-connection.ts";
import { cloneDatabase } from "../../../test/support/database.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../test/support/test-app.ts";
import { testPostgres } from "../../../test/support/test-postgres.ts";
import { enqueue } from "./service.ts";
import { PLAIN_QUEUE } from "./store.ts";

let app: TestApp;
let lab: TestVenue;

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
});
afterAll(() => app.close());

type StoredJob = { id: string; name: string; data: object; state: string; start_after: Date; group_id: string | null; retry_count: number };
const jobs = () => app.database.asOwner<StoredJob>("select * from jobs.job order by created_on");
const until = async (isSo: () => Promise<boolean>, ms = 30_000): Promise<void> => {
  for (const deadline = Date.now() + ms; !(await isSo()); await sleep(50))
    if (Date.now() > deadline) throw new Error("It did not happen in time");
};
const ORDER = "0190a0a0-0000-7000-8000-000000000001";

test("a job is a row of the change's transaction: committed with it, rolled back with it", async () => {
  const startAfter = new Date("2031-01-01T18:00:00Z");
  await forVenue(app.deps, lab.slug, (ctx) => enqueue(ctx, "release-held-tickets", { order_id: ORDER }, { startAfter, groupId: "g" }));
  const [job] = await jobs();
  expect(job).toMatchObject({ state: "created", start_after: startAfter, group_id: "g", data: { restaurant_id: lab.id, order_id: ORDER } });
  const refused = forVenue(app.deps, lab.slug, async (ctx) => {
    await enqueue(ctx, "release-held-tickets", { order_id: ORDER });
    throw new Error("changed my mind");
  });
  await expect(refused).rejects.toThrow("changed my mind");
  expect(await jobs()).toHaveLength(1);
  await app.database.asOwner("delete from jobs.job");
});

test("the queue settings in the code equal those in the database", async () => {
  const pool = new pg.Pool({ connectionString: app.database.appUrl });
  const queues = await new PgBoss({ schema: JOBS_SCHEMA, db: onConnection(pool) }).getQueues();
  await pool.end();
  expect(queues.map(({ name }) => name).sort()).toEqual([...QUEUE_NAMES].sort());
  for (const queue of queues) expect(queue).toMatchObject(PLAIN_QUEUE);
  for (const queue of queues) expect(queue.retryLimit).toBeGreaterThanOrEqual(1);
});

test("a missing queue is an error and no lost job; and the service does not start without it", async () => {
  await app.database.asOwner("update jobs.queue set name = 'elsewhere' where name = 'send-message'");
  try {
    const sent = forVenue(app.deps, lab.slug, (ctx) => enqueue(ctx, "send-message", { message_id: 1, attempt: 0 }));
    await expect(sent).rejects.toThrow(/send-message took no job/);
    await expect(openDeps(app.deps.config)).rejects.toThrow(/comanda-admin -- migrate/);
  } finally {
    await app.database.asOwner("update jobs.queue set name = 'send-message' where name = 'elsewhere'");
  }
});

test("the application's role may read and write rows in the engine's schema and nothing else", async () => {
  const client = new pg.Client({ connectionString: app.database.appUrl });
  await client.connect();
  for (const sql of [
    "create table jobs.bad (id int)",
    "alter table jobs.queue add column bad int",
    "drop table jobs.queue",
    "truncate jobs.job",
  ])
    await expect(client.query(sql), sql).rejects.toMatchObject({ code: "42501" });
  await client.end();
  const owned = await app.database.asOwner(
    "select from pg_class c join pg_roles r on r.oid = c.relowner where relnamespace = 'jobs'::regnamespace and rolname <> current_user",
  );
  expect(owned).toHaveLength(0);
});

test("migrating again changes nothing and is quick; an older engine is brought up to date", async () => {
  const database = await cloneDatabase();
  const state = () =>
    database.asOwner(
      "select (select version from jobs.version), (select jsonb_agg(q - 'updated_on' order by q->>'name') from (select to_jsonb(queue) q from jobs.queue) s) as queues",
    );
  const before = await state();
  const startedAt = performance.now();
  expect(await migrate(database.ownerUrl, 0)).toEqual([]);
  expect(performance.now() - startedAt).toBeLessThan(1000);
  expect(await state()).toEqual(before);
  await database.asOwner(getRollbackPlans(JOBS_SCHEMA, settings.pgboss.schema));
  await migrate(database.ownerUrl, 0);
  expect(await state()).toEqual(before);
  await database.drop();
});

test("the index by venue is there after an upgrade of the engine, and after a build that was cancelled", async () => {
  const database = await cloneDatabase();
  const index = () =>
    database.asOwner<{ indexdef: string; indisvalid: boolean }>(
      "select indexdef, indisvalid from pg_indexes join pg_index on indexrelid = 'jobs.job_by_venue'::regclass where indexname = 'job_by_venue'",
    );
  const built = await index();
  expect(built).toMatchObject([{ indisvalid: true }]);
  await database.asOwner(getRollbackPlans(JOBS_SCHEMA, settings.pgboss.schema));
  await migrate(database.ownerUrl, 0);
  expect(await index()).toEqual(built);
  const admin = await asAdmin((await testPostgres()).adminUrl, new URL(database.ownerUrl).pathname.slice(1));
  await admin.query("update pg_index set indisvalid = false where indexrelid = 'jobs.job_by_venue'::regclass");
  await admin.end();
  expect(await index()).toMatchObject([{ indisvalid: false }]);
  await migrate(database.ownerUrl, 0);
  expect(await index()).toEqual(built);
  await database.drop();
});

test("the worker runs a job at once, as its tenant, without a user; supervises with the rights it has; and stops when asked", async () => {
  const warnings = vi.spyOn(app.deps.log, "warn");
  const seen: object[] = [];
  const handler = vi.spyOn(orderJobs, "release-held-tickets").mockImplementation(async (inVenue, data) => {
    await inVenue(async ({ tenant, actor, now }) => void seen.push({ slug: tenant.slug, kind: actor.kind, now, ...data }));
  });
  const worker = await startWorker(app.deps);
  await forVenue(app.deps, lab.slug, (ctx) => enqueue(ctx, "release-held-tickets", { order_id: ORDER }));
  await until(async () => (await jobs())[0]?.state === "completed");
  expect(seen).toEqual([{ slug: "lab", kind: "system", now: app.clock.now(), order_id: ORDER }]);
  const supervised = () => app.database.asOwner("select from jobs.queue where monitor_on is not null and maintain_on is not null");
  await until(async () => (await supervised()).length === QUEUE_NAMES.length);
  const startedAt = performance.now();
  await worker.stop();
  expect(performance.now() - startedAt).toBeLessThan(3000);
  expect(warnings.mock.calls).toEqual([]);
  handler.mockRestore();
  warnings.mockRestore();
});

test("a handler that throws is logged and tried again; a hundred jobs do not wait for a hundred polls", async () => {
  const errors = vi.spyOn(app.deps.log, "error").mockImplementation(() => undefined);
  let calls = 0;
  const handler = vi.spyOn(orderJobs, "release-held-tickets").mockImplementation(async () => {
    if (calls++ === 0) throw new Error("the first time never works");
  });
  await app.database.asOwner("delete from jobs.job");
  const lot = Array.from({ length: 100 });
  await forVenue(app.deps, lab.slug, (ctx) => Promise.all(lot.map(() => enqueue(ctx, "release-held-tickets", { order_id: ORDER }))));
  const worker = await startWorker(app.deps);
  const startedAt = performance.now();
  await until(async () => (await jobs()).every(({ state }) => state === "completed"));
  console.info(`100 jobs, one of them twice: ${Math.round(performance.now() - startedAt)} ms`);
  expect(calls).toBe(101);
  expect((await jobs()).filter(({ retry_count }) => retry_count > 0)).toHaveLength(1);
  expect(errors).toHaveBeenCalledWith(expect.objectContaining({ queue: "release-held-tickets", restaurant: lab.id }), expect.any(String));
  await worker.stop();
  handler.mockRestore();
  errors.mockRestore();
});

describe("retention of ended jobs", () => {
  const FAILING = ORDER.replace(/1$/, "2");
  const states = async () => (await jobs()).map(({ state }) => state).sort();

  /** One completed job and one failed job. */
  const runTwo = async (): Promise<void> => {
    const errors = vi.spyOn(app.deps.log, "error").mockImplementation(() => undefined);
    const handler = vi.spyOn(orderJobs, "release-held-tickets").mockImplementation(async (_inVenue, { order_id }) => {
      if (order_id === FAILING) throw new Error("this one never works");
    });
    await app.database.asOwner("delete from jobs.job");
    for (const order_id of [ORDER, FAILING])
      await forVenue(app.deps, lab.slug, (ctx) => enqueue(ctx, "release-held-tickets", { order_id }));
    await app.database.asOwner("update jobs.job set retry_limit = 0");
    const worker = await startWorker(app.deps);
    await until(async () => (await states()).join() === "completed,failed");
    await worker.stop();
    handler.mockRestore();
    errors.mockRestore();
  };

  /** Which of them are left after this time, once the engine has deleted old ones with the worker's rights. */
  const leftAfter = async (time: string): Promise<string[]> => {
    await app.database.asOwner("update jobs.job set completed_on = now() - $1::interval", [time]);
    await app.database.asOwner("update jobs.queue set maintain_on = null");
    const pool = new pg.Pool({ connectionString: app.database.appUrl });
    const boss = new PgBoss({ schema: JOBS_SCHEMA, db: onConnection(pool), migrate: false, createSchema: false, reindex: false });
    await boss.supervise();
    await pool.end();
    return states();
  };

  test("a failed job is kept for two weeks, a completed one for an hour", async () => {
    await runTwo();
    expect(await leftAfter("59 minutes")).toEqual(["completed", "failed"]);
    expect(await leftAfter("61 minutes")).toEqual(["failed"]);
    expect(await leftAfter("13 days 23 hours")).toEqual(["failed"]);
    expect(await leftAfter("14 days 1 minute")).toEqual([]);
  });

  test("planted fault: without the trigger it is deleted after an hour", async () => {
    await app.database.asOwner("alter table jobs.job disable trigger keep_failed");
    await runTwo();
    expect(await leftAfter("61 minutes")).toEqual([]);
    await app.database.asOwner("alter table jobs.job enable trigger keep_failed");
  });
});

test("a stop waits for the job that is running", async () => {
  let isDone = false;
  let hasBegun = false;
  const handler = vi.spyOn(orderJobs, "release-held-tickets").mockImplementation(async () => {
    hasBegun = true;
    await sleep(700);
    isDone = true;
  });
  const worker = await startWorker(app.deps);
  await forVenue(app.deps, lab.slug, (ctx) => enqueue(ctx, "release-held-tickets", { order_id: ORDER }));
  await until(async () => hasBegun);
  await worker.stop();
  expect(isDone).toBe(true);
  expect((await jobs()).filter(({ state }) => state !== "completed")).toEqual([]);
  handler.mockRestore();
});

test("the database ends the worker's connections: the worker logs it and continues", async () => {
  const warnings = vi.spyOn(app.deps.log, "warn").mockImplementation(() => undefined);
  const handler = vi.spyOn(orderJobs, "release-held-tickets").mockResolvedValue();
  await app.database.asOwner("delete from jobs.job");
  const worker = await startWorker(app.deps);
  const admin = new pg.Client({ connectionString: (await testPostgres()).adminUrl });
  await admin.connect();
  const thrown = await admin.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()",
    [new URL(app.database.appUrl).pathname.slice(1)],
  );
  await admin.end();
  expect(thrown.rowCount).toBeGreaterThan(0);
  // The test's own connections were ended too, and the pool may return one of them before it notices.
  const ask = () => forVenue(app.deps, lab.slug, (ctx) => enqueue(ctx, "release-held-tickets", { order_id: ORDER }));
  await until(() =>
    ask()
      .then(() => true)
      .catch(() => false),
  );
  await until(async () => (await jobs().catch(() => []))[0]?.state === "completed");
  expect(warnings).toHaveBeenCalled();
  await worker.stop();
  handler.mockRestore();
  warnings.mockRestore();
});
