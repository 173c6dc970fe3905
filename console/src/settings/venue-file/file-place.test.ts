import { expect, test } from "vitest";
import { namesOnTheWay, parseOrNull } from "./file-place.ts";

const FILE = {
  restaurant: { name: { en: "Lab" } },
  menus: [{ name: { en: "Dinner" }, categories: [{ name: { it: "Pasta" }, items: [{ name: { en: "", it: "Carbonara" }, tax: "gone" }] }] }],
  tables: [{ key: "t1", name: "T1" }],
};

test("a fault is placed by the names around it", () => {
  expect(namesOnTheWay(FILE, "menus.0.categories.0.items.0.tax")).toEqual(["Dinner", "Pasta", "Carbonara"]);
  expect(namesOnTheWay(FILE, "tables.0.branch")).toEqual(["T1"]);
  expect(namesOnTheWay(FILE, "restaurant.zone")).toEqual([]);
  expect(namesOnTheWay(FILE, "menus.7.name")).toEqual([]);
  expect(namesOnTheWay(parseOrNull("{"), "text")).toEqual([]);
});
