/** Decides to which week a shift belongs on the venue's clock, what of it is not published, which conflicts it has, and who gets a mail. */
import {
  type FirstWeekday,
  OWN_SHIFT_DAYS,
  REST_HOURS_MIN,
  SHIFT_HOURS_MAX,
  SHIFT_MAILS_A_DAY_MAX,
  SHIFTS_A_WEEK_MAX,
} from "@comanda/contract/console/shift-limits.ts";
import type { ShiftConflict, ShiftState, ShiftValue } from "@comanda/contract/console/shifts.ts";
import type { Hours } from "@comanda/contract/venue-file/opening-hours.ts";
import type { FieldErrors } from "#lib/errors.ts";
import { addDays, type CalendarDate, formatDate, instantAt, parseDate, startOfDay, weekdayOf } from "#lib/instant.ts";
import { wallClock } from "#lib/time-zone.ts";
import { sha256 } from "#lib/token-format.ts";
import { minuteOf, spansOn } from "#venue/settings/rules/opening-hours.ts";

const WEEK_DAYS = 7;
const HOUR_MAX = 23;
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** A week can be planned and published up to this many days before and after it begins. */
const PLANNED_DAYS_MAX = 366;
/** The days before and after a week whose shifts decide on the rest of a person. */
const AROUND_DAYS = 2;

/** Monday is 0, as `weekdayOf` counts. */
const WEEKDAY_NUMBER: Record<FirstWeekday, number> = { monday: 0, saturday: 5, sunday: 6 };

const weekStartOf = (date: CalendarDate, firstWeekday: FirstWeekday): CalendarDate =>
  addDays(date, -((weekdayOf(date) - WEEKDAY_NUMBER[firstWeekday] + WEEK_DAYS) % WEEK_DAYS));

/** `to` is the beginning of the next week. A shift belongs to the week in which it begins. */
export type WeekSpan = { start: CalendarDate; from: Date; to: Date };

/** Gives the week that has this day. */
export const weekOf = (zone: string, date: CalendarDate, firstWeekday: FirstWeekday): WeekSpan => {
  const start = weekStartOf(date, firstWeekday);
  return { start, from: startOfDay(zone, start), to: startOfDay(zone, addDays(start, WEEK_DAYS)) };
};

/** The present week began after this moment, on whichever weekday weeks begin. A day is added because a change of the clocks makes a week longer. */
export const presentWeekSince = (now: Date): Date => new Date(now.getTime() - (WEEK_DAYS + 1) * DAY_MS);

export const weekDates = ({ start }: WeekSpan): CalendarDate[] => Array.from({ length: WEEK_DAYS }, (_, day) => addDays(start, day));

export const aroundWeek = (zone: string, { start }: WeekSpan): { from: Date; to: Date } => ({
  from: startOfDay(zone, addDays(start, -AROUND_DAYS)),
  to: startOfDay(zone, addDays(start, WEEK_DAYS + AROUND_DAYS)),
});

type WeekRule = { zone: string; firstWeekday: FirstWeekday; now: Date };

/** A write names a week by its first day. Returns the week, or the sentence that refuses it. */
export const chosenWeek = (written: string, { zone, firstWeekday, now }: WeekRule): WeekSpan | string => {
  const date = parseDate(written);
  if (date === null) return "Must be a valid date.";
  const week = weekOf(zone, date, firstWeekday);
  if (formatDate(week.start) !== formatDate(date)) return "Is not the first day of a week.";
  return distanceFault(week.from, now) ?? week;
};

/** Null: the moment is near enough to be planned. */
export const distanceFault = (at: Date, now: Date): string | null => {
  const days = (at.getTime() - now.getTime()) / DAY_MS;
  if (days > PLANNED_DAYS_MAX) return "Is too far ahead.";
  return days < -PLANNED_DAYS_MAX ? "Is too long ago." : null;
};

export type ShiftTimes = { startsAt: Date; endsAt: Date };

type ClockTimes = Pick<ShiftValue, "date" | "from" | "to">;

