/**
 * `npm run bench:versions -- OTHER_CHECKOUT`: this version against another one, round by round in turn, on one durable PostgreSQL and one
 * Redis. Each version has a database of its own and is set up by its own commands, so any two versions can be compared. The other
 * checkout needs its packages (`npm ci`). The smoke form compares this version with itself. `BENCH_SCENARIO=order` measures only that.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { urlsFor } from "../server/src/db/create-database.ts";
import { THROWAWAY_LOGINS, type Throwaway } from "../server/src/dev/throwaway.ts";
import { end, freePort } from "../server/test/support/processes.ts";
import { type BenchSize, defineBenchmark, runFull } from "./benchmark.ts";
import { run as load, requestText } from "./load.ts";
import { type Figure, figureOf, ratiosOf, say, spreadOf, takeTurns, written } from "./measure.ts";

const CLIENTS = 16;
const READY_ATTEMPTS_MAX = 600;
const ATTEMPTS_MAX = 20;

type BenchVenue = { token: string; dishId: number };
type RunningVersion = { port: number; venues: BenchVenue[]; process: ChildProcess; ownerUrl: string };

const untilReady = async (opsPort: number): Promise<void> => {
  for (let attempt = 0; attempt < READY_ATTEMPTS_MAX; attempt++) {
    if ((await fetch(`http://127.0.0.1:${opsPort}/readyz`).catch(() => null))?.ok) return;
    await sleep(100);
  }
  throw new Error("A version did not become ready");
};

type DemoAnswer = { venues: { slug: string; state: string; tokens: { full: string } }[] };

const DEMO_SLUGS = ["trattoria-da-nino", "gulf-cafe", "lab"];

/** Migrates a database, loads the sample venues and starts the API, all with the commands of that checkout. */
const startVersion = async (folder: string, database: Throwaway, redisUrl: string): Promise<RunningVersion> => {
  const { name } = database;
  const { appUrl, ownerUrl } = urlsFor(database.adminUrl, name, THROWAWAY_LOGINS);
  const [port, opsPort] = await Promise.all([freePort(), freePort()]);
  const key = `bench:${randomBytes(32).toString("base64")}`;
  const environment = {
    PATH: process.env.PATH,
    DATABASE_URL: appUrl,
    MIGRATION_DATABASE_URL: ownerUrl,
    REDIS_URL: redisUrl,
    ENCRYPTION_KEYS: key,
    // These settings have another name in the other version.
    ...Object.fromEntries(
      (process.env.BENCH_KEY_SETTINGS ?? "")
        .split(",")
        .filter(Boolean)
        .map((setting) => [setting, key]),
    ),
    PORT: String(port),
    OPS_PORT: String(opsPort),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    LOG_LEVEL: "error",
    NODE_ENV: "production",
  };
  const comandaAdmin = (...words: string[]): string =>
    execFileSync(process.execPath, ["server/src/admin/main.ts", ...words], { cwd: folder, env: environment, encoding: "utf8" });
  comandaAdmin("migrate");
  const demo = JSON.parse(comandaAdmin("demo", "--json")) as DemoAnswer;
  const child = spawn(process.execPath, ["server/src/main.ts", "api"], {
    cwd: folder,
    env: environment,
    stdio: ["ignore", "inherit", "inherit"],
  });
  await untilReady(opsPort);
  const open = demo.venues.filter(({ slug, state }) => state === "active" || DEMO_SLUGS.includes(slug)).slice(0, DEMO_SLUGS.length);
  const venues = await Promise.all(open.map(({ tokens }) => prepareVenue(port, tokens.full)));
  return { port, venues, process: child, ownerUrl };
};

type Dish = { id: number; price_minor: number | null; show_online: boolean; modifier_groups: unknown[] };

