/** How many portions of each dish an order has. */
import type { OrderLine } from "@comanda/contract/venue/orders.ts";
import type { SellableItem } from "#venue/menu/rules/items.ts";

type LinePortions = Pick<OrderLine, "item_id" | "quantity">;
type OrderedPortions = LinePortions & Pick<OrderLine, "voided">;

/** Lines that were struck have none. */
export const portionsOf = (lines: readonly OrderedPortions[]): LinePortions[] => {
  const portions = new Map<number, number>();
  for (const { item_id, quantity, voided } of lines) if (!voided) portions.set(item_id, (portions.get(item_id) ?? 0) + quantity);
  return [...portions].map(([item_id, quantity]) => ({ item_id, quantity }));
};

/** Empty for most orders: dishes without a count cost nothing more. */
export const countedPortions = (lines: readonly OrderedPortions[], items: readonly SellableItem[]): LinePortions[] => {
  const counted = new Set(items.flatMap(({ id, remaining }) => (remaining === null ? [] : [id])));
  return counted.size === 0 ? [] : portionsOf(lines.filter(({ item_id }) => counted.has(item_id)));
};
