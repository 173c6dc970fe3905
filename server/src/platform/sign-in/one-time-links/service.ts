/** One-time links by mail: invitation, new password, sign-in. A link becomes invalid when the password that it was made for changes. */
import type { Ctx, GlobalContext } from "#lib/context.ts";
import type { EncryptionKey } from "#lib/encryption.ts";
import { type ApiError, validationError } from "#lib/errors.ts";
import { mailboxOf } from "#lib/mailbox.ts";
import { randomBase62, sha256 } from "#lib/token-format.ts";
import { realNow } from "#lib/venue-clock.ts";
import { enqueue, enqueueGlobal } from "#platform/jobs/service.ts";
import { recordLinkMail } from "#platform/messages/notifications/service.ts";
import { acceptByProof } from "#platform/people/memberships/service.ts";
import { findOrCreateUser, findUser, lockUser, lockUserAccess, type UserRow } from "#platform/people/users/store.ts";
import { listInvitations, listMemberships, replacePassword } from "#platform/sign-in/accounts/service.ts";
import { checkCode } from "#platform/sign-in/second-factor/service.ts";
import {
  INVITATION_WINDOW_MS,
  INVITATIONS_TO_MAILBOX_MAX,
  LINK_LIFE_MS,
  type LinkKind,
  mailboxWait,
  maySendAnother,
  REQUEST_EVERY_MS,
  type RequestedKind,
} from "./rules/link-policy.ts";
import {
  deleteRequest,
  endInvitations,
  endLinks,
  findLink,
  findLinkBySecret,
  insertInvitationMail,
  insertLink,
  type LinkRow,
  listInvitationTimes,
  listLinkTimes,
  lockMailbox,
  markLinkUsed,
  setLinkHash,
  upsertRequest,
} from "./store.ts";

const SECRET_LENGTH = 43;

type LinkToSend = { kind: LinkKind; email: string; restaurantId: number; passwordVersion: number };

const addLink = (ctx: GlobalContext, link: LinkToSend): Promise<number> =>
  insertLink(ctx, { ...link, expiresAt: new Date(realNow(ctx).getTime() + LINK_LIFE_MS[link.kind]) });

/** The job creates the secret when it writes the mail. */
const queueLink = async (ctx: GlobalContext, link: LinkToSend): Promise<{ linkId: number }> => {
  const linkId = await addLink(ctx, link);
  await enqueue({ db: ctx.db, tenant: { id: link.restaurantId } }, "send-link", { link_id: linkId });
  return { linkId };
};

export const sendInvitation = async (ctx: Ctx, email: string): Promise<{ linkId: number }> => {
  const queued = await queueLink(ctx, { kind: "invitation", email, restaurantId: ctx.tenant.id, passwordVersion: 0 });
  await recordLinkMail(ctx, { ...queued, email });
  return queued;
};

/**
 * Counts an invitation with those of all venues to this mailbox: venues are opened by anyone, and any address can be invited. Seconds
 * until the next one; 0: it is counted and may be sent.
 */
export const countInvitationMail = async (ctx: Ctx, email: string): Promise<number> => {
  const mailbox = mailboxOf(email);
  lockMailbox(ctx, mailbox);
  const since = new Date(realNow(ctx).getTime() - INVITATION_WINDOW_MS);
  const seconds = mailboxWait(await listInvitationTimes(ctx, mailbox, { since, count: INVITATIONS_TO_MAILBOX_MAX }), realNow(ctx));
  if (seconds === 0) insertInvitationMail(ctx, mailbox);
  return seconds;
};

/** A new mail; the link of the earlier one ends. */
export const sendInvitationAgain = (ctx: Ctx, email: string): Promise<{ linkId: number }> => {
  endInvitations(ctx, email);
  return sendInvitation(ctx, email);
};

/**
 * The operator gives the link to the user. No mail is queued, because its job would replace the secret. A user who has a password gets a
 * reset link.
 */
