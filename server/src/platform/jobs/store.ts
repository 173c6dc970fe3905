import { CompiledQuery } from "kysely";
import { type Db as BossDb, PgBoss } from "pg-boss";
import { JOBS_SCHEMA, QUEUE_NAMES, type QueueName } from "#db/pg-boss.ts";
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
