/** The pure rules of the bookings page. */
import type { BookingDay, DayBooking } from "@comanda/contract/console/bookings.ts";
import { expect, test } from "vitest";
import { mergeDay, mergeWrittenBooking } from "./day-state.ts";
import { floorStateOf } from "./floor-state.ts";
import { beginOf, lateMinutes, phaseOf, undoOf, waitingForTable } from "./phases.ts";
import { ordersByTable } from "./table-orders.ts";
import { hoursOf, loadOf, placeOf, timelineSpan } from "./timeline-place.ts";

const NOW = Date.parse("2026-11-20T19:00:00Z");

const booking = (id: string, changes: Partial<DayBooking> & { status?: string; date?: string; party?: number } = {}): DayBooking => {
  const { status = "confirmed", date = "2026-11-20", party = 2, ...rest } = changes;
  return {
    reservation: { id, status, date, time: "19:00", party_size: party, name: id } as DayBooking["reservation"],
    version: 1,
    branch_id: 1,
    table_ids: [1],
    starts_at: "2026-11-20T19:00:00.000Z",
    ends_at: "2026-11-20T20:30:00.000Z",
    is_walk_in: false,
    arrived_at: null,
    seated_at: null,
    left_at: null,
    no_show_at: null,
    paid_minor: 0,
    guest_id: null,
    visits_count: 0,
    ...rest,
  };
};

const day = (changes: Partial<BookingDay> = {}): BookingDay => ({
  date: "2026-11-20",
  position: "1.1.1",
  is_whole: true,
  bookings: [],
  is_cut: false,
  waitlist: [],
  blocks: [],
  table_orders: [],
  tables: [],
  branches: [],
  spans: [{ branch_id: 1, from: "2026-11-20T17:30:00Z", to: "2026-11-20T22:00:00Z" }],
  slot_minutes: 30,
  party_size_max: 20,
  currency: "EUR",
  zone: "UTC",
  now: "2026-11-20T19:00:00.000Z",
  ...changes,
});

test("a reading keeps what did not change, takes what is newer, and drops what moved to another day", () => {
  const whole = mergeDay(undefined, day({ bookings: [booking("a"), booking("b")] }), NOW);
  const written = mergeWrittenBooking(whole, booking("a", { version: 3, arrived_at: "2026-11-20T18:59:00.000Z" }));
  const late = mergeDay(
    written,
    day({
      is_whole: false,
      bookings: [
        booking("a", { version: 2 }),
        booking("b", { version: 2, starts_at: "2026-11-21T19:00:00.000Z", ends_at: "2026-11-21T20:30:00.000Z" }),
      ],
    }),
    NOW,
  );
  expect(late.bookings.map(({ reservation, version }) => [reservation.id, version])).toEqual([["a", 3]]);
  const here = booking("c", { date: "2026-11-19", starts_at: "2026-11-19T23:00:00.000Z", status: "seated" });
  expect(mergeDay(undefined, day({ bookings: [here] }), NOW).bookings).toEqual([here]);
});

test("the page of another day shows neither who is here now nor an evening before the last", () => {
  const seated = booking("here", { status: "seated" });
  const late = booking("late", { starts_at: "2026-11-20T23:45:00.000Z", ends_at: "2026-11-21T01:15:00.000Z" });
  const shown = (date: string, now: string) =>
    mergeDay(undefined, day({ date, now, bookings: [seated, late] }), NOW).bookings.map(({ reservation }) => reservation.id);
  expect(shown("2026-11-20", "2026-11-20T19:00:00.000Z")).toEqual(["here", "late"]);
  expect(shown("2026-11-20", "2026-11-21T00:10:00.000Z")).toEqual(["here", "late"]);
  expect(shown("2026-11-21", "2026-11-21T05:10:00.000Z")).toEqual(["here"]);
  expect(shown("2026-11-27", "2026-11-20T19:00:00.000Z")).toEqual([]);
});

test("a party that sat down before its time has its table since then", () => {
  const early = booking("a", { status: "seated", seated_at: "2026-11-20T18:40:00.000Z" });
  const tables = [{ id: 1, name: "T1", code: null, seats: 2, branch_id: 1, place: null, shape: "square" as const }];
  const at = Date.parse("2026-11-20T18:45:00Z");
  expect(floorStateOf({ tables, bookings: [early], blocks: [], orders: new Map(), at, now: at }).get(1)).toEqual({
    kind: "seated",
    booking: early,
  });
  expect(beginOf(booking("b"))).toBe(NOW);
});

