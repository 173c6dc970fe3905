/** The service with a counting line to PostgreSQL and Redis, a venue with as many rows as one likes, and what each operation takes. */
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { type OperationId, operationEntries, operations } from "@comanda/contract/operations.ts";
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import type { App } from "../../src/compose/api.ts";
import { addEndpoint, CHOOSABLE_EVENTS } from "../../src/platform/events/webhooks/service/endpoints.ts";
import type { Trips, TripsRow } from "../cost/expected-round-trips.ts";
import { type CountingProxy, openCountingProxy, POSTGRES, REDIS } from "./counting-proxy.ts";
import type { TestDatabase } from "./database.ts";
import { booking, type CallFixture, makerOf, operationCalls, orderFrom, plainDish, type SampleCall } from "./operation-calls.ts";
import { forVenue, startApp, type TestAnswer, type TestApp } from "./test-app.ts";

/** Operations that change nothing come first: what the others write would be more rows than the venue has. */
export const READS_FIRST: OperationId[] = operationEntries
  .toSorted(([, one], [, other]) => Number(one.method !== "GET") - Number(other.method !== "GET"))
  .map(([id]) => id);

/** Dishes come from the file, orders and bookings need days of their own; every other kind is made as its example says. */
const OTHER_MAKERS = operationEntries
  .flatMap(([, operation]) => (operation.method === "GET" ? (makerOf(operation) ?? []) : []))
  .filter((id) => !["createItem", "createOrder", "createReservation"].includes(id));

export const rowOf = (id: OperationId, way: string | null): TripsRow => (way === null ? id : `${id}, ${way}`);

export type CountedApp = { app: TestApp; trips(): Trips; close(): Promise<void> };

const proxyTo = (url: string, tongue: typeof POSTGRES): Promise<CountingProxy> => {
  const { hostname, port } = new URL(url);
  return openCountingProxy({ host: hostname, port: Number(port) }, tongue);
};

const through = (url: string, { port }: CountingProxy): string => Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href;

export const startCounted = async (database: TestDatabase, redisUrl: string | null): Promise<CountedApp> => {
  const postgres = await proxyTo(database.appUrl, POSTGRES);
  const redis = redisUrl === null ? null : await proxyTo(redisUrl, REDIS);
  const app = await startApp({
    database: { ...database, appUrl: through(database.appUrl, postgres) },
    // One connection: what one request asks on two at once would wait for itself.
    environment: { DATABASE_CONNECTIONS_MAX: "1", ...(redis && { REDIS_URL: through("redis://localhost", redis) }) },
  });
  while (app.deps.redis && app.deps.redis.status !== "ready") await sleep(10);
  // Changes are published a moment after their request, which does not wait for it: it would count for whatever runs then.
  if (app.deps.redis) Object.assign(app.deps.redis, { publish: async () => 0 });
  return {
    app,
    trips: () => ({ postgres: postgres.trips(), redis: redis?.trips() ?? 0 }),
    async close() {
      await app.close();
      await Promise.all([postgres.close(), redis?.close()]);
    },
  };
};

export type CountedVenue = CallFixture & { rows: number; token: string };

const phoneOf = (guest: number): string => `+1 202 ${guest}`;

/** Adds as many menus, categories of the first, dishes of its first, choices of a dish, options of a choice, tables and guests. */
const withRows =
  (rows: number) =>
  (file: VenueFile): void => {
    const times = <T extends { key: string }>(one: T | undefined, count = rows): T[] =>
      Array.from({ length: one ? count : 0 }, (_, index) => ({ ...(one as T), key: `${one?.key}-${index}` }));
    const choice = { ...file.modifier_groups[0], min_select: 0 } as VenueFile["modifier_groups"][number];
    const [menu] = file.menus;
    const [category] = menu?.categories ?? [];
    const [dish] = category?.items ?? [];
    file.restaurant.slug = `rows-${rows}`;
    // A dish has at most 500 extras, and one has all of these.
    file.modifier_groups = times(choice).map((group) => ({ ...group, options: times(group.options[0]).slice(0, 20) }));
    const modifier_groups = file.modifier_groups.map(({ key }) => key);
    const named = <T extends { key: string }>(list: T[], place: string): T[] => list.map((one) => ({ ...one, key: `${place}-${one.key}` }));
    file.menus = times(menu).map((one, menuIndex) => ({
      ...one,
      categories: named(times(category, menuIndex === 0 ? rows : 1), one.key).map((shelf, index) => ({
        ...shelf,
        items: named(times(dish, menuIndex + index === 0 ? rows : 1), shelf.key).map((plate, place) => ({
          ...plate,
          modifier_groups: menuIndex + index + place === 0 ? modifier_groups : [],
        })),
      })),
    }));
    file.happy_hours = [];
    file.table_combinations = [];
    file.tables = times(file.tables[0]).map((table, index) => ({ ...table, name: `Table ${index}`, code: `T${index}` }));
    file.guests = times(file.guests[0]).map((guest, index) => ({ ...guest, phone: phoneOf(index), email: null }));
  };

