import type { ItemValue, MenuPlan } from "@comanda/contract/console/menu-editor.ts";
import { expect, test } from "vitest";
import { readPrice, writePrice } from "#kit/amounts.ts";
import { bodyOfDraft } from "./menu-body.ts";
import { EMPTY_DRAFT, setValue, showPlan } from "./menu-draft.ts";
import { countLacks, findGaps, languagesOf, readPlace, showDishes, writePlace } from "./menu-view.ts";
import { newDish, newValue } from "./new-values.ts";
import { applyColumn, cellsFrom, cellsOf, readColumn } from "./paste-column.ts";
import { addRows, readRows } from "./paste-rows.ts";
import { previewRows } from "./preview-rows.ts";
import { changedPrice, roundSteps, withRule } from "./price-change.ts";

const dish = (key: string, id: number, value: Partial<ItemValue>) => ({
  key,
  id,
  version: "v1",
  is_available: true,
  value: { ...newDish("pasta"), price_minor: 1000, ...value },
});
const category = (key: string, id: number, menu: string, station: string | null) => ({
  key,
  id,
  version: "v1",
  value: { menu, name: { en: key, ar: "فئة" }, is_active: true, hours: null, station },
});
const menu = (key: string, id: number) => ({ key, id, version: "v1", value: { name: { en: key }, is_active: true, hours: null } });
const sizes = [
  { key: "s", name: { en: "Small" }, price_minor: 500, is_default: true },
  { key: "l", name: { en: "Large" }, price_minor: 900, is_default: false },
];
const plan: MenuPlan = {
  menus: [menu("lunch", 1), menu("bar", 2)],
  categories: [category("drinks", 2, "bar", null), category("pasta", 1, "lunch", "Hot")],
  items: [
    dish("ragu", 1, { name: { en: "Ragù", ar: "راغو" }, allergens: [] }),
    dish("pesto", 2, { name: { en: "Pesto", ar: null } }),
    dish("red", 3, { category: "drinks", name: { en: "Red", ar: "أحمر" }, price_minor: null, variants: sizes }),
  ],
  modifier_groups: [],
  happy_hours: [],
  taxes: [],
  default_language: "en",
  currency: "EUR",
  zone: "Europe/Rome",
};
const shown = showPlan(plan, EMPTY_DRAFT);

const shownKeys = (wanted: Partial<Parameters<typeof showDishes>[1]>): string[][] =>
  showDishes(shown, { place: { kind: "all" }, search: "", lack: null, languages: languagesOf(plan), ...wanted }).map(({ dishes }) =>
    dishes.map(({ key }) => key),
  );

test("places, searches and filters: in the order of the menus, and a search looks everywhere", () => {
  expect(shownKeys({})).toEqual([["ragu", "pesto"], ["red"]]);
  expect(shownKeys({ place: { kind: "category", key: "drinks" } })).toEqual([["red"]]);
  expect(shownKeys({ place: { kind: "menu", key: "lunch" }, search: "rEd" })).toEqual([["red"]]);
  expect(shownKeys({ search: "ragu" })).toEqual([["ragu"]]);
  expect(shownKeys({ lack: "translation" })).toEqual([["pesto"]]);
  expect(shownKeys({ lack: "allergens" })).toEqual([["pesto"], ["red"]]);
  expect(shownKeys({ lack: "station" })).toEqual([["red"]]);
  expect(readPlace(writePlace({ kind: "category", key: "pasta" }))).toEqual({ kind: "category", key: "pasta" });
  expect(readPlace("hours")).toEqual({ kind: "hours" });
});

test("a new dish lacks its name and price; what was not changed is not judged", () => {
  const draft = setValue(EMPTY_DRAFT, plan, { list: "items", key: "new" }, newValue("items", shown, { kind: "category", key: "drinks" }));
  expect([...findGaps(showPlan(plan, draft))]).toEqual([["items new", ["name", "price"]]]);
  const hours = setValue(EMPTY_DRAFT, plan, { list: "menus", key: "bar" }, { name: { en: "Bar" }, is_active: true, hours: [] });
  expect([...findGaps(showPlan(plan, hours))]).toEqual([["menus bar", ["hours"]]]);
});

test("prices change by per cent or amount, rounded, and never below nothing", () => {
  expect(changedPrice(1000, { kind: "percent", by: 5, roundTo: 1 })).toBe(1050);
  expect(changedPrice(999, { kind: "percent", by: 10.5, roundTo: 50 })).toBe(1100);
  expect(changedPrice(335, { kind: "percent", by: -10, roundTo: 5 })).toBe(300);
  expect(changedPrice(40, { kind: "amount", by: -50, roundTo: 1 })).toBe(0);
  const red = withRule({ ...newDish("drinks"), variants: sizes }, { kind: "amount", by: 20, roundTo: 10 });
  expect([red.price_minor, red.variants.map(({ price_minor }) => price_minor)]).toEqual([null, [520, 920]]);
  expect([roundSteps(2), roundSteps(0), roundSteps(3)]).toEqual([[1, 5, 10, 50, 100], [1], [1, 50, 100, 500, 1000]]);
});

