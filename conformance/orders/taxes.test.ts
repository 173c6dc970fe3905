/** Taxes inside the prices and on top of them, each rate calculated once for the whole order. */
import type { Item } from "@comanda/contract/venue/menu.ts";
import type { Order } from "@comanda/contract/venue/orders.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { found, labFloor } from "../menu/floor.ts";
import { activeVenues, lab } from "../target.ts";
import { expectSums, total } from "./bill.ts";
import { deliveryTo, NEAR, ownDish, sellableDish, TABLE } from "./counter.ts";
import { type OrderedLine, placeOrder } from "./orders.ts";

/** A dish whose tax is added to its price. Only an order shows which one that is. */
const findTaxed = async (): Promise<Item> => {
  const { home } = await labFloor();
  for (const dish of home.items.filter((item) => item.price_minor === 1000 && item.is_available).slice(0, 20))
    if ((await placeOrder(lab, { lines: [{ item_id: dish.id, quantity: 1 }] })).tax_added_minor > 0) return dish;
  throw new Error("Not found on the target: a dish of 1000 whose tax is added to the total.");
};

let taxed: Item;
let untaxed: Item;

beforeAll(async () => {
  taxed = await findTaxed();
  untaxed = await sellableDish(lab);
});

const rowsOf = ({ tax_breakdown }: Order) => tax_breakdown ?? [];
const bill = (...lines: OrderedLine[]): Promise<Order> => placeOrder(lab, { lines });

describe("tax_breakdown", () => {
  test("R2.5-07 has a row per rate: name, rate, whether it is inside the price, its base and its tax", async () => {
    const order = await bill({ item_id: taxed.id, quantity: 2 }, { item_id: untaxed.id, quantity: 3 });
    expect(rowsOf(order)).toHaveLength(2);
    for (const row of rowsOf(order)) {
      expect(Object.keys(row).sort()).toEqual(["inclusive", "name", "rate", "tax_minor", "taxable_minor"]);
      expect(row.name).toMatch(/\S/);
      expect(row.rate).toBeGreaterThan(0);
    }
    expectSums(order);
  });

  test("R2.5-07 the tax on top is on the lines it concerns, and alone in tax_added_minor", async () => {
    const order = await bill({ item_id: taxed.id, quantity: 2 }, { item_id: untaxed.id, quantity: 3 });
    const added = found("the row of the tax on top", rowsOf(order), ({ inclusive }) => !inclusive);
    const inside = found("the row of the tax inside", rowsOf(order), ({ inclusive }) => inclusive);
    expect([added.taxable_minor, inside.taxable_minor]).toEqual([2000, 3000]);
    expect(order.tax_added_minor).toBe(added.tax_minor);
    expect(added.tax_minor).toBeGreaterThan(0);
    expect(inside.tax_minor).toBeGreaterThan(0);
    expect(order.total_minor).toBe(5000 + added.tax_minor);
  });

  test("R2.5-07 a tax inside the prices is shown and adds nothing", async () => {
    const order = await bill({ item_id: untaxed.id, quantity: 1 });
    expect(rowsOf(order).map(({ inclusive }) => inclusive)).toEqual([true]);
    expect([order.tax_added_minor, order.total_minor]).toEqual([0, order.subtotal_minor]);
  });

  test("R2.5-07 a rate is rounded once for the order, not line by line", async () => {
    for (const price_minor of [1, 5, 6, 33, 55, 105, 9999]) {
      const { id } = await ownDish({ price_minor });
      for (const count of [1, 3, 7]) {
        const order = await bill(...Array.from({ length: count }, () => ({ item_id: id, quantity: 1 })));
        expect(rowsOf(order).map(({ taxable_minor }) => taxable_minor)).toEqual([count * price_minor]);
        expectSums(order);
      }
    }
  });

  test("R2.5-07 whatever the type, the rates together concern every dish of the order", async () => {
    const lines = [taxed, untaxed].map(({ id }) => ({ item_id: id, quantity: 5 }));
    for (const parts of [{}, { type: "dine_in", table_code: TABLE.second }, deliveryTo(NEAR.city)]) {
      const order = await placeOrder(lab, { ...parts, lines });
      expect(total(rowsOf(order).map(({ taxable_minor }) => taxable_minor))).toBeGreaterThanOrEqual(
        order.subtotal_minor - order.discount_minor,
      );
      expectSums(order);
    }
  });

  for (const venue of activeVenues)
    test(`R2.5-07 ${venue.slug}: null, or rows whose added tax is tax_added_minor`, async () => {
      const order = await placeOrder(venue);
      if (order.tax_breakdown === null) expect(order.tax_added_minor).toBe(0);
      else expect(order.tax_added_minor).toBe(total(rowsOf(order).flatMap((row) => (row.inclusive ? [] : row.tax_minor))));
      expectSums(order);
    });
});
