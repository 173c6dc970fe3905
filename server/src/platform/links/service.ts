/** Links sent by mail: an invitation, a new password, a sign-in. Each ends with what it depends on. */
import type { Ctx, HouseCtx } from "#lib/context.ts";
import { invalid, type Refusal } from "#lib/errors.ts";
import type { SecretKey } from "#lib/sealed.ts";
import { randomBase62, sha256 } from "#lib/secrets.ts";
import { checkCode } from "#platform/factor/service.ts";
import { enqueue, enqueueGlobal } from "#platform/jobs/service.ts";
import { findByEmail, findOrAddPerson, lock, lockAccess, type PersonRow, readWork, replacePassword } from "#platform/people/service.ts";
import { LINK_LIFE_MS, type LinkKind, maySendAnother, REQUEST_EVERY_MS, type RequestedKind } from "./rules.ts";
import {
  endLinks,
  findLink,
  findLinkBySecret,
  insertLink,
  type LinkRow,
  listLinkMoments,
  setLinkHash,
  spendLink,
  takeRequest,
  upsertRequest,
} from "./store.ts";

const SECRET_LENGTH = 43;

type NewLink = { kind: LinkKind; email: string; restaurantId: number; passwordVersion: number };

const addLink = (ctx: HouseCtx, link: NewLink): Promise<number> =>
  insertLink(ctx, { ...link, expiresAt: new Date(ctx.now.getTime() + LINK_LIFE_MS[link.kind]) });

/** The link itself is made when the mail is written. */
const queueLink = async (ctx: HouseCtx, link: NewLink): Promise<{ linkId: number }> => {
  const linkId = await addLink(ctx, link);
  await enqueue({ db: ctx.db, tenant: { id: link.restaurantId } }, "send-link", { link_id: linkId });
  return { linkId };
};

export const invite = (ctx: Ctx, email: string): Promise<{ linkId: number }> =>
  queueLink(ctx, { kind: "invitation", email, restaurantId: ctx.tenant.id, passwordVersion: 0 });

/**
 * For an operator who hands the link over: no mail is queued, which would make another secret of it. A person who has a password
 * already gets a link for a new one.
 */
export const inviteInPerson = async (ctx: Ctx, email: string): Promise<{ secret: string; kind: LinkKind }> => {
  const person = await findByEmail(ctx, email);
  const kind = person?.password_hash ? "reset" : "invitation";
  const linkId = await addLink(ctx, { kind, email, restaurantId: ctx.tenant.id, passwordVersion: person?.password_version ?? 0 });
  const secret = randomBase62(SECRET_LENGTH);
  setLinkHash(ctx, linkId, sha256(secret));
  return { secret, kind };
};

/** The same work for every address: whether it has an account is found out by a job. */
export const requestLink = async (ctx: HouseCtx, kind: RequestedKind, email: string): Promise<void> => {
  const request = await upsertRequest(ctx, { kind, email, notSince: new Date(ctx.now.getTime() - REQUEST_EVERY_MS) });
  if (request) await enqueueGlobal(ctx, "prepare-link", { request_id: request.id });
};

/** Nothing is sent to an address that works nowhere, or that was sent a link of this kind a moment ago. A new link ends the old one. */
export const prepareLink = async (ctx: HouseCtx, requestId: number): Promise<void> => {
  const request = await takeRequest(ctx, requestId);
  if (!request) return;
  const { kind, email } = request;
  const [found, [work]] = await Promise.all([findByEmail(ctx, email), readWork(ctx, email)]);
  const person = found && (await lock(ctx, found.id));
  if (!person || !work) return;
  if (!maySendAnother(kind, await listLinkMoments(ctx, kind, email), ctx.now)) return;
  endLinks(ctx, kind, email);
  await queueLink(ctx, { kind, email, restaurantId: work.restaurant_id, passwordVersion: person.password_version });
};

export type FreshLink = { link: LinkRow; secret: string; locale: string | null; hasPassword: boolean };

