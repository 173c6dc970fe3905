/** What a venue lets an app do: allowed by an owner, taken up with a code, kept alive by refreshing, ended by either side. */
import { ACCESS_TOKEN_SECONDS, type TokenResponse } from "@comanda/contract/oauth.ts";
import type { Scope } from "@comanda/contract/scopes.ts";
import type { Db } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import { fail } from "#lib/errors.ts";
import type { Person } from "#lib/maker.ts";
import { isHashOf, newTokenSecret, randomBase62, readToken, sha256 } from "#lib/secrets.ts";
import { alertOwners } from "#platform/alerts/service.ts";
import { type AppRow, type Client, readApps } from "#platform/apps/service.ts";
import { recordAudit } from "#platform/audit/service.ts";
import {
  CODE_LIFE_MS,
  isLateRetry,
  REFRESH_IDLE_MS,
  readCode,
  readRefreshToken,
  scopesAfter,
  withRotation,
  writeCode,
  writeRefreshToken,
} from "./rules.ts";
import {
  type AccessToken,
  endGrant,
  expireAccessToken,
  findRestaurantOfGrant,
  type GrantRow,
  insertAccessToken,
  insertGrant,
  insertInstallation,
  listInstallationRows,
  listInstallationsBy,
  lockGrant,
  lockInstallationOf,
  nextGrantId,
  replaceAccessToken,
  rotateRefresh,
  uninstall,
  updateInstallation,
  useCode,
} from "./store.ts";

const RANDOM_LENGTH = 40;

export type Allowed = { app: AppRow; asked: readonly Scope[]; ticked: readonly Scope[]; redirectUri: string; codeChallenge: string };

/** Installs the app, or widens and narrows what it has here; the code is returned here and nowhere else. */
export const allowApp = async (ctx: Ctx, { app, asked, ticked, redirectUri, codeChallenge }: Allowed): Promise<string> => {
  const [before, grantId] = await Promise.all([lockInstallationOf(ctx, app.id), nextGrantId(ctx.db)]);
  const scopes = scopesAfter(before?.scopes ?? [], asked, ticked);
  const installationId = before ? before.id : await insertInstallation(ctx, app.id, scopes);
  if (before) updateInstallation(ctx, before.id, scopes);
  const code = writeCode(grantId, randomBase62(RANDOM_LENGTH));
  const expiresAt = new Date(ctx.now.getTime() + CODE_LIFE_MS);
  insertGrant(ctx, grantId, sha256(code), { installationId, appId: app.id, scopes: [...ticked], redirectUri, codeChallenge, expiresAt });
  recordAudit(ctx, {
    action: before ? "app.allowed_again" : "app.installed",
    subject: { kind: "app", id: app.client_id },
    ...(before ? { before: { scopes: before.scopes } } : {}),
    after: { name: app.name, scopes },
  });
  await alertOwners(ctx, { kind: "app.allowed", client: null, about: app.name, by: ctx.actor.name, byEmail: ctx.actor.email ?? null });
  return code;
};

export type PlaceOfGrant = { restaurantId: number; grantId: number };

/** Which venue a code belongs to, before a transaction for it can be opened. */
export const placeOfCode = (db: Db, code: string): Promise<PlaceOfGrant | null> => placeOf(db, readCode(code));
export const placeOfRefresh = (db: Db, token: string): Promise<PlaceOfGrant | null> =>
  placeOf(db, readRefreshToken(token)?.grantId ?? null);

const placeOf = async (db: Db, grantId: number | null): Promise<PlaceOfGrant | null> => {
  const restaurantId = grantId === null ? null : await findRestaurantOfGrant(db, grantId);
  return restaurantId === null || grantId === null ? null : { restaurantId, grantId };
};

const newAccessToken = (now: Date, scopes: Scope[]): { secret: string; row: AccessToken } => {
  const secret = newTokenSecret("oauth");
  const expiresAt = new Date(now.getTime() + ACCESS_TOKEN_SECONDS * 1000);
  return { secret, row: { hash: sha256(secret), lastCharacters: secret.slice(-4), scopes, expiresAt } };
};

const answer = (tokenId: number, secret: string, refreshToken: string, scopes: readonly Scope[]): TokenResponse => ({
  access_token: `${tokenId}|${secret}`,
  token_type: "Bearer",
  expires_in: ACCESS_TOKEN_SECONDS,
  refresh_token: refreshToken,
  scope: scopes.join(" "),
});

const TAKEN_BACK = "The owner has taken back all that was granted with it.";

/** A refusal is a value, not an exception: what it ended must be committed. */
export type Refused = { refused: string };

export type Exchange = { grantId: number; code: string; client: Client; redirectUri: string; isVerified(challenge: string): boolean };

/**
 * RFC 6749 §4.1.3 and RFC 7636 §4.6, check by check. Only a request that is right in every part can spend a code. Null for what is
 * another app's as for what is nobody's.
 */
