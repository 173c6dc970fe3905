/** The resources of a running process: database, Redis, clock and log. They are opened and closed here only. */
import { Redis } from "ioredis";
import type pg from "pg";
import { type DestinationStream, type Logger, pino } from "pino";
import { createMetrics, type Metrics } from "./compose/metrics.ts";
import { createOutbound, type Outbound } from "./compose/outbound-switch.ts";
import { publishChanges } from "./compose/publish-changes.ts";
import type { Config } from "./config.ts";
import { readCell } from "./db/database-identity.ts";
import { pendingMigrations } from "./db/migrate.ts";
import { isJobEngineReady } from "./db/pg-boss.ts";
import { openDb, openPool } from "./db/pool.ts";
import { refuseSharedSessions } from "./db/pooler-check.ts";
import { createReadBatcher, type ReadBatcher } from "./db/read-batcher.ts";
import { type Clock, systemClock } from "./lib/clock.ts";
import { describeError } from "./lib/described-error.ts";
import { UserError } from "./lib/errors.ts";

export type Deps = {
  config: Config;
  log: Logger;
  clock: Clock;
  pool: pg.Pool;
  readBatcher: ReadBatcher;
  redis: Redis | null;
  cursorKey: Buffer;
  metrics: Metrics;
  outbound: Outbound;
  close(): Promise<void>;
};

/** Headers and members that may hold a secret. They are not logged. */
const REDACTED = [
  "req.headers.authorization",
  "req.headers.cookie",
  // It opens the stored answer to its request.
  'req.headers["idempotency-key"]',
  "*.authorization",
  "*.token",
  "*.secret",
  "*.client_secret",
  "*.refresh_token",
  "*.password",
];

/** Buffers 16 kB or 100 ms of lines, so that not every request costs a write. */
const LOG_BUFFER = { dest: 1, sync: false, minLength: 16_000, periodicFlush: 100 };
/** Commands log to standard error, because a program may read their standard output. */
const COMMAND_LOG_BUFFER = { dest: 2, sync: true };

/** Every log of the service is made here, so that an error never shows more than `describeError` returns. */
export const openLogTo = (level: string, stream: DestinationStream): Logger =>
  pino({ level, redact: REDACTED, base: { service: "comanda" }, serializers: { err: describeError } }, stream);

export const openLog = (level: string): Logger => openLogTo(level, pino.destination(LOG_BUFFER));

export const openCommandLog = (level: string): Logger => openLogTo(level, pino.destination(COMMAND_LOG_BUFFER));

export const openDeps = async (config: Config, given: { log?: Logger; clock?: Clock; pool?: pg.Pool } = {}): Promise<Deps> => {
  const log = given.log ?? openLog(config.logLevel);
  await refuseSharedSessions(config.databaseUrl);
  const outbound = createOutbound(config, log);
  const { databaseUrl: url, databaseConnectionsMax: connectionsMax } = config;
  const pool = given.pool ?? openPool({ url, connectionsMax, log, onConnect: outbound.onConnect });
  try {
    await rejectPrivilegedRole(pool);
    await rejectOldSchema(pool);
    const cell = await readCell(openDb(pool));
    if (cell.number !== config.cell)
      throw new UserError(`CELL is ${config.cell}, but this database was set up as cell ${cell.number}. Correct one of the two.`);
    await outbound.check(pool);
    outbound.watch(pool);
    const redis = config.redisUrl === null ? null : openRedis(config.redisUrl, log);
    if (redis !== null) publishChanges(pool, redis, cell.cursor_key);
    return {
      config,
      log,
      pool,
      readBatcher: createReadBatcher(pool),
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

/** SIGTERM or SIGINT stops the work, closes the resources, then ends the process. Further signals are ignored. */
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

/** Row-level security does not apply to superusers and table owners. */
const rejectPrivilegedRole = async (pool: pg.Pool): Promise<void> => {
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
    throw new UserError(
      `The role in DATABASE_URL ${fault}, so tenants would not be kept apart. Use the role comanda_app, which owns nothing.`,
    );
};

const rejectOldSchema = async (pool: pg.Pool): Promise<void> => {
  const isBehind = await isSchemaBehind(pool).catch((error: { code?: string }) => {
    // 42P01, 42501, 3F000: the table, its privilege or the schema is missing, so no migration ever ran.
    if (["42P01", "42501", "3F000"].includes(error.code ?? "")) return true;
    throw error;
  });
  if (isBehind) throw new UserError("The database is behind this version. Run `npm run comanda-admin -- migrate` first.");
};

const isSchemaBehind = async (pool: pg.Pool): Promise<boolean> =>
  (await pendingMigrations(pool)).length > 0 || !(await isJobEngineReady(pool));

/** Fails fast: a limiter that waits for Redis would make every request wait. */
const openRedis = (url: string, log: Logger): Redis => {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: 300,
    // The limiter has a shorter timeout of its own. This one ends commands that would wait for ever.
    commandTimeout: 2000,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2000),
  });
  redis.on("error", (error) => log.warn({ err: error }, "Redis does not answer"));
  return redis;
};
