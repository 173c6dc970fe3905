/** Rows of a spreadsheet: name, price, category. A dish that is there gets the price, another is added. */

import type { MenuPlan } from "@comanda/contract/console/menu-editor.ts";
import { type Minor, minor } from "@comanda/contract/minor.ts";
import type { Translations } from "@comanda/contract/shared.ts";
import { readPastedPrice } from "#kit/amounts.ts";
import { foldText } from "#kit/fold-text.ts";
import { type MenuDraft, newMenuKey, type ShownPlan, setValue, withPrice } from "./menu-draft.ts";
import { newDish } from "./new-values.ts";

export type PastedCell = "name" | "price" | "category";
export type PasteFault = "nameMissing" | "nameLong" | "nameTwice" | "priceWrong" | "hasSizes" | "categoryUnknown" | "categoryMissing";
/** `dish` is the key of the dish that gets the price, null for a new one. */
export type PastedRow = {
  line: string;
  name: string;
  price: string;
  minor: Minor | null;
  category: string;
  categoryKey: string | null;
  dish: string | null;
  faults: Partial<Record<PastedCell, PasteFault>>;
};

const ROWS_MAX = 1000;
const NAME_LENGTH_MAX = 255;

const hasName = (name: Translations, folded: string): boolean =>
  Object.values(name).some((text) => text !== null && foldText(text.trim()) === folded);

type PasteTarget = { shown: ShownPlan; currency: string; category: string | null };

const readRow = (line: string, separator: string, { shown, currency, category }: PasteTarget): PastedRow => {
  const [name = "", price = "", wanted = ""] = line.split(separator).map((cell) => cell.trim());
  const there = <T extends { state: string }>(subjects: readonly T[]): T[] => subjects.filter(({ state }) => state !== "removed");
  const categoryKey =
    wanted === "" ? category : (there(shown.categories).find(({ value }) => hasName(value.name, foldText(wanted)))?.key ?? null);
  const dish = there(shown.items).find(({ value }) => value.category === categoryKey && hasName(value.name, foldText(name)));
  const amount = readPastedPrice(price, currency);
  const faults: PastedRow["faults"] = {};
  if (name === "") faults.name = "nameMissing";
  else if (name.length > NAME_LENGTH_MAX) faults.name = "nameLong";
  if (amount === null) faults.price = "priceWrong";
  else if (dish && dish.value.variants.length > 0) faults.price = "hasSizes";
  if (categoryKey === null) faults.category = wanted === "" ? "categoryMissing" : "categoryUnknown";
  return { line, name, price, minor: amount, category: wanted, categoryKey, dish: dish?.key ?? null, faults };
};

/** What a column of prices is called. A first row with another word for its price is a row with a fault, and is shown as one. */
const PRICE_HEADINGS = new Set(
  "price,prices,cost,amount,prezzo,prezzi,importo,preis,preise,betrag,prix,montant,precio,precios,importe,preco,precos,prijs,prijzen,السعر,سعر,الأسعار"
    .split(",")
    .map(foldText),
);

/** "Price (EUR)" too. */
const isHeading = (line: string, separator: string): boolean => {
  const [, price = ""] = line.split(separator);
  return PRICE_HEADINGS.has(foldText(/\p{L}+/u.exec(price.normalize("NFC"))?.[0] ?? ""));
};

/** Cells are separated by tabs, as a spreadsheet copies them, or by semicolons. The first row may be a heading. */
export const readRows = (text: string, target: PasteTarget): PastedRow[] => {
  const separator = text.includes("\t") ? "\t" : ";";
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const rows = lines.slice(isHeading(lines[0] ?? "", separator) ? 1 : 0, ROWS_MAX).map((line) => readRow(line, separator, target));
  const seen = new Set<string>();
  for (const row of rows) {
    const id = `${row.categoryKey} ${foldText(row.name)}`;
    if (seen.has(id) && row.name !== "") row.faults.name = "nameTwice";
    seen.add(id);
  }
  return rows;
};

export const isRightRow = ({ faults }: PastedRow): boolean => Object.keys(faults).length === 0;

export const addRows = (draft: MenuDraft, plan: MenuPlan, shown: ShownPlan, rows: readonly PastedRow[]): MenuDraft =>
  rows.filter(isRightRow).reduce((known, { name, minor: amount, categoryKey, dish }) => {
    const present = shown.items.find(({ key }) => key === dish);
    const choice = { list: "items" as const, key: present?.key ?? newMenuKey("item") };
    const fresh = { ...newDish(categoryKey ?? ""), name: { [plan.default_language]: name } };
    return setValue(known, plan, choice, withPrice(present?.value ?? fresh, null, amount ?? minor(0)));
  }, draft);
