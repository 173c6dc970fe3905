/** An order placed or moved twice with one key is placed or moved once. */
import { describe, expect, test } from "vitest";
import type { CheckedAnswer } from "../answer-check.ts";
import { type ConformanceCall, call } from "../client.ts";
import { expectInvalid, expectRefused, expectStatus, uniqueName } from "../expectations.ts";
import { lab } from "../target.ts";
import { ownDish, sellableDish } from "./counter.ts";
import { moveOrder, type OrderFields, orderBody, orderOf, ordersOf, orderThatIs, placeOrder, postOrder, readOrder } from "./orders.ts";

const newKey = (): string => crypto.randomUUID();
const replayed = ({ headers }: CheckedAnswer): string | null => headers.get("idempotent-replayed");

const post = (path: string, key: string, options: ConformanceCall): Promise<CheckedAnswer> =>
  call(lab.tokens.full, "POST", path, { ...options, headers: { "idempotency-key": key } });

const place = (key: string, body: OrderFields): Promise<CheckedAnswer> => post("/orders", key, { body });
const move = (key: string, id: string, body: OrderFields): Promise<CheckedAnswer> => post(`/orders/${id}/status`, key, { body });

const expectReplay = (first: CheckedAnswer, second: CheckedAnswer): void => {
  expect(replayed(first)).toBeNull();
  expect(replayed(second)).toBe("true");
  expect([second.status, second.text]).toEqual([first.status, first.text]);
};

/** A customer whose orders can be counted. */
const newCustomer = async (): Promise<{ body: OrderFields; count: () => Promise<number> }> => {
  const customer_name = uniqueName("Once");
  const { placed_at } = await placeOrder(lab);
  return {
    body: await orderBody(lab, { customer_name }),
    count: async () => (await ordersOf(lab, customer_name, placed_at)).length,
  };
};

describe("POST /orders", () => {
  test("R8-05 R8-06 three times with one key makes one order, and names it in Location each time", async () => {
    const { body, count } = await newCustomer();
    const key = newKey();
    const [first, second, third] = [await place(key, body), await place(key, body), await place(key, body)];
    expectReplay(first, second);
    expectReplay(first, third);
    expect(second.headers.get("location")).toBe(first.headers.get("location"));
    expect(await count()).toBe(1);
  });

  test("R8-05 gives the first answer back even when the order has moved and the dish has changed since", async () => {
    const dish = await ownDish();
    const body = await orderBody(lab, { lines: [{ item_id: dish.id, quantity: 1 }] });
    const key = newKey();
    const first = await place(key, body);
    await moveOrder(lab, orderOf(first).id, "cancelled");
    await call(lab.tokens.full, "PUT", `/items/${dish.id}/availability`, { body: { is_available: false } });
    expectReplay(first, await place(key, body));
  });

  test("R8-07 422 idempotency_key_reused for another body, and nothing is placed", async () => {
    const { body, count } = await newCustomer();
    const key = newKey();
    expectStatus(await place(key, body), 201);
    for (const other of [{ ...body, note: "Twice" }, { ...body, surprise: 1 }, {}])
      expectRefused(await place(key, other), "idempotency_key_reused");
    expect(await count()).toBe(1);
  });

  test("R8-08 the order of members at every depth and white space do not make another body", async () => {
    const body = await orderBody(lab, { note: "x" });
    const key = newKey();
    const first = await place(key, body);
    const lines = (body.lines as object[]).map((line) => Object.fromEntries(Object.entries(line).reverse()));
    const turned = Object.fromEntries(Object.entries({ ...body, lines }).reverse());
    expectReplay(first, await post("/orders", key, { rawBody: `\n${JSON.stringify(turned, null, 2)} ` }));
  });

  test("R8-09 six at once with one key place one order; the others wait their turn or replay it", async () => {
    const { body, count } = await newCustomer();
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 6 }, () => place(key, body)));
    const made = answers.filter(({ status }) => status === 201);
    expect(made.filter((answer) => replayed(answer) === null)).toHaveLength(1);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) expectRefused(answer, "idempotency_key_in_use");
    expect(await count()).toBe(1);
  });

  test("R8-10 a broken rule is an answer too: it is replayed, also when the rule is kept by now", async () => {
    const dish = await ownDish({ is_available: false });
    const body = await orderBody(lab, { lines: [{ item_id: dish.id, quantity: 1 }] });
    const key = newKey();
    const first = await place(key, body);
    expectInvalid(first, "lines.0.item_id");
    await call(lab.tokens.full, "PUT", `/items/${dish.id}/availability`, { body: { is_available: true } });
    expectReplay(first, await place(key, body));
    expectStatus(await place(newKey(), body), 201);
  });

  test("R8-13 without a key the same body makes two orders", async () => {
    const { body, count } = await newCustomer();
    for (let turn = 0; turn < 2; turn++) expectStatus(await postOrder(lab, body), 201);
    expect(await count()).toBe(2);
  });
});

