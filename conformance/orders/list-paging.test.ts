/** GET /orders, page by page, with a filter: on a channel that only this file uses in its venue, so that the list does not change. */
import { beforeAll, describe, expect, test } from "vitest";
import { call } from "../client.ts";
import { expectInvalid } from "../expectations.ts";
import { listItems } from "../menu/dishes.ts";
import { counted, lab } from "../target.ts";
import { allOrders, idsOf, listOrders, type OrderPage, orderPageOf, placeOrder } from "./orders.ts";

const filter = { channel: "phone", type: "pickup" };
const full = counted.tokens.full;

let since: string;
let expected: string[];

const per_page = 3;
const ids = ({ data }: OrderPage): string[] => idsOf(data);
const query = () => ({ ...filter, placed_from: since, per_page });
const first = (): Promise<OrderPage> => listOrders(counted, query());
const at = (cursor: string | null): Promise<OrderPage> => listOrders(counted, { ...query(), cursor: String(cursor) });
const add = (parts = {}) => placeOrder(counted, { channel: "phone", ...parts });

beforeAll(async () => {
  since = (await add()).placed_at;
  // Placed at once, so that several have the same second and need a tie-breaker.
  await Promise.all(Array.from({ length: 9 }, () => add()));
  await placeOrder(counted, { channel: "web" });
  expected = idsOf(await allOrders(counted, { ...filter, placed_from: since }));
});

describe("GET /orders, page by page", () => {
  test("R4.0-05 R4.2-08 following next_cursor with a filter gives every order once, in order, and ends with null", async () => {
    expect(expected.length).toBeGreaterThanOrEqual(10);
    const seen: string[] = [];
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

  test("R4.0-06 links.next leads to the same page as the cursor and keeps every filter", async () => {
    const { meta, links } = await first();
    const followed = orderPageOf(await call(full, "GET", String(links.next)));
    expect(followed).toEqual(await at(meta.next_cursor));
    const { searchParams } = new URL(String(links.next));
    for (const [name, value] of Object.entries(query())) expect(searchParams.getAll(name)).toEqual([String(value)]);
    expect(searchParams.getAll("cursor")).toEqual([meta.next_cursor]);
  });

  test("R4.0-06 a status list and a moment with a plus survive in the link", async () => {
    const updated_since = `${since.slice(0, 19)}+00:00`;
    const { links } = await listOrders(counted, {
      ...filter,
      status: "placed,accepted",
      updated_since: "2020-01-01",
      placed_to: updated_since.replace(/^\d{4}/, "9000"),
      per_page: 1,
    });
    const { searchParams } = new URL(String(links.next));
    expect([searchParams.get("status"), searchParams.get("placed_to")?.slice(-6)]).toEqual(["placed,accepted", "+00:00"]);
    expect(orderPageOf(await call(full, "GET", String(links.next))).data).toHaveLength(1);
  });

  test("R4.0-07 no way back from the first page; from the second and third the pages before, in the same order", async () => {
    const one = await first();
    expect([one.meta.prev_cursor, one.links.prev]).toEqual([null, null]);
    const two = await at(one.meta.next_cursor);
    const three = await at(two.meta.next_cursor);
    expect(ids(await at(two.meta.prev_cursor))).toEqual(ids(one));
    const back = await at(three.meta.prev_cursor);
    expect(ids(back)).toEqual(ids(two));
    expect(ids(await at(back.meta.next_cursor))).toEqual(ids(three));
    expect(ids(orderPageOf(await call(full, "GET", String(two.links.prev))))).toEqual(ids(one));
  });

  test("R4.0-05 a cursor is a position: it serves with another page size and another filter", async () => {
    const cursor = String((await first()).meta.next_cursor);
    expect(ids(await listOrders(counted, { ...query(), per_page: 1, cursor }))).toEqual(expected.slice(per_page, per_page + 1));
    expect(ids(await listOrders(counted, { ...query(), status: "placed", per_page: 2, cursor }))).toEqual(
      expected.slice(per_page, per_page + 2),
    );
    expect((await listOrders(counted, { ...query(), status: "completed", cursor })).data).toEqual([]);
  });

  test("R4.0-08 a last page that is exactly full has no next; an empty list has four nulls", async () => {
    const all = await listOrders(counted, { ...query(), per_page: expected.length });
    expect(ids(all)).toEqual(expected);
    expect([all.meta.next_cursor, all.links.next]).toEqual([null, null]);
    const none = await listOrders(counted, { ...query(), status: "rejected" });
    expect([none.data, none.meta.next_cursor, none.meta.prev_cursor]).toEqual([[], null, null]);
    expect(none.links).toEqual({ next: null, prev: null });
  });

  test("R4.0-10 422 cursor for one of another list or another restaurant", async () => {
    const { next_cursor } = (await listItems(counted, { per_page: 1 })).meta;
    const strange = [String(next_cursor), String((await listOrders(lab, { per_page: 1 })).meta.next_cursor)];
    for (const cursor of strange) expectInvalid(await call(full, "GET", "/orders", { query: { ...query(), cursor } }), "cursor");
  });

  test("R4.0-09 orders placed while paging neither repeat nor hide another", async () => {
    const seen: string[] = [];
    let page = await first();
    seen.push(...ids(page));
    while (page.meta.next_cursor !== null && seen.length < expected.length + 10) {
      await add();
      page = await at(page.meta.next_cursor);
      seen.push(...ids(page));
    }
    expect(seen).toEqual(expected);
    expected = idsOf(await allOrders(counted, { ...filter, placed_from: since }));
  });
});
