import { sql } from "kysely";
import { BEGUN_AT, CHANGED_AGAIN_AT } from "#db/begun-at.ts";
import { builder, first, oneRow, type Row } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import { newKey } from "#lib/ids.ts";

export type GuestRow = Omit<
  Row<"guests">,
  | "restaurant_id"
  | "key"
  | "staff_note"
  | "erased_at"
  | "updated_at"
  | "phone_key"
  | "email_key"
  | "changed_at"
  | "merged_into"
  | "merged_at"
>;

export type GuestMatchRow = { id: number; is_new: boolean; locale: string | null };

/**
 * Matches by phone, then by e-mail; never an erased guest. A profile that was merged leads to the guest that stayed. Without a match it
 * reserves the id of a new guest. `for key share` is the lock that the foreign key takes later anyway. Taken here, an erasure or a merge
 * waits for this write; a write that waited reads the row as they left it: it finds no match, or the guest that stayed.
 */
export const matchContact = (ctx: Ctx, phone: string | null, email: string | null): Promise<GuestMatchRow> =>
  oneRow(
    ctx.db.query(sql<GuestMatchRow>`
      with known as (
        select id, merged_into, locale, coalesce(phone_key = phone_key(${phone}), false) as by_phone from guests
        where restaurant_id = ${ctx.tenant.id} and erased_at is null
          and (phone_key = phone_key(${phone}) or email_key = lower(${email}::text))
        order by by_phone desc, id limit 1 for key share
      )
      select coalesce((select coalesce(merged_into, id) from known), nextval('guest_ids')) as id, not exists (select from known) as is_new,
        (select case when merged_into is null then locale
           else (select g.locale from guests g where g.restaurant_id = ${ctx.tenant.id} and g.id = merged_into) end from known) as locale`),
  );

/** Several guests may have one address, so no index refuses the second profile of a new one. */
export const lockEmail = (ctx: Ctx, email: string): void =>
  ctx.db.defer(sql`select pg_advisory_xact_lock(hashtextextended(${`guest ${ctx.tenant.id} `}::text || lower(${email}::text), 0))`);

export const insertGuest = (ctx: Ctx, guest: GuestRow): void =>
  ctx.db.defer(
    builder
      .insertInto("guests")
      .values({ restaurant_id: ctx.tenant.id, key: newKey("guest"), updated_at: ctx.now, changed_at: BEGUN_AT, ...guest }),
  );

/** Counters emit no event, but they change the profile, so `updated_at` moves. */
export const addVisit = (ctx: Ctx, guestId: number, spendMinor: number): void =>
  ctx.db.defer(sql`
    update guests set visits_count = visits_count + 1, total_spend_minor = least(total_spend_minor + ${spendMinor}::bigint, ${Number.MAX_SAFE_INTEGER}::bigint),
      last_visit_at = greatest(last_visit_at, ${ctx.now}), updated_at = greatest(updated_at, ${ctx.now}::timestamptz), changed_at = ${CHANGED_AGAIN_AT}
    where restaurant_id = ${ctx.tenant.id} and id = ${guestId} and erased_at is null`);

const COLUMNS = sql`id, name, phone, email, locale, marketing_opted_in, marketing_opted_in_at, visits_count, total_spend_minor, last_visit_at,
  created_at`;
const GUEST = sql`select ${COLUMNS} from guests`;
/** Neither erased nor merged into another profile. */
const IS_LIVE = sql`erased_at is null and merged_into is null`;

export const findGuest = (ctx: Ctx, id: number): Promise<GuestRow | undefined> =>
  first(ctx.db.query(sql<GuestRow>`${GUEST} where restaurant_id = ${ctx.tenant.id} and id = ${id} and ${IS_LIVE}`));

export const findGuestByPhone = (ctx: Ctx, phone: string): Promise<GuestRow | undefined> =>
  first(
    ctx.db.query(sql<GuestRow>`${GUEST}
      where restaurant_id = ${ctx.tenant.id} and ${IS_LIVE} and id = (
        select coalesce(merged_into, id) from guests
        where restaurant_id = ${ctx.tenant.id} and erased_at is null and phone_key = phone_key(${phone}) order by id limit 1)`),
  );

/** Two at most: more than one guest with this end of a number is none. */
export const listGuestsByPhoneEnd = (ctx: Ctx, digits: string): Promise<GuestRow[]> =>
  ctx.db.query(sql<GuestRow>`${GUEST}
    where restaurant_id = ${ctx.tenant.id} and ${IS_LIVE} and id = any(array(select id from guests_by_phone_end(${digits}::text, 2))) limit 2`);

/** The lock that a foreign key takes later anyway: an erasure or a merge waits, or is waited for. */
export const keepGuest = (ctx: Ctx, id: number): Promise<{ locale: string | null } | undefined> =>
  first(
    ctx.db.query(
      sql<{
        locale: string | null;
      }>`select locale from guests where restaurant_id = ${ctx.tenant.id} and id = ${id} and ${IS_LIVE} for key share`,
    ),
  );

export const lockGuest = (ctx: Ctx, id: number): Promise<GuestRow | undefined> =>
  first(ctx.db.query(sql<GuestRow>`${GUEST} where restaurant_id = ${ctx.tenant.id} and id = ${id} and ${IS_LIVE} for update`));

