/** What benchmarks stand on, started when the first one asks for it: a PostgreSQL with migrated databases, a Redis, a service with venues. */
import { randomBytes } from "node:crypto";
import pg from "pg";
import { createDatabase, dropDatabase, urlsFor } from "../server/src/db/create-database.ts";
import { recordIdentity } from "../server/src/db/database-identity.ts";
import { openThrowaway, THROWAWAY_LOGINS, type Throwaway } from "../server/src/dev/throwaway.ts";
import { createRedis } from "../server/test/support/processes.ts";
import { type BenchService, openBenchService } from "./bench-service.ts";
import { grow } from "./growth/grow.ts";
import type { Scale } from "./growth/scale.ts";

export type GroundSettings = {
  /** Whether a commit costs what it costs in service. */
  isDurable: boolean;
  /** The number of venues of the service. */
  venues: number;
  /** Settings of PostgreSQL. */
  settings?: readonly string[];
};

export type Ground = {
  /** A migrated database of its own. */
  database(): Promise<Throwaway>;
  /** One without a schema, for another version of the service. */
  emptyDatabase(): Promise<Throwaway>;
  /** One with orders of hundreds of venues, and how many. */
  grown(): Promise<{ database: Throwaway; scale: Scale }>;
  redisUrl(): Promise<string>;
  service(): Promise<BenchService>;
  close(): Promise<void>;
};

/** The fewest orders with which a typical venue has a second page. */
const GROWN: Scale = { venues: 100, orders: 4000, seed: 1, until: "2026-11-14" };

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | null = null;
  return () => (made ??= make());
};

const addDatabase = async ({ adminUrl, name: first }: Throwaway, template?: string): Promise<Throwaway> => {
  const name = `${first}_${randomBytes(4).toString("hex")}`;
  await createDatabase(adminUrl, name, THROWAWAY_LOGINS.owner, template);
  return { ...urlsFor(adminUrl, name, THROWAWAY_LOGINS), adminUrl, name, close: () => dropDatabase(adminUrl, name) };
};

/** A copy is another database than its original, and says so. */
const copyOf = async (template: Throwaway): Promise<Throwaway> => {
  const copy = await addDatabase(template, template.name);
  const client = new pg.Client({ connectionString: copy.ownerUrl });
  await client.connect();
  await recordIdentity(client);
  await client.end();
  return copy;
};

export const openGround = ({ isDurable, venues, settings = [] }: GroundSettings): Ground => {
  const closing: (() => Promise<unknown>)[] = [];
  const template = once(async () => {
    const throwaway = await openThrowaway("bench", { durable: isDurable, settings });
    closing.push(throwaway.close);
    return throwaway;
  });
  const redisUrl = once(async () => {
    const redis = await createRedis();
    await redis.start();
    closing.push(redis.stop);
    return redis.url;
  });
  const database = async (): Promise<Throwaway> => copyOf(await template());
  const grown = once(async () => {
    const filled = await database();
    await grow(filled, GROWN);
    return { database: filled, scale: GROWN };
  });
  const service = once(async () => {
    const opened = await openBenchService(await database(), await redisUrl(), venues);
    closing.push(opened.close);
    return opened;
  });
  return {
    database,
    emptyDatabase: async () => addDatabase(await template()),
    grown,
    redisUrl,
    service,
    async close() {
      for (const close of closing.toReversed()) await close();
    },
  };
};
