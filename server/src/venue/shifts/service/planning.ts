/** A manager adds, changes, removes, restores and copies shifts. People see none of it before the week is published. */
import type { PlannedShift, ShiftValue, ShiftVersion, SkippedShift, WeekCopy } from "@comanda/contract/console/shifts.ts";
import type { Ctx } from "#lib/context.ts";
import { type ApiError, apiError, type FieldErrors, validationError } from "#lib/errors.ts";
import { formatDate } from "#lib/instant.ts";
import { changedBy, recordAudit } from "#platform/activity/audit/service.ts";
import { listBranchNames } from "#venue/settings/service.ts";
import { presentShift, recordedShift } from "../present.ts";
import {
  clockTimesOf,
  daysBetween,
  distanceFault,
  isPlanned,
  movedTimes,
  type ShiftTimes,
  timesOf,
  type WeekSpan,
  weekLimitErrors,
} from "../rules.ts";
import {
  countWeek,
  findShift,
  hasShiftAt,
  insertShifts,
  lockShifts,
  markShiftRemoved,
  markShiftRestored,
  type NewShift,
  type ShiftRow,
  updateShift,
} from "../store.ts";
import { nameInTeam, readShiftTeam, type ShiftTeam } from "./team.ts";
import { readNamedWeek, readWeekAt, readWeekRows } from "./weeks.ts";

const OVERLAP = "The person has another shift at this time.";

const refuseFaults = (errors: FieldErrors): void => {
  if (Object.keys(errors).length > 0) throw validationError(errors);
};

const assertBranch = async (ctx: Ctx, branchId: number): Promise<void> => {
  if (!(await listBranchNames(ctx)).some(({ id }) => id === branchId)) throw validationError({ branch_id: ["There is no such branch."] });
};

const checkedTimes = (ctx: Ctx, value: ShiftValue): ShiftTimes => {
  const times = timesOf(ctx.tenant.zone, value);
  if ("errors" in times) throw validationError(times.errors);
  const tooFar = distanceFault(times.startsAt, ctx.now);
  if (tooFar !== null) throw validationError({ "shift.date": [tooFar] });
  return times;
};

const trimmed = (text: string | null): string | null => text?.trim() ?? null;

const newShift = (team: ShiftTeam, { staff_id, role, note }: ShiftValue, times: ShiftTimes): NewShift => {
  if (!team.has(staff_id)) throw validationError({ "shift.staff_id": ["There is no such person in the team."] });
  const staffName = nameInTeam(team)({ staff_id, staff_name: "" });
  return { ...times, staffId: staff_id, staffName, role: trimmed(role), note: trimmed(note) };
};

const assertRoom = async (ctx: Ctx, branchId: number, week: WeekSpan, more: number): Promise<void> =>
  refuseFaults(weekLimitErrors((await countWeek(ctx, branchId, week)) + more));

export const addShift = async (ctx: Ctx, { branch_id, shift: value }: { branch_id: number; shift: ShiftValue }): Promise<PlannedShift> => {
  lockShifts(ctx);
  await assertBranch(ctx, branch_id);
  const times = checkedTimes(ctx, value);
  const [team, week] = await Promise.all([readShiftTeam(ctx), readWeekAt(ctx, times.startsAt)]);
  const wanted = newShift(team, value, times);
  await assertRoom(ctx, branch_id, week, 1);
  const [row] = await insertShifts(ctx, branch_id, [wanted]);
  if (!row) throw validationError({ "shift.from": [OVERLAP] });
  recordAudit(ctx, { action: "shift.created", subject: { kind: "shift", id: row.id }, after: recordedShift(row) });
  return presentShift(ctx.tenant.zone, row);
};

const readShift = async (ctx: Ctx, id: number): Promise<ShiftRow> => {
  const row = await findShift(ctx, id);
  if (!row) throw apiError("not_found");
  return row;
};

const shiftChanged = (ctx: Ctx, row: ShiftRow): ApiError =>
  changedBy({ shift: presentShift(ctx.tenant.zone, row) }, { who: row.changed_by, at: row.changed_at });

const assertSeen = (ctx: Ctx, row: ShiftRow, seenVersion: number): void => {
  if (row.version !== seenVersion) throw shiftChanged(ctx, row);
};

const isInWeek = ({ from, to }: WeekSpan, at: Date): boolean => at >= from && at < to;

type SeenChange = { seen_version: number; shift: ShiftValue };

const isSame = (row: ShiftRow, wanted: NewShift): boolean =>
  row.staff_id === wanted.staffId &&
  row.role === wanted.role &&
  row.note === wanted.note &&
  row.starts_at.getTime() === wanted.startsAt.getTime() &&
  row.ends_at.getTime() === wanted.endsAt.getTime();

