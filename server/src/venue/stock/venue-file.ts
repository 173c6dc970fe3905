/** Ingredients and recipes in a venue file. What is there of an ingredient is left as it is. */
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { sql } from "kysely";
import { idsByKey, removeOthers, replaceRows, upsertRows } from "#db/bulk-upsert.ts";
import type { Ctx } from "#lib/context.ts";
import { UserError } from "#lib/errors.ts";
import { milliOf, quantityOf } from "./rules.ts";
import { listIngredients, lockStockSettings, replacePars } from "./store/ingredients.ts";
import { listAllRecipes } from "./store/recipes.ts";

type StockPart = Pick<VenueFile, "ingredients" | "recipes">;

/** Runs after the branches and the menu of the file. */
export const applyStock = async (ctx: Ctx, { ingredients, recipes }: StockPart): Promise<void> => {
  lockStockSettings(ctx);
  await assertUnitsStay(ctx, ingredients);
  await upsertRows(
    ctx,
    { table: "ingredients" },
    ingredients.map(({ par_levels: _, ...ingredient }, index) => ({ ...ingredient, sort_order: index, deleted_at: null })),
  );
  await removeOthers(
    ctx,
    "ingredients",
    ingredients.map(({ key }) => key),
  );
  const [ingredientId, branchId] = [await idsByKey(ctx, "ingredients"), await idsByKey(ctx, "branches")];
  replacePars(
    ctx,
    ingredients.map(({ key }) => ingredientId(key)),
    ingredients.flatMap(({ key, par_levels }) =>
      par_levels.map(({ branch, level }) => ({ ingredient_id: ingredientId(key), branch_id: branchId(branch), par_milli: milliOf(level) })),
    ),
  );
  await applyRecipes(ctx, recipes, ingredientId);
};

/** Entries and recipes of orders are in the unit. */
const assertUnitsStay = async (ctx: Ctx, ingredients: StockPart["ingredients"]): Promise<void> => {
  const units = new Map((await listIngredients(ctx)).map(({ key, unit }) => [key, unit]));
  for (const { key, unit } of ingredients) {
    const stored = units.get(key);
    if (stored !== undefined && stored !== unit)
      throw new UserError(`The ingredient ${key} is counted in ${stored}, which cannot be changed. Give the new one another key.`);
  }
};

type PlacedKey = { id: number; key: string; within: string };

const applyRecipes = async (ctx: Ctx, recipes: StockPart["recipes"], ingredientId: (key: string) => number): Promise<void> => {
  const itemId = await idsByKey(ctx, "items");
  const [variants, options] = [
    await ctx.db.query(sql<PlacedKey>`
      select v.id, v.key, i.key as within from item_variants v join items i on i.restaurant_id = v.restaurant_id and i.id = v.item_id
      where v.restaurant_id = ${ctx.tenant.id}`),
    await ctx.db.query(sql<PlacedKey>`
      select o.id, o.key, g.key as within from modifier_options o
      join modifier_groups g on g.restaurant_id = o.restaurant_id and g.id = o.group_id where o.restaurant_id = ${ctx.tenant.id}`),
  ].map((rows) => new Map(rows.map(({ id, key, within }) => [`${within} ${key}`, id])));
  const rows = recipes.flatMap(({ item, variant, modifier_group, option, ingredients }) =>
    ingredients.map(({ ingredient, quantity }) => ({
      item_id: item === null ? null : itemId(item),
      variant_id: variant === null ? null : variants?.get(`${item} ${variant}`),
      option_id: option === null ? null : options?.get(`${modifier_group} ${option}`),
      ingredient_id: ingredientId(ingredient),
      quantity_milli: milliOf(quantity),
    })),
  );
  replaceRows(ctx, "recipe_lines", rows);
};

export const collectStock = async (ctx: Ctx): Promise<StockPart> => {
  const [ingredients, recipes] = [await listIngredients(ctx), await listAllRecipes(ctx)];
  return {
    ingredients: ingredients.map(({ id: _, par_levels, ...ingredient }) => ({
      ...ingredient,
      par_levels: par_levels.map(({ branch, level }) => ({ branch, level: quantityOf(level) })),
    })),
    recipes: recipes.map((recipe) => ({
      ...recipe,
      ingredients: recipe.ingredients.map(({ ingredient, quantity }) => ({ ingredient, quantity: quantityOf(quantity) })),
    })),
  };
};
