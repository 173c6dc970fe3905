/**
 * `npm run bench:requests`: what is left of the bare engine when a request passes the gates, the limiter in Redis, row level
 * security, audit and idempotency. Each scenario takes turns with its references in one run. BENCH_SCENARIO=dish runs one alone.
 */

import { cpus } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { type App, buildApp } from "../server/src/compose/api.ts";
import { readConfig } from "../server/src/config.ts";
import { openPool } from "../server/src/db/pool.ts";
import { type Deps, openDeps, openLog } from "../server/src/deps.ts";
import { openThrowaway, type Throwaway } from "../server/src/dev/throwaway.ts";
import { createRequestLogBuffer } from "../server/src/platform/request-log/service.ts";
import { createFleet, createRedis, type Fleet, type Program } from "../server/test/support/processes.ts";
import { type BusyVenue, buildVenues } from "./busy-venues.ts";
import { limitCore } from "./cpu-quota.ts";
import { ENCRYPTION_KEYS } from "./delivery-dataset.ts";
import { run as load, requestText } from "./load.ts";
import { type Figure, publish, quantile, ratiosOf, say, spreadOf, takeTurns } from "./measure.ts";
import { openPgbench, requirePgbench, scriptOf } from "./pgbench.ts";
import { type RecordedStatement, type Recorder, recordStatements } from "./statement-recorder.ts";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 6);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
const CLIENTS = 16;
const VENUES = 8;

const BARE: Program = { file: fileURLToPath(new URL("bare-server.ts", import.meta.url)), readySign: "Server listening" };

type RequestsBench = { app: App; recorder: Recorder; database: Throwaway; fleet: Fleet; venues: BusyVenue[] };

type ObservedRequest = { method?: "GET" | "POST"; path: string; body?: string };
type ObservedAnswer = { sent: RecordedStatement[]; body: string };

/** One request inside this process, with what it sent to PostgreSQL and what it answered. */
const observe = async (
  { app, recorder }: RequestsBench,
  venue: BusyVenue,
  { method = "GET", path, body }: ObservedRequest,
  key?: string,
): Promise<ObservedAnswer> => {
  const headers: Record<string, string> = { authorization: `Bearer ${venue.token}` };
  if (body) headers["content-type"] = "application/json";
  if (key) headers["idempotency-key"] = key;
  const ask = () => app.http.inject({ method, url: path, headers, ...(body ? { payload: body } : {}) });
  const { result, sent } = await recorder.during(ask);
  if (result.statusCode >= 300) throw new Error(`${method} ${path} answered ${result.statusCode}: ${result.body}`);
  return { sent, body: result.body };
};

const rateOf = async (port: number, next: () => string, status = 200): Promise<number> =>
  (await load({ port, connections: CLIENTS, ms: SECONDS * 1000, next, status })).perSecond;

const isToken = ({ text }: RecordedStatement): boolean => text.includes("authenticate(");

const perSecond = (name: string, values: readonly number[]): string => `${name} ${quantile(values, 0.5).toFixed(0)}/s`;

/** With a body it is a POST that writes nothing. */
type ReadScenario = { what: string; path: (venue: BusyVenue) => string; body?: (venue: BusyVenue) => string };

const observeRead = async (stage: RequestsBench, { what, path, body: bodyOf }: ReadScenario) => {
  const [venue] = stage.venues;
  if (!venue) throw new Error("No venue was built");
  say(`\n${what}`);
  const asked = { path: path(venue), ...(bodyOf ? { method: "POST" as const, body: bodyOf(venue) } : {}) };
  await observe(stage, venue, asked);
  const { sent, body } = await observe(stage, venue, asked);
  const text = requestText({ ...asked, token: venue.token });
  return { own: sent.filter((one) => !isToken(one)), body, service: () => rateOf(stage.fleet.port, () => text) };
};

