import type { ItemValue, MenuPlan } from "@comanda/contract/console/menu-editor.ts";
import { expect, test } from "vitest";
import { readAmount } from "#kit/amounts.ts";
import { CallError } from "#kit/api.ts";
import { bodyOfDraft, readMenuFaults } from "./menu-body.ts";
import {
  addAgain,
  countDraft,
  dropEdit,
  EMPTY_DRAFT,
  keysIn,
  type MenuDraft,
  newMenuKey,
  setValue,
  showPlan,
  withPrice,
} from "./menu-draft.ts";
import { moveSubject, placeSubject } from "./menu-order.ts";
import { rebaseDraft, reverseDraft } from "./menu-rebase.ts";
import { findGaps } from "./menu-view.ts";

const dish = (category: string, name: string, change: Partial<ItemValue> = {}): ItemValue => ({
  category,
  name: { en: name },
  description: null,
  price_minor: 1000,
  variants: [],
  modifier_groups: [],
  dietary: "none",
  allergens: null,
  show_online: true,
  tax: null,
  ...change,
});
const item = (id: number, key: string, value: ItemValue, version = "v1") => ({ id, key, version, value, is_available: true });
const sizes = [
  { key: "s", name: { en: "Small" }, price_minor: 500, is_default: true },
  { key: "l", name: { en: "Large" }, price_minor: 900, is_default: false },
];
const category = (id: number, key: string) => ({
  id,
  key,
  version: "v1",
  value: { menu: "all", name: { en: key }, is_active: true, hours: null, station: null },
});
const plan: MenuPlan = {
  menus: [{ id: 1, key: "all", version: "v1", value: { name: { en: "All" }, is_active: true, hours: null } }],
  categories: [category(1, "pasta"), category(2, "wine")],
  items: [
    item(1, "ragu", dish("pasta", "Ragù")),
    item(2, "pesto", dish("pasta", "Pesto")),
    item(3, "red", dish("wine", "Red", { price_minor: null, variants: sizes, modifier_groups: ["ice"] })),
  ],
  modifier_groups: [{ id: 1, key: "ice", version: "v1", value: { name: { en: "Ice" }, min_select: 0, max_select: null, options: [] } }],
  happy_hours: [],
  taxes: [],
  default_language: "en",
  currency: "EUR",
  zone: "Europe/Rome",
};
const dishValue = (key: string, from = plan): ItemValue => from.items.find((one) => one.key === key)?.value ?? expect.fail(key);
const setPrice = (draft: MenuDraft, key: string, price: number, size: string | null = null): MenuDraft => {
  const value = showPlan(plan, draft).items.find((one) => one.key === key)?.value ?? expect.fail(key);
  return setValue(draft, plan, { list: "items", key }, withPrice(value, size, price));
};
/** The menu after another person changed one dish. */
const changedPlan = (key: string, change: Partial<ItemValue>, version = "v2"): MenuPlan => ({
  ...plan,
  items: plan.items.map((one) => (one.key === key ? { ...one, version, value: { ...one.value, ...change } } : one)),
});
const orderIn = (draft: MenuDraft, parent: string, from = plan): string[] => keysIn(showPlan(from, draft), "items", parent);

test("a price alone is sent as a price, and a price that is put back is no change", () => {
  const raised = setPrice(setPrice(EMPTY_DRAFT, "ragu", 1200), "red", 950, "l");
  expect(bodyOfDraft(raised)).toEqual({
    prices: [
      { item: "ragu", variant: null, seen_minor: 1000, price_minor: 1200 },
      { item: "red", variant: "l", seen_minor: 900, price_minor: 950 },
    ],
  });
  expect(countDraft(raised)).toBe(2);
  expect(countDraft(setPrice(setPrice(raised, "ragu", 1000), "red", 900, "l"))).toBe(0);
});

test("any other change sends the dish as a whole, with the version that was seen", () => {
  const value = { ...dishValue("ragu"), price_minor: 1200, show_online: false };
  expect(bodyOfDraft(setValue(EMPTY_DRAFT, plan, { list: "items", key: "ragu" }, value))).toEqual({
    items: [{ key: "ragu", seen: "v1", value }],
  });
});

