/** Stored answers of console calls that are kept with the user, because they belong to no venue or take several transactions. */
import { builder, type Db } from "./query.ts";

export type UserKey = { userId: number; keyHash: Buffer };
export type UserAnswer = { fingerprint: Buffer; body: string; created_at: Date };

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
