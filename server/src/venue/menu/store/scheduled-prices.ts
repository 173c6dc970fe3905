/** Prices that begin at a moment to come. */
import { sql } from "kysely";
import { insertRows } from "#db/bulk-upsert.ts";
import type { Ctx } from "#lib/context.ts";

export type ScheduledPriceRow = {
  id: string;
  item_id: number;
  item: string;
  variant: string | null;
  price_minor: number;
  starts_at: Date;
  planned_by: string;
};

const SCHEDULED = sql`
  select p.id, p.item_id, i.key as item, v.key as variant, p.price_minor, p.starts_at, p.planned_by
  from scheduled_prices p join items i on i.restaurant_id = p.restaurant_id and i.id = p.item_id and i.deleted_at is null
    left join item_variants v on v.restaurant_id = p.restaurant_id and v.id = p.variant_id and v.deleted_at is null
  where (p.variant_id is null or v.id is not null)`;

/** The next ones first. Dishes and sizes that were removed meanwhile are left out. */
export const listScheduled = (ctx: Ctx, rowCount: number): Promise<ScheduledPriceRow[]> =>
  ctx.db.query(sql<ScheduledPriceRow>`${SCHEDULED} and p.restaurant_id = ${ctx.tenant.id} order by p.starts_at, p.id limit ${rowCount}`);

export const listDue = (ctx: Ctx, startsAt: Date): Promise<ScheduledPriceRow[]> =>
  ctx.db.query(sql<ScheduledPriceRow>`
    ${SCHEDULED} and p.restaurant_id = ${ctx.tenant.id} and p.starts_at = ${startsAt} order by p.id for update of p`);

export const countScheduled = async (ctx: Ctx): Promise<number> => {
  const [row] = await ctx.db.query(
    sql<{ count: number }>`select count(*)::integer as count from scheduled_prices where restaurant_id = ${ctx.tenant.id}`,
  );
  return row?.count ?? 0;
};

export const isScheduled = async (ctx: Ctx, startsAt: Date): Promise<boolean> => {
  const rows = await ctx.db.query(
    sql`select from scheduled_prices where restaurant_id = ${ctx.tenant.id} and starts_at = ${startsAt} limit 1`,
  );
  return rows.length > 0;
};

export type PricedRow = { item_id: number; item: string; variant_id: number | null; variant: string | null };

/** Dishes and sizes by their keys. */
export const listPriced = (ctx: Ctx, items: readonly string[]): Promise<PricedRow[]> =>
  ctx.db.query(sql<PricedRow>`
    select i.id as item_id, i.key as item, v.id as variant_id, v.key as variant
    from items i left join item_variants v on v.restaurant_id = i.restaurant_id and v.item_id = i.id and v.deleted_at is null
    where i.restaurant_id = ${ctx.tenant.id} and i.deleted_at is null and i.key = any(${[...items]}::text[])`);

export type NewScheduledPrice = {
  id: string;
  item_id: number;
  variant_id: number | null;
  price_minor: number;
  starts_at: Date;
  planned_by: string;
};

export const replaceScheduled = (ctx: Ctx, rows: readonly NewScheduledPrice[]): void => {
  const [items, variants, starts] = [
    rows.map(({ item_id }) => item_id),
    rows.map(({ variant_id }) => variant_id),
    rows.map(({ starts_at }) => starts_at),
  ];
  ctx.db.defer(sql`
    delete from scheduled_prices p using unnest(${items}::bigint[], ${variants}::bigint[], ${starts}::timestamptz[]) as given (item_id, variant_id, starts_at)
    where p.restaurant_id = ${ctx.tenant.id} and p.item_id = given.item_id and p.starts_at = given.starts_at
      and p.variant_id is not distinct from given.variant_id`);
  insertRows(
    ctx,
    "scheduled_prices",
    rows.map((row) => ({ ...row })),
  );
};

/** Returns the dishes of those that were still there. */
export const deleteScheduled = (ctx: Ctx, ids: readonly string[]): Promise<{ item_id: number; price_minor: number; starts_at: Date }[]> =>
  ctx.db.query(sql<{ item_id: number; price_minor: number; starts_at: Date }>`
    delete from scheduled_prices where restaurant_id = ${ctx.tenant.id} and id = any(${[...ids]}::uuid[])
    returning item_id, price_minor, starts_at`);

export const deleteDue = (ctx: Ctx, startsAt: Date): void =>
  ctx.db.defer(sql`delete from scheduled_prices where restaurant_id = ${ctx.tenant.id} and starts_at = ${startsAt}`);
