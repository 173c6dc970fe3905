import type { Order } from "@comanda/contract/venue/orders.ts";
import { isClosed } from "../board-columns.ts";

type StrikeableLine = Pick<Order["items"][number], "voided" | "quantity">;

const linesLeft = (items: readonly StrikeableLine[]): StrikeableLine[] => items.filter(({ voided }) => !voided);

/** How many of a line can be struck. An open order keeps the last of its last line: without it, it is a cancelled one. */
export const strikeableOf = ({ status, items }: Pick<Order, "status" | "items">, line: StrikeableLine): number => {
  if (isClosed(status) || line.voided) return 0;
  return linesLeft(items).length > 1 ? line.quantity : line.quantity - 1;
};

/** One dish is left of an open order, which had more: the page says what to do instead. */
export const isLastLeft = ({ status, items }: Pick<Order, "status" | "items">): boolean => {
  const left = linesLeft(items);
  return !isClosed(status) && items.length > 1 && left.length === 1 && left[0]?.quantity === 1;
};
