/** People who sign in: passwords, sessions, and the devices that they are known by. */
import type { Person, SignedIn } from "@comanda/contract/console-session.ts";
import type { Ctx, HouseCtx } from "#lib/context.ts";
import { fail } from "#lib/errors.ts";
import type { Asker } from "#lib/fair-queue.ts";
import { hashPassword, isPasswordOf } from "#lib/passwords.ts";
import { randomBase62, sha256 } from "#lib/secrets.ts";
import { deviceOf } from "#lib/user-agent.ts";
import { alertPerson } from "#platform/alerts/service.ts";
import { recordAudit } from "#platform/audit/service.ts";
import { removeFactor } from "#platform/factor/service.ts";
import { DEVICE_LIFE_MS, SEEN_EVERY_MS, sessionEnd } from "./rules.ts";
import {
  deleteDevicesOf,
  deleteOtherSessions,
  deleteSession,
  deleteSessionById,
  deleteSessionsOf,
  deleteSessionsOfDevice,
  findDevice,
  findPersonByEmail,
  findVisit,
  insertPersonIfNew,
  insertSession,
  listSessionRows,
  listWork,
  lockPerson,
  lockPersonAccess,
  type PersonRow,
  setPassword,
  setPasswordAt,
  touchSession,
  updatePerson,
  upsertDevice,
  type Visit,
} from "./store.ts";

export type { PersonRow, Visit };

const SECRET_LENGTH = 43;
const SECRET_FORM = /^[0-9A-Za-z]{43}$/;

/** Who holds this cookie, and where they work; with a slug, only that venue. */
export const recogniseSession = async (ctx: Pick<HouseCtx, "db" | "now">, cookie: string, slug: string | null): Promise<Visit | null> => {
  if (!SECRET_FORM.test(cookie)) return null;
  const hash = sha256(cookie);
  const visit = await findVisit(ctx, hash, slug, ctx.now);
  if (!visit) return null;
  if (ctx.now.getTime() - visit.last_seen_at.getTime() >= SEEN_EVERY_MS)
    await touchSession(ctx, hash, ctx.now, sessionEnd(visit.created_at, ctx.now));
  return visit;
};

/** The same question inside a write's transaction. Undefined when the session has ended. */
export const confirmSession = (ctx: Pick<HouseCtx, "db" | "now">, cookie: string, slug: string | null): Promise<Visit | undefined> =>
  findVisit(ctx, sha256(cookie), slug, ctx.now);

export const shownPerson = ({
  id,
  email,
  name,
  locale,
  has_second_factor,
  recovery_codes_left,
}: Pick<Visit, "id" | "email" | "name" | "locale" | "has_second_factor" | "recovery_codes_left">): Person => ({
  id,
  email,
  name,
  locale,
  has_second_factor,
  recovery_codes_left,
});

export const shownVisit = (visit: Visit): SignedIn => ({
  person: shownPerson(visit),
  venues: visit.venues.map(({ slug, name, role }) => ({ slug, name, role })),
  expires_at: visit.expires_at.toISOString(),
});

export const findByEmail = (ctx: Pick<HouseCtx, "db">, email: string) => findPersonByEmail(ctx, email);
export const findOrAddPerson = (ctx: HouseCtx, email: string, name: string) => insertPersonIfNew(ctx, email, name);
export const lock = (ctx: Pick<HouseCtx, "db">, personId: number) => lockPerson(ctx, personId);
/** Writes of the person's sessions end first. Sent before the first change of a transaction that ends them. */
export const lockAccess = (ctx: Pick<HouseCtx, "db">, email: string): void => lockPersonAccess(ctx, email);
export const readWork = (ctx: Pick<HouseCtx, "db">, email: string) => listWork(ctx, email);

/** Which of these devices the account of this address knows; null for none. */
export const findKnownDevice = async (
  ctx: Pick<HouseCtx, "db" | "now">,
  email: string,
  devices: readonly string[],
): Promise<string | null> => {
  const hashes = devices.map(sha256);
  const known = await findDevice(ctx, { email, hashes, now: ctx.now });
  return devices.find((_, index) => known && hashes[index]?.equals(known)) ?? null;
};

/** Takes as long for an address that nobody has. Outside of any transaction: a hash takes its time. */
export const checkPassword = async (
  readPerson: () => Promise<PersonRow | undefined>,
  password: string,
  asker: Asker,
): Promise<PersonRow | null> => {
  let person: PersonRow | undefined;
  const readStored = async (): Promise<string | null> => {
    person = await readPerson();
    return person?.password_hash ?? null;
  };
  return (await isPasswordOf(readStored, password, asker)) && person ? person : null;
};

export const newPasswordHash = (password: string, asker: Asker): Promise<string> => hashPassword(password, asker);

/** Locked, and still with the password that was compared: a change meanwhile has ended every session, and none may come after. */
export const holdUnchanged = async (ctx: Pick<HouseCtx, "db">, compared: PersonRow): Promise<PersonRow> => {
  const person = await lockPerson(ctx, compared.id);
  if (!person || person.password_hash !== compared.password_hash) throw fail("sign_in_failed");
  return person;
};

export type Opening = {
  /** The secret by which the browser is known to this account; null for a new device. */
  device: string | null;
  client: string | null;
  hasGivenPassword: boolean;
};
export type Opened = { cookie: string; device: string; sessionId: number; signedIn: SignedIn };