const prepareVenue = async (port: number, token: string): Promise<BenchVenue> => {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/items?per_page=100&available=true`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const { data } = (await answer.json()) as { data: Dish[] };
  const dish = data.find(({ price_minor, show_online, modifier_groups }) => price_minor && show_online && modifier_groups.length === 0);
  if (!dish) throw new Error("A sample venue has no plain dish");
  return { token, dishId: dish.id };
};

const orderOf = (dishId: number): string =>
  JSON.stringify({
    type: "pickup",
    customer_name: "Ada",
    customer_phone: `+39 06 ${Math.floor(Math.random() * 1_000_000)}`,
    lines: [{ item_id: dishId, quantity: 1 }],
  });

type VersionCall = { what: string; status: number; isHot?: true; request(venue: BenchVenue): string };

const KINDS: Record<string, VersionCall> = {
  dish: { what: "one dish", status: 200, request: ({ token, dishId }) => requestText({ token, path: `/api/v1/items/${dishId}` }) },
  page: { what: "a page of 25 orders", status: 200, request: ({ token }) => requestText({ token, path: "/api/v1/orders?per_page=25" }) },
  order: {
    what: "an order, three venues",
    status: 201,
    request: ({ token, dishId }) => requestText({ method: "POST", path: "/api/v1/orders", token, body: orderOf(dishId) }),
  },
  "order of one venue": {
    what: "an order, all in one venue",
    status: 201,
    isHot: true,
    request: ({ token, dishId }) => requestText({ method: "POST", path: "/api/v1/orders", token, body: orderOf(dishId) }),
  },
};

/** Gathers statistics of both databases at the same moment: which of them autovacuum visits first would decide their plans. */
const analyze = async ({ ownerUrl }: RunningVersion): Promise<void> => {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query("vacuum analyze");
  await client.end();
};

/** A busy machine may refuse a connection for a moment. Such a round is repeated. */
const rateOf = async ({ port, venues }: RunningVersion, kind: VersionCall, { seconds, requests }: BenchSize): Promise<number> => {
  let asked = 0;
  const used = kind.isHot ? venues.slice(0, 1) : venues;
  const next = (): string => kind.request(used[asked++ % used.length] as BenchVenue);
  for (let attempt = 1; ; attempt++)
    try {
      return (await load({ port, connections: CLIENTS, ms: seconds * 1000, requests, next, status: kind.status })).perSecond;
    } catch (error) {
      if (attempt === ATTEMPTS_MAX) throw error;
    }
};

type VersionsStage = { ours: RunningVersion; theirs: RunningVersion; close(): Promise<void> };

const compare = async ({ ours, theirs }: VersionsStage, size: BenchSize, kind: VersionCall): Promise<Figure[]> => {
  say(`\n${kind.what}: requests a second`);
  const versions = new Set([ours, theirs]);
  for (const version of versions) await rateOf(version, kind, size);
  for (const version of versions) await analyze(version);
  const seen = await takeTurns(size.rounds, { this: () => rateOf(ours, kind, size), other: () => rateOf(theirs, kind, size) });
  const rates = `this ${written(spreadOf(seen.this), 0)}, the other ${written(spreadOf(seen.other), 0)} a second`;
  return [figureOf("versions", `This version: ${kind.what}`, ratiosOf(seen.this, seen.other), rates)];
};

const otherCheckout = (): string => {
  const other = process.argv[2];
  if (!other) throw new Error("Name the checkout to compare with: npm run bench:versions -- OTHER_CHECKOUT");
  return resolve(other);
};

export const BENCHMARK = defineBenchmark<VersionsStage>({
  name: "versions",
  command: "npm run bench:versions",
  size: { rounds: 10, seconds: 2 },
  async open(ground, { share }) {
    const redisUrl = await ground.redisUrl();
    const ours = await startVersion(process.cwd(), await ground.database(), redisUrl);
    const theirs = share < 1 ? ours : await startVersion(otherCheckout(), await ground.emptyDatabase(), redisUrl);
    const close = async (): Promise<void> => {
      for (const { process: child } of new Set([ours, theirs])) await end(child, "SIGTERM");
    };
    return { ours, theirs, close };
  },
  scenarios: Object.fromEntries(
    Object.entries(KINDS).map(([name, kind]) => [name, (stage: VersionsStage, size: BenchSize) => compare(stage, size, kind)]),
  ),
});

if (import.meta.main) await runFull(BENCHMARK);
