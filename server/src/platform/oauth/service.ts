/** From the app's request to the owner's decision, and from the code to tokens. */
import { OAUTH_ERRORS, type TokenResponse } from "@comanda/contract/oauth.ts";
import type { Feature, Scope } from "@comanda/contract/scopes.ts";
import type { Ctx, HouseCtx } from "#lib/context.ts";
import { invalid, OAuthRefusal } from "#lib/errors.ts";
import type { Parameters, Received } from "#lib/parameters.ts";
import { randomBase62, sha256 } from "#lib/secrets.ts";
import { type AppRow, type Client, cardOf, findRegistered, holdRegistered, readApps, recogniseClient } from "#platform/apps/service.ts";
import { allowApp, exchangeCode, type Refused, refreshGrant } from "#platform/installations/service.ts";
import { type Asked, AuthorizeRefusal, type Credentials, isVerifierOf, readScopes, redirectTo, required, scopesWithout } from "./rules.ts";
import { type ConsentRow, decideConsent, findOpenConsent, insertConsent, listConsentVenues } from "./store.ts";

/** Long enough to sign in, to look for the telephone with the second factor, or to ask for a new password. */
const CONSENT_LIFE_MS = 30 * 60 * 1000;
const CONSENT_NAME_LENGTH = 43;

/** The request cannot be trusted with a redirect: a page of our own says what is wrong (open point D142). */
export class NowhereToGo extends Error {}

export type Requester = { app: AppRow; redirectUri: string };

/** RFC 6749 §4.1.2.1: unless client and address are right, nobody is sent anywhere. */
export const findRequester = async (ctx: Pick<HouseCtx, "db">, { parameters, repeated }: Received): Promise<Requester> => {
  const [clientId, redirectUri] = [parameters.get("client_id"), parameters.get("redirect_uri")];
  if (clientId === undefined || redirectUri === undefined || repeated.includes("client_id") || repeated.includes("redirect_uri"))
    throw new NowhereToGo("The request must name its app (client_id) and its address (redirect_uri), each once.");
  const app = await findRegistered(ctx, clientId);
  if (!app) throw new NowhereToGo("No app is registered under this client_id.");
  if (!app.redirect_uris.includes(redirectUri)) throw new NowhereToGo("The app has not registered this redirect_uri, letter by letter.");
  return { app, redirectUri };
};

/** What was asked, word for word, under a name that works once. */
export const openConsent = (ctx: HouseCtx, { app, redirectUri }: Requester, asked: Asked): string => {
  const request = randomBase62(CONSENT_NAME_LENGTH);
  insertConsent(ctx, sha256(request), {
    app_id: app.id,
    redirect_uri: redirectUri,
    scopes: asked.scopes,
    state: asked.state,
    code_challenge: asked.codeChallenge,
    expires_at: new Date(ctx.now.getTime() + CONSENT_LIFE_MS),
  });
  return request;
};

const GONE = "This request was decided before, or its time is over. Go back to the app and start again.";

/** What was right when it was asked may have been taken out of the registry since: an address given up, a scope, the app itself. */
const isStillRight = (row: ConsentRow, app: AppRow): boolean =>
  app.withdrawn_at === null && app.redirect_uris.includes(row.redirect_uri) && row.scopes.every((scope) => app.scopes.includes(scope));

type FindApp = (id: number) => Promise<AppRow | undefined>;

const appOf = async (row: ConsentRow | undefined, find: FindApp): Promise<{ row: ConsentRow; app: AppRow }> => {
  const app = row && (await find(row.app_id));
  if (!row || !app || !isStillRight(row, app)) throw invalid({ request: [GONE] });
  return { row, app };
};

const inRegistry =
  (ctx: Pick<HouseCtx, "db">): FindApp =>
  async (id) =>
    (await readApps(ctx, [id])).get(id);

