/** Ingredients and recipes in a venue file. What is there of an ingredient is no part of it: counts and deliveries say that. */
import { type Static, Type } from "typebox";
import { STOCK_UNITS } from "../console/stock-kinds.ts";
import { Literals, Nullable } from "../shared.ts";
import { Default, Key, Name, strict } from "./fields.ts";

export const INGREDIENTS_MAX = 500;
export const RECIPES_MAX = 5000;
const RECIPE_LINES_MAX = 50;

/** In the ingredient's unit, with at most three decimals. */
export const RecipeQuantity = Type.Number({ minimum: 0.001, maximum: 1_000_000, multipleOf: 0.001 });
export const ParLevel = Type.Number({ minimum: 0, maximum: 1_000_000, multipleOf: 0.001 });

export const IngredientFile = Type.Object(
  {
    key: Key,
    name: Name,
    sku: Default(Type.String({ maxLength: 60, description: "The number that the supplier gives it." }), ""),
    unit: Literals(STOCK_UNITS),
    sells_out: Default(
      Type.Boolean({ description: "Dishes and options that need it are sold out by themselves while nothing of it is left." }),
      false,
    ),
    par_levels: Default(
      Type.Array(Type.Object({ branch: Key, level: ParLevel }, strict), {
        maxItems: 200,
        description: "`stock.below_par` is sent when a branch falls below its level.",
      }),
      [],
    ),
  },
  strict,
);
export type IngredientFile = Static<typeof IngredientFile>;

export const RecipeFile = Type.Object(
  {
    item: Default(Nullable(Key), null),
    variant: Default(Nullable(Key), null),
    modifier_group: Default(Nullable(Key), null),
    option: Default(Nullable(Key), null),
    ingredients: Type.Array(Type.Object({ ingredient: Key, quantity: RecipeQuantity }, strict), {
      minItems: 1,
      maxItems: RECIPE_LINES_MAX,
    }),
  },
  {
    ...strict,
    description: "What one portion takes: of a dish, in addition of one of its sizes (`variant`), or of an `option` of a `modifier_group`.",
  },
);
export type RecipeFile = Static<typeof RecipeFile>;
