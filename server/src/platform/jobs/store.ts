import { CompiledQuery, sql } from "kysely";
import { type Db as BossDb, PgBoss } from "pg-boss";
import { JOBS_SCHEMA, QUEUE_NAMES, type QueueName, VENUE_TIME_QUEUES } from "#db/pg-boss.ts";
import type { Db } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";

export type JobOptions = {
  /** The job does not run before this time. */
  startAfter?: Date;
  /** Jobs of one group share a concurrency limit, so that one slow receiver never uses all of it. */
  groupId?: string;
};

/**
 * Never started: pg-boss composes the statement and the transaction of the change runs it. The queue's settings are given here,
 * because pg-boss would read them on a second connection; all queues have the same ones (a test compares).
 */
const senderOf = (name: QueueName): PgBoss =>
  new PgBoss({ schema: JOBS_SCHEMA, db: { executeSql: async () => ({ rows: [{ name, ...PLAIN_QUEUE }] }) } });

export const PLAIN_QUEUE = { table: "job_common", policy: "standard", notify: false };

const senders = new Map(QUEUE_NAMES.map((name) => [name, senderOf(name)]));

const inTransaction = (db: Db): BossDb => ({
  executeSql: async (text, values = []) => ({ rows: await db.query({ compile: () => CompiledQuery.raw(text, values) }) }),
});

const JOBS = sql.table(`${JOBS_SCHEMA}.job`);

/** The job's id; null when the queue does not exist. */
export const insertJob = async (
  ctx: Pick<Ctx, "db">,
  queue: QueueName,
  data: object,
  { startAfter, groupId }: JobOptions,
): Promise<string | null> =>
  (await senders.get(queue)?.send(queue, data, {
    db: inTransaction(ctx.db),
    ...(startAfter ? { startAfter } : {}),
    ...(groupId ? { group: { id: groupId } } : {}),
  })) ?? null;

export const isInVenueTime = (queue: QueueName): boolean => VENUE_TIME_QUEUES.includes(queue);

/** The member of a job's data that says when it became due by a move of the clock. */
export const BECAME_DUE = "became_due";
/** The queues leave such jobs so long to the job that does them all. After that they are done one by one, as any other. */
const LEFT_TO_CATCH_UP = sql`interval '30 seconds'`;

/** Job rows have no row level security, so each statement names the venue. */
const OF_VENUE = sql`name = any(${[...VENUE_TIME_QUEUES]}::text[]) and state = 'created'`;

export const advanceJobRows = (ctx: Ctx, ms: number): void =>
  ctx.db.defer(sql`
    with moved as (
      select id, name, start_after - ${ms}::bigint * interval '1 millisecond' as due_at from ${JOBS}
      where ${OF_VENUE} and (data ->> 'restaurant_id')::bigint = ${ctx.tenant.id}
    )
    update ${JOBS} j set start_after = case when m.due_at <= now() then now() + ${LEFT_TO_CATCH_UP} else m.due_at end,
      data = case when m.due_at <= now() then jsonb_build_object(${BECAME_DUE}::text, m.due_at) || j.data else j.data end
    from moved m where j.name = m.name and j.id = m.id`);

export type DueJob = { id: string; name: QueueName; data: Record<string, unknown> };

/** The next jobs that became due by a move, in the order in which they are due, locked, so that no consumer takes them. */
export const lockDueJobs = (ctx: Ctx, rowCount: number): Promise<DueJob[]> =>
  ctx.db.query(sql<DueJob>`
    select id::text, name, data from ${JOBS}
    where ${OF_VENUE} and (data ->> 'restaurant_id')::bigint = ${ctx.tenant.id} and data ? ${BECAME_DUE}::text
    order by (data ->> ${BECAME_DUE}::text)::timestamptz, created_on limit ${rowCount} for update skip locked`);

/** Removes jobs that were done in this transaction. */
export const deleteJobs = (ctx: Ctx, ids: readonly string[]): void =>
  ctx.db.defer(sql`
    delete from ${JOBS} where ${OF_VENUE} and (data ->> 'restaurant_id')::bigint = ${ctx.tenant.id} and id = any(${[...ids]}::uuid[])`);
