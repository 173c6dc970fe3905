import type { orderTypeOperations } from "@comanda/contract/console/order-types.ts";
import type { VenueCalls } from "#http/console/calls.ts";
import { setOrderType } from "./service.ts";

export const orderTypeCalls: Pick<VenueCalls, keyof typeof orderTypeOperations> = {
  setOrderType: async (ctx, { body }) => ({ data: await setOrderType(ctx, body()) }),
};
