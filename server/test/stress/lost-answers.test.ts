/**
 * Answers that are lost after the commit: a program that repeats its order with the same key, as the SDK does, gets each order once.
 */

import { SANDBOX_DISH_ID } from "@comanda/contract/sandbox/sandbox-ids.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../../../sdk/src/index.ts";
import { createSandbox } from "../../src/admin/sandbox.ts";
import { createFleet, type Fleet } from "../support/processes.ts";
import { startApp, type TestApp } from "../support/test-app.ts";

const ORDERS = process.env.TEST_STRESS ? 1000 : 25;
const AT_ONCE = 25;

let app: TestApp;
let fleet: Fleet;
let sandbox: { restaurant_id: number; token: string };

beforeAll(async () => {
  app = await startApp();
  app.clock.set(new Date().toISOString());
  const live = await app.venue("trattoria");
  sandbox = (await createSandbox(app.deps, live.slug, 1_000_000)) ?? expect.fail("no sandbox");
  fleet = await createFleet(app.database.appUrl);
  await fleet.start();
  await fleet.start();
});
afterAll(async () => {
  await fleet.close();
  await app.close();
});

/** Counts the attempts without an answer. */
const clientOf = (lost: { count: number }, headers: () => Record<string, string> = () => ({})) =>
  createClient({
    rootUrl: `http://127.0.0.1:${fleet.port}`,
    token: sandbox.token,
    retries: 10,
    fetch: async (url, init) => {
      try {
        return await fetch(url, { ...init, headers: { ...(init?.headers as Record<string, string>), ...headers() } });
      } catch (error) {
        lost.count++;
        throw error;
      }
    },
  });

const cart = (name: string) => ({
  type: "pickup" as const,
  customer_name: name,
  customer_phone: "+1 555 0100",
  lines: [{ item_id: SANDBOX_DISH_ID, quantity: 1 }],
});

const stored = (names: string) =>
  app.database.asOwner<{ id: string; customer_name: string }>(
    "select id, customer_name from orders where restaurant_id = $1 and customer_name like $2",
    [sandbox.restaurant_id, `${names}%`],
  );

const placeAll = async (names: string, count: number, headers?: () => Record<string, string>) => {
  const lost = { count: 0 };
  const client = clientOf(lost, headers);
  const ids: string[] = [];
  for (let from = 0; from < count; from += AT_ONCE) {
    await client.sandbox.orderFaults({ fault: "lose_answer", count: AT_ONCE, operation: "createOrder" });
    const placed = await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => client.orders.create(cart(`${names} ${from + index}`))));
    ids.push(...placed.map(({ data }) => data.id));
  }
  return { ids, lost: lost.count };
};

test(`${ORDERS} orders whose answer is lost are ${ORDERS} orders`, { timeout: 600_000 }, async () => {
  const { ids, lost } = await placeAll("Kept", ORDERS);
  const rows = await stored("Kept");
  console.info(`${ORDERS} orders, ${lost} lost answers, ${rows.length} rows`);
  expect([lost, rows.length, new Set(rows.map(({ customer_name }) => customer_name)).size]).toEqual([ORDERS, ORDERS, ORDERS]);
  expect(ids.toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
});

test("planted: a program that takes a new key for each attempt doubles its orders", { timeout: 60_000 }, async () => {
  const { lost } = await placeAll("Doubled", AT_ONCE, () => ({ "idempotency-key": crypto.randomUUID() }));
  expect([lost, (await stored("Doubled")).length]).toEqual([AT_ONCE, 2 * AT_ONCE]);
});
