/** Recipes as managers write them: what a portion of a dish takes, what a size and what an option take in addition. */
import type { DishRecipe, RecipeList } from "@comanda/contract/console/stock.ts";
import type { RecipeFile } from "@comanda/contract/venue-file/stock.ts";
import type { Ctx } from "#lib/context.ts";
import { type ApiError, apiError, validationError } from "#lib/errors.ts";
import { recordAudit, stateChanged } from "#platform/activity/audit/service.ts";
import { milliOf, quantityOf, recipeErrors, stockVersionOf } from "../rules.ts";
import { type IngredientRow, listIngredients, lockStockSettings } from "../store/ingredients.ts";
import {
  findRecipeSubject,
  listRecipeDishes,
  listRecipesOf,
  type RecipeLineRow,
  type RecipeRow,
  type RecipeSubjectRow,
  replaceRecipesOf,
} from "../store/recipes.ts";
import { planSoldOut } from "./booking.ts";

const DISHES_SHOWN_MAX = 5000;

export const readRecipeList = async (ctx: Ctx): Promise<RecipeList> => ({
  dishes: await listRecipeDishes(ctx, DISHES_SHOWN_MAX),
  default_language: ctx.tenant.default_language,
});

const asFile = ({ ingredients, ...recipe }: RecipeRow): RecipeFile => ({
  ...recipe,
  ingredients: ingredients.map(({ ingredient, quantity }) => ({ ingredient, quantity: quantityOf(quantity) })),
});

type StoredRecipe = { subject: RecipeSubjectRow; ingredients: IngredientRow[]; shown: DishRecipe };

const readStored = async (ctx: Ctx, itemId: number): Promise<StoredRecipe> => {
  const [subject, ingredients] = await Promise.all([findRecipeSubject(ctx, itemId), listIngredients(ctx)]);
  if (!subject) throw apiError("not_found");
  const recipes = (await listRecipesOf(ctx, subject)).map(asFile);
  const named = ({ key, name }: { key: string; name: DishRecipe["name"] }) => ({ key, name });
  const shown: DishRecipe = {
    id: subject.id,
    key: subject.key,
    name: subject.name,
    version: stockVersionOf(recipes),
    variants: subject.variants.map(named),
    modifier_groups: subject.modifier_groups.map((group) => ({ ...group, options: group.options.map(named) })),
    recipes,
    ingredients: ingredients.map(({ key, name, unit }) => ({ key, name, unit })),
    default_language: ctx.tenant.default_language,
  };
  return { subject, ingredients, shown };
};

export const readDishRecipe = async (ctx: Ctx, itemId: number): Promise<DishRecipe> => (await readStored(ctx, itemId)).shown;

/** The recipes have been checked: their keys are those of the dish. */
const linesOf = (subject: RecipeSubjectRow, ingredients: readonly IngredientRow[], recipes: readonly RecipeFile[]): RecipeLineRow[] => {
  const idOf = (rows: readonly { id: number; key: string }[], key: string | null): number | null =>
    rows.find((row) => row.key === key)?.id ?? null;
  return recipes.flatMap((recipe) => {
    const group = subject.modifier_groups.find(({ key }) => key === recipe.modifier_group);
    const owner = {
      item_id: recipe.item === null ? null : subject.id,
      variant_id: idOf(subject.variants, recipe.variant),
      option_id: idOf(group?.options ?? [], recipe.option),
    };
    return recipe.ingredients.map(({ ingredient, quantity }) => ({
      ...owner,
      ingredient_id: idOf(ingredients, ingredient) ?? 0,
      quantity_milli: milliOf(quantity),
    }));
  });
};

/** Compare and set. Orders that were placed before keep the recipe that they were placed with. */
export const saveSeenRecipe = async (
  ctx: Ctx,
  itemId: number,
  read: () => { seen_version: string; recipes: RecipeFile[] },
): Promise<DishRecipe> => {
  lockStockSettings(ctx);
  const { subject, ingredients, shown: before } = await readStored(ctx, itemId);
  const { seen_version, recipes } = read();
  if (before.version !== seen_version) throw await recipeChanged(ctx, before);
  const errors = recipeErrors({ ...subject, ingredients }, recipes);
  if (Object.keys(errors).length > 0) throw validationError(errors);
  replaceRecipesOf(ctx, subject, linesOf(subject, ingredients, recipes));
  const { shown: after } = await readStored(ctx, itemId);
  if (after.version === before.version) return after;
  recordAudit(ctx, {
    action: "recipe.saved",
    subject: { kind: "recipe", id: itemId },
    before: { recipes: before.recipes },
    after: { recipes: after.recipes },
  });
  await planSoldOut(ctx);
  return after;
};

const recipeChanged = (ctx: Ctx, recipe: DishRecipe): Promise<ApiError> =>
  stateChanged(ctx, { area: "recipe", subject: recipe.id }, { recipe });
