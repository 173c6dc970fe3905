import type { Translations } from "@comanda/contract/shared.ts";
import { expect, test } from "vitest";
import { auditActionOf, defaultVariantIndex, type HappyHourRow, itemChange, menuNow, newItemErrors, runningCuts } from "./rules/items.ts";

const soup = {
  category_id: 1,
  name: { en: "Soup", it: "Zuppa" },
  description: null,
  price_minor: 500,
  is_available: true,
  show_online: true,
  dietary: "veg" as const,
  allergens: null,
};

test("D59 a string sets the default language and keeps the others; a map replaces the map", () => {
  expect(itemChange(soup, { name: "Broth" }, "en").after).toEqual({ name: { en: "Broth", it: "Zuppa" } });
  expect(itemChange(soup, { name: { fr: "Soupe" } }, "en").after).toEqual({ name: { fr: "Soupe" } });
});

test("D58 a description without a text is none", () => {
  const described = { ...soup, description: { en: "Hot" } };
  const empty: (string | Translations | null)[] = ["", {}, { en: null }, { en: "" }, null];
  for (const description of empty) expect(itemChange(described, { description }, "en").after).toEqual({ description: null });
});

test("D67 a value that stays the same is no change", () => {
  expect(itemChange(soup, { name: { it: "Zuppa", en: "Soup" }, price_minor: 500, dietary: "veg", allergens: null }, "en").changed).toEqual(
    [],
  );
  expect(itemChange({ ...soup, allergens: ["milk"] }, { allergens: ["milk", "milk"] }, "en").changed).toEqual([]);
  expect(itemChange(soup, { allergens: [] }, "en")).toEqual({
    before: { allergens: null },
    after: { allergens: [] },
    changed: ["allergens"],
  });
});

test("D185 a price and a flip have their own word in the log", () => {
  expect(auditActionOf(["name", "price_minor"])).toBe("item.price_changed");
  expect(auditActionOf(["is_available"])).toBe("item.availability_changed");
  expect(auditActionOf(["is_available", "name"])).toBe("item.updated");
});

test("D61 D62 a dish has a price or sizes, and one default size", () => {
  const sizes = [1, 2, 3].map((price_minor) => ({ name: { en: "x" }, price_minor }));
  const item = { category_id: 1, name: "x" };
  expect(newItemErrors({ ...item, price_minor: 0 })).toEqual({});
  expect(newItemErrors({ ...item, price_minor: 1, variants: [] })).toEqual({});
  expect(newItemErrors({ ...item, price_minor: null, variants: sizes })).toEqual({});
  expect(Object.keys(newItemErrors({ ...item, price_minor: 1, variants: sizes }))).toEqual(["price_minor"]);
  expect(Object.keys(newItemErrors({ ...item, variants: [] }))).toEqual(["price_minor"]);
  const twice = sizes.map((size, index) => ({ ...size, is_default: index > 0 }));
  expect(Object.keys(newItemErrors({ ...item, variants: twice }))).toEqual(["variants.2.is_default"]);
  expect(defaultVariantIndex(sizes)).toBe(0);
  expect(defaultVariantIndex(twice)).toBe(1);
});

const clock = { year: 2026, month: 11, day: 14, hour: 18, minute: 0, second: 0, weekday: 5 };
const happyHour: HappyHourRow = {
  is_active: true,
  hours: null,
  percent_off: null,
  price_minor: null,
  category_ids: [],
  item_ids: [],
  variant_ids: [],
};

test("R2.9-04 a happy hour lists what it cut, per dish or per size, the lowest price where several run", () => {
  const menu = {
    is_active: true,
    hours: null,
    categories: [{ id: 1, hours: null }],
    items: [
      { id: 10, category_id: 1, price_minor: 999, variants: [] },
      {
        id: 11,
        category_id: 1,
        price_minor: null,
        variants: [
          { id: 21, price_minor: 500 },
          { id: 22, price_minor: 100 },
        ],
      },
    ],
  };
  const half = { ...happyHour, percent_off: 50, category_ids: [1] };
  const fixed = { ...happyHour, price_minor: 120, variant_ids: [21, 22] };
  expect(menuNow(menu, runningCuts([], clock), clock).prices).toEqual([]);
  expect(menuNow(menu, runningCuts([half], clock), clock).prices).toEqual([
    // 499.5 is taken off as 500: half away from zero.
    { item_id: 10, variant_id: null, price_minor: 499 },
    { item_id: 11, variant_id: 21, price_minor: 250 },
    { item_id: 11, variant_id: 22, price_minor: 50 },
  ]);
  // 120 is above the list price of the second size, so it cuts nothing there.
  expect(menuNow(menu, runningCuts([fixed], clock), clock).prices).toEqual([{ item_id: 11, variant_id: 21, price_minor: 120 }]);
  expect(menuNow(menu, runningCuts([half, fixed], clock), clock).prices).toContainEqual({ item_id: 11, variant_id: 21, price_minor: 120 });
  expect(
    menuNow(
      menu,
      runningCuts(
        [
          { ...half, is_active: false },
          { ...fixed, hours: [] },
        ],
        clock,
      ),
      clock,
    ).prices,
  ).toEqual([]);
});

test("R2.9-05 an inactive menu is never open; categories close by their own hours", () => {
  const closed = [{ days: ["mon" as const], from: "10:00", to: "11:00" }];
  const menu = {
    is_active: true,
    hours: null,
    categories: [
      { id: 1, hours: null },
      { id: 2, hours: closed },
      { id: 3, hours: [] },
    ],
    items: [],
  };
  expect(menuNow(menu, runningCuts([], clock), clock)).toEqual({ available: true, closed_category_ids: [2, 3], prices: [] });
  expect(menuNow({ ...menu, is_active: false }, runningCuts([], clock), clock).available).toBe(false);
  expect(menuNow({ ...menu, hours: closed }, runningCuts([], clock), clock).available).toBe(false);
});
