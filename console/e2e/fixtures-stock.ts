/** Fixtures: ingredients of every state, the ledger of one, and a recipe. */
import type { DishRecipe, IngredientDetails, RecipeList, StockLedger, StockLevel, StockSheet } from "@comanda/contract/console/stock.ts";
import { ago, DAY, HOUR } from "./fixture-times.ts";

const mozzarella: StockLevel = {
  id: 1025,
  name: { it: "Mozzarella di bufala", en: "Buffalo mozzarella", ar: "موزاريلا الجاموس" },
  sku: "MOZ-BUF-1KG",
  unit: "kg",
  sells_out: true,
  on_hand: 4.75,
  par_level: 5,
  is_known: true,
  counted_at: ago(9 * HOUR),
};

export const stockSheet: StockSheet = {
  branch_id: 1,
  branches: [
    { id: 1, key: "trastevere", name: { it: "Trastevere", en: "Trastevere", ar: "تراستيفيري" } },
    { id: 2, key: "testaccio", name: { it: "Testaccio", en: "Testaccio", ar: "تستاتشو" } },
  ],
  ingredients: [
    mozzarella,
    { ...mozzarella, id: 2049, name: { en: "Eggs", ar: "بيض" }, sku: "", unit: "piece", on_hand: 0, par_level: 60 },
    { ...mozzarella, id: 3073, name: { en: "Flour", ar: "طحين" }, sells_out: false, on_hand: 25, par_level: null, counted_at: null },
    {
      ...mozzarella,
      id: 4097,
      name: { en: "Extra virgin olive oil of the first cold pressing from the hills of Sabina" },
      unit: "l",
      sells_out: false,
      on_hand: -0.35,
      par_level: 2,
      is_known: false,
      counted_at: null,
    },
  ],
  default_language: "it",
  zone: "Europe/Rome",
};

export const ingredientDetails: IngredientDetails = {
  id: 1025,
  version: "v1",
  value: {
    name: { it: "Mozzarella di bufala", en: "Buffalo mozzarella" },
    sku: "MOZ-BUF-1KG",
    unit: "kg",
    sells_out: true,
    par_levels: [{ branch: "trastevere", level: 5 }],
  },
};

const entry = { order_id: null, order_number: null, reason: null, recorded_by: "Nina Ferrari" };

export const stockLedger: StockLedger = {
  level: mozzarella,
  entries: [
    { ...entry, id: 5, kind: "count", amount: -0.25, on_hand: 4.75, recorded_at: ago(9 * HOUR) },
    { ...entry, id: 4, kind: "waste", amount: -0.5, on_hand: 5, reason: "Fell on the floor", recorded_at: ago(10 * HOUR) },
    { ...entry, id: 3, kind: "return", amount: 0.18, on_hand: 5.5, order_number: 42, recorded_by: "Sam", recorded_at: ago(DAY) },
    { ...entry, id: 2, kind: "order", amount: -0.18, on_hand: 5.32, order_number: 42, recorded_by: "Sam", recorded_at: ago(DAY) },
    { ...entry, id: 1, kind: "delivery", amount: 5.5, on_hand: 5.5, reason: "4711", recorded_at: ago(2 * DAY) },
  ],
  is_cut: true,
  zone: "Europe/Rome",
};

export const recipeList: RecipeList = {
  dishes: [
    { id: 1025, name: { en: "Margherita", ar: "مارغريتا" }, category: { en: "Pizza", ar: "بيتزا" }, lines: 3 },
    { id: 2049, name: { en: "Marinara", ar: "مارينارا" }, category: { en: "Pizza", ar: "بيتزا" }, lines: 1 },
    { id: 3073, name: { en: "Tiramisù", ar: "تيراميسو" }, category: { en: "Sweets", ar: "حلويات" }, lines: 0 },
  ],
  default_language: "it",
};

const nothing = { item: null, variant: null, modifier_group: null, option: null };

export const dishRecipe: DishRecipe = {
  id: 1025,
  version: "v1",
  key: "margherita",
  name: { en: "Margherita", ar: "مارغريتا" },
  variants: [
    { key: "small", name: { en: "Small", ar: "صغيرة" } },
    { key: "large", name: { en: "Large", ar: "كبيرة" } },
  ],
  modifier_groups: [
    {
      key: "toppings",
      name: { en: "Toppings", ar: "إضافات" },
      dishes: 6,
      options: [{ key: "bufala", name: { en: "Buffalo mozzarella", ar: "موزاريلا الجاموس" } }],
    },
  ],
  recipes: [
    { ...nothing, item: "margherita", ingredients: [{ ingredient: "flour", quantity: 0.2 }] },
    { ...nothing, item: "margherita", variant: "large", ingredients: [{ ingredient: "mozzarella", quantity: 0.08 }] },
    { ...nothing, modifier_group: "toppings", option: "bufala", ingredients: [{ ingredient: "mozzarella", quantity: 0.08 }] },
  ],
  ingredients: [
    { key: "mozzarella", name: { en: "Buffalo mozzarella", ar: "موزاريلا الجاموس" }, unit: "kg" },
    { key: "flour", name: { en: "Flour", ar: "طحين" }, unit: "kg" },
  ],
  default_language: "it",
};
