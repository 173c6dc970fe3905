import { expect, test } from "vitest";
import { dueOf, overpaidOf, readAmount, writeAmount } from "./counter-amounts.ts";

test("an amount is written with the decimals of its currency", () => {
  expect([writeAmount(3450, "EUR"), writeAmount(1250, "KWD"), writeAmount(800, "JPY")]).toEqual(["34.50", "1.250", "800"]);
});

test.each([
  ["34.50", "EUR", 3450],
  ["34,5", "EUR", 3450],
  ["34", "EUR", 3400],
  [" 7. ", "EUR", 700],
  ["1.250", "KWD", 1250],
  ["800", "JPY", 800],
  ["34.505", "EUR", null],
  ["8.5", "JPY", null],
  ["-1", "EUR", null],
  ["", "EUR", null],
  ["ten", "EUR", null],
])("%s in %s is %s", (text, currency, minor) => {
  expect(readAmount(text, currency)).toBe(minor);
});

test("nothing is due when more was paid than the total", () => {
  const open = { total_minor: 1000, paid_at: null, status: "placed" };
  expect(dueOf({ order: open, paid_minor: 400 })).toBe(600);
  expect(dueOf({ order: open, paid_minor: 1400 })).toBe(0);
  expect(dueOf({ order: { ...open, paid_at: "2026-11-16T20:00:00Z" }, paid_minor: 900 })).toBe(0);
  expect(dueOf({ order: { ...open, status: "cancelled" }, paid_minor: 0 })).toBe(0);
});

test("what was paid above the total is to be given back, unless the order is closed without being sold", () => {
  const open = { total_minor: 1000, paid_at: "2026-11-16T20:00:00Z", status: "accepted" };
  expect([overpaidOf({ order: open, paid_minor: 1400 }), overpaidOf({ order: open, paid_minor: 1000 })]).toEqual([400, 0]);
  expect(overpaidOf({ order: { ...open, status: "cancelled" }, paid_minor: 1400 })).toBe(0);
});