const against = (what: string, reference: string, seen: { service: number[]; other: number[] }, atLeast: number | null): Figure => ({
  what,
  against: reference,
  ratio: spreadOf(ratiosOf(seen.service, seen.other)),
  seen: `${perSecond("service", seen.service)}, ${perSecond("reference", seen.other)}`,
  bar: atLeast === null ? null : { atLeast },
});

/** A read of one statement: against pgbench with it, and against a bare handler that runs it or only sends the same bytes. */
const readScenario = async (
  stage: RequestsBench,
  read: ReadScenario,
  bars: { bare: number | null; pgbench: number | null },
): Promise<Figure[]> => {
  const { own, body, service } = await observeRead(stage, read);
  const [statement] = own;
  if (!statement || own.length !== 1) throw new Error(`${read.what} sends ${own.length} statements, not one`);
  const task = { url: stage.database.ownerUrl, text: statement.text, values: statement.values, body };
  const bare = await createFleet(stage.database.appUrl, { TASK: JSON.stringify(task) });
  await bare.start({}, BARE);
  const pgbench = openPgbench(stage.database.ownerUrl, [scriptOf(own)], CLIENTS);
  const seen = await takeTurns(ROUNDS, {
    service,
    handler: () => rateOf(bare.port, () => requestText({ path: "/query" })),
    bytes: () => rateOf(bare.port, () => requestText({ path: "/bytes" })),
    pgbench: () => pgbench.perSecond(SECONDS),
  });
  await bare.close();
  return [
    against(
      read.what,
      "a bare Fastify handler with the same prepared statement",
      { service: seen.service, other: seen.handler },
      bars.bare,
    ),
    against(read.what, "a bare Fastify handler that sends the same bytes", { service: seen.service, other: seen.bytes }, null),
    against(
      read.what,
      "pgbench, same statement, as the owner and without row level security",
      { service: seen.service, other: seen.pgbench },
      bars.pgbench,
    ),
  ];
};

const quoteScenario = async (stage: RequestsBench): Promise<Figure[]> => {
  const what = "Quote an order of three lines";
  const { own, body, service } = await observeRead(stage, { what, path: () => "/api/v1/orders/quote", body: ({ order }) => order });
  const [first, ...more] = own;
  if (!first) throw new Error("A quote sends no statement");
  const bare = await createFleet(stage.database.appUrl, {
    TASK: JSON.stringify({ ...first, url: stage.database.ownerUrl, body, more }),
  });
  await bare.start({}, BARE);
  const seen = await takeTurns(ROUNDS, { service, handler: () => rateOf(bare.port, () => requestText({ path: "/queries" })) });
  await bare.close();
  const reference = `a bare Fastify handler with the same prepared statements (${own.length})`;
  return [against(what, reference, { service: seen.service, other: seen.handler }, 0.6)];
};

const availabilityScenario = async (stage: RequestsBench): Promise<Figure[]> => {
  const what = "Free times of one day, 40 tables, 120 bookings";
  const { own, service } = await observeRead(stage, {
    what,
    path: ({ bookedDay }) => `/api/v1/availability?date=${bookedDay}&party_size=2`,
  });
  const bench = openPgbench(stage.database.ownerUrl, [scriptOf(own)], CLIENTS);
  const seen = await takeTurns(ROUNDS, { service, pgbench: () => bench.perSecond(SECONDS) });
  return [
    against(
      what,
      `pgbench, same statements (${own.length}), as the owner and without row level security`,
      { service: seen.service, other: seen.pgbench },
      0.3,
    ),
  ];
};

/** Ids, keys and what is derived from them: whatever differs between two requests for the same, and is no moment. */
const differing = (one: readonly RecordedStatement[], other: readonly RecordedStatement[]): ((value: unknown) => boolean) => {
  const values = new Set(other.flatMap((sent) => sent.values.map(String)));
  const isNew = (value: unknown): boolean => (typeof value === "string" && value.length < 100) || Buffer.isBuffer(value);
  const fresh = new Set(one.flatMap((sent) => sent.values.filter(isNew).map(String)).filter((text) => !values.has(text)));
  return (value) => isNew(value) && fresh.has(String(value));
};

