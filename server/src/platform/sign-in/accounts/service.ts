/** User accounts: passwords, sessions and known devices. */
import type { ConsoleUser, OpenInvitation, SignedIn } from "@comanda/contract/console/session.ts";
import type { MemberSession } from "@comanda/contract/console/team.ts";
import type { Ctx, GlobalContext } from "#lib/context.ts";
import { apiError } from "#lib/errors.ts";
import type { CallerIdentity } from "#lib/fair-queue.ts";
import { isPasswordOf } from "#lib/passwords.ts";
import type { SessionUser, SessionVenue, UserSession } from "#lib/principal.ts";
import { randomBase62, sha256 } from "#lib/token-format.ts";
import { deviceOf } from "#lib/user-agent.ts";
import { realNow } from "#lib/venue-clock.ts";
import { recordAudit } from "#platform/activity/audit/service.ts";
import { endSessionsUntilNow } from "#platform/people/memberships/service.ts";
import { findUser, lockUser, lockUserAccess, setPassword, type UserRow, updateUser } from "#platform/people/users/store.ts";
import { removeFactor } from "#platform/sign-in/second-factor/service.ts";
import { alertUser } from "#platform/sign-in/security-alerts/service.ts";
import { featuresOf } from "#platform/tenants/service.ts";
import { DEVICE_LIFE_MS, sessionEnd, TOUCH_EVERY_MS } from "./rules.ts";
import {
  addSessionVenue,
  countVenueSessions,
  deleteDevicesOf,
  deleteOtherSessions,
  deleteSession,
  deleteSessionsOf,
  deleteSessionsOfDevice,
  findDevice,
  findSession,
  type InvitationRow,
  insertSession,
  listInvitations,
  listMemberships,
  listSessionRows,
  listStillAllowed,
  listVenueSessions,
  type MembershipRow,
  removeSessionVenue,
  type SessionListRow,
  setPasswordAt,
  touchSession,
  upsertDevice,
} from "./store.ts";

export { listInvitations, listMemberships };

const SECRET_LENGTH = 43;
const SECRET_FORM = /^[0-9A-Za-z]{43}$/;

/** The session of this cookie with the user's memberships; with a slug, only the membership of that venue. */
export const authenticateSession = async (
  ctx: Pick<GlobalContext, "db" | "now">,
  cookie: string,
  slug: string | null,
): Promise<UserSession | null> => {
  if (!SECRET_FORM.test(cookie)) return null;
  const hash = sha256(cookie);
  const session = await findSession(ctx, queryOf(ctx, hash, slug));
  if (!session) return null;
  if (realNow(ctx).getTime() - session.last_seen_at.getTime() >= TOUCH_EVERY_MS)
    await touchSession(ctx, hash, realNow(ctx), sessionEnd(session.created_at, realNow(ctx)));
  return session;
};

/** Repeats the check inside a write's transaction. Undefined when the session has ended. */
export const revalidateSession = (
  ctx: Pick<GlobalContext, "db" | "now">,
  cookie: string,
  slug: string | null,
): Promise<UserSession | undefined> => findSession(ctx, queryOf(ctx, sha256(cookie), slug));

const queryOf = ({ now }: Pick<GlobalContext, "now">, hash: Buffer, slug: string | null) => ({
  hash,
  slug,
  now,
  usedBefore: new Date(now.getTime() - TOUCH_EVERY_MS),
});

export type ListeningSession = { hash: Buffer; restaurantId: number };

/** Returns in the given order whether each session lives and its user still has one of these roles in the venue. One query for all. */
export const areStillAllowed = (
  { db, now }: Pick<GlobalContext, "db" | "now">,
  sessions: readonly ListeningSession[],
  roles: readonly string[],
): Promise<boolean[]> =>
  listStillAllowed(
    { db },
    { hashes: sessions.map(({ hash }) => hash), restaurantIds: sessions.map(({ restaurantId }) => restaurantId), roles, now },
  );

export const presentUser = ({ id, email, name, locale, has_second_factor, recovery_codes_left }: SessionUser): ConsoleUser => ({
  id,
  email,
  name,
  locale,
  has_second_factor,
  recovery_codes_left,
});

const presentInvitation = ({ slug, name, role, invited_by, invited_at, invited_until }: InvitationRow): OpenInvitation => ({
  slug,
  name,
  role,
  invited_by,
  invited_at: new Date(invited_at).toISOString(),
  expires_at: invited_until.toISOString(),
});

/** The newest invitations are shown; a person who has more sees the others when these are answered. */
const INVITATIONS_SHOWN_MAX = 50;

type ShownSession = SessionUser & {
  venues: readonly Omit<SessionVenue, "is_use_due">[];
  expires_at: Date;
};

