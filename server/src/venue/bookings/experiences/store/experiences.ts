import type { ExperienceValue } from "@comanda/contract/console/experiences.ts";
import type { ExperienceFile } from "@comanda/contract/venue-file/experiences.ts";
import { sql } from "kysely";
import { insertRows } from "#db/bulk-upsert.ts";
import { first, oneRow } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";

/** An experience as a venue file has it, with its branch by id too. */
export type ExperienceRow = ExperienceFile & { id: number; version: number; branch_id: number; is_removed: boolean };

/** The branch where the experience `e` takes place: its own, or the default one after that branch was removed. */
export const PLACE = sql`cross join lateral (
    select b.id, b.key, b.name from branches b
    where b.restaurant_id = e.restaurant_id and b.deleted_at is null and (b.id = e.branch_id or b.is_default)
    order by b.id = e.branch_id desc limit 1
  ) place`;

const EXPERIENCE = sql`
  select e.id, e.version, e.key, e.name, e.description, e.price_minor, place.key as branch, place.id as branch_id, e.is_active,
    e.deleted_at is not null as is_removed
  from experiences e ${PLACE}`;

export const listExperiences = (ctx: Ctx): Promise<ExperienceRow[]> =>
  ctx.db.query(
    sql<ExperienceRow>`${EXPERIENCE} where e.restaurant_id = ${ctx.tenant.id} and e.deleted_at is null order by e.sort_order, e.id`,
  );

/** Lists the experiences that are not removed, and those with these ids even if they are. */
export const listExperiencesWith = (ctx: Ctx, ids: readonly number[]): Promise<ExperienceRow[]> =>
  ctx.db.query(sql<ExperienceRow>`${EXPERIENCE}
    where e.restaurant_id = ${ctx.tenant.id} and (e.deleted_at is null or e.id = any (${[...ids]}::bigint[]))
    order by e.sort_order, e.id`);

export const findExperience = (ctx: Ctx, id: number): Promise<ExperienceRow | undefined> =>
  first(ctx.db.query(sql<ExperienceRow>`${EXPERIENCE} where e.restaurant_id = ${ctx.tenant.id} and e.id = ${id} and e.deleted_at is null`));

/** The lock is held until the commit: of two changes, the second one sees what the first one left. */
export const lockExperience = async (ctx: Ctx, id: number): Promise<ExperienceRow | undefined> => {
  await ctx.db.query(sql`select from experiences where restaurant_id = ${ctx.tenant.id} and id = ${id} for update`);
  return findExperience(ctx, id);
};

/** All of the venue, in the order of their ids. Until the commit none gets a session or another branch. */
export const lockExperiences = (ctx: Ctx): void =>
  ctx.db.defer(sql`select from experiences where restaurant_id = ${ctx.tenant.id} and deleted_at is null order by id for update`);

type ExperiencePlace = { id: number; sort_order: number; count: number; removed_count: number };

/** One addition at a time, so that their number is bounded. `removed_count`: those that are still to be deleted. */
export const prepareExperience = async (ctx: Ctx): Promise<ExperiencePlace> => {
  ctx.db.defer(sql`select pg_advisory_xact_lock(hashtextextended(${`experiences ${ctx.tenant.id}`}, 0))`);
  return oneRow(
    ctx.db.query(sql<ExperiencePlace>`
      select nextval('experience_ids') as id, coalesce(max(sort_order) filter (where deleted_at is null) + 1, 0)::integer as sort_order,
        count(*) filter (where deleted_at is null)::integer as count,
        count(*) filter (where deleted_at is not null and not removed_with_sales)::integer as removed_count
      from experiences where restaurant_id = ${ctx.tenant.id}`),
  );
};

type StoredExperience = Omit<ExperienceValue, "branch"> & { branch_id: number };

export const insertExperience = (ctx: Ctx, place: { id: number; sort_order: number; key: string }, experience: StoredExperience): void =>
  insertRows(ctx, "experiences", [{ ...place, ...experience }]);

export const updateExperience = (ctx: Ctx, id: number, experience: StoredExperience): void =>
  ctx.db.defer(sql`
    update experiences set name = ${JSON.stringify(experience.name)}::jsonb,
      description = ${experience.description === null ? null : JSON.stringify(experience.description)}::jsonb,
      price_minor = ${experience.price_minor}, branch_id = ${experience.branch_id}, is_active = ${experience.is_active}
    where restaurant_id = ${ctx.tenant.id} and id = ${id}`);

export const markExperienceRemoved = (ctx: Ctx, id: number): void =>
  ctx.db.defer(sql`update experiences set deleted_at = ${ctx.now} where restaurant_id = ${ctx.tenant.id} and id = ${id}`);
