import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import type { OrderStatus } from "@comanda/contract/venue/orders.ts";
import { expect, test } from "vitest";
import { columnOf, serviceDayOf, sortIntoColumns } from "./board-columns.ts";

const ZONE = "Europe/Rome";
const NOW = Date.parse("2026-11-14T19:00:00Z");

const order = (status: OrderStatus, promisedAt: string, heldUntil: string | null = null): BoardOrder =>
  ({ order: { id: promisedAt, status, placed_at: "" }, promised_at: promisedAt, held_until: heldUntil }) as BoardOrder;

test.each([
  ["placed", "new"],
  ["accepted", "kitchen"],
  ["ready", "ready"],
  ["completed", "done"],
  ["rejected", "done"],
  ["cancelled", "done"],
] as const)("an order that is %s stands in the column %s", (status, column) => {
  expect(columnOf(order(status, "2026-11-14T19:20:00Z"), NOW, ZONE)).toBe(column);
});

test("an order that is held stands in Later until its time has come", () => {
  const held = order("accepted", "2026-11-14T21:00:00Z", "2026-11-14T20:30:00Z");
  expect(columnOf(held, NOW, ZONE)).toBe("later");
  expect(columnOf(held, Date.parse("2026-11-14T20:30:00Z"), ZONE)).toBe("kitchen");
});

test("an order for another day stands in Later, one for after midnight does not", () => {
  expect(columnOf(order("placed", "2026-11-15T18:00:00Z"), NOW, ZONE)).toBe("later");
  expect(columnOf(order("placed", "2026-11-15T00:30:00Z"), NOW, ZONE)).toBe("new");
});

test("a day of service begins at 05:00 on the venue's clock", () => {
  expect(serviceDayOf(Date.parse("2026-11-15T03:59:00Z"), ZONE)).toBe("2026-11-14");
  expect(serviceDayOf(Date.parse("2026-11-15T04:00:00Z"), ZONE)).toBe("2026-11-15");
});

test("the earliest promise comes first", () => {
  const [late, early] = [order("placed", "2026-11-14T19:40:00Z"), order("placed", "2026-11-14T19:10:00Z")];
  expect(sortIntoColumns([late, early], NOW, ZONE).new).toEqual([early, late]);
});
