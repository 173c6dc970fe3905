/** Operations of a suspended restaurant and of one without a plan, generated from the operations table. */
import { operationEntries } from "@comanda/contract/operations.ts";
import { describe, expect, test } from "vitest";
import { call } from "../client.ts";
import { exampleOf, pathOf, perform, unknownPath } from "../examples.ts";
import { expectRefused, expectStatus } from "../expectations.ts";
import { lapsed, suspended } from "../target.ts";

describe("suspended", () => {
  for (const [id, operation] of operationEntries) {
    if (operation.method === "GET")
      test(`R7.1-03 ${id}: a suspended restaurant can still be read`, async () => {
        const { params } = await exampleOf(id, suspended);
        // A venue suspended before it had any resource answers 404, not 403.
        const hasNone = params !== undefined && pathOf(operation, params) === unknownPath(operation);
        expectStatus(await perform(id, suspended), hasNone ? 404 : 200);
      });
    else
      test(`R7.1-03 ${id}: 403 restaurant_suspended for a write, whatever it says`, async () => {
        for (const rawBody of [undefined, "{}", "not json"])
          expectRefused(await call(suspended.tokens.full, operation.method, unknownPath(operation), { rawBody }), "restaurant_suspended");
      });
  }

  test("R7.1-03 a refused write changes nothing", async () => {
    const before = await perform("listItems", suspended);
    const dish = (before.body as { data: { id: number; is_available: boolean }[] }).data[0];
    const body = { is_available: !dish?.is_available };
    expectRefused(await call(suspended.tokens.full, "PUT", `/items/${dish?.id}/availability`, { body }), "restaurant_suspended");
    expect((await perform("listItems", suspended)).body).toEqual(before.body);
  });
});

describe("lapsed", () => {
  for (const [id, operation] of operationEntries)
    test(`R7.1-04 ${id}: 403 plan_lapsed for any call`, async () => {
      expectRefused(await call(lapsed.tokens.full, operation.method, unknownPath(operation)), "plan_lapsed");
      expectRefused(await call(lapsed.tokens[operation.scope ?? "no_scopes"], operation.method, unknownPath(operation)), "plan_lapsed");
    });

  test("R7.1-04 403 plan_lapsed even for a path or a method that does not exist", async () => {
    expectRefused(await call(lapsed.tokens.full, "GET", "/nothing"), "plan_lapsed");
    expectRefused(await call(lapsed.tokens.full, "DELETE", "/items"), "plan_lapsed");
  });

  test("R7.1-04 the token is looked at before the plan", async () => {
    expectRefused(await call(lapsed.tokens.revoked, "GET", "/menus"), "unauthenticated");
    expectRefused(await call(lapsed.tokens.expired, "GET", "/menus"), "unauthenticated");
  });
});
