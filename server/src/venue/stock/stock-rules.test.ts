import { expect, test } from "vitest";
import { amountsOf, hasFallenBelowPar, hasRunOutOrReturned, milliOf, needsOf, quantityOf, summedLines } from "./rules.ts";

const recipe = (changes: object) => ({
  item_id: null,
  variant_id: null,
  option_id: null,
  ingredient_id: 1,
  quantity_milli: 100,
  ...changes,
});
const line = (changes: object) => ({ line_id: 1, item_id: 7, variant_id: null, option_ids: [], quantity: 1, ...changes });

test("a line takes what its dish, its size and its options take, times its quantity", () => {
  const lines = [
    line({ variant_id: 71, option_ids: [9], quantity: 3 }),
    line({ line_id: 2, variant_id: 72 }),
    line({ line_id: 3, item_id: 8 }),
  ];
  const recipes = [
    recipe({ item_id: 7 }),
    recipe({ item_id: 7, variant_id: 71, quantity_milli: 50 }),
    recipe({ option_id: 9, ingredient_id: 2, quantity_milli: 1 }),
  ];
  expect(needsOf(lines, recipes)).toEqual([
    { line_id: 1, ingredient_id: 1, milli: 450 },
    { line_id: 1, ingredient_id: 2, milli: 3 },
    { line_id: 2, ingredient_id: 1, milli: 100 },
  ]);
  expect(needsOf(lines, [])).toBeNull();
  expect(needsOf([line({ item_id: 8 })], recipes)).toBeNull();
});

test("amounts are of the given lines alone, in the order of their ingredients", () => {
  const needs = [
    { line_id: 1, ingredient_id: 5, milli: 10 },
    { line_id: 2, ingredient_id: 4, milli: 20 },
    { line_id: 3, ingredient_id: 5, milli: 30 },
  ];
  expect(amountsOf(needs, new Set([2, 3]))).toEqual([
    { ingredient_id: 4, milli: 20 },
    { ingredient_id: 5, milli: 30 },
  ]);
  expect(
    summedLines([
      { ingredient_id: 5, quantity: 0.1 },
      { ingredient_id: 5, quantity: 0.2 },
    ]),
  ).toEqual([{ ingredient_id: 5, milli: 300 }]);
});

test("D171 a fall from par or above to below it, and nothing else", () => {
  const fall = (previous: number, on_hand_milli: number, par_milli: number | null) =>
    hasFallenBelowPar({ amount_milli: on_hand_milli - previous, on_hand_milli, par_milli });
  expect([fall(5000, 4999, 5000), fall(6000, -1, 5000), fall(0, -1, 0)]).toEqual([true, true, true]);
  expect([fall(4999, 4000, 5000), fall(6000, 5000, 5000), fall(4000, 6000, 5000), fall(5, 1, null)]).toEqual([false, false, false, false]);
});

test("there is something, or nothing any more", () => {
  const change = (previous: number, on_hand_milli: number) =>
    hasRunOutOrReturned({ amount_milli: on_hand_milli - previous, on_hand_milli, par_milli: null });
  expect([change(1, 0), change(1, -5), change(0, 1), change(-5, 1)]).toEqual([true, true, true, true]);
  expect([change(0, -1), change(-1, 0), change(5, 1)]).toEqual([false, false, false]);
});

test("three decimals are exact", () => {
  for (const quantity of [0.001, 0.1, 1.005, 4.75, 999_999.999]) expect(quantityOf(milliOf(quantity))).toBe(quantity);
});
