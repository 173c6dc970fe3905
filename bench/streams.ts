/**
 * `npm run bench:streams`: one API process with two change streams for each of 100 and of 1,000 venues, while another process commits 50
 * changes a second. It measures how long after its commit a change is sent, how often the API asks PostgreSQL for changes, and what
 * processor time it uses. Needs redis-server, and Linux for the processor time.
 */
import { randomInt } from "node:crypto";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { readConfig } from "../server/src/config.ts";
import { onCommittedChanges } from "../server/src/db/changes.ts";
import { withTenant } from "../server/src/db/with-tenant.ts";
import { type Deps, openDeps, openLog } from "../server/src/deps.ts";
import type { Throwaway } from "../server/src/dev/throwaway.ts";
import { randomBase62, sha256 } from "../server/src/lib/token-format.ts";
import { recordAudit } from "../server/src/platform/activity/audit/service.ts";
import { tenantById } from "../server/src/platform/tenants/service.ts";
import { createFleet } from "../server/test/support/processes.ts";
import { type BenchSize, defineBenchmark, runFull } from "./benchmark.ts";
import { ENCRYPTION_KEYS } from "./delivery-dataset.ts";
import { type Figure, figureOf, publishTable, quantile, say } from "./measure.ts";
import { processorMs } from "./processor-time.ts";

const VENUES = 1000;
const STREAMS_PER_VENUE = 2;
const CHANGES_PER_SECOND = 50;
/** Streams opened at once. */
const OPEN_AT_ONCE = 20;
const MS_MAX = { p95: 500 };
/** PostgreSQL counts the calls of an idle connection up to ten seconds late. */
const STATISTICS_MS = 12_000;
const TOLD_MS_MAX = 30_000;

type StreamedVenue = { id: number; slug: string; cookie: string };

/** Venues with nothing but a name, each with a manager who is signed in. */
const addVenues = async (owner: pg.Pool, count: number): Promise<StreamedVenue[]> => {
  const cookies = Array.from({ length: count }, () => randomBase62(43));
  const { rows } = await owner.query<{ id: string; slug: string }>(
    `insert into restaurants (slug, name, currency, zone, default_language, plan, created_at, updated_at)
     select 'watched-' || n, '{"en": "Watched"}', 'EUR', 'UTC', 'en', 'complete', now(), now() from generate_series(1, $1) n returning id, slug`,
    [count],
  );
  await owner.query(
    `with person as (
       insert into users (email, name, created_at, updated_at)
       select 'user-' || place || '@example.com', 'User', now(), now() from generate_series(1, $1) place returning id, email
     ), session as (
       insert into sessions (hash, user_id, created_at, last_seen_at, expires_at)
       select h.hash, p.id, now(), now(), now() + interval '1 day'
       from unnest($2::bytea[]) with ordinality as h (hash, place) join person p on p.email = 'user-' || h.place || '@example.com'
     )
     insert into staff (restaurant_id, email, name, role, created_at, accepted_at)
     select v.id, 'user-' || v.place || '@example.com', 'User', 'manager', now(), now() from unnest($3::bigint[]) with ordinality as v (id, place)`,
    [count, cookies.map(sha256), rows.map(({ id }) => id)],
  );
  return rows.map(({ id, slug }, place) => ({ id: Number(id), slug, cookie: cookies[place] ?? "" }));
};

/** Changes that are committed and not yet sent to all streams: when, and how many streams are missing. */
type Expected = { committedAt: number; missing: number };

type Listener = { close(): void };

/** Reads a stream and calls `onPosition` with each number that it names. */
const listen = (port: number, { slug, cookie }: StreamedVenue, onPosition: (number: number) => void): Promise<Listener> =>
  new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: "127.0.0.1", noDelay: true });
    let isOpen = false;
    socket.on("error", reject);
    socket.on("data", (chunk) => {
      const text = chunk.toString("latin1");
      if (!isOpen && !text.startsWith("HTTP/1.1 200")) reject(new Error(text.slice(0, 300)));
      if (!isOpen) resolve({ close: () => socket.destroy() });
      isOpen = true;
      for (const [, number] of text.matchAll(/id: [\d-]+\.(\d+)\nevent: changed/g)) onPosition(Number(number));
    });
    socket.write(
      `GET /console/api/venues/${slug}/live HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: __Host-comanda=${cookie}\r\nAccept: text/event-stream\r\n\r\n`,
    );
  });

