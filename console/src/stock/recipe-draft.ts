/** The recipe of a dish as the page edits it: one part for the dish, each of its sizes and each of its options. */
import type { DishRecipe } from "@comanda/contract/console/stock.ts";
import type { Translations } from "@comanda/contract/shared.ts";
import type { RecipeFile } from "@comanda/contract/venue-file/stock.ts";
import { readQuantity } from "./quantities.ts";

export type RecipeDraftLine = { number: number; ingredient: string; quantity: string };
type RecipeOwner = Omit<RecipeFile, "ingredients">;
export type RecipePart = {
  id: string;
  kind: "dish" | "size" | "option";
  owner: RecipeOwner;
  name: Translations;
  /** The number of dishes that an option is a part of. */
  dishes: number;
};
export type RecipeDraft = Readonly<Record<string, readonly RecipeDraftLine[]>>;

const idOf = ({ item, variant, modifier_group, option }: RecipeOwner): string => [item, variant, modifier_group, option].join("|");

const NO_OWNER: RecipeOwner = { item: null, variant: null, modifier_group: null, option: null };

export const partsOf = (recipe: DishRecipe): RecipePart[] => {
  const ofDish = { ...NO_OWNER, item: recipe.key };
  const part = (kind: RecipePart["kind"], owner: RecipeOwner, name: Translations, dishes = 1): RecipePart => ({
    id: idOf(owner),
    kind,
    owner,
    name,
    dishes,
  });
  return [
    part("dish", ofDish, recipe.name),
    ...recipe.variants.map(({ key, name }) => part("size", { ...ofDish, variant: key }, name)),
    ...recipe.modifier_groups.flatMap((group) =>
      group.options.map(({ key, name }) => part("option", { ...NO_OWNER, modifier_group: group.key, option: key }, name, group.dishes)),
    ),
  ];
};

export const draftOf = ({ recipes }: DishRecipe): RecipeDraft =>
  Object.fromEntries(
    recipes.map(({ ingredients, ...owner }) => [
      idOf(owner),
      ingredients.map(({ ingredient, quantity }, number) => ({ number, ingredient, quantity: String(quantity) })),
    ]),
  );

const isEmpty = ({ ingredient, quantity }: RecipeDraftLine): boolean => ingredient === "" && quantity.trim() === "";

export const isRightLine = (line: RecipeDraftLine, all: readonly RecipeDraftLine[]): boolean =>
  isEmpty(line) ||
  (line.ingredient !== "" &&
    (readQuantity(line.quantity) ?? 0) > 0 &&
    all.filter(({ ingredient }) => ingredient === line.ingredient).length === 1);

export const isRightDraft = (draft: RecipeDraft): boolean =>
  Object.values(draft).every((lines) => lines.every((line) => isRightLine(line, lines)));

/** Lines without an ingredient are left out. */
export const recipesOf = (parts: readonly RecipePart[], draft: RecipeDraft): RecipeFile[] =>
  parts.flatMap(({ id, owner }) => {
    const ingredients = (draft[id] ?? [])
      .filter((line) => !isEmpty(line))
      .map(({ ingredient, quantity }) => ({ ingredient, quantity: readQuantity(quantity) ?? 0 }));
    return ingredients.length === 0 ? [] : [{ ...owner, ingredients }];
  });
