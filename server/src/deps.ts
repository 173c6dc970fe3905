/** What a running process holds open: database, Redis, clock, log. Opened in one place, closed in one place. */
import { Redis } from "ioredis";
import type pg from "pg";
import { type Logger, pino } from "pino";
import type { Config } from "./config.ts";
import { isJobEngineReady } from "./db/job-engine.ts";
import { type Line, openLine } from "./db/line.ts";
import { pendingMigrations } from "./db/migrate.ts";
import { openDb, openPool } from "./db/pool.ts";
import { refuseSharedSessions } from "./db/pooler.ts";
import { only, q } from "./db/query.ts";
import { type Clock, systemClock } from "./lib/clock.ts";
import { Misuse } from "./lib/errors.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { createOutbound, type Outbound } from "./outbound.ts";

export type Deps = {
  config: Config;
  log: Logger;
  clock: Clock;
  pool: pg.Pool;
  line: Line;
  redis: Redis | null;
  cursorKey: Buffer;
  metrics: Metrics;
  outbound: Outbound;
  close(): Promise<void>;
};

/** Headers and members that may carry a secret never reach the log. */
const REDACTED = [
  "req.headers.authorization",
  "req.headers.cookie",
  "*.authorization",
  "*.token",
  "*.secret",
  "*.client_secret",
  "*.refresh_token",
  "*.password",
];

/** Lines are written 16 kB at a time, or a moment after the first of them: one line for each request would be a write for each. */
const LINES = { dest: 1, sync: false, minLength: 16_000, periodicFlush: 100 };
/** A command's answer is on standard output, and may be read by a program. */
const LINES_OF_COMMANDS = { dest: 2, sync: true };

const openLogAt = (level: string, destination: object): Logger =>
  pino({ level, redact: REDACTED, base: { service: "comanda" } }, pino.destination(destination));

export const openLog = (level: string): Logger => openLogAt(level, LINES);

export const openCommandLog = (level: string): Logger => openLogAt(level, LINES_OF_COMMANDS);

export const openDeps = async (config: Config, given: { log?: Logger; clock?: Clock; pool?: pg.Pool } = {}): Promise<Deps> => {
  const log = given.log ?? openLog(config.logLevel);
  await refuseSharedSessions(config.databaseUrl);
  const outbound = createOutbound(config, log);
  const { databaseUrl: url, databaseConnectionsMax: connectionsMax } = config;
  const pool = given.pool ?? openPool({ url, connectionsMax, log, onConnect: outbound.onConnect });
  try {
    await refuseOverpoweredRole(pool);
    await refuseOldSchema(pool);
    const cell = await only(openDb(pool).query(q.selectFrom("cell").select(["number", "cursor_key"])));
    if (cell.number !== config.cell)
      throw new Misuse(`CELL is ${config.cell}, but this database was set up as cell ${cell.number}. Correct one of the two.`);
    await outbound.check(pool);
    outbound.watch(pool);
    const redis = config.redisUrl === null ? null : openRedis(config.redisUrl, log);
    return {
      config,
      log,
      pool,
      line: openLine(pool),
      redis,
      clock: given.clock ?? systemClock,
      cursorKey: cell.cursor_key,
      metrics: createMetrics(pool, outbound),
      outbound,
      close: async () => {
        outbound.close();
        redis?.disconnect();
        await pool.end();
      },
    };
  } catch (error) {
    await pool.end();
    throw error;
  }
};

/** SIGTERM or SIGINT: what was begun is ended, then what is open is closed, then the process ends. Once, however often it is asked. */
export const closeOnSignal = (deps: Deps, stops: readonly (() => Promise<void>)[]): void => {
  let isStopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      deps.log.info({ signal }, "stopping");
      void Promise.all(stops.map((stop) => stop()))
        .then(() => deps.close())
        .then(() => process.exit(0));
    });
};

/** The second net only holds if this process cannot step over it. */
const refuseOverpoweredRole = async (pool: pg.Pool): Promise<void> => {
  const { rows } = await pool.query<{ rolsuper: boolean; rolbypassrls: boolean; owns: boolean }>(
    `select rolsuper, rolbypassrls,
            exists (select from pg_class c where c.relnamespace = to_regnamespace('app') and pg_has_role(current_user, c.relowner, 'member')) as owns
     from pg_roles where rolname = current_user`,
  );
  const [role] = rows;
  const fault = role?.rolsuper
    ? "is a superuser"
    : role?.rolbypassrls
      ? "bypasses row level security"
      : role?.owns
        ? "owns the tables"
        : null;
  if (fault)
    throw new Misuse(
      `The role in DATABASE_URL ${fault}, so tenants would not be kept apart. Use the role comanda_app, which owns nothing.`,
    );
};

const refuseOldSchema = async (pool: pg.Pool): Promise<void> => {
  const isBehind = await isSchemaBehind(pool).catch((error: { code?: string }) => {
    // 42P01, 42501, 3F000: the table, the right to it or the schema is missing, so nothing was ever migrated.
    if (["42P01", "42501", "3F000"].includes(error.code ?? "")) return true;
    throw error;
  });
  if (isBehind) throw new Misuse("The database is behind this version. Run `npm run comanda -- migrate` first.");
};

const isSchemaBehind = async (pool: pg.Pool): Promise<boolean> =>
  (await pendingMigrations(pool)).length > 0 || !(await isJobEngineReady(pool));

/** Fails fast: a limiter that waits for Redis would make every request wait. */
const openRedis = (url: string, log: Logger): Redis => {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: 300,
    // The limiter has less patience, of its own kind; this ends what would never end.
    commandTimeout: 2000,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2000),
  });
  redis.on("error", (error) => log.warn({ err: { message: error.message } }, "Redis does not answer"));
  return redis;
};
