/** Installations of apps: an owner allows one, a code and refresh tokens give access, and the venue or the app ends it. */
import { ACCESS_TOKEN_SECONDS, type TokenResponse } from "@comanda/contract/oauth.ts";
import type { Scope } from "@comanda/contract/scopes.ts";
import type { Db } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import { apiError } from "#lib/errors.ts";
import { isHashOf, newTokenSecret, randomBase62, readToken, sha256 } from "#lib/token-format.ts";
import { realNow } from "#lib/venue-clock.ts";
import { recordAudit } from "#platform/activity/audit/service.ts";
import { type AppRow, type OAuthClient, readApps } from "#platform/programs/apps/service.ts";
import {
  expireAccessToken,
  insertAccessToken,
  type NewAccessToken,
  narrowInstallationTokens,
  replaceAccessToken,
  revokeAccessTokenRow,
  revokeInstallationTokens,
} from "#platform/programs/tokens/service.ts";
import { alertOwners } from "#platform/sign-in/security-alerts/service.ts";
import { CODE_CHECKS, type GrantFault, type GrantRow, REFRESH_CHECKS } from "./rules/grant-checks.ts";
import {
  CODE_LIFE_MS,
  REFRESH_IDLE_MS,
  readCode,
  readRefreshToken,
  scopesAfter,
  withRotation,
  writeCode,
  writeRefreshToken,
} from "./rules/grant-secrets.ts";
import {
  endGrantRow,
  endInstallation,
  findRestaurantOfGrant,
  insertGrant,
  insertInstallation,
  listInstallationRows,
  listInstallationsOfUser,
  lockGrant,
  lockInstallationOf,
  nextGrantId,
  rotateRefresh,
  updateInstallationAndGrants,
  useCode,
} from "./store.ts";

export { listInstallationsOfUser };

const RANDOM_LENGTH = 40;

export type AppConsent = {
  app: AppRow;
  requested: readonly Scope[];
  granted: readonly Scope[];
  redirectUri: string;
  codeChallenge: string;
};

/** Installs the app, or changes the scopes of its installation. The code is returned once; only its hash is stored. */
export const allowApp = async (ctx: Ctx, { app, requested, granted, redirectUri, codeChallenge }: AppConsent): Promise<string> => {
  const [before, grantId] = await Promise.all([lockInstallationOf(ctx, app.id), nextGrantId(ctx.db)]);
  const scopes = scopesAfter(before?.scopes ?? [], requested, granted);
  const installationId = before ? before.id : await insertInstallation(ctx, app.id, scopes);
  if (before) {
    updateInstallationAndGrants(ctx, before.id, scopes);
    narrowInstallationTokens(ctx, before.id, scopes);
  }
  const code = writeCode(grantId, randomBase62(RANDOM_LENGTH));
  const expiresAt = new Date(realNow(ctx).getTime() + CODE_LIFE_MS);
  insertGrant(ctx, grantId, sha256(code), { installationId, appId: app.id, scopes: [...granted], redirectUri, codeChallenge, expiresAt });
  recordAudit(ctx, {
    action: before ? "app.allowed_again" : "app.installed",
    subject: { kind: "app", id: app.client_id },
    ...(before ? { before: { scopes: before.scopes } } : {}),
    after: { name: app.name, scopes },
  });
  await alertOwners(ctx, { kind: "app.allowed", client: null, about: app.name, by: ctx.actor.name, byEmail: ctx.actor.email ?? null });
  return code;
};

export type GrantLocation = { restaurantId: number; grantId: number };

/** The venue of a code or a refresh token: the caller opens its transaction with it. Null when there is no such grant. */
export const locateCodeGrant = (db: Db, code: string): Promise<GrantLocation | null> => locateGrant(db, readCode(code));
export const locateRefreshGrant = (db: Db, token: string): Promise<GrantLocation | null> =>
  locateGrant(db, readRefreshToken(token)?.grantId ?? null);

const locateGrant = async (db: Db, grantId: number | null): Promise<GrantLocation | null> => {
  const restaurantId = grantId === null ? null : await findRestaurantOfGrant(db, grantId);
  return restaurantId === null || grantId === null ? null : { restaurantId, grantId };
};

const newAccessToken = (now: Date, scopes: Scope[]): { secret: string; row: NewAccessToken } => {
  const secret = newTokenSecret("oauth");
  const expiresAt = new Date(now.getTime() + ACCESS_TOKEN_SECONDS * 1000);
  return { secret, row: { hash: sha256(secret), lastCharacters: secret.slice(-4), scopes, expiresAt } };
};

const tokenResponse = (tokenId: number, secret: string, refreshToken: string, scopes: readonly Scope[]): TokenResponse => ({
  access_token: `${tokenId}|${secret}`,
  token_type: "Bearer",
  expires_in: ACCESS_TOKEN_SECONDS,
  refresh_token: refreshToken,
  scope: scopes.join(" "),
});

/** Errors are returned, not thrown: the transaction must commit what they ended. */
export type InvalidGrant = { invalidGrant: string };
export type InvalidScope = { isInvalidScope: true };

const endGrant = (ctx: Ctx, grant: GrantRow): void => {
  endGrantRow(ctx, grant);
  if (grant.token_id !== null) revokeAccessTokenRow(ctx, grant.token_id);
};

