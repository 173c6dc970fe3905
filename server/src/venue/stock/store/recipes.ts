import type { Translations } from "@comanda/contract/shared.ts";
import type { RecipeFile } from "@comanda/contract/venue-file/stock.ts";
import { type RawBuilder, sql } from "kysely";
import { insertRows } from "#db/bulk-upsert.ts";
import { first } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";

export type RecipeDishRow = { id: number; name: Translations; category: Translations; lines: number };

/** Dishes are in the order of the menu. Lines of options count for each dish that shows them. */
export const listRecipeDishes = (ctx: Ctx, rowCount: number): Promise<RecipeDishRow[]> =>
  ctx.db.query(sql<RecipeDishRow>`
    with of_items as (
      select item_id, count(*)::integer as lines from recipe_lines
      where restaurant_id = ${ctx.tenant.id} and item_id is not null group by item_id
    ), of_options as (
      select ig.item_id, count(*)::integer as lines
      from recipe_lines r join modifier_options o on o.restaurant_id = r.restaurant_id and o.id = r.option_id and o.deleted_at is null
      join item_modifier_groups ig on ig.restaurant_id = o.restaurant_id and ig.group_id = o.group_id
      where r.restaurant_id = ${ctx.tenant.id} and r.option_id is not null group by ig.item_id
    )
    select i.id, i.name, c.name as category, coalesce(a.lines, 0) + coalesce(b.lines, 0) as lines
    from items i join categories c on c.restaurant_id = i.restaurant_id and c.id = i.category_id and c.deleted_at is null
    join menus m on m.restaurant_id = c.restaurant_id and m.id = c.menu_id and m.deleted_at is null
    left join of_items a on a.item_id = i.id left join of_options b on b.item_id = i.id
    where i.restaurant_id = ${ctx.tenant.id} and i.deleted_at is null
    order by m.sort_order, m.id, c.sort_order, c.id, i.sort_order, i.id limit ${rowCount}`);

type NamedRow = { id: number; key: string; name: Translations };
export type RecipeSubjectRow = {
  id: number;
  key: string;
  name: Translations;
  variants: NamedRow[];
  modifier_groups: { key: string; name: Translations; dishes: number; options: NamedRow[] }[];
};

/** A dish with its sizes and options. */
export const findRecipeSubject = (ctx: Ctx, itemId: number): Promise<RecipeSubjectRow | undefined> =>
  first(
    ctx.db.query(sql<RecipeSubjectRow>`
      select i.id, i.key, i.name,
        (select coalesce(json_agg(json_build_object('id', v.id, 'key', v.key, 'name', v.name) order by v.sort_order, v.id), '[]')
         from item_variants v where v.restaurant_id = i.restaurant_id and v.item_id = i.id and v.deleted_at is null) as variants,
        (select coalesce(json_agg(json_build_object('key', g.key, 'name', g.name,
           'dishes', (select count(*) from item_modifier_groups other
             join items shown on shown.restaurant_id = other.restaurant_id and shown.id = other.item_id and shown.deleted_at is null
             where other.restaurant_id = g.restaurant_id and other.group_id = g.id),
           'options', (select coalesce(json_agg(json_build_object('id', o.id, 'key', o.key, 'name', o.name) order by o.sort_order, o.id), '[]')
             from modifier_options o where o.restaurant_id = g.restaurant_id and o.group_id = g.id and o.deleted_at is null))
           order by ig.sort_order, g.id), '[]')
         from item_modifier_groups ig join modifier_groups g on g.restaurant_id = ig.restaurant_id and g.id = ig.group_id
         where ig.restaurant_id = i.restaurant_id and ig.item_id = i.id and g.deleted_at is null) as modifier_groups
      from items i where i.restaurant_id = ${ctx.tenant.id} and i.id = ${itemId} and i.deleted_at is null`),
  );

/** Quantities are in thousandths. */
export type RecipeRow = Omit<RecipeFile, "ingredients"> & { ingredients: { ingredient: string; quantity: number }[] };

/** Recipes are in the order in which they were saved. */
const recipes = (ctx: Ctx, which: RawBuilder<unknown>): Promise<RecipeRow[]> =>
  ctx.db.query(sql<RecipeRow>`
    select i.key as item, v.key as variant, g.key as modifier_group, o.key as option,
      json_agg(json_build_object('ingredient', n.key, 'quantity', r.quantity_milli) order by r.id) as ingredients
    from recipe_lines r
    join ingredients n on n.restaurant_id = r.restaurant_id and n.id = r.ingredient_id and n.deleted_at is null
    left join items i on i.restaurant_id = r.restaurant_id and i.id = r.item_id and i.deleted_at is null
    left join item_variants v on v.restaurant_id = r.restaurant_id and v.id = r.variant_id and v.deleted_at is null
    left join modifier_options o on o.restaurant_id = r.restaurant_id and o.id = r.option_id and o.deleted_at is null
    left join modifier_groups g on g.restaurant_id = o.restaurant_id and g.id = o.group_id and g.deleted_at is null
    where r.restaurant_id = ${ctx.tenant.id} and (i.id is not null or g.id is not null) and (r.variant_id is null or v.id is not null) ${which}
    group by i.key, v.key, g.key, o.key order by min(r.id)`);

