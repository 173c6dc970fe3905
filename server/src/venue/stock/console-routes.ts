import type { stockOperations } from "@comanda/contract/console/stock.ts";
import type { VenueCalls } from "#http/console/calls.ts";
import { addIngredient, readIngredientDetails, removeIngredient, saveSeenIngredient } from "./service/ingredients.ts";
import { countSeen, readLedger, readSheet, recordMove } from "./service/levels.ts";
import { readDishRecipe, readRecipeList, saveSeenRecipe } from "./service/recipes.ts";

export const stockCalls: Pick<VenueCalls, keyof typeof stockOperations> = {
  readStock: async (ctx, { query }) => ({ data: await readSheet(ctx, query().branch) }),
  readIngredient: async (ctx, { id }) => ({ data: await readIngredientDetails(ctx, id) }),
  addIngredient: async (ctx, { body }) => ({ data: await addIngredient(ctx, body().ingredient) }),
  saveIngredient: async (ctx, { id, body }) => ({ data: await saveSeenIngredient(ctx, id, body) }),
  removeIngredient: async (ctx, { id }) => {
    await removeIngredient(ctx, id);
    return { data: {} };
  },
  readStockEntries: async (ctx, { id, query }) => ({ data: await readLedger(ctx, id, query().branch) }),
  countIngredient: async (ctx, { id, body }) => ({ data: await countSeen(ctx, id, body) }),
  recordDelivery: async (ctx, { body }) => ({ data: await recordMove(ctx, "delivery", body()) }),
  recordWaste: async (ctx, { body }) => ({ data: await recordMove(ctx, "waste", body()) }),
  readRecipes: async (ctx) => ({ data: await readRecipeList(ctx) }),
  readRecipe: async (ctx, { id }) => ({ data: await readDishRecipe(ctx, id) }),
  saveRecipe: async (ctx, { id, body }) => ({ data: await saveSeenRecipe(ctx, id, body) }),
};
