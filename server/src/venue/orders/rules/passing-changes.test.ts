/** What a quote suggests against single refusals that random carts do not meet. */
import { expect, test } from "vitest";
import { passingChange, type RefusedField } from "./passing-changes.ts";

const option = (id: number) => ({ id, is_available: true });
const refusedWith = (optionIds: number[], limits: { min_select: number; max_select: number | null }): RefusedField =>
  ({
    field: "lines.0.option_ids",
    values: {},
    wanted: { lines: [{ item_id: 1, quantity: 1, option_ids: optionIds }] },
    context: { priceList: { items: [{ id: 1, modifier_groups: [{ ...limits, options: [option(10), option(11), option(12)] }] }] } },
    uncounted: new Set(),
  }) as unknown as RefusedField;

test("an option that is chosen twice counts once: one more is added, and none of its group is removed for it", () => {
  const tooFew = refusedWith([10, 10], { min_select: 2, max_select: null });
  expect(passingChange("too_few_options", tooFew)).toEqual({ field: "lines.0.option_ids", change: "add", value: [11] });
  const tooMany = refusedWith([10, 10, 11], { min_select: 0, max_select: 1 });
  expect(passingChange("too_many_options", tooMany)).toEqual({ field: "lines.0.option_ids", change: "remove", value: [11] });
});

test("a time that has passed is left out: any other would have passed too when the order arrives", () => {
  const late = { ...refusedWith([], { min_select: 0, max_select: null }), field: "scheduled_for" };
  expect(passingChange("past", late)).toEqual({ field: "scheduled_for", change: "remove", value: null });
});