/** A new secret each time it is asked for: an attempt to send that failed leaves none behind that works. */
export const freshenLink = async (ctx: Pick<HouseCtx, "db" | "now">, linkId: number): Promise<FreshLink | null> => {
  const link = await findLink(ctx, linkId);
  if (!link || link.used_at !== null || link.expires_at <= ctx.now) return null;
  const secret = randomBase62(SECRET_LENGTH);
  setLinkHash(ctx, linkId, sha256(secret));
  const person = await findByEmail(ctx, link.email);
  return { link, secret, locale: person?.locale ?? null, hasPassword: person?.password_hash != null };
};

const DEAD = "This link was used before, or its time is over. Ask for a new one.";
const dead = (): Refusal => invalid({ secret: [DEAD] });

/** A link for a password that was replaced since is dead. */
const findLive = async (ctx: Pick<HouseCtx, "db" | "now">, secret: string): Promise<{ link: LinkRow; person: PersonRow | undefined }> => {
  const link = await findLinkBySecret(ctx, sha256(secret), ctx.now);
  const person = link && (await findByEmail(ctx, link.email));
  if (!link || !isCurrent(link, person)) throw dead();
  return { link, person };
};

const isCurrent = (link: LinkRow, person: PersonRow | undefined): boolean =>
  link.kind === "invitation" || link.password_version === person?.password_version;

export const readLink = async (ctx: Pick<HouseCtx, "db" | "now">, secret: string) => {
  const { link, person } = await findLive(ctx, secret);
  const work = await readWork(ctx, link.email);
  const venue = work.find(({ restaurant_id }) => restaurant_id === link.restaurant_id)?.name ?? null;
  return { kind: link.kind, email: link.email, name: person?.name ?? null, venue, has_password: person?.password_hash != null };
};

export type Redemption = { secret: string; code: string | null; client: string | null };

/**
 * Whoever has the mailbox sets the password; a second factor is asked for all the same. Every session ends. An invitation sets the
 * first password only: a person who has one signs in with it.
 */
export const redeemPasswordLink = async (
  ctx: HouseCtx,
  { secret, code, client }: Redemption,
  passwordHash: string,
  secretKeys: readonly SecretKey[],
): Promise<PersonRow | Refusal> => {
  const { link } = await findLive(ctx, secret);
  if (link.kind === "sign_in") throw dead();
  lockAccess(ctx, link.email);
  const person = await lockForLink(ctx, link);
  const isReset = link.kind === "reset";
  if (!isReset && person.password_hash !== null) throw invalid({ secret: ["You have a password already. Sign in with it."] });
  const refused = await checkCode(ctx, person.id, { code, proof: "mailbox", client }, secretKeys);
  if (refused) return refused;
  if (!(await spendLink(ctx, link.id))) throw dead();
  await replacePassword(ctx, person, { passwordHash, isReset, client });
  return person;
};

/** Signs in without the password; with a second factor its code is asked for. */
export const redeemSignInLink = async (
  ctx: HouseCtx,
  { secret, code, client }: Redemption,
  secretKeys: readonly SecretKey[],
): Promise<PersonRow | Refusal> => {
  const { link } = await findLive(ctx, secret);
  if (link.kind !== "sign_in") throw dead();
  // The session that this browser had before ends.
  lockAccess(ctx, link.email);
  const person = await lockForLink(ctx, link);
  const refused = await checkCode(ctx, person.id, { code, proof: "mailbox", client }, secretKeys);
  if (refused) return refused;
  if (!(await spendLink(ctx, link.id))) throw dead();
  return person;
};

/** Locked, and looked at again: the password may have changed between the look-up and the lock. */
const lockForLink = async (ctx: HouseCtx, link: LinkRow): Promise<PersonRow> => {
  const work = await readWork(ctx, link.email);
  const name = work.find(({ restaurant_id }) => restaurant_id === link.restaurant_id)?.staff_name ?? link.email;
  const known = await findOrAddPerson(ctx, link.email, name);
  const person = (await lock(ctx, known.id)) ?? known;
  if (!isCurrent(link, person)) throw dead();
  return person;
};
