/** Stock: ingredients with their levels in each branch, recipes, counts, deliveries and waste. Orders take their part with their acceptance. */
import { type Static, Type } from "typebox";
import { Id, Literals, Nullable, Translations } from "../shared.ts";
import { Key, Language } from "../venue-file/fields.ts";
import { IngredientFile, ParLevel, RecipeFile, RecipeQuantity } from "../venue-file/stock.ts";
import { type ConsoleOperation, Count, Data, Done, Instant } from "./operation.ts";
import { STOCK_UNITS } from "./stock-kinds.ts";

export const STOCK_ENTRY_KINDS = ["order", "return", "delivery", "waste", "count"] as const;
export type StockEntryKind = (typeof STOCK_ENTRY_KINDS)[number];

/** A quantity in the unit of the ingredient. Below zero when orders took more than was counted. */
const Quantity = Type.Number();
const Version = Type.String({ maxLength: 80 });
const Reason = Type.String({ minLength: 3, maxLength: 200, pattern: "\\S" });
const Unit = Literals(STOCK_UNITS);

/** An ingredient in one branch. */
export const StockLevel = Type.Object({
  id: Id,
  name: Translations,
  sku: Type.String(),
  unit: Unit,
  sells_out: Type.Boolean(),
  on_hand: Quantity,
  par_level: Nullable(Quantity),
  /** A count or a delivery has said what is there. */
  is_known: Type.Boolean(),
  counted_at: Nullable(Instant),
});
export type StockLevel = Static<typeof StockLevel>;

export const StockSheet = Type.Object({
  branch_id: Id,
  branches: Type.Array(Type.Object({ id: Id, key: Key, name: Translations })),
  ingredients: Type.Array(StockLevel),
  default_language: Language,
  zone: Type.String(),
});
export type StockSheet = Static<typeof StockSheet>;

const { name, sku, unit, sells_out, par_levels } = IngredientFile.properties;
export const IngredientValue = Type.Object({ name, sku, unit, sells_out, par_levels });
export type IngredientValue = Static<typeof IngredientValue>;

/** The value has the par level in every branch. `version` changes with the value. */
export const IngredientDetails = Type.Object({ id: Id, version: Version, value: IngredientValue });
export type IngredientDetails = Static<typeof IngredientDetails>;

export const StockEntry = Type.Object({
  id: Id,
  kind: Literals(STOCK_ENTRY_KINDS),
  /** Negative for what was taken; of a count, the difference from what was thought to be there. */
  amount: Quantity,
  on_hand: Quantity,
  order_id: Nullable(Type.String()),
  order_number: Nullable(Type.Integer({ minimum: 1 })),
  reason: Nullable(Type.String()),
  recorded_by: Type.String(),
  recorded_at: Instant,
});
export type StockEntry = Static<typeof StockEntry>;

/** The newest entries come first. */
export const StockLedger = Type.Object({
  level: StockLevel,
  entries: Type.Array(StockEntry),
  /** Older entries exist. */
  is_cut: Type.Boolean(),
  zone: Type.String(),
});
export type StockLedger = Static<typeof StockLedger>;

/** `variance`: counted less what was thought to be there. */
export const CountResult = Type.Object({ level: StockLevel, variance: Quantity });
export type CountResult = Static<typeof CountResult>;

/** A dish with the number of its recipe's lines, those of its sizes and options included. */
export const RecipeDish = Type.Object({ id: Id, name: Translations, category: Translations, lines: Count });
export type RecipeDish = Static<typeof RecipeDish>;

export const RecipeList = Type.Object({ dishes: Type.Array(RecipeDish), default_language: Language });
export type RecipeList = Static<typeof RecipeList>;

const Named = Type.Object({ key: Key, name: Translations });

/** The recipe of a dish, and what it can be made of. Options belong to every dish that shows them. */
export const DishRecipe = Type.Object({
  id: Id,
  version: Version,
  key: Key,
  name: Translations,
  variants: Type.Array(Named),
  modifier_groups: Type.Array(Type.Object({ key: Key, name: Translations, dishes: Count, options: Type.Array(Named) })),
  recipes: Type.Array(RecipeFile),
  ingredients: Type.Array(Type.Object({ key: Key, name: Translations, unit: Unit })),
  default_language: Language,
});
export type DishRecipe = Static<typeof DishRecipe>;

