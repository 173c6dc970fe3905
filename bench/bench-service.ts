/** What a benchmark of API processes works on: a durable database with busy venues, a Redis, and the processes that it starts. */
import pg from "pg";
import { buildApp } from "../server/src/compose/api.ts";
import { readConfig } from "../server/src/config.ts";
import { openDeps, openLog } from "../server/src/deps.ts";
import { openThrowaway } from "../server/src/dev/throwaway.ts";
import { createFleet, createRedis, type Program } from "../server/test/support/processes.ts";
import { type BusyVenue, buildVenues } from "./busy-venues.ts";
import { ENCRYPTION_KEYS } from "./delivery-dataset.ts";

export type ApiProcess = { port: number; pid: number };

export type BenchService = {
  venues: BusyVenue[];
  /** Connects as the owner of the schema. */
  owner: pg.Pool;
  start(program: Program): Promise<ApiProcess>;
  close(): Promise<void>;
};

export const openBenchService = async (venueCount: number): Promise<BenchService> => {
  const database = await openThrowaway("bench", { durable: true });
  const redis = await createRedis();
  await redis.start();
  const config = readConfig({ DATABASE_URL: database.appUrl, ENCRYPTION_KEYS, LOG_LEVEL: "error" });
  const deps = await openDeps(config, { log: openLog("error") });
  const app = await buildApp(deps);
  const owner = new pg.Pool({ connectionString: database.ownerUrl, max: 1, options: "-c search_path=app" });
  const venues = await buildVenues(deps, app, owner, venueCount);
  await app.stop();
  const closing: (() => Promise<void>)[] = [];
  return {
    venues,
    owner,
    async start(program) {
      const fleet = await createFleet(database.appUrl, { REDIS_URL: redis.url, ENCRYPTION_KEYS, NODE_ENV: "production" });
      closing.push(fleet.close);
      return { port: fleet.port, pid: (await fleet.start({}, program)).pid };
    },
    async close() {
      for (const close of closing) await close();
      await owner.end();
      await deps.close();
      await redis.stop();
      await database.close();
    },
  };
};
