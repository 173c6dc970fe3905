/** Console calls that open a venue, place its test order and take it live. */
import type { FirstVenue } from "@comanda/contract/console/sign-up.ts";
import type { NewVenue, PublicCaller, PublicCalls, SessionCalls, VenueCalls } from "#http/console/calls.ts";
import type { Actor, Ctx } from "#lib/context.ts";
import { apiError, validationError } from "#lib/errors.ts";
import { hashPassword } from "#lib/passwords.ts";
import { askBuckets, openingBuckets } from "./rules/link-policy.ts";
import { askToSignUp, findValidSignUp, readSignUpLink, type SignUpRules } from "./service/links.ts";
import { checkFirstVenue, chooseSlug, openFirstVenue, openNextVenue } from "./service/new-venue.ts";
import { goLive, placeTestOrder, readOpening } from "./service/opening.ts";

const ASKS_PER_MINUTE = 5;
const USES_PER_MINUTE = 10;
/** The oldest mails of the hour leave it one after the other. */
const HOUR_FULL_RETRY_SECONDS = "300";

/** The person who makes the venue. `id` is null before there is an account. */
const ownerActor = ({ id, email, name }: { id: number | null; email: string; name: string }): Actor => ({
  kind: "staff",
  id,
  name,
  email,
  scopes: [],
  caller: id === null ? `sign-up:${email}` : `person:${id}`,
});

const newVenueOf =
  (caller: PublicCaller, first: FirstVenue, actor: Actor) =>
  async (attempt: number): Promise<NewVenue> => {
    const slug = await caller.inGlobalTransaction(({ db }) => chooseSlug(db, first.name, attempt));
    return {
      tenant: { slug, kind: "live", currency: first.currency, zone: first.zone, default_language: first.language, clock_offset_ms: 0 },
      actor,
    };
  };

type SignUpIds = "readSignUp" | "askToSignUp" | "readSignUpLink" | "openVenue";

export const signUpCalls = (rules: SignUpRules): Pick<PublicCalls, SignUpIds> => ({
  readSignUp: async () => ({ data: { is_open: rules.isOpen } }),
  async askToSignUp(caller, { body }) {
    const { email, locale = null } = body();
    await caller.count("sign-up", ASKS_PER_MINUTE);
    if (!rules.isOpen) throw apiError("not_found");
    const address = email.toLowerCase();
    for (const bucket of askBuckets(caller.source)) await caller.countIn(bucket);
    const outcome = await caller.inGlobalTransaction((ctx) => askToSignUp(ctx, { email: address, locale }, rules.mailsPerHourMax));
    rules.countAsk(outcome);
    if (outcome === "hour") throw apiError("service_unavailable", {}, { "Retry-After": HOUR_FULL_RETRY_SECONDS });
    return { data: {} };
  },
  async readSignUpLink(caller, { body }) {
    const { secret } = body();
    await caller.count("sign-up-link", USES_PER_MINUTE);
    return { data: await caller.inGlobalTransaction((ctx) => readSignUpLink(ctx, secret)) };
  },
  async openVenue(caller, { body }) {
    const { secret, person_name: name, password, locale = null, venue } = body();
    await caller.count("sign-up-link", USES_PER_MINUTE);
    // A dead link and a venue that is refused cost no hash.
    const { email, has_account } = await caller.inGlobalTransaction((ctx) => readSignUpLink(ctx, secret));
    if (has_account) throw validationError({ secret: ["You already have an account. Sign in to open another venue."] });
    checkFirstVenue(venue);
    for (const bucket of openingBuckets(email, caller.source)) await caller.countIn(bucket);
    const passwordHash = await hashPassword(password, caller.source);
    const { client } = caller;
    const prepare = newVenueOf(caller, venue, ownerActor({ id: null, email, name }));
    const { slug, opened } = await caller.inNewVenue(prepare, async (ctx) => ({
      slug: ctx.tenant.slug,
      opened: await openFirstVenue(ctx, venue, { secret, name, locale, passwordHash, client }, rules),
    }));
    caller.setCookie(opened.cookie);
    caller.rememberDevice(opened.device);
    return { data: { slug, session: opened.signedIn } };
  },
});

export const openAnotherVenueCalls = (rules: SignUpRules): Pick<SessionCalls, "openAnotherVenue"> => ({
  async openAnotherVenue(caller, { body }) {
    const { secret = null, venue } = body();
    const { id, email, name, locale } = caller.session;
    if (secret !== null) await caller.inGlobalTransaction((ctx) => findValidSignUp(ctx, secret));
    checkFirstVenue(venue);
    for (const bucket of openingBuckets(email, caller.source)) await caller.countIn(bucket);
    const prepare = newVenueOf(caller, venue, ownerActor({ id, email, name }));
    const open = async (ctx: Ctx) => {
      await openNextVenue(ctx, venue, { secret, owner: { email, name, locale } }, rules);
      return { data: { slug: ctx.tenant.slug } };
    };
    return caller.inNewVenue(prepare, (ctx) => caller.once(ctx, () => open(ctx)));
  },
});

export const openingCalls: Pick<VenueCalls, "readOpening" | "placeTestOrder" | "goLive"> = {
  readOpening: async (ctx) => ({ data: await readOpening(ctx) }),
  placeTestOrder: async (ctx) => ({ data: await placeTestOrder(ctx) }),
  goLive: async (ctx) => ({ data: await goLive(ctx) }),
};
