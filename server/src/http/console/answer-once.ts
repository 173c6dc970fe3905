/**
 * A console call has one effect for its `Idempotency-Key`. A call of one transaction in a venue keeps its answer there, as the API does. A call
 * without a venue, of a person who may no longer be in it, or of several transactions keeps it with the user.
 */
import { createHash, createHmac, hkdfSync } from "node:crypto";
import { sql } from "kysely";
import { findUserAnswers, type UserKey, upsertUserAnswer } from "#db/idempotency-keys.ts";
import { oneRow } from "#db/query.ts";
import type { Ctx, GlobalContext } from "#lib/context.ts";
import { decrypt, type EncryptionKey, encrypt } from "#lib/encryption.ts";
import { ApiError, apiError, because, validationError } from "#lib/errors.ts";
import { sha256 } from "#lib/token-format.ts";
import { realNow } from "#lib/venue-clock.ts";
import { type Claim, KEY_HEADER, runOnceByKey, WINDOW_MS } from "../api/idempotency.ts";
import type { ApiAnswer } from "../reply.ts";

export const answerOf = (status: number, body: string): ApiAnswer => ({ status, body, location: null, isReplay: false, reasons: null });

/** The effect and its stored answer are one transaction. */
export const answerInVenue = (ctx: Ctx, claim: Claim | null, answer: () => Promise<ApiAnswer>): Promise<ApiAnswer> =>
  runOnceByKey(ctx, claim, answer);

const STATUS_OF_REFUSALS = 400;

/** Stores an answer with a secret. A refusal has none, and is stored as it is. */
export const answerSecretInVenue = async (ctx: Ctx, claim: Claim | null, answer: () => Promise<ApiAnswer>): Promise<ApiAnswer> => {
  if (claim === null) return answer();
  const { key } = claim;
  requireLongKey(key);
  const hidden = { ...claim, key: `sha256:${sha256(key).toString("base64url")}` };
  const stored = await runOnceByKey(ctx, hidden, async () => {
    const made = await answer();
    return { ...made, body: encryptAnswer(key, made.body) };
  });
  return stored.status >= STATUS_OF_REFUSALS ? stored : { ...stored, body: decryptAnswer(key, stored.body) };
};

/**
 * Runs `work` once for the call's key, in the transaction of `ctx`, which stores the answer as well. Returns the first answer when there is one.
 * `work` is the effect of the call and returns its whole answer; what the call does around it can be repeated.
 */
export type RunOnce = <A extends { data: unknown } | ApiError>(ctx: GlobalContext, work: () => Promise<A>) => Promise<A>;

export type OnceForUser = {
  once: RunOnce;
  /** Whether `once` returned the first answer of an earlier request. */
  isReplay(): boolean;
  /** Whether there is a first answer. Throws for a key that cannot be used, so that the call has no effect before `once` refuses it. */
  isAnswered(ctx: GlobalContext): Promise<boolean>;
  /** The first answer, or null. Null itself where the call has no key, so that a refusal costs no look-up. */
  readonly find: ((ctx: GlobalContext) => Promise<string | null>) | null;
};

/** A refusal is not stored: it had no effect, so the call is tried again. Without a key, each call is the first one. */
export const onceForUser = (userId: number, claim: Claim | null): OnceForUser => {
  let isReplay = false;
  if (claim === null) return { once: (_, work) => work(), isReplay: () => false, isAnswered: async () => false, find: null };
  const { key } = claim;
  // A body may hold a password, so a plain hash of it is not stored.
  const fingerprint = createHmac("sha256", key).update(claim.fingerprint).digest();
  const user: UserKey = { userId, keyHash: sha256(key) };
  const find = async (ctx: GlobalContext): Promise<string | null> => {
    const [stored] = await findUserAnswers(ctx.db, user);
    if (!stored || realNow(ctx).getTime() - stored.created_at.getTime() >= WINDOW_MS) return null;
    if (!stored.fingerprint.equals(fingerprint)) throw apiError("idempotency_key_reused");
    return decryptAnswer(key, stored.body);
  };
  return {
    find,
    isReplay: () => isReplay,
    async isAnswered(ctx) {
      requireLongKey(key);
      return (await find(ctx)) !== null;
    },
    async once(ctx, work) {
      requireLongKey(key);
      // Two statements, so that the second sees what the previous holder committed before it released the lock.
      const [isFree, stored] = await Promise.all([lockKey(ctx, user), find(ctx)]);
      if (!isFree) throw apiError("idempotency_key_in_use", {}, { "Retry-After": "1" });
      isReplay = stored !== null;
      if (stored !== null) return JSON.parse(stored);
      const answer = await work();
      // Returned instead of thrown, so that what it records is committed.
      if (answer instanceof ApiError) return answer;
      upsertUserAnswer(ctx.db, user, {
        fingerprint,
        body: encryptAnswer(key, JSON.stringify(answer)),
        created_at: realNow(ctx),
      });
      return answer;
    },
  };
};

const lockKey = async ({ db }: GlobalContext, { userId, keyHash }: UserKey): Promise<boolean> => {
  const lock = createHash("sha256").update(`user ${userId}\n`).update(keyHash).digest().readBigInt64BE();
  const row = await oneRow(db.query(sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${lock}) as locked`));
  return row.locked;
};

/** A UUID has 36. A shorter key could be found by trying. */
const KEY_LENGTH_MIN = 32;
const KEY_BYTES = 32;
const PURPOSE = "stored answer";

const requireLongKey = (key: string): void => {
  if (key.length < KEY_LENGTH_MIN)
    throw validationError({
      [KEY_HEADER]: [because(`Must have at least ${KEY_LENGTH_MIN} characters.`, "too_short", { min: KEY_LENGTH_MIN })],
    });
};

const encryptionKeyOf = (key: string): EncryptionKey => ({
  id: "idempotency",
  bytes: Buffer.from(hkdfSync("sha256", key, "", PURPOSE, KEY_BYTES)),
});

const encryptAnswer = (key: string, body: string): string => encrypt([encryptionKeyOf(key)], body, PURPOSE);

const decryptAnswer = (key: string, stored: string): string => decrypt([encryptionKeyOf(key)], stored, PURPOSE);