describe("POST /orders/{order}/status", () => {
  test("R8-06 a move repeated with its key is 200 again, not 409, wherever the order is by now", async () => {
    const { id } = await placeOrder(lab);
    const key = newKey();
    const first = await move(key, id, { status: "accepted" });
    expectStatus(first, 200);
    expectReplay(first, await move(key, id, { status: "accepted" }));
    await moveOrder(lab, id, "ready");
    expectReplay(first, await move(key, id, { status: "accepted" }));
    expect((await readOrder(lab, id)).status).toBe("ready");
    expectRefused(await move(newKey(), id, { status: "accepted" }), "invalid_transition");
  });

  test("R8-10 a 409 invalid_transition is replayed, also when the move would be open by now", async () => {
    const { id } = await placeOrder(lab);
    const key = newKey();
    const first = await move(key, id, { status: "ready" });
    expectRefused(first, "invalid_transition");
    await moveOrder(lab, id, "accepted");
    expectReplay(first, await move(key, id, { status: "ready" }));
    expect((await readOrder(lab, id)).status).toBe("accepted");
  });

  test("R8-10 a 422 is replayed, and a 404 is not kept", async () => {
    const { id } = await placeOrder(lab);
    const key = newKey();
    const first = await move(key, id, { status: "placed" });
    expectInvalid(first, "status");
    expectReplay(first, await move(key, id, { status: "placed" }));
    const lost = newKey();
    expectRefused(await move(lost, crypto.randomUUID(), { status: "accepted" }), "not_found");
    expectStatus(await move(lost, id, { status: "accepted" }), 200);
  });

  test("R8-07 the same key on another order, or on another path, is 422 and moves nothing", async () => {
    const [one, two] = [await placeOrder(lab), await placeOrder(lab)];
    const key = newKey();
    expectStatus(await move(key, one.id, { status: "accepted" }), 200);
    expectRefused(await move(key, two.id, { status: "accepted" }), "idempotency_key_reused");
    expectRefused(await place(key, await orderBody(lab)), "idempotency_key_reused");
    expectRefused(await post("/items", key, { body: { status: "accepted" } }), "idempotency_key_reused");
    expect(await readOrder(lab, two.id)).toEqual(two);
    expectRefused(await move(key, one.id, { status: "ready" }), "idempotency_key_reused");
  });

  test("R8-07 R8-13 one key serves one path: without it the same moves act on each order", async () => {
    const body = { status: "cancelled", reason: "Closed early" };
    for (const { id } of [await orderThatIs("accepted", lab), await orderThatIs("ready", lab)])
      expectStatus(await move(newKey(), id, body), 200);
  });

  test("R8-09 five at once with one key move the order once", async () => {
    const { id } = await placeOrder(lab);
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 5 }, () => move(key, id, { status: "accepted" })));
    const moved = answers.filter(({ status }) => status === 200);
    expect(moved.filter((answer) => replayed(answer) === null)).toHaveLength(1);
    expect(new Set(moved.map(({ text }) => text)).size).toBe(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) expectRefused(answer, "idempotency_key_in_use");
  });

  test("R8-12 the same key of another token is another key", async () => {
    const { id: item_id } = await sellableDish(lab);
    const body = await orderBody(lab, { lines: [{ item_id, quantity: 2 }] });
    const headers = { "idempotency-key": newKey() };
    const [first, second] = [
      await call(lab.tokens.full, "POST", "/orders", { body, headers }),
      await call(lab.tokens.full_2, "POST", "/orders", { body, headers }),
    ];
    expect([replayed(first), replayed(second)]).toEqual([null, null]);
    expect(orderOf(second).id).not.toBe(orderOf(first).id);
  });
});
