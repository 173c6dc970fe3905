import type { Translations } from "@comanda/contract/shared.ts";
import { sql } from "kysely";
import { first, oneRow } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import type { ShiftTimes, StoredShift } from "./rules.ts";

/** Lets one transaction of the venue change shifts or their rules at a time, so that a publication publishes what its manager saw. */
export const lockShifts = (ctx: Ctx): void =>
  ctx.db.defer(sql`select pg_advisory_xact_lock(hashtextextended(${`shifts ${ctx.tenant.id}`}, 0))`);

export type ShiftRow = StoredShift & { changed_by: string; changed_at: Date };

const COLUMNS = sql`id, branch_id, staff_id, staff_name, role, starts_at, ends_at, note, version, deleted_at, changed_by, changed_at,
  published_staff_id, published_role, published_starts_at, published_ends_at, published_note`;

/** A shift is shown while it is planned, and after its removal until the removal is published. */
const SHOWN = sql`(deleted_at is null or published_staff_id is not null)`;

export type WeekRange = { from: Date; to: Date };

export const listWeek = (ctx: Ctx, branchId: number, { from, to }: WeekRange, rowCount: number): Promise<ShiftRow[]> =>
  ctx.db.query(sql<ShiftRow>`
    select ${COLUMNS} from shifts
    where restaurant_id = ${ctx.tenant.id} and branch_id = ${branchId} and starts_at >= ${from} and starts_at < ${to} and ${SHOWN}
    order by starts_at, id limit ${rowCount}`);

/** Lists the shifts of all branches in the span, except those of this branch and week. */
export const listAround = (
  ctx: Ctx,
  branchId: number,
  { week, span }: { week: WeekRange; span: WeekRange },
  rowCount: number,
): Promise<ShiftRow[]> =>
  ctx.db.query(sql<ShiftRow>`
    select ${COLUMNS} from shifts
    where restaurant_id = ${ctx.tenant.id} and starts_at >= ${span.from} and starts_at < ${span.to} and ${SHOWN}
      and not (branch_id = ${branchId} and starts_at >= ${week.from} and starts_at < ${week.to})
    order by starts_at, id limit ${rowCount}`);

export const findShift = (ctx: Ctx, id: number): Promise<ShiftRow | undefined> =>
  first(ctx.db.query(sql<ShiftRow>`select ${COLUMNS} from shifts where restaurant_id = ${ctx.tenant.id} and id = ${id}`));

/** Counts the shifts that are planned. */
export const countWeek = async (ctx: Ctx, branchId: number, { from, to }: WeekRange): Promise<number> =>
  (
    await oneRow(
      ctx.db.query(sql<{ count: number }>`
        select count(*)::integer as count from shifts
        where restaurant_id = ${ctx.tenant.id} and branch_id = ${branchId} and starts_at >= ${from} and starts_at < ${to} and deleted_at is null`),
    )
  ).count;

/** Finds who changed the week last. A removal is a change. */
export const findLastChange = (
  ctx: Ctx,
  branchId: number,
  { from, to }: WeekRange,
): Promise<Pick<ShiftRow, "changed_by" | "changed_at"> | undefined> =>
  first(
    ctx.db.query(sql<Pick<ShiftRow, "changed_by" | "changed_at">>`
      select changed_by, changed_at from shifts
      where restaurant_id = ${ctx.tenant.id} and branch_id = ${branchId} and starts_at >= ${from} and starts_at < ${to}
      order by changed_at desc, id desc limit 1`),
  );

export type NewShift = ShiftTimes & { staffId: number; staffName: string; role: string | null; note: string | null };

/** A shift that overlaps with another one of its person is left out. */
export const insertShifts = (ctx: Ctx, branchId: number, shifts: readonly NewShift[]): Promise<ShiftRow[]> =>
  ctx.db.query(sql<ShiftRow>`
    insert into shifts (restaurant_id, branch_id, staff_id, staff_name, role, starts_at, ends_at, note, changed_by, changed_at)
    select ${ctx.tenant.id}::bigint, ${branchId}::bigint, given."staffId", given."staffName", given.role, given."startsAt", given."endsAt",
      given.note, ${ctx.actor.name}, ${ctx.now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(shifts)}::jsonb)
      given ("staffId" bigint, "staffName" text, role text, "startsAt" timestamptz, "endsAt" timestamptz, note text)
    order by given."startsAt", given."staffId"
    on conflict do nothing returning ${COLUMNS}`);

/** Whether the person has another shift then, in any branch. */
export const hasShiftAt = async (ctx: Ctx, staffId: number, { startsAt, endsAt }: ShiftTimes, exceptId: number): Promise<boolean> =>
  (
    await ctx.db.query(sql`
      select from shifts
      where restaurant_id = ${ctx.tenant.id} and staff_id = ${staffId} and tstzrange(starts_at, ends_at) && tstzrange(${startsAt}, ${endsAt})
        and deleted_at is null and id <> ${exceptId} limit 1`)
  ).length > 0;

export const updateShift = (ctx: Ctx, id: number, { staffId, staffName, role, startsAt, endsAt, note }: NewShift): Promise<ShiftRow> =>
  oneRow(
    ctx.db.query(sql<ShiftRow>`
      update shifts set staff_id = ${staffId}, staff_name = ${staffName}, role = ${role}, starts_at = ${startsAt}, ends_at = ${endsAt},
        note = ${note}, version = version + 1, changed_by = ${ctx.actor.name}, changed_at = ${ctx.now}
      where restaurant_id = ${ctx.tenant.id} and id = ${id} returning ${COLUMNS}`),
  );

