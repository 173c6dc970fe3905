/** A reset locks the sandbox exclusively. Other writers take a shared lock, so they wait while a reset runs. */
import { sql } from "kysely";
import type { LockMode, Tenant } from "#lib/context.ts";
import { apiError } from "#lib/errors.ts";
import { builder, type Db, first, oneRow } from "./query.ts";

/** Taken first in a transaction and held to its end. It is deferred, so it costs no round trip. Live venues are never reset and need no lock. */
export const lockSandbox = (db: Db, { id, kind }: Tenant, mode: LockMode): void => {
  if (kind !== "sandbox") return;
  const lock = mode === "exclusive" ? sql`pg_advisory_xact_lock` : sql`pg_advisory_xact_lock_shared`;
  db.defer(sql`select ${lock}(hashtextextended(${`sandbox ${id}`}, 0))`);
};

/**
 * How far the clock is ahead, for a transaction that holds the lock: a program may have moved it since the tenant was read. A sandbox that is
 * being created has no row.
 */
export const readClockOffset = async (db: Db, { id, clock_offset_ms }: Tenant): Promise<number> => {
  const row = await first(db.query(builder.selectFrom("restaurants").select("clock_offset_ms").where("id", "=", id)));
  return row?.clock_offset_ms ?? clock_offset_ms;
};

/**
 * One reset that a user requests may run or wait in a sandbox. Further ones are refused at once, because each would hold a connection while
 * it waits.
 */
export const tryLockReset = async (db: Db, { id }: Tenant): Promise<void> => {
  const claim = sql<{ claimed: boolean }>`select pg_try_advisory_xact_lock(hashtextextended(${`sandbox reset ${id}`}, 0)) as claimed`;
  if (!(await oneRow(db.query(claim))).claimed) throw apiError("service_unavailable", {}, { "Retry-After": "1" });
};
