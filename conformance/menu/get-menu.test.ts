/** GET /menus/{menu}: the whole menu, and `meta.now`. */
import type { MenuNow } from "@comanda/contract/venue/menu.ts";
import { describe, expect, test } from "vitest";
import { call } from "../client.ts";
import { expectRefused } from "../expectations.ts";
import { activeVenues, lab } from "../target.ts";
import { addDish, allItems, openMenu, readDish } from "./dishes.ts";
import { found, labFloor, openedMenus } from "./floor.ts";

const ITEM_FIELDS = [
  "allergens",
  "category_id",
  "description",
  "dietary",
  "id",
  "is_available",
  "modifier_groups",
  "name",
  "price_minor",
  "show_online",
  "sort_order",
  "updated_at",
  "variants",
];

type Price = MenuNow["prices"][number];

/** The open menu of the lab: its dishes, and the prices that a happy hour lowers. */
const labPrices = async () => {
  const { open } = await labFloor();
  const { data, meta } = await openMenu(lab, open.data.id);
  return { dishes: data.categories.flatMap(({ items }) => items), prices: meta.now.prices };
};

describe("GET /menus/{menu}", () => {
  test("R4.1-03 the menu with its categories and their dishes, each in the owner's order", async () => {
    for (const { data } of await openedMenus(lab)) {
      const orders = [data.categories, ...data.categories.map(({ items }) => items)];
      for (const rows of orders as { sort_order: number; id: number }[][])
        expect(rows).toEqual([...rows].sort((a, b) => a.sort_order - b.sort_order || a.id - b.id));
    }
  });

  test("R4.1-03 404 for a menu that does not exist", async () => {
    expectRefused(await call(lab.tokens.full, "GET", "/menus/9007199254740991"), "not_found");
  });

  test("R2.2-03 R2.4-01 each category also holds its dishes, in full", async () => {
    for (const venue of activeVenues)
      for (const { data } of await openedMenus(venue))
        for (const category of data.categories) {
          expect(Object.keys(category).sort()).toEqual(["id", "is_active", "items", "menu_id", "name", "sort_order"]);
          for (const item of category.items) {
            expect(Object.keys(item).sort()).toEqual(ITEM_FIELDS);
            expect(item.category_id).toBe(category.id);
          }
        }
  });

  test("R2.2-04 a category names the menu it stands in", async () => {
    for (const { data } of await openedMenus(lab)) for (const { menu_id } of data.categories) expect(menu_id).toBe(data.id);
  });

  test("R2.4-07 a dish reads the same alone, in the list and in its menu", async () => {
    const { plainDish, sizedDish, groupedDish } = await labFloor();
    for (const dish of [plainDish, sizedDish, groupedDish]) {
      expect(await readDish(lab, dish.id)).toEqual(dish);
      const listed = await allItems(lab, { category_id: dish.category_id });
      expect(found("the dish in the list", listed, ({ id }) => id === dish.id)).toEqual(dish);
    }
  });
});

describe("meta.now", () => {
  test("R2.9-03 meta has currency and now, now its three members", async () => {
    for (const { meta } of await openedMenus(lab)) {
      expect(Object.keys(meta).sort()).toEqual(["currency", "now"]);
      expect(Object.keys(meta.now).sort()).toEqual(["available", "closed_category_ids", "prices"]);
      for (const price of meta.now.prices) expect(Object.keys(price).sort()).toEqual(["item_id", "price_minor", "variant_id"]);
    }
  });

  test("R2.9-04 a dish on happy hour is listed once, without a size, at the cut price; its own price stays", async () => {
    const { dishes, prices } = await labPrices();
    const cuts = prices.filter(({ variant_id }) => variant_id === null);
    const listPrice = ({ item_id }: Price) => found("the cut dish", dishes, ({ id }) => id === item_id).price_minor;
    expect(cuts.length).toBeGreaterThan(0);
    for (const cut of cuts) expect(cut.price_minor).toBeLessThan(listPrice(cut) ?? 0);
    const cutBy20 = cuts.filter((cut) => listPrice(cut) === 1000 && cut.price_minor === 800);
    expect(cutBy20.length).toBeGreaterThan(0);
  });

  test("R2.9-04 a size on happy hour is listed with its id, its sister sizes are not", async () => {
    const { dishes, prices } = await labPrices();
    const cut = found("a size cut to 300", prices, ({ variant_id, price_minor }) => variant_id !== null && price_minor === 300);
    const dish = found("its dish", dishes, ({ id }) => id === cut.item_id);
    expect(dish.price_minor).toBeNull();
    expect(prices.filter(({ item_id }) => item_id === dish.id)).toEqual([cut]);
    const size = found("the size itself", dish.variants, ({ id }) => id === cut.variant_id);
    expect(size.price_minor).toBeGreaterThan(300);
  });

  test("R2.9-04 where two happy hours meet, the lower price is charged and listed once", async () => {
    const { dishes, prices } = await labPrices();
    const keys = prices.map(({ item_id, variant_id }) => `${item_id}/${variant_id}`);
    expect(new Set(keys).size).toBe(keys.length);
    const cutBy25 = prices.filter((price) => {
      const dish = dishes.find(({ id }) => id === price.item_id);
      return dish?.price_minor && Math.abs(price.price_minor - dish.price_minor * 0.75) < 1;
    });
    expect(cutBy25.length).toBeGreaterThan(0);
  });

  test("R2.9-04 only dishes of this menu are listed, and none where no happy hour runs", async () => {
    const menus = await openedMenus(lab);
    for (const { data, meta } of menus) {
      const ids = data.categories.flatMap(({ items }) => items).map(({ id }) => id);
      for (const { item_id } of meta.now.prices) expect(ids).toContain(item_id);
    }
    expect(menus.some(({ meta }) => meta.now.prices.length === 0)).toBe(true);
  });

  test("R2.9-04 a dish's own price_minor is its list price, cut or not", async () => {
    const { open, home } = await labFloor();
    const dish = await addDish(lab, home.id, { price_minor: 4321 });
    const { data, meta } = await openMenu(lab, open.data.id);
    const shown = data.categories.flatMap(({ items }) => items).find(({ id }) => id === dish.id);
    expect(shown?.price_minor).toBe(4321);
    for (const { price_minor } of meta.now.prices.filter(({ item_id }) => item_id === dish.id)) expect(price_minor).toBeLessThan(4321);
  });

  test("R2.9-05 a category outside its hours is listed as closed, the open ones are not", async () => {
    const { open, home, other } = await labFloor();
    const { data, meta } = await openMenu(lab, open.data.id);
    const own = data.categories.map(({ id }) => id);
    for (const id of meta.now.closed_category_ids) expect(own).toContain(id);
    expect(meta.now.closed_category_ids).toContain(other.id);
    expect(meta.now.closed_category_ids).not.toContain(home.id);
  });

  test("R2.9-05 a menu is available when it is active and inside its hours", async () => {
    const { open, shut, retired } = await labFloor();
    expect([open.data.is_active, open.meta.now.available]).toEqual([true, true]);
    expect([shut.data.is_active, shut.meta.now.available]).toEqual([true, false]);
    expect([retired.data.is_active, retired.meta.now.available]).toEqual([false, false]);
  });
});
