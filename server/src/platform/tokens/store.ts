import type { Scope } from "@comanda/contract/scopes.ts";
import { sql } from "kysely";
import { madeBy } from "#db/made-by.ts";
import { type Db, first, only, q, standing } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import { makerOf, type Person } from "#lib/maker.ts";
import type { TokenKind } from "#lib/secrets.ts";

export type TokenHolder = {
  id: number;
  kind: TokenKind;
  name: string;
  hash: Buffer;
  scopes: Scope[];
  token_rate: number | null;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  /** Of an app's token. */
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
  /** Its venue lives in another cell, or has not quite arrived. */
  is_elsewhere: boolean;
  /** Of an app's token. */
  app_id: number | null;
  /** All of the above but the last use, as PostgreSQL writes a row. */
  told: string;
};

/** All that decides what a token may do. The moment of its last use does not, and changes once a minute. */
const HOLDER_COLUMNS = sql.raw(`id, kind, name, hash, scopes, token_rate, expires_at, revoked_at, installation_id, restaurant_id, slug,
  restaurant_kind, currency, zone, default_language, plan, plan_until, suspended_at, has_reservations, has_reporting, plan_rate, is_elsewhere, app_id`);
const TOLD = sql`row(${HOLDER_COLUMNS})::text as told`;

/** Token, restaurant and plan in one look-up by primary key, so a revocation holds from the next request on. */
const HOLDER = standing(
  (tokenId: number) => sql<TokenHolder>`select ${HOLDER_COLUMNS}, last_used_at, ${TOLD} from authenticate(${tokenId}::bigint)`,
);

/** The same look-up, answered with one text: whether anything has changed is seen without reading two dozen columns. */
const HOLDER_TOLD = standing((tokenId: number) => sql<{ told: string }>`select ${TOLD} from authenticate(${tokenId}::bigint)`);

export const findHolder = (db: Db, tokenId: number): Promise<TokenHolder | undefined> => first(db.query(HOLDER(tokenId)));

export const isStillTold = async (db: Db, { id, told }: TokenHolder): Promise<boolean> =>
  (await first(db.query(HOLDER_TOLD(id))))?.told === told;

/** Of many requests at the same moment one writes; the others find it done. */
export const touchToken = (db: Db, holder: TokenHolder, now: Date, usedBefore: Date): Promise<unknown> =>
  db.query(
    q
      .updateTable("tokens")
      .set({ last_used_at: now })
      .where("restaurant_id", "=", holder.restaurant_id)
      .where("id", "=", holder.id)
      .where((is) => is.or([is("last_used_at", "is", null), is("last_used_at", "<=", usedBefore)])),
  );

/** Two that are made at once are counted one after the other, so that the limit holds. */
export const countLiveTokens = async (ctx: Ctx): Promise<number> => {
  await ctx.db.query(sql`select from restaurants where id = ${ctx.tenant.id} for no key update`);
  const { count } = await only(
    ctx.db.query(
      sql<{ count: number }>`select count(*)::integer from tokens
        where restaurant_id = ${ctx.tenant.id} and kind = 'api' and revoked_at is null and (expires_at is null or expires_at > ${ctx.now})`,
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
  const { id } = await only(
    ctx.db.query(
      q
        .insertInto("tokens")
        .values({ restaurant_id: ctx.tenant.id, ...makerOf(ctx.actor), created_at: ctx.now, ...row })
        .returning("id"),
    ),
  );
  return id;
};

/** Undefined when there is no such token, or it was revoked before. An app's ends with its installation. */
export const revokeTokenRow = (ctx: Ctx, id: number): Promise<{ name: string } | undefined> =>
  first(
    ctx.db.query(
      q
        .updateTable("tokens")
        .set({ revoked_at: ctx.now })
        .where("restaurant_id", "=", ctx.tenant.id)
        .where("id", "=", id)
        .where("kind", "<>", "oauth")
        .where("revoked_at", "is", null)
        .returning("name"),
    ),
  );

type EndedToken = { name: string; scopes: Scope[]; rate_per_minute: number | null; expires_at: Date | null };

/** With what it was before. Undefined when there is no such live token. */
export const endTokenRow = (ctx: Ctx, id: number, endsAt: Date): Promise<EndedToken | undefined> =>
  first(
    ctx.db.query(sql<EndedToken>`
      with old as (
        select id, name, scopes, rate_per_minute, expires_at from tokens
        where restaurant_id = ${ctx.tenant.id} and id = ${id} and kind = 'api' and revoked_at is null
          and (expires_at is null or expires_at > ${ctx.now}) for update
      )
      update tokens t set expires_at = least(t.expires_at, ${endsAt}) from old where t.restaurant_id = ${ctx.tenant.id} and t.id = old.id
      returning old.name, old.scopes, old.rate_per_minute, old.expires_at`),
  );

export const listTokenRows = (ctx: Ctx) =>
  ctx.db.query(
    q
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

export type MadeToken = {
  id: number;
  kind: TokenKind;
  name: string;
  last_characters: string;
  last_used_at: Date | null;
  expires_at: Date | null;
};

/** Those of this person that work, but for apps': they end with their installation. */
export const listTokensMadeBy = (ctx: Ctx, person: Person): Promise<MadeToken[]> =>
  ctx.db.query(sql<MadeToken>`
    select id, kind, name, last_characters, last_used_at, expires_at from tokens t
    where t.restaurant_id = ${ctx.tenant.id} and t.kind <> 'oauth' and t.revoked_at is null and (t.expires_at is null or t.expires_at > ${ctx.now})
      and ${madeBy(person, { columns: "t.created_by", action: "token.created", subject: sql`t.id::text` })} order by id`);
