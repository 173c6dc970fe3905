import type { DayBooking } from "@comanda/contract/console/bookings.ts";
import { expect, test } from "vitest";
import { isExpectedSoon, isLikelyNow } from "./phases.ts";

const NOW = Date.parse("2026-11-14T15:00:00Z");
const at = (starts_at: string): DayBooking => ({ starts_at }) as DayBooking;

test.each([
  ["2026-11-14T19:00:00Z", true, false],
  ["2026-11-14T15:31:00Z", true, false],
  ["2026-11-14T15:30:00Z", true, true],
  ["2026-11-14T14:40:00Z", true, true],
  ["2026-11-14T21:30:00Z", false, false],
])("at 15:00 a party booked for %s can be seated: %s, and that is likely: %s", (startsAt, isPossible, isLikely) => {
  expect([isExpectedSoon(at(startsAt), NOW), isLikelyNow(at(startsAt), NOW)]).toEqual([isPossible, isLikely]);
});
