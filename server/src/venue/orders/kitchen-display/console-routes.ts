import type { ScreenCalls } from "#http/console/calls.ts";
import { changeTicket, listDoneTickets, readKitchen, sellOutDish } from "./service.ts";

export const kitchenCalls: ScreenCalls = {
  readKitchen: async (ctx, { query }, screen) => ({ data: await readKitchen(ctx, screen, query().after) }),

  listDoneTickets: async (ctx, _call, screen) => ({ data: await listDoneTickets(ctx, screen) }),

  changeTicket: async (ctx, { id, body }, screen) => ({ data: await changeTicket(ctx, screen, id, body) }),

  sellOutDish: async (ctx, { id }, screen) => ({ data: await sellOutDish(ctx, screen, id) }),
};
