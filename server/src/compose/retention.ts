/** How long rows are kept, and the purge that deletes expired ones in batches. */

import { setTimeout as sleep } from "node:timers/promises";
import { REQUEST_LOG_DAYS } from "@comanda/contract/console/request-log-days.ts";
import { sql } from "kysely";
import { openDb } from "#db/pool.ts";
import { oneRow } from "#db/query.ts";
import { WINDOW_MS } from "#http/api/idempotency.ts";
import type { Deps } from "../deps.ts";
import { repeatEvery } from "./repeat-every.ts";

const EVERY_MS = 60_000;
/** Keeps each transaction short, because lists by `updated_since` wait for running transactions. */
const BATCH_ROWS = 1000;
/** The pause between two batches, so that a large backlog does not slow down requests. */
const PAUSE_MS = 20;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Deliveries, events and token usage are kept so long (open point D181). */
const LOG_DAYS = 30;
/** A year and a month, so that the same week of last year is still there. */
const RECORD_DAYS = 400;

/**
 * `what` names the function `purge_…`, and a table unless a comment names another one. Events come after deliveries, because an event is kept
 * while a delivery refers to it.
 */
export const RETENTION = [
  { what: "idempotency_keys", olderThanMs: WINDOW_MS },
  { what: "user_answers", olderThanMs: WINDOW_MS },
  { what: "request_log", olderThanMs: REQUEST_LOG_DAYS * DAY_MS },
  // Changes without an event. The others are kept as long as events: see `purge_changes`.
  { what: "changes", olderThanMs: 2 * DAY_MS },
  // Days of service in any time zone. An order for later takes a number of its own day.
  { what: "order_counters", olderThanMs: 3 * DAY_MS },
  { what: "hourly_token_usage", olderThanMs: LOG_DAYS * DAY_MS },
  { what: "deliveries", olderThanMs: LOG_DAYS * DAY_MS },
  { what: "events", olderThanMs: LOG_DAYS * DAY_MS },
  { what: "notifications", olderThanMs: 90 * DAY_MS },
  { what: "waitlist_entries", olderThanMs: LOG_DAYS * DAY_MS },
  // A link works for 14 days. What the guest wrote is kept with the order or booking.
  { what: "review_requests", olderThanMs: LOG_DAYS * DAY_MS },
  // Tickets that were never paid. Paid ones are kept with their payment; those of a guest without a profile lose the name.
  { what: "experience_bookings", olderThanMs: LOG_DAYS * DAY_MS },
  // Sessions without a sale are deleted after their bookings: cancelled or past sessions, then removed experiences.
  { what: "experience_sessions", olderThanMs: LOG_DAYS * DAY_MS },
  { what: "experiences", olderThanMs: LOG_DAYS * DAY_MS },
  { what: "audit_entries", olderThanMs: RECORD_DAYS * DAY_MS },
  { what: "availability_changes", olderThanMs: RECORD_DAYS * DAY_MS },
  { what: "stock_entries", olderThanMs: RECORD_DAYS * DAY_MS },
  { what: "shifts", olderThanMs: RECORD_DAYS * DAY_MS },
  // Rows of `shifts` that were removed and of which nothing is published. A removal can be taken back until then.
  { what: "removed_shifts", olderThanMs: DAY_MS },
  { what: "sessions", olderThanMs: 0 },
  { what: "sign_ups", olderThanMs: LOG_DAYS * DAY_MS },
  { what: "screen_pairings", olderThanMs: 0 },
  { what: "known_devices", olderThanMs: 0 },
  { what: "security_alerts", olderThanMs: 90 * DAY_MS },
  { what: "invitation_mails", olderThanMs: DAY_MS },
  { what: "consents", olderThanMs: DAY_MS },
  { what: "grants", olderThanMs: DAY_MS },
] as const;

export type PurgeBatch = { what: (typeof RETENTION)[number]["what"]; rows: number; ms: number };

type PurgeOptions = { onBatch?: (batch: PurgeBatch) => void; isStopping?: () => boolean };

/** Deletes in batches, each in its own transaction, so that no transaction runs long. */
export const purgeExpired = async (
  { pool, clock }: Pick<Deps, "pool" | "clock">,
  { onBatch, isStopping }: PurgeOptions = {},
): Promise<void> => {
  const db = openDb(pool);
  for (const { what, olderThanMs } of RETENTION) {
    const before = new Date(clock.now().getTime() - olderThanMs);
    const purge = sql<{ count: number }>`select ${sql.ref(`purge_${what}`)}(${before}, ${BATCH_ROWS}::integer) as count`;
    for (let rows = BATCH_ROWS; rows === BATCH_ROWS && !isStopping?.(); ) {
      const startedAt = performance.now();
      rows = (await oneRow(db.query(purge))).count;
      onBatch?.({ what, rows, ms: performance.now() - startedAt });
      if (rows === BATCH_ROWS) await sleep(PAUSE_MS);
    }
  }
};

/** Stopping waits for the current batch. */
export const startRetention = (deps: Deps): (() => Promise<void>) =>
  repeatEvery(deps, {
    everyMs: EVERY_MS,
    failure: "the retention purge failed; it runs again in a minute",
    run: (isStopping) => purgeExpired(deps, { isStopping }),
  });
