import { expect, test } from "vitest";
import { readAmount, writeAmount } from "#kit/amounts.ts";
import { dueOf, overpaidOf } from "./counter-amounts.ts";

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
  ["٣٤٫٥٠", "EUR", 3450],
  ["۱۲.۵", "EUR", 1250],
  ["34.505", "EUR", null],
  ["8.5", "JPY", null],
  ["-1", "EUR", null],
  ["", "EUR", null],
  ["ten", "EUR", null],
])("%s in %s is %s", (text, currency, minor) => {
  expect(readAmount(text, currency)).toBe(minor);
});

const OPEN = { total_minor: 1000, paid_at: null, status: "placed" } as const;
const PAID_AT = "2026-11-16T20:00:00Z";

test("nothing is due when more was paid than the total, or when the order was not sold", () => {
  expect(dueOf({ order: OPEN, paid_minor: 400 })).toBe(600);
  expect(dueOf({ order: OPEN, paid_minor: 1400 })).toBe(0);
  expect(dueOf({ order: { ...OPEN, status: "cancelled" }, paid_minor: 0 })).toBe(0);
});

test("the difference is due when a strike raised the total of a paid order; a refund after completion makes nothing due", () => {
  expect(dueOf({ order: { ...OPEN, status: "accepted", paid_at: PAID_AT }, paid_minor: 900 })).toBe(100);
  expect(dueOf({ order: { ...OPEN, status: "completed", paid_at: PAID_AT }, paid_minor: 900 })).toBe(0);
  expect(dueOf({ order: { ...OPEN, status: "completed" }, paid_minor: 900 })).toBe(100);
});

test("what was paid above the total is to be given back, and all of it when the order was not sold", () => {
  const paid = { ...OPEN, paid_at: PAID_AT, status: "accepted" } as const;
  expect([overpaidOf({ order: paid, paid_minor: 1400 }), overpaidOf({ order: paid, paid_minor: 1000 })]).toEqual([400, 0]);
  expect(overpaidOf({ order: { ...paid, status: "cancelled" }, paid_minor: 1000 })).toBe(1000);
  expect(overpaidOf({ order: { ...paid, status: "rejected" }, paid_minor: 0 })).toBe(0);
});
