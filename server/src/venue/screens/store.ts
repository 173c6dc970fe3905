import type { ScreenPurpose } from "@comanda/contract/console/operation.ts";
import type { Translations } from "@comanda/contract/shared.ts";
import { sql } from "kysely";
import { ASKED_ACCOUNT, askedAccounts, createdBy } from "#db/created-by.ts";
import { type Db, first, oneRow } from "#db/query.ts";
import type { Ctx, GlobalContext, WithDb } from "#lib/context.ts";
import { type AccountRef, creatorColumns } from "#lib/creator.ts";
import { realNow } from "#lib/venue-clock.ts";

export type PairedSettings = {
  name: string;
  branch_id: number | null;
  stations: string[];
  language: "en" | "ar";
  has_sound: boolean;
};

export type ScreenRow = PairedSettings & {
  id: number;
  purpose: ScreenPurpose;
  client: string | null;
  paired_by: string;
  paired_at: Date;
  seen_at: Date;
};

export type PairedScreen = ScreenRow & { restaurant_id: number; venue_name: Translations };

const COLUMNS = sql`id, purpose, name, branch_id, stations, language, has_sound, client, paired_by, paired_at, seen_at`;

/** Without a tenant: the cookie arrives before the venue is known. */
export const findScreen = (db: Db, hash: Buffer): Promise<PairedScreen | undefined> =>
  first(db.query(sql<PairedScreen>`select restaurant_id, ${COLUMNS}, venue_name from screen_by_hash(${hash})`));

export const listStillPaired = async ({ db }: WithDb, hashes: readonly Buffer[]): Promise<boolean[]> =>
  (await oneRow(db.query(sql<{ paired: boolean[] | null }>`select screens_still_paired(${hashes}::bytea[]) as paired`))).paired ?? [];

export type PairingRow = { code: string; expires_at: Date };

export const findPairing = (ctx: Pick<GlobalContext, "db" | "now">, hash: Buffer): Promise<PairingRow | undefined> =>
  first(ctx.db.query(sql<PairingRow>`select code, expires_at from screen_pairings where hash = ${hash} and expires_at > ${realNow(ctx)}`));

export type NewPairing = { hash: Buffer; codes: readonly string[]; client: string | null; expiresAt: Date };

/** Takes the first of these codes that no other device shows. Undefined when all are taken, or too many devices wait. */
export const insertPairing = (
  ctx: GlobalContext,
  { hash, codes, client, expiresAt }: NewPairing,
  waitingMax: number,
): Promise<PairingRow | undefined> =>
  first(
    ctx.db.query(sql<PairingRow>`
      insert into screen_pairings (hash, code, client, expires_at)
      select ${hash}::bytea, wanted.code, ${client}::text, ${expiresAt}::timestamptz
      from unnest(${codes}::text[]) with ordinality wanted (code, place)
      where not exists (select from screen_pairings p where p.code = wanted.code)
        and (select count(*) from screen_pairings) < ${waitingMax}::integer
      order by wanted.place limit 1 on conflict do nothing returning code, expires_at`),
  );

export const deletePairing = (ctx: GlobalContext, hash: Buffer): void =>
  ctx.db.defer(sql`delete from screen_pairings where hash = ${hash}`);

/** There are few: they must not be in the way of new ones until the purge. */
export const deleteExpiredPairings = (ctx: GlobalContext): void =>
  ctx.db.defer(sql`delete from screen_pairings where expires_at <= ${realNow(ctx)}`);

/** Of two managers who type the same code, one gets the device. */
export const takePairing = (ctx: Ctx, code: string): Promise<{ hash: Buffer; client: string | null } | undefined> =>
  first(
    ctx.db.query(sql<{ hash: Buffer; client: string | null }>`
      delete from screen_pairings where code = ${code} and expires_at > ${realNow(ctx)} returning hash, client`),
  );