export const createLinkForOperator = async (ctx: Ctx, email: string): Promise<{ secret: string; kind: LinkKind }> => {
  const user = await findUser(ctx, email);
  const kind = user?.password_hash ? "reset" : "invitation";
  const linkId = await addLink(ctx, { kind, email, restaurantId: ctx.tenant.id, passwordVersion: user?.password_version ?? 0 });
  const secret = randomBase62(SECRET_LENGTH);
  setLinkHash(ctx, linkId, sha256(secret));
  return { secret, kind };
};

/** `firstPasswordHash`: for an account without a password. Null: it stays without one. */
type LinkedAccount = { email: string; name: string; firstPasswordHash: string | null };

/** `npm run dev` signs a member in without a password. */
export const createSignInLink = async (ctx: Ctx, { email, name, firstPasswordHash }: LinkedAccount): Promise<string> => {
  const user = await findOrCreateUser(ctx, email, name);
  const given = user.password_hash === null ? firstPasswordHash : null;
  if (given !== null) await replacePassword(ctx, user, { passwordHash: given, isReset: false, client: null });
  const passwordVersion = user.password_version + (given === null ? 0 : 1);
  await acceptByProof(ctx, email);
  const linkId = await addLink(ctx, { kind: "sign_in", email, restaurantId: ctx.tenant.id, passwordVersion });
  const secret = randomBase62(SECRET_LENGTH);
  setLinkHash(ctx, linkId, sha256(secret));
  return secret;
};

/** Does the same for every address, so that the answer does not reveal accounts. A job looks the account up. */
export const requestLink = async (ctx: GlobalContext, kind: RequestedKind, email: string): Promise<void> => {
  const request = await upsertRequest(ctx, { kind, email, notSince: new Date(realNow(ctx).getTime() - REQUEST_EVERY_MS) });
  if (request) await enqueueGlobal(ctx, "prepare-link", { request_id: request.id });
};

/** Sends nothing to an address without a membership or an open invitation, or above its limit. A new link ends the previous one. */
export const prepareLink = async (ctx: GlobalContext, requestId: number): Promise<void> => {
  const request = await deleteRequest(ctx, requestId);
  if (!request) return;
  const { kind, email } = request;
  const [found, [membership], [invitation]] = await Promise.all([
    findUser(ctx, email),
    listMemberships(ctx, email),
    listInvitations(ctx, email),
  ]);
  const user = found && (await lockUser(ctx, found.id));
  // An invitation sends from the inviting venue only where the person has none.
  const venue = membership ?? (invitation?.is_open ? invitation : undefined);
  if (!user || !venue) return;
  if (!maySendAnother(kind, await listLinkTimes(ctx, kind, email), realNow(ctx))) return;
  endLinks(ctx, kind, email);
  await queueLink(ctx, { kind, email, restaurantId: venue.restaurant_id, passwordVersion: user.password_version });
};

export type RenewedLink = { link: LinkRow; secret: string; locale: string | null; hasPassword: boolean };

/** Each attempt to send creates a new secret, so the secret of a failed attempt never works. */
export const renewLinkSecret = async (ctx: Pick<GlobalContext, "db" | "now">, linkId: number): Promise<RenewedLink | null> => {
  const link = await findLink(ctx, linkId);
  if (!link || link.used_at !== null || link.expires_at <= realNow(ctx)) return null;
  const secret = randomBase62(SECRET_LENGTH);
  setLinkHash(ctx, linkId, sha256(secret));
  const user = await findUser(ctx, link.email);
  return { link, secret, locale: user?.locale ?? null, hasPassword: user?.password_hash != null };
};

const LINK_INVALID = "This link was used before, or its time is over. Ask for a new one.";
const invalidLink = (): ApiError => validationError({ secret: [LINK_INVALID] });

/** A link for a password that was replaced since is invalid. */
const findValidLink = async (
  ctx: Pick<GlobalContext, "db" | "now">,
  secret: string,
): Promise<{ link: LinkRow; user: UserRow | undefined }> => {
  const link = await findLinkBySecret(ctx, sha256(secret), realNow(ctx));
  const user = link && (await findUser(ctx, link.email));
  if (!link || !isCurrent(link, user)) throw invalidLink();
  return { link, user };
};

