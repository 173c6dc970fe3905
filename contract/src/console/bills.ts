/** Bills: what a table owes, as staff read, pay, move and close it. */
import { type Static, Type } from "typebox";
import { Id, Literals, MinorWithin, Nullable, PRICE_MAX, UUID_PATTERN } from "../shared.ts";
import { type ConsoleOperation, Data, Instant } from "./operation.ts";
import { BoardOrder, COUNTER_METHODS } from "./orders.ts";

const Amount = MinorWithin({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
/** No guest hands over more. */
const HandedAmount = MinorWithin({ minimum: 0, maximum: PRICE_MAX });
const PaidAmount = MinorWithin({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

export const BillTable = Type.Object({ id: Id, name: Type.String(), code: Nullable(Type.String()) });
export type BillTable = Static<typeof BillTable>;

/** What became of a bill that is no longer open. */
const CLOSINGS = ["settled", "left_unpaid", "merged", "day_ended"] as const;

/** An open bill as the floor shows it. */
export const OpenBill = Type.Object({
  id: Type.String(),
  branch_id: Nullable(Id),
  tables: Type.Array(BillTable),
  opened_at: Instant,
  /** When the party asked to pay. */
  asked_at: Nullable(Instant),
  orders: Type.Integer({ minimum: 0 }),
  total_minor: Amount,
  /** What is still to be paid: of each order, what is not covered. */
  due_minor: Amount,
});
export type OpenBill = Static<typeof OpenBill>;

export const BillPayment = Type.Object({
  id: Id,
  method: Literals(COUNTER_METHODS),
  amount_minor: Amount,
  /** What was refunded of the payments of orders into which it was divided. */
  refunded_minor: Amount,
  /** Beside the amount. It belongs to no order. */
  tip_minor: Amount,
  /** What the guest handed over. Null unless it was entered. */
  tendered_minor: Nullable(Amount),
  recorded_by: Type.String(),
  recorded_at: Instant,
});
export type BillPayment = Static<typeof BillPayment>;

/** A line of an order with its part of the order's total: discount, taxes and charges are in it in proportion. */
export const BillLine = Type.Object({ order_id: Type.String(), line_id: Id, share_minor: Amount, is_paid: Type.Boolean() });
export type BillLine = Static<typeof BillLine>;

/** Rejected and cancelled orders are shown and count nothing. The oldest order and payment come first. */
export const Bill = Type.Object({
  ...OpenBill.properties,
  currency: Type.String(),
  closed_at: Nullable(Instant),
  closing: Nullable(Literals(CLOSINGS)),
  orders: Type.Array(BoardOrder),
  lines: Type.Array(BillLine),
  payments: Type.Array(BillPayment),
});
export type Bill = Static<typeof Bill>;

const BILL_PATH = "/venues/{venue}/bills/{bill}" as const;
/** More lines than an order can have, for a table that ordered several times. */
const PAID_LINES_MAX = 500;

export const billOperations = {
  readOpenBills: {
    method: "GET",
    path: "/venues/{venue}/bills",
    who: "staff",
    isService: true,
    success: { status: 200, body: Data(Type.Array(OpenBill)) },
  },
  readBill: {
    method: "GET",
    path: BILL_PATH,
    who: "staff",
    isService: true,
    success: { status: 200, body: Data(Bill) },
  },
  /** Tables of the branch that have no open bill. */
  readBillTables: {
    method: "GET",
    path: `${BILL_PATH}/tables`,
    who: "staff",
    isService: true,
    success: { status: 200, body: Data(Type.Array(BillTable)) },
  },
  /**
   * Divides the amount over the bill's orders: those of the lines first, then the oldest. 409 `state_changed` when another amount is due than
   * the page saw, or one of the lines is paid. 422 `amount_minor` above what is due, `tendered_minor` below amount and tip.
   */
  payBill: {
    method: "POST",
    path: `${BILL_PATH}/payments`,
    who: "staff",
    isService: true,
    isIdempotent: true,
    finishesOrders: true,
    bodyBytesMax: 64 * 1024,
    body: Type.Object({
      method: Literals(COUNTER_METHODS),
      amount_minor: PaidAmount,
      tip_minor: Type.Optional(HandedAmount),
      tendered_minor: Type.Optional(Nullable(HandedAmount)),
      lines: Type.Optional(
        Type.Array(Type.Object({ order_id: Type.String({ pattern: UUID_PATTERN }), line_id: Id }), {
          minItems: 1,
          maxItems: PAID_LINES_MAX,
        }),
      ),
      seen_due_minor: Amount,
    }),
    success: { status: 201, body: Data(Bill) },
  },
  /** 422 `to_table_id` for a table of another branch, or one that has a bill: those bills can be merged. */
  moveBill: {
    method: "POST",
    path: `${BILL_PATH}/move`,
    who: "staff",
    isService: true,
    isIdempotent: true,
    finishesOrders: true,
    body: Type.Object({ from_table_id: Id, to_table_id: Id }),
    success: { status: 200, body: Data(Bill) },
  },
  /** The other bill's orders, payments and tables become this one's. The other bill is closed. */
  mergeBills: {
    method: "POST",
    path: `${BILL_PATH}/merge`,
    who: "staff",
    isService: true,
    isIdempotent: true,
    finishesOrders: true,
    body: Type.Object({ other_bill_id: Type.String({ pattern: UUID_PATTERN }) }),
    success: { status: 200, body: Data(Bill) },
  },
  /** The bill says that the party wants to pay, until a payment covers it. */
  askForBill: {
    method: "POST",
    path: `${BILL_PATH}/ask`,
    who: "staff",
    isService: true,
    isIdempotent: true,
    finishesOrders: true,
    body: Type.Object({ is_asked: Type.Boolean() }),
    success: { status: 200, body: Data(Bill) },
  },
  /**
   * Frees the tables of the bill. 409 `state_changed` when another amount is due than the page saw. 422 `reason` when something is due and no
   * reason is given.
   */
  closeBill: {
    method: "POST",
    path: `${BILL_PATH}/close`,
    who: "staff",
    isService: true,
    isIdempotent: true,
    finishesOrders: true,
    body: Type.Object({
      seen_due_minor: Amount,
      reason: Type.Optional(Nullable(Type.String({ minLength: 3, maxLength: 200 }))),
    }),
    success: { status: 200, body: Data(Bill) },
  },
} as const satisfies Record<string, ConsoleOperation>;
