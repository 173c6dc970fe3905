/** Painted weeks against the rule that decides about orders, and against the shape of a venue file. */
import { Hours, type Hours as HoursType, WEEKDAYS, type Weekday } from "@comanda/contract/venue-file/opening-hours.ts";
import fc from "fast-check";
import { Value } from "typebox/value";
import { expect, test } from "vitest";
import { isWithinHours } from "../../../../server/src/venue/settings/rules/opening-hours.ts";
import {
  copyDay,
  DAY_MINUTES,
  type DayRange,
  eraseRange,
  hoursOfWeek,
  isOpenDuring,
  newSpan,
  type PaintedWeek,
  paintRange,
  readSpan,
  removeSpan,
  replaceSpan,
  rowSpans,
  timeText,
  WEEK,
  weekOfHours,
} from "./week-rules.ts";

const WEEK_MINUTES = 7 * DAY_MINUTES;
const NONE: PaintedWeek = weekOfHours([]);
const CLOSED = 0;
const OPEN = 1;

/** One place for each minute of the week. */
const minutesOf = (week: PaintedWeek): Uint8Array => {
  const minutes = new Uint8Array(WEEK_MINUTES);
  for (const [day, spans] of week.entries())
    for (const { from, to } of spans) for (let at = from; at < to; at++) minutes[(day * DAY_MINUTES + at) % WEEK_MINUTES] = OPEN;
  return minutes;
};
const marked = (minutes: Uint8Array, { day, from, to }: DayRange, value: number): Uint8Array => {
  const after = minutes.slice();
  for (let at = from; at < to; at++) after[(day * DAY_MINUTES + at) % WEEK_MINUTES] = value;
  return after;
};

/** In order, at most 24 hours long, and with as many open minutes as the spans are long: none is in two of them. */
const expectSound = (week: PaintedWeek): void => {
  expect(week).toHaveLength(7);
  for (const spans of week) {
    for (const { from, to } of spans) expect(from >= 0 && DAY_MINUTES > from && to > from && DAY_MINUTES >= to - from).toBe(true);
    for (const [at, { from }] of spans.entries()) expect(from).toBeGreaterThanOrEqual(spans[at - 1]?.to ?? 0);
  }
  const length = week.flat().reduce((sum, { from, to }) => sum + to - from, 0);
  expect(minutesOf(week).reduce((sum, minute) => sum + minute, 0)).toBe(length);
};

const clockAt = (minute: number) => ({
  year: 2026,
  month: 11,
  day: 16,
  hour: Math.floor((minute % DAY_MINUTES) / 60),
  minute: minute % 60,
  second: 30,
  weekday: Math.floor(minute / DAY_MINUTES),
});
/** Around every beginning and end, and now and then between them. */
const expectSameMinutes = (hours: HoursType, week: PaintedWeek): void => {
  const minutes = minutesOf(week);
  const changes = hours.flatMap(({ from, to }) => [from, to].flatMap((text) => readSpan(text, text)?.from ?? []));
  const near = WEEK.flatMap((_name, day) => changes.flatMap((at) => [-1, 0, 1].map((step) => day * DAY_MINUTES + at + step)));
  const between = Array.from({ length: WEEK_MINUTES / 40 }, (_, at) => at * 40 + 13);
  for (const minute of [...near, ...between].map((at) => (at + WEEK_MINUTES) % WEEK_MINUTES))
    expect([minute, isWithinHours(hours, clockAt(minute))]).toEqual([minute, minutes[minute] === OPEN]);
};

const weekday = fc.nat(6);
const range = fc
  .record({ day: weekday, from: fc.nat(2 * DAY_MINUTES - 1), length: fc.integer({ min: 1, max: 30 * 60 }) })
  .map(({ day, from, length }): DayRange => ({ day, from, to: from + length }));
const strokes = fc.array(fc.record({ range, isErasing: fc.boolean() }), { maxLength: 12 });
const time = fc.nat(DAY_MINUTES - 1).map(timeText);
const hours = fc.array(
  fc.record({
    days: fc.uniqueArray(fc.constantFrom<Weekday>(...WEEKDAYS), { minLength: 1, maxLength: 7 }),
    from: time,
    to: fc.oneof(time, fc.constant("24:00")),
  }),
  { maxLength: 5 },
);

test("the days are those of a venue file", () => expect(WEEK).toEqual(WEEKDAYS));

