import type { MenuToday } from "@comanda/contract/console/menu-today.ts";
import { expect, test } from "vitest";
import { countSoldOut, showMenu } from "./menu-filter.ts";

const available = { kind: "available", until: null, remaining: null } as const;
const menu: MenuToday = {
  categories: [
    { id: 1, name: { en: "Pasta" }, menu_name: { en: "Dinner" } },
    { id: 2, name: { en: "Sweets" }, menu_name: { en: "Dinner" } },
  ],
  dishes: [
    { id: 10, category_id: 2, name: { en: "Tiramisù", ar: "تيراميسو" }, state: { kind: "counted", until: null, remaining: 0 } },
    { id: 11, category_id: 1, name: { en: "Ragù" }, state: available },
    { id: 12, category_id: 1, name: { en: "Pesto", ar: null }, state: { kind: "sold_out", until: null, remaining: null } },
  ],
  options: [{ id: 20, name: { en: "Burrata" }, group_name: { en: "Extras" }, state: { kind: "sold_out", until: null }, dishes: 2 }],
  today_ends_at: "2026-11-15T04:00:00.000Z",
  zone: "Europe/Rome",
  now: "2026-11-14T12:00:00.000Z",
};
const idsOf = (view: Parameters<typeof showMenu>[1], text = "") => {
  const { groups, options } = showMenu(menu, view, text);
  return [groups.map(({ category, dishes }) => [category.id, dishes.map(({ id }) => id)]), options.map(({ id }) => id)];
};

test("views: dishes by category, options, and all that is sold out", () => {
  expect(idsOf("dishes")).toEqual([
    [
      [1, [11, 12]],
      [2, [10]],
    ],
    [],
  ]);
  expect(idsOf("options")).toEqual([[], [20]]);
  expect(idsOf("sold_out")).toEqual([
    [
      [1, [12]],
      [2, [10]],
    ],
    [20],
  ]);
  expect(countSoldOut(menu)).toBe(3);
});

test("a search finds without accents, in every language and in every view", () => {
  expect(idsOf("options", " TIRAMISU ")).toEqual([[[2, [10]]], []]);
  expect(idsOf("dishes", "تيرا")).toEqual([[[2, [10]]], []]);
  expect(idsOf("dishes", "extra")).toEqual([[], [20]]);
  expect(idsOf("dishes", "none")).toEqual([[], []]);
});