export const readConsent = async (ctx: Pick<HouseCtx, "db" | "now">, request: string, email: string) => {
  const { row, app } = await appOf(await findOpenConsent(ctx, sha256(request)), inRegistry(ctx));
  const venues = await listConsentVenues(ctx, email, app.id);
  return {
    app: cardOf(app),
    scopes: row.scopes,
    redirect_host: new URL(row.redirect_uri).host,
    expires_at: row.expires_at,
    venues: venues.map(({ slug, name, role, granted, has_reservations, has_reporting }) => {
      const features: Feature[] = [
        ...(has_reservations ? ["reservations" as const] : []),
        ...(has_reporting ? ["reporting" as const] : []),
      ];
      return { slug, name, is_owner: role === "owner", granted, plan_lacks: scopesWithout(row.scopes, features) };
    }),
  };
};

export const denyConsent = async (ctx: HouseCtx, request: string, issuer: string): Promise<string> => {
  const { row } = await appOf(await decideConsent(ctx, sha256(request)), inRegistry(ctx));
  return redirectTo(row.redirect_uri, refusedByOwner(), { state: row.state, issuer });
};

const refusedByOwner = () => new AuthorizeRefusal("access_denied", "The owner did not allow it.");

/** In the venue's transaction: the decision, the installation, the code and the audit entry are one commit. */
export const allowConsent = async (
  ctx: Ctx,
  { request, ticked, issuer }: { request: string; ticked: readonly Scope[]; issuer: string },
): Promise<string> => {
  const { row, app } = await appOf(await decideConsent(ctx, sha256(request)), (id) => holdRegistered(ctx, id));
  if (ticked.some((scope) => !row.scopes.includes(scope))) throw invalid({ scopes: ["The app did not ask for one of these."] });
  const rest = { state: row.state, issuer };
  if (ticked.length === 0) return redirectTo(row.redirect_uri, refusedByOwner(), rest);
  const code = await allowApp(ctx, {
    app,
    asked: row.scopes,
    ticked: row.scopes.filter((scope) => ticked.includes(scope)),
    redirectUri: row.redirect_uri,
    codeChallenge: row.code_challenge,
  });
  return redirectTo(row.redirect_uri, { code }, rest);
};

export const provenClient = async (ctx: Pick<HouseCtx, "db" | "now">, credentials: Credentials): Promise<Client> => {
  const client = await recogniseClient(ctx, credentials);
  if (!client) throw new OAuthRefusal("invalid_client");
  return client;
};

/** Inside the venue's transaction. A secret is rolled, and an app withdrawn, either before this or after the commit. */
export const provenAgain = async (ctx: Pick<HouseCtx, "db" | "now">, { id }: Client, credentials: Credentials): Promise<void> => {
  await Promise.all([holdRegistered(ctx, id), provenClient(ctx, credentials)]);
};

/** What the grant needs is looked at before anything is looked up (RFC 6749 §4.1.3). */
export const readExchange = (parameters: Parameters) => ({
  code: required(parameters, "code"),
  redirectUri: required(parameters, "redirect_uri"),
  verifier: required(parameters, "code_verifier"),
});

export const readRefresh = (parameters: Parameters): { token: string; scopes: Scope[] | null } => {
  const token = required(parameters, "refresh_token");
  const text = parameters.get("scope");
  const scopes = text === undefined ? null : readScopes(text);
  if (text !== undefined && scopes === null) throw new OAuthRefusal("invalid_scope");
  return { token, scopes };
};

/** Returned, not thrown, until the transaction is committed. Null: there is nothing of the kind for this app. */
export type Outcome = TokenResponse | Refused | { tooWide: true } | null;

export const settle = (outcome: Outcome): TokenResponse => {
  if (outcome === null) throw new OAuthRefusal("invalid_grant");
  if ("tooWide" in outcome) throw new OAuthRefusal("invalid_scope", OAUTH_ERRORS.invalid_scope);
  if ("refused" in outcome) throw new OAuthRefusal("invalid_grant", outcome.refused);
  return outcome;
};

export const exchange = (ctx: Ctx, client: Client, grantId: number, asked: ReturnType<typeof readExchange>): Promise<Outcome> =>
  exchangeCode(ctx, {
    grantId,
    client,
    code: asked.code,
    redirectUri: asked.redirectUri,
    isVerified: (challenge) => isVerifierOf(asked.verifier, challenge),
  });

export const refresh = (ctx: Ctx, client: Client, grantId: number, asked: ReturnType<typeof readRefresh>): Promise<Outcome> =>
  refreshGrant(ctx, { grantId, client, ...asked });
