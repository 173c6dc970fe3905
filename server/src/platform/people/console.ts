/** Signing in and out, sessions, the password and the second factor, as the console asks for them. */
import type { Caller, PersonCalls, StrangerCalls } from "#http/console-calls.ts";
import { fail, type Refusal, unwrap } from "#lib/errors.ts";
import type { SecretKey } from "#lib/sealed.ts";
import { sha256 } from "#lib/secrets.ts";
import { beginFactor, checkCode, confirmFactor, removeFactor, renewRecoveryCodes } from "#platform/factor/service.ts";
import { checksBucket, sessionBucket, signInBuckets } from "./rules.ts";
import {
  alertNewDevice,
  changePerson,
  checkPassword,
  endAllSessions,
  endOtherSessions,
  endSession,
  endSessionById,
  findByEmail,
  findKnownDevice,
  holdUnchanged,
  lockAccess,
  newPasswordHash,
  noteGivenPassword,
  openSession,
  type PersonRow,
  readSessions,
  replacePassword,
  shownPerson,
  shownVisit,
  type Visit,
} from "./service.ts";

const SIGN_INS_PER_MINUTE = 10;

const done = { data: {} };

type Attempt = { email: string; password: string };

/**
 * Wrong passwords are counted by account and place, and by account alone; a known device is counted apart. While too many were wrong
 * for the account, no hash is computed for an unknown device: the answer and its time are the same for every address and password.
 */
const checkSignIn = async (caller: Caller<null>, { email, password }: Attempt): Promise<{ person: PersonRow; device: string | null }> => {
  const device = caller.devices.length === 0 ? null : await caller.inHouse((ctx) => findKnownDevice(ctx, email, caller.devices));
  const buckets = signInBuckets(email.toLowerCase(), caller.source.host, device && sha256(device).toString("base64url"));
  const [wide, place] = [buckets.find(({ isAccountWide }) => isAccountWide), buckets.find(({ isAccountWide }) => !isAccountWide)];
  if (wide && (await caller.isFull(wide))) throw fail("sign_in_link_required");
  if (place) await caller.countIn(place);
  const readPerson = () => caller.inHouse((ctx) => findByEmail(ctx, email));
  const right = await unlessUnanswered(
    checkPassword(readPerson, password, device === null ? caller.source : { account: email.toLowerCase() }),
    () => (place ? caller.giveBack(place) : undefined),
  );
  if (!right) {
    if (wide) await caller.record(wide);
    throw fail("sign_in_failed");
  }
  if (place) await caller.giveBack(place);
  return { person: right, device };
};

/** A password that could not be checked, because too many wait or the database does not answer, was not a wrong one. */
const unlessUnanswered = <T>(check: Promise<T>, giveBack: () => Promise<void> | undefined): Promise<T> =>
  check.catch(async (error: unknown) => {
    await giveBack();
    throw error;
  });

export const strangerCalls = (secretKeys: readonly SecretKey[]): Pick<StrangerCalls, "signIn"> => ({
  async signIn(caller, { body }) {
    const { email, password, code = null } = body();
    await caller.count("sign-in", SIGN_INS_PER_MINUTE);
    const { person, device } = await checkSignIn(caller, { email, password });
    const { client } = caller;
    const outcome = await caller.inHouse(async (ctx) => {
      // The session that this browser had before ends.
      if (device !== null) lockAccess(ctx, person.email);
      const held = await holdUnchanged(ctx, person);
      const refused = await checkCode(ctx, held.id, { code, proof: device === null ? "password" : "device", client }, secretKeys);
      if (refused) return refused;
      if (device === null) await alertNewDevice(ctx, held, client);
      return openSession(ctx, held, { device, client, hasGivenPassword: true });
    });
    const opened = unwrap(outcome);
    caller.setCookie(opened.cookie);
    caller.keepDevice(opened.device);
    return { data: opened.signedIn };
  },
});

/** The password of a signed-in person, counted by session: wrong ones elsewhere do not matter here. A right one costs a hash as well. */
const checkOwnPassword = async (caller: Caller<Visit>, password: string): Promise<PersonRow> => {
  const bucket = sessionBucket(caller.visit.session_id);
  await caller.countIn(checksBucket(caller.visit.session_id));
  await caller.countIn(bucket);
  const readPerson = () => caller.inHouse((ctx) => findByEmail(ctx, caller.visit.email));
  const right = await unlessUnanswered(checkPassword(readPerson, password, { account: caller.visit.email }), () => caller.giveBack(bucket));
  if (!right) throw fail("sign_in_failed");
  await caller.giveBack(bucket);
  return right;
};

