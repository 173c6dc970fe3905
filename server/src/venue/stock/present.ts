import type { StockEntry, StockLevel } from "@comanda/contract/console/stock.ts";
import type { EventData } from "@comanda/contract/events/envelope.ts";
import { quantityOf } from "./rules.ts";
import type { BookedEntry, LevelRow, StockEntryRow } from "./store/levels.ts";

export const presentLevel = ({ on_hand_milli, par_milli, known_since, counted_at, ...ingredient }: LevelRow): StockLevel => ({
  ...ingredient,
  on_hand: quantityOf(on_hand_milli),
  par_level: par_milli === null ? null : quantityOf(par_milli),
  is_known: known_since !== null,
  counted_at: counted_at?.toISOString() ?? null,
});

export const presentStockEntry = ({ amount_milli, on_hand_milli, recorded_at, ...entry }: StockEntryRow): StockEntry => ({
  ...entry,
  amount: quantityOf(amount_milli),
  on_hand: quantityOf(on_hand_milli),
  recorded_at: recorded_at.toISOString(),
});

type BelowPar = EventData["stock.below_par"];

/** The name in the venue's own language, or in one that it has (open point D171). */
export const presentBelowPar = (entry: BookedEntry, branchId: number, language: string): BelowPar => ({
  stock: {
    ingredient: {
      id: entry.ingredient_id,
      name: entry.name[language] || Object.values(entry.name).find(Boolean) || "",
      sku: entry.sku,
      unit: entry.unit,
    },
    branch_id: branchId,
    on_hand: quantityOf(entry.on_hand_milli),
    par_level: quantityOf(entry.par_milli ?? 0),
    previous_on_hand: quantityOf(entry.on_hand_milli - entry.amount_milli),
  },
});
