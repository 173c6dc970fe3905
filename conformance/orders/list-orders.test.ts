/** GET /orders: its order and its plain filters. `list-moments.test.ts` has the filters by time. */
import { ORDER_STATUSES, ORDER_TYPES, type Order, type OrderStatus } from "@comanda/contract/venue/orders.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { call } from "../client.ts";
import { expectInvalid } from "../expectations.ts";
import { lab } from "../target.ts";
import { deliveryTo, NEAR, sellableDish, TABLE } from "./counter.ts";
import { allOrders, idsOf, listOrders, orderThatIs, placeOrder } from "./orders.ts";

const list = (query: string) => call(lab.tokens.full, "GET", "/orders", { query });

/** One order of each status; `since` limits the lists of this file on a server with many orders. */
let since: string;
let byStatus: Record<OrderStatus, Order>;
let byType: Order[];

beforeAll(async () => {
  since = (await placeOrder(lab)).placed_at;
  const made = await Promise.all(ORDER_STATUSES.map(async (status) => [status, await orderThatIs(status, lab)] as const));
  byStatus = Object.fromEntries(made) as Record<OrderStatus, Order>;
  const lines = [{ item_id: (await sellableDish(lab)).id, quantity: 5 }];
  byType = [
    await placeOrder(lab, { type: "dine_in", table_code: TABLE.first, lines }),
    await placeOrder(lab, { type: "pickup", lines }),
    await placeOrder(lab, { ...deliveryTo(NEAR.city), lines }),
  ];
});

describe("GET /orders", () => {
  test("R4.2-01 R4.0-05 the newest first, page after page, each once", async () => {
    const rows = await allOrders(lab);
    const moments = rows.map(({ placed_at }) => Date.parse(placed_at));
    expect(moments).toEqual([...moments].sort((a, b) => b - a));
    expect(new Set(idsOf(rows)).size).toBe(rows.length);
  });

  test("R4.2-01 orders placed one after the other stand in that order, the last one first", async () => {
    const placed: string[] = [];
    for (let count = 0; count < 5; count++) placed.push((await placeOrder(lab, { channel: "whatsapp" })).id);
    const listed = idsOf(await allOrders(lab, { channel: "whatsapp", placed_from: since }));
    expect(listed.filter((id) => placed.includes(id))).toEqual(placed.toReversed());
  });

  test("R4.2-01 each row is the order that reading it alone shows", async () => {
    const rows = await allOrders(lab, { placed_from: since, status: "completed,rejected,cancelled" });
    for (const status of ["completed", "rejected", "cancelled"] as const)
      expect(rows.find(({ id }) => id === byStatus[status].id)).toEqual(byStatus[status]);
  });
});

/** The list has only orders of these statuses, and of the orders made here exactly these. */
const expectStatuses = async (written: string, statuses: readonly OrderStatus[]) => {
  const rows = await allOrders(lab, { status: written, placed_from: since });
  for (const { status } of rows) expect(statuses).toContain(status);
  const made = Object.values(byStatus);
  const expected = made.filter(({ status }) => statuses.includes(status));
  expect(new Set(idsOf(rows).filter((id) => idsOf(made).includes(id)))).toEqual(new Set(idsOf(expected)));
};

describe("status", () => {
  for (const status of ORDER_STATUSES)
    test(`R4.2-02 ${status} alone`, async () => {
      await expectStatuses(status, [status]);
    });

  test("R4.2-02 several, separated by commas, in any order, with white space, gaps and repeats", async () => {
    await expectStatuses("placed,accepted", ["placed", "accepted"]);
    await expectStatuses("cancelled,placed,ready", ["placed", "ready", "cancelled"]);
    await expectStatuses(" accepted , placed ", ["placed", "accepted"]);
    await expectStatuses("placed,,accepted,", ["placed", "accepted"]);
    await expectStatuses("placed,placed", ["placed"]);
    await expectStatuses(ORDER_STATUSES.join(","), ORDER_STATUSES);
  });

  for (const status of ["foo", "placed,foo", "foo,placed", "PLACED", "placed;accepted", "placed accepted", "null"])
    test(`R4.2-02 422 for ${status}`, async () => {
      expectInvalid(await list(new URLSearchParams({ status }).toString()), "status");
    });
});

describe("type and channel", () => {
  for (const type of ORDER_TYPES)
    test(`R4.2-03 only the orders of type ${type}`, async () => {
      const rows = await allOrders(lab, { type, placed_from: since });
      for (const row of rows) expect(row.type).toBe(type);
      const own = byType.filter((order) => order.type === type);
      expect(idsOf(rows).filter((id) => idsOf(byType).includes(id))).toEqual(idsOf(own));
    });

  for (const type of ["foo", "Pickup", "pickup,delivery", "dine-in"])
    test(`R4.2-03 422 for the type ${type}`, async () => {
      expectInvalid(await list(`type=${type}`), "type");
    });

  for (const channel of ["web", "phone", "whatsapp"])
    test(`R4.2-04 only the orders of the channel ${channel}`, async () => {
      const { id } = await placeOrder(lab, { channel });
      const rows = await allOrders(lab, { channel, placed_from: since });
      for (const row of rows) expect(row.channel).toBe(channel);
      expect(idsOf(rows)).toContain(id);
    });

  for (const channel of ["no-such-channel", "WEB", "web,phone", "we", "%"])
    test(`R4.2-04 an empty page for the channel ${channel}, exactly as it is written`, async () => {
      const { data, meta, links } = await listOrders(lab, { channel });
      expect(data).toEqual([]);
      expect([meta.next_cursor, meta.prev_cursor, links.next, links.prev]).toEqual([null, null, null, null]);
    });

  test("R4.2-04 a channel that no order can have is an empty page or 422, never a fault", async () => {
    for (const channel of ["%00", "a%00b", "%ED%A0%80", "x".repeat(3000)]) {
      const answer = await list(`channel=${channel}`);
      if (answer.status === 200) expect(answer.body).toMatchObject({ data: [] });
      else expectInvalid(answer, "channel");
    }
  });
});

describe("several filters", () => {
  test("R4.2-08 all of them hold", async () => {
    const order = await placeOrder(lab, { channel: "phone", type: "dine_in", table_code: TABLE.second });
    const fitting = { channel: "phone", type: "dine_in", status: "placed,ready", placed_from: order.placed_at, placed_to: order.placed_at };
    const rows = await allOrders(lab, fitting);
    expect(idsOf(rows)).toContain(order.id);
    for (const row of rows) expect([row.channel, row.type, row.placed_at]).toEqual(["phone", "dine_in", order.placed_at]);
    for (const change of [{ channel: "web" }, { type: "pickup" }, { status: "accepted" }])
      expect(idsOf(await allOrders(lab, { ...fitting, ...change }))).not.toContain(order.id);
  });

  test("R7.1-01 every parameter that is wrong is named at once", async () => {
    const wrong = "status=foo&type=foo&placed_from=foo&placed_to=foo&updated_since=foo&per_page=0";
    expectInvalid(await list(wrong), "status", "type", "placed_from", "placed_to", "updated_since", "per_page");
  });
});
