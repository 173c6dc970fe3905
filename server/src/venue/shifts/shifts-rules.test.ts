import fc from "fast-check";
import { expect, test } from "vitest";
import { addDays, formatDate, parseDate } from "#lib/instant.ts";
import {
  chosenWeek,
  clockTimesOf,
  conflictsOf,
  daysBetween,
  mailLimit,
  movedTimes,
  peopleToMail,
  type StoredShift,
  shiftStateOf,
  timesOf,
  unpublished,
  weekDates,
  weekOf,
  weekVersionOf,
} from "./rules.ts";

const ZONES = ["Europe/Rome", "Asia/Kuwait", "America/St_Johns", "Australia/Lord_Howe", "UTC"];
const FIRST_WEEKDAYS = ["saturday", "sunday", "monday"] as const;
const HOUR_MS = 3_600_000;

const dateArbitrary = fc.integer({ min: 0, max: 3650 }).map((days) => addDays({ year: 2024, month: 1, day: 1 }, days));
const timeArbitrary = fc
  .tuple(fc.nat(23), fc.nat(59))
  .map(([hour, minute]) => `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`);

test("every day is in one week of seven days, which begins on the first weekday", () => {
  const first = { saturday: 6, sunday: 0, monday: 1 };
  fc.assert(
    fc.property(dateArbitrary, fc.constantFrom(...ZONES), fc.constantFrom(...FIRST_WEEKDAYS), (date, zone, firstWeekday) => {
      const week = weekOf(zone, date, firstWeekday);
      const dates = weekDates(week).map(formatDate);
      expect(dates).toContain(formatDate(date));
      expect(new Date(`${dates[0]}T00:00:00Z`).getUTCDay()).toBe(first[firstWeekday]);
      const next = weekOf(zone, addDays(week.start, 7), firstWeekday);
      expect([next.from, daysBetween(week, next)]).toEqual([week.to, 7]);
    }),
  );
});

test("where the clocks never change, times are shown as they were written", () => {
  fc.assert(
    fc.property(dateArbitrary, timeArbitrary, timeArbitrary, fc.constantFrom("UTC", "Asia/Kuwait"), (date, from, to, zone) => {
      const written = { date: formatDate(date), from, to };
      const times = timesOf(zone, written);
      expect("errors" in times ? times.errors : clockTimesOf(zone, times)).toEqual(written);
    }),
  );
});

test("a stored shift lasts more than nothing and at most a day, and the times that are shown of it are read as the same beginning", () => {
  fc.assert(
    fc.property(dateArbitrary, timeArbitrary, timeArbitrary, fc.constantFrom(...ZONES), (date, from, to, zone) => {
      const times = timesOf(zone, { date: formatDate(date), from, to });
      if ("errors" in times) return;
      const length = times.endsAt.getTime() - times.startsAt.getTime();
      expect(length > 0 && length <= 24 * HOUR_MS).toBe(true);
      // A time that the clocks skip is shown as the later one that it became.
      const again = timesOf(zone, clockTimesOf(zone, times));
      expect("errors" in again ? null : again.startsAt).toEqual(times.startsAt);
    }),
  );
});

test("moved by weeks, a shift keeps its times of the clock", () => {
  fc.assert(
    fc.property(dateArbitrary, fc.integer({ min: -30, max: 30 }), timeArbitrary, fc.constantFrom(...ZONES), (date, weeks, from, zone) => {
      const times = timesOf(zone, { date: formatDate(date), from, to: "23:00" });
      if ("errors" in times) return;
      const moved = movedTimes(zone, times, weeks * 7);
      if (moved === null) return;
      const [before, after] = [clockTimesOf(zone, times), clockTimesOf(zone, moved)];
      expect(after).toEqual({ ...before, date: formatDate(addDays(parseDate(before.date) ?? date, weeks * 7)) });
      expect(moved.endsAt > moved.startsAt).toBe(true);
    }),
  );
});

test("a shift whose end or beginning the clocks skip is not moved there", () => {
  const saturday = (from: string, to: string) => {
    const times = timesOf("Europe/Rome", { date: "2027-03-20", from, to });
    return "errors" in times ? null : movedTimes("Europe/Rome", times, 7);
  };
  expect([saturday("18:00", "02:30"), saturday("18:00", "03:30")?.endsAt]).toEqual([null, new Date("2027-03-28T01:30:00Z")]);
});

test("a write names a week by its first day, within a year", () => {
  const rule = { zone: "Europe/Rome", firstWeekday: "monday" as const, now: new Date("2026-11-14T12:00:00Z") };
  expect(chosenWeek("2026-11-16", rule)).toMatchObject({ start: { year: 2026, month: 11, day: 16 } });
  expect(["2026-11-17", "2028-11-20", "2024-11-18", "2026-02-30"].map((date) => chosenWeek(date, rule))).toEqual([
    "Is not the first day of a week.",
    "Is too far ahead.",
    "Is too long ago.",
    "Must be a valid date.",
  ]);
});