/** The body is read after the shift was found: 404 comes before 422. A shift stays in its week, because a week is published as a whole. */
export const changeSeenShift = async (ctx: Ctx, id: number, read: () => SeenChange): Promise<PlannedShift> => {
  lockShifts(ctx);
  const before = await readShift(ctx, id);
  const { seen_version, shift: value } = read();
  assertSeen(ctx, before, seen_version);
  if (!isPlanned(before)) throw shiftChanged(ctx, before);
  const times = checkedTimes(ctx, value);
  const [team, week] = await Promise.all([readShiftTeam(ctx), readWeekAt(ctx, before.starts_at)]);
  if (!isInWeek(week, times.startsAt))
    throw validationError({ "shift.date": ["A shift stays in its week. Remove it and add another one."] });
  const wanted = newShift(team, value, times);
  if (isSame(before, wanted)) return presentShift(ctx.tenant.zone, before);
  if (await hasShiftAt(ctx, wanted.staffId, times, id)) throw validationError({ "shift.from": [OVERLAP] });
  const after = await updateShift(ctx, id, wanted);
  recordAudit(ctx, {
    action: "shift.changed",
    subject: { kind: "shift", id },
    before: recordedShift(before),
    after: recordedShift(after),
  });
  return presentShift(ctx.tenant.zone, after);
};

/** The body is read after the shift was found. */
export const removeSeenShift = async (ctx: Ctx, id: number, read: () => { seen_version: number }): Promise<ShiftVersion> => {
  lockShifts(ctx);
  const before = await readShift(ctx, id);
  assertSeen(ctx, before, read().seen_version);
  if (!isPlanned(before)) return { id, version: before.version };
  const { version } = await markShiftRemoved(ctx, id);
  recordAudit(ctx, { action: "shift.removed", subject: { kind: "shift", id }, before: recordedShift(before) });
  return { id, version };
};

/** Takes a removal back. The body is read after the shift was found. */
export const restoreSeenShift = async (ctx: Ctx, id: number, read: () => { seen_version: number }): Promise<PlannedShift> => {
  lockShifts(ctx);
  const before = await readShift(ctx, id);
  assertSeen(ctx, before, read().seen_version);
  if (isPlanned(before)) return presentShift(ctx.tenant.zone, before);
  const [team, week] = await Promise.all([readShiftTeam(ctx), readWeekAt(ctx, before.starts_at)]);
  if (!team.has(before.staff_id)) throw validationError({ "shift.staff_id": ["There is no such person in the team."] });
  await assertRoom(ctx, before.branch_id, week, 1);
  const times = { startsAt: before.starts_at, endsAt: before.ends_at };
  if (await hasShiftAt(ctx, before.staff_id, times, id)) throw validationError({ "shift.from": [OVERLAP] });
  const after = await markShiftRestored(ctx, id);
  recordAudit(ctx, { action: "shift.restored", subject: { kind: "shift", id }, after: recordedShift(after) });
  return presentShift(ctx.tenant.zone, after);
};

type CopiedShift = { row: ShiftRow; wanted: NewShift | null; reason: SkippedShift["reason"] };

const copyOf = (ctx: Ctx, row: ShiftRow, days: number, team: ShiftTeam): CopiedShift => {
  const times = movedTimes(ctx.tenant.zone, { startsAt: row.starts_at, endsAt: row.ends_at }, days);
  if (!team.has(row.staff_id)) return { row, wanted: null, reason: "left" };
  if (times === null) return { row, wanted: null, reason: "clock" };
  const wanted = { ...times, staffId: row.staff_id, staffName: nameInTeam(team)(row), role: row.role, note: row.note };
  return { row, wanted, reason: "overlap" };
};

const keyOf = (staffId: number, startsAt: Date): string => `${staffId} ${startsAt.getTime()}`;

const skippedShift = (ctx: Ctx, { row, reason }: CopiedShift): SkippedShift => {
  const { date, from } = clockTimesOf(ctx.tenant.zone, { startsAt: row.starts_at, endsAt: row.ends_at });
  return { shift_id: row.id, staff_name: row.staff_name, date, from, reason };
};

type WeekPair = { branch_id: number; from_week: string; to_week: string };

/** All copies are one commit, and none is stored where the week would have too many. The database leaves out what would overlap. */
export const copyWeek = async (ctx: Ctx, { branch_id, from_week, to_week }: WeekPair): Promise<WeekCopy> => {
  lockShifts(ctx);
  await assertBranch(ctx, branch_id);
  const [from, to] = [await readNamedWeek(ctx, "from_week", from_week), await readNamedWeek(ctx, "to_week", to_week)];
  const days = daysBetween(from, to);
  if (days === 0) throw validationError({ to_week: ["Is the week that is copied."] });
  const [team, rows] = await Promise.all([readShiftTeam(ctx), readWeekRows(ctx, branch_id, from)]);
  const copies = rows.filter(isPlanned).map((row) => copyOf(ctx, row, days, team));
  const wanted = copies.flatMap((copy) => (copy.wanted === null ? [] : [copy.wanted]));
  const stored = wanted.length === 0 ? [] : await insertShifts(ctx, branch_id, wanted);
  await assertRoom(ctx, branch_id, to, 0);
  const copied = new Set(stored.map(({ staff_id, starts_at }) => keyOf(staff_id, starts_at)));
  const skipped = copies.filter((copy) => copy.wanted === null || !copied.has(keyOf(copy.wanted.staffId, copy.wanted.startsAt)));
  if (stored.length > 0)
    recordAudit(ctx, {
      action: "shift_week.copied",
      subject: { kind: "shift_week", id: `${branch_id}:${formatDate(to.start)}` },
      after: { branch_id, from_week, to_week, copied: stored.length, skipped: skipped.length },
    });
  return { copied: stored.length, skipped: skipped.map((copy) => skippedShift(ctx, copy)) };
};
