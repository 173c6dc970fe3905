import type { PlannedShift, ShiftWeek } from "@comanda/contract/console/shifts.ts";
import { expect, test } from "vitest";
import { addDays } from "#kit/dates.ts";
import { clockHours, endsNextDay, hoursOf, overlapIn, rolesIn, rowsOf } from "./plan-rules.ts";

const shift: PlannedShift = {
  id: 1,
  version: 1,
  state: "draft",
  staff_id: 7,
  date: "2026-11-16",
  from: "17:00",
  to: "01:30",
  role: "Waiter",
  note: null,
  starts_at: "2026-11-16T16:00:00.000Z",
  ends_at: "2026-11-17T00:30:00.000Z",
  published: null,
};
const week = (changes: Partial<ShiftWeek>) => ({ people: [], shifts: [], other_shifts: [], ...changes }) as unknown as ShiftWeek;

test("a later date goes over months and leap days", () => {
  expect(addDays("2026-12-28", 7)).toBe("2027-01-04");
  expect(addDays("2028-02-28", 1)).toBe("2028-02-29");
  expect(addDays("2026-11-16", -7)).toBe("2026-11-09");
});

test("hours are those of the moments, and removed shifts have none", () => {
  expect(hoursOf([shift, { ...shift, id: 2, state: "removed" }])).toBe(8.5);
  // The night on which the clocks go back is an hour longer than it looks.
  const autumn = { ...shift, starts_at: "2026-10-24T20:00:00.000Z", ends_at: "2026-10-25T05:00:00.000Z" };
  expect(hoursOf([autumn])).toBe(9);
  expect(clockHours(shift)).toBe(8.5);
  expect(clockHours({ ...shift, from: "09:00", to: "09:00" })).toBe(24);
});

test("a shift that ends at its beginning or before it ends on the next day, and one that ends after it does not", () => {
  const ends = [
    ["17:00", "01:30"],
    ["09:00", "09:00"],
    ["09:00", "17:00"],
  ].map(([from = "", to = ""]) => endsNextDay({ from, to }));
  expect(ends).toEqual([true, true, false]);
});

test("an overlap is found over midnight, with a shift at another branch, and only for the same person", () => {
  const wanted = { staff_id: 7, date: "2026-11-17", from: "01:00", to: "05:00" };
  expect(overlapIn(week({ shifts: [shift] }), wanted, null)?.id).toBe(1);
  expect(overlapIn(week({ shifts: [shift] }), { ...wanted, from: "01:30" }, null)).toBe(null);
  expect(overlapIn(week({ shifts: [shift] }), wanted, 1)).toBe(null);
  expect(overlapIn(week({ shifts: [shift] }), { ...wanted, staff_id: 8 }, null)).toBe(null);
  expect(overlapIn(week({ shifts: [{ ...shift, state: "removed" }] }), wanted, null)).toBe(null);
  expect(overlapIn(week({ other_shifts: [{ ...shift, id: 5, branch_id: 2 }] }), wanted, null)?.id).toBe(5);
});

test("people with shifts come first, and roles are offered once", () => {
  const people = [
    { id: 3, name: "Ada", has_accepted: true, has_left: false },
    { id: 7, name: "Ben", has_accepted: true, has_left: false },
  ];
  const rows = rowsOf(week({ people, shifts: [shift] }));
  expect(rows.map(({ person, shifts }) => [person.name, shifts.length])).toEqual([
    ["Ben", 1],
    ["Ada", 0],
  ]);
  expect(rolesIn({ shifts: [shift, { ...shift, role: "Cook" }, { ...shift, role: null }, shift] })).toEqual(["Cook", "Waiter"]);
});
