import type { Takings } from "@comanda/contract/console/orders.ts";
import { expect, test } from "vitest";
import { groupByMethod } from "./takings-sums.ts";

const row = (method: Takings["rows"][number]["method"], taken_minor: number, refunded_minor = 0): Takings["rows"][number] => ({
  method,
  person: "Sam",
  taken_minor,
  refunded_minor,
  tips_minor: 0,
  payments: 1,
});

test("a gift card of 50.00 that is sold and then pays an order is 50.00 in the total, and a line of its own", () => {
  const { groups, total, redeemed } = groupByMethod([row("cash", 5000), row("gift_card", 5000, 1000), row("online", 700, 200)]);
  expect(total).toEqual({ payments: 2, taken_minor: 5700, refunded_minor: 200, tips_minor: 0 });
  expect(groups.map(({ method }) => method)).toEqual(["cash", "online"]);
  expect(redeemed?.sums).toEqual({ payments: 1, taken_minor: 5000, refunded_minor: 1000, tips_minor: 0 });
});

test("without redemptions there is no such line", () => {
  expect(groupByMethod([row("cash", 100)])).toMatchObject({ total: { taken_minor: 100 }, redeemed: null });
});