const changeOnce = (deps: Deps, venue: StreamedVenue): Promise<void> =>
  withTenant(
    deps,
    {
      tenant: tenantById(venue.id),
      actor: { kind: "system", id: null, name: "bench", scopes: [], caller: "bench" },
      from: { log: deps.log, origin: { requestId: null, address: null } },
    },
    async (ctx) => recordAudit(ctx, { action: "order.noted", subject: { kind: "order", id: "bench" } }),
  );

type Round = { p50: number; p95: number; slowest: number; lost: number; told: number; readsPerSecond: number; processorPerSecond: number };

type StreamsStage = {
  deps: Deps;
  owner: pg.Pool;
  port: number;
  pid: number;
  venues: StreamedVenue[];
  rows: string[][];
  close(): Promise<void>;
};

const callsOf = async (owner: pg.Pool): Promise<number> => {
  const { rows } = await owner.query<{ calls: string }>(
    "select coalesce(sum(calls), 0) as calls from pg_stat_user_functions where funcname = 'change_marks'",
  );
  return Number(rows[0]?.calls);
};

/** What was committed, and how long each stream waited for it. */
type Ledger = { expected: Map<string, Expected>; waits: number[] };

/** Two streams for each venue. A notice may cover several commits. */
const openStreams = async (port: number, watched: readonly StreamedVenue[], { expected, waits }: Ledger): Promise<Listener[]> => {
  const openOne = (venue: StreamedVenue): Promise<Listener> => {
    let position = 0;
    return listen(port, venue, (number) => {
      for (; position < number; position++) {
        const one = expected.get(`${venue.id} ${position + 1}`);
        if (one === undefined) continue;
        waits.push(performance.now() - one.committedAt);
        one.missing -= 1;
      }
    });
  };
  const streams: Listener[] = [];
  const opening = watched.flatMap((venue) => Array.from({ length: STREAMS_PER_VENUE }, () => venue));
  for (let at = 0; at < opening.length; at += OPEN_AT_ONCE)
    streams.push(...(await Promise.all(opening.slice(at, at + OPEN_AT_ONCE).map(openOne))));
  return streams;
};

/** At an even rate, whatever each of them takes. Returns the seconds. */
const commitChanges = async (deps: Deps, watched: readonly StreamedVenue[], wanted: number): Promise<number> => {
  const beganAt = performance.now();
  const running: Promise<void>[] = [];
  for (let made = 0; made < CHANGES_PER_SECOND * wanted; made++) {
    running.push(changeOnce(deps, watched[randomInt(watched.length)] as StreamedVenue));
    await sleep(Math.max(0, beganAt + ((made + 1) * 1000) / CHANGES_PER_SECOND - performance.now()));
  }
  await Promise.all(running);
  return (performance.now() - beganAt) / 1000;
};

