/** The job engine's own schema: made and brought up to date by the owner, who grants the application rows and nothing else. */
import type pg from "pg";
import { type Db as BossDb, getConstructionPlans, getMigrationPlans, PgBoss, type QueueOptions } from "pg-boss";
import settings from "pg-boss/package.json" with { type: "json" };

export const JOBS_SCHEMA = "jobs";

/**
 * Retries are for crashes and outages, not for business: a handler that expects failure records it and plans its own
 * next job. Without a single retry a job is lost when its process is killed. Ten seconds is the shortest heartbeat.
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
 * A night that is never run would be the last one, because each plans the next. So it is tried for weeks: every ten minutes
 * once the pauses have grown to that, and kept as long if there is no worker at all.
 */
const NEVER_GIVEN_UP = { ...CRASH_SAFE, retryLimit: 10_000, retryDelayMax: 600, retentionSeconds: 60 * 86_400 } satisfies QueueOptions;

/** What is sent may wait long: while sending is off, a job is kept for two months. */
const SENDS = { ...CRASH_SAFE, retentionSeconds: 60 * 86_400 } satisfies QueueOptions;

/** The one list of all queues; each is served by the handler of the same name in worker.ts. */
const QUEUES = {
  "release-held-tickets": { ...CRASH_SAFE, expireInSeconds: 30 },
  "push-order": { ...SENDS, expireInSeconds: 60 },
  "send-message": { ...SENDS, expireInSeconds: 60 },
  "send-link": { ...SENDS, expireInSeconds: 60 },
  "prepare-link": { ...SENDS, expireInSeconds: 30 },
  "send-alert": { ...SENDS, expireInSeconds: 60 },
  "reset-sandbox": { ...NEVER_GIVEN_UP, expireInSeconds: 120 },
} satisfies Record<string, QueueOptions>;
export type QueueName = keyof typeof QUEUES;
export const QUEUE_NAMES = Object.keys(QUEUES) as QueueName[];

/** Their jobs send something to the world outside, or lead to it: nothing of them is claimed while sending is off. */
export const SENDING_QUEUES: readonly QueueName[] = ["push-order", "send-message", "prepare-link", "send-link", "send-alert"];

/** A job that was given up stays for so long: somebody may have to find out what it was for. */
const FAILED_KEPT_SECONDS = 14 * 86_400;

/**
 * pg-boss has one time for all that has ended, whether well or not. The row's own time is longer where it failed, whoever writes that
 * down: the worker, or the supervisor of a worker that died. A trigger of a condition costs nothing where the condition does not hold.
 */
const KEEP_FAILED = `
  create or replace function ${JOBS_SCHEMA}.keep_failed() returns trigger language plpgsql as $$
  begin
    new.deletion_seconds := greatest(new.deletion_seconds, ${FAILED_KEPT_SECONDS});
    return new;
  end $$;
  create or replace trigger keep_failed before insert or update on ${JOBS_SCHEMA}.job
    for each row when (new.state = 'failed') execute function ${JOBS_SCHEMA}.keep_failed()`;

/** Lets pg-boss run its statements on a connection of ours. */
export const onConnection = (connection: pg.Pool | pg.Client): BossDb => ({
  executeSql: (text, values) => connection.query(text, values),
});

/** Run by the owner after the migrations; a second run changes nothing. */
export const installJobEngine = async (client: pg.Client, appRole: string): Promise<void> => {
  await bringUpToDate(client);
  const boss = new PgBoss({ schema: JOBS_SCHEMA, db: onConnection(client) });
  for (const name of QUEUE_NAMES) {
    await boss.createQueue(name, QUEUES[name]);
    await boss.updateQueue(name, QUEUES[name]);
  }
  await client.query(KEEP_FAILED);
  await client.query(`
    grant usage on schema ${JOBS_SCHEMA} to ${appRole};
    grant select, insert, update, delete on all tables in schema ${JOBS_SCHEMA} to ${appRole};
    grant execute on all functions in schema ${JOBS_SCHEMA} to ${appRole}`);
};

const bringUpToDate = async (client: pg.Client): Promise<void> => {
  const version = await installedVersion(client);
  if (version === settings.pgboss.schema) return;
  const plan = version === null ? getConstructionPlans(JOBS_SCHEMA) : getMigrationPlans(JOBS_SCHEMA, version);
  const end = plan.lastIndexOf("COMMIT;") + "COMMIT;".length;
  await client.query(plan.slice(0, end));
  // What follows the commit builds indexes concurrently, which PostgreSQL does only one statement at a time.
  // It waits for every transaction that is older, such as a backup's: one that gave up would leave half an index behind.
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

/** Whether the schema is at least as new as this code, and every queue is there. */
export const isJobEngineReady = async (connection: pg.Pool): Promise<boolean> => {
  const version = await installedVersion(connection);
  if (version === null || version < settings.pgboss.schema) return false;
  const { rows } = await connection.query<{ name: string }>(`select name from ${JOBS_SCHEMA}.queue`);
  return QUEUE_NAMES.every((name) => rows.some((row) => row.name === name));
};