export const insertScreen = (
  ctx: Ctx,
  { hash, client, purpose, ...settings }: PairedSettings & { hash: Buffer; client: string | null; purpose: ScreenPurpose },
): Promise<ScreenRow> => {
  const maker = creatorColumns(ctx.actor);
  return oneRow(
    ctx.db.query(sql<ScreenRow>`
      insert into screens (restaurant_id, purpose, name, branch_id, stations, language, has_sound, hash, client, paired_by,
        paired_by_user_id, paired_by_email, paired_at, seen_at)
      values (${ctx.tenant.id}, ${purpose}, ${settings.name}, ${settings.branch_id}, ${settings.stations}::text[], ${settings.language},
        ${settings.has_sound}, ${hash}, ${client}, ${maker.created_by}, ${maker.created_by_user_id}, ${maker.created_by_email}, ${realNow(ctx)},
        ${realNow(ctx)})
      returning ${COLUMNS}`),
  );
};

export const listScreensOf = (ctx: Ctx, user: AccountRef): Promise<{ id: number; name: string; seen_at: Date }[]> =>
  ctx.db.query(sql<{ id: number; name: string; seen_at: Date }>`
    select id, name, seen_at from screens s where s.restaurant_id = ${ctx.tenant.id} and s.ended_at is null
      and ${createdBy(user, { columns: "s.paired_by", action: "screen.paired", subject: sql`s.id::text` })} order by id`);

/** Those of them who paired none are left out. */
export const countScreensOf = (ctx: Ctx, users: readonly AccountRef[]): Promise<{ email: string; count: number }[]> =>
  ctx.db.query(sql<{ email: string; count: number }>`
    select asked.email, count(*)::integer as count from screens s join ${askedAccounts(users)}
      on ${createdBy(ASKED_ACCOUNT, { columns: "s.paired_by", action: "screen.paired", subject: sql`s.id::text` })}
    where s.restaurant_id = ${ctx.tenant.id} and s.ended_at is null group by asked.email`);

export const countScreens = async (ctx: Ctx): Promise<number> =>
  (
    await oneRow(
      ctx.db.query(
        sql<{ count: number }>`select count(*)::integer as count from screens where restaurant_id = ${ctx.tenant.id} and ended_at is null`,
      ),
    )
  ).count;

export const listScreenRows = (ctx: Ctx): Promise<ScreenRow[]> =>
  ctx.db.query(sql<ScreenRow>`select ${COLUMNS} from screens where restaurant_id = ${ctx.tenant.id} and ended_at is null order by id`);

export const lockScreen = (ctx: Ctx, id: number): Promise<ScreenRow | undefined> =>
  first(
    ctx.db.query(
      sql<ScreenRow>`select ${COLUMNS} from screens where restaurant_id = ${ctx.tenant.id} and id = ${id} and ended_at is null for update`,
    ),
  );

export const findScreenName = (ctx: Ctx, id: number): Promise<{ name: string } | undefined> =>
  first(ctx.db.query(sql<{ name: string }>`select name from screens where restaurant_id = ${ctx.tenant.id} and id = ${id}`));

export const updateScreen = (ctx: Ctx, id: number, { name, branch_id, stations, language, has_sound }: PairedSettings): void =>
  ctx.db.defer(sql`
    update screens set name = ${name}, branch_id = ${branch_id}, stations = ${stations}::text[], language = ${language},
      has_sound = ${has_sound}
    where restaurant_id = ${ctx.tenant.id} and id = ${id}`);

export const setEnded = (ctx: Ctx, id: number): void =>
  ctx.db.defer(sql`update screens set ended_at = ${realNow(ctx)} where restaurant_id = ${ctx.tenant.id} and id = ${id}`);

export const touchScreen = (ctx: Ctx, id: number): void =>
  ctx.db.defer(
    sql`update screens set seen_at = ${realNow(ctx)} where restaurant_id = ${ctx.tenant.id} and id = ${id} and seen_at < ${realNow(ctx)}`,
  );
