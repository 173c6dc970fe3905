/** Console calls for the user's second factor. */
import type { ConsoleCaller, SessionCalls } from "#http/console/operations.ts";
import type { GlobalContext } from "#lib/context.ts";
import type { EncryptionKey } from "#lib/encryption.ts";
import { type ApiError, unwrap } from "#lib/errors.ts";
import type { UserRow } from "#platform/people/users/store.ts";
import { beginFactor, checkCode, confirmFactor, removeFactor, renewRecoveryCodes } from "#platform/sign-in/second-factor/service.ts";
import { sessionBucket } from "../rules.ts";
import { endOtherSessions, lockUnchangedUser, presentUser, type UserSession } from "../service.ts";
import { checkOwnPassword } from "./password-check.ts";

type SecondFactorIds = "beginSecondFactor" | "confirmSecondFactor" | "endSecondFactor" | "renewRecoveryCodes";

export const secondFactorCalls = (encryptionKeys: readonly EncryptionKey[]): Pick<SessionCalls<UserSession>, SecondFactorIds> => ({
  async beginSecondFactor(caller, { body }) {
    const { password } = body();
    const user = await checkOwnPassword(caller, password);
    return {
      data: await caller.inGlobalTransaction(async (ctx) => beginFactor(ctx, (await lockUnchangedUser(ctx, user)).id, encryptionKeys)),
    };
  },
  async confirmSecondFactor(caller, { body }) {
    const { code } = body();
    const { session, client } = caller;
    await caller.countIn(sessionBucket(session.session_id));
    const recovery_codes = await caller.inGlobalTransaction(async (ctx) => {
      const codes = await confirmFactor(ctx, session.id, { code, client }, encryptionKeys);
      endOtherSessions(ctx, session);
      return codes;
    });
    return { data: { person: withFactor(session, recovery_codes.length), recovery_codes } };
  },
  async endSecondFactor(caller, { body }) {
    const { password, code } = body();
    const outcome = await withPasswordAndCode(caller, { password, code }, encryptionKeys, async (ctx, user) => {
      await removeFactor(ctx, user.id, { kind: "factor.off", client: caller.client });
      return { ...presentUser(caller.session), has_second_factor: false, recovery_codes_left: 0 };
    });
    return { data: outcome };
  },
  async renewRecoveryCodes(caller, { body }) {
    const { password, code } = body();
    const recovery_codes = await withPasswordAndCode(caller, { password, code }, encryptionKeys, (ctx, user) =>
      renewRecoveryCodes(ctx, user.id),
    );
    return { data: { person: withFactor(caller.session, recovery_codes.length), recovery_codes } };
  },
});

const withFactor = (session: UserSession, left: number) => ({
  ...presentUser(session),
  has_second_factor: true,
  recovery_codes_left: left,
});

/** A change of the second factor needs the password and a code. */
const withPasswordAndCode = async <T>(
  caller: ConsoleCaller<UserSession>,
  { password, code }: { password: string; code: string },
  encryptionKeys: readonly EncryptionKey[],
  work: (ctx: GlobalContext, user: UserRow) => Promise<T>,
): Promise<T> => {
  const user = await checkOwnPassword(caller, password);
  const outcome = await caller.inGlobalTransaction(async (ctx): Promise<T | ApiError> => {
    const locked = await lockUnchangedUser(ctx, user);
    const refused = await checkCode(ctx, locked.id, { code, proof: "device", client: caller.client }, encryptionKeys);
    return refused ?? work(ctx, locked);
  });
  return unwrap(outcome);
};
