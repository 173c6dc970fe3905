import type { Bill, BillPayment, OpenBill } from "@comanda/contract/console/bills.ts";
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import { type BilledOrder, counts, dueOf, dueOfAll, isSameLine, type LineKey, lineShares } from "./rules.ts";

type ShownBill = Pick<Bill, "id" | "branch_id" | "tables"> & {
  opened_at: Date;
  asked_at: Date | null;
  closed_at: Date | null;
  closing: string | null;
};
type ShownOpenBill = Pick<OpenBill, "id" | "branch_id" | "tables" | "orders" | "total_minor" | "due_minor"> & {
  opened_at: Date;
  asked_at: Date | null;
};
type ShownPayment = Omit<BillPayment, "method" | "recorded_at"> & {
  method: string;
  recorded_at: Date;
  lines: LineKey[];
  refunded_minor: number;
};

export const presentOpenBill = (row: ShownOpenBill): OpenBill => ({
  id: row.id,
  branch_id: row.branch_id,
  tables: row.tables,
  opened_at: row.opened_at.toISOString(),
  asked_at: row.asked_at?.toISOString() ?? null,
  orders: row.orders,
  total_minor: row.total_minor,
  due_minor: row.due_minor,
});

const presentPayment = (row: ShownPayment): BillPayment => ({
  id: row.id,
  // Constraints of the tables allow these values alone.
  method: row.method as BillPayment["method"],
  amount_minor: row.amount_minor,
  refunded_minor: row.refunded_minor,
  tip_minor: row.tip_minor,
  tendered_minor: row.tendered_minor,
  recorded_by: row.recorded_by,
  recorded_at: row.recorded_at.toISOString(),
});

export const billedOrder = ({ order, paid_minor }: BoardOrder): BilledOrder => ({
  id: order.id,
  status: order.status,
  total_minor: order.total_minor,
  isPaid: order.paid_at !== null,
  paid_minor,
  lines: order.items,
});

/** Lines that were chosen for a payment of which nothing was refunded, and all lines of orders that owe nothing. */
export const isPaidLine = (orders: readonly BilledOrder[], payments: readonly ShownPayment[]): ((line: LineKey) => boolean) => {
  const chosen = payments.filter(({ refunded_minor }) => refunded_minor === 0).flatMap(({ lines }) => lines);
  const covered = new Set(orders.filter((order) => dueOf(order) === 0).map(({ id }) => id));
  return (line) => covered.has(line.order_id) || chosen.some((one) => isSameLine(one, line));
};

type BillParts = { orders: BoardOrder[]; payments: readonly ShownPayment[]; currency: string };

export const presentBill = (row: ShownBill, { orders, payments, currency }: BillParts): Bill => {
  const billed = orders.map(billedOrder);
  const isPaid = isPaidLine(billed, payments);
  return {
    id: row.id,
    branch_id: row.branch_id,
    tables: row.tables,
    opened_at: row.opened_at.toISOString(),
    asked_at: row.asked_at?.toISOString() ?? null,
    currency,
    closed_at: row.closed_at?.toISOString() ?? null,
    closing: row.closing as Bill["closing"],
    total_minor: billed.filter(counts).reduce((sum, { total_minor }) => sum + total_minor, 0),
    due_minor: dueOfAll(billed),
    orders,
    lines: lineShares(billed).map((line) => ({ ...line, is_paid: isPaid(line) })),
    payments: payments.map(presentPayment),
  };
};
