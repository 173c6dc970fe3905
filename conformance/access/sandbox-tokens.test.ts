/** A restaurant's sandbox: complete sample data, separate from the live restaurant, marked on every answer. */
import { pathParameters } from "@comanda/contract/operation.ts";
import { operationEntries, operations } from "@comanda/contract/operations.ts";
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
