import type { reportOperations } from "@comanda/contract/reports.ts";
import type { Handlers } from "#http/bind.ts";
import { one } from "#http/reply.ts";
import { readSalesSummary } from "./service.ts";

export const reportRoutes: Pick<Handlers, keyof typeof reportOperations> = {
  getSalesSummary: async (ctx, { query }) => one(await readSalesSummary(ctx, query())),
};