const isCurrent = (link: LinkRow, user: UserRow | undefined): boolean =>
  link.kind === "invitation" || link.password_version === user?.password_version;

export const readLink = async (ctx: Pick<GlobalContext, "db" | "now">, secret: string) => {
  const { link, user } = await findValidLink(ctx, secret);
  const place = await findLinkVenue(ctx, link);
  const { name: venue = null, slug = null } = place ?? {};
  const is_member = place !== undefined && "staff_id" in place;
  return {
    kind: link.kind,
    email: link.email,
    name: user?.name ?? null,
    venue,
    slug,
    has_password: user?.password_hash != null,
    is_member,
  };
};

/** Undefined when the address neither works there nor is invited. */
const findLinkVenue = async (ctx: Pick<GlobalContext, "db" | "now">, { email, restaurant_id }: LinkRow) =>
  [...(await listMemberships(ctx, email)), ...(await listInvitations(ctx, email))].find((one) => one.restaurant_id === restaurant_id);

/** The venue of an invitation, in whose transaction the link is used. Null for other links. */
export const readLinkVenue = async (
  ctx: Pick<GlobalContext, "db" | "now">,
  secret: string,
): Promise<{ email: string; restaurantId: number | null }> => {
  const { kind, email, restaurant_id } = (await findValidLink(ctx, secret)).link;
  return { email, restaurantId: kind === "invitation" ? restaurant_id : null };
};

export type Redemption = { secret: string; code: string | null; client: string | null };

/**
 * Sets the password and ends every session. A second factor is still required, because the link proves the mailbox only. An
 * invitation sets the first password only.
 */
export const redeemPasswordLink = async (
  ctx: GlobalContext,
  { secret, code, client }: Redemption,
  passwordHash: string,
  encryptionKeys: readonly EncryptionKey[],
): Promise<UserRow | ApiError> => {
  const { link } = await findValidLink(ctx, secret);
  if (link.kind === "sign_in") throw invalidLink();
  lockUserAccess(ctx, link.email);
  const user = await lockUserOfLink(ctx, link);
  const isReset = link.kind === "reset";
  if (!isReset && user.password_hash !== null) throw validationError({ secret: ["You already have a password. Sign in with it."] });
  const refused = await checkCode(ctx, user.id, { code, proof: "mailbox", client }, encryptionKeys);
  if (refused) return refused;
  if (!(await markLinkUsed(ctx, link.id))) throw invalidLink();
  await replacePassword(ctx, user, { passwordHash, isReset, client });
  return user;
};

/** Signs in without the password. A second factor is still required. */
export const redeemSignInLink = async (
  ctx: GlobalContext,
  { secret, code, client }: Redemption,
  encryptionKeys: readonly EncryptionKey[],
): Promise<UserRow | ApiError> => {
  const { link } = await findValidLink(ctx, secret);
  if (link.kind !== "sign_in") throw invalidLink();
  // The browser's previous session ends, so its running writes must commit first.
  lockUserAccess(ctx, link.email);
  const user = await lockUserOfLink(ctx, link);
  const refused = await checkCode(ctx, user.id, { code, proof: "mailbox", client }, encryptionKeys);
  if (refused) return refused;
  if (!(await markLinkUsed(ctx, link.id))) throw invalidLink();
  return user;
};

/** Checks again under the lock: the password may have changed since the link was found. */
const lockUserOfLink = async (ctx: GlobalContext, link: LinkRow): Promise<UserRow> => {
  const name = (await findLinkVenue(ctx, link))?.staff_name ?? link.email;
  const known = await findOrCreateUser(ctx, link.email, name);
  const user = (await lockUser(ctx, known.id)) ?? known;
  if (!isCurrent(link, user)) throw invalidLink();
  return user;
};