test("a new dish has a key of the right form and goes to the end; removed again, it is no change", () => {
  const key = newMenuKey("item");
  expect(key).toMatch(/^item-[a-z0-9]{12}$/);
  const added = setValue(EMPTY_DRAFT, plan, { list: "items", key }, dish("pasta", "Gnocchi"));
  expect(orderIn(added, "pasta")).toEqual(["ragu", "pesto", key]);
  expect(bodyOfDraft(added).items).toMatchObject([{ key, seen: null }]);
  expect(countDraft(setValue(added, plan, { list: "items", key }, null))).toBe(0);
});

test("a removed dish is still shown, so that it can be put back", () => {
  const removed = setValue(EMPTY_DRAFT, plan, { list: "items", key: "ragu" }, null);
  expect(showPlan(plan, removed).items[0]).toMatchObject({ key: "ragu", state: "removed" });
  expect(bodyOfDraft(removed)).toEqual({ items: [{ key: "ragu", seen: "v1", value: null }] });
  expect(setValue(removed, plan, { list: "items", key: "ragu" }, dishValue("ragu"))).toEqual(EMPTY_DRAFT);
});

test("only rows that changed are new objects", () => {
  const before = showPlan(plan, EMPTY_DRAFT).items;
  const after = showPlan(plan, setPrice(EMPTY_DRAFT, "pesto", 1)).items;
  expect(before.map((one, at) => one === after[at])).toEqual([true, false, true]);
});

test("an order is sent with all keys of its list, and ends when it is the old one", () => {
  const move = (draft: MenuDraft, key: string, by: -1 | 1) => moveSubject(draft, plan, { list: "items", parent: "pasta", key, by });
  const moved = move(EMPTY_DRAFT, "ragu", 1);
  expect(bodyOfDraft(moved)).toEqual({ orders: [{ list: "items", parent: "pasta", keys: ["pesto", "ragu"] }] });
  expect(move(moved, "ragu", 1)).toBe(moved);
  expect(countDraft(move(moved, "ragu", -1))).toBe(0);
  const menus = moveSubject(EMPTY_DRAFT, plan, { list: "categories", parent: "all", key: "wine", by: -1 });
  expect(bodyOfDraft(menus).orders).toEqual([{ list: "categories", parent: "all", keys: ["wine", "pasta"] }]);
});

test("read again: own edits stay, those of others show, and what both changed is marked", () => {
  const own = setPrice(EMPTY_DRAFT, "ragu", 1200);
  const elsewhere = rebaseDraft(own, changedPlan("pesto", { price_minor: 700 }));
  expect(elsewhere).toEqual(own);
  const theirs = changedPlan("ragu", { price_minor: 1100, show_online: false });
  const both = showPlan(theirs, rebaseDraft(own, theirs)).items[0];
  expect(both).toMatchObject({ isAlsoChanged: true, value: { price_minor: 1200, show_online: false }, saved: { price_minor: 1100 } });
  expect(bodyOfDraft(rebaseDraft(own, theirs)).prices).toMatchObject([{ seen_minor: 1100, price_minor: 1200 }]);
  expect(countDraft(rebaseDraft(own, changedPlan("ragu", { price_minor: 1200 })))).toBe(0);
});

test("read again: a dish that was removed meanwhile is added again by an own change, and an own removal is done", () => {
  const without = { ...plan, items: plan.items.filter(({ key }) => key !== "ragu") };
  expect(bodyOfDraft(rebaseDraft(setPrice(EMPTY_DRAFT, "ragu", 1200), without)).items).toMatchObject([{ key: "ragu", seen: null }]);
  expect(countDraft(rebaseDraft(setValue(EMPTY_DRAFT, plan, { list: "items", key: "ragu" }, null), without))).toBe(0);
});

test("read again: an order keeps what is still there and puts what is new behind it", () => {
  const moved = moveSubject(EMPTY_DRAFT, plan, { list: "items", parent: "pasta", key: "ragu", by: 1 });
  const more = { ...plan, items: [...plan.items, item(9, "gnocchi", dish("pasta", "Gnocchi"))] };
  expect(orderIn(rebaseDraft(moved, more), "pasta", more)).toEqual(["pesto", "ragu", "gnocchi"]);
  const fewer = { ...plan, items: plan.items.filter(({ key }) => key !== "pesto") };
  expect(countDraft(rebaseDraft(moved, fewer))).toBe(0);
});

