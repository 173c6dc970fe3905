/** While sending is off nothing leaves a process, and nothing that is due is spent; a copy of a database turns it off by itself. */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createOutbound, decideOutbound, type Outbound, type OutboundState } from "#compose/outbound-switch.ts";
import { startWorker } from "#compose/worker.ts";
import { readIdentity } from "#db/database-identity.ts";
import { compareLocations } from "../../../cells/src/compare.ts";
import { releaseCopy } from "../../../cells/src/release.ts";
import type { LocationPhase } from "../../../cells/src/venue-location.ts";
import { createUser } from "../support/console-client.ts";
import { cloneDatabase, copyDatabase, type TestDatabase } from "../support/database.ts";
import { causeSends, NOTHING, ONE_OF_EACH, type OutboundReceivers, openOutboundReceivers } from "../support/outside-world.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";
import { testPostgres } from "../support/test-postgres.ts";

/** Longer than every loop of a worker takes to look for work. */
const QUIET_MS = 2500;

let world: OutboundReceivers;
let app: TestApp;
let lab: TestVenue;

beforeAll(async () => {
  world = await openOutboundReceivers();
  app = await startApp({ environment: { ...world.environment, OUTBOUND: "off" } });
  app.clock.set(new Date().toISOString());
  lab = await app.venue("lab", (file) => {
    file.tables = [];
    file.table_combinations = [];
  });
  await world.connect(app.deps, lab.slug);
});
afterEach(() => world.reset());
afterAll(async () => {
  await app.close();
  await world.close();
});

const cause = () => causeSends((method, path, body) => app.call(lab.token, method, path, body === undefined ? {} : { body }));

/** All that a send would change: attempts, states, due times, retries of jobs, failures of the address. */
const due = () =>
  app.database.asOwner(
    `select 'delivery' as kind, id::text, state, attempts, due_at from deliveries
     union all select 'message', id::text, state, attempts, updated_at from notifications
     union all select 'job', id::text, state::text, retry_count, start_after from jobs.job where name <> 'reset-sandbox'
     union all select 'address', endpoint_id::text, coalesce(last_failure, ''), failures_in_row, leased_until from webhook_endpoint_state order by 1, 2`,
  );

test("nothing is sent and nothing is spent while it is off; a process with it on sends each once", async () => {
  await cause();
  const before = await due();
  expect(before).toHaveLength(8);
  const quiet = await startWorker(app.deps, { sender: world.sender() });
  await sleep(QUIET_MS);
  await quiet.stop();
  expect(world.arrived()).toEqual(NOTHING);
  expect(await due()).toEqual(before);
  const on = await startApp({ database: app.database, environment: world.environment });
  on.clock.set(new Date().toISOString());
  const worker = await startWorker(on.deps, { sender: world.sender() });
  expect(await world.until(ONE_OF_EACH)).toEqual(ONE_OF_EACH);
  await worker.stop();
  await on.close();
});

test("work that sends nothing goes on: the worker of a process with it off fires held tickets", async () => {
  await app.database.asOwner(
    "insert into jobs.job (name, data, start_after) select 'release-held-tickets', jsonb_build_object('restaurant_id', $1::bigint, 'order_id', o.id), now() from orders o limit 1",
    [lab.id],
  );
  const worker = await startWorker(app.deps, { sender: world.sender() });
  const states = () => app.database.asOwner<{ state: string }>("select state::text from jobs.job where name = 'release-held-tickets'");
  for (let attempt = 0; attempt < 100 && (await states())[0]?.state !== "completed"; attempt++) await sleep(50);
  await worker.stop();
  expect(await states()).toEqual([{ state: "completed" }]);
});

test("readyz, the metrics and the log say so; the API answers, and the console's check of an address is 503", async () => {
  const ready = await app.ops.inject("/readyz");
  expect([ready.statusCode, ready.json()]).toEqual([200, { status: "ready", sending: "off", reason: "OUTBOUND is off" }]);
  expect(await app.deps.metrics.registry.metrics()).toMatch(/comanda_outbound_state\{state="off"\} 1\n/);
  expect((await app.call(lab.token, "GET", "/items?per_page=1")).status).toBe(200);
  const owner = await createUser(app, lab.slug, "owner");
  const check = await owner.call("POST", `/venues/${lab.slug}/webhooks/check`, { body: { url: "https://receiver.example.com/" } });
  expect([check.status, check.body.error]).toMatchObject([503, { code: "service_unavailable", details: { sending: "off" } }]);
  const lines: unknown[] = [];
  const log = { warn: (...line: unknown[]) => void lines.push(line), info: () => undefined } as never;
  const outbound = createOutbound(app.deps.config, log);
  await outbound.check(app.deps.pool);
  expect(lines).toEqual([[{ outbound: "off" }, "sending is off: OUTBOUND is off"]]);
});

test("planted fault: a worker that does not ask the switch sends", async () => {
  await cause();
  const blind: Outbound = { ...app.deps.outbound, state: () => "on" };
  const worker = await startWorker({ ...app.deps, outbound: blind }, { sender: world.sender() });
  expect(await world.until(ONE_OF_EACH)).toEqual(ONE_OF_EACH);
  await worker.stop();
});

