/** The board as the page has it, and how answers of the server change it. */

import type { OrderTypeState } from "@comanda/contract/console/order-types.ts";
import type { Board, BoardOrder } from "@comanda/contract/console/orders.ts";
import type { BoardState } from "#offline/local-database.ts";
import { isClosed } from "./board-columns.ts";

/** An answer may have been read before a write that the page has seen already. */
const isOlder = (given: BoardOrder, known: BoardOrder | undefined): boolean => known !== undefined && given.changed_at < known.changed_at;

const mergeOrders = (known: readonly BoardOrder[], given: readonly BoardOrder[]): BoardOrder[] => {
  const orders = new Map(known.map((order) => [order.order.id, order]));
  for (const order of given) {
    if (isOlder(order, orders.get(order.order.id))) continue;
    if (isClosed(order.order.status)) orders.delete(order.order.id);
    else orders.set(order.order.id, order);
  }
  return [...orders.values()];
};

/** A value that says the same keeps its identity, so that the cards that use it are not drawn again with each reading. */
const keepIfEqual = <T>(known: T | undefined, given: T): T =>
  known !== undefined && JSON.stringify(known) === JSON.stringify(given) ? known : given;

/** An answer that took longer shows a smaller difference of the clocks. */
const CLOCK_STEP_MS = 2000;

const keepIfNear = (known: number | undefined, given: number): number =>
  known !== undefined && Math.abs(known - given) < CLOCK_STEP_MS ? known : given;

/** A whole answer replaces all; another holds what changed after the position that the page sent. */
export const mergeBoard = (known: BoardState | undefined, answer: Board, receivedAt: number): BoardState => ({
  position: answer.position,
  orders: mergeOrders(answer.is_whole ? [] : (known?.orders ?? []), answer.orders),
  isCut: answer.is_whole ? answer.is_cut : (known?.isCut ?? answer.is_cut),
  branches: keepIfEqual(known?.branches, answer.branches),
  orderTypes: keepIfEqual(known?.orderTypes, answer.order_types),
  zone: answer.zone,
  clockAheadMs: keepIfNear(known?.clockAheadMs, new Date(answer.now).getTime() - receivedAt),
});

/** Null asks for the whole board: a cut one lacks orders that no change will bring. */
export const positionToAsk = (known: Pick<BoardState, "position" | "isCut"> | undefined): string | null =>
  known === undefined || known.isCut ? null : known.position;

/** The answer to a write. The position stays: other changes before it may be missing here. */
export const mergeWritten = (known: BoardState, written: BoardOrder): BoardState => ({
  ...known,
  orders: mergeOrders(known.orders, [written]),
});

export const mergeOrderType = (known: BoardState, written: OrderTypeState): BoardState => ({
  ...known,
  orderTypes: known.orderTypes.map((state) => (state.type === written.type ? written : state)),
});
