import type { ScreenPurpose } from "@comanda/contract/console/operation.ts";
import { sql } from "kysely";
import { ASKED_ACCOUNT, askedAccounts, createdBy } from "#db/created-by.ts";
import { type Db, first, oneRow } from "#db/query.ts";
import type { Ctx, WithDb } from "#lib/context.ts";
import { type AccountRef, creatorColumns } from "#lib/creator.ts";
import type { PairedScreen } from "#lib/principal.ts";
import { realNow } from "#lib/venue-clock.ts";

export type PairedSettings = Pick<PairedScreen, "name" | "branch_id" | "stations" | "language" | "has_sound">;
export type ScreenRow = Omit<PairedScreen, "restaurant_id" | "venue_name">;

const COLUMNS = sql`id, purpose, name, branch_id, stations, language, has_sound, client, paired_by, paired_at, seen_at`;

/** The statement has no tenant, because the cookie arrives before the venue is known. */
export const findScreen = (db: Db, hash: Buffer): Promise<PairedScreen | undefined> =>
  first(db.query(sql<PairedScreen>`select restaurant_id, ${COLUMNS}, venue_name from screen_by_hash(${hash})`));

export const areStillPaired = async ({ db }: WithDb, hashes: readonly Buffer[]): Promise<boolean[]> =>
  (await oneRow(db.query(sql<{ paired: boolean[] | null }>`select screens_still_paired(${hashes}::bytea[]) as paired`))).paired ?? [];

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

export const listScreensPairedBy = (ctx: Ctx, user: AccountRef): Promise<{ id: number; name: string; seen_at: Date }[]> =>
  ctx.db.query(sql<{ id: number; name: string; seen_at: Date }>`
    select id, name, seen_at from screens s where s.restaurant_id = ${ctx.tenant.id} and s.ended_at is null
      and ${createdBy(user, { columns: "s.paired_by", action: "screen.paired", subject: sql`s.id::text` })} order by id`);

/** Users who paired no screen are left out. */
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
