/** What the lines of an order take out of stock. The stored lines name neither size nor options by their ids, so it is decided at placing. */
import type { RecipeLine } from "#venue/menu/rules/items.ts";
import { needsOf, type StockNeed } from "#venue/stock/rules.ts";
import type { PlacedOrder, WantedOrder } from "./decide-order.ts";

/** Null for most orders: none of their dishes has a recipe. */
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
