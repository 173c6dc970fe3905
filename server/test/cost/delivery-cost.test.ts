/** What a worker asks again and again costs the same whatever was sent before, waits for later, or is piled up at one endpoint. */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asSystem } from "#compose/as-system.ts";
import { readBatch, recordResults } from "#platform/events/webhook-deliveries/service/batches.ts";
import { cloneDatabase, connectAsAdmin, type TestDatabase } from "../support/database.ts";
import { addBareVenues, addEndpoints } from "../support/many-endpoints.ts";
import { startApp, type TestApp } from "../support/test-app.ts";

const VENUES = 100;
const ENDPOINTS_PER_VENUE = 20;
const [DONE, WAITING, READY] = process.env.TEST_STRESS ? [100_000, 10_000, 20_000] : [50_000, 6000, 10_000];
const CALLS = process.env.TEST_STRESS ? 60 : 30;
const RATIO_MAX = 2;
/** Below this a ratio says more about the clock than about the query. */
const SMALL_MS = 3;
const CLAIM = "select * from claim_endpoints(1, '{}', '{}', 24, 12, 12, null)";
const PURGE = "select purge_deliveries(now() - interval '30 days', 5000)";

const asService = async (database: TestDatabase): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: database.appUrl, options: "-c search_path=app" });
  await client.connect();
  return client;
};

/** Each of the given endpoints has so many deliveries of one state. */
const FILL = `
  with made as (
    insert into events (restaurant_id, id, type, created_at, body)
    select r, gen_random_uuid(), 'order.created', now(), '{}'
    from (select distinct restaurant_id as r from webhook_endpoints where id = any($1::bigint[])) v, generate_series(1, $2::integer)
    returning restaurant_id, id
  )
  insert into deliveries (restaurant_id, endpoint_id, event_id, event_type, state, due_at, created_at, updated_at)
  select e.restaurant_id, e.id, made.id, 'order.created', $3, now() + $4::interval, now(), now()
  from made join webhook_endpoints e using (restaurant_id) where e.id = any($1::bigint[])`;

let app: TestApp;
let empty: TestDatabase;
let clients: { empty: pg.Client; full: pg.Client };
let endpoints: ClaimedEndpoint[];

const addEndpointState = async (database: TestDatabase): Promise<void> => {
  await database.asOwner(
    `insert into restaurants (slug, name, currency, zone, default_language, plan, created_at, updated_at)
     select 'venue-' || n, '{"en": "Bare"}', 'EUR', 'UTC', 'en', 'complete', now(), now() from generate_series(1, $1::integer) n`,
    [VENUES],
  );
  await database.asOwner(
    `with e as (
       insert into webhook_endpoints (restaurant_id, url, events, created_by, created_at, updated_at)
       select r.id, 'https://pos.test/', '{order.created}', 'test', now(), now() from restaurants r, generate_series(1, $1::integer)
       returning restaurant_id, id
     ) insert into webhook_endpoint_state (restaurant_id, endpoint_id) select restaurant_id, id from e`,
    [ENDPOINTS_PER_VENUE],
  );
};

const call = async (client: pg.Client, text: string): Promise<number> => {
  const begin = performance.now();
  await client.query({ name: text.slice(7, 30), text });
  return performance.now() - begin;
};

beforeAll(async () => {
  empty = await cloneDatabase();
  const full = await cloneDatabase();
  app = await startApp({ environment: { ENCRYPTION_KEYS: `test:${Buffer.alloc(32).toString("base64")}` }, database: full });
  for (const database of [empty, full]) await addEndpointState(database);
  clients = { empty: await asService(empty), full: await asService(full) };
  // Plans are made now, while there is nothing, and kept: the service's connections live for half an hour.
  for (let calls = 0; calls < 10; calls++) for (const text of [CLAIM, PURGE]) await call(clients.full, text);
  endpoints = (await full.asOwner<{ id: string; restaurant_id: string }>("select id, restaurant_id from webhook_endpoints order by 1")).map(
    ({ id, restaurant_id }) => ({ id: Number(id), restaurant_id: Number(restaurant_id) }),
  );
  const all = endpoints.map(({ id }) => id);
  await full.asOwner(FILL, [all.slice(0, 1), 100, "ready", "0"]);
  for (let calls = 0; calls < 10; calls++) await serve(busy());
  const admin = await connectAsAdmin(full);
  await admin.query("set session_replication_role = replica");
  await admin.query(FILL, [all, DONE / all.length, "done", null]);
  await admin.query(FILL, [all, WAITING / all.length, "waiting", "1 hour"]);
  await admin.query(FILL, [all.slice(0, 1), READY, "ready", "0"]);
  await admin.end();
  // One is due in the empty database as well, so both have an endpoint to claim.
  await empty.asOwner(FILL, [
    (await empty.asOwner<{ id: string }>("select min(id) as id from webhook_endpoints")).map(({ id }) => id),
    1,
    "ready",
    "0",
  ]);
}, 120_000);
afterAll(async () => {
  await clients.empty.end();
  await clients.full.end();
  await app.close();
  await app.database.drop();
  await empty.drop();
});

