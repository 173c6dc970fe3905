import type { managerReportOperations } from "@comanda/contract/console/reports.ts";
import type { VenueCalls } from "#http/console/calls.ts";
import { readFigureOrders, readSales, readService, readToday } from "./service.ts";

export const managerReportCalls: Pick<VenueCalls, keyof typeof managerReportOperations> = {
  readTodayReport: async (ctx, { query }) => ({ data: await readToday(ctx, query().branch ?? null) }),
  readSalesReport: async (ctx, { query }) => ({ data: await readSales(ctx, query()) }),
  readServiceReport: async (ctx, { query }) => ({ data: await readService(ctx, query()) }),
  listReportOrders: async (ctx, { query }) => ({ data: await readFigureOrders(ctx, query()) }),
};
