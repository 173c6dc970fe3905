/** The shape of an order: its fields, its lines, its table and its customer. */
import { ORDER_STATUSES, ORDER_TYPES, type Order } from "@comanda/contract/venue/orders.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { activeVenues, lab } from "../target.ts";
import { choicesOf, deliveryTo, NEAR, nth, ownDish, sellableDish, TABLE } from "./counter.ts";
import { getOrder, listOrders, moveOrder, orderThatIs, placeOrder, postOrder, postStatus } from "./orders.ts";

const ORDER_FIELDS = [
  "branch_id cancel_reason channel currency customer delivery_address delivery_fee_minor discount_minor id items note paid_at",
  "placed_at scheduled_for service_charge_minor status subtotal_minor table tax_added_minor tax_breakdown total_minor type updated_at",
]
  .join(" ")
  .split(" ");
const LINE_FIELDS = "id item_id line_total_minor modifiers name quantity unit_price_minor variant_name voided".split(" ");

const keysOf = (value: object | null): string[] => Object.keys(value ?? {}).sort();

let dineIn: Order;
let pickup: Order;
let delivery: Order;

beforeAll(async () => {
  const { dish, oneOf, any } = await choicesOf();
  const lines = [{ item_id: dish.id, quantity: 2, option_ids: [nth(oneOf, 1), nth(any, 1)] }];
  dineIn = await placeOrder(lab, { type: "dine_in", table_code: TABLE.first, lines });
  pickup = await placeOrder(lab, { lines });
  delivery = await placeOrder(lab, { ...deliveryTo(NEAR.city), lines });
});

describe("an order", () => {
  test("R2.5-01 has exactly its fields, however it is read", async () => {
    const { id } = pickup;
    const answers = [await getOrder(lab, id), await postStatus(lab, id, { status: "accepted" }), await postOrder(lab)];
    for (const answer of answers) {
      expect([200, 201]).toContain(answer.status);
      expect(keysOf((answer.body as unknown as { data: Order }).data)).toEqual(ORDER_FIELDS);
    }
    for (const order of (await listOrders(lab, { per_page: 20 })).data) expect(keysOf(order)).toEqual(ORDER_FIELDS);
  });

  test("R2.5-01 R2.1-03 is of a known type and status in every list of every venue", async () => {
    for (const venue of activeVenues) {
      await placeOrder(venue);
      for (const { status, type } of (await listOrders(venue, { per_page: 100 })).data) {
        expect(ORDER_STATUSES).toContain(status);
        expect(ORDER_TYPES).toContain(type);
      }
    }
    expect([dineIn.type, pickup.type, delivery.type]).toEqual(["dine_in", "pickup", "delivery"]);
  });

  for (const status of ORDER_STATUSES)
    test(`R2.1-03 can be ${status}`, async () => {
      expect((await orderThatIs(status, lab)).status).toBe(status);
    });

  test("R2.5-02 has a table when it is eaten there, and none otherwise", () => {
    expect(keysOf(dineIn.table)).toEqual(["code", "id", "name"]);
    expect(dineIn.table).toEqual({ id: expect.any(Number), name: expect.any(String), code: TABLE.first });
    expect([pickup.table, delivery.table]).toEqual([null, null]);
  });

  test("R2.5-03 has a customer with name, phone and email, null where nothing was said", async () => {
    for (const order of [dineIn, pickup, delivery]) expect(keysOf(order.customer)).toEqual(["email", "name", "phone"]);
    expect(pickup.customer.email).toBeNull();
    const customer = { name: "Grace Hopper", phone: "+1 202-555-0145", email: "grace@example.com" };
    const sent = { customer_name: customer.name, customer_phone: customer.phone, customer_email: customer.email };
    expect((await placeOrder(lab, sent)).customer).toEqual(customer);
  });

  test("R2.5-04 has an address of three texts when it is delivered, and none otherwise", () => {
    expect(keysOf(delivery.delivery_address)).toEqual(["city", "line1", "phone"]);
    for (const text of Object.values(delivery.delivery_address ?? {})) expect(text).toBeTypeOf("string");
    expect([dineIn.delivery_address, pickup.delivery_address]).toEqual([null, null]);
  });

  test("R2.5-10 has no cancel_reason before a cancel gives one, whatever its status", async () => {
    for (const status of ORDER_STATUSES) expect((await orderThatIs(status, lab)).cancel_reason).toBeNull();
    const { id } = await placeOrder(lab);
    expect((await moveOrder(lab, id, "cancelled", { reason: "Guest called it off" })).cancel_reason).toBe("Guest called it off");
  });

  test("R2.5-12 names its channel: web unless the caller said phone or whatsapp", async () => {
    expect((await placeOrder(lab)).channel).toBe("web");
    for (const channel of ["web", "phone", "whatsapp"]) expect((await placeOrder(lab, { channel })).channel).toBe(channel);
    for (const { channel } of (await listOrders(lab, { per_page: 100 })).data) expect(channel).toMatch(/\S/);
  });
});

describe("an order line", () => {
  test("R2.5-05 RX-11 RX-12 has exactly its fields, and its modifiers a name and a price", () => {
    for (const { items } of [dineIn, pickup, delivery])
      for (const line of items) {
        expect(keysOf(line)).toEqual(LINE_FIELDS);
        expect(Object.values(line.name).every((text) => text === null || typeof text === "string")).toBe(true);
        for (const number of [line.id, line.item_id, line.quantity, line.unit_price_minor, line.line_total_minor])
          expect(Number.isInteger(number)).toBe(true);
        expect(line.modifiers).toHaveLength(2);
        for (const modifier of line.modifiers) expect(keysOf(modifier)).toEqual(["name", "price_minor"]);
      }
  });

  test("R2.5-05 has an id that no other line of the order has", async () => {
    const { id } = await sellableDish(lab);
    const { items } = await placeOrder(lab, { lines: Array.from({ length: 5 }, () => ({ item_id: id, quantity: 1 })) });
    expect(new Set(items.map(({ id }) => id)).size).toBe(5);
  });

  test("R2.5-06 RX-11 names the size in every language it has, and is null without one", async () => {
    expect(pickup.items[0]?.variant_name).toBeNull();
    const variants = [
      { name: { en: "Small", it: "Piccola", de: null }, price_minor: 500 },
      { name: { ar: "كبير" }, price_minor: 900 },
    ];
    const dish = await ownDish({ variants });
    const lines = dish.variants.map(({ id }) => ({ item_id: dish.id, variant_id: id, quantity: 1 }));
    const { items } = await placeOrder(lab, { lines });
    expect(items.map(({ variant_name }) => variant_name)).toEqual(variants.map(({ name }) => name));
  });

  test("R2.5-05 names the dish in every language it has", async () => {
    const name = { en: "Pie", it: "Torta", ar: "فطيرة", de: null };
    const dish = await ownDish({ name });
    expect((await placeOrder(lab, { lines: [{ item_id: dish.id, quantity: 1 }] })).items[0]?.name).toEqual(name);
  });
});

test("RX-02 a single order has an empty meta and empty links", async () => {
  const answers = [await postOrder(lab), await getOrder(lab, pickup.id)];
  for (const answer of answers) {
    const { meta, links } = answer.body as unknown as { meta: object; links: object };
    expect([keysOf(meta), keysOf(links)]).toEqual([[], []]);
  }
});