test("a cell among others holds its venues back while OUTBOUND is off, until they were compared", async () => {
  const released = await readIdentity(app.deps.pool);
  expect(released).toMatchObject({ isRecorded: true, isCompared: true });
  const identity = { ...released, isCompared: false };
  const off = { outbound: "off", cell: 0, cells: 2 } as const;
  expect(decideOutbound(off, identity)).toMatchObject({ state: "held", reason: expect.stringContaining("comanda-admin restored") });
  expect(decideOutbound({ ...off, cells: 1, cell: 3 }, identity).state).toBe("held");
  expect(decideOutbound(off, released).state).toBe("off");
  expect(decideOutbound({ ...off, cells: 1 }, identity).state).toBe("off");
  expect(decideOutbound({ ...off, outbound: "on" }, identity)).toEqual({ state: "on", reason: null });
  expect(decideOutbound({ ...off, outbound: "on", cells: 1 }, { ...identity, isRecorded: false }).state).toBe("held");
});

const released = (database: TestDatabase) =>
  releaseCopy({ url: database.ownerUrl, otherUrls: [], isOneOfSeveral: false, cells: 1, outbound: "on", before: null });
const stateOf = async ({ deps }: TestApp, wanted: OutboundState): Promise<OutboundState> => {
  for (let attempt = 0; attempt < 100 && deps.outbound.state() !== wanted; attempt++) await sleep(50);
  return deps.outbound.state();
};

describe("a copy of a database", () => {
  test("is recognised by another oid of the database or of the table; released, a running worker sends without a restart", async () => {
    const copy = await copyDatabase();
    const held = await startApp({ database: copy, environment: world.environment });
    held.clock.set(new Date().toISOString());
    const venue = await held.venue("lab", (file) => {
      file.tables = [];
      file.table_combinations = [];
    });
    const call = (method: string, path: string, body?: object) => held.call(venue.token, method, path, body === undefined ? {} : { body });
    const worker = await startWorker(held.deps, { sender: world.sender() });
    expect([held.deps.outbound.state(), (await call("GET", "/items")).status]).toEqual(["held", 503]);
    await released(copy);
    expect(await stateOf(held, "on")).toBe("on");
    await world.connect(held.deps, venue.slug);
    await causeSends(call);
    expect(await world.until(ONE_OF_EACH)).toEqual(ONE_OF_EACH);
    await worker.stop();

    // What `pg_restore --clean` does.
    await copy.asOwner(`alter table database_identity rename to before;
      create table database_identity (like before including all); grant select on database_identity to comanda_app; insert into database_identity select * from before`);
    expect(await readIdentity(held.deps.pool)).toMatchObject({ isRecorded: false });
    await held.close();
    await copy.drop();
  });

  test("that takes the place of the original under a running process is recognised with the next connection", async () => {
    const [original, copy] = [await cloneDatabase(), await copyDatabase()];
    const running = await startApp({ database: original, environment: world.environment });
    const venue = await running.venue("lab");
    expect((await running.call(venue.token, "GET", "/items")).status).toBe(200);
    await replaceDatabase(original, copy);
    await running.call(venue.token, "GET", "/items").catch(() => undefined);
    expect(await stateOf(running, "held")).toBe("held");
    expect((await running.call(venue.token, "GET", "/items")).status).toBe(503);
    await running.close();
    await original.drop();
  });

  test("a pair of cells: of each venue the cell with the latest move is its home", () => {
    const venue = (id: number, epoch: number, phase: LocationPhase | null = null, other_cell: number | null = null) => ({
      id,
      slug: `v${id}`,
      epoch,
      phase,
      other_cell,
    });
    const here = [
      venue(1, 0), // moved to 1 afterwards
      venue(2, 0), // never moved
      venue(3, 0), // moved to 1 and back afterwards
      venue(4, 1, "moved", 1), // moved before, still there
      venue(5, 1, "moved", 1), // came back afterwards: no cell has its rows
      venue(6, 0, "paused", 1), // the copy was made in the middle of a move, which was then decided
      venue(7, 2), // came from 1, which was restored too and has not heard of it
      venue(8, 0, "copying", 1), // the move was given up
      venue(9, 0, "moved", 1), // moved to 1 and on to 2 before moves were counted
    ];
    const there = [
      venue(1, 1),
      venue(3, 2, "moved", 0),
      venue(4, 1),
      venue(5, 2, "moved", 0),
      venue(6, 1),
      venue(7, 1),
      venue(8, 1, "arriving", 0),
      venue(9, 0, "moved", 2),
      venue(10, 1, "moved", 0), // came here afterwards
    ];
    const third = [venue(9, 0)];
    const ids = (venues: { id: number }[]): number[] => venues.map(({ id }) => id);
    const compared = compareLocations({ cell: 0, venues: here }, [
      { cell: 1, venues: there },
      { cell: 2, venues: third },
    ]);
    expect([compared.away, compared.missing, compared.back, compared.unclear].map(ids)).toEqual([[1, 6], [5, 10], [3], []]);
    expect(compareLocations({ cell: 0, venues: [venue(1, 1)] }, [{ cell: 1, venues: [venue(1, 1)] }]).unclear).toMatchObject([
      { slug: "v1" },
    ]);
  });
});

/** The copy gets the original's name. Every connection to either is ended. */
const replaceDatabase = async (original: TestDatabase, copy: TestDatabase): Promise<void> => {
  const admin = new pg.Client({ connectionString: (await testPostgres()).adminUrl });
  const nameOf = ({ ownerUrl }: TestDatabase): string => new URL(ownerUrl).pathname.slice(1);
  await admin.connect();
  for (const name of [nameOf(original), nameOf(copy)]) {
    await admin.query(`alter database ${name} with allow_connections false`);
    await admin.query("select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1", [name]);
  }
  await admin.query(`drop database ${nameOf(original)}`);
  await admin.query(`alter database ${nameOf(copy)} rename to ${nameOf(original)}`);
  await admin.query(`alter database ${nameOf(original)} with allow_connections true`);
  await admin.end();
};
