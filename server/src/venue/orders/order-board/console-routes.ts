import type { orderBoardOperations } from "@comanda/contract/console/orders.ts";
import type { VenueCalls } from "#http/console/calls.ts";
import { readTakings } from "#venue/orders/payments/service.ts";
import {
  moveSeenOrder,
  paySeenWithCard,
  readBoard,
  readDetails,
  refundOrder,
  searchBoard,
  strikeSeenLine,
  takeSeenPayment,
} from "./service.ts";

export const orderBoardCalls: Pick<VenueCalls, keyof typeof orderBoardOperations> = {
  readBoard: async (ctx, { query }) => ({ data: await readBoard(ctx, query().after) }),

  findBoardOrders: async (ctx, { query }) => {
    const { search = null, is_closed = search === null ? "true" : "false", branch = null } = query();
    return { data: await searchBoard(ctx, { search, isClosed: is_closed === "true", branchId: branch }) };
  },

  readOrderDetails: async (ctx, { uuid }) => ({ data: await readDetails(ctx, uuid) }),

  moveBoardOrder: async (ctx, { uuid, body }) => ({ data: await moveSeenOrder(ctx, uuid, body()) }),

  strikeOrderLine: async (ctx, { uuid, id, body }) => ({ data: await strikeSeenLine(ctx, { orderId: uuid, lineId: id }, body) }),

  takePayment: async (ctx, { uuid, body }) => ({ data: await takeSeenPayment(ctx, uuid, body()) }),

  payWithGiftCard: async (ctx, { uuid, body }) => ({ data: await paySeenWithCard(ctx, uuid, body()) }),

  refundOrderPayment: async (ctx, { uuid, id, body }) => ({
    data: await refundOrder(ctx, { orderId: uuid, paymentId: id }, body()),
  }),

  readTakings: async (ctx, { query }) => {
    const { date, rows } = await readTakings(ctx, query().date);
    return { data: { date, currency: ctx.tenant.currency, rows } };
  },
};
