import type { Charges } from "@comanda/contract/venue-file/charges.ts";
import { expect, test } from "vitest";
import { addTax, hasChargeGaps, makeDefault, newPromotion, removeTax, sampleLines, sampleOrder } from "./charges-draft.ts";

const vat = { key: "vat", name: "VAT", rate: 10, inclusive: true, is_default: true };
const city = { key: "city", name: "City tax", rate: 2.5, inclusive: false, is_default: false };
const CHARGES: Charges = {
  taxes: [vat, city],
  service_charge: { percent: 10, types: ["dine_in"], tax: "vat" },
  delivery_fee_tax: "vat",
  promotions: [],
};

test("exactly one tax stays the default, and nothing names a tax that is gone", () => {
  expect(addTax([])[0]).toMatchObject({ is_default: true, key: expect.stringMatching(/^[a-z0-9][a-z0-9_-]{0,63}$/) });
  expect(addTax([vat])[1]).toMatchObject({ is_default: false, inclusive: true });
  expect(makeDefault([vat, city], "city").map(({ is_default }) => is_default)).toEqual([false, true]);
  expect(removeTax(CHARGES, "vat")).toEqual({
    taxes: [{ ...city, is_default: true }],
    delivery_fee_tax: null,
    service_charge: { percent: 10, types: ["dine_in"], tax: null },
  });
  expect(removeTax(CHARGES, "city")).toEqual({ ...CHARGES, taxes: [vat], promotions: undefined });
});

test("names, types and periods may not be missing", () => {
  expect(hasChargeGaps(CHARGES)).toBe(false);
  expect(hasChargeGaps({ ...CHARGES, taxes: [{ ...vat, name: " " }] })).toBe(true);
  expect(hasChargeGaps({ ...CHARGES, promotions: [newPromotion()] })).toBe(true);
  const named = { ...newPromotion(), name: { en: "Lunch" } };
  expect(hasChargeGaps({ ...CHARGES, promotions: [named] })).toBe(false);
  expect(hasChargeGaps({ ...CHARGES, promotions: [{ ...named, types: [] }] })).toBe(true);
});

test("the sample has a line for each tax, and asks for none that was removed", () => {
  expect(sampleLines([], 100)).toEqual([{ amount_minor: 2400, tax: null }]);
  const lines = sampleLines([vat, city], 100);
  expect(lines).toEqual([
    { amount_minor: 2400, tax: "vat" },
    { amount_minor: 1600, tax: "city" },
  ]);
  expect(sampleOrder({ ...CHARGES, taxes: [vat] }, "pickup", lines).lines.map(({ tax }) => tax)).toEqual(["vat", null]);
});