/** Cookie and device secret are returned here and kept nowhere; only their hashes are. The device is known from here on. */
export const openSession = async (ctx: HouseCtx, person: PersonRow, opening: Opening): Promise<Opened> => {
  const [cookie, device] = [randomBase62(SECRET_LENGTH), opening.device ?? randomBase62(SECRET_LENGTH)];
  const [deviceHash, expiresAt] = [sha256(device), sessionEnd(ctx.now, ctx.now)];
  // A browser has one session of an account: the one before is out of reach.
  if (opening.device !== null) deleteSessionsOfDevice(ctx, deviceHash);
  upsertDevice(ctx, { hash: deviceHash, personId: person.id, expiresAt: new Date(ctx.now.getTime() + DEVICE_LIFE_MS) });
  const row = { hash: sha256(cookie), personId: person.id, expiresAt, client: opening.client?.slice(0, 200) ?? null, deviceHash };
  const [sessionId, venues, now] = await Promise.all([
    insertSession(ctx, { ...row, passwordAt: opening.hasGivenPassword ? ctx.now : null }),
    listWork(ctx, person.email),
    // Anew, because a recovery code may have been used a moment ago.
    lockPerson(ctx, person.id),
  ]);
  const signedIn = shownVisit({
    ...(now ?? person),
    session_id: sessionId,
    password_at: null,
    created_at: ctx.now,
    last_seen_at: ctx.now,
    expires_at: expiresAt,
    venues,
  });
  return { cookie, device, sessionId, signedIn };
};

export const alertNewDevice = (ctx: HouseCtx, person: PersonRow, client: string | null): Promise<void> =>
  alertPerson(ctx, person, { kind: "device.new", client });

export const endSession = (ctx: HouseCtx, cookie: string): void => deleteSession(ctx, sha256(cookie));

/** Ends one session and forgets its device; false when the person has none with this id. */
export const endSessionById = (ctx: HouseCtx, personId: number, sessionId: number): Promise<boolean> =>
  deleteSessionById(ctx, personId, sessionId);

export const endAllSessions = (ctx: HouseCtx, personId: number): void => {
  deleteSessionsOf(ctx, personId);
  deleteDevicesOf(ctx, personId);
};

/** For a new second factor: what was signed in without it has to sign in with it. */
export const endOtherSessions = (ctx: HouseCtx, visit: Visit): void => deleteOtherSessions(ctx, visit.id, visit.session_id);

export const readSessions = async (ctx: HouseCtx, visit: Visit) =>
  (await listSessionRows(ctx, visit.id, ctx.now)).map(({ created_at, last_seen_at, client, ...row }) => ({
    ...row,
    ...deviceOf(client),
    created_at: created_at.toISOString(),
    last_seen_at: last_seen_at.toISOString(),
    is_current: row.id === visit.session_id,
  }));

export const changePerson = async (ctx: HouseCtx, visit: Visit, change: { name?: string; locale?: string | null }): Promise<Person> => {
  updatePerson(ctx, visit.id, change);
  return { ...shownPerson(visit), ...change };
};

export const noteGivenPassword = (ctx: HouseCtx, visit: Visit): void => setPasswordAt(ctx, visit.session_id);

/**
 * Every session ends, the one that asked included, and every link for the password before. After a reset by mail no device is known
 * any longer: the one that was may be in other hands.
 */
export const replacePassword = async (
  ctx: HouseCtx,
  person: PersonRow,
  given: { passwordHash: string; isReset: boolean; client: string | null },
): Promise<void> => {
  setPassword(ctx, person.id, given.passwordHash);
  deleteSessionsOf(ctx, person.id);
  if (given.isReset) deleteDevicesOf(ctx, person.id);
  // The first password of an invited person is no change.
  if (person.password_hash !== null) await alertPerson(ctx, person, { kind: "password.changed", client: given.client });
};

/** The operator's way for a person who has lost phone and recovery codes. Null when there is no such account; false without a factor. */
export const resetFactor = async (ctx: HouseCtx, email: string): Promise<boolean | null> => {
  lockPersonAccess(ctx, email);
  const person = await findPersonByEmail(ctx, email);
  if (!person) return null;
  if (!(await removeFactor(ctx, person.id, { kind: "factor.reset", client: null }))) return false;
  endAllSessions(ctx, person.id);
  return true;
};

/** The same for somebody who works in a venue: its activity log says so. */
export const resetStaffFactor = async (ctx: Ctx, email: string): Promise<boolean | null> => {
  const isReset = await resetFactor(ctx, email);
  if (isReset) recordAudit(ctx, { action: "staff.factor_reset", subject: { kind: "staff", id: email } });
  return isReset;
};

/** Before a change that ends this person's access: writes of their sessions end first. */
export const holdAccess = (ctx: HouseCtx, email: string): void => lockPersonAccess(ctx, email);

/** After a membership was removed, which takes its invitations with it: somebody who works nowhere else is signed out. */
export const leaveVenue = async (ctx: HouseCtx, email: string): Promise<void> => {
  const [person, work] = await Promise.all([findPersonByEmail(ctx, email), listWork(ctx, email)]);
  if (person && work.length === 0) deleteSessionsOf(ctx, person.id);
};
