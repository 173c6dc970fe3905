/** Search for guests. Its cost does not grow with the number of guests. */
import { type RawBuilder, sql } from "kysely";
import type { Ctx } from "#lib/context.ts";
import type { GuestSearch } from "../rules.ts";

export type FoundGuestRow = {
  id: number;
  name: string;
  phone: string | null;
  email: string | null;
  visits_count: number;
  last_visit_at: Date | null;
  marketing_opted_in: boolean;
};

/** How many of the profiles that changed last are compared one by one. */
const RECENT_MAX = 1000;
/** The limit of what an index finds. The comparison finds the recent profiles among a larger number. */
const FOUND_MAX = 200;

const conditionsOf = (search: NonNullable<GuestSearch>): { inside: RawBuilder<unknown>; indexed: RawBuilder<unknown> } => {
  if ("digits" in search)
    return {
      inside: sql`position(${search.digits}::text in phone_key) > 0`,
      indexed: sql`guests_by_phone_end(${search.digits}::text, ${FOUND_MAX}::integer)`,
    };
  return {
    inside: sql`position(lower(${search.name}::text) in lower(name)) > 0`,
    indexed: sql`guests_by_name_beginning(lower(${search.name}::text), ${FOUND_MAX}::integer)`,
  };
};

/**
 * Guests with the latest visit are first. A profile that was merged leads to the guest that stayed. Without a search it lists the recent
 * ones.
 */
export const searchGuestRows = (ctx: Ctx, search: GuestSearch, rowCount: number): Promise<FoundGuestRow[]> => {
  const { inside, indexed } = search ? conditionsOf(search) : { inside: sql`true`, indexed: null };
  const recent = sql`
    (select coalesce(merged_into, id) as id from (
       select id, merged_into, name, phone_key from guests
       where restaurant_id = ${ctx.tenant.id} and erased_at is null order by updated_at desc limit ${RECENT_MAX}::integer
     ) recent where ${inside} limit ${FOUND_MAX}::integer)`;
  const found = indexed === null ? recent : sql`${recent} union select id from ${indexed}`;
  return ctx.db.query(sql<FoundGuestRow>`
    select id, name, phone, email, visits_count, last_visit_at, marketing_opted_in from guests
    where restaurant_id = ${ctx.tenant.id} and erased_at is null and merged_into is null
      and id = any(array(${found}))
    order by coalesce(last_visit_at, created_at) desc, id desc limit ${rowCount}::integer`);
};
