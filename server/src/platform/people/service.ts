/** People who sign in: sessions, links sent by mail, passwords, the second factor. */
import type { Person, SignedIn } from "@comanda/contract/console-session.ts";
import type { Ctx, HouseCtx } from "#lib/context.ts";
import { fail, invalid } from "#lib/errors.ts";
import { hashPassword, isPasswordOf } from "#lib/passwords.ts";
import { type SecretKey, seal, unseal } from "#lib/sealed.ts";
import { randomBase62, sameBytes, sha256 } from "#lib/secrets.ts";
import { matchCode, newTotpSecret, totpUri } from "#lib/totp.ts";
import { enqueue } from "#platform/jobs/service.ts";
import { LINK_LIFE_MS, type LinkKind, SEEN_EVERY_MS, sessionEnd } from "./rules.ts";
import {
  deleteSession,
  deleteSessionsOf,
  ensurePerson,
  findLink,
  findOpenLink,
  findPersonByEmail,
  findVisit,
  insertLink,
  insertSession,
  type LinkRow,
  listSessionRows,
  listWork,
  lockPerson,
  type PersonRow,
  setLinkHash,
  spendLink,
  touchSession,
  updatePerson,
  useTotpStep,
  type Visit,
} from "./store.ts";

export type { LinkRow, PersonRow, Visit };

const COOKIE_LENGTH = 43;
const LINK_LENGTH = 43;

/** Who holds this cookie, and where they work; with a slug, only that venue. */
export const recogniseSession = async (ctx: Pick<HouseCtx, "db" | "now">, cookie: string, slug: string | null): Promise<Visit | null> => {
  if (!/^[0-9A-Za-z]{43}$/.test(cookie)) return null;
  const hash = sha256(cookie);
  const visit = await findVisit(ctx, hash, slug, ctx.now);
  if (!visit) return null;
  if (ctx.now.getTime() - visit.last_seen_at.getTime() >= SEEN_EVERY_MS)
    await touchSession(ctx, hash, ctx.now, sessionEnd(visit.created_at, ctx.now));
  return visit;
};

export const shownPerson = ({ id, email, name, locale, has_second_factor }: Visit): Person => ({
  id,
  email,
  name,
  locale,
  has_second_factor,
});

export const shownVisit = (visit: Visit): SignedIn => ({
  person: shownPerson(visit),
  venues: visit.venues.map(({ slug, name, role }) => ({ slug, name, role })),
  expires_at: visit.expires_at.toISOString(),
});

/** Takes as long for an address that nobody has. Outside of any transaction: a hash takes its time. */
export const checkPassword = async (person: PersonRow | undefined, password: string): Promise<PersonRow | null> =>
  (await isPasswordOf(person?.password_hash ?? null, password)) && person ? person : null;

/** Locked, and still with the password that was compared: whoever changed it meanwhile has ended every session, and none may come after. */
export const holdUnchanged = async (ctx: Pick<HouseCtx, "db">, compared: PersonRow): Promise<PersonRow> => {
  const person = await lockPerson(ctx, compared.id);
  if (!person || person.password_hash !== compared.password_hash) throw fail("sign_in_failed");
  return person;
};

export const findByEmail = (ctx: Pick<HouseCtx, "db">, email: string) => findPersonByEmail(ctx, email);

const totpPurpose = (personId: number): string => `totp:${personId}`;

/** Nothing to check when the person has no second factor. Without a code the refusal says that one is needed. */
export const checkSecondFactor = async (
  ctx: HouseCtx,
  person: PersonRow,
  code: string | null,
  secretKeys: readonly SecretKey[],
): Promise<void> => {
  if (person.totp_confirmed_at === null || person.sealed_totp_secret === null) return;
  if (code === null) throw fail("sign_in_failed", { second_factor: true });
  const secret = unseal(secretKeys, person.sealed_totp_secret, totpPurpose(person.id));
  const step = matchCode(secret, code, ctx.now, person.totp_last_step);
  if (step === null || !(await useTotpStep(ctx, person.id, step))) throw fail("sign_in_failed", { second_factor: true });
};

