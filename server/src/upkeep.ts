/** What goes away again, and when: the one list of it, and the batches in which it is taken out. */
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { openDb } from "#db/pool.ts";
import { only } from "#db/query.ts";
import { WINDOW_MS } from "#http/idempotency.ts";
import type { Deps } from "./deps.ts";

const EVERY_MS = 60_000;
/** Short enough that lists by `updated_since`, which wait for running transactions, hardly notice one. */
const BATCH_ROWS = 1000;
/** Between two batches, so that a backlog of days is worked off beside requests and not instead of them. */
const PAUSE_MS = 20;
const DAY_MS = 24 * 60 * 60 * 1000;

/** How long the log of what was told to whom is kept (open point D181). */
const LOG_DAYS = 30;
/** A year and a month: the same week of last year can still be looked up. */
const RECORD_DAYS = 400;

/** `what` names a table and the function `forget_…` beside it. Events come after deliveries: one that is still in their log is kept for it. */
export const FORGOTTEN = [
  { what: "idempotency_keys", olderThanMs: WINDOW_MS },
  { what: "requests", olderThanMs: 2 * DAY_MS },
  { what: "token_hours", olderThanMs: LOG_DAYS * DAY_MS },
  { what: "deliveries", olderThanMs: LOG_DAYS * DAY_MS },
  { what: "events", olderThanMs: LOG_DAYS * DAY_MS },
  { what: "pos_pushes", olderThanMs: LOG_DAYS * DAY_MS },
  { what: "messages", olderThanMs: 90 * DAY_MS },
  { what: "audit_entries", olderThanMs: RECORD_DAYS * DAY_MS },
  { what: "availability_flips", olderThanMs: RECORD_DAYS * DAY_MS },
  { what: "sessions", olderThanMs: 0 },
  { what: "known_devices", olderThanMs: 0 },
  { what: "security_alerts", olderThanMs: 90 * DAY_MS },
  { what: "consents", olderThanMs: DAY_MS },
  { what: "grants", olderThanMs: DAY_MS },
] as const;

export type Batch = { what: (typeof FORGOTTEN)[number]["what"]; rows: number; ms: number };

type Wishes = { onBatch?: (batch: Batch) => void; isStopping?: () => boolean };

/** In bounded batches, each a transaction of its own, so that a day's rows never make one long one. */
export const keepUp = async ({ pool, clock }: Pick<Deps, "pool" | "clock">, { onBatch, isStopping }: Wishes = {}): Promise<void> => {
  const db = openDb(pool);
  for (const { what, olderThanMs } of FORGOTTEN) {
    const before = new Date(clock.now().getTime() - olderThanMs);
    const forget = sql<{ count: number }>`select ${sql.ref(`forget_${what}`)}(${before}, ${BATCH_ROWS}::integer) as count`;
    for (let rows = BATCH_ROWS; rows === BATCH_ROWS && !isStopping?.(); ) {
      const startedAt = performance.now();
      rows = (await only(db.query(forget))).count;
      onBatch?.({ what, rows, ms: performance.now() - startedAt });
      if (rows === BATCH_ROWS) await sleep(PAUSE_MS);
    }
  }
};

/** Once a minute; a round that takes longer is not joined by another. Ends after the batch it is at. */
export const startUpkeep = (deps: Deps): (() => Promise<void>) => {
  let isStopping = false;
  let round: Promise<void> | null = null;
  const begin = (): void => {
    round ??= keepUp(deps, { isStopping: () => isStopping })
      .catch((error: unknown) => deps.log.warn({ err: error }, "upkeep failed; it runs again in a minute"))
      .finally(() => {
        round = null;
      });
  };
  const timer = setInterval(begin, EVERY_MS);
  return async () => {
    clearInterval(timer);
    isStopping = true;
    await round;
  };
};
