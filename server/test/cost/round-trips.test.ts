/** How often each operation waits for PostgreSQL and Redis, counted on the wire: in a venue with one row of each, and with 25. */
import { writesNothing } from "@comanda/contract/operation.ts";
import { type OperationId, operationEntries, operations } from "@comanda/contract/operations.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSandbox } from "../../src/admin/sandbox.ts";
import { type App, buildApp } from "../../src/compose/api.ts";
import { routes } from "../../src/compose/handlers.ts";
import type { Handlers } from "../../src/http/api/operations.ts";
import type { Ctx } from "../../src/lib/context.ts";
import { connectPos } from "../../src/venue/kitchen/pos/service.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { callMessage, LIST, sendMessage } from "../support/mcp-clients.ts";
import { plainDish } from "../support/operation-calls.ts";
import { createRedis, hasRedis, type RedisServer } from "../support/processes.ts";
import {
  type CountedApp,
  type CountedTrips,
  type CountedVenue,
  countedTripsOf,
  countTrips,
  openCountedVenue,
  READS_FIRST,
  rowOf,
  startCounted,
} from "../support/round-trip-counter.ts";
import { forVenue, type TestVenue } from "../support/test-app.ts";
import { EXPECTED_TRIPS, type Trips } from "./expected-round-trips.ts";

const MANY = 25;

let redis: RedisServer;
let database: TestDatabase;
let counted: CountedApp;
let small: CountedVenue;
let large: CountedVenue;
let lab: TestVenue;

beforeAll(async () => {
  redis = await createRedis();
  if (hasRedis) await redis.start();
  else console.warn("redis-server is not installed: its trips are not counted");
  database = await cloneDatabase();
  counted = await startCounted(database, hasRedis ? redis.url : null);
  small = await openCountedVenue(counted, 1);
  large = await openCountedVenue(counted, MANY);
  lab = await counted.app.venue("lab");
});
afterAll(async () => {
  await counted.close();
  await database.drop();
  await redis.stop();
});

const tripsOnly = ({ postgres, redis: ofRedis }: Trips): Trips => ({ postgres, redis: ofRedis });
const wanted = (postgres: number): Trips => ({ postgres, redis: hasRedis ? 1 : 0 });

/** What the table says for the same calls. */
const expectedFor = (id: OperationId, seen: readonly CountedTrips[]): (Trips | undefined)[] =>
  seen.map(({ way }) => {
    const row = EXPECTED_TRIPS[rowOf(id, way)];
    return row && (hasRedis ? row : { ...row, redis: 0 });
  });

test("every operation of the contract has its row in the table, and no row is about anything else", () => {
  const named = Object.keys(EXPECTED_TRIPS).map((row) => row.split(",")[0]);
  expect(new Set(named)).toEqual(new Set(operationEntries.map(([id]) => id)));
});

describe.each(["one row", `${MANY} rows`] as const)("in a venue with %s of each", (size) => {
  const venue = (): CountedVenue => (size === "one row" ? small : large);

  test.each(READS_FIRST)("%s takes what the table says", async (id) => {
    const seen = await countedTripsOf(counted, venue(), id);
    expect(seen.map(tripsOnly)).toEqual(expectedFor(id, seen));
    expect(seen.length).toBeGreaterThan(0);
    // The plain call shows all the rows there are; otherwise the two venues would prove nothing.
    const [plain] = seen;
    if (plain?.rows !== null) expect(plain?.rows).toBeGreaterThanOrEqual(venue().rows);
    if (plain?.rows !== null && size === "one row") expect(plain?.rows).toBe(1);
  });
});

/** Every handler, with something done behind it before its answer leaves. */
const withFault = async (fault: (ctx: Ctx, rows: number, id: OperationId) => Promise<void>): Promise<App> => {
  const planted = operationEntries.map(([id]) => [
    id,
    async (ctx: Ctx, input: never) => {
      const result = await routes[id](ctx, input);
      await fault(ctx, Array.isArray(result.data) ? result.data.length : 1, id);
      return result;
    },
  ]);
  return buildApp(counted.app.deps, { handlers: { ...routes, ...(Object.fromEntries(planted) as Partial<Handlers>) } });
};

