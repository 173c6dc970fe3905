import type { DishRecipe } from "@comanda/contract/console/stock.ts";
import { expect, test } from "vitest";
import { draftOf, isRightDraft, partsOf, recipesOf } from "./recipe-draft.ts";

const RECIPE: DishRecipe = {
  id: 1,
  version: "v",
  key: "pizza",
  name: { en: "Pizza" },
  variants: [{ key: "large", name: { en: "Large" } }],
  modifier_groups: [{ key: "extras", name: { en: "Extras" }, dishes: 4, options: [{ key: "egg", name: { en: "Egg" } }] }],
  recipes: [
    { item: "pizza", variant: null, modifier_group: null, option: null, ingredients: [{ ingredient: "flour", quantity: 0.25 }] },
    { item: null, variant: null, modifier_group: "extras", option: "egg", ingredients: [{ ingredient: "eggs", quantity: 1 }] },
  ],
  ingredients: [],
  default_language: "en",
};

test("a recipe that was not edited is saved as it was read", () => {
  expect(recipesOf(partsOf(RECIPE), draftOf(RECIPE))).toEqual(RECIPE.recipes);
  expect(partsOf(RECIPE).map(({ kind, dishes }) => [kind, dishes])).toEqual([
    ["dish", 1],
    ["size", 1],
    ["option", 4],
  ]);
});

test("empty lines are left out; a line without a quantity, or an ingredient twice, cannot be saved", () => {
  const id = partsOf(RECIPE)[0]?.id ?? "";
  const draft = (...lines: [string, string][]) => ({
    [id]: lines.map(([ingredient, quantity], number) => ({ number, ingredient, quantity })),
  });
  expect(isRightDraft(draft(["flour", "0.2"], ["", ""]))).toBe(true);
  expect(recipesOf(partsOf(RECIPE), draft(["", ""]))).toEqual([]);
  for (const wrong of [draft(["flour", ""]), draft(["", "1"]), draft(["flour", "0"]), draft(["flour", "1"], ["flour", "2"])])
    expect(isRightDraft(wrong)).toBe(false);
});