const at = (text: string): Date => new Date(`2026-11-${text}:00Z`);
const row = (changes: Partial<StoredShift> = {}): StoredShift => ({
  id: 1,
  branch_id: 1,
  staff_id: 7,
  staff_name: "Ada",
  role: "Waiter",
  starts_at: at("16T10:00"),
  ends_at: at("16T18:00"),
  note: null,
  version: 1,
  deleted_at: null,
  published_staff_id: null,
  published_role: null,
  published_starts_at: null,
  published_ends_at: null,
  published_note: null,
  ...changes,
});
const published = (changes: Partial<StoredShift> = {}): StoredShift => {
  const base = row();
  return row({
    published_staff_id: base.staff_id,
    published_role: base.role,
    published_starts_at: base.starts_at,
    published_ends_at: base.ends_at,
    ...changes,
  });
};

test("a shift is new, published, changed in any of its values, or removed", () => {
  expect([row(), published(), row({ deleted_at: at("15T10:00") }), published({ deleted_at: at("15T10:00") })].map(shiftStateOf)).toEqual([
    "draft",
    "published",
    null,
    "removed",
  ]);
  const changes: Partial<StoredShift>[] = [
    { staff_id: 8 },
    { role: null },
    { note: "Keys" },
    { starts_at: at("16T09:00") },
    { ends_at: at("16T19:00") },
  ];
  for (const change of changes) expect(shiftStateOf(published(change))).toBe("changed");
  expect(unpublished([row(), published(), published({ id: 3, note: "Keys" })])).toHaveLength(2);
});

test("a mail goes to those who had the shift and to those who have it, once each", () => {
  expect([...peopleToMail([published({ staff_id: 8 })])]).toEqual([8, 7]);
  expect([...peopleToMail([published({ deleted_at: at("15T10:00") })])]).toEqual([7]);
  expect([...peopleToMail([row(), row({ id: 2 })])]).toEqual([7]);
});

test("the version of a week changes with each shift and each publication, and not with their order", () => {
  const rows = [row(), row({ id: 2 })];
  const version = weekVersionOf(rows);
  expect(weekVersionOf(rows.toReversed())).toBe(version);
  const others = [[], [row()], [row({ version: 2 }), row({ id: 2 })], [published(), row({ id: 2 })], [row(), row({ id: 3 })]];
  expect(new Set([version, ...others.map(weekVersionOf)]).size).toBe(others.length + 1);
});

test("a short rest is between two days, a closed day is that of the beginning, and a shift that is still published at another branch is marked for its person", () => {
  const here = { around: [], closedDates: new Set<string>(), zone: "UTC" };
  const late = row({ id: 1, starts_at: at("16T16:00"), ends_at: at("16T23:30") });
  const early = row({ id: 2, starts_at: at("17T10:00"), ends_at: at("17T14:00") });
  expect(conflictsOf([late, early], here)).toEqual([{ shift_id: 2, kind: "short_rest" }]);
  expect(conflictsOf([late, { ...early, starts_at: at("17T10:30") }], here)).toEqual([]);
  expect(conflictsOf([late, { ...early, staff_id: 8 }], here)).toEqual([]);
  const split = row({ id: 3, starts_at: at("17T15:00"), ends_at: at("17T20:00") });
  expect(conflictsOf([early, split], here)).toEqual([]);
  expect(conflictsOf([early], { ...here, around: [{ ...late, branch_id: 2 }] })).toEqual([{ shift_id: 2, kind: "short_rest" }]);
  expect(conflictsOf([late, early], { ...here, closedDates: new Set(["2026-11-16"]) })).toContainEqual({ shift_id: 1, kind: "closed" });
  const atOther = published({ id: 9, branch_id: 2, deleted_at: at("15T10:00") });
  expect(conflictsOf([row({ id: 4 })], { ...here, around: [atOther] })).toEqual([{ shift_id: 4, kind: "published_at_other_branch" }]);
  expect(conflictsOf([row({ id: 4, staff_id: 8 })], { ...here, around: [atOther] })).toEqual([]);
});

test("a person gets 12 mails in 24 hours: the next one waits until the first of them is a day old, and others do not count", () => {
  const now = at("16T12:00");
  const hoursAgo = (hours: number, mailed: string[]) => ({ at: new Date(now.getTime() - hours * HOUR_MS), mailed });
  const [ada, ben] = [{ email: "ada@lab.example" }, { email: "ben@lab.example" }];
  const mails = (count: number) => Array.from({ length: count }, (_, hour) => hoursAgo(hour + 1, [ada.email]));
  expect([mailLimit([ada, ben], mails(11), now), mailLimit([ben], mails(12), now)]).toEqual([null, null]);
  expect(mailLimit([ada, ben], mails(12), now)).toEqual({ people: [ada], until: at("17T00:00") });
  expect(mailLimit([ada], mails(14), now)).toEqual({ people: [ada], until: at("17T00:00") });
  expect(mailLimit([ada], [...mails(11), hoursAgo(24, [ada.email])], now)).toBeNull();
  const both = mailLimit([ada, ben], [...mails(12), ...Array.from({ length: 12 }, () => hoursAgo(2, [ben.email]))], now);
  expect(both).toEqual({ people: [ada, ben], until: at("17T10:00") });
});
