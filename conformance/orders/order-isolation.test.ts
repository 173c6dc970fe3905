/** Orders of one restaurant are separate from those of another. */
import { describe, expect, test } from "vitest";
import { call, type Query } from "../client.ts";
import { expectRefused } from "../expectations.ts";
import { lab, neighbour } from "../target.ts";
import { allOrders, getOrder, idsOf, placeOrder, postStatus, readOrder } from "./orders.ts";

describe("the neighbour's orders", () => {
  test("RX-13 404 for reading and moving one, the same body as for an unknown order", async () => {
    const { id } = await placeOrder(neighbour);
    const nobodys = crypto.randomUUID();
    for (const ask of [(order: string) => getOrder(lab, order), (order: string) => postStatus(lab, order, { status: "accepted" })]) {
      const [foreign, unknown] = [await ask(id), await ask(nobodys)];
      expectRefused(foreign, "not_found");
      expect(foreign.text).toBe(unknown.text);
    }
    for (const method of ["GET", "HEAD"]) expect((await call(lab.tokens.full, method, `/orders/${id}`)).status).toBe(404);
  });

  test("RX-14 are in none of our lists, whatever the filter", async () => {
    const theirs = await placeOrder(neighbour, { channel: "phone" });
    const query: Query = { placed_from: theirs.placed_at };
    for (const filter of [query, { updated_since: theirs.updated_at }, { ...query, channel: "phone" }, { ...query, status: "placed" }])
      expect(idsOf(await allOrders(lab, filter))).not.toContain(theirs.id);
    expect(idsOf(await allOrders(neighbour, query))).toContain(theirs.id);
  });

  test("RX-14 are not changed by our writes", async () => {
    const before = await placeOrder(neighbour);
    for (const status of ["accepted", "rejected", "cancelled"]) expectRefused(await postStatus(lab, before.id, { status }), "not_found");
    expect(await readOrder(neighbour, before.id)).toEqual(before);
  });
});
