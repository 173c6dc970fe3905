/** Every way in which a caller of the API loses access: how a caller is made who has it, and how it is ended. */

import type { Operation } from "@comanda/contract/operation.ts";
import { ALL_SCOPES } from "@comanda/contract/scopes.ts";
import { withoutVenue } from "../../src/admin/command-context.ts";
import { createSandbox } from "../../src/admin/sandbox.ts";
import { withdrawApp } from "../../src/platform/programs/apps/service.ts";
import { revokeToken } from "../../src/platform/programs/tokens/service.ts";
import { changePlanState } from "../../src/platform/tenants/service.ts";
import { createUser, type TestUser } from "./console-client.ts";
import { allow, askConsent, authorizeUrl, install, newApp, newPkce, postForm, refreshed, refreshForm } from "./marketplace.ts";
import { forVenue, type TestApp, type TestVenue } from "./test-app.ts";

export type RevocableCaller = {
  token: string;
  /** Resolves with the answer to the revocation. */
  revoke(): Promise<void>;
  /** Brings the venue back to where it was, for the next one. */
  restore?(): Promise<void>;
};

export type RevocationKind = {
  /** What a request gets that comes afterwards. */
  refusal: string;
  appliesTo?(operation: Operation): boolean;
  caller(place: RevocationContext): Promise<RevocableCaller>;
};

/** The service that writes is asked through `app`; revocations go through `other`, which has connections of its own. */
export type RevocationContext = { app: TestApp; other: TestApp; venue: TestVenue; owner: TestUser };

export const openRevocationContext = async (app: TestApp, other: TestApp, slug: string): Promise<RevocationContext> => {
  const venue = await app.venue("lab", (file) => {
    file.restaurant.slug = slug;
  });
  return { app, other, venue, owner: await createUser(other, slug, "owner") };
};

const idOf = (token: string): number => Number(token.split("|")[0]);

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const must = (answer: { status: number; text: string }): void => {
  if (answer.status >= 300) throw new Error(`A revocation was refused: ${answer.status} ${answer.text}`);
};

const byOwner = async ({ owner, venue }: RevocationContext, method: string, path: string, body: object = {}): Promise<void> =>
  must(await owner.call(method, `/venues/${venue.slug}${path}`, { body }));

const installed = async (place: RevocationContext) => {
  const client = await newApp(place.other.deps);
  const pair = await install(place.other, { owner: place.owner, slug: place.venue.slug }, client, ALL_SCOPES);
  return { client, pair, token: pair.access_token };
};

const installationOf = async ({ other, venue }: RevocationContext): Promise<number> => {
  const [row] = await other.database.asOwner<{ id: string }>("select max(id) as id from installations where restaurant_id = $1", [
    venue.id,
  ]);
  return Number(row?.id);
};

const rememberedSession = (place: RevocationContext, change: Parameters<typeof changePlanState>[1]): Promise<void> =>
  forVenue(place.other.deps, place.venue.slug, (ctx) => changePlanState(ctx, change), { revokes: true });

const IN_ORDER = { plan: "complete", plan_until: null, suspended_at: null };

/** Both services use the same time. */
const advance = ({ app, other }: RevocationContext, ms: number): void => {
  app.clock.advance(ms);
  other.clock.advance(ms);
};

/** Time passes once the request is on its way, and afterwards it is again what it was: the venue must stay open. */
const later = (place: RevocationContext, ms: number): Pick<Required<RevocableCaller>, "revoke" | "restore"> => ({
  revoke: async () => advance(place, ms),
  restore: async () => advance(place, -ms),
});