/** The cookie is returned here and kept nowhere; only its hash is. */
export const openSession = async (
  ctx: HouseCtx,
  person: PersonRow,
  client: string | null,
): Promise<{ cookie: string; signedIn: SignedIn }> => {
  const cookie = randomBase62(COOKIE_LENGTH);
  const expiresAt = sessionEnd(ctx.now, ctx.now);
  insertSession(ctx, { hash: sha256(cookie), personId: person.id, expiresAt, client: client?.slice(0, 200) ?? null });
  const venues = await listWork(ctx, person.email);
  const has_second_factor = person.totp_confirmed_at !== null;
  const { id, email, name, locale } = person;
  const visit = { id, email, name, locale, has_second_factor, created_at: ctx.now, last_seen_at: ctx.now, expires_at: expiresAt, venues };
  return { cookie, signedIn: shownVisit(visit) };
};

export const endSession = (ctx: HouseCtx, cookie: string): void => deleteSession(ctx, sha256(cookie));
export const endAllSessions = (ctx: HouseCtx, personId: number): void => deleteSessionsOf(ctx, personId);

export const readSessions = async (ctx: HouseCtx, personId: number, cookie: string) =>
  (await listSessionRows(ctx, personId, ctx.now)).map(({ hash, created_at, last_seen_at, ...row }) => ({
    ...row,
    created_at: created_at.toISOString(),
    last_seen_at: last_seen_at.toISOString(),
    is_current: sameBytes(hash, sha256(cookie)),
  }));

/** The link itself is made when the mail is written. */
export const invite = async (ctx: Ctx, email: string): Promise<{ linkId: number }> => queueLink(ctx, "invitation", email, ctx.tenant.id);

/** Nothing happens for an address that nobody works with; whoever asks is told the same either way. */
export const requestReset = async (ctx: HouseCtx, email: string): Promise<void> => {
  const [person, [work]] = [await findPersonByEmail(ctx, email), await listWork(ctx, email)];
  if (person && work) await queueLink(ctx, "reset", person.email, work.restaurant_id);
};

const queueLink = async (ctx: HouseCtx, kind: LinkKind, email: string, restaurantId: number): Promise<{ linkId: number }> => {
  const expiresAt = new Date(ctx.now.getTime() + LINK_LIFE_MS[kind]);
  const linkId = await insertLink(ctx, { kind, email, restaurantId, expiresAt });
  await enqueue({ db: ctx.db, tenant: { id: restaurantId } }, "send-link", { link_id: linkId });
  return { linkId };
};

export type FreshLink = { link: LinkRow; secret: string; locale: string | null };

/** For whoever hands the link over in person: no mail is queued, which would make another secret of it. */
export const inviteInPerson = async (ctx: Ctx, email: string): Promise<{ secret: string }> => {
  const linkId = await insertLink(ctx, {
    kind: "invitation",
    email,
    restaurantId: ctx.tenant.id,
    expiresAt: new Date(ctx.now.getTime() + LINK_LIFE_MS.invitation),
  });
  const secret = randomBase62(LINK_LENGTH);
  setLinkHash(ctx, linkId, sha256(secret));
  return { secret };
};

/** A new secret each time it is asked for: an attempt to send that failed leaves none behind that works. */
export const freshenLink = async (ctx: Pick<HouseCtx, "db" | "now">, linkId: number): Promise<FreshLink | null> => {
  const link = await findLink(ctx, linkId);
  if (!link || link.used_at !== null || link.expires_at <= ctx.now) return null;
  const secret = randomBase62(LINK_LENGTH);
  setLinkHash(ctx, linkId, sha256(secret));
  return { link, secret, locale: (await findPersonByEmail(ctx, link.email))?.locale ?? null };
};

