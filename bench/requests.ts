/**
 * `npm run bench:requests`: what is left of the bare engine when a request passes the gates, the limiter in Redis, row level
 * security, audit and idempotency. Each scenario takes turns with its references in one run. BENCH_SCENARIO=dish runs one alone.
 */
import { fileURLToPath } from "node:url";
import { createFleet, type Program } from "../server/test/support/processes.ts";
import type { ApiProcess, BenchService } from "./bench-service.ts";
import { type BenchSize, defineBenchmark, runFull } from "./benchmark.ts";
import type { BusyVenue } from "./busy-venues.ts";
import { limitCore } from "./cpu-quota.ts";
import { run as load, requestText } from "./load.ts";
import { type Figure, figureOf, quantile, ratiosOf, say, takeTurns } from "./measure.ts";
import { openPgbench, requirePgbench, scriptOf } from "./pgbench.ts";
import type { RecordedStatement } from "./statement-recorder.ts";

const CLIENTS = 16;

const BARE: Program = { file: fileURLToPath(new URL("bare-server.ts", import.meta.url)), readySign: "Server listening" };

export type RequestsStage = { service: BenchService; api: ApiProcess; close(): Promise<void> };

type ObservedRequest = { method?: "GET" | "POST"; path: string; body?: string };
type ObservedAnswer = { sent: RecordedStatement[]; body: string };

