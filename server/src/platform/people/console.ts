/** Signing in and out, links, the second factor, as the console asks for them. */
import type { Caller, PersonCalls, StrangerCalls } from "#http/console-calls.ts";
import { fail } from "#lib/errors.ts";
import type { SecretKey } from "#lib/sealed.ts";
import {
  beginSecondFactor,
  changePerson,
  checkPassword,
  checkSecondFactor,
  confirmSecondFactor,
  endAllSessions,
  endSecondFactor,
  endSession,
  findByEmail,
  holdUnchanged,
  newPasswordHash,
  openSession,
  type PersonRow,
  readLink,
  readSessions,
  redeemLink,
  replacePassword,
  requestReset,
  shownVisit,
  type Visit,
} from "./service.ts";

/** Attempts a minute, for one account and for one address alike. */
const SIGN_INS_PER_MINUTE = 10;
const LINKS_PER_MINUTE = 5;

const done = { data: {} };

/** A hash takes its time, so it is compared outside of any transaction. */
const checkedPerson = async (caller: Caller<unknown>, email: string, password: string): Promise<PersonRow> => {
  const person = await caller.inHouse((ctx) => findByEmail(ctx, email));
  const right = await checkPassword(person, password);
  if (!right) throw fail("sign_in_failed");
  return right;
};

export const strangerCalls = (secretKeys: readonly SecretKey[]): StrangerCalls => ({
  async signIn(caller, { body }) {
    const { email, password, code = null } = body();
    await caller.count("sign-in", email.toLowerCase(), SIGN_INS_PER_MINUTE);
    const person = await checkedPerson(caller, email, password);
    const { cookie, signedIn } = await caller.inHouse(async (ctx) => {
      const held = await holdUnchanged(ctx, person);
      await checkSecondFactor(ctx, held, code, secretKeys);
      return openSession(ctx, held, caller.client);
    });
    caller.setCookie(cookie);
    return { data: signedIn };
  },
  async askForReset(caller, { body }) {
    const { email } = body();
    await caller.count("reset", email.toLowerCase(), LINKS_PER_MINUTE);
    await caller.inHouse((ctx) => requestReset(ctx, email.toLowerCase()));
    return done;
  },
  async readLink(caller, { body }) {
    const { secret } = body();
    await caller.count("link", null, SIGN_INS_PER_MINUTE);
    return { data: await caller.inHouse((ctx) => readLink(ctx, secret)) };
  },
  async useLink(caller, { body }) {
    const { secret, password, code = null } = body();
    await caller.count("link", null, SIGN_INS_PER_MINUTE);
    const { email } = await caller.inHouse((ctx) => readLink(ctx, secret));
    // Codes could be guessed here as well as by signing in, so they are counted together.
    if (code !== null) await caller.count("sign-in", email, SIGN_INS_PER_MINUTE);
    const passwordHash = await newPasswordHash(password);
    const { cookie, signedIn } = await caller.inHouse(async (ctx) =>
      openSession(ctx, await redeemLink(ctx, { secret, passwordHash, code }, secretKeys), caller.client),
    );
    caller.setCookie(cookie);
    return { data: signedIn };
  },
});

type AccountIds = "readSession" | "signOut" | "listSessions" | "signOutEverywhere" | "changePerson" | "changePassword";

export const personCalls = (secretKeys: readonly SecretKey[]): Pick<PersonCalls<Visit>, AccountIds | SecondFactorIds> => ({
  ...accountCalls,
  ...secondFactorCalls(secretKeys),
});

type SecondFactorIds = "beginSecondFactor" | "confirmSecondFactor" | "endSecondFactor";

const accountCalls: Pick<PersonCalls<Visit>, AccountIds> = {
  readSession: async ({ visit }) => ({ data: shownVisit(visit) }),
  async signOut(caller) {
    await caller.inHouse(async (ctx) => endSession(ctx, caller.cookie));
    caller.setCookie(null);
    return done;
  },
  listSessions: async (caller) => ({ data: await caller.inHouse((ctx) => readSessions(ctx, caller.visit.id, caller.cookie)) }),
  async signOutEverywhere(caller) {
    await caller.inHouse(async (ctx) => endAllSessions(ctx, caller.visit.id));
    caller.setCookie(null);
    return done;
  },
  async changePerson(caller, { body }) {
    const change = body();
    return { data: await caller.inHouse((ctx) => changePerson(ctx, caller.visit, change)) };
  },
  async changePassword(caller, { body }) {
    const { current, password } = body();
    await caller.count("sign-in", caller.visit.email, SIGN_INS_PER_MINUTE);
    const person = await checkedPerson(caller, caller.visit.email, current);
    const passwordHash = await newPasswordHash(password);
    const { cookie } = await caller.inHouse(async (ctx) => {
      const held = await holdUnchanged(ctx, person);
      replacePassword(ctx, held.id, passwordHash);
      return openSession(ctx, held, caller.client);
    });
    caller.setCookie(cookie);
    return done;
  },
};

const secondFactorCalls = (secretKeys: readonly SecretKey[]): Pick<PersonCalls<Visit>, SecondFactorIds> => ({
  async beginSecondFactor(caller, { body }) {
    const { password } = body();
    await caller.count("sign-in", caller.visit.email, SIGN_INS_PER_MINUTE);
    const person = await checkedPerson(caller, caller.visit.email, password);
    return { data: await caller.inHouse(async (ctx) => beginSecondFactor(ctx, await holdUnchanged(ctx, person), secretKeys)) };
  },
  async confirmSecondFactor(caller, { body }) {
    const { code } = body();
    await caller.count("sign-in", caller.visit.email, SIGN_INS_PER_MINUTE);
    return { data: await caller.inHouse((ctx) => confirmSecondFactor(ctx, caller.visit, code, secretKeys)) };
  },
  async endSecondFactor(caller, { body }) {
    const { password, code } = body();
    await caller.count("sign-in", caller.visit.email, SIGN_INS_PER_MINUTE);
    const person = await checkedPerson(caller, caller.visit.email, password);
    return {
      data: await caller.inHouse(async (ctx) => {
        await checkSecondFactor(ctx, await holdUnchanged(ctx, person), code, secretKeys);
        return endSecondFactor(ctx, caller.visit);
      }),
    };
  },
});
