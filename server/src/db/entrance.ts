/** A reset of a sandbox is alone in it. Whoever else changes something there goes in beside others, and waits while a reset runs. */
import { sql } from "kysely";
import type { Entrance, Tenant } from "#lib/context.ts";
import type { Db } from "./query.ts";

/** First thing in a transaction, held to its end; sent with what follows, so it costs no round trip. A live venue is never reset. */
export const enterVenue = (db: Db, { id, kind }: Tenant, entrance: Entrance = "beside others"): void => {
  if (kind !== "sandbox") return;
  const lock = entrance === "alone" ? sql`pg_advisory_xact_lock` : sql`pg_advisory_xact_lock_shared`;
  db.later(sql`select ${lock}(hashtextextended(${`sandbox ${id}`}, 0))`);
};
