/**
 * A key has one effect (contract §8, open points D43–D50). Its row is written in the operation's transaction under a transaction-scoped
 * lock, so a crash leaves neither a stuck key nor a second effect.
 */
import { createHash } from "node:crypto";
import { sql } from "kysely";
import { findAnswers, upsertAnswer } from "#db/idempotency-keys.ts";
import { oneRow } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import { ApiError, apiError, because, validationError } from "#lib/errors.ts";
import { realNow } from "#lib/venue-clock.ts";
import { type ApiAnswer, errorBody, reasonsJson } from "../reply.ts";
import type { BodyObject } from "./body.ts";

export const KEY_HEADER = "Idempotency-Key";
const KEY_LENGTH_MAX = 255;
export const WINDOW_MS = 24 * 60 * 60 * 1000;

/** Null when none was sent. Reads `rawHeaders`, because Node joins repeated headers into one. */
export const readKey = (rawHeaders: readonly string[]): string | null => {
  const keys = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === KEY_HEADER.toLowerCase());
  if (keys.length > 1) throw validationError({ [KEY_HEADER]: [because("May be sent once only.", "repeated")] });
  const [key = ""] = keys;
  if (key.trim() === "") return null;
  if (characterCount(key) > KEY_LENGTH_MAX)
    throw validationError({
      [KEY_HEADER]: [because(`Must have at most ${KEY_LENGTH_MAX} characters.`, "too_long", { max: KEY_LENGTH_MAX })],
    });
  return key;
};

/** Node shows header bytes as Latin-1; clients write UTF-8. */
const characterCount = (header: string): number => [...Buffer.from(header, "latin1").toString()].length;

export type Claim = { key: string; fingerprint: Buffer };

export const fingerprintOf = (method: string, path: string, body: BodyObject): Buffer =>
  createHash("sha256")
    .update(`${method} ${path}\n${canonical(body)}`)
    .digest();

/** Sorts the members, so that a repeat with another member order has the same fingerprint. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = value as BodyObject;
  const names = Object.keys(members).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(members[name])}`).join(",")}}`;
};

/** The stored answer of an earlier request; null when this request is the first and now holds the key. */
export const claimKey = async (ctx: Ctx, { key, fingerprint }: Claim): Promise<ApiAnswer | null> => {
  // Two statements, so that the second sees what the previous holder committed before it released the lock.
  const [isFree, [stored]] = await Promise.all([lockKey(ctx, key), findAnswers(ctx, key)]);
  const inWindow = stored !== undefined && realNow(ctx).getTime() - stored.created_at.getTime() < WINDOW_MS;
  if (inWindow && !stored.fingerprint.equals(fingerprint)) throw apiError("idempotency_key_reused");
  if (!isFree) throw apiError("idempotency_key_in_use", {}, { "Retry-After": "1" });
  if (!inWindow) return null;
  const { status, body, location, reasons } = stored;
  return { status, body, location, reasons, isReplay: true };
};

/**
 * Part of the first answer, because a repeated request gets its bytes again (contract §8). A client that corrects the cause and keeps the key
 * would otherwise take the old refusal for a new one.
 */
const STORED = "This answer is stored under its Idempotency-Key and given again for it: send a new key to try again.";

const storeAnswer = (ctx: Ctx, { key, fingerprint }: Claim, { status, body, location, reasons }: ApiAnswer): void =>
  upsertAnswer(ctx, key, { fingerprint, status, body, location, reasons, created_at: realNow(ctx) });

const lockKey = async ({ db, tenant, actor }: Ctx, key: string): Promise<boolean> => {
  const lock = createHash("sha256").update(`${tenant.id}\n${actor.caller}\n${key}`).digest().readBigInt64BE();
  const row = await oneRow(db.query(sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${lock}) as locked`));
  return row.locked;
};

const storedError = ({ code, message, details }: ApiError): string => errorBody({ code, details, message: `${message} ${STORED}` });

/** The effect and the stored answer are one commit. A validation or transition error is an answer too (D45). */
export const runOnce = async (ctx: Ctx, claim: Claim, run: (ctx: Ctx) => Promise<ApiAnswer>): Promise<ApiAnswer> => {
  const answer = await ctx.db
    .savepoint(() => run(ctx))
    .catch((error: unknown) => {
      if (error instanceof ApiError && (error.code === "validation_failed" || error.code === "invalid_transition"))
        return { status: error.status, body: storedError(error), location: null, isReplay: false, reasons: reasonsJson(error.reasons) };
      throw error;
    });
  storeAnswer(ctx, claim, answer);
  return answer;
};

/** Runs once for a key, and always without one. */
export const runOnceByKey = async (ctx: Ctx, claim: Claim | null, run: (ctx: Ctx) => Promise<ApiAnswer>): Promise<ApiAnswer> =>
  claim === null ? run(ctx) : ((await claimKey(ctx, claim)) ?? runOnce(ctx, claim, run));
