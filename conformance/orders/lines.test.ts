/** POST /orders: how many lines, which dishes, how many of each. */
import { beforeAll, describe, expect, test } from "vitest";
import { call } from "../client.ts";
import { errorOf, expectInvalid, expectStatus } from "../expectations.ts";
import { addDish } from "../menu/dishes.ts";
import { found, labFloor } from "../menu/floor.ts";
import { lab, neighbour } from "../target.ts";
import { ownDish, sellableDish } from "./counter.ts";
import { orderBody, placeOrder, postOrder } from "./orders.ts";

const UNKNOWN = 999_999_999_999;

let item_id: number;

beforeAll(async () => {
  item_id = (await sellableDish(lab)).id;
});

const plain = (count: number) => Array.from({ length: count }, () => ({ item_id, quantity: 1 }));

describe("lines", () => {
  test("R4.2-18 422 where they are missing, none, or no list", async () => {
    const { lines: _, ...body } = await orderBody(lab);
    expectInvalid(await call(lab.tokens.full, "POST", "/orders", { body }), "lines");
    for (const lines of [[], null, {}, "one", 1, { 0: { item_id, quantity: 1 } }]) expectInvalid(await postOrder(lab, { lines }), "lines");
  });

  test("R4.2-18 100 lines are taken and stay apart, 101 are 422", async () => {
    const order = await placeOrder(lab, { lines: plain(100) });
    expect(order.items).toHaveLength(100);
    expect(new Set(order.items.map(({ id }) => id)).size).toBe(100);
    expectInvalid(await postOrder(lab, { lines: plain(101) }), "lines");
  });

  test("R4.2-18 422 at its place for a line that is no object", async () => {
    for (const line of [null, item_id, "x", [], true]) expectInvalid(await postOrder(lab, { lines: [...plain(2), line] }), "lines.2");
  });

  test("R4.2-35 the same dish in two lines makes two lines, in the order sent", async () => {
    const { id } = await ownDish({ price_minor: 700 });
    const lines = [5, 1, 3].flatMap((quantity) => [
      { item_id, quantity },
      { item_id: id, quantity },
    ]);
    const { items } = await placeOrder(lab, { lines });
    expect(items.map((line) => ({ item_id: line.item_id, quantity: line.quantity }))).toEqual(lines);
  });
});

describe("item_id", () => {
  test("R4.2-19 RX-25 RX-26 422 at its place where it is missing, null, or no id", async () => {
    expectInvalid(await postOrder(lab, { lines: [...plain(1), { quantity: 1 }] }), "lines.1.item_id");
    for (const wrong of [null, String(item_id), 1.5, 0, -1, true, [item_id], {}, 2 ** 53])
      expectInvalid(await postOrder(lab, { lines: [...plain(1), { item_id: wrong, quantity: 1 }] }), "lines.1.item_id");
  });

  test("R4.2-19 R7.1-07 422 at its place, and only there, for an unknown dish", async () => {
    const lines = [{ item_id: UNKNOWN, quantity: 1 }, ...plain(1), { item_id: Number.MAX_SAFE_INTEGER, quantity: 1 }];
    const answer = await postOrder(lab, { lines });
    expectInvalid(answer, "lines.0.item_id", "lines.2.item_id");
    expect(Object.keys(errorOf(answer).details)).toHaveLength(2);
  });

  const refused = async (id: number, parts: object = {}) =>
    expectInvalid(await postOrder(lab, { ...parts, lines: [...plain(1), { item_id: id, quantity: 1 }] }), "lines.1.item_id");

  test("R4.2-19 RX-15 422 for a dish of the neighbour, as if unknown", async () => {
    const foreign = await sellableDish(neighbour);
    await refused(foreign.id);
    const messageOf = async (id: number) => errorOf(await postOrder(lab, { lines: [{ item_id: id, quantity: 1 }] })).details;
    expect(await messageOf(foreign.id)).toEqual(await messageOf(UNKNOWN));
  });

  test("R4.2-19 422 for a dish that is sold out, until it is back", async () => {
    const { id } = await ownDish({ is_available: false });
    await refused(id);
    await call(lab.tokens.full, "PUT", `/items/${id}/availability`, { body: { is_available: true } });
    expectStatus(await postOrder(lab, { lines: [{ item_id: id, quantity: 1 }] }), 201);
    await call(lab.tokens.full, "PUT", `/items/${id}/availability`, { body: { is_available: false } });
    await refused(id);
  });

  test("R4.2-19 422 for a dish of a category or a menu that is not active, on any channel", async () => {
    const { quiet, retired } = await labFloor();
    const shelved = found(
      "a dish of a menu that is not active",
      retired.data.categories.flatMap(({ items }) => items),
      () => true,
    );
    const hidden = found("a dish of a category that is not active", quiet.items, ({ is_available }) => is_available);
    for (const { id } of [shelved, hidden]) for (const channel of ["web", "phone", "whatsapp"]) await refused(id, { channel });
  });

  test("R4.2-19 422 for a dish of a category or a menu outside its hours", async () => {
    const { other, shut } = await labFloor();
    const early = found(
      "a dish of a menu outside its hours",
      shut.data.categories.flatMap(({ items }) => items),
      () => true,
    );
    for (const id of [early.id, (await addDish(lab, other.id)).id]) await refused(id);
  });

  test("R4.2-19 a dish that is not shown online is refused on the web and sold on the phone", async () => {
    const { id } = await ownDish({ show_online: false });
    await refused(id);
    await refused(id, { channel: "web" });
    for (const channel of ["phone", "whatsapp"])
      expect((await placeOrder(lab, { channel, lines: [{ item_id: id, quantity: 1 }] })).items[0]?.item_id).toBe(id);
  });
});

describe("quantity", () => {
  for (const quantity of [0, 100, -1, 1.5, "2", null, true, [1], 1e9])
    test(`R4.2-20 422 for ${JSON.stringify(quantity)}`, async () => {
      expectInvalid(await postOrder(lab, { lines: [...plain(1), { item_id, quantity }] }), "lines.1.quantity");
    });

  test("R4.2-20 422 where it is missing", async () => {
    expectInvalid(await postOrder(lab, { lines: [{ item_id }] }), "lines.0.quantity");
  });

  for (const quantity of [1, 2, 99])
    test(`R4.2-20 ${quantity} is taken`, async () => {
      expect((await placeOrder(lab, { lines: [{ item_id, quantity }] })).items[0]?.quantity).toBe(quantity);
    });

  test("R4.2-20 written 2.0 or 2e0 it is the whole number 2", async () => {
    for (const written of ["2.0", "2e0"]) {
      const rawBody = JSON.stringify(await orderBody(lab)).replace('"quantity":1', `"quantity":${written}`);
      const answer = await call(lab.tokens.full, "POST", "/orders", { rawBody });
      expectStatus(answer, 201);
      expect(answer.text).toMatch(/"quantity":\s*2\s*[,}]/);
    }
  });
});
