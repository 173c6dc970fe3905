import type { OtherShift, OwnShift, PlannedShift, ShiftValue } from "@comanda/contract/console/shifts.ts";
import type { EventData } from "@comanda/contract/events/envelope.ts";
import { addDays, formatDate } from "#lib/instant.ts";
import { formatInstant } from "#lib/time-zone.ts";
import { clockTimesOf, type StoredShift, shiftStateOf, type WeekSpan } from "./rules.ts";
import type { OwnShiftRow } from "./store.ts";

const plannedValue = (zone: string, { staff_id, starts_at, ends_at, role, note }: StoredShift): ShiftValue => ({
  staff_id,
  ...clockTimesOf(zone, { startsAt: starts_at, endsAt: ends_at }),
  role,
  note,
});

/** What is published of the shift, where the plan differs from it. */
const publishedValue = (zone: string, row: StoredShift): ShiftValue | null => {
  const { published_staff_id: staff_id, published_starts_at: startsAt, published_ends_at: endsAt } = row;
  if (staff_id === null || startsAt === null || endsAt === null || shiftStateOf(row) === "published") return null;
  return { staff_id, ...clockTimesOf(zone, { startsAt, endsAt }), role: row.published_role, note: row.published_note };
};

export const presentShift = (zone: string, row: StoredShift): PlannedShift => ({
  id: row.id,
  version: row.version,
  state: shiftStateOf(row) ?? "removed",
  ...plannedValue(zone, row),
  starts_at: row.starts_at.toISOString(),
  ends_at: row.ends_at.toISOString(),
  published: publishedValue(zone, row),
});

export const presentOther = (zone: string, { id, staff_id, branch_id, starts_at, ends_at }: StoredShift): OtherShift => ({
  id,
  staff_id,
  branch_id,
  ...clockTimesOf(zone, { startsAt: starts_at, endsAt: ends_at }),
  starts_at: starts_at.toISOString(),
  ends_at: ends_at.toISOString(),
});

export const presentOwnShift = (zone: string, row: OwnShiftRow): OwnShift => ({
  id: row.id,
  branch: row.branch,
  ...clockTimesOf(zone, { startsAt: row.published_starts_at, endsAt: row.published_ends_at }),
  starts_at: row.published_starts_at.toISOString(),
  ends_at: row.published_ends_at.toISOString(),
  role: row.published_role,
  note: row.published_note,
});

const WEEK_END_DAYS = 6;

export const lastDayOf = ({ start }: Pick<WeekSpan, "start">): string => formatDate(addDays(start, WEEK_END_DAYS));

type PublishedWeek = { branchId: number; week: WeekSpan; shifts: readonly StoredShift[]; nameOf: (row: StoredShift) => string };

/** The data of the event (open point D172). */
export const presentPublished = (zone: string, { branchId, week, shifts, nameOf }: PublishedWeek): EventData["shift.published"] => ({
  branch_id: branchId,
  week_start: formatDate(week.start),
  week_end: lastDayOf(week),
  shifts: shifts.map((row) => ({
    id: row.id,
    staff: { id: row.staff_id, name: nameOf(row) },
    role: row.role,
    starts_at: formatInstant(zone, row.starts_at),
    ends_at: formatInstant(zone, row.ends_at),
  })),
});

/** The shift as the activity log shows it. */
export const recordedShift = ({ branch_id, staff_name, role, starts_at, ends_at, note }: StoredShift): Record<string, unknown> => ({
  branch_id,
  name: staff_name,
  role,
  starts_at: starts_at.toISOString(),
  ends_at: ends_at.toISOString(),
  note,
});
