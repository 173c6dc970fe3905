/** A restaurant's sandbox: complete sample data, separate from the live restaurant, marked on every answer. */
import { EVENT_TYPES } from "@comanda/contract/events/envelope.ts";
import { pathParameters } from "@comanda/contract/operation.ts";
import { operationEntries, operations } from "@comanda/contract/operations.ts";
import { type DoneAct, type OrderedFaults, type SandboxClock, sandboxOperations } from "@comanda/contract/sandbox/sandbox-operations.ts";
import { ALL_SCOPES } from "@comanda/contract/scopes.ts";
import type { Order } from "@comanda/contract/venue/orders.ts";
import { describe, expect, test } from "vitest";
import { call } from "../client.ts";
import { exampleOf, pathOf, perform, unknownPath } from "../examples.ts";
import { expectRefused, expectStatus, uniqueName } from "../expectations.ts";
import { listGuests } from "../guests/guests.ts";
import { addDish, allItems, listCategories } from "../menu/dishes.ts";
import { found, openedMenus } from "../menu/floor.ts";
import { allOrders, placeOrder } from "../orders/orders.ts";
import { allBookings, book } from "../reservations/bookings.ts";
import { lab, sandbox, sandboxed, target } from "../target.ts";

const MARK = "service-sandbox";

/** Prefix of every phone number that this kit uses; rows of an earlier run are not part of the sample. */
const isOurs = (phone: string | null): boolean => phone?.startsWith("+1 202-555-01") ?? false;

const sampleOrders = async (): Promise<Order[]> => (await allOrders(sandbox)).filter(({ customer }) => !isOurs(customer.phone));

test("R1-14 R5.1-02 a sandbox token is an id, a bar and svc_sbx_", () => {
  expect(sandbox.tokens.full).toMatch(/^\d+\|svc_sbx_[0-9A-Za-z]+$/);
});

describe("a fresh sandbox", () => {
  test("R1-11 has a menu with dishes and at least one guest", async () => {
    const menus = await openedMenus(sandbox);
    expect(menus.flatMap(({ data }) => data.categories).flatMap(({ items }) => items).length).toBeGreaterThan(0);
    expect((await listGuests(sandbox)).data.length).toBeGreaterThan(0);
  });

  test("R1-11 has exactly one booking and exactly one order from the sample", async () => {
    expect((await allBookings(sandbox)).filter(({ phone }) => !isOurs(phone))).toHaveLength(1);
    expect(await sampleOrders()).toHaveLength(1);
  });

  test("R1-11 takes a dine-in order at a table of the sample", async () => {
    const { table } = found("an order at a table in the sandbox", await sampleOrders(), (order) => order.table !== null);
    const order = await placeOrder(sandbox, { type: "dine_in", table_code: table?.code });
    expect(order.table).toEqual(table);
  });
});

describe("every answer", () => {
  for (const [id] of operationEntries)
    test(`R1-09 R1-10 ${id}: allowed to the sandbox token, and marked`, async () => {
      const answer = await perform(id, sandbox);
      expectStatus(answer, operations[id].success.status);
      expect(answer.headers.get(MARK)).toBe("true");
    });

  test("R1-09 is marked when it refuses, too", async () => {
    const { full } = sandbox.tokens;
    const refused = [
      await call(full, "GET", "/nothing"),
      await call(full, "DELETE", "/items"),
      await call(full, "GET", "/items", { query: { per_page: 0 } }),
      await call(full, "POST", "/orders", { rawBody: "not json" }),
      await call(full, "GET", unknownPath(operations.getItem)),
    ];
    expect(refused.map(({ status }) => status)).toEqual([404, 405, 422, 422, 404]);
    expect(refused.map(({ headers }) => headers.get(MARK))).toEqual(refused.map(() => "true"));
  });

  test("R1-09 to a live token or to none is never marked", async () => {
    const others = [
      ...target.venues.flatMap(({ tokens }) => [tokens.full, tokens.no_scopes, tokens.revoked]),
      null,
      `${sandbox.tokens.full}x`,
    ];
    for (const token of others) expect((await call(token, "GET", "/menus")).headers.get(MARK)).toBe(null);
  });

  test("R1-10 the token's scopes are all there are", () => {
    expect(new Set(operationEntries.flatMap(([, { scope }]) => scope ?? []))).toEqual(new Set(ALL_SCOPES));
  });
});

