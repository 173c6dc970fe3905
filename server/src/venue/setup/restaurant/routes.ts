import type { restaurantOperations } from "@comanda/contract/venue/restaurant.ts";
import type { Handlers } from "#http/api/operations.ts";
import { one } from "#http/reply.ts";
import { readRestaurantContext } from "./service.ts";

export const restaurantRoutes: Pick<Handlers, keyof typeof restaurantOperations> = {
  getRestaurant: async (ctx, { access }) => one(await readRestaurantContext(ctx, access)),
};
