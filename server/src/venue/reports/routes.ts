import type { reportOperations } from "@comanda/contract/venue/reports.ts";
import type { Handlers } from "#http/api/operations.ts";
import { one } from "#http/reply.ts";
import { readSalesSummary } from "./service.ts";

export const reportRoutes: Pick<Handlers, keyof typeof reportOperations> = {
  getSalesSummary: async (ctx, { query }) => one(await readSalesSummary(ctx, query())),
};
