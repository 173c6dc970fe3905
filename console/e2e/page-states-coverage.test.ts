/** Every route has a page state. */
import { expect, test } from "vitest";
import { routerPages, statesOf } from "./router-pages.ts";

test("every page of the router has a page state", () => {
  expect(routerPages.length).toBeGreaterThan(10);
  expect(routerPages.filter((page) => statesOf(page).length === 0)).toEqual([]);
});

test("a page without a page state is found", () => {
  expect(statesOf("/v/$venue/tokens")).not.toEqual([]);
  expect(statesOf("/v/$venue/no-such-page")).toEqual([]);
});
