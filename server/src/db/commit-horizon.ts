/**
 * A client that reads on from the last `updated_at` it saw must not miss a change that was committed late. A list by `updated_since`
 * therefore shows a change only when each transaction that began before it has ended. It waits a short time for running ones.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Ctx } from "#lib/context.ts";
import { type Db, oneRow } from "./query.ts";

const ATTEMPTS_MAX = 30;
const PAUSE_MS = 5;

type CommitHorizon = { until: string; is_settled: boolean; asked_at: string };

/** Every change before this time of the venue is committed or rolled back. It is a text, because a Date would drop the microseconds. */
export const readCommitHorizon = async ({ db, tenant }: Pick<Ctx, "db" | "tenant">): Promise<string> => {
  const offsetMs = tenant.clock_offset_ms;
  let settled = await readHorizon(db, offsetMs, null);
  const askedAt = settled.asked_at;
  for (let attempt = 0; !settled.is_settled && attempt < ATTEMPTS_MAX; attempt++) {
    await sleep(PAUSE_MS);
    settled = await readHorizon(db, offsetMs, askedAt);
  }
  return settled.until;
};

/** The clock is read before the list of running transactions, so a transaction that begins in between is after the horizon. */
const readHorizon = (db: Db, offsetMs: number, askedAt: string | null): Promise<CommitHorizon> =>
  oneRow(
    db.query(sql<CommitHorizon>`
      select (least(until, asked_at) + ${offsetMs}::bigint * interval '1 millisecond')::text as until, until >= coalesce(${askedAt}::timestamptz, asked_at) as is_settled, asked_at::text
      from (select clock_timestamp() as asked_at, commit_horizon() as until) s`),
  );
