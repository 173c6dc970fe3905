/**
 * The database's clock at the begin of the transaction, after its access locks, in microseconds. Rows that clients synchronise store it as
 * `changed_at`, because `updated_at` is the same moment: a list that ends at a commit horizon shows no `updated_at` after one that is
 * still to come. The clock at the write would be later than `updated_at` when the write waited for a lock.
 */
import { type RawBuilder, sql } from "kysely";

export const BEGUN_AT = sql<Date>`current_setting('app.begun_at')::timestamptz`;

/**
 * The time of a row that is changed again. A transaction that began earlier may be the later one to lock the row: it keeps the later
 * moment, as `updated_at` does. A step beyond that moment could pass the commit horizon while `updated_at` stays.
 */
export const CHANGED_AGAIN_AT: RawBuilder<Date> = sql`greatest(changed_at, ${BEGUN_AT})`;