const orderScenario = async (stage: RequestsBench): Promise<Figure[]> => {
  const what = "Place an order of three lines, with a key and one subscribed address";
  say(`\n${what}`);
  let count = 0;
  const scripts: string[] = [];
  for (const venue of stage.venues) {
    const asked = { method: "POST" as const, path: "/api/v1/orders", body: venue.order };
    await observe(stage, venue, asked, `first-${venue.id}`);
    const other = await observe(stage, venue, asked, `second-${venue.id}`);
    const { sent } = await observe(stage, venue, asked, `third-${venue.id}`);
    scripts.push(scriptOf(sent, differing(sent, other.sent)));
  }
  if (process.env.BENCH_SCRIPTS) say(scripts[0] ?? "");
  const next = (): string => {
    const venue = stage.venues[count++ % VENUES] as BusyVenue;
    const headers = { "Idempotency-Key": `bench-${process.pid}-${count}` };
    return requestText({ method: "POST", path: "/api/v1/orders", token: venue.token, body: venue.order, headers });
  };
  // As the service's own role: the statements hold its tenant's name, and row level security stands under them.
  const pgbench = openPgbench(stage.database.appUrl, scripts, CLIENTS);
  const seen = await takeTurns(ROUNDS, {
    service: () => rateOf(stage.fleet.port, next, 201),
    pgbench: () => pgbench.perSecond(SECONDS),
  });
  return [
    {
      what,
      against: "pgbench, same statements in the same order, each waited for",
      ratio: spreadOf(ratiosOf(seen.service, seen.pgbench)),
      seen: `${perSecond("service", seen.service)}, ${perSecond("pgbench", seen.pgbench)}`,
      bar: { atLeast: 0.4 },
    },
  ];
};

const reportScenario = async ({ venues, fleet }: RequestsBench): Promise<Figure[]> => {
  const what = "Sales summary of 366 days";
  say(`\n${what}`);
  const [venue] = venues;
  const today = new Date().toISOString().slice(0, 10);
  const yearAgo = new Date(Date.now() - 365 * 86_400_000).toISOString().slice(0, 10);
  const latency = async (from: string): Promise<number> => {
    const text = requestText({ path: `/api/v1/reports/sales-summary?from=${from}&to=${today}`, token: venue?.token ?? "" });
    const { latenciesMs } = await load({ port: fleet.port, connections: 1, ms: (SECONDS * 1000) / 2, next: () => text, status: 200 });
    return quantile(latenciesMs, 0.5) * 1000;
  };
  const seen = await takeTurns(ROUNDS, { year: () => latency(yearAgo), day: () => latency(today) });
  const ratio = spreadOf(ratiosOf(seen.year, seen.day));
  const median = (values: number[]) => `${quantile(values, 0.5).toFixed(0)} µs`;
  return [{ what, against: "the summary of one day", ratio, seen: `${median(seen.year)} and ${median(seen.day)}`, bar: { atMost: 2 } }];
};

/** Of one core, to each process: leaves the rest of two cores to those whom both processes ask. */
const SHARE = 0.3;

/**
 * Two processes against one, twice: each with a part of a core of its own, where nothing but the processes is the limit, and as they
 * come, where on a small machine the client, PostgreSQL and Redis need the cores as well.
 */
