/** How often each operation waits for PostgreSQL. Statements sent without waiting in between are one trip. */
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSandbox } from "../src/cli/sandbox.ts";
import { openPool } from "../src/db/pool.ts";
import { openLog } from "../src/deps.ts";
import { connectPos } from "../src/venue/pos/service.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "./app.ts";

let app: TestApp;
let lab: TestVenue;
let trips = 0;

/** A trip begins when something is written while nothing is under way on that connection. */
const countTrips = (pool: pg.Pool): pg.Pool => {
  pool.on("connect", (client) => {
    let underWay = 0;
    const stream = (client as unknown as { connection: { stream: NodeJS.WritableStream & NodeJS.EventEmitter } }).connection.stream;
    const write = stream.write.bind(stream);
    stream.write = ((...args: Parameters<typeof write>) => {
      if (underWay === 0) trips++;
      underWay = 1;
      return write(...args);
    }) as typeof stream.write;
    stream.on("data", () => {
      underWay = 0;
    });
  });
  return pool;
};

beforeAll(async () => {
  app = await startApp({ pool: (config) => countTrips(openPool({ url: config.databaseUrl, connectionsMax: 1, log: openLog("fatal") })) });
  lab = await app.venue("lab");
});
afterAll(() => app.close());

const tripsOf = async (
  method: string,
  path: string,
  options: object = {},
  token = lab.token,
): Promise<{ trips: number; body: { data: { id: never } } }> => {
  // Everything is prepared and the token's use noted before the second call, which is the one that counts.
  const call = () => app.call(token, method, path, options);
  await call();
  await new Promise((resolve) => setTimeout(resolve, 30));
  trips = 0;
  const { status, body } = await call();
  expect(status).toBeLessThan(400);
  return { trips, body };
};

test("reading takes two trips: the token, then the resource bound to its tenant", async () => {
  const items = (await app.call(lab.token, "GET", "/items")).body.data;
  expect((await tripsOf("GET", `/items/${items[0].id}`)).trips).toBe(2);
  expect((await tripsOf("GET", "/items")).trips).toBe(2);
  expect((await tripsOf("GET", "/menus")).trips).toBe(2);
  expect((await tripsOf("GET", "/orders")).trips).toBe(2);
});

test("placing an order takes at most four trips, commit included; changing a dish four", async () => {
  const items = (await app.call(lab.token, "GET", "/items?per_page=100&available=true")).body.data;
  const dish = items.find(
    (item: { price_minor: number; modifier_groups: unknown[]; show_online: boolean }) =>
      item.price_minor && item.show_online && item.modifier_groups.length === 0,
  );
  const lines = Array.from({ length: 3 }, () => ({ item_id: dish.id, quantity: 1 }));
  const body = { type: "pickup", customer_name: "Ada", customer_phone: "1", lines };
  const placed = await tripsOf("POST", "/orders", { body });
  let key = 0;
  const keyed: number[] = [];
  for (let round = 0; round < 3; round++) {
    trips = 0;
    await app.call(lab.token, "POST", "/orders", { body, headers: { "idempotency-key": `trip-${key++}` } });
    keyed.push(trips);
  }
  console.info(`POST /orders: ${placed.trips} round trips without a key, ${keyed.at(-1)} with one`);
  expect(placed.trips).toBeLessThanOrEqual(4);
  expect(keyed.at(-1)).toBeLessThanOrEqual(4);
  trips = 0;
  await app.call(lab.token, "PATCH", `/items/${dish.id}`, { body: { price_minor: dish.price_minor + 1 } });
  expect(trips).toBeLessThanOrEqual(4);
});

test("in a sandbox, where a write waits for a reset, it takes no more", async () => {
  const token = (await createSandbox(app.deps, lab.slug, 1000))?.token ?? "";
  const items = (await app.call(token, "GET", "/items?per_page=100&available=true")).body.data;
  const dish = items.find(
    (item: { price_minor: number; modifier_groups: unknown[] }) => item.price_minor && item.modifier_groups.length === 0,
  );
  const body = { type: "pickup", customer_name: "Ada", customer_phone: "1", lines: [{ item_id: dish.id, quantity: 1 }] };
  expect((await tripsOf("GET", "/items", {}, token)).trips).toBe(2);
  expect((await tripsOf("POST", "/orders", { body }, token)).trips).toBeLessThanOrEqual(4);
});

test("an order that is pushed to a point of sale takes one more, for its job", async () => {
  const keys = [{ id: "test", bytes: Buffer.alloc(32) }];
  await forVenue(app.deps, lab.slug, async (ctx) => connectPos(ctx, "https://pos.example/", keys));
  const items = (await app.call(lab.token, "GET", "/items?per_page=100&available=true")).body.data;
  const dish = items.find(
    (item: { price_minor: number; modifier_groups: unknown[] }) => item.price_minor && item.modifier_groups.length === 0,
  );
  const body = { type: "pickup", customer_name: "Ada", customer_phone: "1", lines: [{ item_id: dish.id, quantity: 1 }] };
  expect((await tripsOf("POST", "/orders", { body })).trips).toBe(5);
});
