/** GET /items, page by page. Works in a category that only this file adds to, so that the list does not change. */
import { beforeAll, describe, expect, test } from "vitest";
import { call } from "../client.ts";
import { lab } from "../target.ts";
import { addDish, allItems, type ItemPage, listItems, pageOf, putAvailability } from "./dishes.ts";
import { labFloor } from "./floor.ts";

let category_id: number;
let expected: number[];
let per_page: number;

const ids = ({ data }: ItemPage): number[] => data.map(({ id }) => id);
const first = (): Promise<ItemPage> => listItems(lab, { category_id, per_page });
const at = (cursor: string | null): Promise<ItemPage> => listItems(lab, { category_id, per_page, cursor: String(cursor) });

beforeAll(async () => {
  category_id = (await labFloor()).quiet.id;
  for (let count = 0; count < 7; count++) await addDish(lab, category_id);
  expected = (await allItems(lab, { category_id })).map(({ id }) => id);
  // About four pages, however many dishes earlier runs created.
  per_page = Math.min(100, Math.max(2, Math.floor(expected.length / 4)));
});

describe("GET /items, page by page", () => {
  test("R4.0-05 following next_cursor gives every dish once, in order, and ends with null", async () => {
    const seen: number[] = [];
    let page = await first();
    seen.push(...ids(page));
    while (page.meta.next_cursor !== null) {
      expect(page.data).toHaveLength(per_page);
      page = await at(page.meta.next_cursor);
      seen.push(...ids(page));
    }
    expect(seen).toEqual(expected);
    expect(page.links.next).toBeNull();
  });

  test("R4.0-05 a cursor is a position: it serves with another page size and another filter", async () => {
    const { meta } = await first();
    const cursor = String(meta.next_cursor);
    expect(ids(await listItems(lab, { category_id, per_page: 1, cursor }))).toEqual(expected.slice(per_page, per_page + 1));
    const filtered = await listItems(lab, { category_id, available: "true", per_page: 1, cursor });
    expect(filtered.data[0]?.id).toBeGreaterThan(expected[per_page - 1] ?? 0);
  });

  test("R4.0-06 links.next leads to the same page as the cursor, filters and page size included", async () => {
    const { meta, links } = await first();
    expect(links.next).toMatch(/^https?:\/\//);
    const followed = pageOf(await call(lab.tokens.full, "GET", String(links.next)));
    const asked = await at(meta.next_cursor);
    expect(followed).toEqual(asked);
    expect(followed.meta.per_page).toBe(per_page);
    expect(ids(followed)).toEqual(expected.slice(per_page, 2 * per_page));
  });

  test("R4.0-06 links keep every filter that was sent", async () => {
    const page = await listItems(lab, { category_id, available: "true", per_page: 1 });
    const { searchParams } = new URL(String(page.links.next));
    expect(searchParams.get("category_id")).toBe(String(category_id));
    expect(searchParams.get("available")).toBe("true");
    expect(searchParams.get("per_page")).toBe("1");
    expect(searchParams.getAll("cursor")).toEqual([page.meta.next_cursor]);
  });

  test("R4.0-07 no way back from the first page; from the second the way back is the first", async () => {
    const one = await first();
    expect([one.meta.prev_cursor, one.links.prev]).toEqual([null, null]);
    const two = await at(one.meta.next_cursor);
    expect(two.meta.prev_cursor).not.toBeNull();
    expect(ids(await at(two.meta.prev_cursor))).toEqual(ids(one));
    expect(ids(pageOf(await call(lab.tokens.full, "GET", String(two.links.prev))))).toEqual(ids(one));
  });

  test("R4.0-07 going back from the third page gives the second, in the same order, and on again the third", async () => {
    const two = await at((await first()).meta.next_cursor);
    const three = await at(two.meta.next_cursor);
    const back = await at(three.meta.prev_cursor);
    expect(ids(back)).toEqual(ids(two));
    expect(ids(await at(back.meta.next_cursor))).toEqual(ids(three));
  });

  test("R4.0-08 fewer rows than a page: no next; none at all: an empty list and four nulls", async () => {
    const few = await listItems(lab, { category_id: (await labFloor()).retired.data.categories[0]?.id ?? 0, per_page: 100 });
    if (few.data.length < 100) expect([few.meta.next_cursor, few.links.next]).toEqual([null, null]);
    const none = await listItems(lab, { category_id: "999999999999999" });
    expect(none.data).toEqual([]);
    expect([none.meta.next_cursor, none.meta.prev_cursor]).toEqual([null, null]);
    expect(none.links).toEqual({ next: null, prev: null });
  });

  test("R4.0-08 a last page that is exactly full has no next", async () => {
    const soldOut = await addDish(lab, category_id);
    await putAvailability(lab, soldOut.id, { is_available: false });
    const count = (await allItems(lab, { category_id, available: "false" })).length;
    if (count > 100) return;
    const page = await listItems(lab, { category_id, available: "false", per_page: count });
    expect(page.data).toHaveLength(count);
    expect([page.meta.next_cursor, page.links.next]).toEqual([null, null]);
    await putAvailability(lab, soldOut.id, { is_available: true });
  });

  test("R4.0-09 a dish added while paging neither repeats nor hides another", async () => {
    const before = (await allItems(lab, { category_id })).map(({ id }) => id);
    const seen: number[] = [];
    let page = await first();
    seen.push(...ids(page));
    while (page.meta.next_cursor !== null && seen.length < before.length + 10) {
      if (seen.length <= 2 * per_page) await addDish(lab, category_id);
      page = await at(page.meta.next_cursor);
      seen.push(...ids(page));
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((id) => before.includes(id))).toEqual(before);
  });
});
