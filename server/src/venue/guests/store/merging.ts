/** Profiles that were merged. A merged profile stays as a row with its contact details and refers to the guest that stayed. */
import { sql } from "kysely";
import { CHANGED_AGAIN_AT } from "#db/begun-at.ts";
import type { Ctx } from "#lib/context.ts";
import type { ProfileRow } from "./profiles.ts";

export type MergedRow = ProfileRow & { merged_into: number | null };

const mergesOf = (ctx: Ctx) => sql`hashtextextended(${`guest merges ${ctx.tenant.id}`}, 0)`;

/** One merge of the venue at a time. */
export const lockMerges = (ctx: Ctx): void => ctx.db.defer(sql`select pg_advisory_xact_lock(${mergesOf(ctx)})`);

/** Prevents a merge until the commit. */
export const keepFromMerges = (ctx: Ctx): void => ctx.db.defer(sql`select pg_advisory_xact_lock_shared(${mergesOf(ctx)})`);

/**
 * Locks the guests and the profiles that were merged into them until the transaction ends, and returns those that are not erased.
 * The order is fixed: merged profiles by id, then guests by id. A write that was matched by a merged profile holds that row first and its
 * guest second, the same order. No merge runs meanwhile: a guest that became a merged profile while it was waited for would be locked
 * after the other one, and the profiles of that merge would be missing.
 */
export const lockGuestGroups = (ctx: Ctx, ids: number[]): Promise<MergedRow[]> => {
  keepFromMerges(ctx);
  return ctx.db.query(sql<MergedRow>`
    select id, name, phone, email, locale, marketing_opted_in, marketing_opted_in_at, visits_count, total_spend_minor, last_visit_at,
      created_at, staff_note, merged_into
    from guests where restaurant_id = ${ctx.tenant.id} and erased_at is null
      and id = any(array(select unnest(${ids}::bigint[])
        union select g.id from guests g where g.restaurant_id = ${ctx.tenant.id} and g.merged_into = any(${ids}::bigint[])))
    order by merged_into is null, id for update`);
};

export type OtherContactRow = { id: number; name: string; phone: string | null; email: string | null; merged_at: Date };

/** Profiles that were merged into this guest. */
export const listMergedInto = (ctx: Ctx, id: number): Promise<OtherContactRow[]> =>
  ctx.db.query(sql<OtherContactRow>`
    select id, name, phone, email, merged_at from guests
    where restaurant_id = ${ctx.tenant.id} and merged_into = ${id} and erased_at is null order by id`);

/** The caller holds the locks of `lockGuestGroups`. The counters move to the guest that stays, so that sums over guests stay the same. */
export const markMerged = (ctx: Ctx, { from, into, keepsPhone }: { from: number; into: number; keepsPhone: boolean }): void =>
  ctx.db.defer(sql`
    update guests set merged_into = ${into}, merged_at = coalesce(merged_at, ${ctx.now}),
      phone = case when id = ${from} and not ${keepsPhone}::boolean then null else phone end,
      marketing_opted_in = false, marketing_opted_in_at = null, staff_note = null, visits_count = 0, total_spend_minor = 0, last_visit_at = null,
      updated_at = greatest(updated_at, ${ctx.now}::timestamptz), changed_at = ${CHANGED_AGAIN_AT}
    where restaurant_id = ${ctx.tenant.id} and (id = ${from} or merged_into = ${from})`);

export type MergedProfile = Omit<ProfileRow, "id" | "name">;

export const updateMergedProfile = (ctx: Ctx, id: number, profile: MergedProfile): void =>
  ctx.db.defer(sql`
    update guests set phone = ${profile.phone}, email = ${profile.email}, locale = ${profile.locale}, staff_note = ${profile.staff_note},
      marketing_opted_in = ${profile.marketing_opted_in}, marketing_opted_in_at = ${profile.marketing_opted_in_at},
      visits_count = ${profile.visits_count}, total_spend_minor = ${profile.total_spend_minor}, last_visit_at = ${profile.last_visit_at},
      created_at = ${profile.created_at}, updated_at = greatest(updated_at, ${ctx.now}::timestamptz), changed_at = ${CHANGED_AGAIN_AT}
    where restaurant_id = ${ctx.tenant.id} and id = ${id}`);
