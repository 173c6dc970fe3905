import type { Scope } from "@comanda/contract/scopes.ts";
import { sql } from "kysely";
import { ASKED_ACCOUNT, askedAccounts, createdBy } from "#db/created-by.ts";
import { builder, type Db, first, oneRow, precompiled } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import { type AccountRef, creatorColumns } from "#lib/creator.ts";
import type { TokenKind } from "#lib/token-format.ts";
import { realNow } from "#lib/venue-clock.ts";

export type TokenRecord = {
  id: number;
  kind: TokenKind;
  name: string;
  hash: Buffer;
  scopes: Scope[];
  token_rate: number | null;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  /** Set for an app's token. */
  installation_id: number | null;
  restaurant_id: number;
  slug: string;
  restaurant_kind: "live" | "sandbox";
  currency: string;
  zone: string;
  default_language: string;
  plan: string;
  plan_until: Date | null;
  suspended_at: Date | null;
  has_reservations: boolean;
  has_reporting: boolean;
  plan_rate: number | null;
  /** The venue is in another cell, or is just moving to this one. */
  is_elsewhere: boolean;
  /** Set for an app's token. */
  app_id: number | null;
  clock_offset_ms: number;
  has_faults: boolean;
  /** All of the above except `last_used_at`, as PostgreSQL writes a row. */
  digest: string;
  /** The digest without the clock and the faults of a sandbox. A write is checked by it. */
  access_digest: string;
};

/** Everything that decides what a token may do. `last_used_at` does not, and changes once a minute. */
const ACCESS_COLUMNS = sql.raw(`id, kind, name, hash, scopes, token_rate, expires_at, revoked_at, installation_id, restaurant_id, slug,
  restaurant_kind, currency, zone, default_language, plan, plan_until, suspended_at, has_reservations, has_reporting, plan_rate, is_elsewhere, app_id`);
/** What a program changes in its sandbox, as often as it likes. */
const SANDBOX_COLUMNS = sql.raw("clock_offset_ms, has_faults");
const DIGEST = sql`row(${ACCESS_COLUMNS}, ${SANDBOX_COLUMNS})::text as digest`;
const ACCESS_DIGEST = sql`row(${ACCESS_COLUMNS})::text as access_digest`;

/** Token, restaurant and plan in one lookup by primary key, so a revocation takes effect with the next request. */
const RECORD_BY_ID = precompiled(
  (tokenId: number) =>
    sql<TokenRecord>`select ${ACCESS_COLUMNS}, ${SANDBOX_COLUMNS}, last_used_at, ${DIGEST}, ${ACCESS_DIGEST} from authenticate(${tokenId}::bigint)`,
);

/** Looks the token up as one text: a change is seen without parsing two dozen columns. */
const DIGEST_BY_ID = precompiled((tokenId: number) => sql<{ digest: string }>`select ${DIGEST} from authenticate(${tokenId}::bigint)`);

/**
 * A write is checked by this digest: a fault that was ordered or taken meanwhile does not concern it, and the clock is read under the
 * sandbox's lock.
 */
const ACCESS_DIGEST_BY_ID = precompiled(
  (tokenId: number) => sql<{ access_digest: string }>`select ${ACCESS_DIGEST} from authenticate(${tokenId}::bigint)`,
);

export const findTokenRecord = (db: Db, tokenId: number): Promise<TokenRecord | undefined> => first(db.query(RECORD_BY_ID(tokenId)));

export const hasDigest = async (db: Db, tokenId: number, digest: string): Promise<boolean> =>
  (await first(db.query(DIGEST_BY_ID(tokenId))))?.digest === digest;

export const hasAccessDigest = async (db: Db, tokenId: number, digest: string): Promise<boolean> =>
  (await first(db.query(ACCESS_DIGEST_BY_ID(tokenId))))?.access_digest === digest;

