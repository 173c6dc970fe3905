import { expect, test } from "vitest";
import { dayCounts, holdsCount } from "./day-counts.ts";
import { lineOf, ticketOf } from "./ticket-fixture.ts";

const LARGE = { variant_name: { en: "Large" } };

test("open quantities are summed by dish and size, the largest first", () => {
  const tickets = [
    ticketOf(1, { lines: [lineOf(0, { quantity: 2 }), lineOf(1, { item_id: 1, quantity: 4, ...LARGE })] }),
    ticketOf(2, { lines: [lineOf(0, { quantity: 3 })] }),
  ];
  expect(dayCounts(tickets).map(({ key, total }) => [key, total])).toEqual([
    ["1/", 5],
    ["1/Large", 4],
  ]);
});

test("done and struck lines do not count, nor do cancelled tickets", () => {
  const tickets = [
    ticketOf(1, { lines: [lineOf(0, { is_done: true }), lineOf(1, { is_struck: true })] }),
    ticketOf(2, { state: "voided" }),
  ];
  expect(dayCounts(tickets)).toEqual([]);
});

test("a dish without an id is counted by its name", () => {
  const tickets = [1, 2].map((id) => ticketOf(id, { lines: [lineOf(0, { item_id: null, name: { en: "Soup" } })] }));
  expect(dayCounts(tickets).map(({ key, total }) => [key, total])).toEqual([["Soup/", 2]]);
});

test("a count lights the tickets that hold an open line of it", () => {
  expect(holdsCount(ticketOf(1, { lines: [lineOf(0)] }), "1/")).toBe(true);
  expect(holdsCount(ticketOf(1, { lines: [lineOf(0, { is_done: true })] }), "1/")).toBe(false);
});
