/** Every bearer token: issued here, shown once, recognised here, revoked here. */
import type { Scope } from "@comanda/contract/scopes.ts";
import type { Db } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import { fail, invalid, Misuse } from "#lib/errors.ts";
import { headerValues } from "#lib/headers.ts";
import type { Person } from "#lib/maker.ts";
import { isHashOf, newTokenSecret, readToken, sha256, TOKEN_PREFIXES, type TokenKind } from "#lib/secrets.ts";
import { alertOwners } from "#platform/alerts/service.ts";
import { recordAudit } from "#platform/audit/service.ts";
import {
  countLiveTokens,
  endTokenRow,
  findHolder,
  insertToken,
  isStillTold,
  listTokenRows,
  listTokensMadeBy,
  revokeTokenRow,
  type TokenHolder,
  touchToken,
} from "./store.ts";

const TOUCH_AFTER_MS = 60_000;

const BEARER = /^bearer +([^\s,]+) *$/i;

/** Exactly one bearer token (RFC 6750 §2.1), or nothing. Repeated headers arrive as more than one value. */
export const bearerOf = (rawHeaders: readonly string[]): string | null => {
  const values = headerValues(rawHeaders, "authorization");
  return values.length === 1 ? (BEARER.exec(values[0] ?? "")?.[1] ?? null) : null;
};

/**
 * Who holds this token, if it is good now: known, right in every character, neither revoked nor expired. `before` is who was found
 * by the very same characters the last time: while the database says the same of them, nothing needs to be read or compared again.
 */
export const recogniseToken = async (db: Db, bearer: string, now: Date, before: TokenHolder | null): Promise<TokenHolder | null> => {
  if (before && (await isStillTold(db, before))) return isExpired(before, now) ? null : before;
  const presented = readToken(bearer);
  if (!presented) return null;
  const holder = await findHolder(db, presented.id);
  const isRight = isHashOf(presented.secret, holder?.hash ?? null);
  if (!holder || !isRight || holder.kind !== presented.kind || holder.revoked_at !== null) return null;
  if (isExpired(holder, now)) return null;
  // The proxy is about to learn of the venue's new cell, or the venue is about to open here: the client tries again.
  if (holder.is_elsewhere) throw fail("service_unavailable", {}, { "Retry-After": "1" });
  return holder;
};

export const isExpired = ({ expires_at }: TokenHolder, now: Date): boolean => expires_at !== null && expires_at <= now;

/** Whether token, venue and plan are as they were when the token was recognised. Expiry is a question of the clock alone. */
export const isUnchanged = (db: Db, holder: TokenHolder): Promise<boolean> => isStillTold(db, holder);

/** At most one write a minute and token. */
export const isUseWorthNoting = ({ last_used_at }: TokenHolder, now: Date): boolean =>
  last_used_at === null || last_used_at.getTime() <= now.getTime() - TOUCH_AFTER_MS;

export const noteUse = (db: Db, holder: TokenHolder, now: Date): Promise<unknown> => {
  // Whoever keeps the holder need not look it up again to know that this was done.
  holder.last_used_at = now;
  return touchToken(db, holder, now, new Date(now.getTime() - TOUCH_AFTER_MS));
};

export type NewToken = { kind: TokenKind; name: string; scopes: Scope[]; ratePerMinute: number | null; expiresAt: Date | null };

/** Each token has a rate of its own, so an endless number of them would be an endless rate. Apps' tokens are not counted. */
const LIVE_TOKENS_MAX = 100;

/** The text of the token is returned here and nowhere else; only its hash is kept. */
export const createToken = async (ctx: Ctx, wanted: NewToken): Promise<{ id: number; token: string }> => {
  // The text of a token says whether it can reach a live restaurant (contract §1.8).
  if ((wanted.kind === "sandbox") !== (ctx.tenant.kind === "sandbox"))
    throw new Misuse("A sandbox has one token, of a kind of its own. `comanda sandbox token SLUG` gives a new one.");
  if (wanted.kind === "api" && (await countLiveTokens(ctx)) >= LIVE_TOKENS_MAX)
    throw invalid({ name: [`A venue has at most ${LIVE_TOKENS_MAX} tokens that work: revoke one first.`] });
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

/** For tokens that people make: every owner is told by mail. */
export const createTokenAndAlert = async (ctx: Ctx, wanted: NewToken): Promise<{ id: number; token: string }> => {
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

/** Ends at that moment instead of its own; what it was is given back, for the one that takes its place. Not for a sandbox's. */
export const retireToken = async (ctx: Ctx, id: number, endsAt: Date) => {
  const row = await endTokenRow(ctx, id, endsAt);
  if (!row) return null;
  recordAudit(ctx, { action: "token.rolled", subject: { kind: "token", id }, before: { name: row.name }, after: { expires_at: endsAt } });
  return row;
};

const hintOf = ({ id, kind }: { id: number; kind: string }, lastCharacters: string): string =>
  `${id}|${TOKEN_PREFIXES[kind as TokenKind]}…${lastCharacters}`;

/** What may be shown of a token after its creation: never the secret. */
export const listTokens = async (ctx: Ctx) => {
  const rows = await listTokenRows(ctx);
  return rows.map(({ last_characters, ...row }) => ({
    ...row,
    hint: hintOf(row, last_characters),
    state: stateOf(row, ctx.now),
  }));
};

const stateOf = (
  { revoked_at, expires_at }: { revoked_at: Date | null; expires_at: Date | null },
  now: Date,
): "active" | "expired" | "revoked" => {
  if (revoked_at) return "revoked";
  return expires_at && expires_at <= now ? "expired" : "active";
};

/** What still works of what this person made. */
export const listTokensBy = async (ctx: Ctx, person: Person) =>
  (await listTokensMadeBy(ctx, person)).map(({ last_characters, ...row }) => ({ ...row, hint: hintOf(row, last_characters) }));