/** Reads times on the venue's clock. A shift whose end is not after its beginning ends on the next day. */
export const timesOf = (zone: string, { date, from, to }: ClockTimes): ShiftTimes | { errors: FieldErrors } => {
  const day = parseDate(date);
  if (day === null) return { errors: { "shift.date": ["Must be a valid date."] } };
  const wrong = Object.entries({ from, to }).filter(([, time]) => Number(time.slice(0, 2)) > HOUR_MAX);
  if (wrong.length > 0) return { errors: Object.fromEntries(wrong.map(([name]) => [`shift.${name}`, ["Is not a time of day."]])) };
  const [first, last] = [minuteOf(from), minuteOf(to)];
  const times = { startsAt: instantAt(zone, day, first), endsAt: instantAt(zone, last > first ? day : addDays(day, 1), last) };
  const lengthMs = times.endsAt.getTime() - times.startsAt.getTime();
  if (lengthMs <= 0) return { errors: { "shift.to": ["The clocks skip that time on that day."] } };
  return lengthMs > SHIFT_HOURS_MAX * HOUR_MS ? { errors: { "shift.to": [`A shift lasts ${SHIFT_HOURS_MAX} hours at most.`] } } : times;
};

const two = (value: number): string => String(value).padStart(2, "0");

/** Gives the times as the clock of the venue shows them. */
export const clockTimesOf = (zone: string, { startsAt, endsAt }: ShiftTimes): ClockTimes => {
  const [first, last] = [wallClock(zone, startsAt), wallClock(zone, endsAt)];
  return { date: formatDate(first), from: `${two(first.hour)}:${two(first.minute)}`, to: `${two(last.hour)}:${two(last.minute)}` };
};

/** Moves a shift by some days at the same times of the clock. Null where the clocks skip these times, or make the shift too long. */
export const movedTimes = (zone: string, times: ShiftTimes, days: number): ShiftTimes | null => {
  const { date, from, to } = clockTimesOf(zone, times);
  const day = parseDate(date);
  const moved = day && timesOf(zone, { date: formatDate(addDays(day, days)), from, to });
  if (moved === null || "errors" in moved) return null;
  const shown = clockTimesOf(zone, moved);
  return shown.from === from && shown.to === to ? moved : null;
};

export const daysBetween = (from: WeekSpan, to: WeekSpan): number =>
  Math.round((Date.parse(formatDate(to.start)) - Date.parse(formatDate(from.start))) / DAY_MS);

/** A stored shift. The fields `published_…` are what its person sees, until the next publication. */
export type StoredShift = {
  id: number;
  branch_id: number;
  staff_id: number;
  staff_name: string;
  role: string | null;
  starts_at: Date;
  ends_at: Date;
  note: string | null;
  version: number;
  deleted_at: Date | null;
  published_staff_id: number | null;
  published_role: string | null;
  published_starts_at: Date | null;
  published_ends_at: Date | null;
  published_note: string | null;
};

const isAsPublished = (row: StoredShift): boolean =>
  row.staff_id === row.published_staff_id &&
  row.role === row.published_role &&
  row.note === row.published_note &&
  row.starts_at.getTime() === row.published_starts_at?.getTime() &&
  row.ends_at.getTime() === row.published_ends_at?.getTime();

/** Null: the shift is removed, and nothing is published of it. */
export const shiftStateOf = (row: StoredShift): ShiftState | null => {
  if (row.deleted_at !== null) return row.published_staff_id === null ? null : "removed";
  if (row.published_staff_id === null) return "draft";
  return isAsPublished(row) ? "published" : "changed";
};

export const isPlanned = ({ deleted_at }: Pick<StoredShift, "deleted_at">): boolean => deleted_at === null;

/** Gives the shifts that a publication would publish. */
export const unpublished = <T extends StoredShift>(rows: readonly T[]): T[] =>
  rows.filter((row) => {
    const state = shiftStateOf(row);
    return state !== null && state !== "published";
  });

/** A mail goes to those who had one of the shifts, and to those who have it now. */
export const peopleToMail = (changed: readonly StoredShift[]): Set<number> =>
  new Set(
    changed.flatMap((row) => [
      ...(isPlanned(row) ? [row.staff_id] : []),
      ...(row.published_staff_id === null ? [] : [row.published_staff_id]),
    ]),
  );

/** The version changes with every shift and with its publication. */
export const weekVersionOf = (rows: readonly StoredShift[]): string => {
  const state = rows
    .map((row) => [
      row.id,
      row.version,
      row.published_staff_id,
      row.published_role,
      row.published_starts_at?.getTime() ?? null,
      row.published_ends_at?.getTime() ?? null,
      row.published_note,
    ])
    .sort(([a], [b]) => Number(a) - Number(b));
  return sha256(JSON.stringify(state)).toString("base64url");
};

