/** Fixtures: a week with every state of a shift and every conflict, and a person's own shifts. */
import type { OwnShift, OwnShifts, PlannedShift, ShiftValue, ShiftWeek } from "@comanda/contract/console/shifts.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The week of today, from Monday on. */
const monday = Date.now() - ((new Date().getUTCDay() + 6) % 7) * DAY_MS;
const date = (day: number): string => dateOf(monday + day * DAY_MS);

const shift: PlannedShift = {
  id: 1025,
  version: 1,
  state: "published",
  staff_id: 401,
  date: date(0),
  from: "17:00",
  to: "23:30",
  role: "Waiter",
  note: null,
  starts_at: `${date(0)}T16:00:00.000Z`,
  ends_at: `${date(0)}T22:30:00.000Z`,
  published: null,
};

const published: ShiftValue = { staff_id: 401, date: date(2), from: "09:00", to: "15:00", role: "Waiter", note: null };

export const shiftWeek: ShiftWeek = {
  branch_id: 1,
  branches: [
    { id: 1, name: { it: "Trastevere", en: "Trastevere", ar: "تراستيفيري" }, is_removed: false },
    { id: 2, name: { it: "Testaccio", en: "Testaccio", ar: "تستاتشو" }, is_removed: false },
    { id: 3, name: { it: "Ostia", en: "Ostia", ar: "أوستيا" }, is_removed: true },
  ],
  week_start: date(0),
  week_end: date(6),
  days: Array.from({ length: 7 }, (_, day) => ({ date: date(day), is_closed: day === 6 })),
  version: "v1",
  people: [
    { id: 401, name: "Nina Ferrari", has_accepted: true, has_left: false },
    { id: 402, name: "سامي الحداد", has_accepted: true, has_left: false },
    { id: 403, name: "Maximiliane Charlotte von und zu Hohenstein-Waldburg", has_accepted: true, has_left: false },
    { id: 404, name: "Ada", has_accepted: false, has_left: false },
    { id: 399, name: "Gone Again", has_accepted: false, has_left: true },
  ],
  shifts: [
    shift,
    { ...shift, id: 2049, state: "draft", date: date(1), from: "06:00", to: "12:00", role: null },
    { ...shift, id: 3073, state: "changed", date: date(2), from: "10:00", to: "16:00", published },
    { ...shift, id: 4097, state: "removed", staff_id: 402, date: date(3), published: { ...published, staff_id: 402, date: date(3) } },
    { ...shift, id: 5121, state: "draft", staff_id: 402, date: date(6), from: "20:00", to: "02:00", role: "Bar", note: "Bring the keys" },
    { ...shift, id: 6145, staff_id: 399, date: date(0), from: "08:00", to: "12:00" },
    { ...shift, id: 7169, state: "draft", staff_id: 403, date: date(4), role: "Chef de rang of the large terrace in the garden" },
  ],
  other_shifts: [
    {
      id: 8193,
      staff_id: 403,
      branch_id: 2,
      date: date(5),
      from: "10:00",
      to: "14:00",
      starts_at: `${date(5)}T09:00:00.000Z`,
      ends_at: `${date(5)}T13:00:00.000Z`,
    },
  ],
  conflicts: [
    { shift_id: 2049, kind: "short_rest" },
    { shift_id: 5121, kind: "closed" },
    { shift_id: 7169, kind: "published_at_other_branch" },
  ],
  changes: 5,
  rules: { first_weekday: "monday" },
  zone: "Europe/Rome",
};

export const emptyWeek: ShiftWeek = { ...shiftWeek, shifts: [], other_shifts: [], conflicts: [], changes: 0 };

const own: OwnShift = {
  id: 1025,
  branch: { it: "Trastevere", en: "Trastevere", ar: "تراستيفيري" },
  date: dateOf(Date.now()),
  from: "17:00",
  to: "01:30",
  starts_at: shift.starts_at,
  ends_at: shift.ends_at,
  role: "Waiter",
  note: null,
};

export const ownShifts: OwnShifts = {
  shifts: [
    own,
    { ...own, id: 2049, date: dateOf(Date.now() + DAY_MS), from: "09:00", to: "17:00", note: "Wine delivery at ten: sign for it." },
    { ...own, id: 3073, date: dateOf(Date.now() + 9 * DAY_MS), from: "12:00", to: "20:00", role: null },
  ],
  has_branches: true,
  zone: "Europe/Rome",
};
