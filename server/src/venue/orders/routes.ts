import type { orderQuoteOperations } from "@comanda/contract/venue/order-quote.ts";
import type { orderOperations } from "@comanda/contract/venue/orders.ts";
import type { Handlers } from "#http/api/operations.ts";
import { cutPage, type PageRequest, presentPage, readPage } from "#http/api/pagination.ts";
import { one } from "#http/reply.ts";
import { presentOrder } from "./present.ts";
import { parseOrderFilter } from "./rules/filters.ts";
import { readOrder, readOrders } from "./service/reads.ts";
import { findOrderForChange, moveOrder, placeOrder, quoteNewOrder } from "./service.ts";
import type { OrderPosition } from "./store.ts";

const positionOf = ({ position }: PageRequest): OrderPosition | null => {
  if (position === null) return null;
  const [placedAt, id, commitHorizon = null] = position.keys as [number, string, string?];
  return { placedAt: new Date(placedAt), id, isBackwards: position.direction === "prev", commitHorizon };
};

export const orderRoutes: Pick<Handlers, keyof typeof orderOperations | keyof typeof orderQuoteOperations> = {
  listOrders: async (ctx, { query }) => {
    const { per_page, cursor, ...filters } = query();
    const { filter, errors } = parseOrderFilter(filters, ctx.tenant.zone);
    const request = readPage(ctx, "orders", { per_page, cursor }, errors);
    const { rows, commitHorizon } = await readOrders(ctx, filter, positionOf(request), request.perPage + 1);
    const horizonKeys = commitHorizon === null ? [] : [commitHorizon];
    const page = cutPage(ctx, "orders", request, { rows, keysOf: (order) => [order.placed_at.getTime(), order.id, ...horizonKeys] });
    const shown = page.rows.map((order) => presentOrder(order, ctx.tenant.zone));
    return presentPage(shown, page, request.perPage, {});
  },

  createOrder: async (ctx, { body }) => {
    const order = await placeOrder(ctx, body());
    return { ...one(order), location: `/orders/${order.id}` };
  },

  quoteOrder: async (ctx, { body }) => one(await quoteNewOrder(ctx, body())),

  getOrder: async (ctx, { params }) => one(await readOrder(ctx, params.uuid)),

  moveOrder: async (ctx, { params, body }) => {
    const order = await findOrderForChange(ctx, params.uuid);
    return one(await moveOrder(ctx, order, body()));
  },
};
