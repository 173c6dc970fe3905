/** What staff do with the bill of a table: read, pay, move, merge and close it. Locks: orders by id, then tables of bills. */
import type { Bill, BillTable, OpenBill } from "@comanda/contract/console/bills.ts";
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import type { Ctx } from "#lib/context.ts";
import { type ApiError, apiError, validationError } from "#lib/errors.ts";
import { recordChange } from "#lib/record-change.ts";
import { serviceDay } from "#lib/service-day.ts";
import { changedBy, recordAudit } from "#platform/activity/audit/service.ts";
import { listTicketsOf } from "#venue/kitchen/service.ts";
import {
  closeBill,
  findBill,
  insertBillPayment,
  listBillPayments,
  listOpenBills,
  listOrderIds,
  lockTablesOf,
  moveToTable,
  type StoredBill,
  setAsked,
  takeOver,
} from "#venue/orders/bills/service.ts";
import { recordPayment } from "#venue/orders/payments/service.ts";
import { readBoardOrders } from "#venue/orders/service/reads.ts";
import { lockOrdersById, updateBillOfOrders, updateTableOfOrders } from "#venue/orders/service.ts";
import { listFloorTables } from "#venue/settings/service.ts";
import { billedOrder, isPaidLine, presentBill, presentOpenBill } from "./present.ts";
import { costOfLines, dividePayment, dueOfAll, isSameLine, type LineKey, lineShares } from "./rules.ts";

/** A venue has fewer tables. */
const OPEN_BILLS_MAX = 1000;
/** More are read together neither for the page nor for a payment: a table that ordered as often is a mistake of a program. */
const BILL_ORDERS_MAX = 200;
const LOCKED_ORDERS_MAX = 5000;

export const readOpenBills = async (ctx: Ctx): Promise<OpenBill[]> => (await listOpenBills(ctx, OPEN_BILLS_MAX)).map(presentOpenBill);

const ordersOf = async (ctx: Ctx, billId: string): Promise<BoardOrder[]> =>
  readBoardOrders(ctx, await listOrderIds(ctx, [billId], BILL_ORDERS_MAX));

export const readBill = async (ctx: Ctx, id: string): Promise<Bill> => {
  const [row, orders, payments] = await Promise.all([findBill(ctx, id), ordersOf(ctx, id), listBillPayments(ctx, id)]);
  if (!row) throw apiError("not_found");
  return presentBill(row, { orders, payments, currency: ctx.tenant.currency });
};

/** It names no person: a bill changes with each of its orders and their payments, of which the activity log has entries of their own. */
const billChanged = async (ctx: Ctx, id: string): Promise<ApiError> => changedBy({ bill: await readBill(ctx, id) }, null);

/** No order joins or leaves these bills until the commit, and none of their orders changes. */
const lockOpenBills = async (ctx: Ctx, ids: readonly string[]): Promise<StoredBill[]> => {
  const orderIds = await listOrderIds(ctx, ids, LOCKED_ORDERS_MAX);
  await lockOrdersById(ctx, orderIds);
  lockTablesOf(ctx, ids);
  const [present, ...rows] = await Promise.all([listOrderIds(ctx, ids, LOCKED_ORDERS_MAX), ...ids.map((id) => findBill(ctx, id))]);
  const locked = new Set(orderIds);
  return Promise.all(
    rows.map(async (row, index) => {
      if (!row) throw apiError("not_found");
      // An order that joined meanwhile is not locked: the page has not seen it either.
      if (row.closed_at !== null || present.some((id) => !locked.has(id))) throw await billChanged(ctx, ids[index] ?? "");
      return row;
    }),
  );
};

const lockOpenBill = async (ctx: Ctx, id: string): Promise<StoredBill> => {
  const [row] = await lockOpenBills(ctx, [id]);
  if (!row) throw apiError("not_found");
  return row;
};

export type WantedPayment = {
  method: "cash" | "card_terminal" | "other";
  amount_minor: number;
  tip_minor?: number;
  tendered_minor?: number | null;
  lines?: readonly LineKey[];
  seen_due_minor: number;
};

/** Divided over the orders in one commit. Of two people who take the same payment at once, one does. */
export const payBill = async (ctx: Ctx, id: string, wanted: WantedPayment): Promise<Bill> => {
  const { method, amount_minor, tip_minor = 0, tendered_minor = null, lines = [], seen_due_minor } = wanted;
  await lockOpenBill(ctx, id);
  const [orders, payments] = await Promise.all([ordersOf(ctx, id), listBillPayments(ctx, id)]);
  const billed = orders.map(billedOrder);
  const dueMinor = dueOfAll(billed);
  if (dueMinor !== seen_due_minor) throw await billChanged(ctx, id);
  if (amount_minor > dueMinor) throw validationError({ amount_minor: [`At most ${dueMinor} is due.`] });
  if (tendered_minor !== null && tendered_minor < amount_minor + tip_minor)
    throw validationError({ tendered_minor: ["Must be at least the amount and the tip together."] });
  const isPaid = isPaidLine(billed, payments);
  const chosen = lineShares(billed).filter((line) => lines.some((one) => isSameLine(one, line)));
  if (chosen.length !== lines.length || chosen.some(isPaid)) throw await billChanged(ctx, id);
  const costMinor = costOfLines(billed, chosen);
  if (lines.length > 0 && amount_minor !== costMinor) throw validationError({ amount_minor: [`These lines cost ${costMinor}.`] });
  const service_day = serviceDay(ctx.tenant.zone, ctx.now);
  const bill_payment_id = await insertBillPayment(ctx, {
    bill_id: id,
    method,
    amount_minor,
    tip_minor,
    tendered_minor,
    lines,
    service_day,
  });
  for (const part of dividePayment(amount_minor, billed, chosen))
    await recordPayment(ctx, part.order_id, { method, amount_minor: part.amount_minor, bill_payment_id });
  if (amount_minor === dueMinor) setAsked(ctx, id, false);
  recordAudit(ctx, {
    action: "bill.paid",
    subject: { kind: "bill", id },
    before: { due_minor: dueMinor },
    after: { due_minor: dueMinor - amount_minor, amount_minor, tip_minor, method },
  });
  return readBill(ctx, id);
};

