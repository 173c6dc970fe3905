/** Issues, authenticates and revokes bearer tokens. A token's text is shown once. */
import type { Feature, Scope } from "@comanda/contract/scopes.ts";
import type { Db } from "#db/query.ts";
import { isExpired } from "#lib/authorization.ts";
import type { Actor, Ctx } from "#lib/context.ts";
import type { AccountRef } from "#lib/creator.ts";
import { apiError, UserError, validationError } from "#lib/errors.ts";
import { headerValues } from "#lib/headers.ts";
import type { Principal, TokenEnding } from "#lib/principal.ts";
import { isHashOf, newTokenSecret, readToken, sha256, TOKEN_PREFIXES, type TokenKind } from "#lib/token-format.ts";
import { realNow } from "#lib/venue-clock.ts";
import { recordAudit } from "#platform/activity/audit/service.ts";
import { alertOwners } from "#platform/sign-in/security-alerts/service.ts";
import { lockRestaurant } from "#platform/tenants/service.ts";
import {
  countLiveTokens,
  countTokensCreatedBy,
  expireAccessToken,
  expireTokenRow,
  findTokenRecord,
  hasAccessDigest,
  hasDigest,
  insertAccessToken,
  insertToken,
  listTokenRows,
  listTokensCreatedBy,
  type NewAccessToken,
  narrowInstallationTokens,
  replaceAccessToken,
  revokeAccessTokenRow,
  revokeInstallationTokens,
  revokeTokenRow,
  type TokenRecord,
  updateLastUsed,
} from "./store.ts";

const TOUCH_AFTER_MS = 60_000;

const BEARER = /^bearer +([^\s,]+) *$/i;

/** Exactly one bearer token (RFC 6750 §2.1), or nothing. Repeated headers arrive as more than one value. */
export const bearerOf = (rawHeaders: readonly string[]): string | null => {
  const values = headerValues(rawHeaders, "authorization");
  return values.length === 1 ? (BEARER.exec(values[0] ?? "")?.[1] ?? null) : null;
};

/** The token's record if the token is valid now: known, correct in every character, neither revoked nor expired. */
export const authenticateToken = async (db: Db, bearer: string, now: Date): Promise<TokenRecord | null> => {
  const found = await lookUpToken(db, bearer, now, null);
  return typeof found === "string" ? null : found;
};

/**
 * Authenticates, and says how a token that was valid once has ended. Returns `cached` itself, without parsing or comparing anything, while
 * the database still has its digest.
 */
export const lookUpToken = async (
  db: Db,
  bearer: string,
  now: Date,
  cached: TokenRecord | null,
): Promise<TokenRecord | TokenEnding | null> => {
  if (cached && (await hasDigest(db, cached.id, cached.digest))) return isExpired(cached, now) ? expiryOf(cached) : cached;
  const presented = readToken(bearer);
  if (!presented) return null;
  const record = await findTokenRecord(db, presented.id);
  const isCorrect = isHashOf(presented.secret, record?.hash ?? null);
  if (!record || !isCorrect || record.kind !== presented.kind) return null;
  if (record.revoked_at !== null) return "revoked";
  if (isExpired(record, now)) return expiryOf(record);
  // The venue is moving between cells. The client repeats the request when the proxy knows the venue's cell.
  if (record.is_elsewhere) throw apiError("service_unavailable", {}, { "Retry-After": "1" });
  return record;
};

/** An app has a refresh token for a new access token. */
const expiryOf = ({ kind }: TokenRecord): TokenEnding => (kind === "oauth" ? "expired access" : "expired");

export const principalOf = (record: TokenRecord): Principal => ({
  tokenId: record.id,
  appId: record.app_id,
  tenant: {
    id: record.restaurant_id,
    slug: record.slug,
    kind: record.restaurant_kind,
    currency: record.currency,
    zone: record.zone,
    default_language: record.default_language,
    clock_offset_ms: record.clock_offset_ms,
  },
  actor: actorOf(record),
  features: featuresOf(record),
  plan_until: record.plan_until,
  suspended_at: record.suspended_at,
  expires_at: record.expires_at,
  ratePerMinute: record.token_rate ?? record.plan_rate,
  hasFaults: record.has_faults,
  accessDigest: record.access_digest,
  digest: record.digest,
});

const featuresOf = ({ has_reservations, has_reporting }: TokenRecord): Feature[] => [
  ...(has_reservations ? ["reservations" as const] : []),
  ...(has_reporting ? ["reporting" as const] : []),
];

/** Requests of an app are counted per installation, however many tokens it has there (open points D41, D43). */
const actorOf = (record: TokenRecord): Actor => {
  const { id, installation_id, name, scopes } = record;
  const grants = { scopes, features: featuresOf(record) };
  return installation_id === null
    ? { kind: "token", id, name, ...grants, caller: `token:${id}` }
    : { kind: "app", id: installation_id, name, ...grants, caller: `installation:${installation_id}` };
};

/** Whether token, venue and plan are as they were when the token was authenticated. */
export const isPrincipalUnchanged = (db: Db, { tokenId, accessDigest }: Principal): Promise<boolean> =>
  hasAccessDigest(db, tokenId, accessDigest);

