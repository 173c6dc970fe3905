import type { Kitchen, KitchenTicket } from "@comanda/contract/console/kitchen.ts";
import type { Screen } from "@comanda/contract/console/screens.ts";
import { expect, test } from "vitest";
import { mergeKitchen, mergeTicket } from "./kitchen-state.ts";
import { ticketOf } from "./ticket-fixture.ts";

const AT = Date.parse("2026-03-01T18:30:00.000Z");

const answer = (tickets: KitchenTicket[], more: Partial<Kitchen> = {}): Kitchen => ({
  position: "1",
  is_whole: true,
  changed_orders: [],
  tickets,
  is_cut: false,
  screen: { id: 5 } as Screen,
  missing: { stations: [], is_branch_missing: false },
  branches: [],
  venue_name: { en: "Nino" },
  default_language: "en",
  zone: "Europe/Rome",
  now: new Date(AT).toISOString(),
  ...more,
});
const idsOf = ({ tickets }: { tickets: KitchenTicket[] }): number[] => tickets.map(({ id }) => id);

test("a whole answer replaces all", () => {
  const known = mergeKitchen(undefined, answer([ticketOf(1), ticketOf(2)]), AT);
  expect(idsOf(mergeKitchen(known, answer([ticketOf(3)], { position: "2" }), AT))).toEqual([3]);
});

test("a whole answer of a restored database replaces tickets that are newer here", () => {
  const [later, earlier] = ["2026-03-01T18:20:00.000Z", "2026-03-01T18:00:00.000Z"];
  const known = mergeKitchen(undefined, answer([ticketOf(1, { state: "voided", changed_at: later })], { position: "7.90.1" }), AT);
  const restored = ticketOf(1, { state: "fired", changed_at: earlier });
  for (const position of ["8.95.1", "7.80.1"])
    expect(mergeKitchen(known, answer([restored], { position }), AT).tickets).toEqual([restored]);
  // An answer of the same history that was read before a write keeps what the page has seen.
  expect(mergeKitchen(known, answer([restored], { position: "7.90.2" }), AT).tickets[0]?.state).toBe("voided");
});

test("another answer drops the tickets of the changed orders and takes the given ones", () => {
  const known = mergeKitchen(undefined, answer([ticketOf(1), ticketOf(2), ticketOf(3, { order_id: "order-2" })]), AT);
  const changed = answer([ticketOf(3, { order_id: "order-2" })], {
    is_whole: false,
    changed_orders: ["order-2", "order-9"],
    position: "2",
  });
  const merged = mergeKitchen(known, changed, AT);
  expect(idsOf(merged)).toEqual([1, 3]);
  expect(merged.position).toBe("2");
});

test("a reading from before a write does not take the write back", () => {
  const known = mergeKitchen(undefined, answer([ticketOf(1)]), AT);
  const bumped = mergeTicket(known, ticketOf(1, { state: "done", changed_at: "2026-03-01T18:05:00.000Z" }), "bump");
  const late = mergeKitchen(bumped, answer([ticketOf(1)], { is_whole: false, changed_orders: ["order-1"] }), AT);
  expect(late.tickets[0]?.state).toBe("done");
  expect(mergeTicket(bumped, ticketOf(1), "line_done").tickets[0]?.state).toBe("done");
});

test("the answer to a recall brings a ticket that was not known", () => {
  const known = mergeKitchen(undefined, answer([ticketOf(1)]), AT);
  expect(idsOf(mergeTicket(known, ticketOf(8), "recall"))).toEqual([1, 8]);
});

test("a late answer does not bring back a ticket that was closed elsewhere meanwhile", () => {
  const known = mergeKitchen(undefined, answer([ticketOf(1)]), AT);
  expect(idsOf(mergeTicket(known, ticketOf(8), "line_done"))).toEqual([1]);
});

test("a ticket that says the same keeps its identity; a kept kitchen becomes current", () => {
  const known = { ...mergeKitchen(undefined, answer([ticketOf(1)]), AT), copiedAt: AT };
  const merged = mergeKitchen(known, answer([ticketOf(1)]), AT);
  expect(merged.tickets[0]).toBe(known.tickets[0]);
  expect(merged.copiedAt).toBeUndefined();
});

test("the clock of the server is kept while answers differ by less than two seconds", () => {
  const known = mergeKitchen(undefined, answer([]), AT - 60_000);
  expect(known.clockAheadMs).toBe(60_000);
  expect(mergeKitchen(known, answer([]), AT - 59_000).clockAheadMs).toBe(60_000);
  expect(mergeKitchen(known, answer([]), AT).clockAheadMs).toBe(0);
});
