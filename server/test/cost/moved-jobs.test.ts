/** A move of a sandbox's clock reads the jobs of that sandbox, however many wait for other venues. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSandbox } from "../../src/admin/sandbox.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { type LoggedPlan, logPlans, planCollectingPool, rowsRead } from "../support/query-plans.ts";
import { startApp, type TestApp } from "../support/test-app.ts";

const OWN_JOBS = 5;
const OTHER_JOBS = 10_000;

let app: TestApp;
let database: TestDatabase;
let token: string;
let plans: LoggedPlan[] = [];

beforeAll(async () => {
  database = await cloneDatabase();
  await logPlans(database);
  app = await startApp({ database, pool: planCollectingPool((plan) => plans.push(plan)) });
  const { slug } = await app.venue("trattoria");
  token = (await createSandbox(app.deps, slug, 1_000_000))?.token ?? expect.fail("no sandbox");
  for (let count = 0; count < OWN_JOBS; count++) {
    const act = { act: "issue_gift_card", amount_minor: 100, expires_on: "2030-01-31" };
    expect((await app.call(token, "POST", "/sandbox/act", { body: act })).status).toBe(200);
  }
});
afterAll(() => app.close());

/** Rows of the job table that a move looks at, in all its statements. */
const rowsOfMove = async (): Promise<number> => {
  plans = [];
  expect((await app.call(token, "POST", "/sandbox/clock", { body: { forward_seconds: 60 } })).status).toBe(200);
  const nodes = plans.flatMap((plan) => plan.nodes).filter((node) => node["Relation Name"] === "job_common");
  expect(nodes.length).toBeGreaterThan(0);
  return nodes.map(rowsRead).reduce((sum, rows) => sum + rows, 0);
};

const addJobsOfOthers = async (): Promise<void> => {
  await database.asOwner(
    `insert into jobs.job (name, data, start_after) select 'expire-gift-card',
       jsonb_build_object('restaurant_id', 1000000 + n % 500, 'gift_card_id', n, 'expires_on', '2030-01-31'), now() + interval '300 days'
     from generate_series(1, $1::integer) n`,
    [OTHER_JOBS],
  );
};

test("as many rows are read when others have many jobs", async () => {
  const before = await rowsOfMove();
  await addJobsOfOthers();
  // As autovacuum does, and as it has not done yet.
  const after = await rowsOfMove();
  await database.asOwner("analyze jobs.job_common");
  const analyzed = await rowsOfMove();
  console.info(`rows of the job table that a move reads: ${before}, with ${OTHER_JOBS} jobs of others ${after}, analyzed ${analyzed}`);
  expect(before).toBeGreaterThanOrEqual(OWN_JOBS);
  expect([after, analyzed].filter((rows) => rows > before + 3 * OWN_JOBS)).toEqual([]);
});

test("planted: without the index by venue it reads the jobs of all", async () => {
  await database.asOwner("drop index jobs.job_by_venue");
  await addJobsOfOthers();
  expect(await rowsOfMove()).toBeGreaterThan(OTHER_JOBS);
});
