/** The second factor: codes of an authenticator app, recovery codes in their place, and how often both may be wrong. */
import type { HouseCtx } from "#lib/context.ts";
import { fail, invalid, type Refusal } from "#lib/errors.ts";
import { isRecoveryCode, newRecoveryCodes, recoveryHash } from "#lib/recovery-codes.ts";
import { type SecretKey, seal, unseal } from "#lib/sealed.ts";
import { matchCode, newTotpSecret, totpUri } from "#lib/totp.ts";
import { alertPerson } from "#platform/alerts/service.ts";
import { addGuess, type Guesses, isUsedUp, isWorthAnAlert, type Proof, secondsUntilNext } from "./rules.ts";
import {
  endFactorsWithoutSecret,
  type FactorRow,
  findGuesses,
  lockFactor,
  setFactor,
  setGuesses,
  setRecoveryHashes,
  takeRecoveryHash,
  useTotpStep,
} from "./store.ts";

const totpPurpose = (personId: number): string => `totp:${personId}`;

/** `client` is the User-Agent that gives the code. */
export type CodeGiven = { code: string | null; proof: Proof; client: string | null };

/**
 * Null when there is no second factor or the code is right. A refusal is returned, not thrown: the transaction has to commit, because
 * the wrong code is counted in it.
 */
export const checkCode = async (
  ctx: HouseCtx,
  personId: number,
  { code, proof, client }: CodeGiven,
  secretKeys: readonly SecretKey[],
): Promise<Refusal | null> => {
  const row = await lockFactor(ctx, personId);
  if (!row || row.totp_confirmed_at === null || row.sealed_totp_secret === null) return null;
  if (code === null) return fail("second_factor_required", { is_wrong: false });
  const guesses = await findGuesses(ctx, personId, proof);
  if (guesses && isUsedUp(guesses, ctx.now)) return refuseUsedUp(ctx, proof, guesses);
  if (await isRightCode(ctx, row, { code, client }, secretKeys)) return null;
  const counted = addGuess(guesses, ctx.now);
  setGuesses(ctx, personId, proof, counted);
  if (isWorthAnAlert(counted)) await alertPerson(ctx, row, { kind: "codes.guessed", client, about: String(counted.wrong) });
  return fail("second_factor_required", { is_wrong: true });
};

/** Who gave the right password too many wrong codes can still prove the mailbox. */
const refuseUsedUp = (ctx: HouseCtx, proof: Proof, guesses: Guesses): Refusal =>
  proof === "password"
    ? fail("sign_in_link_required")
    : fail("rate_limited", {}, { "Retry-After": String(secondsUntilNext(guesses, ctx.now)) });

const isRightCode = async (
  ctx: HouseCtx,
  row: FactorRow,
  { code, client }: { code: string; client: string | null },
  secretKeys: readonly SecretKey[],
): Promise<boolean> => {
  if (isRecoveryCode(code)) {
    const left = await takeRecoveryHash(ctx, row.id, recoveryHash(row.id, code));
    if (left !== undefined) await alertPerson(ctx, row, { kind: "recovery_code.used", client, about: String(left) });
    return left !== undefined;
  }
  const step = matchCode(unseal(secretKeys, row.sealed_totp_secret ?? "", totpPurpose(row.id)), code, ctx.now, row.totp_last_step);
  return step !== null && (await useTotpStep(ctx, row.id, step));
};

/** Not in force until a code of it was shown. */
export const beginFactor = async (
  ctx: HouseCtx,
  personId: number,
  secretKeys: readonly SecretKey[],
): Promise<{ secret: string; uri: string }> => {
  const row = await lockFactor(ctx, personId);
  if (!row || row.totp_confirmed_at !== null) throw invalid({ code: ["A second factor is in force already: end it first."] });
  const secret = newTotpSecret();
  setFactor(ctx, personId, {
    sealed_totp_secret: seal(secretKeys, secret, totpPurpose(personId)),
    totp_confirmed_at: null,
    totp_last_step: null,
    recovery_hashes: [],
  });
  return { secret, uri: totpUri(secret, row.email) };
};

/** In force from here on. The recovery codes are returned here and kept nowhere; only their hashes are. */
export const confirmFactor = async (
  ctx: HouseCtx,
  personId: number,
  { code, client }: { code: string; client: string | null },
  secretKeys: readonly SecretKey[],
): Promise<string[]> => {
  const row = await lockFactor(ctx, personId);
  if (!row?.sealed_totp_secret || row.totp_confirmed_at !== null) throw invalid({ code: ["Begin by asking for a new secret."] });
  const step = matchCode(unseal(secretKeys, row.sealed_totp_secret, totpPurpose(personId)), code, ctx.now, null);
  if (step === null) throw invalid({ code: ["The code is not right. Look at your phone's clock, and try the next code."] });
  const codes = newRecoveryCodes();
  setFactor(ctx, personId, {
    sealed_totp_secret: row.sealed_totp_secret,
    totp_confirmed_at: ctx.now,
    totp_last_step: step,
    recovery_hashes: codes.map((one) => recoveryHash(personId, one)),
  });
  await alertPerson(ctx, row, { kind: "factor.on", client });
  return codes;
};

/** Ten new codes; the old ones end. */
export const renewRecoveryCodes = async (ctx: HouseCtx, personId: number): Promise<string[]> => {
  const row = await lockFactor(ctx, personId);
  if (!row || row.totp_confirmed_at === null) throw invalid({ code: ["There is no second factor: switch it on first."] });
  const codes = newRecoveryCodes();
  setRecoveryHashes(
    ctx,
    personId,
    codes.map((one) => recoveryHash(personId, one)),
  );
  return codes;
};

/** False when there was none. `factor.reset` is the operator's way for a person who has lost phone and codes. */
export const removeFactor = async (
  ctx: HouseCtx,
  personId: number,
  { kind, client }: { kind: "factor.off" | "factor.reset"; client: string | null },
): Promise<boolean> => {
  const row = await lockFactor(ctx, personId);
  if (!row || row.totp_confirmed_at === null) return false;
  setFactor(ctx, personId, { sealed_totp_secret: null, totp_confirmed_at: null, totp_last_step: null, recovery_hashes: [] });
  await alertPerson(ctx, row, { kind, client });
  return true;
};

/** After `reseal --discard`: people whose secret is gone sign in without a code, and may set up a new one. */
export const forgetLostFactors = (ctx: HouseCtx): void => endFactorsWithoutSecret(ctx);
