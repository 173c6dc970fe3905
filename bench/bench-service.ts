/** The service that benchmarks of requests share: venues on a busy evening, the API in a process, and in this process to see its statements. */
import { resolve } from "node:path";
import pg from "pg";
import { type App, buildApp } from "../server/src/compose/api.ts";
import { readConfig } from "../server/src/config.ts";
import { openPool } from "../server/src/db/pool.ts";
import { openDeps, openLog } from "../server/src/deps.ts";
import type { Throwaway } from "../server/src/dev/throwaway.ts";
import { createRequestLogBuffer } from "../server/src/platform/activity/request-log/service.ts";
import { API, createFleet, type Program } from "../server/test/support/processes.ts";
import { type BusyVenue, buildVenues } from "./busy-venues.ts";
import { ENCRYPTION_KEYS } from "./delivery-dataset.ts";
import { say } from "./measure.ts";
import { type Recorder, recordStatements } from "./statement-recorder.ts";

export type ApiProcess = { port: number; pid: number; stop(): Promise<unknown> };

export type BenchService = {
  venues: BusyVenue[];
  database: Throwaway;
  /** Connects as the owner of the schema. */
  owner: pg.Pool;
  /** The API in this process, with one connection. */
  app: App;
  recorder: Recorder;
  /** The API as it is, started once. */
  api(): Promise<ApiProcess>;
  /** A process with a port of its own. */
  start(program?: Program): Promise<ApiProcess>;
  /** Starts so many processes on one port. */
  startTogether(count: number): Promise<{ port: number; pids: number[]; stop(): Promise<void> }>;
  close(): Promise<void>;
};

/** BENCH_PROFILE=folder: the service writes what it spent its time on there when it ends, for `bench/profile.ts` to read. */
const profiling: Record<string, string> = process.env.BENCH_PROFILE
  ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-interval=200 --cpu-prof-dir=${resolve(process.env.BENCH_PROFILE)}` }
  : {};

export const openBenchService = async (database: Throwaway, redisUrl: string, venueCount: number): Promise<BenchService> => {
  const config = readConfig({ DATABASE_URL: database.appUrl, ENCRYPTION_KEYS, LOG_LEVEL: "error" });
  const log = openLog(config.logLevel);
  const recorder = recordStatements(openPool({ url: config.databaseUrl, connectionsMax: 1, log }));
  const deps = await openDeps(config, { log, pool: recorder.pool });
  const app = await buildApp(deps, { requestLog: createRequestLogBuffer({ query: async () => [] }, deps.log) });
  const owner = new pg.Pool({ connectionString: database.ownerUrl, max: 1, options: "-c search_path=app" });
  say(`Setting up ${venueCount} venues`);
  const venues = await buildVenues(deps, app, owner, venueCount);
  const closing: (() => Promise<unknown>)[] = [];
  const startTogether: BenchService["startTogether"] = async (count) => {
    const fleet = await createFleet(database.appUrl, { REDIS_URL: redisUrl, ENCRYPTION_KEYS, NODE_ENV: "production" });
    closing.push(fleet.close);
    const servers = await Promise.all(Array.from({ length: count }, () => fleet.start()));
    return { port: fleet.port, pids: servers.map(({ pid }) => pid), stop: fleet.close };
  };
  const start = async (program = API, environment: Record<string, string> = {}): Promise<ApiProcess> => {
    const fleet = await createFleet(database.appUrl, { REDIS_URL: redisUrl, ENCRYPTION_KEYS, NODE_ENV: "production" });
    const server = await fleet.start(environment, program);
    const stop = async (): Promise<void> => {
      await server.stop();
      await fleet.close();
    };
    closing.push(stop);
    return { port: fleet.port, pid: server.pid, stop };
  };
  let api: Promise<ApiProcess> | null = null;
  return {
    venues,
    database,
    owner,
    app,
    recorder,
    api: () => (api ??= start(API, profiling)),
    start: (program) => start(program),
    startTogether,
    async close() {
      for (const close of closing) await close();
      await owner.end();
      await app.stop();
      await deps.close();
    },
  };
};