describe("planted", () => {
  test("one more statement that is waited for is seen in every operation", async () => {
    const app = await withFault(async ({ db }) => void (await db.query(sql`select 1`)));
    for (const [id] of operationEntries) {
      const seen = await countedTripsOf(counted, small, id, app);
      const oneMore = expectedFor(id, seen).map((trips) => trips && { ...trips, postgres: trips.postgres + 1 });
      expect([id, ...seen.map(tripsOnly)]).toEqual([id, ...oneMore]);
    }
    await app.http.close();
  });

  test("a statement for each row is seen in the venue with many", async () => {
    const app = await withFault(async ({ db }, rows) => {
      for (let row = 0; row < rows; row++) await db.query(sql`select 1`);
    });
    const [plain] = await countedTripsOf(counted, large, "listOrders", app);
    expect(plain?.postgres).toBe(1 + MANY);
    await app.http.close();
  });

  test("a deferred statement travels with the commit and adds no trip", async () => {
    const app = await withFault(async ({ db }, _rows, id) => {
      if (!writesNothing(operations[id])) db.defer(sql`select 1`);
    });
    const seen = await countedTripsOf(counted, small, "createOrder", app);
    expect(seen.map(tripsOnly)).toEqual(expectedFor("createOrder", seen));
    await app.http.close();
  });
});

test("a process that meets a token for the first time asks who it is before it reads", async () => {
  const app = await buildApp(counted.app.deps);
  const ask = () => app.http.inject({ url: "/api/v1/items", headers: { authorization: `Bearer ${small.token}` } });
  // The connection they share is open, however long the start has taken.
  await counted.app.call(small.token, "GET", "/items");
  const trips: number[] = [];
  for (let time = 0; time < 2; time++) trips.push((await countTrips(counted, ask)).postgres);
  expect(trips).toEqual([2, 1]);
  await app.http.close();
});

const orderIn = async (venueId: number) => ({
  type: "pickup",
  customer_name: "Ada",
  customer_phone: "1",
  lines: [{ item_id: await plainDish(database, venueId), quantity: 1 }],
});

/** The second call counts: by then everything is prepared and the token's use is noted. */
const tripsOfSecond = async (token: string, method: string, path: string, body?: object): Promise<Trips> => {
  const call = () => counted.app.call(token, method, path, body && { body });
  await call();
  const { result, ...trips } = await countTrips(counted, call);
  expect(result.status).toBeLessThan(300);
  return trips;
};

test("in a sandbox, where a write waits for a reset, it takes no more", async () => {
  const sandbox = await createSandbox(counted.app.deps, lab.slug, 1000);
  const token = sandbox?.token ?? "";
  const { id } = (await counted.app.call(token, "GET", "/items?available=true")).body.data.find(
    (item: { price_minor: number | null; modifier_groups: unknown[] }) => item.price_minor && item.modifier_groups.length === 0,
  );
  const body = { ...(await orderIn(lab.id)), lines: [{ item_id: id, quantity: 1 }] };
  expect(await tripsOfSecond(token, "GET", "/items")).toEqual(wanted(1));
  expect(await tripsOfSecond(token, "POST", "/orders", body)).toEqual(wanted(4));
});

/** Calls the operation over MCP: the MCP endpoint authenticates the token once, and the injected call does not repeat it. */
const tripsOfTool = async (name: string, given: object): Promise<Trips> => {
  const call = () => sendMessage(counted.app.app, lab.token, callMessage(name, given));
  await call();
  const { result, ...trips } = await countTrips(counted, call);
  expect([name, result.body.result.isError]).toEqual([name, undefined]);
  return trips;
};

test("an agent's call looks its token up once: a read takes two trips, an order four; a list of tools one", async () => {
  const order = await orderIn(lab.id);
  expect(await tripsOfTool("list_items", {})).toEqual(wanted(2));
  expect(await tripsOfTool("get_item", { item: order.lines[0]?.item_id })).toEqual(wanted(2));
  expect(await tripsOfTool("create_order", order)).toEqual(wanted(4));
  const { result, ...trips } = await countTrips(counted, () => sendMessage(counted.app.app, lab.token, LIST));
  expect(result.status).toBe(200);
  expect(trips).toEqual(wanted(1));
});

test("an order that is pushed to a point of sale takes no more: its delivery is a row of the same commit", async () => {
  const keys = [{ id: "test", bytes: Buffer.alloc(32) }];
  await forVenue(counted.app.deps, lab.slug, async (ctx) => connectPos(ctx, "https://pos.example/", keys));
  expect(await tripsOfSecond(lab.token, "POST", "/orders", await orderIn(lab.id))).toEqual(wanted(4));
});
