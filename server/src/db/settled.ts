/**
 * A client that asks again from the last `updated_at` it saw must not miss a change that was committed late. So a list
 * by `updated_since` shows a change only when every transaction that began before it has ended; those still running are
 * waited for, a moment.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { type Db, only } from "./query.ts";

const ATTEMPTS_MAX = 30;
const PAUSE_MS = 5;

type Settled = { until: string; is_settled: boolean; asked_at: string };

/** The moment up to which everything is committed or gone, as the database writes it: with all its microseconds. */
export const settledUntil = async (db: Db): Promise<string> => {
  let settled = await ask(db, null);
  const askedAt = settled.asked_at;
  for (let attempt = 0; !settled.is_settled && attempt < ATTEMPTS_MAX; attempt++) {
    await sleep(PAUSE_MS);
    settled = await ask(db, askedAt);
  }
  return settled.until;
};

/** The clock is read before the transactions are looked at: one that begins in between is not taken as settled. */
const ask = (db: Db, askedAt: string | null): Promise<Settled> =>
  only(
    db.query(sql<Settled>`
      select least(until, asked_at)::text as until, until >= coalesce(${askedAt}::timestamptz, asked_at) as is_settled, asked_at::text
      from (select clock_timestamp() as asked_at, settled_until() as until) s`),
  );