const runRound = async (
  { deps, owner, port, pid, venues }: StreamsStage,
  { seconds: wanted, share }: BenchSize,
  count: number,
): Promise<Round> => {
  const watched = venues.slice(0, count);
  const ledger: Ledger = { expected: new Map(), waits: [] };
  const streams = await openStreams(port, watched, ledger);
  const stop = onCommittedChanges(deps.pool, ({ restaurantId, number }) =>
    ledger.expected.set(`${restaurantId} ${number}`, { committedAt: performance.now(), missing: STREAMS_PER_VENUE }),
  );
  // The calls that opened the streams must not be among those that are counted. The short form does not show them.
  if (share === 1) await sleep(STATISTICS_MS);
  const [callsBefore, usedBefore] = [await callsOf(owner), processorMs(pid)];
  const seconds = await commitChanges(deps, watched, wanted);
  const [calls, used] = [(await callsOf(owner)) - callsBefore, processorMs(pid) - usedBefore];
  const { expected, waits } = ledger;
  const missing = (): number => expected.values().reduce((sum, one) => sum + one.missing, 0);
  for (const until = performance.now() + TOLD_MS_MAX; missing() > 0 && performance.now() < until; ) await sleep(20);
  stop();
  for (const { close } of streams) close();
  return {
    p50: quantile(waits, 0.5),
    p95: quantile(waits, 0.95),
    slowest: Math.max(...waits),
    lost: missing(),
    told: waits.length,
    readsPerSecond: calls / seconds,
    processorPerSecond: used / seconds,
  };
};

const openStage = async (database: Throwaway, redisUrl: string, venueCount: number): Promise<StreamsStage> => {
  const settings = { REDIS_URL: redisUrl, ENCRYPTION_KEYS, CONSOLE_RATE_PER_MINUTE: "100000", NODE_ENV: "production" };
  const admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  await admin.query(`alter database ${pg.escapeIdentifier(database.name)} set track_functions = 'all'`);
  await admin.end();
  const owner = new pg.Pool({ connectionString: database.ownerUrl, max: 1, options: "-c search_path=app" });
  const venues = await addVenues(owner, venueCount);
  const deps = await openDeps(readConfig({ DATABASE_URL: database.appUrl, ...settings, LOG_LEVEL: "error" }), { log: openLog("error") });
  const fleet = await createFleet(database.appUrl, settings);
  const { pid } = await fleet.start({ LOG_LEVEL: "info" });
  const close = async (): Promise<void> => {
    await fleet.close();
    await deps.close();
    await owner.end();
  };
  return { deps, owner, port: fleet.port, pid, venues, rows: [], close };
};

const measure = async (stage: StreamsStage, size: BenchSize, venueCount: number): Promise<Figure[]> => {
  const count = Math.ceil(venueCount * size.share);
  const what = `${count} venues, ${count * STREAMS_PER_VENUE} streams, ${CHANGES_PER_SECOND} changes a second for ${size.seconds} s`;
  say(what);
  const { p50, p95, slowest, told, lost, readsPerSecond, processorPerSecond } = await runRound(stage, size, count);
  stage.rows.push([
    ...[count, count * STREAMS_PER_VENUE, told, lost].map(String),
    ...[p50, p95, slowest].map((ms) => `${ms.toFixed(0)} ms`),
    readsPerSecond.toFixed(2),
    `${processorPerSecond.toFixed(0)} ms`,
  ]);
  if (lost > 0) throw new Error(`${what}: ${lost} of ${told + lost} were not told`);
  if (size.share === 1 && p95 > MS_MAX.p95) process.exitCode = 1;
  return [figureOf("streams", what, [told / (told + lost)], `told ${told}, 95 of 100 within ${p95.toFixed(0)} ms`)];
};

export const BENCHMARK = defineBenchmark<StreamsStage>({
  name: "streams",
  command: "npm run bench:streams",
  size: { seconds: 20 },
  open: async (ground, { share }) => {
    const stage = await openStage(await ground.database(), await ground.redisUrl(), Math.ceil(VENUES * share));
    const close = async (): Promise<void> => {
      await stage.close();
      if (share < 1) return;
      publishTable("streams-table", "npm run bench:streams", {
        title: "Change streams",
        note: "One API process; the changes are committed by another. A reading asks for the changes of all watched venues at once.",
        columns: ["venues", "streams", "told", "lost", "median", "p95", "slowest", "readings a second", "processor time a second"],
        rows: stage.rows,
      });
    };
    return { ...stage, close };
  },
  scenarios: {
    "a tenth": (stage, size) => measure(stage, size, VENUES / 10),
    all: (stage, size) => measure(stage, size, VENUES),
  },
});

if (import.meta.main) await runFull(BENCHMARK);
