import { expect, test } from "vitest";
import { lineOf, ticketOf } from "./ticket-fixture.ts";
import { arrangeTickets } from "./ticket-order.ts";
import { besideOf, pagesOf, partsOf, ticketsOn } from "./ticket-pages.ts";

const tickets = [1, 2, 3, 4, 5].map((id) => ticketOf(id));
const size = { columns: 2, width: 800, height: 900, gap: 10 };
const heights = new Map(tickets.map(({ id }) => [`${id}.0.2`, 400]));
const idsOf = (pages: ReturnType<typeof pagesOf>): number[][][] =>
  pages.map((page) => page.map((column) => column.map(({ ticket }) => ticket.id)));

test("columns are filled from the top, and pages from the first column", () => {
  expect(idsOf(pagesOf(tickets, size, heights, false))).toEqual([
    [
      [1, 2],
      [3, 4],
    ],
    [[5]],
  ]);
  expect(pagesOf([], size, heights, false)).toEqual([]);
});

test("a ticket that is higher than a column is shown in parts with all its lines", () => {
  const long = ticketOf(9, { lines: Array.from({ length: 20 }, (_, index) => lineOf(index)) });
  const parts = partsOf(long, 900, false);
  expect(parts.length).toBeGreaterThan(1);
  expect(parts.flatMap(({ lines }) => lines.map(({ index }) => index))).toEqual(long.lines.map(({ index }) => index));
  const [page] = pagesOf([long], size, new Map(), false);
  expect(ticketsOn(page).map(({ id }) => id)).toEqual([9]);
});

test("on expo a ticket is cut earlier, because its lines show allergens", () => {
  const many = Array.from({ length: 8 }, (_, index) => lineOf(index, { allergens: ["gluten", "milk", "eggs"] }));
  const ticket = ticketOf(9, { lines: many });
  expect([partsOf(ticket, 900, false), partsOf(ticket, 900, true)].map((parts) => parts.length)).toEqual([1, 2]);
});

test("struck lines are left out after they were acknowledged", () => {
  const ticket = ticketOf(1, { lines: [lineOf(0, { is_struck: true }), lineOf(1, { is_struck: true, is_acknowledged: true })] });
  expect(partsOf(ticket, 900, false).flatMap(({ lines }) => lines.map(({ index }) => index))).toEqual([0]);
});

test("the ticket beside is at the same height, or the last of its column", () => {
  const [page = []] = pagesOf(tickets.slice(0, 3), size, heights, false);
  expect([besideOf(page, 2, 1), besideOf(page, 3, -1), besideOf(page, 3, 1), besideOf(page, null, 1)]).toEqual([3, 1, null, 1]);
});

test("priority first, then the oldest; without stations the tickets of an order stay together", () => {
  const given = [ticketOf(3, { order_id: "order-1" }), ticketOf(2), ticketOf(1), ticketOf(4, { is_priority: true })];
  expect(arrangeTickets(given, ["Grill"]).map(({ id }) => id)).toEqual([4, 1, 2, 3]);
  expect(arrangeTickets(given, []).map(({ id }) => id)).toEqual([4, 1, 3, 2]);
});
