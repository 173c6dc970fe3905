import type { menuEditorOperations } from "@comanda/contract/console/menu-editor.ts";
import type { VenueCalls } from "#http/console/operations.ts";
import { readMenuPlan, saveMenu } from "./service/editor.ts";

export const menuEditorCalls: Pick<VenueCalls, keyof typeof menuEditorOperations> = {
  readMenuPlan: async (ctx) => ({ data: await readMenuPlan(ctx) }),
  saveMenu: async (ctx, { body }) => ({ data: await saveMenu(ctx, body()) }),
};
