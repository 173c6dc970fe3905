/** The console call that signs a user in with a password. */
import type { PublicCaller, PublicCalls } from "#http/console/calls.ts";
import type { EncryptionKey } from "#lib/encryption.ts";
import { apiError, unwrap } from "#lib/errors.ts";
import { sha256 } from "#lib/token-format.ts";
import { findUser, lockUserAccess, type UserRow } from "#platform/people/users/store.ts";
import { checkCode } from "#platform/sign-in/second-factor/service.ts";
import { signInBuckets } from "../rules.ts";
import { alertNewDevice, checkPassword, createSession, findKnownDevice, lockUnchangedUser } from "../service.ts";
import { refundOnError } from "./password-check.ts";

const SIGN_INS_PER_MINUTE = 10;

type SignInAttempt = { email: string; password: string };

/**
 * Above the account's limit no hash is computed for an unknown device, so the answer and its time are the same for every address
 * and password.
 */
const checkSignIn = async (caller: PublicCaller, { email, password }: SignInAttempt): Promise<{ user: UserRow; device: string | null }> => {
  const device =
    caller.devices.length === 0 ? null : await caller.inGlobalTransaction((ctx) => findKnownDevice(ctx, email, caller.devices));
  const buckets = signInBuckets(email.toLowerCase(), caller.source.host, device && sha256(device).toString("base64url"));
  const [accountBucket, ownBucket] = [
    buckets.find(({ isAccountWide }) => isAccountWide),
    buckets.find(({ isAccountWide }) => !isAccountWide),
  ];
  if (accountBucket && (await caller.isFull(accountBucket))) throw apiError("sign_in_link_required");
  if (ownBucket) await caller.countIn(ownBucket);
  const readUser = () => caller.inGlobalTransaction((ctx) => findUser(ctx, email));
  const right = await refundOnError(
    checkPassword(readUser, password, device === null ? caller.source : { account: email.toLowerCase() }),
    () => (ownBucket ? caller.refund(ownBucket) : undefined),
  );
  if (!right) {
    if (accountBucket) await caller.record(accountBucket);
    throw apiError("sign_in_failed");
  }
  if (ownBucket) await caller.refund(ownBucket);
  return { user: right, device };
};

export const signInCalls = (encryptionKeys: readonly EncryptionKey[]): Pick<PublicCalls, "signIn"> => ({
  async signIn(caller, { body }) {
    const { email, password, code = null } = body();
    await caller.count("sign-in", SIGN_INS_PER_MINUTE);
    const { user, device } = await checkSignIn(caller, { email, password });
    const { client } = caller;
    const outcome = await caller.inGlobalTransaction(async (ctx) => {
      // The browser's previous session ends, so its running writes must commit first.
      if (device !== null) lockUserAccess(ctx, user.email);
      const locked = await lockUnchangedUser(ctx, user);
      const refused = await checkCode(ctx, locked.id, { code, proof: device === null ? "password" : "device", client }, encryptionKeys);
      if (refused) return refused;
      if (device === null) await alertNewDevice(ctx, locked, client);
      return createSession(ctx, locked, { device, client, hasGivenPassword: true });
    });
    const opened = unwrap(outcome);
    caller.setCookie(opened.cookie);
    caller.rememberDevice(opened.device);
    return { data: opened.signedIn };
  },
});