/** Lists the recipes of what is on the menu. */
export const listAllRecipes = (ctx: Ctx): Promise<RecipeRow[]> => recipes(ctx, sql``);

const ofSubject = ({ id, modifier_groups }: RecipeSubjectRow): RawBuilder<unknown> => {
  const optionIds = modifier_groups.flatMap(({ options }) => options.map((option) => option.id));
  return sql`(r.item_id = ${id} or r.option_id = any(${optionIds}::bigint[]))`;
};

export const listRecipesOf = (ctx: Ctx, subject: RecipeSubjectRow): Promise<RecipeRow[]> => recipes(ctx, sql`and ${ofSubject(subject)}`);

export type RecipeLineRow = {
  item_id: number | null;
  variant_id: number | null;
  option_id: number | null;
  ingredient_id: number;
  quantity_milli: number;
};

export const replaceRecipesOf = (ctx: Ctx, subject: RecipeSubjectRow, lines: RecipeLineRow[]): void => {
  ctx.db.defer(sql`delete from recipe_lines r where r.restaurant_id = ${ctx.tenant.id} and ${ofSubject(subject)}`);
  insertRows(ctx, "recipe_lines", lines);
};

/** Whether a dish or an option on the menu needs it. */
export const isInRecipe = async (ctx: Ctx, ingredientId: number): Promise<boolean> => {
  const found = await ctx.db.query(sql`
    select from recipe_lines r
    left join items i on i.restaurant_id = r.restaurant_id and i.id = r.item_id and i.deleted_at is null
    left join modifier_options o on o.restaurant_id = r.restaurant_id and o.id = r.option_id and o.deleted_at is null
    where r.restaurant_id = ${ctx.tenant.id} and r.ingredient_id = ${ingredientId} and (i.id is not null or o.id is not null) limit 1`);
  return found.length > 0;
};

export const deleteRecipesWith = (ctx: Ctx, ingredientId: number): void =>
  ctx.db.defer(sql`delete from recipe_lines where restaurant_id = ${ctx.tenant.id} and ingredient_id = ${ingredientId}`);

export type SoldOutChange = { id: number; is_available: boolean };

/** Ingredients that sell out, that are known, and of which no branch has anything. */
const EMPTY = (ctx: Ctx) => sql`
  select n.id from ingredients n
  where n.restaurant_id = ${ctx.tenant.id} and n.sells_out and n.deleted_at is null
    and (select bool_or(l.known_since is not null) and max(l.on_hand_milli) <= 0
      from stock_levels l join branches b on b.restaurant_id = l.restaurant_id and b.id = l.branch_id and b.deleted_at is null
      where l.restaurant_id = n.restaurant_id and l.ingredient_id = n.id)`;

/**
 * Dishes whose being sold out does not follow the stock: on sale without an ingredient that they need, or sold out by stock that is back. A
 * dish needs what its own recipe has, and what the recipe of each of its sizes has. `ids`: of these alone.
 */
export const listDishesToFlip = (ctx: Ctx, ids: readonly number[] | null, rowCount: number): Promise<SoldOutChange[]> =>
  ctx.db.query(sql<SoldOutChange>`
    with empty as materialized (${EMPTY(ctx)}), judged as (
      select i.id, i.is_available, exists (
          select from recipe_lines r where r.restaurant_id = i.restaurant_id and r.item_id = i.id and r.variant_id is null
            and r.ingredient_id in (select id from empty)
        ) or (select coalesce(bool_and(exists (
            select from recipe_lines r where r.restaurant_id = v.restaurant_id and r.item_id = i.id and r.variant_id = v.id
              and r.ingredient_id in (select id from empty))), false)
          from item_variants v where v.restaurant_id = i.restaurant_id and v.item_id = i.id and v.deleted_at is null) as is_short
      from items i
      where i.restaurant_id = ${ctx.tenant.id} and i.deleted_at is null ${ids === null ? sql`` : sql`and i.id = any(${[...ids]}::bigint[])`}
        and (i.sold_out_by_stock or (i.is_available and i.id in (select r.item_id from recipe_lines r
          where r.restaurant_id = ${ctx.tenant.id} and r.ingredient_id in (select id from empty))))
    )
    select id, not is_available as is_available from judged where is_available = is_short order by id limit ${rowCount}`);

/** Lists the options whose availability changes. */
export const listOptionsToFlip = (ctx: Ctx, ids: readonly number[] | null, rowCount: number): Promise<SoldOutChange[]> =>
  ctx.db.query(sql<SoldOutChange>`
    with empty as materialized (${EMPTY(ctx)}), judged as (
      select o.id, o.is_available, exists (
          select from recipe_lines r where r.restaurant_id = o.restaurant_id and r.option_id = o.id
            and r.ingredient_id in (select id from empty)) as is_short
      from modifier_options o join modifier_groups g on g.restaurant_id = o.restaurant_id and g.id = o.group_id and g.deleted_at is null
      where o.restaurant_id = ${ctx.tenant.id} and o.deleted_at is null ${ids === null ? sql`` : sql`and o.id = any(${[...ids]}::bigint[])`}
        and (o.sold_out_by_stock or (o.is_available and o.id in (select r.option_id from recipe_lines r
          where r.restaurant_id = ${ctx.tenant.id} and r.ingredient_id in (select id from empty))))
    )
    select id, not is_available as is_available from judged where is_available = is_short order by id limit ${rowCount}`);
