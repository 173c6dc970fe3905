import { sql } from "kysely";
import { first } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";

export type Portions = { item_id: number; quantity: number };
export type ItemCount = { item_id: number; remaining: number };

/** Locks the count until the transaction ends. */
export const findCountForChange = (ctx: Ctx, itemId: number): Promise<{ remaining: number } | undefined> =>
  first(
    ctx.db.query(sql<{ remaining: number }>`
      select remaining from item_counts where restaurant_id = ${ctx.tenant.id} and item_id = ${itemId} for update`),
  );

/** A count that goes on keeps the moment since which orders are counted. */
export const upsertCount = (ctx: Ctx, itemId: number, remaining: number): void =>
  ctx.db.defer(sql`
    insert into item_counts (restaurant_id, item_id, remaining, counted_from) values (${ctx.tenant.id}, ${itemId}, ${remaining}, ${ctx.now})
    on conflict (restaurant_id, item_id) do update set remaining = excluded.remaining`);

export const deleteCount = (ctx: Ctx, itemId: number): void =>
  ctx.db.defer(sql`delete from item_counts where restaurant_id = ${ctx.tenant.id} and item_id = ${itemId}`);

/** Rows are locked in the order of their ids, so that two orders of the same dishes never wait for each other. */
const locked = (ctx: Ctx, portions: readonly Portions[]) => sql`
  select n.item_id, p.quantity, n.counted_from
  from item_counts n join unnest(${portions.map(({ item_id }) => item_id)}::bigint[], ${portions.map(({ quantity }) => quantity)}::bigint[])
    as p (item_id, quantity) on p.item_id = n.item_id
  where n.restaurant_id = ${ctx.tenant.id} order by n.item_id for update of n`;

/** Fails with `item_counts_remaining` when a concurrent order took the last portions. */
export const subtractPortions = (ctx: Ctx, portions: readonly Portions[]): Promise<ItemCount[]> =>
  ctx.db.query(sql<ItemCount>`
    with taken as (${locked(ctx, portions)})
    update item_counts n set remaining = n.remaining - taken.quantity from taken
    where n.restaurant_id = ${ctx.tenant.id} and n.item_id = taken.item_id returning n.item_id, n.remaining`);

/** Changes only counts that were running when the order was placed. */
export const addPortions = (ctx: Ctx, portions: readonly Portions[], placedAt: Date): Promise<ItemCount[]> =>
  ctx.db.query(sql<ItemCount>`
    with returned as (${locked(ctx, portions)})
    update item_counts n set remaining = n.remaining + returned.quantity from returned
    where n.restaurant_id = ${ctx.tenant.id} and n.item_id = returned.item_id and returned.counted_from <= ${placedAt}
    returning n.item_id, n.remaining`);

/** A file may have sold a counted dish out, or brought back one whose count had ended. */
export const deleteEndedCounts = (ctx: Ctx): void =>
  ctx.db.defer(sql`
    delete from item_counts n using items i
    where n.restaurant_id = ${ctx.tenant.id} and i.restaurant_id = n.restaurant_id and i.id = n.item_id
      and (i.is_available <> (n.remaining > 0) or i.deleted_at is not null)`);