/** Allows at most one write per token and minute. */
export const isLastUsedOutdated = ({ last_used_at }: TokenRecord, now: Date): boolean =>
  last_used_at === null || last_used_at.getTime() <= now.getTime() - TOUCH_AFTER_MS;

export const touchLastUsed = (db: Db, record: TokenRecord, now: Date): Promise<unknown> => {
  // The record may be cached.
  record.last_used_at = now;
  return updateLastUsed(db, record, now, new Date(now.getTime() - TOUCH_AFTER_MS));
};

export type TokenToCreate = { kind: TokenKind; name: string; scopes: Scope[]; ratePerMinute: number | null; expiresAt: Date | null };

/** Each token has its own rate limit, so unlimited tokens would mean an unlimited rate. Tokens of apps do not count. */
const LIVE_TOKENS_MAX = 100;

const assertBelowLimit = async (ctx: Ctx): Promise<void> => {
  await lockRestaurant(ctx);
  if ((await countLiveTokens(ctx)) >= LIVE_TOKENS_MAX)
    throw validationError({ name: [`A venue has at most ${LIVE_TOKENS_MAX} active tokens: revoke one first.`] });
};

/** The token is returned once; only its hash is stored. */
export const createToken = async (ctx: Ctx, wanted: TokenToCreate): Promise<{ id: number; token: string }> => {
  // The prefix of a token says whether it belongs to a sandbox (contract §1.8).
  if ((wanted.kind === "sandbox") !== (ctx.tenant.kind === "sandbox"))
    throw new UserError("A sandbox has one token of its own kind. `comanda-admin sandbox token SLUG` creates a new one.");
  if (wanted.kind === "api") await assertBelowLimit(ctx);
  const secret = newTokenSecret(wanted.kind);
  const id = await insertToken(ctx, {
    kind: wanted.kind,
    name: wanted.name,
    hash: sha256(secret),
    last_characters: secret.slice(-4),
    scopes: wanted.scopes,
    rate_per_minute: wanted.ratePerMinute,
    expires_at: wanted.expiresAt,
  });
  recordAudit(ctx, {
    action: "token.created",
    subject: { kind: "token", id },
    after: { name: wanted.name, kind: wanted.kind, scopes: wanted.scopes, expires_at: wanted.expiresAt },
  });
  return { id, token: `${id}|${secret}` };
};

/** A user creates the token, so every owner gets an alert by mail. */
export const createTokenAndAlert = async (ctx: Ctx, wanted: TokenToCreate): Promise<{ id: number; token: string }> => {
  const made = await createToken(ctx, wanted);
  await alertOwners(ctx, { kind: "token.created", client: null, about: wanted.name, by: ctx.actor.name, byEmail: ctx.actor.email ?? null });
  return made;
};

export const revokeToken = async (ctx: Ctx, id: number): Promise<boolean> => {
  const row = await revokeTokenRow(ctx, id);
  if (!row) return false;
  recordAudit(ctx, { action: "token.revoked", subject: { kind: "token", id }, before: { name: row.name } });
  return true;
};

/** Sets an earlier end and returns the token's fields for its replacement. Null for a sandbox's token. */
export const expireToken = async (ctx: Ctx, id: number, endsAt: Date) => {
  const row = await expireTokenRow(ctx, id, endsAt);
  if (!row) return null;
  recordAudit(ctx, { action: "token.rolled", subject: { kind: "token", id }, before: { name: row.name }, after: { expires_at: endsAt } });
  return row;
};

const hintOf = ({ id, kind }: { id: number; kind: string }, lastCharacters: string): string =>
  `${id}|${TOKEN_PREFIXES[kind as TokenKind]}…${lastCharacters}`;

/** Without the secrets, which are not stored. */
export const listTokens = async (ctx: Ctx) => {
  const rows = await listTokenRows(ctx);
  return rows.map(({ last_characters, ...row }) => ({
    ...row,
    hint: hintOf(row, last_characters),
    state: stateOf(row, realNow(ctx)),
  }));
};

const stateOf = (
  { revoked_at, expires_at }: { revoked_at: Date | null; expires_at: Date | null },
  now: Date,
): "active" | "expired" | "revoked" => {
  if (revoked_at) return "revoked";
  return expires_at && expires_at <= now ? "expired" : "active";
};

/** Active tokens that this user created. */
export const listTokensOfUser = async (ctx: Ctx, user: AccountRef) =>
  (await listTokensCreatedBy(ctx, user)).map(({ last_characters, ...row }) => ({ ...row, hint: hintOf(row, last_characters) }));

/** Active tokens that each of these users created, by address. */
export const countTokensOfUsers = async (ctx: Ctx, users: readonly AccountRef[]): Promise<Map<string, number>> =>
  new Map((await countTokensCreatedBy(ctx, users)).map(({ email, count }) => [email, count]));

/** Access tokens of apps are changed by their installation only. */
export {
  expireAccessToken,
  insertAccessToken,
  type NewAccessToken,
  narrowInstallationTokens,
  replaceAccessToken,
  revokeAccessTokenRow,
  revokeInstallationTokens,
};
