import { expect, test } from "vitest";
import { isLastLeft, strikeableOf } from "./can-strike.ts";

type Lines = Parameters<typeof isLastLeft>[0]["items"];
const open = (...lines: [quantity: number, voided: boolean][]) => ({
  status: "accepted" as const,
  items: lines.map(([quantity, voided]) => ({ quantity, voided })) as Lines,
});
const one = open([1, false]);
const left = open([1, false], [1, true]);
const two = open([3, false], [1, false]);
const part = open([2, false], [1, true]);

test("the sentence about the last line is for orders that had more lines, and of which one dish is left", () => {
  expect([one, left, two, part].map(isLastLeft)).toEqual([false, true, false, false]);
  expect(isLastLeft({ ...left, status: "completed" })).toBe(false);
});

test("all of a line can be struck, of the last line all but one, of a struck line or a closed order nothing", () => {
  const strikeable = (order: typeof one) => order.items.map((line) => strikeableOf(order, line));
  expect([one, left, two, part].map(strikeable)).toEqual([[0], [0, 0], [3, 1], [1, 0]]);
  expect(strikeable({ ...two, status: "completed" } as unknown as typeof one)).toEqual([0, 0]);
});
