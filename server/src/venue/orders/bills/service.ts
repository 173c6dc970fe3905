/** Which bill an order belongs to: the open one of its table, or a new one. */
import type { BillTable } from "@comanda/contract/console/bills.ts";
import type { Ctx } from "#lib/context.ts";
import { newUuid } from "#lib/ids.ts";
import { serviceDay } from "#lib/service-day.ts";
import {
  type BillRow,
  closeBill,
  closeIfSettled,
  findBill,
  insertBillPayment,
  listBillIds,
  listBillPayments,
  listOpenBills,
  listOrderIds,
  lockTablesOf,
  moveToTable,
  openBillIfNone,
  setAsked,
  takeOver,
} from "./store.ts";

export type StoredBill = BillRow;

export {
  closeBill,
  closeIfSettled,
  findBill,
  insertBillPayment,
  listBillIds,
  listBillPayments,
  listOpenBills,
  listOrderIds,
  lockTablesOf,
  moveToTable,
  setAsked,
  takeOver,
};

/** Before the statement that writes the order. Another order for this table waits from here until the commit. */
export const openTableBill = (ctx: Ctx, table: BillTable, branchId: number | null): void =>
  openBillIfNone(ctx, { id: newUuid(ctx.now), branch_id: branchId, table, service_day: serviceDay(ctx.tenant.zone, ctx.now) });
