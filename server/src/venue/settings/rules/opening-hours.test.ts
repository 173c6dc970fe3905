/** Opening hours against a walk along the wall clock, minute by minute, with Temporal telling the time in every zone. */
import { type Hours, WEEKDAYS, type Weekday } from "@comanda/contract/venue-file/opening-hours.ts";
import fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { expect, test } from "vitest";
import { instantAt, parseDate, parseInstant, parseQueryInstant, startOfDay } from "#lib/instant.ts";
import { SEED } from "../../../../test/support/seeded-random.ts";
import { isOpenAt, nextOpening, type OpeningCalendar } from "./opening-hours.ts";

const ZONES = [...Intl.supportedValuesOf("timeZone"), "UTC"];
const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;
const CASES_PER_ZONE = Number(process.env.TEST_CASES ?? (process.env.TEST_STRESS ? 100 : 2));

const transitionsOf = (zone: string): Temporal.ZonedDateTime[] => {
  const found: Temporal.ZonedDateTime[] = [];
  let moment = Temporal.Instant.from("2009-01-01T00:00:00Z").toZonedDateTimeISO(zone);
  for (;;) {
    const next = moment.getTimeZoneTransition("next");
    if (!next || next.year > 2037) return found;
    found.push(next);
    moment = next;
  }
};
const TRANSITIONS = new Map(ZONES.map((zone) => [zone, transitionsOf(zone)]));

/** What the wall clock shows, counted in minutes as if every day had 1440 of them. */
const wallMinutes = (zone: string, fromMs: number, toMs: number): ((epochMs: number) => number) => {
  const steps: { fromMs: number; offsetMs: number }[] = [];
  let moment: Temporal.ZonedDateTime | null = Temporal.Instant.fromEpochMilliseconds(fromMs).toZonedDateTimeISO(zone);
  while (moment && moment.epochMilliseconds <= toMs) {
    steps.push({ fromMs: moment.epochMilliseconds, offsetMs: moment.offsetNanoseconds / 1e6 });
    moment = moment.getTimeZoneTransition("next");
  }
  return (epochMs) => Math.floor((epochMs + (steps.findLast((step) => step.fromMs <= epochMs)?.offsetMs ?? 0)) / MINUTE_MS);
};

/** The open minutes of some weeks: each span is walked from its start, on every day that is not a closing day. */
const openMinutes = ({ hours, closingDays }: OpeningCalendar, firstDay: number): ((wallMinute: number) => boolean) => {
  const open = new Uint8Array((WALK_DAYS + 2) * 1440);
  const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
  for (let day = 0; day <= WALK_DAYS; day++) {
    const date = new Date((firstDay + day) * DAY_MS);
    if (closingDays.includes(date.toISOString().slice(0, 10))) continue;
    const spans = hours?.filter(({ days }) => days.includes(WEEKDAYS[(date.getUTCDay() + 6) % 7] as Weekday)) ?? [ALL_DAY];
    for (const { from, to } of spans) {
      const end = minutes(to) + (minutes(to) > minutes(from) ? 0 : 1440);
      for (let minute = minutes(from); minute < end; minute++) open[day * 1440 + minute] = 1;
    }
  }
  return (wallMinute) => open[wallMinute - firstDay * 1440] === 1;
};

const SEARCH_DAYS = 14;
const WALK_DAYS = SEARCH_DAYS + 5;
const ALL_DAY = { from: "00:00", to: "24:00" };

/** Step by step from the moment asked about; null when the last day that counts has passed. */
const walkToOpening = (opening: OpeningCalendar, instant: Date): { isOpen: boolean; next: Date | null } => {
  const from = instant.getTime();
  const end = from + (SEARCH_DAYS + 2) * DAY_MS;
  const wall = wallMinutes(opening.zone, from, end);
  const today = Math.floor(wall(from) / 1440);
  const isOpenMinute = openMinutes(opening, today - 2);
  const isOpen = isOpenMinute(wall(from));
  if (isOpen) return { isOpen, next: instant };
  for (let at = (Math.floor(from / MINUTE_MS) + 1) * MINUTE_MS; at < end; at += MINUTE_MS)
    if (isOpenMinute(wall(at))) return { isOpen, next: Math.floor(wall(at) / 1440) <= today + SEARCH_DAYS ? new Date(at) : null };
  return { isOpen, next: null };
};