export const KINDS: Record<string, RevocationKind> = {
  "revoked in the console": {
    refusal: "401 unauthenticated",
    async caller(place) {
      const token = await place.other.token(place.venue.slug);
      return { token, revoke: () => byOwner(place, "DELETE", `/tokens/${idOf(token)}`) };
    },
  },
  "rolled without overlap": {
    refusal: "401 unauthenticated",
    async caller(place) {
      const token = await place.other.token(place.venue.slug);
      return { token, revoke: () => byOwner(place, "POST", `/tokens/${idOf(token)}/roll`, { overlap: "now" }) };
    },
  },
  "revoked by the operator": {
    refusal: "401 unauthenticated",
    async caller({ other, venue }) {
      const token = await other.token(venue.slug);
      const revoke = async () => void (await forVenue(other.deps, venue.slug, (ctx) => revokeToken(ctx, idOf(token)), { revokes: true }));
      return { token, revoke };
    },
  },
  uninstalled: {
    refusal: "401 unauthenticated",
    async caller(place) {
      const { token } = await installed(place);
      return { token, revoke: async () => byOwner(place, "DELETE", `/apps/${await installationOf(place)}`) };
    },
  },
  "app withdrawn": {
    refusal: "401 unauthenticated",
    async caller(place) {
      const { token, client } = await installed(place);
      return { token, revoke: async () => void (await withoutVenue(place.other.deps, (ctx) => withdrawApp(ctx, client.id, null))) };
    },
  },
  "given back by the app": {
    refusal: "401 unauthenticated",
    async caller(place) {
      const { token, client, pair } = await installed(place);
      const form = { token: pair.refresh_token, client_id: client.client_id, client_secret: client.client_secret };
      return { token, revoke: async () => must(await postForm(place.other, "/oauth/revoke", form)) };
    },
  },
  refreshed: {
    refusal: "401 unauthenticated",
    async caller(place) {
      const { token, client, pair } = await installed(place);
      return { token, revoke: async () => must(await refreshed(place.other, client, pair.refresh_token)) };
    },
  },
  "refresh token used twice": {
    refusal: "401 unauthenticated",
    async caller(place) {
      const { client, pair } = await installed(place);
      const { access_token: token } = (await refreshed(place.other, client, pair.refresh_token)).body;
      // Long after the retry that is forgiven.
      const { revoke: wait, restore } = later(place, 10 * MINUTE_MS);
      const revoke = async (): Promise<void> => {
        await wait();
        const { status } = await postForm(place.other, "/oauth/token", refreshForm(client, pair.refresh_token));
        if (status !== 400) throw new Error(`A refresh token was taken twice: ${status}`);
      };
      return { token, revoke, restore };
    },
  },
  "consent narrowed": {
    refusal: "403 insufficient_scope",
    async caller(place) {
      const { token, client } = await installed(place);
      const revoke = async (): Promise<void> => {
        const request = await askConsent(place.other, authorizeUrl(client, newPkce(), { scope: ALL_SCOPES.join(" ") }));
        await allow({ owner: place.owner, slug: place.venue.slug }, request, ["guests:read"]);
      };
      return { token, revoke };
    },
  },
  suspended: {
    refusal: "403 restaurant_suspended",
    async caller(place) {
      const token = await place.other.token(place.venue.slug);
      const revoke = () => rememberedSession(place, { suspended_at: place.other.clock.now() });
      return { token, revoke, restore: () => rememberedSession(place, IN_ORDER) };
    },
  },
  "plan ended by the operator": {
    refusal: "403 plan_lapsed",
    async caller(place) {
      const token = await place.other.token(place.venue.slug);
      const revoke = () => rememberedSession(place, { plan_until: place.other.clock.now() });
      return { token, revoke, restore: () => rememberedSession(place, IN_ORDER) };
    },
  },
  "plan without the feature": {
    refusal: "403 plan_feature_unavailable",
    appliesTo: ({ feature }) => feature !== undefined,
    async caller(place) {
      const token = await place.other.token(place.venue.slug);
      return { token, revoke: () => rememberedSession(place, { plan: "essential" }), restore: () => rememberedSession(place, IN_ORDER) };
    },
  },
  "plan lapsed by time": {
    refusal: "403 plan_lapsed",
    async caller(place) {
      const token = await place.other.token(place.venue.slug);
      await rememberedSession(place, { plan_until: new Date(place.app.clock.now().getTime() + MINUTE_MS) });
      const { revoke, restore } = later(place, MINUTE_MS);
      return { token, revoke, restore: async () => Promise.all([restore(), rememberedSession(place, IN_ORDER)]).then(() => undefined) };
    },
  },
  "token expired": {
    refusal: "401 unauthenticated",
    async caller(place) {
      const expiresAt = new Date(place.app.clock.now().getTime() + MINUTE_MS);
      const token = await place.other.token(place.venue.slug, { expiresAt });
      return { token, ...later(place, MINUTE_MS) };
    },
  },
  "access token expired": {
    refusal: "401 unauthenticated",
    async caller(place) {
      const { token } = await installed(place);
      return { token, ...later(place, HOUR_MS) };
    },
  },
  "sandbox token renewed": {
    refusal: "401 unauthenticated",
    async caller(place) {
      const { other, venue } = place;
      const renew = async () => (await place.owner.call("POST", `/venues/${venue.slug}/sandbox`, { body: {} })).body.data.token as string;
      const token = (await createSandbox(other.deps, venue.slug, null))?.token ?? (await renew());
      return { token, revoke: async () => void (await renew()) };
    },
  },
};
