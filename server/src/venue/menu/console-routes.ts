import type { menuEditorOperations } from "@comanda/contract/console/menu-editor.ts";
import type { VenueCalls } from "#http/console/calls.ts";
import { previewMenu, readMenuPlan, saveMenu } from "./service/editor.ts";
import { listMenuChanges, putBack } from "./service/history.ts";
import { cancelPlannedPrices, listScheduledPrices, planPrices } from "./service/scheduled-prices.ts";

export const menuEditorCalls: Pick<VenueCalls, keyof typeof menuEditorOperations> = {
  readMenuPlan: async (ctx) => ({ data: await readMenuPlan(ctx) }),
  saveMenu: async (ctx, { body }) => ({ data: await saveMenu(ctx, body()) }),
  previewMenu: async (ctx, { query }) => ({ data: await previewMenu(ctx, query()) }),
  listScheduledPrices: async (ctx) => ({ data: await listScheduledPrices(ctx) }),
  schedulePrices: async (ctx, { body }) => ({ data: await planPrices(ctx, body()) }),
  cancelScheduledPrices: async (ctx, { body }) => ({ data: await cancelPlannedPrices(ctx, body().ids) }),
  listMenuChanges: (ctx, { query }) => {
    const { rows = 25, ...page } = query();
    return listMenuChanges(ctx, page, rows);
  },
  putBackMenu: async (ctx, { body }) => ({ data: await putBack(ctx, body().entries) }),
};