const two = (value: number) => String(value).padStart(2, "0");
const time = (minute: number) => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
/** Clocks change at night, so that is where most spans begin and end. */
const night = fc.oneof(
  fc.nat(1439),
  fc.integer({ min: 0, max: 240 }),
  fc.integer({ min: 1380, max: 1439 }),
  fc.constantFrom(0, 60, 120, 150, 180),
);
const span = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      days: fc.uniqueArray(fc.constantFrom(...WEEKDAYS), { minLength: 1, maxLength: 7 }),
      from: night.map(time),
      to: fc.oneof(night, fc.constant(1440)).map(time),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.uniqueArray(fc.constantFrom(...WEEKDAYS), { minLength: 1 }).map((days) => ({ days, from: "00:00", to: "24:00" })),
  },
);
const hours: fc.Arbitrary<Hours | null> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 6, arbitrary: fc.array(span, { maxLength: 3 }) },
);

const ask = fc.record({
  hours,
  /** Days from the one of the moment asked about; many in a row, or all, now and then. */
  closing: fc.oneof(
    fc.uniqueArray(fc.integer({ min: -2, max: 16 }), { maxLength: 6 }),
    fc.integer({ min: 0, max: 18 }).map((count) => Array.from({ length: count }, (_, day) => day)),
  ),
  transition: fc.nat(),
  minutesAfter: fc.oneof(fc.integer({ min: -180, max: 180 }), fc.integer({ min: -4 * 1440, max: 1440 })),
  ms: fc.constantFrom(0, 1, 30_000, 59_999),
});

test("D93 D94 in every zone, around changes of the clock: open is what the walk finds open, and it opens next where the walk does", () => {
  let [cases, held] = [0, 0];
  for (const zone of ZONES) {
    const around = TRANSITIONS.get(zone)?.map((transition) => transition.epochMilliseconds) ?? [];
    const property = fc.property(ask, ({ hours: weekly, closing, transition, minutesAfter, ms }) => {
      const near = around.length > 0 ? (around[transition % around.length] as number) : Date.UTC(2026, 10, 14);
      const instant = new Date(near + minutesAfter * MINUTE_MS + ms);
      const today = Math.floor(wallMinutes(zone, instant.getTime(), instant.getTime())(instant.getTime()) / 1440);
      const closingDays = closing.map((day) => new Date((today + day) * DAY_MS).toISOString().slice(0, 10));
      const opening = { zone, hours: weekly, closingDays };
      const { isOpen, next } = walkToOpening(opening, instant);
      cases += 1;
      if (!isOpen && next) held += 1;
      expect(isOpenAt(opening, instant)).toBe(isOpen);
      expect(nextOpening(opening, instant)?.toISOString()).toBe(next?.toISOString());
    });
    fc.assert(property, { numRuns: CASES_PER_ZONE, seed: SEED });
  }
  console.info(
    `opening hours: ${cases} cases in ${ZONES.length} zones, ${held} of them held until it opens, 0 differences, TEST_SEED=${SEED}`,
  );
}, 600_000);

/** As the contract of the rules says it: a skipped time is moved forward, of a repeated one the first is meant. */
const referenceMs = (zone: string, wall: Temporal.PlainDateTime): number =>
  wall.toZonedDateTime(zone, { disambiguation: "compatible" }).epochMilliseconds;

/** In CI one change in nine of each zone, others with each seed. It is an odd number, because changes forward and back take turns. */
const ONE_CHANGE_IN = process.env.TEST_STRESS ? 1 : 9;

