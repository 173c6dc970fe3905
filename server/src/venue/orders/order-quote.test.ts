/** POST /orders/quote over HTTP: nothing is written, a key has no effect, and what gates refuse. Random carts are in `quote-carts.test.ts`. */
import type { QuoteAnswer } from "@comanda/contract/venue/order-quote.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { plainDish } from "../../../test/support/operation-calls.ts";
import { startApp, type TestApp, type TestVenue } from "../../../test/support/test-app.ts";

let app: TestApp;
let lab: TestVenue;
let cart: { type: string; customer_name: string; customer_phone: string; lines: object[] };

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
  const line = { item_id: await plainDish(app.database, lab.id), quantity: 2 };
  cart = { type: "pickup", customer_name: "Ada", customer_phone: "+1 555 0100", lines: [line] };
});
afterAll(() => app.close());

const post = (path: string, body: object, headers: Record<string, string> = {}, token = lab.token) =>
  app.call(token, "POST", path, { body, headers });
const quote = async (body: object): Promise<QuoteAnswer> => {
  const { status, body: answer, text } = await post("/orders/quote", body);
  expect(status, text).toBe(200);
  return answer.data;
};
const written = () =>
  app.database.asOwner(
    `select (select count(*) from orders) as orders, (select count(*) from audit_entries) as entries, (select count(*) from events) as events,
       (select count(*) from idempotency_keys) as keys, (select count(*) from guests) as guests`,
  );

test("nothing is written, and a key has no effect: it may come again with another cart, and is new for the order", async () => {
  const before = await written();
  const key = { "idempotency-key": "cart-1" };
  const first = await post("/orders/quote", cart, key);
  const second = await post("/orders/quote", { ...cart, lines: [...cart.lines, ...cart.lines] }, key);
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(second.body.data.amounts.total_minor).toBe(2 * first.body.data.amounts.total_minor);
  expect(second.headers.get("idempotent-replayed")).toBeNull();
  expect((await post("/orders/quote", cart, { "idempotency-key": "x".repeat(300) })).status).toBe(200);
  expect(await written()).toEqual(before);
  const placed = await post("/orders", cart, key);
  expect([placed.status, placed.body.data.total_minor]).toEqual([201, first.body.data.amounts.total_minor]);
});

test("every rule has a verdict, in the same order; each refusal says what would make it pass", async () => {
  const { ok, rules } = await quote({ ...cart, type: "dine_in", table_code: "nowhere", scheduled_for: "2026-11-14T11:00:00Z" });
  expect(ok).toBe(false);
  expect(rules.filter(({ passes }) => !passes).map(({ rule, refusals }) => [rule, refusals.map(({ to_pass }) => to_pass)])).toEqual([
    ["table", [{ field: "table_code", change: "one_of", value: ["L1", "L2", "A1"] }]],
    ["schedule", [{ field: "scheduled_for", change: "remove", value: null }]],
  ]);
  expect((await quote(cart)).rules.map(({ rule, passes }) => [rule, passes])).toEqual(rules.map(({ rule }) => [rule, true]));
});

/** The least of three, because other work of the process counts too. */
const processorMs = async (path: string, body: object): Promise<number> => {
  const spent: number[] = [];
  for (let round = 0; round < 3; round++) {
    const before = process.cpuUsage();
    await post(path, body);
    const { user, system } = process.cpuUsage(before);
    spent.push((user + system) / 1000);
  }
  return Math.min(...spent);
};

test("a cart with a hundred refused lines and a thousand unknown options is quoted for a small multiple of its refusal", async () => {
  const dish = await plainDish(app.database, lab.id);
  const insert = "insert into item_counts (restaurant_id, item_id, remaining, counted_from) values ($1, $2, 1, now())";
  await app.database.asOwner(insert, [lab.id, dish]);
  const lines = Array.from({ length: 99 }, () => ({ item_id: dish, quantity: 2 }));
  const option_ids = Array.from({ length: 1000 }, (_, index) => 9_000_000 + index);
  const body = { ...cart, lines: [...lines, { item_id: dish, quantity: 1, option_ids }] };
  const { rules, ok } = await quote(body);
  expect(ok).toBe(false);
  expect(rules.flatMap(({ refusals }) => refusals).length).toBeGreaterThan(99);
  // Without the lines found once, the quote took more than sixty times as long.
  const [quoted, refused] = [await processorMs("/orders/quote", body), await processorMs("/orders", body)];
  expect(quoted / refused).toBeLessThan(10);
  await app.database.asOwner("delete from item_counts where restaurant_id = $1 and item_id = $2", [lab.id, dish]);
});

test("422 for another shape; 403 without the scope, and while suspended; GET of the same path is an order that does not exist", async () => {
  const { customer_name: _, ...nameless } = cart;
  expect((await post("/orders/quote", nameless)).body.error.details).toEqual({ customer_name: ["Is required."] });
  const reader = await app.token(lab.slug, { scopes: ["orders:read"] });
  expect((await post("/orders/quote", cart, {}, reader)).body.error.details).toEqual({ required_scope: "orders:write" });
  expect((await app.call(lab.token, "GET", "/orders/quote")).body.error.code).toBe("not_found");
  await app.database.asOwner("update restaurants set suspended_at = now() where id = $1", [lab.id]);
  expect((await post("/orders/quote", cart)).body.error.code).toBe("restaurant_suspended");
  await app.database.asOwner("update restaurants set suspended_at = null where id = $1", [lab.id]);
});