/** Concurrent requests match the row once: the first one writes. */
export const updateLastUsed = (db: Db, { id, restaurant_id }: TokenRecord, now: Date, usedBefore: Date): Promise<unknown> =>
  db.query(
    builder
      .updateTable("tokens")
      .set({ last_used_at: now })
      .where("restaurant_id", "=", restaurant_id)
      .where("id", "=", id)
      .where((is) => is.or([is("last_used_at", "is", null), is("last_used_at", "<=", usedBefore)])),
  );

export const countLiveTokens = async (ctx: Ctx): Promise<number> => {
  const { count } = await oneRow(
    ctx.db.query(
      sql<{ count: number }>`select count(*)::integer from tokens
        where restaurant_id = ${ctx.tenant.id} and kind = 'api' and revoked_at is null and (expires_at is null or expires_at > ${realNow(ctx)})`,
    ),
  );
  return count;
};

export type NewTokenRow = {
  kind: TokenKind;
  name: string;
  hash: Buffer;
  last_characters: string;
  scopes: Scope[];
  rate_per_minute: number | null;
  expires_at: Date | null;
};

export const insertToken = async (ctx: Ctx, row: NewTokenRow): Promise<number> => {
  const { id } = await oneRow(
    ctx.db.query(
      builder
        .insertInto("tokens")
        .values({ restaurant_id: ctx.tenant.id, ...creatorColumns(ctx.actor), created_at: realNow(ctx), ...row })
        .returning("id"),
    ),
  );
  return id;
};

/** Undefined when there is no such active token. Tokens of apps end with their installation. */
export const revokeTokenRow = (ctx: Ctx, id: number): Promise<{ name: string } | undefined> =>
  first(
    ctx.db.query(
      builder
        .updateTable("tokens")
        .set({ revoked_at: realNow(ctx) })
        .where("restaurant_id", "=", ctx.tenant.id)
        .where("id", "=", id)
        .where("kind", "<>", "oauth")
        .where("revoked_at", "is", null)
        .returning("name"),
    ),
  );

type ExpiredToken = { name: string; scopes: Scope[]; rate_per_minute: number | null; expires_at: Date | null };

/** Returns the values before the change. Undefined when there is no such active token. */
export const expireTokenRow = (ctx: Ctx, id: number, endsAt: Date): Promise<ExpiredToken | undefined> =>
  first(
    ctx.db.query(sql<ExpiredToken>`
      with old as (
        select id, name, scopes, rate_per_minute, expires_at from tokens
        where restaurant_id = ${ctx.tenant.id} and id = ${id} and kind = 'api' and revoked_at is null
          and (expires_at is null or expires_at > ${realNow(ctx)}) for update
      )
      update tokens t set expires_at = least(t.expires_at, ${endsAt}) from old where t.restaurant_id = ${ctx.tenant.id} and t.id = old.id
      returning old.name, old.scopes, old.rate_per_minute, old.expires_at`),
  );

export const listTokenRows = (ctx: Ctx) =>
  ctx.db.query(
    builder
      .selectFrom("tokens")
      .select([
        "id",
        "kind",
        "name",
        "last_characters",
        "scopes",
        "rate_per_minute",
        "expires_at",
        "revoked_at",
        "last_used_at",
        "created_by",
        "created_by_email",
        "created_at",
      ])
      .where("restaurant_id", "=", ctx.tenant.id)
      .where("kind", "<>", "oauth")
      .orderBy("id"),
  );

export type UserTokenRow = {
  id: number;
  kind: TokenKind;
  name: string;
  last_characters: string;
  last_used_at: Date | null;
  expires_at: Date | null;
};

/** Active tokens of this user, without tokens of apps, which end with their installation. */
export const listTokensCreatedBy = (ctx: Ctx, user: AccountRef): Promise<UserTokenRow[]> =>
  ctx.db.query(sql<UserTokenRow>`
    select id, kind, name, last_characters, last_used_at, expires_at from tokens t
    where t.restaurant_id = ${ctx.tenant.id} and t.kind <> 'oauth' and t.revoked_at is null and (t.expires_at is null or t.expires_at > ${realNow(ctx)})
      and ${createdBy(user, { columns: "t.created_by", action: "token.created", subject: sql`t.id::text` })} order by id`);