test("D76 D93 in every zone, at changes of the clock from 2009 to 2037: times and starts of days are those of Temporal", () => {
  let [changes, gaps, differences] = [0, 0, 0];
  const check = (isRight: boolean) => {
    if (!isRight) differences += 1;
  };
  for (const [zone, transitions] of TRANSITIONS)
    for (const [index, after] of transitions.entries()) {
      if ((index + SEED) % ONE_CHANGE_IN !== 0) continue;
      const before = after.subtract({ milliseconds: 1 });
      changes += 1;
      if (after.offsetNanoseconds > before.offsetNanoseconds) gaps += 1;
      // Both edges of the gap or overlap, the minutes beside them, and its middle.
      const jump = (after.offsetNanoseconds - before.offsetNanoseconds) / 60e9;
      for (const minutes of [-1, 0, 1, Math.trunc(-jump / 2), -jump - 1, -jump, -jump + 1]) {
        const wall = after.toPlainDateTime().add({ minutes });
        check(instantAt(zone, wall, wall.hour * 60 + wall.minute).getTime() === referenceMs(zone, wall.with({ second: 0 })));
      }
      for (const days of [-1, 0, 1]) {
        const date = after.toPlainDate().add({ days });
        check(startOfDay(zone, date).getTime() === date.toZonedDateTime(zone).startOfDay().epochMilliseconds);
      }
    }
  console.info(`changes of the clock: ${changes} in ${ZONES.length} zones, ${gaps} of them gaps, ${differences} differences`);
  expect(changes).toBeGreaterThan(6000 / ONE_CHANGE_IN);
  expect(differences).toBe(0);
}, 120_000);

const rome = (hours: Hours | null, closingDays: string[] = []): OpeningCalendar => ({ zone: "Europe/Rome", hours, closingDays });
const opens = (opening: OpeningCalendar, at: string) => nextOpening(opening, new Date(at))?.toISOString().slice(0, 16) ?? null;

test("D94 by hand: a clock that jumps into a span opens the venue, and a span that comes twice opens it twice", () => {
  const late: Hours = [{ days: ["sun"], from: "02:30", to: "03:15" }];
  // On 28 March 2027 the clock goes from 02:00 to 03:00, on 31 October from 03:00 back to 02:00.
  expect(opens(rome(late), "2027-03-28T00:00:00Z")).toBe("2027-03-28T01:00");
  const twice: Hours = [{ days: ["sun"], from: "02:10", to: "02:20" }];
  expect(opens(rome(twice), "2027-10-31T00:00:00Z")).toBe("2027-10-31T00:10");
  expect(opens(rome(twice), "2027-10-31T00:30:00Z")).toBe("2027-10-31T01:10");
  expect(opens(rome(twice), "2027-10-31T01:30:00Z")).toBe("2027-11-07T01:10");
});

test("D94 by hand: nights that run on, closing days, and the fourteenth day as the last that counts", () => {
  const night: Hours = [{ days: ["fri"], from: "18:00", to: "02:00" }];
  // Friday 13 November 2026; the Saturday is closed, but its first two hours belong to Friday's night.
  expect(isOpenAt(rome(night, ["2026-11-14"]), new Date("2026-11-14T00:30:00Z"))).toBe(true);
  expect(isOpenAt(rome(night, ["2026-11-13"]), new Date("2026-11-14T00:30:00Z"))).toBe(false);
  expect(opens(rome(night, ["2026-11-13"]), "2026-11-13T10:00:00Z")).toBe("2026-11-20T17:00");
  expect(opens(rome(night, ["2026-11-13", "2026-11-20"]), "2026-11-13T10:00:00Z")).toBe("2026-11-27T17:00");
  expect(opens(rome(night, ["2026-11-13", "2026-11-20", "2026-11-27"]), "2026-11-13T10:00:00Z")).toBeNull();
  expect(opens(rome(null, ["2026-11-13"]), "2026-11-13T10:00:00Z")).toBe("2026-11-13T23:00");
  expect(opens(rome([]), "2026-11-13T10:00:00Z")).toBeNull();
  // In Cairo 30 April 2027 begins at 01:00: the change of the clock is the end of the search, not a part of it.
  const closingDays = Array.from({ length: 15 }, (_, day) => `2027-04-${15 + day}`);
  expect(opens({ zone: "Africa/Cairo", hours: null, closingDays }, "2027-04-15T10:00:00Z")).toBeNull();
  expect(opens({ zone: "Africa/Cairo", hours: null, closingDays }, "2027-04-16T10:00:00Z")).toBe("2027-04-29T22:00");
});