test("a save is taken back: prices, new dishes, removed ones with their place, and groups in dishes", () => {
  const raised = setPrice(EMPTY_DRAFT, "ragu", 1200);
  expect(bodyOfDraft(reverseDraft(plan, changedPlan("ragu", { price_minor: 1200 }), raised)).prices).toEqual([
    { item: "ragu", variant: null, seen_minor: 1200, price_minor: 1000 },
  ]);
  const added = setValue(EMPTY_DRAFT, plan, { list: "items", key: "new" }, dish("pasta", "New"));
  const withNew = { ...plan, items: [...plan.items, item(9, "new", dish("pasta", "New"))] };
  expect(bodyOfDraft(reverseDraft(plan, withNew, added)).items).toEqual([{ key: "new", seen: "v1", value: null }]);
  const removed = setValue(EMPTY_DRAFT, plan, { list: "items", key: "ragu" }, null);
  const without = { ...plan, items: plan.items.filter(({ key }) => key !== "ragu") };
  expect(bodyOfDraft(reverseDraft(plan, without, removed))).toEqual({
    items: [{ key: "ragu", seen: null, value: dishValue("ragu") }],
    orders: [{ list: "items", parent: "pasta", keys: ["ragu", "pesto"] }],
  });
  const noGroup = setValue(EMPTY_DRAFT, plan, { list: "modifier_groups", key: "ice" }, null);
  const afterGroup = { ...changedPlan("red", { modifier_groups: [] }), modifier_groups: [] };
  expect(bodyOfDraft(reverseDraft(plan, afterGroup, noGroup)).items).toEqual([{ key: "red", seen: "v2", value: dishValue("red") }]);
});

test("faults are found at their subject, whether named by place or by key", () => {
  const details = {
    "prices.0.price_minor": ["Too high."],
    "items.ragu.tax": ["There is no tax."],
    "categories.0": ["It still has dishes."],
    items: ["Too many."],
  };
  const body = { ...bodyOfDraft(setPrice(EMPTY_DRAFT, "red", 1, "s")), categories: [{ key: "wine", seen: "v1", value: null }] };
  const { bySubject, others } = readMenuFaults(new CallError("validation_failed", "", { details }), body);
  expect(Object.fromEntries(bySubject)).toEqual({
    "items red": ["Too high."],
    "items ragu": ["There is no tax."],
    "categories wine": ["It still has dishes."],
  });
  expect(others).toEqual(["Too many."]);
});

test("prices are read in the venue's currency", () => {
  expect([
    readAmount("12,5", "EUR"),
    readAmount("12.345", "EUR"),
    readAmount("1200", "JPY"),
    readAmount("٣٫٥", "KWD"),
    readAmount("", "EUR"),
  ]).toEqual([1250, null, 1200, 3500, null]);
});

test("a dish that a colleague removed is not added again before that is decided", () => {
  const edited = setPrice(EMPTY_DRAFT, "ragu", 1200);
  const without = { ...plan, items: plan.items.filter(({ key }) => key !== "ragu") };
  const met = rebaseDraft(edited, without);
  const gapsOf = (draft: MenuDraft) => [...findGaps(showPlan(without, draft)).values()].flat();
  expect(gapsOf(met)).toEqual(["gone"]);
  const added = addAgain(met, { list: "items", key: "ragu" });
  expect(gapsOf(added)).toEqual([]);
  expect(bodyOfDraft(added).items).toMatchObject([{ key: "ragu", seen: null, value: { price_minor: 1200 } }]);
  expect(countDraft(dropEdit(met, { list: "items", key: "ragu" }))).toBe(0);
  // It is read again later, still removed, or back again.
  expect(gapsOf(rebaseDraft(met, { ...without }))).toEqual(["gone"]);
  expect([...findGaps(showPlan(plan, rebaseDraft(met, plan)))]).toEqual([]);
});

test("a dish is put in front of another, or to the end; where it was is no change", () => {
  const place = { list: "items" as const, parent: "pasta", key: "pesto" };
  const first = placeSubject(EMPTY_DRAFT, plan, { ...place, before: "ragu" });
  expect(orderIn(first, "pasta")).toEqual(["pesto", "ragu"]);
  expect(countDraft(placeSubject(first, plan, { ...place, before: null }))).toBe(0);
  expect(placeSubject(EMPTY_DRAFT, plan, { ...place, before: "red" })).toBe(EMPTY_DRAFT);
});