const processesScenario = async (stage: RequestsBench, environment: Record<string, string>): Promise<Figure[]> => {
  const what = "Two processes, a page of 25 orders";
  say(`\n${what}`);
  const [venue] = stage.venues;
  const text = requestText({ path: "/api/v1/orders?per_page=25", token: venue?.token ?? "" });
  const measure = async (share: number | null): Promise<Figure> => {
    const fleets = {
      one: await createFleet(stage.database.appUrl, environment),
      two: await createFleet(stage.database.appUrl, environment),
    };
    const servers = [await fleets.one.start(), await fleets.two.start(), await fleets.two.start()];
    // Before they are held back: a process that has just started is slow for other reasons.
    for (const { port } of Object.values(fleets)) await rateOf(port, () => text);
    const releases = servers.map(({ pid }) => (share === null ? null : limitCore(pid, share)));
    const isLimited = share !== null && !releases.includes(null);
    const seen = await takeTurns(ROUNDS, {
      two: () => rateOf(fleets.two.port, () => text),
      one: () => rateOf(fleets.one.port, () => text),
    });
    for (const fleet of Object.values(fleets)) await fleet.close();
    for (const release of releases) await release?.();
    return {
      what: isLimited ? `${what}, each with ${share * 100} % of a core` : what,
      against: isLimited ? "one process with as much" : `one process, ${cpus().length} cores for everything`,
      ratio: spreadOf(ratiosOf(seen.two, seen.one)),
      seen: `${perSecond("two", seen.two)}, ${perSecond("one", seen.one)}`,
      bar: isLimited || cpus().length > 4 ? { atLeast: 1.6 } : null,
    };
  };
  return [await measure(SHARE), await measure(null)];
};

const scenarios = (stage: RequestsBench, environment: Record<string, string>): Record<string, () => Promise<Figure[]>> => ({
  dish: () => readScenario(stage, { what: "Read one dish", path: ({ dishId }) => `/api/v1/items/${dishId}` }, { bare: 0.5, pgbench: 0.2 }),
  page: () =>
    readScenario(stage, { what: "Read a page of 25 orders", path: () => "/api/v1/orders?per_page=25" }, { bare: 0.6, pgbench: null }),
  order: () => orderScenario(stage),
  quote: () => quoteScenario(stage),
  availability: () => availabilityScenario(stage),
  report: () => reportScenario(stage),
  processes: () => processesScenario(stage, environment),
});

const openBench = async (deps: Deps, recorder: Recorder, database: Throwaway, fleet: Fleet): Promise<RequestsBench> => {
  const app = await buildApp(deps, { requestLog: createRequestLogBuffer({ query: async () => [] }, deps.log) });
  const owner = new pg.Pool({ connectionString: database.ownerUrl, max: 1, options: "-c search_path=app" });
  say(`Setting up ${VENUES} venues`);
  const venues = await buildVenues(deps, app, owner, VENUES);
  await owner.end();
  return { app, recorder, database, fleet, venues };
};

/** BENCH_PROFILE=folder: the service writes what it spent its time on there when it ends, for `bench/profile.ts` to read. */
const profiling: Record<string, string> = process.env.BENCH_PROFILE
  ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-interval=200 --cpu-prof-dir=${resolve(process.env.BENCH_PROFILE)}` }
  : {};

const main = async (): Promise<boolean> => {
  requirePgbench();
  const database = await openThrowaway("bench", { durable: true });
  const redis = await createRedis();
  await redis.start();
  const environment = { REDIS_URL: redis.url, ENCRYPTION_KEYS, LOG_LEVEL: "error", NODE_ENV: "production" };
  const config = readConfig({ DATABASE_URL: database.appUrl, ENCRYPTION_KEYS, LOG_LEVEL: "error" });
  const log = openLog(config.logLevel);
  const recorder = recordStatements(openPool({ url: config.databaseUrl, connectionsMax: 1, log }));
  const deps = await openDeps(config, { log, pool: recorder.pool });
  const fleet = await createFleet(database.appUrl, { ...environment, LOG_LEVEL: "info" });
  const stage = await openBench(deps, recorder, database, fleet);
  const service = await fleet.start(profiling);
  const figures: Figure[] = [];
  const wanted = process.env.BENCH_SCENARIO?.split(",");
  for (const [name, measure] of Object.entries(scenarios(stage, { ...environment, LOG_LEVEL: "info" })))
    if (!wanted || wanted.includes(name)) figures.push(...(await measure()));
  await stage.app.stop();
  await deps.close();
  await service.stop();
  await fleet.close();
  await redis.stop();
  await database.close();
  return publish("requests", "npm run bench:requests", figures);
};

process.exitCode = (await main()) ? 0 : 1;