test("after any strokes a time is open exactly when the last stroke over it painted it, and no time is in two periods", () => {
  fc.assert(
    fc.property(strokes, (all) => {
      let week = NONE;
      let expected: Uint8Array = new Uint8Array(WEEK_MINUTES);
      for (const { range: one, isErasing } of all) {
        week = isErasing ? eraseRange(week, one) : paintRange(week, one);
        expected = marked(expected, one, isErasing ? CLOSED : OPEN);
        expectSound(week);
      }
      expect(minutesOf(week)).toEqual(expected);
      for (const { range: one } of all) {
        const length = one.to - one.from;
        const open = Array.from({ length }, (_, at) => expected[(one.day * DAY_MINUTES + one.from + at) % WEEK_MINUTES] ?? 0);
        expect(isOpenDuring(week, one)).toBe(open.every(Boolean));
      }
    }),
    { numRuns: 100 },
  );
});

test("a painted week is a list of periods that a venue file accepts, open at the same minutes, and the same week again", () => {
  fc.assert(
    fc.property(strokes, (all) => {
      const week = all.reduce((known, one) => (one.isErasing ? eraseRange : paintRange)(known, one.range), NONE);
      const written = hoursOfWeek(week);
      expect(Value.Check(Hours, written)).toBe(true);
      expectSameMinutes(written, week);
      expect(weekOfHours(written)).toEqual(week);
    }),
    { numRuns: 40 },
  );
});

test("hours of any file, with periods that overlap, are read as the minutes that are open", () => {
  fc.assert(
    fc.property(hours, (given) => {
      const week = weekOfHours(given);
      expectSound(week);
      expectSameMinutes(given, week);
    }),
    { numRuns: 40 },
  );
});

test("a new period, a changed one and a copied day leave a sound week; a new one takes nothing from the others", () => {
  fc.assert(
    fc.property(strokes, weekday, range, fc.uniqueArray(weekday), (all, day, other, targets) => {
      const week = all.reduce((known, one) => (one.isErasing ? eraseRange : paintRange)(known, one.range), NONE);
      const fresh = newSpan(week, day);
      if (fresh) {
        const before = minutesOf(week).reduce((sum, minute) => sum + minute, 0);
        const after = paintRange(week, { day, ...fresh });
        expect(minutesOf(after).reduce((sum, minute) => sum + minute, 0)).toBe(before + fresh.to - fresh.from);
      }
      const span = readSpan(timeText(other.from), timeText(other.to));
      if (span && week[day]?.[0]) expectSound(replaceSpan(week, { day, at: 0 }, span));
      const others = targets.filter((target) => target !== day);
      const copied = copyDay(week, day, others);
      expectSound(copied);
      expectSound(removeSpan(week, day, 0));
    }),
    { numRuns: 60 },
  );
});

test("a night belongs to the day on which it begins, so a closing day after it does not cut it off", () => {
  const friday = paintRange(NONE, { day: 4, from: 18 * 60, to: 26 * 60 });
  expect(hoursOfWeek(friday)).toEqual([{ days: ["fri"], from: "18:00", to: "02:00" }]);
  expect(rowSpans(friday, 5, 30 * 60)).toEqual({ own: [], others: [{ from: 0, to: 120 }] });
  // Longer in its own row, and shorter in the row of the next day.
  expect(hoursOfWeek(paintRange(friday, { day: 4, from: 26 * 60, to: 27 * 60 }))).toEqual([{ days: ["fri"], from: "18:00", to: "03:00" }]);
  expect(hoursOfWeek(eraseRange(friday, { day: 5, from: 60, to: 120 }))).toEqual([{ days: ["fri"], from: "18:00", to: "01:00" }]);
  // What begins after midnight by itself is of the next day.
  expect(hoursOfWeek(paintRange(NONE, { day: 6, from: 25 * 60, to: 26 * 60 }))).toEqual([{ days: ["mon"], from: "01:00", to: "02:00" }]);
  // An evening and a morning that are painted in two rows stay two periods.
  const apart = paintRange(paintRange(NONE, { day: 4, from: 18 * 60, to: 24 * 60 }), { day: 5, from: 0, to: 120 });
  expect(hoursOfWeek(apart)).toEqual([
    { days: ["fri"], from: "18:00", to: "24:00" },
    { days: ["sat"], from: "00:00", to: "02:00" },
  ]);
});

test("days with the same times share a period; a copied day replaces the others", () => {
  const monday = paintRange(paintRange(NONE, { day: 0, from: 720, to: 900 }), { day: 0, from: 1080, to: 1320 });
  const copied = copyDay(paintRange(monday, { day: 2, from: 0, to: 1440 }), 0, [1, 2]);
  expect(hoursOfWeek(copied)).toEqual([
    { days: ["mon", "tue", "wed"], from: "12:00", to: "15:00" },
    { days: ["mon", "tue", "wed"], from: "18:00", to: "22:00" },
  ]);
  const always = WEEK.reduce<PaintedWeek>((week, _name, day) => paintRange(week, { day, from: 0, to: DAY_MINUTES }), NONE);
  expect(hoursOfWeek(always)).toEqual([{ days: [...WEEK], from: "00:00", to: "24:00" }]);
  expect(newSpan(always, 3)).toBeNull();
});