export const exchangeCode = async (ctx: Ctx, wanted: Exchange): Promise<TokenResponse | Refused | null> => {
  const grant = await lockGrant(ctx, wanted.grantId);
  if (!grant || !isHashOf(wanted.code, grant.code_hash) || grant.app_id !== wanted.client.id) return null;
  if (grant.redirect_uri !== wanted.redirectUri) return { refused: "redirect_uri is not the one of the authorization request." };
  if (!wanted.isVerified(grant.code_challenge)) return { refused: "code_verifier does not match the code_challenge." };
  if (grant.code_used_at !== null) {
    endGrant(ctx, grant);
    return { refused: "The code was used before; the tokens it gave are ended." };
  }
  if (grant.ended_at !== null) return { refused: "The app was uninstalled." };
  if (grant.code_expires_at <= ctx.now) return { refused: "The code is expired." };
  if (grant.scopes.length === 0) return { refused: TAKEN_BACK };
  return openFamily(ctx, grant, wanted.client);
};

const openFamily = async (ctx: Ctx, grant: GrantRow, client: Client): Promise<TokenResponse> => {
  const { secret, row } = newAccessToken(ctx.now, grant.scopes);
  const tokenId = await insertAccessToken(ctx, grant, client.name, row);
  const refreshToken = writeRefreshToken(grant.id, grant.generation, randomBase62(RANDOM_LENGTH));
  const refreshExpiresAt = new Date(ctx.now.getTime() + REFRESH_IDLE_MS);
  useCode(ctx, grant.id, { tokenId, refreshHash: sha256(refreshToken), refreshExpiresAt });
  return answer(tokenId, secret, refreshToken, grant.scopes);
};

export type Refresh = { grantId: number; token: string; client: Client; scopes: readonly Scope[] | null };

/** RFC 6749 §6 with rotation (RFC 9700 §4.14.2). `scopes` narrows the access token alone. */
export const refreshGrant = async (ctx: Ctx, wanted: Refresh): Promise<TokenResponse | Refused | { tooWide: true } | null> => {
  const grant = await lockGrant(ctx, wanted.grantId);
  const presented = readRefreshToken(wanted.token);
  if (!grant || !presented || grant.app_id !== wanted.client.id) return null;
  if (grant.ended_at !== null || grant.token_id === null) return { refused: "The grant has ended." };
  if (!isHashOf(wanted.token, grant.refresh_hash)) return refuseSpent(ctx, grant, presented.generation);
  if (grant.refresh_expires_at === null || grant.refresh_expires_at <= ctx.now) return { refused: "The refresh token is expired." };
  if (grant.scopes.length === 0) return { refused: TAKEN_BACK };
  const { scopes } = wanted;
  if (scopes?.some((scope) => !grant.scopes.includes(scope))) return { tooWide: true };
  const { secret, row } = newAccessToken(ctx.now, scopes ? [...scopes] : grant.scopes);
  const generation = grant.generation + 1;
  const refreshToken = writeRefreshToken(grant.id, generation, randomBase62(RANDOM_LENGTH));
  rotateRefresh(ctx, grant.id, {
    refreshHash: sha256(refreshToken),
    refreshExpiresAt: new Date(ctx.now.getTime() + REFRESH_IDLE_MS),
    generation,
    rotations: withRotation(grant.recent_rotations, ctx.now),
  });
  replaceAccessToken(ctx, grant.token_id, row);
  return answer(grant.token_id, secret, refreshToken, row.scopes);
};

/** Only the app itself gets this far, so it is either late or somebody else has what it had. */
const refuseSpent = (ctx: Ctx, grant: GrantRow, generation: number): Refused | null => {
  if (generation >= grant.generation) return null;
  if (isLateRetry({ generation: grant.generation, recent: grant.recent_rotations }, generation, ctx.now))
    return { refused: "The refresh token was replaced a moment ago." };
  endGrant(ctx, grant);
  return { refused: "The refresh token was used before; everything it led to is ended." };
};

/** RFC 7009 §2.1: the grant ends with its refresh token. Nothing happens for what is spent, unknown or another app's. */
export const revokeRefresh = async (
  ctx: Ctx,
  { grantId, token, client }: { grantId: number; token: string; client: Client },
): Promise<void> => {
  const grant = await lockGrant(ctx, grantId);
  if (grant && grant.app_id === client.id && isHashOf(token, grant.refresh_hash)) endGrant(ctx, grant);
};

export const revokeAccess = (ctx: Ctx, { token, client }: { token: string; client: Client }): void => {
  const presented = readToken(token);
  if (presented?.kind === "oauth") expireAccessToken(ctx, client.id, { id: presented.id, hash: sha256(presented.secret) });
};

export const uninstallApp = async (ctx: Ctx, id: number): Promise<void> => {
  const gone = await uninstall(ctx, id);
  if (!gone) throw fail("not_found");
  const app = (await readApps(ctx, [gone.app_id])).get(gone.app_id);
  recordAudit(ctx, {
    action: "app.uninstalled",
    subject: { kind: "app", id: app?.client_id ?? gone.app_id },
    before: { name: app?.name ?? "", scopes: gone.scopes },
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

/** Apps that this person let in, or made. */
export const listAppsBy = (ctx: Ctx, person: Person): Promise<{ id: number; client_id: string; name: string }[]> =>
  listInstallationsBy(ctx, person);