/** One request inside this process, with what it sent to PostgreSQL and what it answered. */
const observe = async (
  { app, recorder }: BenchService,
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

type RateWanted = { port: number; next: () => string; status?: number };

const rateOf = async ({ seconds, requests }: BenchSize, { port, next, status = 200 }: RateWanted): Promise<number> =>
  (await load({ port, connections: CLIENTS, ms: seconds * 1000, requests, next, status })).perSecond;

const isToken = ({ text }: RecordedStatement): boolean => text.includes("authenticate(");

const median = (values: readonly number[]): string => quantile(values, 0.5).toFixed(0);

const firstOf = ({ venues: [venue] }: BenchService): BusyVenue => {
  if (!venue) throw new Error("No venue was built");
  return venue;
};

/** A scenario with a body is a POST that writes nothing. */
type ReadScenario = { what: string; path: (venue: BusyVenue) => string; body?: (venue: BusyVenue) => string };

const observeRead = async ({ service, api }: RequestsStage, size: BenchSize, { what, path, body: bodyOf }: ReadScenario) => {
  const venue = firstOf(service);
  say(`\n${what}`);
  const asked = { path: path(venue), ...(bodyOf ? { method: "POST" as const, body: bodyOf(venue) } : {}) };
  await observe(service, venue, asked);
  const { sent, body } = await observe(service, venue, asked);
  const text = requestText({ ...asked, token: venue.token });
  return { own: sent.filter((one) => !isToken(one)), body, rate: () => rateOf(size, { port: api.port, next: () => text }) };
};

const startBare = async ({ service }: RequestsStage, statements: readonly RecordedStatement[], body: string) => {
  const [first, ...more] = statements;
  const task = { ...first, url: service.database.ownerUrl, body, more };
  const bare = await createFleet(service.database.appUrl, { TASK: JSON.stringify(task) });
  await bare.start({}, BARE);
  return bare;
};

const seenOf = (ours: readonly number[], theirs: readonly number[]): string => `service ${median(ours)}/s, reference ${median(theirs)}/s`;

/** A read of one statement: against pgbench with it, and against a bare handler that runs it or only sends the same bytes. */
const readScenario =
  (name: "dish" | "page", read: ReadScenario) =>
  async (stage: RequestsStage, size: BenchSize): Promise<Figure[]> => {
    const { own, body, rate } = await observeRead(stage, size, read);
    if (own.length !== 1)
      throw new Error(`${read.what} sends ${own.length} statements, not one: ${own.map(({ text }) => text).join("; ")}`);
    const bare = await startBare(stage, own, body);
    const pgbench = openPgbench(stage.service.database.ownerUrl, [scriptOf(own)], CLIENTS);
    const seen = await takeTurns(size.rounds, {
      service: rate,
      handler: () => rateOf(size, { port: bare.port, next: () => requestText({ path: "/query" }) }),
      bytes: () => rateOf(size, { port: bare.port, next: () => requestText({ path: "/bytes" }) }),
      pgbench: () => pgbench.perSecond(size.seconds),
    });
    await bare.close();
    return (["handler", "bytes", "pgbench"] as const).map((other) =>
      figureOf(`requests ${name}, ${other}`, read.what, ratiosOf(seen.service, seen[other]), seenOf(seen.service, seen[other])),
    );
  };

const quoteScenario = async (stage: RequestsStage, size: BenchSize): Promise<Figure[]> => {
  const what = "Quote an order of three lines";
  const { own, body, rate } = await observeRead(stage, size, { what, path: () => "/api/v1/orders/quote", body: ({ order }) => order });
  if (own.length === 0) throw new Error("A quote sends no statement");
  const bare = await startBare(stage, own, body);
  const handler = () => rateOf(size, { port: bare.port, next: () => requestText({ path: "/queries" }) });
  const seen = await takeTurns(size.rounds, { service: rate, handler });
  await bare.close();
  return [
    figureOf(
      "requests quote",
      `${what} (${own.length} statements)`,
      ratiosOf(seen.service, seen.handler),
      seenOf(seen.service, seen.handler),
    ),
  ];
};

const availabilityScenario = async (stage: RequestsStage, size: BenchSize): Promise<Figure[]> => {
  const what = "Free times of one day, 40 tables, 120 bookings";
  const { own, rate } = await observeRead(stage, size, {
    what,
    path: ({ bookedDay }) => `/api/v1/availability?date=${bookedDay}&party_size=2`,
  });
  const bench = openPgbench(stage.service.database.ownerUrl, [scriptOf(own)], CLIENTS);
  const seen = await takeTurns(size.rounds, { service: rate, pgbench: () => bench.perSecond(size.seconds) });
  return [
    figureOf(
      "requests availability",
      `${what} (${own.length} statements)`,
      ratiosOf(seen.service, seen.pgbench),
      seenOf(seen.service, seen.pgbench),
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

const orderScripts = async ({ service }: RequestsStage): Promise<string[]> => {
  const scripts: string[] = [];
  for (const venue of service.venues) {
    const asked = { method: "POST" as const, path: "/api/v1/orders", body: venue.order };
    await observe(service, venue, asked, `first-${venue.id}`);
    const other = await observe(service, venue, asked, `second-${venue.id}`);
    const { sent } = await observe(service, venue, asked, `third-${venue.id}`);
    scripts.push(scriptOf(sent, differing(sent, other.sent)));
  }
  if (process.env.BENCH_SCRIPTS) say(scripts[0] ?? "");
  return scripts;
};

const orderScenario = async (stage: RequestsStage, size: BenchSize): Promise<Figure[]> => {
  const what = "Place an order of three lines, with a key and one subscribed address";
  say(`\n${what}`);
  const { venues, database } = stage.service;
  let count = 0;
  const next = (): string => {
    const venue = venues[count++ % venues.length] as BusyVenue;
    const headers = { "Idempotency-Key": `bench-${process.pid}-${count}` };
    return requestText({ method: "POST", path: "/api/v1/orders", token: venue.token, body: venue.order, headers });
  };
  // The statements run as the service's own role: the statements hold its tenant's name, and row level security stands under them.
  const pgbench = openPgbench(database.appUrl, await orderScripts(stage), CLIENTS);
  const seen = await takeTurns(size.rounds, {
    service: () => rateOf(size, { port: stage.api.port, next, status: 201 }),
    pgbench: () => pgbench.perSecond(size.seconds),
  });
  return [figureOf("requests order", what, ratiosOf(seen.service, seen.pgbench), seenOf(seen.service, seen.pgbench))];
};

const reportScenario = async ({ service, api }: RequestsStage, { rounds, seconds }: BenchSize): Promise<Figure[]> => {
  const what = "Sales summary of 366 days";
  say(`\n${what}`);
  const { token } = firstOf(service);
  const today = new Date().toISOString().slice(0, 10);
  const yearAgo = new Date(Date.now() - 365 * 86_400_000).toISOString().slice(0, 10);
  const latency = async (from: string): Promise<number> => {
    const text = requestText({ path: `/api/v1/reports/sales-summary?from=${from}&to=${today}`, token });
    const { latenciesMs } = await load({ port: api.port, connections: 1, ms: (seconds * 1000) / 2, next: () => text, status: 200 });
    return quantile(latenciesMs, 0.5) * 1000;
  };
  const seen = await takeTurns(rounds, { year: () => latency(yearAgo), day: () => latency(today) });
  return [figureOf("requests report", what, ratiosOf(seen.year, seen.day), `${median(seen.year)} µs and ${median(seen.day)} µs`)];
};

/** The share of one core for each process. The rest of two cores is left to the programs that both processes call. */
const SHARE = 0.3;

/**
 * Two processes against one, twice: as they come, where on a small machine the client, PostgreSQL and Redis need the cores as well, and each
 * with a part of a core of its own, where nothing but the processes is the limit. Where cores cannot be parted, the second is left out.
 */
const processesScenario = async ({ service }: RequestsStage, size: BenchSize): Promise<Figure[]> => {
  const what = "Two processes, a page of 25 orders";
  say(`\n${what}`);
  const text = requestText({ path: "/api/v1/orders?per_page=25", token: firstOf(service).token });
  const [one, two] = await Promise.all([service.startTogether(1), service.startTogether(2)]);
  const measure = async (name: "requests processes" | "requests processes, limited", label: string): Promise<Figure> => {
    const seen = await takeTurns(size.rounds, {
      two: () => rateOf(size, { port: two.port, next: () => text }),
      one: () => rateOf(size, { port: one.port, next: () => text }),
    });
    return figureOf(name, label, ratiosOf(seen.two, seen.one), `two ${median(seen.two)}/s, one ${median(seen.one)}/s`);
  };
  const figures = [await measure("requests processes", what)];
  const releases = [...one.pids, ...two.pids].map((pid) => limitCore(pid, SHARE));
  if (!releases.includes(null)) figures.push(await measure("requests processes, limited", `${what}, each with ${SHARE * 100} % of a core`));
  await Promise.all([one.stop(), two.stop()]);
  for (const release of releases) await release?.();
  return figures;
};

export const BENCHMARK = defineBenchmark<RequestsStage>({
  name: "requests",
  command: "npm run bench:requests",
  size: { rounds: 6, seconds: 4 },
  ground: { venues: 8 },
  async open(ground) {
    requirePgbench();
    const service = await ground.service();
    const api = await service.api();
    return { service, api, close: async () => undefined };
  },
  scenarios: {
    dish: readScenario("dish", { what: "Read one dish", path: ({ dishId }) => `/api/v1/items/${dishId}` }),
    page: readScenario("page", { what: "Read a page of 25 orders", path: () => "/api/v1/orders?per_page=25" }),
    order: orderScenario,
    quote: quoteScenario,
    availability: availabilityScenario,
    report: reportScenario,
    processes: processesScenario,
  },
});

if (import.meta.main) await runFull(BENCHMARK);