const presentSession = (session: ShownSession, invitations: readonly InvitationRow[]): SignedIn => ({
  person: presentUser(session),
  venues: session.venues.map(({ slug, name, role, default_language, needs_second_factor, is_opening, sandbox_id, is_ended, ...plan }) => ({
    slug,
    name,
    role,
    default_language,
    is_second_factor_missing: needs_second_factor && !session.has_second_factor,
    features: featuresOf(plan),
    ...(is_opening ? { is_opening } : {}),
    ...(is_ended ? { is_sign_in_needed: true } : {}),
    has_sandbox: sandbox_id !== null,
  })),
  invitations: invitations
    .filter(({ is_open }) => is_open)
    .slice(0, INVITATIONS_SHOWN_MAX)
    .map(presentInvitation),
  expires_at: session.expires_at.toISOString(),
});

export const readSession = async (ctx: GlobalContext, session: UserSession): Promise<SignedIn> =>
  presentSession(session, await listInvitations(ctx, session.email));

/** The first of these devices that the account knows, or null. */
export const findKnownDevice = async (
  ctx: Pick<GlobalContext, "db" | "now">,
  email: string,
  devices: readonly string[],
): Promise<string | null> => {
  const hashes = devices.map(sha256);
  const known = await findDevice(ctx, { email, hashes, now: realNow(ctx) });
  return devices.find((_, index) => known && hashes[index]?.equals(known)) ?? null;
};

/** Takes the same time when no account has the address. Called outside of transactions, because hashing is slow. */
export const checkPassword = async (
  readUser: () => Promise<UserRow | undefined>,
  password: string,
  caller: CallerIdentity,
): Promise<UserRow | null> => {
  let user: UserRow | undefined;
  const readStored = async (): Promise<string | null> => {
    user = await readUser();
    return user?.password_hash ?? null;
  };
  return (await isPasswordOf(readStored, password, caller)) && user ? user : null;
};

/** Fails when the password changed since it was compared: that change ended all sessions, so no new one may follow. */
export const lockUnchangedUser = async (ctx: Pick<GlobalContext, "db">, compared: UserRow): Promise<UserRow> => {
  const user = await lockUser(ctx, compared.id);
  if (!user || user.password_hash !== compared.password_hash) throw apiError("sign_in_failed");
  return user;
};

export type SessionOptions = {
  /** The browser's device secret for this account. Null for a new device. */
  device: string | null;
  client: string | null;
  hasGivenPassword: boolean;
};
export type CreatedSession = { cookie: string; device: string; sessionId: number; signedIn: SignedIn };

/** Cookie and device secret are returned once; only their hashes are stored. */
export const createSession = async (ctx: GlobalContext, user: UserRow, opening: SessionOptions): Promise<CreatedSession> => {
  const [cookie, device] = [randomBase62(SECRET_LENGTH), opening.device ?? randomBase62(SECRET_LENGTH)];
  const [deviceHash, expiresAt] = [sha256(device), sessionEnd(realNow(ctx), realNow(ctx))];
  // The new cookie replaces the browser's old one, so the old session is unreachable.
  if (opening.device !== null) deleteSessionsOfDevice(ctx, deviceHash);
  upsertDevice(ctx, { hash: deviceHash, userId: user.id, expiresAt: new Date(realNow(ctx).getTime() + DEVICE_LIFE_MS) });
  const row = { hash: sha256(cookie), userId: user.id, expiresAt, client: opening.client?.slice(0, 200) ?? null, deviceHash };
  const [sessionId, venues, invitations, now] = await Promise.all([
    insertSession(ctx, { ...row, passwordAt: opening.hasGivenPassword ? realNow(ctx) : null }),
    listMemberships(ctx, user.email),
    listInvitations(ctx, user.email),
    // Read again, because this sign-in may have used a recovery code.
    lockUser(ctx, user.id),
  ]);
  const isEnded = ({ sessions_ended_at }: MembershipRow): boolean => sessions_ended_at !== null && sessions_ended_at >= realNow(ctx);
  const shown = venues.map((venue) => ({ ...venue, is_ended: isEnded(venue) }));
  const signedIn = presentSession({ ...(now ?? user), expires_at: expiresAt, venues: shown }, invitations);
  return { cookie, device, sessionId, signedIn };
};

export const alertNewDevice = (ctx: GlobalContext, user: UserRow, client: string | null): Promise<void> =>
  alertUser(ctx, user, { kind: "device.new", client });

export const endSession = (ctx: GlobalContext, cookie: string): void => deleteSession(ctx, sha256(cookie));

export const endAllSessions = (ctx: GlobalContext, userId: number): void => {
  deleteSessionsOf(ctx, userId);
  deleteDevicesOf(ctx, userId);
};

