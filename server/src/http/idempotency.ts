/**
 * One key, one effect (contract §8, open points D43–D50). The key's row is written in the operation's own transaction
 * under a transaction-scoped lock: a crash leaves nothing behind, neither a stuck key nor a second effect.
 */
import { createHash } from "node:crypto";
import { sql } from "kysely";
import { type Db, only, q } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import { fail, invalid } from "#lib/errors.ts";
import type { JsonObject } from "./body.ts";
import type { Answer } from "./reply.ts";

export const KEY_HEADER = "Idempotency-Key";
const KEY_LENGTH_MAX = 255;
export const WINDOW_MS = 24 * 60 * 60 * 1000;

/** Null when none was sent. `rawHeaders` is asked because Node joins repeated headers into one. */
export const readKey = (rawHeaders: readonly string[]): string | null => {
  const keys = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === KEY_HEADER.toLowerCase());
  if (keys.length > 1) throw invalid({ [KEY_HEADER]: ["May be sent once only."] });
  const [key = ""] = keys;
  if (key.trim() === "") return null;
  if (characterCount(key) > KEY_LENGTH_MAX) throw invalid({ [KEY_HEADER]: [`Must have at most ${KEY_LENGTH_MAX} characters.`] });
  return key;
};

/** Node shows header bytes as Latin-1; clients write UTF-8. */
const characterCount = (header: string): number => [...Buffer.from(header, "latin1").toString()].length;

export type Claim = { key: string; fingerprint: Buffer };

export const fingerprintOf = (method: string, path: string, body: JsonObject): Buffer =>
  createHash("sha256")
    .update(`${method} ${path}\n${canonical(body)}`)
    .digest();

/** Members in one order, so that a client that writes its JSON anew is still recognised. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = value as JsonObject;
  const names = Object.keys(members).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(members[name])}`).join(",")}}`;
};

/** The stored answer of an earlier request; null when this request is the first and now holds the key. */
export const claimKey = async (ctx: Ctx, { key, fingerprint }: Claim): Promise<Answer | null> => {
  // Two statements on purpose: the second sees what the last holder committed before it let the lock go.
  const [isFree, [stored]] = await Promise.all([lockKey(ctx, key), ctx.db.query(storedAnswer(ctx, key))]);
  const inWindow = stored !== undefined && ctx.now.getTime() - stored.created_at.getTime() < WINDOW_MS;
  if (inWindow && !stored.fingerprint.equals(fingerprint)) throw fail("idempotency_key_reused");
  if (!isFree) throw fail("idempotency_key_in_use", {}, { "Retry-After": "1" });
  if (!inWindow) return null;
  return { status: stored.status, body: stored.body, location: stored.location, isReplay: true };
};

export const storeAnswer = (ctx: Ctx, { key, fingerprint }: Claim, answer: Answer): void => {
  const row = { fingerprint, status: answer.status, body: answer.body, location: answer.location, created_at: ctx.now };
  ctx.db.later(
    q
      .insertInto("idempotency_keys")
      .values({ restaurant_id: ctx.tenant.id, caller: ctx.actor.caller, key, ...row })
      // Only a key whose window is over can be there already.
      .onConflict((conflict) => conflict.columns(["restaurant_id", "caller", "key"]).doUpdateSet(row)),
  );
};

const storedAnswer = ({ tenant, actor }: Ctx, key: string) =>
  q
    .selectFrom("idempotency_keys")
    .select(["fingerprint", "status", "body", "location", "created_at"])
    .where("restaurant_id", "=", tenant.id)
    .where("caller", "=", actor.caller)
    .where("key", "=", key);

const lockKey = async ({ db, tenant, actor }: Ctx, key: string): Promise<boolean> => {
  const lock = createHash("sha256").update(`${tenant.id}\n${actor.caller}\n${key}`).digest().readBigInt64BE();
  const row = await only(db.query(sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${lock}) as locked`));
  return row.locked;
};

/** Undoes what a refused operation did, so that its answer alone can be committed. */
export const inSavepoint = async <T>(db: Db, work: () => Promise<T>): Promise<T> => {
  db.later(sql`savepoint operation`);
  try {
    return await work();
  } catch (error) {
    db.later(sql`rollback to savepoint operation`);
    throw error;
  }
};