export type GuestFilter = { isOptedIn?: boolean; updatedSince?: Date; commitHorizon?: string | null };
export type GuestIdRange = { afterId?: number; beforeId?: number };

/** Rows are in id order, or backwards when `beforeId` is given. */
export const listGuestRows = (ctx: Ctx, filter: GuestFilter, range: GuestIdRange, rowCount: number): Promise<GuestRow[]> => {
  const conditions = [sql`restaurant_id = ${ctx.tenant.id}`, IS_LIVE];
  if (filter.isOptedIn !== undefined) conditions.push(sql`marketing_opted_in = ${filter.isOptedIn}`);
  if (filter.updatedSince) conditions.push(sql`updated_at >= ${filter.updatedSince}`);
  if (filter.commitHorizon) conditions.push(sql`changed_at < ${filter.commitHorizon}::timestamptz`);
  if (range.afterId !== undefined) conditions.push(sql`id > ${range.afterId}`);
  if (range.beforeId !== undefined) conditions.push(sql`id < ${range.beforeId}`);
  const order = range.beforeId === undefined ? sql`id` : sql`id desc`;
  return ctx.db.query(sql<GuestRow>`${GUEST} where ${sql.join(conditions, sql` and `)} order by ${order} limit ${rowCount}`);
};

export const listGuestNames = (ctx: Ctx, ids: readonly number[]): Promise<{ id: number; name: string }[]> =>
  ctx.db.query(
    sql<{
      id: number;
      name: string;
    }>`select id, name from guests where restaurant_id = ${ctx.tenant.id} and id = any (${[...ids]}::bigint[])`,
  );

export type GuestDetails = Partial<Pick<GuestRow, "name" | "phone" | "email" | "locale" | "marketing_opted_in" | "marketing_opted_in_at">>;

export const updateGuest = (ctx: Ctx, id: number, details: GuestDetails): void =>
  ctx.db.defer(
    builder
      .updateTable("guests")
      .set({ ...details, updated_at: sql<Date>`greatest(updated_at, ${ctx.now}::timestamptz)`, changed_at: CHANGED_AGAIN_AT })
      .where("restaurant_id", "=", ctx.tenant.id)
      .where("id", "=", id),
  );

/** Keeps the rows, because orders refer to them, and removes all personal data. Returns how many profiles were cleared. */
export const clearGuests = async (ctx: Ctx, ids: number[], name: string): Promise<number> => {
  const rows = await ctx.db.query(
    builder
      .updateTable("guests")
      .set({
        name,
        phone: null,
        email: null,
        locale: null,
        staff_note: null,
        marketing_opted_in: false,
        marketing_opted_in_at: null,
        erased_at: ctx.now,
        updated_at: sql<Date>`greatest(updated_at, ${ctx.now}::timestamptz)`,
        changed_at: CHANGED_AGAIN_AT,
      })
      .where("restaurant_id", "=", ctx.tenant.id)
      .where(sql<boolean>`id = any(${ids}::bigint[])`)
      .where("erased_at", "is", null)
      .returning("id"),
  );
  return rows.length;
};

/** No response and no event contains the note, so `updated_at` stays. */
export const updateStaffNote = async (ctx: Ctx, id: number, note: string | null): Promise<boolean> => {
  const rows = await ctx.db.query(
    builder
      .updateTable("guests")
      .set({ staff_note: note })
      .where("restaurant_id", "=", ctx.tenant.id)
      .where("id", "=", id)
      .where("erased_at", "is", null)
      .where("merged_into", "is", null)
      .returning("id"),
  );
  return rows.length === 1;
};

/** How often each of these guests was here. */
export const listVisitCounts = async (ctx: Ctx, ids: readonly number[]): Promise<Map<number, number>> => {
  const rows = await ctx.db.query(sql<{ id: number; visits_count: number }>`
    select id, visits_count from guests where restaurant_id = ${ctx.tenant.id} and id = any (${[...ids]}::bigint[])`);
  return new Map(rows.map(({ id, visits_count }) => [id, visits_count]));
};
export type ProfileRow = GuestRow & { staff_note: string | null };

export const findProfile = (ctx: Ctx, id: number): Promise<ProfileRow | undefined> =>
  first(
    ctx.db.query(
      sql<ProfileRow>`select ${COLUMNS}, staff_note from guests where restaurant_id = ${ctx.tenant.id} and id = ${id} and ${IS_LIVE}`,
    ),
  );

/** The row that holds a phone number, and the guest that it leads to. */
export type PhoneHolder = { row_id: number; guest_id: number };

export const findPhoneHolder = (ctx: Ctx, phone: string): Promise<PhoneHolder | undefined> =>
  first(
    ctx.db.query(sql<PhoneHolder>`
      select id as row_id, coalesce(merged_into, id) as guest_id from guests
      where restaurant_id = ${ctx.tenant.id} and erased_at is null and phone_key = phone_key(${phone})`),
  );

/** A number is held by one row, so the row that gets it takes it from a profile that was merged. */
export const releasePhone = (ctx: Ctx, id: number): void =>
  ctx.db.defer(sql`update guests set phone = null where restaurant_id = ${ctx.tenant.id} and id = ${id} and merged_into is not null`);
