/** Ingredients, recipes and counts of a test, over the console's calls. */
import { randomUUID } from "node:crypto";
import type { DishRecipe, IngredientDetails, StockLevel } from "@comanda/contract/console/stock.ts";
import type { RecipeFile } from "@comanda/contract/venue-file/stock.ts";
import type { TestUser } from "./console-client.ts";
import type { TestApp, TestVenue } from "./test-app.ts";

export type StockTools = Awaited<ReturnType<typeof stockTools>>;

export const stockTools = async (app: TestApp, venue: TestVenue, manager: TestUser) => {
  const send = (method: string, path: string, body?: object, who = manager) =>
    who.call(method as "POST", `/venues/${venue.slug}${path}`, {
      ...(body ? { body } : {}),
      headers: { "idempotency-key": randomUUID() },
    });
  const done = async (method: string, path: string, body?: object) => {
    const answer = await send(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.body.data;
  };
  const { branches, branch_id } = await done("GET", "/stock");
  const levelOf = async (id: number, branch = branch_id): Promise<StockLevel> =>
    (await done("GET", `/stock?branch=${branch}`)).ingredients.find((level: StockLevel) => level.id === id);
  return {
    send,
    done,
    branches: branches as { id: number; key: string }[],
    branchId: branch_id as number,
    levelOf,
    add: async (changes: object = {}): Promise<IngredientDetails> =>
      done("POST", "/stock/ingredients", {
        ingredient: { name: { en: "Flour" }, sku: "FL-1", unit: "kg", sells_out: false, par_levels: [], ...changes },
      }),
    keyOf: async (id: number): Promise<string> =>
      (await app.database.asOwner<{ key: string }>("select key from ingredients where id = $1", [id]))[0]?.key ?? "",
    count: async (id: number, counted: number) =>
      done("POST", `/stock/ingredients/${id}/counts`, { branch_id, counted, seen_on_hand: (await levelOf(id)).on_hand }),
    deliver: (id: number, quantity: number) =>
      done("POST", "/stock/deliveries", { branch_id, lines: [{ ingredient_id: id, quantity }], reason: null }),
    recipe: async (itemId: number, recipes: Partial<RecipeFile>[]): Promise<DishRecipe> => {
      const { version, key } = (await done("GET", `/stock/recipes/${itemId}`)) as DishRecipe;
      return done("PUT", `/stock/recipes/${itemId}`, {
        seen_version: version,
        recipes: recipes.map((one) => (one.option ? one : { item: key, ...one })),
      });
    },
    entriesOf: (id: number) =>
      app.database.asOwner<{ kind: string; amount: number; on_hand: number }>(
        `select kind, amount_milli::float8 / 1000 as amount, on_hand_milli::float8 / 1000 as on_hand from stock_entries
         where restaurant_id = $1 and ingredient_id = $2 order by id`,
        [venue.id, id],
      ),
    eventsOf: async (id: number): Promise<{ on_hand: number; par_level: number; previous_on_hand: number }[]> =>
      (await app.database.asOwner<{ body: string }>("select body from events where type = 'stock.below_par' order by created_at, id"))
        .map(({ body }) => JSON.parse(body).data.stock)
        .filter(({ ingredient }) => ingredient.id === id),
  };
};
