/** Console calls for the user's second factor. */
import type { SessionCaller, SessionCalls } from "#http/console/calls.ts";
import type { GlobalContext } from "#lib/context.ts";
import type { EncryptionKey } from "#lib/encryption.ts";
import { type ApiError, unwrap } from "#lib/errors.ts";
import type { UserSession } from "#lib/principal.ts";
import type { UserRow } from "#platform/people/users/store.ts";
import { beginFactor, checkCode, confirmFactor, removeFactor, renewRecoveryCodes } from "#platform/sign-in/second-factor/service.ts";
import { sessionBucket } from "../rules.ts";
import { endOtherSessions, lockUnchangedUser, presentUser } from "../service.ts";
import { checkOwnPassword } from "./password-check.ts";

type SecondFactorIds = "beginSecondFactor" | "confirmSecondFactor" | "endSecondFactor" | "renewRecoveryCodes";

export const secondFactorCalls = (encryptionKeys: readonly EncryptionKey[]): Pick<SessionCalls, SecondFactorIds> => ({
  async beginSecondFactor(caller, { body }) {
    const { password } = body();
    const user = await checkOwnPassword(caller, password);
    const begin = async (ctx: GlobalContext) => ({
      data: await beginFactor(ctx, (await lockUnchangedUser(ctx, user)).id, encryptionKeys),
    });
    return caller.inGlobalTransaction((ctx) => caller.once(ctx, () => begin(ctx)));
  },
  async confirmSecondFactor(caller, { body }) {
    const { code } = body();
    const { session, client } = caller;
    await caller.countIn(sessionBucket(session.session_id));
    const confirm = async (ctx: GlobalContext) => {
      const recovery_codes = await confirmFactor(ctx, session.id, { code, client }, encryptionKeys);
      endOtherSessions(ctx, session);
      return { data: { person: withFactor(session, recovery_codes.length), recovery_codes } };
    };
    return caller.inGlobalTransaction((ctx) => caller.once(ctx, () => confirm(ctx)));
  },
  async endSecondFactor(caller, { body }) {
    const { password, code } = body();
    return withPasswordAndCode(caller, { password, code }, encryptionKeys, async (ctx, user) => {
      await removeFactor(ctx, user.id, { kind: "factor.off", client: caller.client });
      return { data: { ...presentUser(caller.session), has_second_factor: false, recovery_codes_left: 0 } };
    });
  },
  async renewRecoveryCodes(caller, { body }) {
    const { password, code } = body();
    return withPasswordAndCode(caller, { password, code }, encryptionKeys, async (ctx, user) => {
      const recovery_codes = await renewRecoveryCodes(ctx, user.id);
      return { data: { person: withFactor(caller.session, recovery_codes.length), recovery_codes } };
    });
  },
});

const withFactor = (session: UserSession, left: number) => ({
  ...presentUser(session),
  has_second_factor: true,
  recovery_codes_left: left,
});

/** A change of the second factor needs the password and a code. No code works twice, so the code is part of what is done once. */
const withPasswordAndCode = async <T extends { data: unknown }>(
  caller: SessionCaller,
  { password, code }: { password: string; code: string },
  encryptionKeys: readonly EncryptionKey[],
  work: (ctx: GlobalContext, user: UserRow) => Promise<T>,
): Promise<T> => {
  const user = await checkOwnPassword(caller, password);
  const checkAndWork = async (ctx: GlobalContext): Promise<T | ApiError> => {
    const locked = await lockUnchangedUser(ctx, user);
    const refused = await checkCode(ctx, locked.id, { code, proof: "device", client: caller.client }, encryptionKeys);
    return refused ?? work(ctx, locked);
  };
  return unwrap(await caller.inGlobalTransaction((ctx) => caller.once(ctx, () => checkAndWork(ctx))));
};
