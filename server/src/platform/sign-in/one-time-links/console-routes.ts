/** Console calls that request and use one-time links. */
import type { PublicCaller, PublicCalls } from "#http/console/calls.ts";
import type { GlobalContext } from "#lib/context.ts";
import type { EncryptionKey } from "#lib/encryption.ts";
import { ApiError, unwrap } from "#lib/errors.ts";
import { hashPassword } from "#lib/passwords.ts";
import { acceptByProof } from "#platform/people/memberships/service.ts";
import type { UserRow } from "#platform/people/users/store.ts";
import { alertNewDevice, type CreatedSession, createSession, findKnownDevice } from "#platform/sign-in/accounts/service.ts";
import { readLink, readLinkVenue, redeemPasswordLink, redeemSignInLink, requestLink } from "./service.ts";

const REQUESTS_PER_MINUTE = 5;
const USES_PER_MINUTE = 10;

type LinkIds = "askForReset" | "askForSignInLink" | "readLink" | "useLink" | "useSignInLink";

const done = { data: {} };

const setSessionCookies = (caller: PublicCaller, { cookie, device, signedIn }: CreatedSession) => {
  caller.setCookie(cookie);
  caller.rememberDevice(device);
  return { data: signedIn };
};

const signedInBy = async (ctx: GlobalContext, user: UserRow | ApiError, client: string | null): Promise<CreatedSession | ApiError> =>
  user instanceof ApiError ? user : createSession(ctx, user, { device: null, client, hasGivenPassword: true });

export const linkCalls = (encryptionKeys: readonly EncryptionKey[]): Pick<PublicCalls, LinkIds> => ({
  async askForReset(caller, { body }) {
    const { email } = body();
    await caller.count("reset", REQUESTS_PER_MINUTE);
    await caller.inGlobalTransaction((ctx) => requestLink(ctx, "reset", email.toLowerCase()));
    return done;
  },
  async askForSignInLink(caller, { body }) {
    const { email } = body();
    await caller.count("sign-in-link", REQUESTS_PER_MINUTE);
    await caller.inGlobalTransaction((ctx) => requestLink(ctx, "sign_in", email.toLowerCase()));
    return done;
  },
  async readLink(caller, { body }) {
    const { secret } = body();
    await caller.count("link", USES_PER_MINUTE);
    return { data: await caller.inGlobalTransaction((ctx) => readLink(ctx, secret)) };
  },
  async useLink(caller, { body }) {
    const { secret, password, code = null } = body();
    await caller.count("link", USES_PER_MINUTE);
    // A dead link costs no hash.
    const { email, restaurantId } = await caller.inGlobalTransaction((ctx) => readLinkVenue(ctx, secret));
    const passwordHash = await hashPassword(password, caller.source);
    const redeem = (ctx: GlobalContext) => redeemPasswordLink(ctx, { secret, code, client: caller.client }, passwordHash, encryptionKeys);
    const outcome =
      restaurantId === null
        ? await caller.inGlobalTransaction(async (ctx) => signedInBy(ctx, await redeem(ctx), caller.client))
        : await caller.inInvitingVenue({ restaurantId, email }, async (ctx) => {
            const user = await redeem(ctx);
            // A person who sets the first password by an invitation accepts it.
            if (!(user instanceof ApiError)) await acceptByProof(ctx, email);
            return signedInBy(ctx, user, caller.client);
          });
    return setSessionCookies(caller, unwrap(outcome));
  },
  async useSignInLink(caller, { body }) {
    const { secret, code = null } = body();
    await caller.count("link", USES_PER_MINUTE);
    const { client } = caller;
    const outcome = await caller.inGlobalTransaction(async (ctx) => {
      const user = await redeemSignInLink(ctx, { secret, code, client }, encryptionKeys);
      if (user instanceof ApiError) return user;
      const device = await findKnownDevice(ctx, user.email, caller.devices);
      if (device === null) await alertNewDevice(ctx, user, client);
      return createSession(ctx, user, { device, client, hasGivenPassword: false });
    });
    return setSessionCookies(caller, unwrap(outcome));
  },
});
