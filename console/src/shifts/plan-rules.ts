/** Computes days, hours and overlaps of a week, which the page shows before anything is saved. */
import type { OtherShift, PlannedShift, ShiftMember, ShiftWeek } from "@comanda/contract/console/shifts.ts";
import { DAY_MS } from "#kit/dates.ts";

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;

const minutesOf = ({ starts_at, ends_at }: Pick<PlannedShift, "starts_at" | "ends_at">): number =>
  Math.round((Date.parse(ends_at) - Date.parse(starts_at)) / MINUTE_MS);

/** Sums the hours of the shifts that are planned. A night on which the clocks change counts as long as it is. */
export const hoursOf = (shifts: readonly PlannedShift[]): number =>
  shifts.filter(({ state }) => state !== "removed").reduce((sum, shift) => sum + minutesOf(shift), 0) / HOUR_MINUTES;

type ClockSpan = { date: string; from: string; to: string };

/** The clock of this span never changes, which is good enough to show an overlap before the server decides it. */
const spanOf = ({ date, from, to }: ClockSpan): { begin: number; end: number } => {
  const [begin, end] = [Date.parse(`${date}T${from}:00Z`), Date.parse(`${date}T${to}:00Z`)];
  return { begin, end: end > begin ? end : end + DAY_MS };
};

export const endsNextDay = ({ from, to }: Pick<ClockSpan, "from" | "to">): boolean => to <= from;

/** Counts the hours that the clock shows between both times. */
export const clockHours = (span: ClockSpan): number => {
  const { begin, end } = spanOf(span);
  return (end - begin) / MINUTE_MS / HOUR_MINUTES;
};

type PersonalSpan = ClockSpan & { id: number; staff_id: number };

/** Finds another shift of the person at this time, at any branch. */
export const overlapIn = (
  { shifts, other_shifts }: Pick<ShiftWeek, "shifts" | "other_shifts">,
  wanted: ClockSpan & { staff_id: number },
  exceptId: number | null,
): PersonalSpan | null => {
  const { begin, end } = spanOf(wanted);
  const others: readonly PersonalSpan[] = [...shifts.filter(({ state }) => state !== "removed"), ...other_shifts];
  return (
    others.find((other) => {
      const span = spanOf(other);
      return other.staff_id === wanted.staff_id && other.id !== exceptId && span.begin < end && begin < span.end;
    }) ?? null
  );
};

export type PersonRow = { person: ShiftMember; shifts: readonly PlannedShift[]; otherShifts: readonly OtherShift[] };

/** People who have shifts in this week come first. Both groups are in the order of names. */
export const rowsOf = ({ people, shifts, other_shifts }: ShiftWeek): PersonRow[] => {
  const rows = people.map((person) => ({
    person,
    shifts: shifts.filter(({ staff_id }) => staff_id === person.id),
    otherShifts: other_shifts.filter(({ staff_id }) => staff_id === person.id),
  }));
  return [...rows.filter((row) => row.shifts.length > 0), ...rows.filter((row) => row.shifts.length === 0)];
};

/** Lists the roles that the week has already, to choose from. */
export const rolesIn = ({ shifts }: Pick<ShiftWeek, "shifts">): string[] => [...new Set(shifts.flatMap(({ role }) => role ?? []))].sort();
