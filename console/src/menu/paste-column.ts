/** A column of prices from a spreadsheet, pasted into the list: one price for each field from the focused one on. */

import type { MenuPlan } from "@comanda/contract/console/menu-editor.ts";
import type { Minor } from "@comanda/contract/minor.ts";
import { readPastedPrice } from "#kit/amounts.ts";
import { changeValue, type MenuDraft, withPrice } from "./menu-draft.ts";
import type { DishGroupShown } from "./menu-view.ts";

/** A price field: a dish, and its size when it has sizes. */
export type PriceCell = { key: string; size: string | null };
/** Rows are counted from one, as a spreadsheet does. */
export type PastedColumn = { prices: (PriceCell & { minor: Minor })[]; wrong: { row: number; text: string }[]; surplus: number };

export const cellsOf = (groups: readonly DishGroupShown[]): PriceCell[] =>
  groups.flatMap(({ dishes }) =>
    dishes.flatMap(({ key, value, state }): PriceCell[] => {
      if (state === "removed") return [];
      return value.variants.length === 0 ? [{ key, size: null }] : value.variants.map((size) => ({ key, size: size.key }));
    }),
  );

/** When several dishes are chosen, and the focused one is among them, only those get prices. */
export const cellsFrom = (cells: readonly PriceCell[], first: PriceCell, chosen: ReadonlySet<string>): PriceCell[] => {
  const wanted = chosen.size > 1 && chosen.has(first.key) ? cells.filter(({ key }) => chosen.has(key)) : cells;
  return wanted.slice(
    Math.max(
      0,
      wanted.findIndex(({ key, size }) => key === first.key && size === first.size),
    ),
  );
};

/** An empty line leaves its field as it is. */
export const readColumn = (text: string, cells: readonly PriceCell[], currency: string): PastedColumn => {
  const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
  const column: PastedColumn = { prices: [], wrong: [], surplus: Math.max(0, lines.length - cells.length) };
  for (const [at, cell] of cells.slice(0, lines.length).entries()) {
    const written = (lines[at] ?? "").split("\t")[0]?.trim() ?? "";
    const minor = readPastedPrice(written, currency);
    if (minor !== null) column.prices.push({ ...cell, minor });
    else if (written !== "") column.wrong.push({ row: at + 1, text: written });
  }
  return column;
};

export const applyColumn = (draft: MenuDraft, plan: MenuPlan, { prices }: PastedColumn): MenuDraft =>
  prices.reduce(
    (known, { key, size, minor }) => changeValue(known, plan, { list: "items", key }, (value) => withPrice(value, size, minor)),
    draft,
  );
