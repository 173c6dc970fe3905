/** OAuth from the app's request to the owner's decision, and from the code to tokens. */
import { OAUTH_ERRORS, type TokenResponse } from "@comanda/contract/oauth.ts";
import { sandboxSlugOf } from "@comanda/contract/sandbox/sandbox-slug.ts";
import type { Feature, Scope } from "@comanda/contract/scopes.ts";
import type { Ctx, GlobalContext } from "#lib/context.ts";
import { OAuthError, validationError } from "#lib/errors.ts";
import type { Received } from "#lib/oauth-parameters.ts";
import { randomBase62, sha256 } from "#lib/token-format.ts";
import { realNow } from "#lib/venue-clock.ts";
import {
  type AppRow,
  cardOf,
  findClientBySecret,
  findRegisteredApp,
  lockAppShared,
  type OAuthClient,
  readApps,
} from "#platform/programs/apps/service.ts";
import { allowApp, exchangeCode, type InvalidGrant, type InvalidScope, refreshGrant } from "#platform/programs/installations/service.ts";
import {
  AuthorizeError,
  matchRedirectUri,
  type RequestedAuthorization,
  redirectTo,
  requireClientAndRedirectUri,
  requireRegisteredClient,
  scopesWithout,
} from "./rules/authorization-request.ts";
import { type CodeRequest, type Credentials, isVerifierOf, type RefreshRequest } from "./rules/token-request.ts";
import { type ConsentRow, decideConsent, findOpenConsent, insertConsent, listConsentVenues } from "./store.ts";

/** Long enough to sign in with a second factor, or to set a new password by mail first. */
const CONSENT_LIFE_MS = 30 * 60 * 1000;
const CONSENT_NAME_LENGTH = 43;

export type RequestingApp = { app: AppRow; redirectUri: string };

/** RFC 6749 §4.1.2.1: the browser is redirected only when client and address are right. */
export const findRequestingApp = async (ctx: Pick<GlobalContext, "db">, received: Received): Promise<RequestingApp> => {
  const { clientId, redirectUri } = requireClientAndRedirectUri(received);
  const app = requireRegisteredClient(await findRegisteredApp(ctx, clientId));
  matchRedirectUri(app, redirectUri);
  return { app, redirectUri };
};

/** Stores the request under a random name. The name is valid for one decision. */
export const createConsent = (ctx: GlobalContext, { app, redirectUri }: RequestingApp, requested: RequestedAuthorization): string => {
  const name = randomBase62(CONSENT_NAME_LENGTH);
  insertConsent(ctx, sha256(name), {
    app_id: app.id,
    redirect_uri: redirectUri,
    scopes: requested.scopes,
    state: requested.state,
    code_challenge: requested.codeChallenge,
    expires_at: new Date(realNow(ctx).getTime() + CONSENT_LIFE_MS),
  });
  return name;
};

const CONSENT_INVALID = "This request was decided before, or its time is over. Go back to the app and start again.";

/** The app may have been changed or withdrawn since the request: its address and its scopes are checked again. */
const isStillRegistered = (row: ConsentRow, app: AppRow): boolean =>
  app.withdrawn_at === null && app.redirect_uris.includes(row.redirect_uri) && row.scopes.every((scope) => app.scopes.includes(scope));

type FindApp = (id: number) => Promise<AppRow | undefined>;

const requireConsentApp = async (row: ConsentRow | undefined, findApp: FindApp): Promise<{ row: ConsentRow; app: AppRow }> => {
  const app = row && (await findApp(row.app_id));
  if (!row || !app || !isStillRegistered(row, app)) throw validationError({ request: [CONSENT_INVALID] });
  return { row, app };
};

const appReader =
  (ctx: Pick<GlobalContext, "db">): FindApp =>
  async (id) =>
    (await readApps(ctx, [id])).get(id);

