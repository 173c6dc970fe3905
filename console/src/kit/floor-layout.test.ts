import type { TablePlace } from "@comanda/contract/venue-file/restaurant.ts";
import { expect, test } from "vitest";
import { placeTables } from "./floor-layout.ts";

const without = (count: number) => Array.from({ length: count }, (_, id) => ({ id, place: null as TablePlace | null }));
const distances = (places: readonly TablePlace[]): number[] =>
  places.flatMap((one, index) => places.slice(index + 1).map((other) => Math.hypot((one.x - other.x) * 1.6, one.y - other.y)));

test("a table that has a place keeps it", () => {
  const tables = [
    { id: 7, place: { x: 3, y: 97 } },
    { id: 8, place: null },
  ];
  expect(placeTables(tables).get(7)).toEqual({ x: 3, y: 97 });
});

test("the same tables get the same places, in rows from the upper left corner", () => {
  const places = [...placeTables(without(6)).values()];
  expect(places).toEqual([...placeTables(without(6)).values()]);
  expect(places.map(({ y }) => y)).toEqual(places.map(({ y }) => y).toSorted((a, b) => a - b));
});

test.each([1, 2, 5, 12, 40, 200])("%s tables without a place stand apart and on the plan", (count) => {
  const places = [...placeTables(without(count)).values()];
  expect(places.every(({ x, y }) => x >= 0 && x <= 100 && y >= 0 && y <= 100)).toBe(true);
  expect(new Set(places.map(({ x, y }) => `${x} ${y}`)).size).toBe(count);
});

test("a table without a place does not cover one that has a place", () => {
  for (const place of [
    { x: 25, y: 50 },
    { x: 50, y: 50 },
    { x: 10, y: 10 },
    { x: 77, y: 31 },
  ]) {
    const tables = [{ id: 100, place }, ...without(4)];
    expect(Math.min(...distances([...placeTables(tables).values()]))).toBeGreaterThan(15);
  }
});

test("a venue with the most tables is laid out, also when all stand in one corner", () => {
  const corner = Array.from({ length: 1000 }, (_, id) => ({ id, place: { x: id % 10, y: id % 7 } }));
  const free = without(1000).map(({ id }) => ({ id: id + 1000, place: null }));
  expect(placeTables([...corner, ...free]).size).toBe(2000);
});

test("no tables, no places", () => {
  expect(placeTables([]).size).toBe(0);
});
