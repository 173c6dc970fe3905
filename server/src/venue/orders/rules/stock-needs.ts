/** What an order takes: portions of its dishes, and ingredients out of stock. */

import type { OrderLine } from "@comanda/contract/venue/orders.ts";
import type { RecipeLine, SellableItem } from "#venue/menu/rules/items.ts";
import { needsOf, type StockNeed } from "#venue/stock/rules.ts";
import type { PlacedOrder, WantedOrder } from "./decide-order.ts";

/**
 * Null for most orders: none of their dishes has a recipe. The stored lines name neither size nor options by their ids, so it is decided at
 * placing.
 */
export const stockNeedsOf = (
  wanted: Pick<WantedOrder, "lines">,
  { lines }: Pick<PlacedOrder, "lines">,
  lineIds: readonly number[],
  recipe: readonly RecipeLine[],
): StockNeed[] | null =>
  needsOf(
    lines.map(({ index, line: { item_id, quantity } }, place) => ({
      line_id: lineIds[place] ?? 0,
      item_id,
      quantity,
      variant_id: wanted.lines[index]?.variant_id ?? null,
      option_ids: wanted.lines[index]?.option_ids ?? [],
    })),
    recipe,
  );

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
