import type { menuTodayOperations } from "@comanda/contract/console/menu-today.ts";
import type { VenueCalls } from "#http/console/calls.ts";
import { readMenuToday, setDish, setOption } from "./service.ts";

/** The body is read after the row was found, because 404 comes before 422. */
export const menuTodayCalls: Pick<VenueCalls, keyof typeof menuTodayOperations> = {
  readMenuToday: async (ctx) => ({ data: await readMenuToday(ctx) }),
  setDishToday: async (ctx, { id, body }) => ({ data: await setDish(ctx, id, body) }),
  setOptionToday: async (ctx, { id, body }) => ({ data: await setOption(ctx, id, body) }),
};
