/** Tests the independent calculation: it must reject wrong bills. */
import type { Item } from "@comanda/contract/venue/menu.ts";
import type { Order } from "@comanda/contract/venue/orders.ts";
import { describe, expect, test } from "vitest";
import { expectLines, expectSums } from "./bill.ts";

const name = { en: "Soup" };
const options = [
  { id: 7, name: { en: "Red" }, price_minor: 0, is_available: true },
  { id: 8, name: { en: "Blue" }, price_minor: 50, is_available: true },
];
const dish = { id: 1, name, price_minor: 1000, variants: [], modifier_groups: [{ id: 5, name, min_select: 0, max_select: null, options }] };
const book = { dishes: [dish as unknown as Item], cuts: [{ item_id: 1, variant_id: null, price_minor: 800 }] };
const sent = [{ item_id: 1, quantity: 2, option_ids: [8, 7] }];

const line = {
  id: 100,
  item_id: 1,
  name,
  variant_name: null,
  quantity: 2,
  unit_price_minor: 800,
  line_total_minor: 1700,
  voided: false,
  modifiers: [
    { name: { en: "Red" }, price_minor: 0 },
    { name: { en: "Blue" }, price_minor: 50 },
  ],
};

/** 5 % on top of 1700 is 85; 10 % of service is 170. */
const right = {
  items: [line],
  subtotal_minor: 1700,
  discount_minor: 0,
  service_charge_minor: 170,
  tax_added_minor: 85,
  delivery_fee_minor: 0,
  total_minor: 1955,
  tax_breakdown: [{ name: "Tax", rate: 5, inclusive: false, taxable_minor: 1700, tax_minor: 85 }],
};

const check = (parts: object): void => expectLines({ ...right, ...parts } as unknown as Order, book, sent);
const taxed = (row: object) => ({ tax_breakdown: [{ ...right.tax_breakdown[0], ...row }] });

describe("the second calculation", () => {
  test("agrees with a bill that is right", () => {
    check({});
    check({ discount_minor: 100, total_minor: 1855 });
    check({ tax_breakdown: null, tax_added_minor: 0, total_minor: 1870 });
  });

  const wrong: Record<string, object> = {
    "the list price instead of the cut one": { items: [{ ...line, unit_price_minor: 1000, line_total_minor: 2100 }], subtotal_minor: 2100 },
    "modifiers counted once for two pieces": { items: [{ ...line, line_total_minor: 1650 }], subtotal_minor: 1650 },
    "a modifier left out": { items: [{ ...line, modifiers: line.modifiers.slice(1) }] },
    "a line too many": { items: [line, line], subtotal_minor: 3400 },
    "a subtotal that is not the sum of the lines": { subtotal_minor: 1701, total_minor: 1956 },
    "a total that is one off": { total_minor: 1956 },
    "a discount that was not taken off": { discount_minor: 100 },
    "more taken off than was ordered": { discount_minor: 1701, total_minor: 254 },
    "an added tax that no row has": { tax_breakdown: null },
    "a tax inside the prices that was added": taxed({ inclusive: true, tax_minor: 81 }),
    "a tax of another base": { ...taxed({ taxable_minor: 1600 }) },
    "a base beyond what was paid": { ...taxed({ taxable_minor: 17_000, tax_minor: 850 }), tax_added_minor: 850, total_minor: 2720 },
  };
  for (const [what, parts] of Object.entries(wrong))
    test(`finds out ${what}`, () => {
      expect(() => check(parts)).toThrow();
    });

  test("rounds half a unit up, inside the price and on top of it", () => {
    const bill = (row: { rate: number; inclusive: boolean; tax_minor: number }, amount: number) => {
      const added = row.inclusive ? 0 : row.tax_minor;
      const item = { ...line, quantity: 1, unit_price_minor: amount, line_total_minor: amount, modifiers: [] };
      const sums = { subtotal_minor: amount, service_charge_minor: 0, tax_added_minor: added, total_minor: amount + added };
      expectSums({ ...right, ...sums, items: [item], tax_breakdown: [{ name: "Tax", taxable_minor: amount, ...row }] } as unknown as Order);
    };
    bill({ rate: 5, inclusive: false, tax_minor: 1 }, 10);
    bill({ rate: 5, inclusive: false, tax_minor: 0 }, 9);
    bill({ rate: 8.875, inclusive: false, tax_minor: 89 }, 1000);
    bill({ rate: 10, inclusive: true, tax_minor: 10 }, 105);
    bill({ rate: 10, inclusive: true, tax_minor: 91 }, 1000);
    expect(() => bill({ rate: 5, inclusive: false, tax_minor: 0 }, 10)).toThrow();
    expect(() => bill({ rate: 10, inclusive: true, tax_minor: 9 }, 105)).toThrow();
  });
});
