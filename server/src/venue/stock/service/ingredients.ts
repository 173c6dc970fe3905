/** Ingredients as managers keep them: name, unit, par levels, and whether dishes sell out with them. */
import type { IngredientDetails, IngredientValue } from "@comanda/contract/console/stock.ts";
import { INGREDIENTS_MAX } from "@comanda/contract/venue-file/stock.ts";
import type { Ctx } from "#lib/context.ts";
import { type ApiError, apiError, type FieldErrors, validationError } from "#lib/errors.ts";
import { newKey } from "#lib/ids.ts";
import { recordAudit, stateChanged } from "#platform/activity/audit/service.ts";
import { listBranches } from "#venue/settings/service.ts";
import { milliOf, parLevelErrors, quantityOf, stockVersionOf } from "../rules.ts";
import {
  findIngredient,
  type IngredientRow,
  insertIngredient,
  lockStockSettings,
  markIngredientRemoved,
  type ParRow,
  prepareIngredient,
  replacePars,
  updateIngredient,
} from "../store/ingredients.ts";
import { deleteRecipesWith, isInRecipe } from "../store/recipes.ts";
import { planSoldOut } from "./booking.ts";

const shownValue = ({ name, sku, unit, sells_out, par_levels }: IngredientRow): IngredientValue => ({
  name,
  sku,
  unit,
  sells_out,
  par_levels: par_levels.map(({ branch, level }) => ({ branch, level: quantityOf(level) })),
});

const detailsOf = (row: IngredientRow): IngredientDetails => {
  const value = shownValue(row);
  return { id: row.id, version: stockVersionOf(value), value };
};

const readStored = async (ctx: Ctx, id: number): Promise<IngredientRow> => {
  const row = await findIngredient(ctx, id);
  if (!row) throw apiError("not_found");
  return row;
};

export const readIngredientDetails = async (ctx: Ctx, id: number): Promise<IngredientDetails> => detailsOf(await readStored(ctx, id));

const refuse = (errors: FieldErrors): void => {
  if (Object.keys(errors).length > 0) throw validationError(errors);
};

type BranchKey = { id: number; key: string };

const parsOf = (id: number, { par_levels }: IngredientValue, branches: readonly BranchKey[]): ParRow[] =>
  par_levels.map(({ branch, level }) => ({
    ingredient_id: id,
    branch_id: branches.find(({ key }) => key === branch)?.id ?? 0,
    par_milli: milliOf(level),
  }));

export const addIngredient = async (ctx: Ctx, value: IngredientValue): Promise<IngredientDetails> => {
  lockStockSettings(ctx);
  const [branches, { id, sort_order, count }] = await Promise.all([listBranches(ctx), prepareIngredient(ctx)]);
  refuse({
    ...parLevelErrors(value.par_levels, branches),
    ...(count >= INGREDIENTS_MAX ? { ingredient: [`A venue has at most ${INGREDIENTS_MAX} ingredients.`] } : {}),
  });
  const { par_levels: _, ...stored } = value;
  insertIngredient(ctx, id, sort_order, { key: newKey("ingredient"), ...stored });
  replacePars(ctx, [id], parsOf(id, value, branches));
  recordAudit(ctx, { action: "ingredient.created", subject: { kind: "ingredient", id }, after: value });
  return readIngredientDetails(ctx, id);
};

/** Compare and set. The unit stays, because entries and recipes are in it. */
export const saveSeenIngredient = async (
  ctx: Ctx,
  id: number,
  read: () => { seen_version: string; ingredient: IngredientValue },
): Promise<IngredientDetails> => {
  lockStockSettings(ctx);
  const before = await readIngredientDetails(ctx, id);
  const { seen_version, ingredient } = read();
  if (before.version !== seen_version) throw await ingredientChanged(ctx, before);
  const branches = await listBranches(ctx);
  refuse({
    ...parLevelErrors(ingredient.par_levels, branches),
    ...(ingredient.unit === before.value.unit ? {} : { "ingredient.unit": ["The unit of an ingredient stays. Add another ingredient."] }),
  });
  updateIngredient(ctx, id, ingredient);
  replacePars(ctx, [id], parsOf(id, ingredient, branches));
  const after = await readIngredientDetails(ctx, id);
  if (after.version === before.version) return after;
  recordAudit(ctx, { action: "ingredient.changed", subject: { kind: "ingredient", id }, before: before.value, after: after.value });
  if (after.value.sells_out !== before.value.sells_out) await planSoldOut(ctx);
  return after;
};

const ingredientChanged = (ctx: Ctx, ingredient: IngredientDetails): Promise<ApiError> =>
  stateChanged(ctx, { area: "ingredient", subject: ingredient.id }, { ingredient });

/** Its entries stay. */
export const removeIngredient = async (ctx: Ctx, id: number): Promise<void> => {
  lockStockSettings(ctx);
  const { value } = await readIngredientDetails(ctx, id);
  if (await isInRecipe(ctx, id)) throw validationError({ recipes: ["A recipe needs it. Take it out of the recipes first."] });
  // Recipes of dishes that are no longer on the menu.
  deleteRecipesWith(ctx, id);
  markIngredientRemoved(ctx, id);
  recordAudit(ctx, { action: "ingredient.removed", subject: { kind: "ingredient", id }, before: value });
};