const ENDPOINTS_MAX = 20;
const ENCRYPTION_KEYS = [{ id: "test", bytes: Buffer.alloc(32) }];
const DAY_MS = 24 * 60 * 60 * 1000;

/** Orders on as many days, each with as many lines, and as many bookings and addresses that are subscribed to all of it. */
export const openCountedVenue = async ({ app }: CountedApp, rows: number): Promise<CountedVenue> => {
  const created = await app.venue("lab", withRows(rows));
  const venue: CountedVenue = {
    rows,
    token: created.token,
    linesPerOrder: rows,
    hasSecondPages: rows > 1,
    dish: () => plainDish(app.database, created.id),
    ask: (call) => send(app.app, created.token, call),
  };
  await forVenue(app.deps, created.slug, async (ctx) => {
    for (let index = 0; index < Math.min(rows, ENDPOINTS_MAX); index++)
      await addEndpoint(ctx, { url: `https://hooks.example/${index}`, events: [...CHOOSABLE_EVENTS], description: null }, ENCRYPTION_KEYS);
  });
  const now = app.clock.now();
  // Guests of their own would make more of them than the venue was asked for.
  const phone = phoneOf(0);
  for (let index = 0; index < rows; index++) {
    app.clock.set(new Date(now.getTime() - index * DAY_MS).toISOString());
    await venue.ask({ method: "POST", path: "/orders", body: { ...(await orderFrom(venue)), customer_phone: phone } });
  }
  app.clock.set(now.toISOString());
  for (let index = 0; index < rows; index++) await venue.ask({ method: "POST", path: "/reservations", body: { ...booking(), phone } });
  for (const id of OTHER_MAKERS)
    for (let index = 0; index < rows; index++) for (const call of await operationCalls(venue)[id]()) await venue.ask(call);
  return venue;
};

/** The answer's body; anything but a success is a fault of the test. */
const send = async (
  { http }: App,
  token: string,
  { method, path, body }: SampleCall,
  headers: object = {},
): Promise<TestAnswer["body"]> => {
  const { statusCode, payload } = await http.inject({
    method: method as "GET",
    url: `/api/v1${path}`,
    headers: { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }), ...headers },
    ...(body && { payload: JSON.stringify(body) }),
  });
  if (statusCode >= 300) throw new Error(`${method} ${path} → ${statusCode} ${payload.slice(0, 300)}`);
  return JSON.parse(payload);
};

/** What one call took, and how many rows it showed: null where it shows one thing. */
export type CountedTrips = Trips & { way: string | null; isKeyed: boolean; rows: number | null };

export const countTrips = async <T>({ trips }: Pick<CountedApp, "trips">, work: () => Promise<T>): Promise<Trips & { result: T }> => {
  const before = trips();
  const result = await work();
  // What the request sent without waiting leaves with this turn of the event loop.
  await setImmediate();
  const after = trips();
  return { postgres: after.postgres - before.postgres, redis: after.redis - before.redis, result };
};

let keys = 0;

/** Every way to ask for it, each after it was asked once for nothing; what takes a key is asked with one and without. */
export const countedTripsOf = async (
  counted: CountedApp,
  venue: CountedVenue,
  id: OperationId,
  app: App = counted.app.app,
): Promise<CountedTrips[]> => {
  const calls = operationCalls(venue)[id];
  for (const call of await calls()) await send(app, venue.token, call);
  const seen: CountedTrips[] = [];
  for (const isKeyed of operations[id].method === "POST" ? [false, true] : [false])
    for (const call of await calls()) {
      const headers = isKeyed ? { "idempotency-key": `trips-${keys++}` } : {};
      const { result, ...trips } = await countTrips(counted, () => send(app, venue.token, call, headers));
      seen.push({ ...trips, way: call.way ?? null, isKeyed, rows: Array.isArray(result.data) ? result.data.length : null });
    }
  return seen;
};
