/** Links by mail, as the console asks for them and uses them. */
import type { Caller, StrangerCalls } from "#http/console-calls.ts";
import { Refusal, unwrap } from "#lib/errors.ts";
import type { SecretKey } from "#lib/sealed.ts";
import { alertNewDevice, findKnownDevice, newPasswordHash, type Opened, openSession } from "#platform/people/service.ts";
import { readLink, redeemPasswordLink, redeemSignInLink, requestLink } from "./service.ts";

const REQUESTS_PER_MINUTE = 5;
const USES_PER_MINUTE = 10;

type LinkIds = "askForReset" | "askForSignInLink" | "readLink" | "useLink" | "useSignInLink";

const done = { data: {} };

const enter = (caller: Caller<null>, { cookie, device, signedIn }: Opened) => {
  caller.setCookie(cookie);
  caller.keepDevice(device);
  return { data: signedIn };
};

export const linkCalls = (secretKeys: readonly SecretKey[]): Pick<StrangerCalls, LinkIds> => ({
  async askForReset(caller, { body }) {
    const { email } = body();
    await caller.count("reset", REQUESTS_PER_MINUTE);
    await caller.inHouse((ctx) => requestLink(ctx, "reset", email.toLowerCase()));
    return done;
  },
  async askForSignInLink(caller, { body }) {
    const { email } = body();
    await caller.count("sign-in-link", REQUESTS_PER_MINUTE);
    await caller.inHouse((ctx) => requestLink(ctx, "sign_in", email.toLowerCase()));
    return done;
  },
  async readLink(caller, { body }) {
    const { secret } = body();
    await caller.count("link", USES_PER_MINUTE);
    return { data: await caller.inHouse((ctx) => readLink(ctx, secret)) };
  },
  async useLink(caller, { body }) {
    const { secret, password, code = null } = body();
    await caller.count("link", USES_PER_MINUTE);
    // A dead link costs no hash.
    await caller.inHouse((ctx) => readLink(ctx, secret));
    const passwordHash = await newPasswordHash(password, caller.source);
    const { client } = caller;
    const outcome = await caller.inHouse(async (ctx) => {
      const person = await redeemPasswordLink(ctx, { secret, code, client }, passwordHash, secretKeys);
      return person instanceof Refusal ? person : openSession(ctx, person, { device: null, client, hasGivenPassword: true });
    });
    return enter(caller, unwrap(outcome));
  },
  async useSignInLink(caller, { body }) {
    const { secret, code = null } = body();
    await caller.count("link", USES_PER_MINUTE);
    const { client } = caller;
    const outcome = await caller.inHouse(async (ctx) => {
      const person = await redeemSignInLink(ctx, { secret, code, client }, secretKeys);
      if (person instanceof Refusal) return person;
      const device = await findKnownDevice(ctx, person.email, caller.devices);
      if (device === null) await alertNewDevice(ctx, person, client);
      return openSession(ctx, person, { device, client, hasGivenPassword: false });
    });
    return enter(caller, unwrap(outcome));
  },
});