/** Users who made no token are left out. */
export const countTokensCreatedBy = (ctx: Ctx, users: readonly AccountRef[]): Promise<{ email: string; count: number }[]> =>
  ctx.db.query(sql<{ email: string; count: number }>`
    select asked.email, count(*)::integer as count from tokens t join ${askedAccounts(users)}
      on ${createdBy(ASKED_ACCOUNT, { columns: "t.created_by", action: "token.created", subject: sql`t.id::text` })}
    where t.restaurant_id = ${ctx.tenant.id} and t.kind <> 'oauth' and t.revoked_at is null and (t.expires_at is null or t.expires_at > ${realNow(ctx)})
    group by asked.email`);

export type NewAccessToken = { hash: Buffer; lastCharacters: string; scopes: Scope[]; expiresAt: Date };

export const insertAccessToken = async (ctx: Ctx, installationId: number, appName: string, token: NewAccessToken): Promise<number> =>
  (
    await oneRow(
      ctx.db.query(sql<{ id: number }>`
        insert into tokens (restaurant_id, kind, name, hash, last_characters, scopes, expires_at, created_by, created_by_user_id,
          created_by_email, created_at, installation_id)
        select ${ctx.tenant.id}, 'oauth', ${appName}, ${token.hash}, ${token.lastCharacters}, ${token.scopes}, ${token.expiresAt},
          i.granted_by, i.granted_by_user_id, i.granted_by_email, ${realNow(ctx)}, i.id
        from installations i where i.restaurant_id = ${ctx.tenant.id} and i.id = ${installationId} returning id`),
    )
  ).id;

/** Replaces the secret in the same row, so the previous one is rejected from the next request on. */
export const replaceAccessToken = (ctx: Ctx, tokenId: number, token: NewAccessToken): void =>
  ctx.db.defer(sql`
    update tokens set hash = ${token.hash}, last_characters = ${token.lastCharacters}, scopes = ${token.scopes}, expires_at = ${token.expiresAt}
    where restaurant_id = ${ctx.tenant.id} and id = ${tokenId} and kind = 'oauth' and revoked_at is null`);

/** Ends one access token of this app; its grant can still be refreshed. `epoch` is past by any clock. */
export const expireAccessToken = (ctx: Ctx, appId: number, token: { id: number; hash: Buffer }): void =>
  ctx.db.defer(sql`
    update tokens t set expires_at = 'epoch' from installations i
    where t.restaurant_id = ${ctx.tenant.id} and t.id = ${token.id} and t.kind = 'oauth' and t.hash = ${token.hash} and t.expires_at > ${realNow(ctx)}
      and i.restaurant_id = t.restaurant_id and i.id = t.installation_id and i.app_id = ${appId}`);

export const revokeAccessTokenRow = (ctx: Ctx, tokenId: number): void =>
  ctx.db.defer(sql`update tokens set revoked_at = ${realNow(ctx)}
    where restaurant_id = ${ctx.tenant.id} and id = ${tokenId} and revoked_at is null`);

export const revokeInstallationTokens = (ctx: Ctx, installationId: number): void =>
  ctx.db.defer(sql`update tokens set revoked_at = ${realNow(ctx)}
    where restaurant_id = ${ctx.tenant.id} and installation_id = ${installationId} and revoked_at is null`);

/** Removes scopes that the installation no longer has. */
export const narrowInstallationTokens = (ctx: Ctx, installationId: number, scopes: Scope[]): void =>
  ctx.db.defer(sql`update tokens set scopes = array(select unnest(scopes) intersect select unnest(${scopes}::text[]) order by 1)
    where restaurant_id = ${ctx.tenant.id} and installation_id = ${installationId} and not scopes <@ ${scopes}::text[]`);
