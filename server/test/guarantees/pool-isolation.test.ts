/**
 * Many restaurants over few connections, with failures of every kind: no connection keeps the tenant of an earlier request.
 *
 * @every-postgres
 */
import { Agent, request } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPool } from "#db/pool.ts";
import { openLog } from "#deps.ts";
import { answerProblems, type CheckedAnswer, type JsonValue } from "../../../conformance/answer-check.ts";
import { faultInjectingPool, type InjectedFault } from "../support/fault-injection.ts";
import { random, SEED } from "../support/seeded-random.ts";
import { marked } from "../support/tenant-fixtures.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";
import { testPostgres } from "../support/test-postgres.ts";

const REQUESTS = process.env.TEST_STRESS ? 10_000 : 800;
const VENUES = process.env.TEST_STRESS ? 20 : 10;
const CALLERS = 25;
const CONNECTIONS = 5;
const KILL_EVERY = 250;

type PoolVenue = TestVenue & { mark: string; menu: number; category: number; item: number };

let app: TestApp;
let venues: PoolVenue[];
let admin: pg.Client;
let port: number;
const agent = new Agent({ keepAlive: true });
const chance = random(SEED);
let errorsPerMille = 0;

/** Any statement of a transaction may fail: its begin, its work, its commit, even its rollback. */
const failAtRandom: InjectedFault = () => (chance(1000) < errorsPerMille ? { text: "select 1 / 0" } : null);

beforeAll(async () => {
  app = await startApp({ environment: { DATABASE_CONNECTIONS_MAX: String(CONNECTIONS) }, pool: faultInjectingPool(failAtRandom) });
  await app.app.http.listen({ host: "127.0.0.1", port: 0 });
  port = (app.app.http.server.address() as AddressInfo).port;
  venues = [];
  for (let number = 0; number < VENUES; number++) venues.push(await openVenue(`venue-${number}`));
  admin = new pg.Client({ connectionString: (await testPostgres()).adminUrl });
  await admin.connect();
}, 120_000);
afterAll(async () => {
  await admin.end();
  agent.destroy();
  await app.close();
});

const openVenue = async (slug: string): Promise<PoolVenue> => {
  const mark = `<${slug}>`;
  const venue = await app.venue("lab", (file) => {
    Object.assign(file, marked(file, mark));
    file.restaurant.slug = slug;
  });
  const { body } = await app.call(venue.token, "GET", "/items?per_page=1");
  const [{ id: item, category_id: category }] = body.data;
  const menus = await app.call(venue.token, "GET", "/menus");
  return { ...venue, mark, menu: menus.body.data[0].id, category, item };
};

type PoolCall = { method: string; path: string; body?: object; headers?: Record<string, string> };

/** Own rows read and written, other venues' rows asked for, and bodies that are refused. */
const CALLS: ((own: PoolVenue, other: PoolVenue) => PoolCall)[] = [
  () => ({ method: "GET", path: "/menus" }),
  (own) => ({ method: "GET", path: `/menus/${own.menu}` }),
  () => ({ method: "GET", path: "/categories" }),
  () => ({ method: "GET", path: "/items?per_page=100" }),
  (own) => ({ method: "GET", path: `/items/${own.item}` }),
  (own) => ({ method: "POST", path: "/items", body: { category_id: own.category, name: `New ${own.mark}`, price_minor: chance(5000) } }),
  (own) => ({
    method: "POST",
    path: "/items",
    body: { category_id: own.category, name: `Keyed ${own.mark}`, price_minor: 1 },
    headers: { "idempotency-key": `key-${chance(50)}` },
  }),
  (own) => ({ method: "PATCH", path: `/items/${own.item}`, body: { price_minor: chance(5000) } }),
  (own) => ({ method: "PUT", path: `/items/${own.item}/availability`, body: { is_available: chance(2) === 0 } }),
  (_, other) => ({ method: "GET", path: `/menus/${other.menu}` }),
  (_, other) => ({ method: "PATCH", path: `/items/${other.item}`, body: { price_minor: 1 } }),
  (own, other) => ({ method: "PATCH", path: `/items/${own.item}`, body: { category_id: other.category } }),
  (own) => ({ method: "POST", path: "/items", body: { category_id: own.category, name: 7 } }),
  () => ({ method: "GET", path: "/items?cursor=nowhere" }),
];

const ALLOWED = [200, 201, 404, 409, 422, 500, 503];

type SoakResult = { faults: string[]; statuses: Record<string, number> };

const soak = async (requestCount: number): Promise<SoakResult> => {
  const outcome: SoakResult = { faults: [], statuses: {} };
  let left = requestCount;
  const caller = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      if (errorsPerMille > 0 && left % KILL_EVERY === 0) await killOne();
      await callOnce(outcome);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return outcome;
};