type AccountIds =
  | "readSession"
  | "signOut"
  | "listSessions"
  | "endSession"
  | "signOutEverywhere"
  | "changePerson"
  | "changePassword"
  | "confirmPassword";
type SecondFactorIds = "beginSecondFactor" | "confirmSecondFactor" | "endSecondFactor" | "renewRecoveryCodes";

export const personCalls = (secretKeys: readonly SecretKey[]): Pick<PersonCalls<Visit>, AccountIds | SecondFactorIds> => ({
  ...accountCalls,
  ...secondFactorCalls(secretKeys),
});

const accountCalls: Pick<PersonCalls<Visit>, AccountIds> = {
  readSession: async ({ visit }) => ({ data: shownVisit(visit) }),
  async signOut(caller) {
    await caller.inHouse(async (ctx) => endSession(ctx, caller.cookie));
    caller.setCookie(null);
    return done;
  },
  listSessions: async (caller) => ({ data: await caller.inHouse((ctx) => readSessions(ctx, caller.visit)) }),
  async endSession(caller, { id }) {
    if (!(await caller.inHouse((ctx) => endSessionById(ctx, caller.visit.id, id)))) throw fail("not_found");
    if (id === caller.visit.session_id) caller.setCookie(null);
    return done;
  },
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
    const person = await checkOwnPassword(caller, current);
    const passwordHash = await newPasswordHash(password, { account: person.email });
    const { client } = caller;
    const opened = await caller.inHouse(async (ctx) => {
      const held = await holdUnchanged(ctx, person);
      const device = await findKnownDevice(ctx, held.email, caller.devices);
      await replacePassword(ctx, held, { passwordHash, isReset: false, client });
      return openSession(ctx, held, { device, client, hasGivenPassword: true });
    });
    caller.setCookie(opened.cookie);
    caller.keepDevice(opened.device);
    return done;
  },
  async confirmPassword(caller, { body }) {
    const { password } = body();
    const person = await checkOwnPassword(caller, password);
    await caller.inHouse(async (ctx) => {
      await holdUnchanged(ctx, person);
      noteGivenPassword(ctx, caller.visit);
    });
    return done;
  },
};

const secondFactorCalls = (secretKeys: readonly SecretKey[]): Pick<PersonCalls<Visit>, SecondFactorIds> => ({
  async beginSecondFactor(caller, { body }) {
    const { password } = body();
    const person = await checkOwnPassword(caller, password);
    return { data: await caller.inHouse(async (ctx) => beginFactor(ctx, (await holdUnchanged(ctx, person)).id, secretKeys)) };
  },
  async confirmSecondFactor(caller, { body }) {
    const { code } = body();
    const { visit, client } = caller;
    await caller.countIn(sessionBucket(visit.session_id));
    const recovery_codes = await caller.inHouse(async (ctx) => {
      const codes = await confirmFactor(ctx, visit.id, { code, client }, secretKeys);
      endOtherSessions(ctx, visit);
      return codes;
    });
    return { data: { person: withFactor(visit, recovery_codes.length), recovery_codes } };
  },
  async endSecondFactor(caller, { body }) {
    const { password, code } = body();
    const outcome = await withPasswordAndCode(caller, { password, code }, secretKeys, async (ctx, person) => {
      await removeFactor(ctx, person.id, { kind: "factor.off", client: caller.client });
      return { ...shownPerson(caller.visit), has_second_factor: false, recovery_codes_left: 0 };
    });
    return { data: outcome };
  },
  async renewRecoveryCodes(caller, { body }) {
    const { password, code } = body();
    const recovery_codes = await withPasswordAndCode(caller, { password, code }, secretKeys, (ctx, person) =>
      renewRecoveryCodes(ctx, person.id),
    );
    return { data: { person: withFactor(caller.visit, recovery_codes.length), recovery_codes } };
  },
});

const withFactor = (visit: Visit, left: number) => ({ ...shownPerson(visit), has_second_factor: true, recovery_codes_left: left });

type HouseContext = Parameters<Parameters<Caller<Visit>["inHouse"]>[0]>[0];

/** What changes the second factor asks for both of what it protects. */
const withPasswordAndCode = async <T>(
  caller: Caller<Visit>,
  { password, code }: { password: string; code: string },
  secretKeys: readonly SecretKey[],
  work: (ctx: HouseContext, person: PersonRow) => Promise<T>,
): Promise<T> => {
  const person = await checkOwnPassword(caller, password);
  const outcome = await caller.inHouse(async (ctx): Promise<T | Refusal> => {
    const held = await holdUnchanged(ctx, person);
    const refused = await checkCode(ctx, held.id, { code, proof: "device", client: caller.client }, secretKeys);
    return refused ?? work(ctx, held);
  });
  return unwrap(outcome);
};
