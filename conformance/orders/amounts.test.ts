/** Amounts of an order, compared with an independent calculation from the menu. */
import { beforeAll, describe, expect, test } from "vitest";
import { activeVenues, lab } from "../target.ts";
import { expectLines, expectSums, type PriceBook, readPriceBook } from "./bill.ts";
import { choicesOf, deliveryTo, FAR, NEAR, nth, ownDish, sellableDish, TABLE } from "./counter.ts";
import { allOrders, moveOrder, type OrderedLine, type OrderFields, placeOrder, readOrder } from "./orders.ts";

let book: PriceBook;
let mixed: OrderedLine[];

beforeAll(async () => {
  const { dish, oneOf, any } = await choicesOf();
  const sized = await ownDish({ variants: [5, 999, 1201].map((price_minor) => ({ name: { en: `For ${price_minor}` }, price_minor })) });
  const odd = await ownDish({ price_minor: 333 });
  book = await readPriceBook(lab);
  mixed = [
    { item_id: dish.id, quantity: 3, option_ids: [nth(oneOf, 2), ...any] },
    ...sized.variants.map(({ id }, index) => ({ item_id: sized.id, variant_id: id, quantity: index + 1 })),
    { item_id: odd.id, quantity: 99 },
    { item_id: (await sellableDish(lab)).id, quantity: 1 },
  ];
});

const TYPES: Record<string, OrderFields> = {
  pickup: {},
  dine_in: { type: "dine_in", table_code: TABLE.first },
  delivery: deliveryTo(NEAR.city),
};

describe("amounts", () => {
  for (const [type, parts] of Object.entries(TYPES))
    test(`R2.5-08 R2.5-09 ${type}: lines, subtotal and total are those of the second calculation`, async () => {
      const order = await placeOrder(lab, { ...parts, lines: mixed });
      expectLines(order, book, mixed);
      expect(order.subtotal_minor).toBeGreaterThan(0);
      expectLines(await readOrder(lab, order.id), book, mixed);
    });

  test("R2.5-08 R2.5-09 R2.5-07 hold for every order of the lab, whatever its status", async () => {
    for (const order of await allOrders(lab)) expectSums(order);
  });

  for (const venue of activeVenues)
    test(`R2.5-08 R2.5-09 R2.5-07 hold at ${venue.slug} for one dish and for ninety-nine of it`, async () => {
      const { id } = await sellableDish(venue);
      for (const quantity of [1, 7, 99]) {
        const lines = [{ item_id: id, quantity }];
        const order = await placeOrder(venue, { lines });
        expectSums(order);
        // A scheduled order is priced for its own time, so compare only orders for now.
        if (order.scheduled_for === null) expectLines(order, await readPriceBook(venue), lines);
      }
    });

  test("R2.5-09 a cancelled or rejected order keeps its lines and amounts", async () => {
    for (const status of ["cancelled", "rejected"] as const) {
      const order = await placeOrder(lab, { lines: mixed });
      const { updated_at, ...after } = await moveOrder(lab, order.id, status);
      expect({ ...after, updated_at: order.updated_at }).toEqual({ ...order, status });
    }
  });

  test("R2.5-09 amounts beyond 32 bits are exact", async () => {
    const dear = await ownDish({ price_minor: 2_147_483_647 });
    const order = await placeOrder(lab, { lines: Array.from({ length: 3 }, () => ({ item_id: dear.id, quantity: 99 })) });
    expect(order.subtotal_minor).toBe(2_147_483_647 * 99 * 3);
    expectSums(order);
    expect(await readOrder(lab, order.id)).toEqual(order);
  });

  test("R2.5-09 a dish for nothing makes an order for nothing", async () => {
    const free = await ownDish({ price_minor: 0 });
    const order = await placeOrder(lab, { lines: [{ item_id: free.id, quantity: 3 }] });
    expect([order.subtotal_minor, order.tax_added_minor, order.total_minor]).toEqual([0, 0, 0]);
  });

  test("R1-01 a price anywhere in the body changes nothing", async () => {
    const prices = { price_minor: 1, unit_price_minor: 1, line_total_minor: 1, subtotal_minor: 1, total_minor: 1, discount_minor: 999 };
    const more = { tax_added_minor: 0, delivery_fee_minor: 0, service_charge_minor: 0, currency: "XXX", tax_breakdown: null };
    const lines = mixed.map((line) => ({ ...line, ...prices, name: "Cheap", modifiers: [{ name: { en: "Free" }, price_minor: 0 }] }));
    for (const parts of Object.values(TYPES)) {
      const honest = await placeOrder(lab, { ...parts, lines: mixed });
      const sly = await placeOrder(lab, { ...parts, ...prices, ...more, lines });
      expectLines(sly, book, mixed);
      expect(sly.total_minor).toBe(honest.total_minor);
      expect(sly.currency).toBe(lab.currency);
    }
  });
});

describe("charges", () => {
  const lines = async (quantity: number) => [{ item_id: (await sellableDish(lab)).id, quantity }];

  test("R2.5-08 the venue charges for service at the table and nowhere else, in proportion to what was ordered", async () => {
    const [one, two] = [
      await placeOrder(lab, { ...TYPES.dine_in, lines: await lines(2) }),
      await placeOrder(lab, { ...TYPES.dine_in, lines: await lines(4) }),
    ];
    expect(one.service_charge_minor).toBeGreaterThan(0);
    expect(two.service_charge_minor).toBe(2 * one.service_charge_minor);
    for (const parts of [TYPES.pickup, TYPES.delivery])
      expect((await placeOrder(lab, { ...parts, lines: await lines(4) })).service_charge_minor).toBe(0);
  });

  test("R2.5-08 without a promotion nothing is taken off", async () => {
    for (const parts of Object.values(TYPES)) expect((await placeOrder(lab, { ...parts, lines: mixed })).discount_minor).toBe(0);
  });

  test("R4.2-35 a delivery costs its zone's fee whatever is ordered; other orders have none", async () => {
    for (const { city, fee_minor } of [NEAR, FAR])
      for (const quantity of [3, 9])
        expect((await placeOrder(lab, { ...deliveryTo(city), lines: await lines(quantity) })).delivery_fee_minor).toBe(fee_minor);
    for (const parts of [TYPES.pickup, TYPES.dine_in]) expect((await placeOrder(lab, parts)).delivery_fee_minor).toBe(0);
  });
});
