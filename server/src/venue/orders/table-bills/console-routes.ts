import type { billOperations } from "@comanda/contract/console/bills.ts";
import type { VenueCalls } from "#http/console/calls.ts";
import { askForBill, closeSeenBill, mergeBills, moveBill, payBill, readBill, readBillTables, readOpenBills } from "./service.ts";

export const billCalls: Pick<VenueCalls, keyof typeof billOperations> = {
  readOpenBills: async (ctx) => ({ data: await readOpenBills(ctx) }),
  readBill: async (ctx, { uuid }) => ({ data: await readBill(ctx, uuid) }),
  readBillTables: async (ctx, { uuid }) => ({ data: await readBillTables(ctx, uuid) }),
  payBill: async (ctx, { uuid, body }) => ({ data: await payBill(ctx, uuid, body()) }),
  moveBill: async (ctx, { uuid, body }) => {
    const { from_table_id, to_table_id } = body();
    return { data: await moveBill(ctx, uuid, from_table_id, to_table_id) };
  },
  mergeBills: async (ctx, { uuid, body }) => ({ data: await mergeBills(ctx, uuid, body().other_bill_id) }),
  askForBill: async (ctx, { uuid, body }) => ({ data: await askForBill(ctx, uuid, body().is_asked) }),
  closeBill: async (ctx, { uuid, body }) => ({ data: await closeSeenBill(ctx, uuid, body()) }),
};
