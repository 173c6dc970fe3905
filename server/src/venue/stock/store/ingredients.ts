import type { IngredientFile } from "@comanda/contract/venue-file/stock.ts";
import { sql } from "kysely";
import { insertRows } from "#db/bulk-upsert.ts";
import { first, oneRow } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";

/** One change of ingredients and recipes at a time, so that each is decided by what the one before left. */
export const lockStockSettings = (ctx: Ctx): void =>
  ctx.db.defer(sql`select pg_advisory_xact_lock(hashtextextended(${`stock ${ctx.tenant.id}`}, 0))`);

/** An ingredient as a venue file has it. Par levels are in thousandths. */
export type IngredientRow = Omit<IngredientFile, "par_levels"> & { id: number; par_levels: { branch: string; level: number }[] };

const INGREDIENT = sql`
  select i.id, i.key, i.name, i.sku, i.unit, i.sells_out,
    (select coalesce(json_agg(json_build_object('branch', b.key, 'level', l.par_milli) order by b.sort_order, b.id), '[]')
     from stock_levels l join branches b on b.restaurant_id = l.restaurant_id and b.id = l.branch_id and b.deleted_at is null
     where l.restaurant_id = i.restaurant_id and l.ingredient_id = i.id and l.par_milli is not null) as par_levels
  from ingredients i`;

export const listIngredients = (ctx: Ctx): Promise<IngredientRow[]> =>
  ctx.db.query(
    sql<IngredientRow>`${INGREDIENT} where i.restaurant_id = ${ctx.tenant.id} and i.deleted_at is null order by i.sort_order, i.id`,
  );

export const findIngredient = (ctx: Ctx, id: number): Promise<IngredientRow | undefined> =>
  first(ctx.db.query(sql<IngredientRow>`${INGREDIENT} where i.restaurant_id = ${ctx.tenant.id} and i.id = ${id} and i.deleted_at is null`));

/** The next id and place, and how many there are. */
export const prepareIngredient = (ctx: Ctx): Promise<{ id: number; sort_order: number; count: number }> =>
  oneRow(
    ctx.db.query(sql<{ id: number; sort_order: number; count: number }>`
      select nextval('ingredient_ids') as id, coalesce(max(sort_order) + 1, 0)::integer as sort_order, count(*)::integer as count
      from ingredients where restaurant_id = ${ctx.tenant.id} and deleted_at is null`),
  );

type StoredIngredient = Omit<IngredientFile, "par_levels">;

export const insertIngredient = (ctx: Ctx, id: number, place: number, ingredient: StoredIngredient): void =>
  insertRows(ctx, "ingredients", [{ id, ...ingredient, sort_order: place }]);

export const updateIngredient = (ctx: Ctx, id: number, { name, sku, sells_out }: Omit<StoredIngredient, "key" | "unit">): void =>
  ctx.db.defer(sql`
    update ingredients set name = ${JSON.stringify(name)}::jsonb, sku = ${sku}, sells_out = ${sells_out}
    where restaurant_id = ${ctx.tenant.id} and id = ${id}`);

export const markIngredientRemoved = (ctx: Ctx, id: number): void =>
  ctx.db.defer(sql`update ingredients set deleted_at = ${ctx.now} where restaurant_id = ${ctx.tenant.id} and id = ${id}`);

export type ParRow = { ingredient_id: number; branch_id: number; par_milli: number };

/** The par levels of these ingredients become the given ones, in every branch. Levels are written in the order in which they are locked. */
export const replacePars = (ctx: Ctx, ingredientIds: readonly number[], pars: readonly ParRow[]): void => {
  const rows = JSON.stringify(pars);
  ctx.db.defer(sql`
    with cleared as (
      select l.branch_id, l.ingredient_id from stock_levels l
      where l.restaurant_id = ${ctx.tenant.id} and l.ingredient_id = any(${[...ingredientIds]}::bigint[]) and l.par_milli is not null
        and not exists (select from jsonb_to_recordset(${rows}::jsonb) p (ingredient_id bigint, branch_id bigint)
          where p.ingredient_id = l.ingredient_id and p.branch_id = l.branch_id)
      order by l.ingredient_id, l.branch_id for update
    )
    update stock_levels l set par_milli = null from cleared c
    where l.restaurant_id = ${ctx.tenant.id} and l.branch_id = c.branch_id and l.ingredient_id = c.ingredient_id`);
  ctx.db.defer(sql`
    insert into stock_levels (restaurant_id, branch_id, ingredient_id, par_milli)
    select ${ctx.tenant.id}::bigint, p.branch_id, p.ingredient_id, p.par_milli
    from jsonb_to_recordset(${rows}::jsonb) p (ingredient_id bigint, branch_id bigint, par_milli bigint)
    order by p.ingredient_id, p.branch_id
    on conflict (restaurant_id, branch_id, ingredient_id) do update set par_milli = excluded.par_milli`);
};