const setDeletedAt = (ctx: Ctx, id: number, deletedAt: Date | null): Promise<ShiftRow> =>
  oneRow(
    ctx.db.query(sql<ShiftRow>`
      update shifts set deleted_at = ${deletedAt}::timestamptz, version = version + 1, changed_by = ${ctx.actor.name}, changed_at = ${ctx.now}
      where restaurant_id = ${ctx.tenant.id} and id = ${id} returning ${COLUMNS}`),
  );

/** The row is kept: a removal can be taken back, and people see the shift until it is published. */
export const markShiftRemoved = (ctx: Ctx, id: number): Promise<ShiftRow> => setDeletedAt(ctx, id, ctx.now);

/** Takes the removal back. */
export const markShiftRestored = (ctx: Ctx, id: number): Promise<ShiftRow> => setDeletedAt(ctx, id, null);

/** What is planned becomes what is published. */
export const markPublished = async (ctx: Ctx, ids: readonly number[]): Promise<void> => {
  await ctx.db.query(sql`
    update shifts set published_staff_id = case when deleted_at is null then staff_id end,
      published_role = case when deleted_at is null then role end,
      published_starts_at = case when deleted_at is null then starts_at end,
      published_ends_at = case when deleted_at is null then ends_at end,
      published_note = case when deleted_at is null then note end
    where restaurant_id = ${ctx.tenant.id} and id = any(${[...ids]}::bigint[])`);
};

export type OwnShiftRow = {
  id: number;
  branch: Translations;
  published_role: string | null;
  published_starts_at: Date;
  published_ends_at: Date;
  published_note: string | null;
};

/** A shift lasts a day at most, so one that runs now began within the last day. */
const LONGEST = sql`interval '24 hours'`;

/** Lists what is published of the shifts of this person. */
export const listOwnShifts = (ctx: Ctx, staffId: number, until: Date, rowCount: number): Promise<OwnShiftRow[]> =>
  ctx.db.query(sql<OwnShiftRow>`
    select s.id, b.name as branch, s.published_role, s.published_starts_at, s.published_ends_at, s.published_note
    from shifts s join branches b on b.restaurant_id = s.restaurant_id and b.id = s.branch_id
    where s.restaurant_id = ${ctx.tenant.id} and s.published_staff_id = ${staffId}
      and s.published_starts_at > ${ctx.now}::timestamptz - ${LONGEST} and s.published_starts_at < ${until} and s.published_ends_at > ${ctx.now}
    order by s.published_starts_at, s.id limit ${rowCount}`);

/** Removes the shifts of a person that have not begun. */
export const removeShiftsToCome = (ctx: Ctx, staffId: number): Promise<{ id: number; is_published: boolean }[]> =>
  ctx.db.query(sql<{ id: number; is_published: boolean }>`
    update shifts set deleted_at = ${ctx.now}, version = version + 1, changed_by = ${ctx.actor.name}, changed_at = ${ctx.now}
    where restaurant_id = ${ctx.tenant.id} and starts_at > ${ctx.now} and staff_id = ${staffId} and deleted_at is null
    returning id, published_staff_id is not null as is_published`);

export const countShiftsToCome = (ctx: Ctx, staffIds: readonly number[]): Promise<{ staff_id: number; count: number }[]> =>
  ctx.db.query(sql<{ staff_id: number; count: number }>`
    select staff_id, count(*)::integer as count from shifts
    where restaurant_id = ${ctx.tenant.id} and staff_id = any(${[...staffIds]}::bigint[]) and starts_at > ${ctx.now} and deleted_at is null
    group by staff_id`);

export type UnpublishedShift = { starts_at: Date; branch: string };

/**
 * Finds the first shift after this moment whose plan differs from what is published. At a removed branch only shifts that are not over can
 * be published, so only those count.
 */
export const findUnpublished = (ctx: Ctx, after: Date): Promise<UnpublishedShift | undefined> =>
  first(
    ctx.db.query(sql<UnpublishedShift>`
      select s.starts_at, coalesce(b.name ->> ${ctx.tenant.default_language}::text, jsonb_path_query_first(b.name, '$.*') #>> '{}') as branch
      from shifts s join branches b on b.restaurant_id = s.restaurant_id and b.id = s.branch_id
      where s.restaurant_id = ${ctx.tenant.id} and s.starts_at > ${after}
        and (b.deleted_at is null or s.starts_at > ${ctx.now}::timestamptz - ${LONGEST})
        and case when s.deleted_at is null
          then (s.staff_id, s.role, s.starts_at, s.ends_at, s.note) is distinct from
            (s.published_staff_id, s.published_role, s.published_starts_at, s.published_ends_at, s.published_note)
          else s.published_staff_id is not null end
      order by s.starts_at, s.id limit 1`),
  );

export type RemovedBranchRow = { id: number; name: Translations };

/** Lists the branches that were removed and have shifts that are not over. */
export const listRemovedBranchesWithShifts = (ctx: Ctx): Promise<RemovedBranchRow[]> =>
  ctx.db.query(sql<RemovedBranchRow>`
    select b.id, b.name from branches b
    where b.restaurant_id = ${ctx.tenant.id} and b.deleted_at is not null and exists (
      select from shifts s where s.restaurant_id = b.restaurant_id and s.branch_id = b.id
        and s.starts_at > ${ctx.now}::timestamptz - ${LONGEST} and (s.deleted_at is null or s.published_staff_id is not null))
    order by b.sort_order, b.id`);
