/** POST /orders: delivery address, minimum amount and table. */
import { beforeAll, describe, expect, test } from "vitest";
import { expectInvalid, expectStatus } from "../expectations.ts";
import { found } from "../menu/floor.ts";
import { lab, neighbour } from "../target.ts";
import { choicesOf, deliveryTo, FAR, NEAR, nth, ownDish, sellableDish, TABLE } from "./counter.ts";
import { type OrderFields, placeOrder, postOrder, readOrder } from "./orders.ts";

/** Lines with exactly this subtotal. */
const worth = async (price_minor: number) => [{ item_id: (await ownDish({ price_minor })).id, quantity: 1 }];

let dear: { item_id: number; quantity: number }[];

beforeAll(async () => {
  dear = await worth(10_000);
});

const deliver = (delivery_address: unknown, parts: OrderFields = {}) =>
  postOrder(lab, { type: "delivery", delivery_address, lines: dear, ...parts });

describe("the minimum", () => {
  for (const { city, minimum_minor } of [NEAR, FAR])
    test(`R4.2-27 R7.1-07 ${city}: 422 lines one below ${minimum_minor}, 201 at it`, async () => {
      expectInvalid(await postOrder(lab, { ...deliveryTo(city), lines: await worth(minimum_minor - 1) }), "lines");
      expectStatus(await postOrder(lab, { ...deliveryTo(city), lines: await worth(minimum_minor) }), 201);
    });

  test("R4.2-27 modifiers and every line count towards it; the fee does not", async () => {
    const below = await worth(NEAR.minimum_minor - NEAR.fee_minor);
    expectInvalid(await postOrder(lab, { ...deliveryTo(NEAR.city), lines: below }), "lines");
    expectStatus(await postOrder(lab, { ...deliveryTo(NEAR.city), lines: [...below, ...(await worth(NEAR.fee_minor))] }), 201);
    const { dish, oneOf } = await choicesOf();
    const { id, modifier_groups } = await ownDish({ price_minor: 100, modifier_group_ids: dish.modifier_groups.map((group) => group.id) });
    const extra = found(
      "the dearest option of the group",
      modifier_groups.flatMap((group) => group.options),
      (option) => option.id === nth(oneOf, 2),
    );
    const lines = [{ item_id: id, quantity: 1, option_ids: [extra.id] }, ...(await worth(NEAR.minimum_minor - 100 - extra.price_minor))];
    const order = await placeOrder(lab, { ...deliveryTo(NEAR.city), lines });
    expect(order.subtotal_minor).toBe(NEAR.minimum_minor);
  });

  test("R4.2-27 concerns deliveries only", async () => {
    for (const parts of [{}, { type: "dine_in", table_code: TABLE.first }])
      expectStatus(await postOrder(lab, { ...parts, lines: await worth(1) }), 201);
  });
});

describe("the city", () => {
  for (const city of ["Nowhere", "Labtown North", "Lab town", "Labtow"])
    test(`R4.2-28 R7.1-07 422 delivery_address.city for ${city}, which no zone has`, async () => {
      expectInvalid(await deliver({ line1: "5 Beaker Street", city }), "delivery_address.city");
    });

  for (const { city, fee_minor } of [NEAR, FAR])
    test(`R4.2-28 ${city} is delivered to for its zone's fee`, async () => {
      const order = await placeOrder(lab, { ...deliveryTo(city), lines: dear });
      expect(order.delivery_fee_minor).toBe(fee_minor);
      expect(order.total_minor).toBe(order.subtotal_minor - order.discount_minor + order.tax_added_minor + fee_minor);
    });

  for (const city of [NEAR.accented, "PRÈS-DU-LABO", "pres-du-labo", "Pre\u0300s-du-Labo", "LABTOWN", "labtown", "  Labtown "])
    test(`R4.2-28 case, accents and white space make no other city: ${JSON.stringify(city)}`, async () => {
      const order = await placeOrder(lab, { ...deliveryTo(city), lines: dear });
      expect(order.delivery_fee_minor).toBe(NEAR.fee_minor);
      expect(order.delivery_address?.city).toBe(city.trim());
    });
});

