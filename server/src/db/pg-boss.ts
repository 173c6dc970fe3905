/** The schema of pg-boss. The migration role creates and upgrades it; the application role may only read and write rows. */
import type pg from "pg";
import { type Db as BossDb, getConstructionPlans, getMigrationPlans, PgBoss, type QueueOptions } from "pg-boss";
import settings from "pg-boss/package.json" with { type: "json" };

export const JOBS_SCHEMA = "jobs";

/**
 * Retries are for crashes and outages only. A handler that expects failures records them and enqueues its next job. Without a retry
 * a job is lost when its process is killed. Ten seconds is the shortest heartbeat of pg-boss.
 */
const CRASH_SAFE = {
  retryLimit: 20,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 300,
  heartbeatSeconds: 10,
  deleteAfterSeconds: 3600,
} satisfies QueueOptions;

/**
 * Each nightly reset enqueues the next one, so a reset that is given up would end the chain. It is retried for weeks, every ten
 * minutes after the first backoff steps, and kept as long while no worker runs.
 */
const NEVER_GIVEN_UP = { ...CRASH_SAFE, retryLimit: 10_000, retryDelayMax: 600, retentionSeconds: 60 * 86_400 } satisfies QueueOptions;

/** Jobs that send are kept for two months while sending is off. */
const SENDS = { ...CRASH_SAFE, retentionSeconds: 60 * 86_400 } satisfies QueueOptions;

/** All queues. compose/worker.ts has a handler for each name. */
const QUEUES = {
  "release-held-tickets": { ...CRASH_SAFE, expireInSeconds: 30 },
  "finish-cooking": { ...CRASH_SAFE, expireInSeconds: 30 },
  "end-sold-out": { ...CRASH_SAFE, expireInSeconds: 30 },
  "apply-scheduled-prices": { ...CRASH_SAFE, expireInSeconds: 60, retentionSeconds: 60 * 86_400 },
  "expire-gift-card": { ...CRASH_SAFE, expireInSeconds: 30, retentionSeconds: 60 * 86_400 },
  "follow-stock": { ...CRASH_SAFE, expireInSeconds: 60 },
  "expire-ticket-hold": { ...CRASH_SAFE, expireInSeconds: 30 },
  "send-message": { ...SENDS, expireInSeconds: 60 },
  "send-link": { ...SENDS, expireInSeconds: 60 },
  "prepare-link": { ...SENDS, expireInSeconds: 30 },
  "send-sign-up": { ...SENDS, expireInSeconds: 60 },
  "send-alert": { ...SENDS, expireInSeconds: 60 },
  "reset-sandbox": { ...NEVER_GIVEN_UP, expireInSeconds: 120 },
  "catch-up-sandbox": { ...CRASH_SAFE, expireInSeconds: 60 },
} satisfies Record<string, QueueOptions>;
export type QueueName = keyof typeof QUEUES;
export const QUEUE_NAMES = Object.keys(QUEUES) as QueueName[];

/** Jobs of these queues send messages or lead to one. None is claimed while sending is off. */
export const SENDING_QUEUES: readonly QueueName[] = ["send-message", "prepare-link", "send-link", "send-sign-up", "send-alert"];

/** Jobs of these queues are due by the venue's clock, all others by the real one. */
export const VENUE_TIME_QUEUES: readonly QueueName[] = [
  "release-held-tickets",
  "finish-cooking",
  "end-sold-out",
  "apply-scheduled-prices",
  "expire-gift-card",
  "follow-stock",
  "expire-ticket-hold",
];

/** Failed jobs are kept for two weeks, so that an operator can examine them. */
const FAILED_KEPT_SECONDS = 14 * 86_400;

/**
 * pg-boss has one retention for all jobs that ended. This trigger extends it for failed ones, whether the worker or the supervisor of a
 * dead worker records the failure. Its condition keeps it free of cost for other rows.
 */
