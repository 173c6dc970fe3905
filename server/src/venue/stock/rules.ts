/** Quantities in thousandths of their unit, what an order takes, and when a level has fallen below par. */
import type { RecipeFile } from "@comanda/contract/venue-file/stock.ts";
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { keysIn, type ReportError } from "#lib/collect-errors.ts";
import type { FieldErrors } from "#lib/errors.ts";
import { sha256 } from "#lib/token-format.ts";
import type { RecipeLine } from "#venue/menu/rules/items.ts";

/** The contract allows three decimals, which binary floating point cannot represent exactly. */
export const milliOf = (quantity: number): number => Math.round(quantity * 1000);
export const quantityOf = (milli: number): number => milli / 1000;

export const stockVersionOf = (state: unknown): string => sha256(JSON.stringify(state)).toString("base64url");

/** What one line of an order takes of one ingredient. */
export type StockNeed = { line_id: number; ingredient_id: number; milli: number };

/** A line as it was ordered. */
export type StockedLine = { line_id: number; item_id: number; variant_id: number | null; option_ids: readonly number[]; quantity: number };

const takes = ({ item_id, variant_id, option_ids }: StockedLine, recipe: RecipeLine): boolean =>
  recipe.option_id === null
    ? recipe.item_id === item_id && (recipe.variant_id === null || recipe.variant_id === variant_id)
    : option_ids.includes(recipe.option_id);

/** The dish, its size and its options together. Null when none of the lines has a recipe, as in most orders. */
export const needsOf = (lines: readonly StockedLine[], recipe: readonly RecipeLine[]): StockNeed[] | null => {
  if (recipe.length === 0) return null;
  const needs = lines.flatMap((line) => {
    const milliOfIngredient = new Map<number, number>();
    for (const one of recipe)
      if (takes(line, one))
        milliOfIngredient.set(one.ingredient_id, (milliOfIngredient.get(one.ingredient_id) ?? 0) + one.quantity_milli * line.quantity);
    return [...milliOfIngredient].map(([ingredient_id, milli]) => ({ line_id: line.line_id, ingredient_id, milli }));
  });
  return needs.length === 0 ? null : needs;
};

export type IngredientAmount = { ingredient_id: number; milli: number };

/** Adds up the needs of these lines, in the order in which levels are locked. */
export const amountsOf = (needs: readonly StockNeed[], lineIds: ReadonlySet<number>): IngredientAmount[] => {
  const amounts = new Map<number, number>();
  for (const { line_id, ingredient_id, milli } of needs)
    if (lineIds.has(line_id)) amounts.set(ingredient_id, (amounts.get(ingredient_id) ?? 0) + milli);
  return [...amounts].map(([ingredient_id, milli]) => ({ ingredient_id, milli })).sort((a, b) => a.ingredient_id - b.ingredient_id);
};

type LevelChange = { amount_milli: number; on_hand_milli: number; par_milli: number | null };

/** The level was at the par level or above, and is below it now (open point D171). */
export const hasFallenBelowPar = ({ amount_milli, on_hand_milli, par_milli }: LevelChange): boolean =>
  par_milli !== null && on_hand_milli < par_milli && on_hand_milli - amount_milli >= par_milli;

/** Whether there is something of it, which there was not before, or the other way round. */
export const hasRunOutOrReturned = ({ amount_milli, on_hand_milli }: LevelChange): boolean =>
  on_hand_milli > 0 !== on_hand_milli - amount_milli > 0;

/** Lines of a delivery with the same ingredient are added up. */
export const summedLines = (lines: readonly { ingredient_id: number; quantity: number }[]): IngredientAmount[] =>
  amountsOf(
    lines.map(({ ingredient_id, quantity }) => ({ line_id: 0, ingredient_id, milli: milliOf(quantity) })),
    new Set([0]),
  );

type RecipeSubjects = {
  key: string;
  variants: readonly { key: string }[];
  modifier_groups: readonly { key: string; options: readonly { key: string }[] }[];
  ingredients: readonly { key: string }[];
};

export const recipeOwner = ({ item, variant, modifier_group, option }: RecipeFile): string =>
  option === null ? `${item} ${variant ?? ""}` : `${modifier_group}/${option}`;

const OWNER_FAULT = "Name a dish, a dish and its size, or a modifier group and its option.";

const hasOneOwner = ({ item, variant, modifier_group, option }: RecipeFile): boolean =>
  (item === null) !== (option === null) && (variant === null || item !== null) && (option === null) === (modifier_group === null);

const subjectError = (recipe: RecipeFile, dish: RecipeSubjects): string | null => {
  const { item, variant, modifier_group, option } = recipe;
  if (!hasOneOwner(recipe)) return OWNER_FAULT;
  if (item !== null && item !== dish.key) return "Is another dish.";
  if (variant !== null && !dish.variants.some(({ key }) => key === variant)) return `There is no size ${variant}.`;
  const group = dish.modifier_groups.find(({ key }) => key === modifier_group);
  return option !== null && !group?.options.some(({ key }) => key === option) ? `The dish has no option ${option}.` : null;
};