test("phases, lateness, and the fifteen minutes in which a no-show is taken back", () => {
  expect(phaseOf(booking("a"))).toBe("expected");
  expect(phaseOf(booking("a", { arrived_at: "2026-11-20T18:59:00.000Z" }))).toBe("arrived");
  expect(phaseOf(booking("a", { status: "seated" }))).toBe("seated");
  expect(phaseOf(booking("a", { status: "seated", left_at: "2026-11-20T20:00:00.000Z" }))).toBe("left");
  expect(lateMinutes(booking("a"), NOW + 10 * 60_000)).toBe(10);
  expect(lateMinutes(booking("a"), NOW)).toBeNull();
  expect(lateMinutes(booking("a", { status: "seated" }), NOW + 100 * 60_000)).toBe(10);
  const gone = booking("a", { status: "no_show", no_show_at: "2026-11-20T19:00:00.000Z" });
  expect([undoOf(gone, NOW + 14 * 60_000), undoOf(gone, NOW + 15 * 60_000)]).toEqual(["undo_no_show", null]);
  const left = booking("a", { status: "seated", left_at: "2026-11-20T19:00:00.000Z" });
  expect([undoOf(left, NOW + 14 * 60_000), undoOf(left, NOW + 15 * 60_000)]).toEqual(["undo_leave", null]);
  expect(undoOf(booking("a"), NOW)).toBeNull();
});

test("a booking whose table is still taken past its end is flagged", () => {
  const sits = booking("a", { status: "seated", ends_at: "2026-11-20T18:50:00.000Z" });
  expect([...waitingForTable([sits, booking("b"), booking("c", { table_ids: [2] })], NOW)]).toEqual(["b"]);
  expect([...waitingForTable([{ ...sits, ends_at: "2026-11-20T19:10:00.000Z" }, booking("b")], NOW)]).toEqual([]);
});

test("a booking after midnight is on the day of service that began the evening before, and on the timeline", () => {
  const night = booking("night", { date: "2026-11-21", starts_at: "2026-11-21T01:30:00.000Z", ends_at: "2026-11-21T03:00:00.000Z" });
  const shown = mergeDay(undefined, day({ bookings: [night] }), NOW);
  expect(shown.bookings).toEqual([night]);
  expect(new Date(timelineSpan(shown, NOW).to).toISOString()).toBe("2026-11-21T03:00:00.000Z");
  expect(mergeDay(undefined, day({ date: "2026-11-21", bookings: [night] }), NOW).bookings).toEqual([]);
  // A party that has not left since yesterday does not stretch the day.
  const yesterday = booking("old", { status: "seated", starts_at: "2026-11-19T19:00:00.000Z", seated_at: "2026-11-19T19:00:00.000Z" });
  expect(new Date(timelineSpan(day({ bookings: [yesterday] }), NOW).from).toISOString()).toBe("2026-11-20T05:00:00.000Z");
});

test("a table with an open order is taken from then on, for a quarter of an hour after now, unless a party is seated there", () => {
  const table = { id: 1, name: "T1", code: null, seats: 2, branch_id: 1, place: null, shape: "square" as const };
  const given = (number: number, since: string) => ({ order_id: `o${number}`, number, table_id: 1, since });
  const list = [given(42, "2026-11-20T18:40:00.000Z"), given(39, "2026-11-20T18:30:00.000Z")];
  const orders = ordersByTable(list, []);
  expect(orders.get(1)).toEqual({ tableId: 1, numbers: "#39, #42", since: "2026-11-20T18:30:00.000Z" });
  const kindAt = (at: string, bookings: DayBooking[] = []) => {
    const facts = { tables: [table], bookings, blocks: [], orders: ordersByTable(list, bookings), at: Date.parse(at), now: NOW };
    return floorStateOf(facts).get(1)?.kind;
  };
  expect([kindAt("2026-11-20T18:29:00Z"), kindAt("2026-11-20T19:00:00Z"), kindAt("2026-11-20T19:15:00Z")]).toEqual([
    "free",
    "ordered",
    "free",
  ]);
  expect(kindAt("2026-11-20T19:00:00Z", [booking("a", { status: "seated" })])).toBe("seated");
  // The booking of that table is due, and stays what a tap opens.
  expect(kindAt("2026-11-20T19:00:00Z", [booking("a")])).toBe("due");
  expect([...waitingForTable([booking("a")], NOW, orders.keys())]).toEqual(["a"]);
});

test("the timeline spans opening hours and bookings; places are parts of it; load counts the guests of each quarter", () => {
  const span = timelineSpan(day({ bookings: [booking("a")] }), NOW);
  expect([new Date(span.from).toISOString(), new Date(span.to).toISOString()]).toEqual([
    "2026-11-20T17:00:00.000Z",
    "2026-11-20T22:00:00.000Z",
  ]);
  expect(hoursOf(span)).toHaveLength(5);
  expect(placeOf(span, "2026-11-20T19:00:00Z", "2026-11-20T20:30:00Z")).toEqual({ start: 40, length: 30 });
  expect(placeOf(span, "2026-11-20T12:00:00Z", "2026-11-20T13:00:00Z")).toBeNull();
  const load = loadOf(span, [
    booking("a"),
    booking("b", { party: 3, starts_at: "2026-11-20T20:00:00.000Z" }),
    booking("c", { status: "cancelled" }),
  ]);
  expect(load.filter(({ guests }) => guests > 0).map(({ guests }) => guests)).toEqual([2, 2, 2, 2, 5, 5]);
});
