import type { Order } from "@comanda/contract/venue/orders.ts";
import { isClosed } from "../board-columns.ts";

const linesLeft = (items: readonly Pick<Order["items"][number], "voided">[]): number => items.filter(({ voided }) => !voided).length;

/** An open order keeps its last line: without it, it is a cancelled one. */
export const canStrike = ({ status, items }: Pick<Order, "status" | "items">): boolean => !isClosed(status) && linesLeft(items) > 1;

/** One line is left of an open order, which had more: the page says what to do instead. */
export const isLastLeft = ({ status, items }: Pick<Order, "status" | "items">): boolean =>
  !isClosed(status) && items.length > 1 && linesLeft(items) === 1;
