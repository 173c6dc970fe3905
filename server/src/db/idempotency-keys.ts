/** Stored answers of requests with an `Idempotency-Key`. The API stores them, the erasure of a guest deletes them. */
import { sql } from "kysely";
import type { Ctx } from "#lib/context.ts";
import { builder, type Db } from "./query.ts";

export type StoredAnswer = {
  fingerprint: Buffer;
  status: number;
  /** The body has no reasons of an error. */
  body: string;
  location: string | null;
  reasons: string | null;
  created_at: Date;
};

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

export const upsertAnswer = (ctx: Ctx, key: string, answer: StoredAnswer): void => {
  const row = { ...answer, about: [...new Set(answer.body.match(UUID))] };
  ctx.db.defer(
    builder
      .insertInto("idempotency_keys")
      .values({ restaurant_id: ctx.tenant.id, caller: ctx.actor.caller, key, ...row })
      // An existing row is an expired key.
      .onConflict((conflict) => conflict.columns(["restaurant_id", "caller", "key"]).doUpdateSet(row)),
  );
};

/** One row, or none. */
export const findAnswers = ({ db, tenant, actor }: Ctx, key: string): Promise<StoredAnswer[]> =>
  db.query(
    builder
      .selectFrom("idempotency_keys")
      .select(["fingerprint", "status", "body", "location", "reasons", "created_at"])
      .where("restaurant_id", "=", tenant.id)
      .where("caller", "=", actor.caller)
      .where("key", "=", key),
  );

/**
 * Deletes the answers that name these orders or reservations. A retry is then a new request. No body is read, except of answers that an
 * earlier version stored.
 */
export const deleteAnswersAbout = (ctx: Ctx, subjects: string[]): void => {
  ctx.db.defer(sql`
    delete from idempotency_keys k using (
      select distinct a.caller, a.key from idempotency_keys a cross join lateral unnest(a.about) as named (id)
      where a.restaurant_id = ${ctx.tenant.id} and named.id in (select unnest(${subjects}::text[]))
    ) found
    where k.restaurant_id = ${ctx.tenant.id} and k.caller = found.caller and k.key = found.key`);
  ctx.db.defer(sql`
    delete from idempotency_keys
    where restaurant_id = ${ctx.tenant.id} and about is null
      and body like any(select '%' || subject || '%' from unnest(${subjects}::text[]) as named (subject))`);
};

/** Stored answers of console calls that are kept with the user, because they belong to no venue or take several transactions. */
export type UserKey = { userId: number; keyHash: Buffer };
type UserAnswer = { fingerprint: Buffer; body: string; created_at: Date };

export const upsertUserAnswer = (db: Db, { userId, keyHash }: UserKey, answer: UserAnswer): void =>
  db.defer(
    builder
      .insertInto("user_answers")
      .values({ user_id: userId, key_hash: keyHash, ...answer })
      // An existing row is an expired key.
      .onConflict((conflict) => conflict.columns(["user_id", "key_hash"]).doUpdateSet(answer)),
  );

/** One row, or none. */
export const findUserAnswers = (db: Db, { userId, keyHash }: UserKey): Promise<UserAnswer[]> =>
  db.query(
    builder
      .selectFrom("user_answers")
      .select(["fingerprint", "body", "created_at"])
      .where("user_id", "=", userId)
      .where("key_hash", "=", keyHash),
  );
