/** Checks the password of a signed-in user, with its limits. */
import type { SessionCaller } from "#http/console/calls.ts";
import { apiError } from "#lib/errors.ts";
import { findUser, type UserRow } from "#platform/people/users/store.ts";
import { checksBucket, sessionBucket } from "../rules.ts";
import { checkPassword } from "../service.ts";

/** Counted by session, so that wrong passwords elsewhere do not lock out a signed-in user. Right ones count too, because each costs a hash. */
export const checkOwnPassword = async (caller: SessionCaller, password: string): Promise<UserRow> => {
  const bucket = sessionBucket(caller.session.session_id);
  await caller.countIn(checksBucket(caller.session.session_id));
  await caller.countIn(bucket);
  const readUser = () => caller.inGlobalTransaction((ctx) => findUser(ctx, caller.session.email));
  const right = await refundOnError(checkPassword(readUser, password, { account: caller.session.email }), () => caller.refund(bucket));
  if (!right) throw apiError("sign_in_failed");
  await caller.refund(bucket);
  return right;
};

/** A check that failed, because the queue is full or the database is down, does not count as a wrong password. */
export const refundOnError = <T>(check: Promise<T>, refund: () => Promise<void> | undefined): Promise<T> =>
  check.catch(async (error: unknown) => {
    await refund();
    throw error;
  });