const callOnce = async ({ faults, statuses }: SoakResult): Promise<void> => {
  const [own, other] = [venues[chance(VENUES)], venues[chance(VENUES)]] as [PoolVenue, PoolVenue];
  const call = (CALLS[chance(CALLS.length)] as (typeof CALLS)[number])(own, other);
  const hangUpAfterMs = chance(100) < 8 ? chance(6) : null;
  const answer = await send(own.token, call, hangUpAfterMs);
  const what = `${own.mark} ${call.method} ${call.path}`;
  const status = answer?.status ?? "hung up";
  statuses[status] = (statuses[status] ?? 0) + 1;
  if (!answer) return;
  const foreign = [...answer.text.matchAll(/<venue-\d+>/g)].find(([mark]) => mark !== own.mark);
  if (foreign) faults.push(`${what} shows ${foreign[0]}`);
  if (!ALLOWED.includes(answer.status)) faults.push(`${what} is answered ${answer.status}`);
  faults.push(...answerProblems({ token: own.token, ...call }, answer).map((problem) => `${what}: ${problem}`));
};

/** Null when the client hung up before the answer was complete. */
const send = (token: string, { method, path, body, headers = {} }: PoolCall, hangUpAfterMs: number | null): Promise<CheckedAnswer | null> =>
  new Promise((resolve, reject) => {
    const sent = request({ port, agent, method, path: `/api/v1${path}`, headers: { authorization: `Bearer ${token}`, ...headers } });
    let hasHungUp = false;
    if (hangUpAfterMs !== null)
      setTimeout(() => {
        hasHungUp = true;
        sent.destroy();
        resolve(null);
      }, hangUpAfterMs);
    sent.on("error", (error) => !hasHungUp && reject(error));
    sent.on("response", (response) => {
      const status = response.statusCode ?? 0;
      const answerHeaders = new Headers(response.headers as Record<string, string>);
      readText(response).then(
        (text) => resolve({ status, headers: answerHeaders, text, body: JSON.parse(text) as JsonValue }),
        (error: unknown) => !hasHungUp && reject(error as Error),
      );
    });
    sent.end(body && JSON.stringify(body));
  });

/** A connection that ends in the middle of its work, as in a failover. */
const killOne = (): Promise<unknown> =>
  admin.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = 'comanda_app' order by random() limit 1",
    [new URL(app.database.appUrl).pathname.slice(1)],
  );

/** What the connections still hold of those they served: all of them are taken at once, so none is looked at twice. */
const leftovers = async (pool: pg.Pool): Promise<string[]> => {
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => pool.connect()));
  const found: string[] = [];
  for (const client of clients) {
    const { rows } = await client.query<{ tenant: string | null; visible: number }>(
      "select current_setting('app.restaurant_id', true) as tenant, (select count(*) from items) as visible",
    );
    if (rows[0]?.tenant || rows[0]?.visible !== 0) found.push(`tenant ${rows[0]?.tenant}, ${rows[0]?.visible} dishes in sight`);
    client.release();
  }
  return found;
};

/** Rows that carry the mark of another venue than the one they belong to. */
const misplacedRows = () =>
  app.database.asOwner(
    `select r.slug, x.kind, x.content from restaurants r join (
       select restaurant_id, 'item' as kind, name::text as content from items
       union all select restaurant_id, 'event', body from events
       union all select restaurant_id, 'stored answer', body from idempotency_keys where status = 201
       union all select restaurant_id, 'audit entry', after::text from audit_entries where action = 'item.created'
     ) x on x.restaurant_id = r.id where position('<' || r.slug || '>' in x.content) = 0`,
  );

test(`${VENUES} venues over ${CONNECTIONS} connections: each answer and each row is its own venue's, whatever fails`, async () => {
  errorsPerMille = 15;
  const { faults, statuses } = await soak(REQUESTS);
  errorsPerMille = 0;
  console.info(`pool isolation, seed ${SEED}: ${REQUESTS} requests, ${faults.length} faults, ${JSON.stringify(statuses)}`);
  expect(faults).toEqual([]);
  for (const kind of ["200", "201", "404", "422", "500", "hung up"]) expect(statuses[kind] ?? 0, kind).toBeGreaterThan(0);
  expect(await misplacedRows()).toEqual([]);
  expect(await leftovers(app.deps.pool)).toEqual([]);
}, 300_000);

test("planted: a tenant set for the session instead of the transaction stays on the connection, and is found", async () => {
  const forSession: InjectedFault = ({ text }) =>
    text.startsWith("begin; select set_config(") ? { text: text.replace(", true)", ", false)") } : null;
  const careless = await startApp({
    database: app.database,
    environment: { DATABASE_CONNECTIONS_MAX: String(CONNECTIONS) },
    pool: faultInjectingPool(forSession),
  });
  try {
    const [venue] = venues as [PoolVenue];
    await careless.call(venue.token, "PATCH", `/items/${venue.item}`, { body: { price_minor: 4999 } });
    expect(await leftovers(careless.deps.pool)).toHaveLength(1);
  } finally {
    await careless.close();
  }
});

test("why the setting is local: the next user of a connection sees the rows of a session's tenant", async () => {
  const pool = openPool({ url: app.database.appUrl, connectionsMax: 1, log: openLog("fatal") });
  const visible = async () => (await pool.query<{ count: number }>("select count(*) as count from items")).rows[0]?.count;
  try {
    const set = (isLocal: boolean) => `begin; select set_config('app.restaurant_id', '${venues[0]?.id}', ${isLocal}); commit`;
    await pool.query(set(true));
    expect(await visible()).toBe(0);
    await pool.query(set(false));
    expect(await visible()).toBeGreaterThan(0);
  } finally {
    await pool.end();
  }
});
