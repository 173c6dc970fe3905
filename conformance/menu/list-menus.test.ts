/** GET /menus and GET /categories. */
import { describe, expect, test } from "vitest";
import { call } from "../client.ts";
import { expectStatus } from "../expectations.ts";
import { activeVenues, lab, neighbour } from "../target.ts";
import { listCategories, listMenus } from "./dishes.ts";
import { labFloor } from "./floor.ts";

type Ordered = { readonly sort_order: number; readonly id: number };
const inOwnersOrder = <T extends Ordered>(rows: readonly T[]): T[] => [...rows].sort((a, b) => a.sort_order - b.sort_order || a.id - b.id);

const MENU_FIELDS = ["categories", "id", "is_active", "name", "sort_order"];
const CATEGORY_FIELDS = ["id", "is_active", "menu_id", "name", "sort_order"];

describe("GET /menus", () => {
  test("R4.1-01 all menus in the owner's order, with their count and the currency", async () => {
    for (const venue of activeVenues) {
      const { data, meta } = await listMenus(venue);
      expect(data).toEqual(inOwnersOrder(data));
      expect(meta).toEqual({ count: data.length, currency: venue.currency });
      expect(data.length).toBeGreaterThan(0);
    }
  });

  test("R4.1-01 links is empty", async () => {
    const { body } = await call(lab.tokens.full, "GET", "/menus");
    expect((body as { links: object }).links).toEqual({});
  });

  test("R4.1-02 each menu's categories in the owner's order, the inactive ones among them", async () => {
    const { data } = await listMenus(lab);
    for (const { categories } of data) expect(categories).toEqual(inOwnersOrder(categories));
    expect(data.flatMap(({ categories }) => categories).some(({ is_active }) => !is_active)).toBe(true);
    expect(data.some(({ is_active }) => !is_active)).toBe(true);
  });

  test("R2.2-01 a menu has its five fields and no other", async () => {
    for (const menu of (await listMenus(lab)).data) expect(Object.keys(menu).sort()).toEqual(MENU_FIELDS);
  });

  test("R2.2-02 a category in the list of menus has no dishes", async () => {
    const categories = (await listMenus(lab)).data.flatMap((menu) => menu.categories);
    for (const category of categories) expect(Object.keys(category).sort()).toEqual(CATEGORY_FIELDS);
  });

  test("R2.2-04 a category names the menu it stands in", async () => {
    for (const menu of (await listMenus(lab)).data) for (const category of menu.categories) expect(category.menu_id).toBe(menu.id);
  });
});

describe("GET /categories", () => {
  test("R4.1-04 all categories, menu by menu, with their count", async () => {
    const { data, meta } = await listCategories(lab);
    const menus = (await listMenus(lab)).data;
    expect(data).toEqual(menus.flatMap(({ categories }) => categories));
    expect(meta).toEqual({ count: data.length });
    const { body } = await call(lab.tokens.full, "GET", "/categories");
    expect((body as { links: object }).links).toEqual({});
  });

  test("R2.2-02 a category has its five fields and no other", async () => {
    for (const category of (await listCategories(lab)).data) expect(Object.keys(category).sort()).toEqual(CATEGORY_FIELDS);
  });

  test("R4.1-05 only the categories of the menu asked for", async () => {
    for (const { id, categories } of (await listMenus(lab)).data) {
      const { data, meta } = await listCategories(lab, { menu_id: id });
      expect(data).toEqual(categories);
      expect(meta.count).toBe(categories.length);
    }
  });

  test("R4.1-05 none for a menu that is unknown, the neighbour's or no number", async () => {
    const foreign = (await listMenus(neighbour)).data.map(({ id }) => String(id));
    for (const menu_id of [...foreign, "999999999999999", "0", "-1", "abc", "1.5", "9".repeat(40), "1,2"]) {
      const { data, meta } = await listCategories(lab, { menu_id });
      expect(data, menu_id).toEqual([]);
      expect(meta, menu_id).toEqual({ count: 0 });
    }
  });

  test("R4.1-05 an empty menu_id asks for all", async () => {
    const { open } = await labFloor();
    const answer = await call(lab.tokens.full, "GET", "/categories", { query: "menu_id=" });
    expectStatus(answer, 200);
    expect((answer.body as { data: { id: number }[] }).data.length).toBeGreaterThan(open.data.categories.length - 1);
    expect(answer.body).toEqual((await call(lab.tokens.full, "GET", "/categories")).body);
  });
});