const DATES: [string, boolean][] = [
  ["2026-11-14", true],
  ["2024-02-29", true],
  ["2000-02-29", true],
  ["0001-01-01", true],
  ["9999-12-31", true],
  ["2026-02-29", false],
  ["1900-02-29", false],
  ["2026-02-30", false],
  ["2026-04-31", false],
  ["2026-13-01", false],
  ["2026-00-10", false],
  ["2026-01-00", false],
  ["0000-01-01", false],
  ["10000-01-01", false],
  ["+002026-01-01", false],
  ["-2026-01-01", false],
  ["2026-1-1", false],
  ["2026/01/01", false],
  ["20260101", false],
  ["2026-01-01 ", false],
  ["2026-01-01\n", false],
  ["٢٠٢٦-٠١-٠١", false],
  ["", false],
];
test("D03 a date is a day of the calendar, written in full", () => {
  expect(DATES.map(([text]) => [text, parseDate(text) !== null])).toEqual(DATES);
});

const INSTANTS: [string, string | null][] = [
  ["2026-11-14T13:05:00+01:00", "2026-11-14T12:05:00.000Z"],
  ["2026-11-14t12:05:00z", "2026-11-14T12:05:00.000Z"],
  ["2026-11-14T12:05:00.999999999Z", "2026-11-14T12:05:00.000Z"],
  [`2026-11-14T12:05:00.${"9".repeat(200)}Z`, "2026-11-14T12:05:00.000Z"],
  ["1969-12-31T23:59:58.5Z", "1969-12-31T23:59:58.000Z"],
  ["2026-11-14T12:05:00-00:00", "2026-11-14T12:05:00.000Z"],
  ["2026-11-14T12:05:00+23:59", "2026-11-13T12:06:00.000Z"],
  ["9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z"],
  ["2026-11-14T12:05:00", null],
  ["2026-11-14T12:05Z", null],
  ["2026-11-14 12:05:00Z", null],
  ["2026-11-14T12:05:00+0100", null],
  ["2026-11-14T12:05:00+01", null],
  ["2026-11-14T12:05:00 01:00", null],
  ["2026-11-14T12:05:00+24:00", null],
  ["2026-11-14T12:05:00+01:60", null],
  ["2026-11-14T12:05:00.Z", null],
  ["2026-11-14T12:05:00,5Z", null],
  ["2026-11-14T24:00:00Z", null],
  ["2026-11-14T12:60:00Z", null],
  ["2016-12-31T23:59:60Z", null],
  ["2026-02-30T12:00:00Z", null],
  ["0000-01-01T00:00:00Z", null],
  ["10000-01-01T00:00:00Z", null],
  ["+010000-01-01T00:00:00Z", null],
  ["2026-11-14T12:05:00Z\n", null],
  ["2026-11-14", null],
];
test("D02 D03 a date-time has an offset and names a real time; its fraction is cut off", () => {
  expect(INSTANTS.map(([text]) => [text, parseInstant(text)?.toISOString() ?? null])).toEqual(INSTANTS);
});

test("D02 in a query a space is the plus of an offset, and nothing else", () => {
  expect(parseQueryInstant("2026-11-14T13:05:00 01:00")?.toISOString()).toBe("2026-11-14T12:05:00.000Z");
  for (const text of ["2026-11-14 13:05", "2026-11-14T13:05:00  01:00", "2026-11-14T13:05:00 Z", "2026-11-14 13:05:00 01:00"])
    expect(parseQueryInstant(text)).toBeNull();
});
