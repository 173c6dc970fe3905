import { CompiledQuery } from "kysely";
import { type Db as BossDb, PgBoss } from "pg-boss";
import { JOBS_SCHEMA, QUEUE_NAMES, type QueueName } from "#db/job-engine.ts";
import type { Db } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import type { JobOptions } from "./service.ts";

/**
 * Never started: pg-boss writes the statement, the transaction of the change runs it. The one thing it would ask a
 * connection of its own is how the queue is set up, and that is told here: all of ours are plain (a test compares).
 */
const senderOf = (name: QueueName): PgBoss =>
  new PgBoss({ schema: JOBS_SCHEMA, db: { executeSql: async () => ({ rows: [{ name, ...PLAIN_QUEUE }] }) } });

export const PLAIN_QUEUE = { table: "job_common", policy: "standard", notify: false };

const senders = new Map(QUEUE_NAMES.map((name) => [name, senderOf(name)]));

const inTransaction = (db: Db): BossDb => ({
  executeSql: async (text, values = []) => ({ rows: await db.query({ compile: () => CompiledQuery.raw(text, values) }) }),
});

/** The job's id, or null when the queue is not there. */
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
