/** What orders take out of stock and give back, in their own commit. */
import type { Ctx } from "#lib/context.ts";
import { amountsOf, type StockNeed } from "../rules.ts";
import { bookEntries } from "./booking.ts";

/** An order with what its lines take. Null: none of its dishes had a recipe when it was placed. */
export type StockOrder = {
  id: string;
  branch_id: number | null;
  stock_needs: StockNeed[] | null;
  lines: readonly { id: number; voided: boolean }[];
};

const amountsOfLines = ({ stock_needs, lines }: StockOrder, lineId: number | null) =>
  amountsOf(
    stock_needs ?? [],
    new Set(lines.filter(({ id, voided }) => !voided && (lineId === null || id === lineId)).map(({ id }) => id)),
  );

/** An order takes stock with its acceptance. Lines that were struck before take nothing. The caller has locked the order. */
export const takeStock = async (ctx: Ctx, order: StockOrder): Promise<void> => {
  if (order.stock_needs === null || order.branch_id === null) return;
  const amounts = amountsOfLines(order, null).map(({ ingredient_id, milli }) => ({ ingredient_id, milli: -milli }));
  await bookEntries(ctx, { branchId: order.branch_id, kind: "order", amounts, orderId: order.id });
};

/** Returns the stock of the lines that are left, or of one of them. The caller has locked the order, which took it. */
export const returnStock = async (ctx: Ctx, order: StockOrder, lineId: number | null = null): Promise<void> => {
  if (order.stock_needs === null || order.branch_id === null) return;
  const amounts = amountsOfLines(order, lineId);
  await bookEntries(ctx, { branchId: order.branch_id, kind: "return", amounts, orderId: order.id, ...(lineId === null ? {} : { lineId }) });
};