const overlaps = (row: StoredShift, from: Date | null, to: Date | null): boolean =>
  from !== null && to !== null && row.starts_at < to && from < row.ends_at;

const restHours = (row: StoredShift, before: StoredShift): number => (row.starts_at.getTime() - before.ends_at.getTime()) / HOUR_MS;

/** Two shifts of one day are one working day with a break. */
const hasShortRest = (row: StoredShift, others: readonly StoredShift[], zone: string): boolean => {
  const dayOf = ({ starts_at }: StoredShift): string => formatDate(wallClock(zone, starts_at));
  return others.some(
    (other) =>
      isPlanned(other) &&
      other.staff_id === row.staff_id &&
      other.ends_at <= row.starts_at &&
      dayOf(other) !== dayOf(row) &&
      restHours(row, other) < REST_HOURS_MIN,
  );
};

const isPublishedAtOtherBranch = (row: StoredShift, others: readonly StoredShift[]): boolean =>
  others.some(
    (other) =>
      other.branch_id !== row.branch_id &&
      other.published_staff_id === row.staff_id &&
      overlaps(row, other.published_starts_at, other.published_ends_at),
  );

type Surroundings = { around: readonly StoredShift[]; closedDates: ReadonlySet<string>; zone: string };

/**
 * Conflicts are marked and not refused, because laws and habits differ. `around` has the shifts at other branches, and of the days before
 * and after the week.
 */
export const conflictsOf = (rows: readonly StoredShift[], { around, closedDates, zone }: Surroundings): ShiftConflict[] => {
  const planned = rows.filter(isPlanned);
  const all = [...planned, ...around];
  return planned.flatMap((row): ShiftConflict[] => [
    ...(closedDates.has(formatDate(wallClock(zone, row.starts_at))) ? [{ shift_id: row.id, kind: "closed" as const }] : []),
    ...(hasShortRest(row, all, zone) ? [{ shift_id: row.id, kind: "short_rest" as const }] : []),
    ...(isPublishedAtOtherBranch(row, around) ? [{ shift_id: row.id, kind: "published_at_other_branch" as const }] : []),
  ]);
};

type OpenedBranch = { hours: Hours | null; closing_days: readonly { date: string }[] };

/** Whether the branch does not open on that day. A branch that was removed never opens. */
export const isClosedOn = (branch: OpenedBranch | undefined, date: CalendarDate): boolean =>
  branch === undefined ||
  spansOn(
    branch.hours,
    branch.closing_days.map((day) => day.date),
    date,
  ).length === 0;

export const weekLimitErrors = (count: number): FieldErrors =>
  count > SHIFTS_A_WEEK_MAX ? { shift: [`A branch has at most ${SHIFTS_A_WEEK_MAX} shifts in a week.`] } : {};

/** People see their own shifts until this moment. */
export const ownShiftsUntil = (now: Date): Date => new Date(now.getTime() + OWN_SHIFT_DAYS * DAY_MS);

type NamedMember = { name: string; own_name: string | null };

/** A person who has accepted is shown under the name of the own account. Of others none is read. */
export const shownNameOf = ({ name, own_name }: NamedMember): string => own_name ?? name;

/** Only publications after this moment count for the limit of mails. */
export const mailsCountedSince = (now: Date): Date => new Date(now.getTime() - DAY_MS);

/** A publication of the activity log, with the addresses that it sent mails to. */
export type LoggedPublication = { at: Date; mailed: readonly string[] };

/** The moment from which one more mail to the address is within the limit, or null when it is now. `publications` has the newest first. */
const freeAt = (address: string, publications: readonly LoggedPublication[]): Date | null => {
  const oldest = publications.filter(({ mailed }) => mailed.includes(address))[SHIFT_MAILS_A_DAY_MAX - 1];
  return oldest === undefined ? null : new Date(oldest.at.getTime() + DAY_MS);
};

/** Null when each of the people may get one more mail. Else it names those who may not, and the moment from which all may. */
export const mailLimit = <T extends { email: string }>(
  people: readonly T[],
  publications: readonly LoggedPublication[],
  now: Date,
): { people: T[]; until: Date } | null => {
  const counted = publications.filter(({ at }) => at > mailsCountedSince(now));
  const waits = people.flatMap((person) => {
    const until = freeAt(person.email, counted);
    return until === null ? [] : [{ person, until }];
  });
  if (waits.length === 0) return null;
  return { people: waits.map(({ person }) => person), until: new Date(Math.max(...waits.map(({ until }) => until.getTime()))) };
};