const median = (times: number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;

type TimedPair = { before: number; after: number };

/** Turn by turn, so that whatever else the machine does falls on both. */
const inTurns = async (before: () => Promise<number>, after: () => Promise<number>): Promise<TimedPair> => {
  const times: { before: number[]; after: number[] } = { before: [], after: [] };
  for (let calls = 0; calls < CALLS; calls++) {
    times.before.push(await before());
    times.after.push(await after());
  }
  return { before: median(times.before), after: median(times.after) };
};

const isFlat = ({ before, after }: TimedPair): boolean => after <= SMALL_MS || after / before <= RATIO_MAX;
const figures = ({ before, after }: TimedPair): string => `${before.toFixed(2)} → ${after.toFixed(2)} ms`;

const compareClaims = (): Promise<TimedPair> =>
  inTurns(
    () => call(clients.empty, CLAIM),
    () => call(clients.full, CLAIM),
  );

const STOCK = `${DONE} done, ${WAITING} waiting, ${READY} ready at one endpoint`;

test(`claiming costs the same beside ${STOCK} and ${VENUES * ENDPOINTS_PER_VENUE} endpoints`, async () => {
  const pair = await compareClaims();
  console.info(`claim_endpoints, nothing → ${STOCK}: ${figures(pair)}`);
  expect(isFlat(pair), figures(pair)).toBe(true);
});

test("a purge that finds nothing to delete costs the same", async () => {
  const pair = await inTurns(
    () => call(clients.empty, PURGE),
    () => call(clients.full, PURGE),
  );
  console.info(`purge_deliveries, nothing → ${STOCK}: ${figures(pair)}`);
  expect(isFlat(pair), figures(pair)).toBe(true);
});

type ClaimedEndpoint = { id: number; restaurant_id: number };
const busy = (): ClaimedEndpoint => endpoints[0] as ClaimedEndpoint;

/** Reads ten that are due and records them as delivered. The busy endpoint's secret is not there to be opened, which changes nothing. */
const serve = async ({ id, restaurant_id }: ClaimedEndpoint): Promise<number> => {
  const inVenue = asSystem(app.deps, restaurant_id);
  const outcome = { status: 200, durationMs: 1, failure: null, excerpt: "ok" };
  const begin = performance.now();
  const { deliveries } = await inVenue((ctx) => readBatch(ctx, id, 10, app.deps.config.encryptionKeys));
  const results = deliveries.map((delivery) => ({ delivery, at: app.clock.now(), outcome }));
  expect(results).toHaveLength(10);
  await inVenue((ctx) =>
    recordResults(ctx, { endpointId: id, worker: 1, url: "https://pos.test/", kind: "webhook", isReleased: false }, results),
  );
  return performance.now() - begin;
};

test("what is due is read, and its outcome written, as quickly for a venue with much as for one with little", async () => {
  const [slug = ""] = await addBareVenues(app, "quiet", 1);
  const [quietId = 0] = await addEndpoints(app, slug, ["https://pos.test/"]);
  await app.database.asOwner(FILL, [[quietId], 10 * CALLS + 10, "ready", "0"]);
  const [venue] = await app.database.asOwner<{ id: number }>("select id::integer from restaurants where slug = $1", [slug]);
  const quiet = { id: quietId, restaurant_id: venue?.id ?? 0 };
  // Autovacuum does it within a minute. Until then PostgreSQL 15 reads more than it needs to (10 ms instead of 3), 18 does not.
  await app.database.asOwner("analyze deliveries");
  const pair = await inTurns(
    () => serve(quiet),
    () => serve(busy()),
  );
  console.info(`reading and recording ten, a venue with ${10 * CALLS} deliveries → one with ${READY}: ${figures(pair)}`);
  expect(pair.after / pair.before).toBeLessThanOrEqual(RATIO_MAX);
});

describe("how it is done", () => {
  type Node = { "Node Type": string; "Relation Name"?: string; "Index Name"?: string; Plans?: Node[] };
  const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

  /** The plan of every statement inside, as it was run. */
  const plansOf = async (text: string): Promise<Node[]> => {
    const admin = await connectAsAdmin(app.database);
    const nodes: Node[] = [];
    admin.on("notice", ({ message = "" }) => {
      const plan = message.slice(message.indexOf("{"));
      if (message.includes("plan:")) nodes.push(...nodesOf((JSON.parse(plan) as { Plan: Node }).Plan));
    });
    await admin.query(
      `load 'auto_explain'; set auto_explain.log_min_duration = 0; set auto_explain.log_nested_statements = on;
       set auto_explain.log_format = json; set client_min_messages = log`,
    );
    await admin.query(text);
    await admin.end();
    return nodes;
  };

  test.each([
    { what: "claiming", text: CLAIM, index: "deliveries_ready" },
    { what: "purging", text: PURGE, index: "deliveries_age" },
  ])("$what reads no table from end to end", async ({ text, index }) => {
    const nodes = await plansOf(text);
    expect(nodes.map((node) => node["Index Name"])).toContain(index);
    const scans = nodes.filter((node) => node["Node Type"] === "Seq Scan").map((node) => node["Relation Name"]);
    expect(scans).toEqual([]);
  });
});

test("planted: without the index of what is due, the same check finds it", async () => {
  await app.database.asOwner("drop index deliveries_ready");
  const pair = await compareClaims();
  console.info(`planted, without the index: ${figures(pair)}`);
  expect(isFlat(pair)).toBe(false);
});
