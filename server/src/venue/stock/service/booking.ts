/** Entries of the ledger, and what follows from them: the event below par, and the job that sells dishes out. */
import type { Ctx } from "#lib/context.ts";
import { recordChange } from "#lib/record-change.ts";
import { emitAll } from "#platform/events/service.ts";
import { enqueue } from "#platform/jobs/service.ts";
import { presentBelowPar } from "../present.ts";
import { amountsOf, hasFallenBelowPar, hasRunOutOrReturned, type StockNeed } from "../rules.ts";
import { type BookedEntry, insertEntries, type NewEntries } from "../store/levels.ts";

/** Levels are locked from here until the commit, in the order of their ingredients. */
export const bookEntries = async (ctx: Ctx, entries: NewEntries): Promise<BookedEntry[]> => {
  if (entries.amounts.length === 0) return [];
  const booked = await insertEntries(ctx, entries);
  const fallen = booked.filter(hasFallenBelowPar).map((entry) => presentBelowPar(entry, entries.branchId, ctx.tenant.default_language));
  emitAll(ctx, "stock.below_par", fallen);
  recordChange(ctx, { kind: "ingredient", id: "all" });
  // What a first count or delivery says is news, too: before it, nothing was known.
  const isSaid = entries.kind === "count" || entries.kind === "delivery";
  if (booked.some((entry) => entry.sells_out && (isSaid || hasRunOutOrReturned(entry)))) await planSoldOut(ctx);
  return booked;
};

/** In its own transaction: a dish and its count are locked before the stock, and many dishes may need one ingredient. */
export const planSoldOut = (ctx: Ctx): Promise<void> => enqueue(ctx, "follow-stock", {});

/** An order with what its lines take. Null: none of its dishes had a recipe when it was placed. */
type StockOrder = {
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