/** Screens that show these orders read them again. */
const recordOrders = (ctx: Ctx, orders: readonly { id: string }[]): void => {
  for (const { id } of orders) recordChange(ctx, { kind: "order", id });
};

/** The tables to which a bill can move. */
export const readBillTables = async (ctx: Ctx, id: string): Promise<BillTable[]> => {
  const [bill, tables, open] = await Promise.all([findBill(ctx, id), listFloorTables(ctx), listOpenBills(ctx, OPEN_BILLS_MAX)]);
  if (!bill) throw apiError("not_found");
  const taken = new Set(open.flatMap((other) => other.tables.map((table) => table.id)));
  const free = tables.filter((table) => table.branch_id === bill.branch_id && !taken.has(table.id));
  return free.map(({ id: tableId, name, code }) => ({ id: tableId, name, code }));
};

/** The bill, its open orders and their tickets go on at another table. */
export const moveBill = async (ctx: Ctx, id: string, from: number, to: number): Promise<Bill> => {
  const bill = await lockOpenBill(ctx, id);
  const tables = await listFloorTables(ctx);
  const target = tables.find((table) => table.id === to && table.branch_id === bill.branch_id);
  if (!target) throw validationError({ to_table_id: ["Must be a table of the same branch."] });
  if (!bill.tables.some((table) => table.id === from)) throw await billChanged(ctx, id);
  const table = { id: target.id, name: target.name, code: target.code };
  if (!(await moveToTable(ctx, id, from, table))) throw validationError({ to_table_id: ["This table has a bill. Merge the two bills."] });
  const moved = await updateTableOfOrders(ctx, id, from, table);
  recordOrders(ctx, moved);
  for (const order of moved) for (const ticket of await listTicketsOf(ctx, order.id)) recordChange(ctx, { kind: "ticket", id: ticket.id });
  recordAudit(ctx, { action: "bill.moved", subject: { kind: "bill", id }, before: { table_id: from }, after: { table_id: to } });
  return readBill(ctx, id);
};

/** One bill for two tables: it has the orders, payments and tables of both. */
export const mergeBills = async (ctx: Ctx, id: string, otherId: string): Promise<Bill> => {
  const [bill, other] = await lockOpenBills(ctx, [id, otherId]);
  if (bill?.id === other?.id) throw validationError({ other_bill_id: ["Must be another bill."] });
  if (bill?.branch_id !== other?.branch_id) throw validationError({ other_bill_id: ["Must be a bill of the same branch."] });
  recordOrders(ctx, await updateBillOfOrders(ctx, otherId, id));
  takeOver(ctx, id, otherId);
  recordAudit(ctx, { action: "bill.merged", subject: { kind: "bill", id }, after: { other_bill_id: otherId } });
  recordAudit(ctx, { action: "bill.closed", subject: { kind: "bill", id: otherId }, after: { closing: "merged" } });
  return readBill(ctx, id);
};

export const askForBill = async (ctx: Ctx, id: string, isAsked: boolean): Promise<Bill> => {
  await lockOpenBill(ctx, id);
  setAsked(ctx, id, isAsked);
  recordAudit(ctx, { action: isAsked ? "bill.asked" : "bill.ask_undone", subject: { kind: "bill", id } });
  return readBill(ctx, id);
};

/** Frees its tables. What is due stays due on its orders. */
export const closeSeenBill = async (
  ctx: Ctx,
  id: string,
  { seen_due_minor, reason = null }: { seen_due_minor: number; reason?: string | null },
): Promise<Bill> => {
  await lockOpenBill(ctx, id);
  const dueMinor = dueOfAll((await ordersOf(ctx, id)).map(billedOrder));
  if (dueMinor !== seen_due_minor) throw await billChanged(ctx, id);
  if (dueMinor > 0 && reason === null) throw validationError({ reason: ["Is required while something is to be paid."] });
  const closing = dueMinor > 0 ? "left_unpaid" : "settled";
  closeBill(ctx, id, closing);
  recordAudit(ctx, {
    action: "bill.closed",
    subject: { kind: "bill", id },
    before: { due_minor: dueMinor },
    after: { closing },
    reason,
  });
  return readBill(ctx, id);
};
