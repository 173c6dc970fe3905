import { sql } from "kysely";
import { builder, first, oneRow, type Row } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import { newKey } from "#lib/ids.ts";

export type GuestRow = Omit<
  Row<"guests">,
  "restaurant_id" | "key" | "staff_note" | "erased_at" | "updated_at" | "phone_key" | "email_key" | "changed_at"
>;

export type GuestMatchRow = { id: number; is_new: boolean; locale: string | null };

/**
 * Matches by phone, then by e-mail; never an erased guest. Without a match it reserves the id of a new guest. `for key share` is the lock
 * that the foreign key takes later anyway. Taken here, an erasure waits for this write, and a write after the erasure finds no match.
 */
export const matchContact = (ctx: Ctx, phone: string, email: string | null): Promise<GuestMatchRow> =>
  oneRow(
    ctx.db.query(sql<GuestMatchRow>`
      with known as (
        select id, locale, phone_key is not distinct from phone_key(${phone}) as by_phone from guests
        where restaurant_id = ${ctx.tenant.id} and erased_at is null
          and (phone_key = phone_key(${phone}) or email_key = lower(${email}::text))
        order by by_phone desc, id limit 1 for key share
      )
      select coalesce((select id from known), nextval('guest_ids')) as id, not exists (select from known) as is_new,
        (select locale from known) as locale`),
  );

export const insertGuest = (ctx: Ctx, guest: GuestRow): void =>
  ctx.db.defer(builder.insertInto("guests").values({ restaurant_id: ctx.tenant.id, key: newKey("guest"), updated_at: ctx.now, ...guest }));

/** Counters emit no event, but they change the profile, so `updated_at` moves. */
export const addVisit = (ctx: Ctx, guestId: number, spendMinor: number): void =>
  ctx.db.defer(sql`
    update guests set visits_count = visits_count + 1, total_spend_minor = least(total_spend_minor + ${spendMinor}::bigint, ${Number.MAX_SAFE_INTEGER}::bigint),
      last_visit_at = greatest(last_visit_at, ${ctx.now}), updated_at = ${ctx.now}, changed_at = clock_timestamp()
    where restaurant_id = ${ctx.tenant.id} and id = ${guestId} and erased_at is null`);

const GUEST = sql`
  select id, name, phone, email, locale, marketing_opted_in, marketing_opted_in_at, visits_count, total_spend_minor, last_visit_at, created_at
  from guests`;

export const findGuest = (ctx: Ctx, id: number): Promise<GuestRow | undefined> =>
  first(ctx.db.query(sql<GuestRow>`${GUEST} where restaurant_id = ${ctx.tenant.id} and id = ${id} and erased_at is null`));

export const findGuestByPhone = (ctx: Ctx, phone: string): Promise<GuestRow | undefined> =>
  first(
    ctx.db.query(sql<GuestRow>`${GUEST}
      where restaurant_id = ${ctx.tenant.id} and erased_at is null and phone_key = phone_key(${phone}) order by id limit 1`),
  );

export const lockGuest = (ctx: Ctx, id: number): Promise<GuestRow | undefined> =>
  first(ctx.db.query(sql<GuestRow>`${GUEST} where restaurant_id = ${ctx.tenant.id} and id = ${id} and erased_at is null for update`));

export type GuestFilter = { isOptedIn?: boolean; updatedSince?: Date; commitHorizon?: string | null };
export type GuestIdRange = { afterId?: number; beforeId?: number };

/** In id order, or backwards when `beforeId` is given. */
export const listGuestRows = (ctx: Ctx, filter: GuestFilter, range: GuestIdRange, rowCount: number): Promise<GuestRow[]> => {
  const conditions = [sql`restaurant_id = ${ctx.tenant.id}`, sql`erased_at is null`];
  if (filter.isOptedIn !== undefined) conditions.push(sql`marketing_opted_in = ${filter.isOptedIn}`);
  if (filter.updatedSince) conditions.push(sql`updated_at >= ${filter.updatedSince}`);
  if (filter.commitHorizon) conditions.push(sql`changed_at < ${filter.commitHorizon}::timestamptz`);
  if (range.afterId !== undefined) conditions.push(sql`id > ${range.afterId}`);
  if (range.beforeId !== undefined) conditions.push(sql`id < ${range.beforeId}`);
  const order = range.beforeId === undefined ? sql`id` : sql`id desc`;
  return ctx.db.query(sql<GuestRow>`${GUEST} where ${sql.join(conditions, sql` and `)} order by ${order} limit ${rowCount}`);
};

export type GuestDetails = Partial<Pick<GuestRow, "name" | "phone" | "email" | "locale" | "marketing_opted_in" | "marketing_opted_in_at">>;

export const updateGuest = (ctx: Ctx, id: number, details: GuestDetails): void =>
  ctx.db.defer(
    builder
      .updateTable("guests")
      .set({ ...details, updated_at: ctx.now, changed_at: sql<Date>`clock_timestamp()` })
      .where("restaurant_id", "=", ctx.tenant.id)
      .where("id", "=", id),
  );

/** Keeps the row, because orders refer to it, and removes all personal data. */
export const clearGuest = async (ctx: Ctx, id: number, name: string): Promise<boolean> => {
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
        updated_at: ctx.now,
        changed_at: sql<Date>`clock_timestamp()`,
      })
      .where("restaurant_id", "=", ctx.tenant.id)
      .where("id", "=", id)
      .where("erased_at", "is", null)
      .returning("id"),
  );
  return rows.length === 1;
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
      .returning("id"),
  );
  return rows.length === 1;
};