const openLink = async (ctx: Pick<HouseCtx, "db" | "now">, secret: string): Promise<LinkRow> => {
  const link = await findOpenLink(ctx, sha256(secret), ctx.now);
  if (!link) throw invalid({ secret: ["This link was used before, or its time is over. Ask for a new one."] });
  return link;
};

export const readLink = async (ctx: Pick<HouseCtx, "db" | "now">, secret: string) => {
  const link = await openLink(ctx, secret);
  const [person, work] = [await findPersonByEmail(ctx, link.email), await listWork(ctx, link.email)];
  const venue = work.find(({ restaurant_id }) => restaurant_id === link.restaurant_id)?.name ?? null;
  return { kind: link.kind, email: link.email, name: person?.name ?? null, venue, has_password: person?.password_hash != null };
};

/** Whoever has the mailbox sets the password; a second factor is asked for all the same. Other sessions end. */
export const redeemLink = async (
  ctx: HouseCtx,
  { secret, passwordHash, code }: { secret: string; passwordHash: string; code: string | null },
  secretKeys: readonly SecretKey[],
): Promise<PersonRow> => {
  const link = await openLink(ctx, secret);
  const work = await listWork(ctx, link.email);
  const known = await ensurePerson(ctx, link.email, work[0]?.staff_name ?? link.email);
  const person = (await lockPerson(ctx, known.id)) ?? known;
  await checkSecondFactor(ctx, person, code, secretKeys);
  if (!(await spendLink(ctx, link))) throw invalid({ secret: ["This link was used before. Ask for a new one."] });
  updatePerson(ctx, person.id, { password_hash: passwordHash });
  deleteSessionsOf(ctx, person.id);
  return person;
};

export const newPasswordHash = (password: string): Promise<string> => hashPassword(password);

export const changePerson = async (ctx: HouseCtx, visit: Visit, change: { name?: string; locale?: string | null }): Promise<Person> => {
  updatePerson(ctx, visit.id, change);
  return { ...shownPerson(visit), ...change };
};

/** Every session ends, the one that asked included: whoever knew the old password is out. */
export const replacePassword = (ctx: HouseCtx, personId: number, passwordHash: string): void => {
  updatePerson(ctx, personId, { password_hash: passwordHash });
  deleteSessionsOf(ctx, personId);
};

/** Not in force until a code of it was shown. */
export const beginSecondFactor = (ctx: HouseCtx, person: PersonRow, secretKeys: readonly SecretKey[]): { secret: string; uri: string } => {
  if (person.totp_confirmed_at !== null) throw invalid({ code: ["A second factor is in force already: end it first."] });
  const secret = newTotpSecret();
  updatePerson(ctx, person.id, {
    sealed_totp_secret: seal(secretKeys, secret, totpPurpose(person.id)),
    totp_confirmed_at: null,
    totp_last_step: null,
  });
  return { secret, uri: totpUri(secret, person.email) };
};

export const confirmSecondFactor = async (ctx: HouseCtx, visit: Visit, code: string, secretKeys: readonly SecretKey[]): Promise<Person> => {
  const person = await lockPerson(ctx, visit.id);
  if (!person?.sealed_totp_secret || person.totp_confirmed_at !== null) throw invalid({ code: ["Begin by asking for a new secret."] });
  const step = matchCode(unseal(secretKeys, person.sealed_totp_secret, totpPurpose(person.id)), code, ctx.now, null);
  if (step === null) throw invalid({ code: ["The code is not right. Look at your phone's clock, and try the next code."] });
  updatePerson(ctx, person.id, { totp_confirmed_at: ctx.now, totp_last_step: step });
  return { ...shownPerson(visit), has_second_factor: true };
};

export const endSecondFactor = (ctx: HouseCtx, visit: Visit): Person => {
  updatePerson(ctx, visit.id, { sealed_totp_secret: null, totp_confirmed_at: null, totp_last_step: null });
  return { ...shownPerson(visit), has_second_factor: false };
};
