import { expect, test } from "vitest";
import { nextTime } from "./next-time.ts";

const at = (instant: string): number => Date.parse(instant);

test.each([
  ["18:30", "Europe/Rome", "2026-11-14T12:00:40Z", "2026-11-14T17:30:00.000Z"],
  ["12:00", "Europe/Rome", "2026-11-14T12:00:40Z", "2026-11-15T11:00:00.000Z"],
  ["13:00", "Europe/Rome", "2026-11-14T12:00:00Z", "2026-11-15T12:00:00.000Z"],
  ["02:15", "Asia/Kolkata", "2026-11-14T20:00:00Z", "2026-11-14T20:45:00.000Z"],
  // The clocks go back at 03:00 on 25 October, and forward at 02:00 on 28 March.
  ["06:00", "Europe/Rome", "2026-10-24T21:00:00Z", "2026-10-25T05:00:00.000Z"],
  ["06:00", "Europe/Rome", "2027-03-27T22:00:00Z", "2027-03-28T04:00:00.000Z"],
])("%s in %s after %s", (time, zone, now, expected) => {
  expect(nextTime(time, zone, at(now))).toBe(expected);
});

test("a text that is no time", () => {
  expect([nextTime("", "UTC", 0), nextTime("24:00", "UTC", 0), nextTime("9:00", "UTC", 0)]).toEqual([null, null, null]);
});
