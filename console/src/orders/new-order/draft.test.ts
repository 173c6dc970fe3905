import type { FormGroup, OrderForm } from "@comanda/contract/console/staff-orders.ts";
import { describe, expect, test } from "vitest";
import {
  addLine,
  changeQuantity,
  type DraftLine,
  emptyDraft,
  isChosen,
  missingOf,
  offeredTypes,
  orderBody,
  toggleOption,
} from "./draft.ts";

const FORM: OrderForm = {
  types: ["dine_in", "delivery", "pickup"],
  tables: [{ code: "T1", name: "One", branch_id: 1 }],
  delivery_cities: [],
  categories: [],
  dishes: [],
  groups: [],
  currency: "EUR",
  zone: "Europe/Rome",
  now: "2026-11-16T18:00:00Z",
};
const line = (changes: Partial<DraftLine> = {}): DraftLine => ({ dishId: 1, sizeId: null, optionIds: [], quantity: 1, ...changes });
const group = (min_select: number, max_select: number | null): FormGroup => ({
  id: 1,
  name: { en: "Extras" },
  min_select,
  max_select,
  options: [1, 2, 3].map((id) => ({ id, name: { en: `${id}` }, price_minor: 0, is_available: true })),
});

describe("lines", () => {
  test("the same dish with the same choices is one line; other choices are another", () => {
    const twice = addLine(addLine([], line()), line({ quantity: 2 }));
    expect(twice).toEqual([line({ quantity: 3 })]);
    expect(addLine(twice, line({ optionIds: [7] }))).toHaveLength(2);
    expect(addLine(twice, line({ sizeId: 4 }))).toHaveLength(2);
  });

  test("no line has more than 99 portions, and none has fewer than one", () => {
    expect(addLine([line({ quantity: 99 })], line())).toEqual([line({ quantity: 99 })]);
    expect(changeQuantity([line()], 0, 120)).toEqual([line({ quantity: 99 })]);
    expect(changeQuantity([line(), line({ dishId: 2 })], 0, 0)).toEqual([line({ dishId: 2 })]);
  });
});

describe("choices of a group", () => {
  test("one choice replaces the other; a full group takes no more; a second tap takes it back", () => {
    expect(toggleOption([1], group(0, 1), 2)).toEqual([2]);
    expect(toggleOption([1, 2], group(0, 2), 3)).toEqual([1, 2]);
    expect(toggleOption([1, 2], group(0, null), 3)).toEqual([1, 2, 3]);
    expect(toggleOption([1, 2], group(0, 2), 1)).toEqual([2]);
  });

  test("a group that needs a choice is not done without it", () => {
    expect([isChosen([], [group(1, 1)]), isChosen([2], [group(1, 1)]), isChosen([], [group(0, 1)])]).toEqual([false, true, true]);
  });
});

describe("what is sent", () => {
  const now = Date.parse(FORM.now);

  test("each type sends its own fields, and a time on the venue's clock", () => {
    const draft = { ...emptyDraft(FORM), tableCode: "T1", street: " 5 Hill Road ", city: "Rome", lines: [line()] };
    expect(orderBody({ ...draft, time: "20:30" }, FORM.zone, now)).toMatchObject({
      type: "pickup",
      scheduled_for: "2026-11-16T19:30:00.000Z",
      customer_name: null,
    });
    expect(orderBody(draft, FORM.zone, now)).not.toHaveProperty("table_code");
    expect(orderBody({ ...draft, type: "dine_in" }, FORM.zone, now)).toMatchObject({ table_code: "T1", scheduled_for: null });
    expect(orderBody({ ...draft, type: "delivery" }, FORM.zone, now)).toMatchObject({
      delivery_address: { line1: "5 Hill Road", city: "Rome" },
    });
  });

  test("only an order for a table does without a name and a number; without tables there is no such type", () => {
    const draft = emptyDraft(FORM);
    expect(missingOf(draft)).toEqual(["missingPhone", "missingName"]);
    expect(missingOf({ ...draft, type: "dine_in" })).toEqual([]);
    expect(offeredTypes(FORM)).toEqual(["pickup", "delivery", "dine_in"]);
    expect(offeredTypes({ ...FORM, tables: [] })).toEqual(["pickup", "delivery"]);
  });
});