test("a price text is read and written with the digits of the currency", () => {
  expect([writePrice(1250, "EUR"), writePrice(1200, "JPY"), writePrice(3500, "KWD")]).toEqual(["12.50", "1200", "3.500"]);
  expect([readPrice("12,5", "EUR"), readPrice("12.5", "JPY"), readPrice("99999999999", "EUR"), readPrice("", "EUR")]).toEqual([
    1250,
    null,
    null,
    null,
  ]);
});

test("pasted rows add dishes or change prices, and name the fault of each cell", () => {
  const target = { shown, currency: "EUR", category: "pasta" };
  const rows = readRows(
    "Name\tPrice\tCategory\nragù\t€ 12,50\t\nGnocchi\t11\tPASTA\nRed\t5\tdrinks\n\t1\tnone\nGnocchi\tx\tpasta\n",
    target,
  );
  expect(rows.map(({ name, minor, dish: key, faults }) => [name, minor, key, faults])).toEqual([
    ["ragù", 1250, "ragu", {}],
    ["Gnocchi", 1100, null, {}],
    ["Red", 500, "red", { price: "hasSizes" }],
    ["", 100, null, { name: "nameMissing", category: "categoryUnknown" }],
    ["Gnocchi", null, null, { name: "nameTwice", price: "priceWrong" }],
  ]);
  const body = bodyOfDraft(addRows(EMPTY_DRAFT, plan, shown, rows));
  expect(body.prices).toEqual([{ item: "ragu", variant: null, seen_minor: 1000, price_minor: 1250 }]);
  expect(body.items).toMatchObject([{ seen: null, value: { name: { en: "Gnocchi" }, category: "pasta", price_minor: 1100 } }]);
  expect(readRows("Soup;5", { ...target, category: null })[0]?.faults).toEqual({ category: "categoryMissing" });
});

test("a first row is a heading by the word for its price; a dish without a right price is a row with a fault, wherever it stands", () => {
  const namesOf = (text: string) =>
    readRows(text, { shown, currency: "EUR", category: "pasta" }).map(({ name, faults }) => [name, faults.price ?? "right"]);
  for (const heading of ["Name\tPrice\tCategory", "Piatto\tPrezzo (€)", "Gericht;Preis EUR", "الطبق\tالسعر", "Plat\tPRIX\t"])
    expect(namesOf(`${heading}\nSoup${heading.includes(";") ? ";" : "\t"}5`)).toEqual([["Soup", "right"]]);
  expect(namesOf("Bread\tfree\nSoup\t5")).toEqual([
    ["Bread", "priceWrong"],
    ["Soup", "right"],
  ]);
  expect(namesOf("Bread;;\nSoup;5")).toEqual([
    ["Bread", "priceWrong"],
    ["Soup", "right"],
  ]);
});

test("what dishes lack is counted for the chosen place", () => {
  expect(countLacks(shown, { kind: "all" }, languagesOf(plan))).toEqual({ translation: 1, allergens: 2, station: 1 });
  expect(countLacks(shown, { kind: "menu", key: "bar" }, languagesOf(plan))).toEqual({ translation: 0, allergens: 1, station: 1 });
});

test("a column of prices fills the fields from the focused one on, sizes included; what is no price stays and is named", () => {
  const cells = cellsOf(showDishes(shown, { place: { kind: "all" }, search: "", lack: null, languages: languagesOf(plan) }));
  expect(cells.map(({ key, size }) => `${key} ${size ?? ""}`)).toEqual(["ragu ", "pesto ", "red s", "red l"]);
  const column = readColumn("12,50 €\r\nx\r\n\r\n9.90\r\n7\r\n", cells, "EUR");
  expect(column).toEqual({
    prices: [
      { key: "ragu", size: null, minor: 1250 },
      { key: "red", size: "l", minor: 990 },
    ],
    wrong: [{ row: 2, text: "x" }],
    surplus: 1,
  });
  const body = bodyOfDraft(applyColumn(EMPTY_DRAFT, plan, column));
  expect(body.prices).toEqual([
    { item: "ragu", variant: null, seen_minor: 1000, price_minor: 1250 },
    { item: "red", variant: "l", seen_minor: 900, price_minor: 990 },
  ]);
  // Only the chosen dishes get prices when the focused one is among them.
  const [first, , third] = cells;
  if (!first || !third) expect.fail("no cells");
  expect(cellsFrom(cells, first, new Set(["ragu", "red"])).map(({ key }) => key)).toEqual(["ragu", "red", "red"]);
  expect(cellsFrom(cells, third, new Set(["ragu", "pesto"])).map(({ key }) => key)).toEqual(["red", "red"]);
});

test("a preview gives the price then, and says why something is not offered", () => {
  const at = { at: "2026-11-20T18:00:00Z", happy_hours: [] };
  const rows = previewRows(
    { ...plan, items: plan.items.map((item) => (item.key === "pesto" ? { ...item, is_available: false } : item)) },
    { ...at, offered_menus: ["lunch"], closed_categories: [], prices: [{ item: "ragu", variant: null, price_minor: 800 }] },
  );
  expect(rows.map(({ key, reason }) => [key, reason])).toEqual([
    ["lunch", null],
    ["bar", "hours"],
  ]);
  expect(rows[0]?.categories[0]?.dishes.map(({ key, prices, reason }) => [key, prices[0]?.minor, prices[0]?.listMinor, reason])).toEqual([
    ["ragu", 800, 1000, null],
    ["pesto", 1000, 1000, "soldOut"],
  ]);
});