const Lines = Type.Array(Type.Object({ ingredient_id: Id, quantity: RecipeQuantity }), { minItems: 1, maxItems: 100 });

const PATH = "/venues/{venue}/stock" as const;
const INGREDIENTS_PATH = `${PATH}/ingredients` as const;
const INGREDIENT_PATH = `${INGREDIENTS_PATH}/{id}` as const;
const RECIPES_PATH = `${PATH}/recipes` as const;

const Write = { who: "manager", isService: true, isIdempotent: true } as const;

export const stockOperations = {
  /** Reads the stock of one branch; when none is named, of the default branch. */
  readStock: {
    method: "GET",
    path: PATH,
    who: "staff",
    isService: true,
    query: Type.Object({ branch: Type.Optional(Id) }),
    success: { status: 200, body: Data(StockSheet) },
  },
  readIngredient: {
    method: "GET",
    path: INGREDIENT_PATH,
    who: "manager",
    isService: true,
    success: { status: 200, body: Data(IngredientDetails) },
  },
  addIngredient: {
    ...Write,
    method: "POST",
    path: INGREDIENTS_PATH,
    bodyBytesMax: 64 * 1024,
    body: Type.Object({ ingredient: IngredientValue }),
    success: { status: 201, body: Data(IngredientDetails) },
  },
  /** 409 `state_changed` when it is no longer as the page saw it. The unit stays: entries and recipes are in it. */
  saveIngredient: {
    ...Write,
    method: "PUT",
    path: INGREDIENT_PATH,
    bodyBytesMax: 64 * 1024,
    body: Type.Object({ seen_version: Version, ingredient: IngredientValue }),
    success: { status: 200, body: Data(IngredientDetails) },
  },
  /** 422 `recipes` while a recipe needs it. */
  removeIngredient: { ...Write, method: "DELETE", path: INGREDIENT_PATH, success: { status: 200, body: Done } },
  readStockEntries: {
    method: "GET",
    path: `${INGREDIENT_PATH}/entries`,
    who: "manager",
    isService: true,
    query: Type.Object({ branch: Type.Optional(Id) }),
    success: { status: 200, body: Data(StockLedger) },
  },
  /** Sets what is there. 409 `state_changed` when the level is not the one that the page saw. */
  countIngredient: {
    ...Write,
    who: "staff",
    method: "POST",
    path: `${INGREDIENT_PATH}/counts`,
    body: Type.Object({ branch_id: Id, counted: ParLevel, seen_on_hand: Quantity }),
    success: { status: 201, body: Data(CountResult) },
  },
  recordDelivery: {
    ...Write,
    method: "POST",
    path: `${PATH}/deliveries`,
    bodyBytesMax: 16 * 1024,
    body: Type.Object({ branch_id: Id, lines: Lines, reason: Type.Optional(Nullable(Type.String({ maxLength: 200 }))) }),
    success: { status: 201, body: Data(Type.Array(StockLevel)) },
  },
  recordWaste: {
    ...Write,
    method: "POST",
    path: `${PATH}/waste`,
    bodyBytesMax: 16 * 1024,
    body: Type.Object({ branch_id: Id, lines: Lines, reason: Reason }),
    success: { status: 201, body: Data(Type.Array(StockLevel)) },
  },
  readRecipes: {
    method: "GET",
    path: RECIPES_PATH,
    who: "manager",
    isService: true,
    success: { status: 200, body: Data(RecipeList) },
  },
  readRecipe: {
    method: "GET",
    path: `${RECIPES_PATH}/{id}`,
    who: "manager",
    isService: true,
    success: { status: 200, body: Data(DishRecipe) },
  },
  /**
   * Saves the recipes of the dish, its sizes and the options that it shows. 409 `state_changed` when one of them is no longer as the page
   * saw it.
   */
  saveRecipe: {
    ...Write,
    method: "PUT",
    path: `${RECIPES_PATH}/{id}`,
    bodyBytesMax: 256 * 1024,
    body: Type.Object({ seen_version: Version, recipes: Type.Array(RecipeFile, { maxItems: 500 }) }),
    success: { status: 200, body: Data(DishRecipe) },
  },
} as const satisfies Record<string, ConsoleOperation>;
