/** GET /items: its filters and its order. */
import { describe, expect, test } from "vitest";
import { call } from "../client.ts";
import { expectInvalid, uniqueName } from "../expectations.ts";
import { lab } from "../target.ts";
import { addDish, allItems, listCategories, listItems, putAvailability } from "./dishes.ts";
import { labFloor } from "./floor.ts";

const ids = (rows: readonly { id: number }[]): number[] => rows.map(({ id }) => id);
const ascending = (numbers: readonly number[]): number[] => [...numbers].sort((a, b) => a - b);

describe("GET /items", () => {
  test("R4.1-06 a page of dishes by id, on and on", async () => {
    const all = ids(await allItems(lab));
    expect(all).toEqual(ascending(all));
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeGreaterThanOrEqual(30);
  });

  test("R2.1-05 meta names the currency", async () => {
    expect((await listItems(lab)).meta.currency).toBe(lab.currency);
  });

  test("R4.1-07 only the dishes of the category asked for", async () => {
    const { other, quiet } = await labFloor();
    for (const category of [other, quiet]) {
      const rows = await allItems(lab, { category_id: category.id });
      for (const { category_id } of rows) expect(category_id).toBe(category.id);
      expect(ids(rows)).toEqual(expect.arrayContaining(ids(category.items)));
    }
  });

  test("R4.1-07 the categories together hold every dish", async () => {
    const before = ids(await allItems(lab));
    const perCategory: number[] = [];
    for (const { id } of (await listCategories(lab)).data) perCategory.push(...ids(await allItems(lab, { category_id: id })));
    expect(perCategory).toEqual(expect.arrayContaining(before));
  });

  test("R4.1-07 an empty page for a category that does not exist", async () => {
    for (const category_id of ["999999999999999", "0"]) {
      const { data, meta, links } = await listItems(lab, { category_id });
      expect(data).toEqual([]);
      expect([meta.next_cursor, meta.prev_cursor, links.next, links.prev]).toEqual([null, null, null, null]);
    }
  });

  for (const category_id of ["abc", "-1", "1.5", "1e3", "1,2", "0x1", "9999999999999999"])
    test(`R4.1-07 422 category_id for ${category_id}`, async () => {
      expectInvalid(await call(lab.tokens.full, "GET", "/items", { query: { category_id } }), "category_id");
    });

  test("R4.1-08 available selects what is on or what is sold out; without it both come", async () => {
    const { other } = await labFloor();
    const on = await addDish(lab, other.id, { name: uniqueName("On") });
    const off = await addDish(lab, other.id, { name: uniqueName("Off") });
    await putAvailability(lab, off.id, { is_available: false });
    for (const [available, expected] of [
      ["true", true],
      ["1", true],
      ["false", false],
      ["0", false],
    ] as const) {
      const rows = await allItems(lab, { category_id: other.id, available });
      for (const { is_available } of rows) expect(is_available).toBe(expected);
      expect(ids(rows).includes(on.id)).toBe(expected);
      expect(ids(rows).includes(off.id)).toBe(!expected);
    }
    expect(ids(await allItems(lab, { category_id: other.id }))).toEqual(expect.arrayContaining([on.id, off.id]));
  });

  for (const available of ["yes", "TRUE", "False", "2", "on", "null", "true,false"])
    test(`R4.1-09 422 available for ${available}`, async () => {
      expectInvalid(await call(lab.tokens.full, "GET", "/items", { query: { available } }), "available");
    });

  test("R7.1-01 every parameter that is wrong is named at once", async () => {
    const query = { available: "yes", category_id: "abc", per_page: "0" };
    expectInvalid(await call(lab.tokens.full, "GET", "/items", { query }), "available", "category_id", "per_page");
  });
});
