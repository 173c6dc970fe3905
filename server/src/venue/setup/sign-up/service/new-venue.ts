/** Opens a venue: account, venue, settings, dishes and session are one commit, by the checks of a venue file. It is not live yet. */
import type { FirstVenue } from "@comanda/contract/console/sign-up.ts";
import type { Db } from "#db/query.ts";
import type { Ctx, GlobalContext } from "#lib/context.ts";
import { type FieldErrors, validationError } from "#lib/errors.ts";
import { randomBase62, sha256 } from "#lib/token-format.ts";
import { acceptByProof } from "#platform/people/memberships/service.ts";
import { findOrCreateUser, lockUser, lockUserAccess, type UserRow, updateUser } from "#platform/people/users/store.ts";
import { type CreatedSession, createSession, replacePassword } from "#platform/sign-in/accounts/service.ts";
import { changePlanState, isSlugFree } from "#platform/tenants/service.ts";
import { applyVenueFile, checkVenueFile } from "#venue/setup/venue-file/service.ts";
import { currencyErrors, firstVenueFile, type VenueOwner } from "../rules/first-venue.ts";
import { randomSlug, slugChoices, slugOf } from "../rules/slug.ts";
import { insertOpening, markSignUpUsed, type SignUpRow } from "../store.ts";
import { invalidSignUpLink, type SignUpRules } from "./links.ts";

const RANDOM_LENGTH = 5;

/** A later attempt lost a race for the slug, so it takes a random one. */
export const chooseSlug = async (db: Db, name: string, attempt: number): Promise<string> => {
  const slug = slugOf(name);
  const random = randomSlug(slug, randomBase62(RANDOM_LENGTH));
  if (attempt > 0) return random;
  const choices = slugChoices(slug);
  const areFree = await Promise.all(choices.map((choice) => isSlugFree(db, choice)));
  return choices.find((_, index) => areFree[index]) ?? random;
};

/** Paths of a venue file name parts that the caller has not sent. Its own fields are checked by the contract. */
const publicErrors = (errors: FieldErrors): FieldErrors =>
  Object.fromEntries(Object.entries(errors).map(([path, sentences]) => [`venue.${path.replace(/^restaurant\./, "")}`, sentences]));

/** Before anything is written, and before a password is hashed. */
export const checkFirstVenue = (first: FirstVenue): void => {
  const owner = { email: "owner@example.com", name: "Owner", locale: null };
  const checked = checkVenueFile(firstVenueFile(first, { slug: slugOf(first.name), plan: "any", owner }));
  const errors = { ...currencyErrors(first), ...("errors" in checked ? publicErrors(checked.errors) : {}) };
  if (Object.keys(errors).length > 0) throw validationError(errors);
};

const createVenue = async (ctx: Ctx, first: FirstVenue, { plan, owner }: { plan: string; owner: VenueOwner }): Promise<void> => {
  const checked = checkVenueFile(firstVenueFile(first, { slug: ctx.tenant.slug, plan, owner }));
  if ("errors" in checked) throw validationError(publicErrors(checked.errors));
  await applyVenueFile(ctx, checked.file);
  await acceptByProof(ctx, owner.email);
  await changePlanState(ctx, { suspended_at: ctx.now });
  insertOpening(ctx);
};

export type NewOwner = { secret: string; name: string; locale: string | null; passwordHash: string; client: string | null };

const HAS_ACCOUNT = "You already have an account. Sign in to open another venue.";

/** Two uses of a link may run at once. Only the first one makes a venue. */
export const openFirstVenue = async (ctx: Ctx, first: FirstVenue, given: NewOwner, rules: SignUpRules): Promise<CreatedSession> => {
  const link = await useLink(ctx, given.secret, rules);
  const user = await createAccount(ctx, link.email, given);
  const owner = { email: user.email, name: user.name, locale: given.locale };
  await createVenue(ctx, first, { plan: link.plan ?? rules.plan, owner });
  return createSession(ctx, user, { device: null, client: given.client, hasGivenPassword: true });
};

/** A link that was asked for works only as long as anyone may open a venue. */
const useLink = async (ctx: GlobalContext, secret: string, { isOpen }: SignUpRules): Promise<SignUpRow> => {
  const link = await markSignUpUsed(ctx, sha256(secret));
  if (!link || (link.source === "asked" && !isOpen)) throw invalidSignUpLink();
  return link;
};

/** A user without a password was invited to a team and never came. The link proves the mailbox as that invitation would. */
const createAccount = async (ctx: Ctx, email: string, { name, locale, passwordHash, client }: NewOwner): Promise<UserRow> => {
  lockUserAccess(ctx, email);
  const known = await findOrCreateUser(ctx, email, name);
  const user = (await lockUser(ctx, known.id)) ?? known;
  if (user.password_hash !== null) throw validationError({ secret: [HAS_ACCOUNT] });
  updateUser(ctx, user.id, { name, locale });
  await replacePassword(ctx, user, { passwordHash, isReset: false, client });
  return { ...user, name, locale };
};

const OTHER_ADDRESS = "This invitation is for another address.";

/** A link is needed unless anyone may open a venue. */
export const openNextVenue = async (
  ctx: Ctx,
  first: FirstVenue,
  { secret, owner }: { secret: string | null; owner: VenueOwner },
  rules: SignUpRules,
): Promise<void> => {
  const link = secret === null ? null : await useLink(ctx, secret, rules);
  if (link === null && !rules.isOpen) throw validationError({ secret: ["You need an invitation to open a venue."] });
  if (link !== null && link.email !== owner.email) throw validationError({ secret: [OTHER_ADDRESS] });
  await createVenue(ctx, first, { plan: link?.plan ?? rules.plan, owner });
};