const failGrant = (ctx: Ctx, grant: GrantRow, { description, endsGrant }: GrantFault): InvalidGrant | null => {
  if (endsGrant) endGrant(ctx, grant);
  return description === null ? null : { invalidGrant: description };
};

export type CodeExchange = {
  grantId: number;
  code: string;
  client: OAuthClient;
  redirectUri: string;
  isVerified(challenge: string): boolean;
};

/** RFC 6749 §4.1.3. Only a request that passes every check uses the code. Null both for an unknown code and for another app's. */
export const exchangeCode = async (ctx: Ctx, wanted: CodeExchange): Promise<TokenResponse | InvalidGrant | null> => {
  const grant = await lockGrant(ctx, wanted.grantId);
  if (!grant || !isHashOf(wanted.code, grant.code_hash) || grant.app_id !== wanted.client.id) return null;
  for (const check of CODE_CHECKS) {
    const fault = check(grant, { ...wanted, now: realNow(ctx) });
    if (fault) return failGrant(ctx, grant, fault);
  }
  return issueTokenPair(ctx, grant, wanted.client);
};

const issueTokenPair = async (ctx: Ctx, grant: GrantRow, client: OAuthClient): Promise<TokenResponse> => {
  const { secret, row } = newAccessToken(realNow(ctx), grant.scopes);
  const tokenId = await insertAccessToken(ctx, grant.installation_id, client.name, row);
  const refreshToken = writeRefreshToken(grant.id, grant.generation, randomBase62(RANDOM_LENGTH));
  const refreshExpiresAt = new Date(realNow(ctx).getTime() + REFRESH_IDLE_MS);
  useCode(ctx, grant.id, { tokenId, refreshHash: sha256(refreshToken), refreshExpiresAt });
  return tokenResponse(tokenId, secret, refreshToken, grant.scopes);
};

export type TokenRefresh = { grantId: number; token: string; client: OAuthClient; scopes: readonly Scope[] | null };

/** RFC 6749 §6 with rotation (RFC 9700 §4.14.2). `scopes` narrows the access token only. */
export const refreshGrant = async (ctx: Ctx, wanted: TokenRefresh): Promise<TokenResponse | InvalidGrant | InvalidScope | null> => {
  const grant = await lockGrant(ctx, wanted.grantId);
  const presented = readRefreshToken(wanted.token);
  if (!grant || !presented || grant.app_id !== wanted.client.id) return null;
  for (const check of REFRESH_CHECKS) {
    const fault = check(grant, { token: wanted.token, generation: presented.generation, now: realNow(ctx) });
    if (fault) return failGrant(ctx, grant, fault);
  }
  const { scopes } = wanted;
  if (scopes?.some((scope) => !grant.scopes.includes(scope))) return { isInvalidScope: true };
  return rotateTokenPair(ctx, grant, scopes ? [...scopes] : grant.scopes);
};

const rotateTokenPair = (ctx: Ctx, grant: GrantRow, scopes: Scope[]): TokenResponse | null => {
  if (grant.token_id === null) return null;
  const { secret, row } = newAccessToken(realNow(ctx), scopes);
  const generation = grant.generation + 1;
  const refreshToken = writeRefreshToken(grant.id, generation, randomBase62(RANDOM_LENGTH));
  rotateRefresh(ctx, grant.id, {
    refreshHash: sha256(refreshToken),
    refreshExpiresAt: new Date(realNow(ctx).getTime() + REFRESH_IDLE_MS),
    generation,
    rotations: withRotation(grant.recent_rotations, realNow(ctx)),
  });
  replaceAccessToken(ctx, grant.token_id, row);
  return tokenResponse(grant.token_id, secret, refreshToken, row.scopes);
};

/** RFC 7009 §2.1: the grant ends with its refresh token. A replaced or unknown token, or another app's, changes nothing. */
export const revokeRefreshToken = async (
  ctx: Ctx,
  { grantId, token, client }: { grantId: number; token: string; client: OAuthClient },
): Promise<void> => {
  const grant = await lockGrant(ctx, grantId);
  if (grant && grant.app_id === client.id && isHashOf(token, grant.refresh_hash)) endGrant(ctx, grant);
};

export const revokeAccessToken = (ctx: Ctx, { token, client }: { token: string; client: OAuthClient }): void => {
  const presented = readToken(token);
  if (presented?.kind === "oauth") expireAccessToken(ctx, client.id, { id: presented.id, hash: sha256(presented.secret) });
};

export const uninstallApp = async (ctx: Ctx, id: number): Promise<void> => {
  const removed = await endInstallation(ctx, id);
  if (!removed) throw apiError("not_found");
  revokeInstallationTokens(ctx, id);
  const app = (await readApps(ctx, [removed.app_id])).get(removed.app_id);
  recordAudit(ctx, {
    action: "app.uninstalled",
    subject: { kind: "app", id: app?.client_id ?? removed.app_id },
    before: { name: app?.name ?? "", scopes: removed.scopes },
  });
};

export const listInstallations = async (ctx: Pick<Ctx, "db" | "tenant">) => {
  const rows = await listInstallationRows(ctx);
  const apps = await readApps(
    ctx,
    rows.map(({ app_id }) => app_id),
  );
  return rows.flatMap((row) => {
    const app = apps.get(row.app_id);
    return app ? [{ ...row, app }] : [];
  });
};
