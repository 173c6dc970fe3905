import { expect, test } from "vitest";
import { daysBetween, durationParts, relativeParts } from "./date-time-format.ts";

test("a relative time uses its largest whole unit, rounded down", () => {
  expect(relativeParts(-4_000)).toEqual({ value: 0, unit: "second" });
  expect(relativeParts(-59_000)).toEqual({ value: -59, unit: "second" });
  expect(relativeParts(-119_000)).toEqual({ value: -1, unit: "minute" });
  expect(relativeParts(23.9 * 3_600_000)).toEqual({ value: 23, unit: "hour" });
  expect(relativeParts(-40 * 86_400_000)).toEqual({ value: -1, unit: "month" });
  expect(relativeParts(-800 * 86_400_000)).toEqual({ value: -2, unit: "year" });
});

test("a countdown omits leading zeros only", () => {
  expect(durationParts(7 * 3_600_000 + 9_000).map(({ value }) => value)).toEqual([7, 0, 9]);
  expect(durationParts(61_000).map(({ value }) => value)).toEqual([1, 1]);
  expect(durationParts(0)).toEqual([{ value: 0, unit: "second" }]);
});

test("days are whole days", () => {
  expect(daysBetween("2026-11-01T00:00:00Z", Date.parse("2026-11-30T23:59:59Z"))).toBe(29);
});
