/** The groups of modules stay few, with few imports between them. */
import { expect, test } from "vitest";
import { GROUP_FOLDERS, LAYERS, placeOf } from "./groups.ts";
import { arrowsBetween, readImports, upward } from "./structure.ts";

const GROUPS_MAX = 13;
const ARROWS_MAX = 40;

const importOf = (from: string, to: string) => ({ from: `server/src/${from}/service.ts`, to: `server/src/${to}/service.ts` });

test("the modules of a venue stand in at most 13 groups with at most 40 arrows between them, none of them upward", async () => {
  const arrows = arrowsBetween(await readImports(), "venue");
  expect(arrows.length).toBeGreaterThan(10);
  expect(arrows.length).toBeLessThanOrEqual(ARROWS_MAX);
  expect(upward(arrows)).toEqual([]);
  expect(LAYERS.venue.length).toBeLessThanOrEqual(GROUPS_MAX);
});

test("planted: an import from a group further below is upward, and two imports are one arrow", () => {
  const [settings, orders] = ["venue/settings", "venue/orders"];
  expect(GROUP_FOLDERS).toEqual(expect.arrayContaining([settings, orders]));
  const arrows = arrowsBetween([importOf(settings, `${orders}/payments`), importOf(settings, orders), importOf(orders, settings)], "venue");
  expect(arrows).toHaveLength(2);
  expect(upward(arrows)).toEqual([{ from: settings, to: orders }]);
});

test("a file belongs to the module in whose folder it stands, also where one module's folder holds others", () => {
  expect(placeOf("server/src/venue/menu/item-counts/store.ts")).toEqual({ module: "venue/menu/item-counts", file: "store" });
  expect(placeOf("server/src/venue/menu/rules/items.ts")).toEqual({ module: "venue/menu", file: "rules" });
  expect(placeOf("server/src/venue/setup/venue-file/service.ts")).toEqual({ module: "venue/setup/venue-file", file: "service" });
  expect([placeOf("server/src/venue/menu/helpers.ts"), placeOf("server/src/venue/cellar/service.ts")]).toEqual([null, null]);
});