export const readConsent = async (ctx: Pick<GlobalContext, "db" | "now">, name: string, email: string) => {
  const { row, app } = await requireConsentApp(await findOpenConsent(ctx, sha256(name)), appReader(ctx));
  const venues = await listConsentVenues(ctx, email, app.id);
  return {
    app: cardOf(app),
    scopes: row.scopes,
    redirect_host: new URL(row.redirect_uri).host,
    expires_at: row.expires_at,
    venues: venues.map(({ slug, name, role, granted, has_reservations, has_reporting, has_sandbox, granted_in_sandbox }) => {
      const features: Feature[] = [
        ...(has_reservations ? ["reservations" as const] : []),
        ...(has_reporting ? ["reporting" as const] : []),
      ];
      const sandbox = has_sandbox ? { slug: sandboxSlugOf(slug), granted: granted_in_sandbox } : null;
      return { slug, name, is_owner: role === "owner", granted, plan_lacks: scopesWithout(row.scopes, features), sandbox };
    }),
  };
};

export const denyConsent = async (ctx: GlobalContext, name: string, issuer: string): Promise<string> => {
  const { row } = await requireConsentApp(await decideConsent(ctx, sha256(name)), appReader(ctx));
  return redirectTo(row.redirect_uri, accessDenied(), { state: row.state, issuer });
};

const accessDenied = () => new AuthorizeError("access_denied", "The owner did not allow it.");

/** Runs in the venue's transaction: the decision, the installation, the code and the audit entry are one commit. */
export const allowConsent = async (
  ctx: Ctx,
  { request, granted, issuer }: { request: string; granted: readonly Scope[]; issuer: string },
): Promise<string> => {
  const { row, app } = await requireConsentApp(await decideConsent(ctx, sha256(request)), (id) => lockAppShared(ctx, id));
  if (granted.some((scope) => !row.scopes.includes(scope))) throw validationError({ scopes: ["The app did not ask for one of these."] });
  const rest = { state: row.state, issuer };
  if (granted.length === 0) return redirectTo(row.redirect_uri, accessDenied(), rest);
  const code = await allowApp(ctx, {
    app,
    requested: row.scopes,
    granted: row.scopes.filter((scope) => granted.includes(scope)),
    redirectUri: row.redirect_uri,
    codeChallenge: row.code_challenge,
  });
  return redirectTo(row.redirect_uri, { code }, rest);
};

export const authenticateClient = async (ctx: Pick<GlobalContext, "db" | "now">, credentials: Credentials): Promise<OAuthClient> => {
  const client = await findClientBySecret(ctx, credentials);
  if (!client) throw new OAuthError("invalid_client");
  return client;
};

/** Runs in the venue's transaction. The lock makes a new secret or a withdrawal of the app wait for the commit, or fail this check. */
export const reauthenticateClient = async (
  ctx: Pick<GlobalContext, "db" | "now">,
  { id }: OAuthClient,
  credentials: Credentials,
): Promise<void> => {
  await Promise.all([lockAppShared(ctx, id), authenticateClient(ctx, credentials)]);
};

/** Errors are returned until the transaction is committed, because they may end a grant. Null: this app has no such grant. */
export type TokenOutcome = TokenResponse | InvalidGrant | InvalidScope | null;

export const unwrapTokenResponse = (outcome: TokenOutcome): TokenResponse => {
  if (outcome === null) throw new OAuthError("invalid_grant");
  if ("isInvalidScope" in outcome) throw new OAuthError("invalid_scope", OAUTH_ERRORS.invalid_scope);
  if ("invalidGrant" in outcome) throw new OAuthError("invalid_grant", outcome.invalidGrant);
  return outcome;
};

export const exchange = (ctx: Ctx, client: OAuthClient, grantId: number, request: CodeRequest): Promise<TokenOutcome> =>
  exchangeCode(ctx, {
    grantId,
    client,
    code: request.code,
    redirectUri: request.redirectUri,
    isVerified: (challenge) => isVerifierOf(request.verifier, challenge),
  });

export const refresh = (ctx: Ctx, client: OAuthClient, grantId: number, request: RefreshRequest): Promise<TokenOutcome> =>
  refreshGrant(ctx, { grantId, client, ...request });
