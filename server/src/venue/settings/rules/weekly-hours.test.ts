/** Weekly hours against a second implementation that walks minute by minute through a whole week. */
import { type Hours, WEEKDAYS, type Weekday } from "@comanda/contract/venue-file/opening-hours.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isWithinHours } from "./opening-hours.ts";

const WEEK_MINUTES = 7 * 24 * 60;
const two = (value: number) => String(value).padStart(2, "0");
const time = (minute: number) => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;

const span = fc.record({
  days: fc.uniqueArray(fc.constantFrom<Weekday>(...WEEKDAYS), { minLength: 1, maxLength: 7 }),
  from: fc.nat(1439).map(time),
  to: fc.nat(1440).map(time),
});
const hours = fc.array(span, { maxLength: 5 });

/** Marks every open minute of the week by walking each span forward from its start. */
const openMinutes = (spans: Hours): Set<number> => {
  const minutes = new Set<number>();
  const minuteOf = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
  for (const { days, from, to } of spans)
    for (const day of days) {
      const start = WEEKDAYS.indexOf(day) * 1440 + minuteOf(from);
      const length = minuteOf(to) > minuteOf(from) ? minuteOf(to) - minuteOf(from) : minuteOf(to) + 1440 - minuteOf(from);
      for (let step = 0; step < length; step++) minutes.add((start + step) % WEEK_MINUTES);
    }
  return minutes;
};

const clockAt = (minute: number) => ({
  year: 2026,
  month: 11,
  day: 16,
  hour: Math.floor((minute % 1440) / 60),
  minute: minute % 60,
  second: 30,
  weekday: Math.floor(minute / 1440),
});

test("R2.9-05 a moment is inside exactly when its minute was walked over, past midnight included", () => {
  fc.assert(
    fc.property(hours, (spans) => {
      const open = openMinutes(spans);
      for (let minute = 0; minute < WEEK_MINUTES; minute += 7)
        expect(isWithinHours(spans, clockAt(minute)), `${JSON.stringify(spans)} at ${minute}`).toBe(open.has(minute));
    }),
    { numRuns: 60 },
  );
});

test("null is always open, an empty list never", () => {
  for (const minute of [0, 719, 1439, WEEK_MINUTES - 1]) {
    expect(isWithinHours(null, clockAt(minute))).toBe(true);
    expect(isWithinHours([], clockAt(minute))).toBe(false);
  }
});

test("the start is inside, the end is not; Sunday's night runs into Monday", () => {
  const lunch: Hours = [{ days: ["mon"], from: "12:00", to: "15:00" }];
  expect([719, 720, 899, 900].map((minute) => isWithinHours(lunch, clockAt(minute)))).toEqual([false, true, true, false]);
  const night: Hours = [{ days: ["sun"], from: "22:00", to: "02:00" }];
  expect([0, 119, 120].map((minute) => isWithinHours(night, clockAt(minute)))).toEqual([true, true, false]);
});