describe("control", () => {
  test("R1-12 an act is a real change of the sandbox, and its token reads every type of event", async () => {
    const { full } = sandbox.tokens;
    for (const event of EVENT_TYPES) {
      const done = await call(full, "POST", "/sandbox/act", { body: { act: "trigger", event } });
      expectStatus(done, 200);
      const { events } = (done.body as { data: DoneAct }).data;
      expect(events.map(({ type }) => type)).toContain(event);
      expectStatus(await call(full, "GET", "/events", { query: { types: event, limit: 1 } }), 200);
    }
  });

  test("R1-12 the clock moves forward and not back, and new orders are placed by it", async () => {
    const { full } = sandbox.tokens;
    const clockAfter = async (body: object): Promise<SandboxClock> => {
      const moved = await call(full, "POST", "/sandbox/clock", { body });
      expectStatus(moved, 200);
      return (moved.body as { data: SandboxClock }).data;
    };
    const before = await clockAfter({});
    const after = await clockAfter({ forward_seconds: 2 });
    expect(after.ahead_seconds).toBeGreaterThanOrEqual(before.ahead_seconds + 2);
    expectRefused(await call(full, "POST", "/sandbox/clock", { body: { to: "2020-01-01T00:00:00Z" } }), "validation_failed");
    const { placed_at } = await placeOrder(sandbox, {});
    expect(Date.parse(placed_at)).toBeGreaterThanOrEqual(Date.parse(after.now));
  });

  test("R1-12 a fault is listed, taken once, and marked", async () => {
    const { full } = sandbox.tokens;
    const order = async (body: object): Promise<OrderedFaults["faults"]> => {
      const ordered = await call(full, "POST", "/sandbox/faults", { body });
      expectStatus(ordered, 200);
      return (ordered.body as { data: OrderedFaults }).data.faults;
    };
    const operation = "getSalesSummary";
    expect(await order({ fault: "slow", duration_ms: 0, operation })).toMatchObject([{ fault: "slow", operation, left: 1 }]);
    const marks = [];
    for (let times = 0; times < 2; times++) marks.push((await call(full, "GET", "/reports/sales-summary")).headers.get("service-fault"));
    expect(marks).toEqual(["slow", null]);
    expect(await order({})).toEqual([]);
    expectRefused(await call(full, "POST", "/sandbox/faults", { body: { fault: "fire" } }), "validation_failed");
  });

  for (const { method, path } of Object.values(sandboxOperations))
    test(`R1-12 ${method} ${path}: an unknown path to every token of a live restaurant`, async () => {
      for (const token of [sandboxed.tokens.full, lab.tokens.full, lab.tokens.no_scopes])
        for (const tried of [method, "GET", "DELETE"]) {
          const [answer, unknown] = [await call(token, tried, path), await call(token, tried, "/nothing/there")];
          expectRefused(answer, "not_found");
          expect(answer.text).toBe(unknown.text);
        }
    });
});

describe("the live restaurant", () => {
  for (const [id, operation] of operationEntries)
    if (pathParameters(operation.path).length > 0)
      test(`R1-12 ${id}: 404 for the live restaurant's id in the sandbox, and for the sandbox's id outside`, async () => {
        for (const [own, other] of [
          [sandbox, sandboxed],
          [sandboxed, sandbox],
          [lab, sandbox],
        ] as const) {
          const { params, body } = await exampleOf(id, other);
          const path = pathOf(operation, params);
          expectRefused(await call(own.tokens.full, operation.method, path, { body }), "not_found");
        }
      });

  test("R1-12 has none of what is done in the sandbox", async () => {
    const [name, customer_name] = [uniqueName("Sandcastle"), uniqueName("Sandman")];
    const category = found("a category of the sandbox", (await listCategories(sandbox)).data, () => true);
    const dish = await addDish(sandbox, category.id, { name });
    const order = await placeOrder(sandbox, { customer_name, lines: [{ item_id: dish.id, quantity: 1 }] });
    const booking = await book(sandbox);
    expect((await allItems(sandboxed)).map(({ id }) => id)).not.toContain(dish.id);
    expect((await allOrders(sandboxed)).map(({ id }) => id)).not.toContain(order.id);
    expect((await allBookings(sandboxed)).map(({ id }) => id)).not.toContain(booking.id);
    expect((await allItems(sandbox)).map(({ id }) => id)).toContain(dish.id);
  });
});
