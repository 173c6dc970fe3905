/** Reads orders, as the API and as the board show them. */
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import type { Order } from "@comanda/contract/venue/orders.ts";
import { readCommitHorizon } from "#db/commit-horizon.ts";
import type { Ctx } from "#lib/context.ts";
import { apiError } from "#lib/errors.ts";
import { presentBoardOrder, presentOrder } from "../present.ts";
import {
  type BoardOrderRow,
  findOrder,
  findRatedOrder,
  listOpenOrders,
  listOrderRows,
  listOrdersById,
  listOrdersOfGuest,
  listTableOrders,
  listWholeOrdersOfGuest,
  type OrderFilter,
  type OrderPosition,
  type OrderRow,
  type OrderSearch,
  searchOrders,
  type TableOrderRow,
} from "../store.ts";

export { findRatedOrder, listOrdersOfGuest };

export const readOrder = async (ctx: Ctx, id: string): Promise<Order> => {
  const order = await findOrder(ctx, id);
  if (!order) throw apiError("not_found");
  return presentOrder(order, ctx.tenant.zone);
};

/**
 * Every page of one `updated_since` listing ends at the commit horizon of its first page. A newer row on a later page would move the
 * client's `updated_since` past changes to rows of earlier pages.
 */
export const readOrders = async (
  ctx: Ctx,
  filter: OrderFilter,
  position: OrderPosition | null,
  rowCount: number,
): Promise<{ rows: OrderRow[]; commitHorizon: string | null }> => {
  const commitHorizon = filter.updatedSince ? (position?.commitHorizon ?? (await readCommitHorizon(ctx))) : null;
  return { rows: await listOrderRows(ctx, { ...filter, commitHorizon }, position, rowCount), commitHorizon };
};

const presentBoard = (ctx: Ctx, rows: BoardOrderRow[]): BoardOrder[] => rows.map((row) => presentBoardOrder(row, ctx.tenant.zone));

/** The orders board shows the oldest first. */
export const readOpenOrders = async (ctx: Ctx, rowCount: number): Promise<BoardOrder[]> =>
  presentBoard(ctx, await listOpenOrders(ctx, rowCount));

/** At most this many: a venue has fewer tables. */
const TABLE_ORDERS_MAX = 500;

/** Open orders at tables whose guests came in this span. */
export const readOrdersAtTables = (ctx: Ctx, span: { from: Date; to: Date }): Promise<TableOrderRow[]> =>
  listTableOrders(ctx, span, TABLE_ORDERS_MAX);

export const readBoardOrders = async (ctx: Ctx, ids: string[]): Promise<BoardOrder[]> =>
  ids.length === 0 ? [] : presentBoard(ctx, await listOrdersById(ctx, ids));

/** The newest first. */
export const findOrders = async (ctx: Ctx, search: OrderSearch, rowCount: number): Promise<BoardOrder[]> =>
  presentBoard(ctx, await searchOrders(ctx, search, rowCount));

export const readWholeOrdersOfGuest = async (ctx: Ctx, guestId: number): Promise<Order[]> =>
  (await listWholeOrdersOfGuest(ctx, guestId)).map((row) => presentOrder(row, ctx.tenant.zone));
