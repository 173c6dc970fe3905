/** A reset of a sandbox is alone in it. Whoever else changes something there goes in beside others, and waits while a reset runs. */
import { sql } from "kysely";
import type { Entrance, Tenant } from "#lib/context.ts";
import { fail } from "#lib/errors.ts";
import { type Db, only } from "./query.ts";

/** First thing in a transaction, held to its end; sent with what follows, so it costs no round trip. A live venue is never reset. */
export const enterVenue = (db: Db, { id, kind }: Tenant, entrance: Entrance = "beside others"): void => {
  if (kind !== "sandbox") return;
  const lock = entrance === "alone" ? sql`pg_advisory_xact_lock` : sql`pg_advisory_xact_lock_shared`;
  db.later(sql`select ${lock}(hashtextextended(${`sandbox ${id}`}, 0))`);
};

/**
 * For a reset that a person asks for: one at a time may run or wait for its turn in a sandbox, the others are refused at once. Each of them
 * would hold a connection while it waits.
 */
export const claimReset = async (db: Db, { id }: Tenant): Promise<void> => {
  const claim = sql<{ claimed: boolean }>`select pg_try_advisory_xact_lock(hashtextextended(${`sandbox reset ${id}`}, 0)) as claimed`;
  if (!(await only(db.query(claim))).claimed) throw fail("service_unavailable", {}, { "Retry-After": "1" });
};
