/** The second factor: TOTP codes of an authenticator app, recovery codes, and the limit of wrong ones. */

import { randomBytes } from "node:crypto";
import type { GlobalContext } from "#lib/context.ts";
import { decrypt, type EncryptionKey, encrypt } from "#lib/encryption.ts";
import { type ApiError, apiError, validationError } from "#lib/errors.ts";
import { sha256 } from "#lib/token-format.ts";
import { matchCode, newTotpSecret, totpUri } from "#lib/totp.ts";
import { realNow } from "#lib/venue-clock.ts";
import { type FactorRow, lockFactor, setFactor, setRecoveryHashes, useRecoveryHash, useTotpStep } from "#platform/people/users/store.ts";
import { alertUser } from "#platform/sign-in/security-alerts/service.ts";
import { countWrongCode, type FirstFactor, isAlertDue, isLimitReached, secondsUntilReset, type WrongCodes } from "./rules.ts";
import { findWrongCodes, setWrongCodes } from "./store.ts";

const totpPurpose = (userId: number): string => `totp:${userId}`;

/** `client` is the User-Agent of the request. */
export type PresentedCode = { code: string | null; proof: FirstFactor; client: string | null };

/**
 * Null when the account has no second factor or the code is right. An error is returned, not thrown, because the transaction must
 * commit the count of wrong codes.
 */
export const checkCode = async (
  ctx: GlobalContext,
  userId: number,
  { code, proof, client }: PresentedCode,
  encryptionKeys: readonly EncryptionKey[],
): Promise<ApiError | null> => {
  const row = await lockFactor(ctx, userId);
  if (!row || row.totp_confirmed_at === null || row.encrypted_totp_secret === null) return null;
  if (code === null) return apiError("second_factor_required", { is_wrong: false });
  const wrongCodes = await findWrongCodes(ctx, userId, proof);
  if (wrongCodes && isLimitReached(wrongCodes, realNow(ctx))) return limitError(ctx, proof, wrongCodes);
  if (await isRightCode(ctx, row, { code, client }, encryptionKeys)) return null;
  const counted = countWrongCode(wrongCodes, realNow(ctx));
  setWrongCodes(ctx, userId, proof, counted);
  if (isAlertDue(counted)) await alertUser(ctx, row, { kind: "codes.guessed", client, about: String(counted.wrong) });
  return apiError("second_factor_required", { is_wrong: true });
};

/** After too many wrong codes with the right password, a sign-in link by mail is still possible. */
const limitError = (ctx: GlobalContext, proof: FirstFactor, wrongCodes: WrongCodes): ApiError =>
  proof === "password"
    ? apiError("sign_in_link_required")
    : apiError("rate_limited", {}, { "Retry-After": String(secondsUntilReset(wrongCodes, realNow(ctx))) });

const isRightCode = async (
  ctx: GlobalContext,
  row: FactorRow,
  { code, client }: { code: string; client: string | null },
  encryptionKeys: readonly EncryptionKey[],
): Promise<boolean> => {
  if (isRecoveryCode(code)) {
    const left = await useRecoveryHash(ctx, row.id, recoveryHash(row.id, code));
    if (left !== undefined) await alertUser(ctx, row, { kind: "recovery_code.used", client, about: String(left) });
    return left !== undefined;
  }
  const step = matchCode(
    decrypt(encryptionKeys, row.encrypted_totp_secret ?? "", totpPurpose(row.id)),
    code,
    realNow(ctx),
    row.totp_last_step,
  );
  return step !== null && (await useTotpStep(ctx, row.id, step));
};

/** The factor is inactive until a code confirms it. */
export const beginFactor = async (
  ctx: GlobalContext,
  userId: number,
  encryptionKeys: readonly EncryptionKey[],
): Promise<{ secret: string; uri: string }> => {
  const row = await lockFactor(ctx, userId);
  if (!row || row.totp_confirmed_at !== null) throw validationError({ code: ["A second factor is on already: turn it off first."] });
  const secret = newTotpSecret();
  setFactor(ctx, userId, {
    encrypted_totp_secret: encrypt(encryptionKeys, secret, totpPurpose(userId)),
    totp_confirmed_at: null,
    totp_last_step: null,
    recovery_hashes: [],
  });
  return { secret, uri: totpUri(secret, row.email) };
};

/** Activates the factor. The recovery codes are returned once; only their hashes are stored. */
export const confirmFactor = async (
  ctx: GlobalContext,
  userId: number,
  { code, client }: { code: string; client: string | null },
  encryptionKeys: readonly EncryptionKey[],
): Promise<string[]> => {
  const row = await lockFactor(ctx, userId);
  if (!row?.encrypted_totp_secret || row.totp_confirmed_at !== null)
    throw validationError({ code: ["Start again: request a new secret first."] });
  const step = matchCode(decrypt(encryptionKeys, row.encrypted_totp_secret, totpPurpose(userId)), code, realNow(ctx), null);
  if (step === null) throw validationError({ code: ["The code is wrong. Check your phone's clock and try the next code."] });
  const codes = newRecoveryCodes();
  setFactor(ctx, userId, {
    encrypted_totp_secret: row.encrypted_totp_secret,
    totp_confirmed_at: realNow(ctx),
    totp_last_step: step,
    recovery_hashes: codes.map((one) => recoveryHash(userId, one)),
  });
  await alertUser(ctx, row, { kind: "factor.on", client });
  return codes;
};

/** Replaces all recovery codes. */
export const renewRecoveryCodes = async (ctx: GlobalContext, userId: number): Promise<string[]> => {
  const row = await lockFactor(ctx, userId);
  if (!row || row.totp_confirmed_at === null) throw validationError({ code: ["There is no second factor: turn it on first."] });
  const codes = newRecoveryCodes();
  setRecoveryHashes(
    ctx,
    userId,
    codes.map((one) => recoveryHash(userId, one)),
  );
  return codes;
};

/** False when there was none. `factor.reset`: the operator removes it for a user who lost phone and recovery codes. */
export const removeFactor = async (
  ctx: GlobalContext,
  userId: number,
  { kind, client }: { kind: "factor.off" | "factor.reset"; client: string | null },
): Promise<boolean> => {
  const row = await lockFactor(ctx, userId);
  if (!row || row.totp_confirmed_at === null) return false;
  setFactor(ctx, userId, { encrypted_totp_secret: null, totp_confirmed_at: null, totp_last_step: null, recovery_hashes: [] });
  await alertUser(ctx, row, { kind, client });
  return true;
};

/** One-time codes for a lost authenticator app. Each has 60 random bits, so a plain hash protects it. */
const COUNT = 10;
const LENGTH = 12;
/** 32 characters without look-alikes (i, l, o, u). */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

const newCode = (): string =>
  [...randomBytes(LENGTH)]
    .map((byte) => ALPHABET.charAt(byte % ALPHABET.length))
    .join("")
    .replaceAll(/(.{4})(?=.)/g, "$1-");

const newRecoveryCodes = (): string[] => Array.from({ length: COUNT }, newCode);

/** Six digits are a code of the authenticator app; anything else that passes validation is a recovery code. */
const isRecoveryCode = (code: string): boolean => !/^[0-9]{6}$/.test(code);

/** The user's id is part of the hash, so equal codes of two users have two hashes. Case, dashes and look-alikes do not matter. */
const recoveryHash = (userId: number, code: string): Buffer => {
  const plain = code.toLowerCase().replaceAll("-", "").replaceAll("o", "0").replaceAll(/[il]/g, "1");
  return sha256(`${userId}:${plain}`);
};
