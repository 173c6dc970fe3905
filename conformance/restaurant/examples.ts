/** A valid call of the context. */
import type { restaurantOperations } from "@comanda/contract/venue/restaurant.ts";
import type { MakeExample } from "../examples.ts";

export const restaurantExamples: Record<keyof typeof restaurantOperations, MakeExample> = {
  getRestaurant: async () => ({}),
};