const KEEP_FAILED = `
  create or replace function ${JOBS_SCHEMA}.keep_failed() returns trigger language plpgsql as $$
  begin
    new.deletion_seconds := greatest(new.deletion_seconds, ${FAILED_KEPT_SECONDS});
    return new;
  end $$;
  create or replace trigger keep_failed before insert or update on ${JOBS_SCHEMA}.job
    for each row when (new.state = 'failed') execute function ${JOBS_SCHEMA}.keep_failed()`;

const BY_VENUE = "job_by_venue";

/**
 * Without it a statement about the waiting jobs of one venue would read those of all venues. It is not of pg-boss, so an upgrade of its schema
 * runs without it: a step may change a column that an index names. All queues are in this partition (`PLAIN_QUEUE`).
 */
const indexByVenue = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ is_valid: boolean }>(
    `select i.indisvalid as is_valid from pg_index i where i.indexrelid = to_regclass('${JOBS_SCHEMA}.${BY_VENUE}')`,
  );
  if (rows[0]?.is_valid) return;
  // A build that was cancelled leaves an invalid index.
  await dropIndexByVenue(client);
  await client.query("set lock_timeout = 0");
  await client.query(`create index concurrently ${BY_VENUE} on ${JOBS_SCHEMA}.job_common (((data ->> 'restaurant_id')::bigint))
    where state = 'created'`);
  await client.query("reset lock_timeout");
};

const dropIndexByVenue = (client: pg.Client) => client.query(`drop index if exists ${JOBS_SCHEMA}.${BY_VENUE}`);

/** pg-boss runs its statements on this connection. */
export const onConnection = (connection: pg.Pool | pg.Client): BossDb => ({
  executeSql: (text, values) => connection.query(text, values),
});

/** Run by the owner after the migrations; a second run changes nothing. */
export const installJobEngine = async (client: pg.Client, appRole: string): Promise<void> => {
  await upgradeJobSchema(client);
  const boss = new PgBoss({ schema: JOBS_SCHEMA, db: onConnection(client) });
  for (const name of QUEUE_NAMES) {
    await boss.createQueue(name, QUEUES[name]);
    await boss.updateQueue(name, QUEUES[name]);
  }
  await client.query(KEEP_FAILED);
  await indexByVenue(client);
  await client.query(`
    grant usage on schema ${JOBS_SCHEMA} to ${appRole};
    grant select, insert, update, delete on all tables in schema ${JOBS_SCHEMA} to ${appRole};
    grant execute on all functions in schema ${JOBS_SCHEMA} to ${appRole}`);
};

const upgradeJobSchema = async (client: pg.Client): Promise<void> => {
  const version = await installedVersion(client);
  if (version === settings.pgboss.schema) return;
  const plan = version === null ? getConstructionPlans(JOBS_SCHEMA) : getMigrationPlans(JOBS_SCHEMA, version);
  if (version !== null) await dropIndexByVenue(client);
  const end = plan.lastIndexOf("COMMIT;") + "COMMIT;".length;
  await client.query(plan.slice(0, end));
  // The statements after the commit build indexes concurrently, which PostgreSQL allows only one statement at a time.
  // A build waits for every older transaction, such as a backup. A cancelled build leaves an invalid index.
  await client.query("set lock_timeout = 0");
  for (const statement of plan.slice(end).split(/;\s*\n|;\s*$/)) if (statement.trim() !== "") await client.query(statement);
  await client.query("reset lock_timeout");
};

const installedVersion = async (connection: pg.Client | pg.Pool): Promise<number | null> => {
  const found = await connection.query<{ is_there: boolean }>(`select to_regclass('${JOBS_SCHEMA}.version') is not null as is_there`);
  if (!found.rows[0]?.is_there) return null;
  const { rows } = await connection.query<{ version: number }>(`select version from ${JOBS_SCHEMA}.version`);
  return rows[0]?.version ?? null;
};

/** True when the schema is at least as new as this code and every queue exists. */
export const isJobEngineReady = async (connection: pg.Pool): Promise<boolean> => {
  const version = await installedVersion(connection);
  if (version === null || version < settings.pgboss.schema) return false;
  const { rows } = await connection.query<{ name: string }>(`select name from ${JOBS_SCHEMA}.queue`);
  return QUEUE_NAMES.every((name) => rows.some((row) => row.name === name));
};