/** What cannot be a recipe of this dish. */
export const recipeErrors = (dish: RecipeSubjects, recipes: readonly RecipeFile[]): FieldErrors => {
  const errors: FieldErrors = {};
  const known = new Set(dish.ingredients.map(({ key }) => key));
  const owners = new Set<string>();
  for (const [index, recipe] of recipes.entries()) {
    const wrong = subjectError(recipe, dish);
    if (wrong !== null) errors[`recipes.${index}`] = [wrong];
    else if (owners.has(recipeOwner(recipe))) errors[`recipes.${index}`] = ["Occurs twice."];
    owners.add(recipeOwner(recipe));
    const used = new Set<string>();
    for (const [place, { ingredient }] of recipe.ingredients.entries()) {
      if (!known.has(ingredient)) errors[`recipes.${index}.ingredients.${place}.ingredient`] = [`There is no ingredient ${ingredient}.`];
      else if (used.has(ingredient)) errors[`recipes.${index}.ingredients.${place}.ingredient`] = [`${ingredient} occurs twice.`];
      used.add(ingredient);
    }
  }
  return errors;
};

export const parLevelErrors = (parLevels: readonly { branch: string }[], branches: readonly { key: string }[]): FieldErrors => {
  const errors: FieldErrors = {};
  const seen = new Set<string>();
  for (const [index, { branch }] of parLevels.entries()) {
    if (!branches.some(({ key }) => key === branch)) errors[`ingredient.par_levels.${index}.branch`] = [`There is no branch ${branch}.`];
    else if (seen.has(branch)) errors[`ingredient.par_levels.${index}.branch`] = [`${branch} occurs twice.`];
    seen.add(branch);
  }
  return errors;
};

type StockFile = Pick<VenueFile, "branches" | "menus" | "modifier_groups" | "ingredients" | "recipes">;

const repeatsIn = (keys: readonly string[]): string[] => {
  const seen = new Set<string>();
  return keys.filter((key) => seen.size === seen.add(key).size);
};

/** Ingredients and recipes of a file, against its branches and its menu. */
export const checkStock = (file: StockFile, report: ReportError): void => {
  const branches = keysIn(file.branches);
  for (const [index, { par_levels }] of file.ingredients.entries()) {
    const path = `ingredients.${index}.par_levels`;
    for (const branch of repeatsIn(par_levels.map((par) => par.branch))) report(path, `${branch} occurs twice.`);
    for (const { branch } of par_levels) if (!branches.has(branch)) report(path, `There is no branch ${branch}.`);
  }
  const subjects = {
    ingredients: keysIn(file.ingredients),
    variantsOf: new Map(
      file.menus.flatMap((menu) => menu.categories.flatMap(({ items }) => items.map((item) => [item.key, keysIn(item.variants)] as const))),
    ),
    optionsOf: new Map(file.modifier_groups.map(({ key, options }) => [key, keysIn(options)])),
  };
  for (const owner of repeatsIn(file.recipes.map(recipeOwner))) report("recipes", `${owner.trim()} occurs twice.`);
  for (const [index, recipe] of file.recipes.entries()) checkRecipe(recipe, subjects, (sentence) => report(`recipes.${index}`, sentence));
};

type RecipeKeys = {
  ingredients: ReadonlySet<string>;
  variantsOf: ReadonlyMap<string, ReadonlySet<string>>;
  optionsOf: ReadonlyMap<string, ReadonlySet<string>>;
};

const checkRecipe = (recipe: RecipeFile, known: RecipeKeys, report: (sentence: string) => void): void => {
  const { item, variant, modifier_group, option } = recipe;
  if (!hasOneOwner(recipe)) report(OWNER_FAULT);
  else if (item !== null && !known.variantsOf.has(item)) report(`There is no dish ${item}.`);
  else if (item !== null && variant !== null && !known.variantsOf.get(item)?.has(variant))
    report(`There is no size ${variant} of ${item}.`);
  else if (modifier_group !== null && option !== null && !known.optionsOf.get(modifier_group)?.has(option))
    report(`There is no option ${option} of ${modifier_group}.`);
  const keys = recipe.ingredients.map(({ ingredient }) => ingredient);
  for (const key of keys) if (!known.ingredients.has(key)) report(`There is no ingredient ${key}.`);
  for (const key of repeatsIn(keys)) report(`${key} occurs twice.`);
};

/** Levels, entries and recipes are kept in the unit of their ingredient. */
export const unitErrors = (venue: Pick<StockFile, "ingredients">, file: Pick<StockFile, "ingredients">): FieldErrors => {
  const units = new Map(venue.ingredients.map(({ key, unit }) => [key, unit]));
  return Object.fromEntries(
    file.ingredients.flatMap(({ key, unit }, index): [string, string[]][] => {
      const stored = units.get(key);
      return stored === undefined || stored === unit
        ? []
        : [[`ingredients.${index}.unit`, [`Is counted in ${stored}, which cannot be changed.`]]];
    }),
  );
};
