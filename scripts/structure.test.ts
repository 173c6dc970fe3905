/** The groups of modules stay few, with few imports between them. */

import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { CONSOLE_GROUPS, GROUP_FOLDERS, LAYERS, placeOf } from "./groups.ts";
import { arrowsBetween, betweenAreas, readImports, upward } from "./structure.ts";

const GROUPS_MAX = 13;
const ARROWS_MAX = 40;
const CONSOLE_ARROWS_MAX = 30;
const imports = await readImports();

const importOf = (from: string, to: string) => ({ from: `server/src/${from}/service.ts`, to: `server/src/${to}/service.ts` });

test("the modules of a venue stand in at most 13 groups with at most 40 arrows between them, none of them upward", () => {
  const arrows = arrowsBetween(imports, "venue");
  expect(arrows.length).toBeGreaterThan(10);
  expect(arrows.length).toBeLessThanOrEqual(ARROWS_MAX);
  expect(upward(arrows)).toEqual([]);
  expect(LAYERS.venue.length).toBeLessThanOrEqual(GROUPS_MAX);
});

test("the areas of the console have at most 30 arrows between them, none of them upward, and every folder is a group", () => {
  const arrows = arrowsBetween(imports, "console");
  expect(betweenAreas(arrows).length).toBeGreaterThan(10);
  expect(betweenAreas(arrows).length).toBeLessThanOrEqual(CONSOLE_ARROWS_MAX);
  expect(upward(arrows)).toEqual([]);
  const folders = readdirSync("console/src", { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  expect(new Set(folders)).toEqual(new Set(Object.keys(CONSOLE_GROUPS)));
});

test("planted: a part that imports from the shell, and an area that imports from one below it, are upward", () => {
  const file = (group: string) => `console/src/${group}/planted.ts`;
  const planted = [
    { from: file("kit"), to: file("shell") },
    { from: file("orders"), to: file("bookings") },
    { from: file("bookings"), to: file("orders") },
    { from: "console/src/main.tsx", to: file("compose") },
  ];
  expect(upward(arrowsBetween(planted, "console"))).toEqual([
    { from: "console/kit", to: "console/shell" },
    { from: "console/orders", to: "console/bookings" },
  ]);
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