describe("the address", () => {
  test("R4.2-29 R7.1-07 422 for a delivery without one", async () => {
    expectInvalid(await postOrder(lab, { type: "delivery", lines: dear }), "delivery_address");
    expectInvalid(await deliver(null), "delivery_address");
  });

  test("R4.2-29 422 naming the street or the city where it is missing or blank", async () => {
    for (const line1 of [undefined, "", "  ", null]) expectInvalid(await deliver({ line1, city: NEAR.city }), "delivery_address.line1");
    for (const city of [undefined, "", "  ", null])
      expectInvalid(await deliver({ line1: "5 Beaker Street", city }), "delivery_address.city");
    expectInvalid(await deliver({}), "delivery_address.line1", "delivery_address.city");
  });

  test("R4.2-29 R2.5-04 RX-17 comes back as it was sent, without what it does not know; without a phone of its own it has the customer's", async () => {
    const address = { line1: "5 Beaker Street, 2nd floor", city: NEAR.city, phone: "+1 202-555-0199" };
    const sent = { ...address, postcode: "00100", line2: null };
    const { id, delivery_address } = await placeOrder(lab, { type: "delivery", delivery_address: sent, lines: dear });
    expect(delivery_address).toEqual(address);
    expect((await readOrder(lab, id)).delivery_address).toEqual(address);
    for (const phone of [undefined, "", " "]) {
      const order = await placeOrder(lab, { type: "delivery", delivery_address: { ...address, phone }, lines: dear });
      expect(order.delivery_address?.phone).toBe(order.customer.phone);
    }
    expectInvalid(await deliver({ ...address, phone: null }), "delivery_address.phone");
  });

  test("R4.2-29 RX-27 each part has its length, in characters", async () => {
    const address = { line1: "🍜".repeat(255), city: NEAR.city, phone: "5".repeat(40) };
    expect((await placeOrder(lab, { type: "delivery", delivery_address: address, lines: dear })).delivery_address).toEqual(address);
    expectInvalid(await deliver({ ...address, line1: "x".repeat(256) }), "delivery_address.line1");
    expectInvalid(await deliver({ ...address, city: "x".repeat(121) }), "delivery_address.city");
    expectInvalid(await deliver({ ...address, phone: "5".repeat(41) }), "delivery_address.phone");
  });

  test("R4.2-29 RX-25 422 for what is no address, or a part that is no text", async () => {
    for (const wrong of ["5 Beaker Street", 5, true, []]) expectInvalid(await deliver(wrong), "delivery_address");
    for (const field of ["line1", "city", "phone"])
      for (const wrong of [5, true, [], {}, "x\u0000"])
        expectInvalid(await deliver({ line1: "5 Beaker Street", city: NEAR.city, [field]: wrong }), `delivery_address.${field}`);
  });

  test("R4.2-29 R2.5-04 on any other order is read, and not kept", async () => {
    for (const parts of [{}, { type: "dine_in", table_code: TABLE.first }])
      for (const delivery_address of [{ line1: "5 Beaker Street", city: "Nowhere" }, {}, null])
        expect((await placeOrder(lab, { ...parts, delivery_address })).delivery_address).toBeNull();
    expectInvalid(await postOrder(lab, { delivery_address: { line1: 5 } }), "delivery_address.line1");
  });
});

describe("the table", () => {
  const sit = (table_code: unknown, parts: OrderFields = {}) => postOrder(lab, { type: "dine_in", table_code, ...parts });

  test("R4.2-30 R7.1-07 422 for an order at the table without one", async () => {
    expectInvalid(await postOrder(lab, { type: "dine_in" }), "table_code");
    for (const code of [null, "", "  "]) expectInvalid(await sit(code), "table_code");
  });

  test("R4.2-30 422 for a code that no table in use has, exactly as it is written", async () => {
    for (const code of ["no such table", TABLE.inactive, TABLE.first.toLowerCase(), `${TABLE.first}1`, "x".repeat(255)])
      expectInvalid(await sit(code), "table_code");
  });

  test("R4.2-30 RX-25 RX-27 422 for what is no code, whatever the type", async () => {
    for (const parts of [{}, { type: "pickup" }])
      for (const code of [5, true, [TABLE.first], {}, "x".repeat(256), "L\u0000"]) expectInvalid(await sit(code, parts), "table_code");
  });

  test("R4.2-30 RX-15 422 for a table of another restaurant, as if unknown", async () => {
    expectInvalid(await postOrder(neighbour, { type: "dine_in", table_code: TABLE.first }), "table_code");
  });

  test("R4.2-30 the order is at the table with that code", async () => {
    const [first, second] = [await placeOrder(lab, { type: "dine_in", table_code: TABLE.first }), await sit(` ${TABLE.second} `)];
    expectStatus(second, 201);
    expect(first.table?.code).toBe(TABLE.first);
    expect((await readOrder(lab, first.id)).table).toEqual(first.table);
    expect(second.body).toMatchObject({ data: { table: { code: TABLE.second } } });
    expect(second.body).not.toMatchObject({ data: { table: { id: first.table?.id } } });
  });

  test("R4.2-30 R2.5-02 a code on any other order is passed over", async () => {
    for (const table_code of [TABLE.first, "no such table", null])
      for (const parts of [{}, { ...deliveryTo(NEAR.city), lines: dear }])
        expect((await placeOrder(lab, { ...parts, table_code })).table).toBeNull();
  });

  test("R4.2-35 the branch is that of the table, else the default one", async () => {
    const at = async (table_code: string) => (await placeOrder(lab, { type: "dine_in", table_code })).branch_id;
    const [main, annex] = [await at(TABLE.first), await at(TABLE.ofOtherBranch)];
    expect(main).not.toBeNull();
    expect(annex).not.toBe(main);
    expect(await at(TABLE.second)).toBe(main);
    for (const parts of [{}, { ...deliveryTo(NEAR.city), lines: dear }, { table_code: TABLE.ofOtherBranch }])
      expect((await placeOrder(lab, parts)).branch_id).toBe(main);
  });

  test("R4.2-30 several orders can be at one table", async () => {
    const { id } = await sellableDish(lab);
    for (let count = 0; count < 2; count++) expectStatus(await sit(TABLE.first, { lines: [{ item_id: id, quantity: 1 }] }), 201);
  });
});