/** After a second factor is turned on, every other device must sign in with it. */
export const endOtherSessions = (ctx: GlobalContext, session: UserSession): void =>
  deleteOtherSessions(ctx, session.id, session.session_id);

export const readSessions = async (ctx: GlobalContext, session: UserSession) =>
  (await listSessionRows(ctx, session.id, realNow(ctx))).map((row) => ({
    ...presentDevice(row),
    is_current: row.id === session.session_id,
  }));

const presentDevice = ({ created_at, last_seen_at, client, ...row }: SessionListRow): MemberSession => ({
  ...row,
  ...deviceOf(client),
  created_at: created_at.toISOString(),
  last_seen_at: last_seen_at.toISOString(),
});

/** Remembers that the session was used in the venue: its owners may see it from then on. */
export const noteSessionVenue = (ctx: Ctx, { session_id }: UserSession): void => addSessionVenue(ctx, session_id);

/** Sessions that were used in this venue, by user. */
export const countMemberSessions = async (ctx: Ctx, userIds: readonly number[]): Promise<Map<number, number>> =>
  new Map((await countVenueSessions(ctx, userIds)).map(({ user_id, count }) => [user_id, count]));

export const readMemberSessions = async (ctx: Ctx, userId: number): Promise<MemberSession[]> =>
  (await listVenueSessions(ctx, userId)).map(presentDevice);

/**
 * The user's sessions give no more access to this venue; the number of those that were used in it. A user of other venues stays signed in
 * there, and their devices stay known: else the owner of one venue could lock a person out of another. Without another venue, the sessions
 * and devices end. Waits for the user's running writes.
 */
export const endMemberSessions = async (ctx: Ctx, { id, email }: { id: number; email: string }): Promise<number> => {
  lockUserAccess(ctx, email);
  const [[used], venues] = await Promise.all([countVenueSessions(ctx, [id]), listMemberships(ctx, email)]);
  endSessionsUntilNow(ctx, email);
  if (venues.some(({ restaurant_id }) => restaurant_id !== ctx.tenant.id)) removeSessionVenue(ctx, id);
  else endAllSessions(ctx, id);
  return used?.count ?? 0;
};

export const changeUser = async (
  ctx: GlobalContext,
  session: UserSession,
  change: { name?: string; locale?: string | null },
): Promise<ConsoleUser> => {
  updateUser(ctx, session.id, change);
  return { ...presentUser(session), ...change };
};

export const recordPasswordConfirmed = (ctx: GlobalContext, session: UserSession): void => setPasswordAt(ctx, session.session_id);

/**
 * Ends all sessions and all links that were sent for the old password. A reset by mail also deletes the known devices, because one
 * of them may be stolen.
 */
export const replacePassword = async (
  ctx: GlobalContext,
  user: UserRow,
  given: { passwordHash: string; isReset: boolean; client: string | null },
): Promise<void> => {
  setPassword(ctx, user.id, given.passwordHash);
  deleteSessionsOf(ctx, user.id);
  if (given.isReset) deleteDevicesOf(ctx, user.id);
  // The first password of an invited user replaces none.
  if (user.password_hash !== null) await alertUser(ctx, user, { kind: "password.changed", client: given.client });
};

/** The user lost phone and recovery codes. Null when there is no such account, false when it has no second factor. */
export const resetSecondFactor = async (ctx: GlobalContext, email: string): Promise<boolean | null> => {
  lockUserAccess(ctx, email);
  const user = await findUser(ctx, email);
  if (!user) return null;
  if (!(await removeFactor(ctx, user.id, { kind: "factor.reset", client: null }))) return false;
  endAllSessions(ctx, user.id);
  return true;
};

/** Resets the second factor, with an entry in the venue's activity log. */
export const resetStaffSecondFactor = async (ctx: Ctx, email: string): Promise<boolean | null> => {
  const isReset = await resetSecondFactor(ctx, email);
  if (isReset) recordAudit(ctx, { action: "staff.factor_reset", subject: { kind: "staff", id: email } });
  return isReset;
};

/** Called after an owner removed a member: a user without any membership is signed out, and sessions of another one leave the venue. */
export const endSessionsWithoutMembership = async (ctx: Ctx, email: string): Promise<void> => {
  const [user, memberships] = await Promise.all([findUser(ctx, email), listMemberships(ctx, email)]);
  if (!user) return;
  if (memberships.length === 0) deleteSessionsOf(ctx, user.id);
  else removeSessionVenue(ctx, user.id);
};

/** Called after a person left a venue: they stay signed in, and the venue no longer sees their sessions. */
export const takeSessionsOut = async (ctx: Ctx, email: string): Promise<void> => {
  const user = await findUser(ctx, email);
  if (user) removeSessionVenue(ctx, user.id);
};
