import type { staffOrderOperations } from "@comanda/contract/console/staff-orders.ts";
import type { VenueCalls } from "#http/console/calls.ts";
import { findCaller, placeStaffOrder, quoteStaffOrder, readForm } from "./service.ts";

export const staffOrderCalls: Pick<VenueCalls, keyof typeof staffOrderOperations> = {
  readOrderForm: async (ctx) => ({ data: await readForm(ctx) }),
  findOrderGuest: async (ctx, { query }) => ({ data: await findCaller(ctx, query().phone) }),
  quoteStaffOrder: async (ctx, { body }) => ({ data: await quoteStaffOrder(ctx, body()) }),
  placeStaffOrder: async (ctx, { body }) => ({ data: await placeStaffOrder(ctx, body()) }),
};
