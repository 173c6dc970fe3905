/** Reads the week of a branch for managers, and the rule on which weekday weeks begin. */
import { type FirstWeekday, SHIFTS_A_WEEK_MAX } from "@comanda/contract/console/shift-limits.ts";
import type { OwnShifts, ShiftWeek } from "@comanda/contract/console/shifts.ts";
import type { VenueBranch } from "@comanda/contract/console/venue-settings.ts";
import type { ShiftRules } from "@comanda/contract/venue-file/shift-rules.ts";
import type { Ctx } from "#lib/context.ts";
import { apiError, validationError } from "#lib/errors.ts";
import { formatDate, parseDate } from "#lib/instant.ts";
import { wallClock } from "#lib/time-zone.ts";
import { recordAudit, stateChanged } from "#platform/activity/audit/service.ts";
import { findStaffId } from "#platform/people/memberships/service.ts";
import { findShiftRules, listBranches, listBranchNames, lockShiftRules, updateShiftRules } from "#venue/settings/service.ts";
import { lastDayOf, presentOther, presentOwnShift, presentShift } from "../present.ts";
import {
  aroundWeek,
  chosenWeek,
  conflictsOf,
  isClosedOn,
  isPlanned,
  ownShiftsUntil,
  presentWeekSince,
  unpublished,
  type WeekSpan,
  weekDates,
  weekOf,
  weekVersionOf,
} from "../rules.ts";
import {
  findUnpublished,
  listAround,
  listOwnShifts,
  listRemovedBranchesWithShifts,
  listWeek,
  lockShifts,
  type ShiftRow,
} from "../store.ts";
import { peopleOf, readShiftTeam } from "./team.ts";

export { lockShifts };

/** The removed shifts whose removal is not published are listed too. */
const ROWS_MAX = 2 * SHIFTS_A_WEEK_MAX;
const AROUND_MAX = 1500;

type BranchOfWeek = { id: number; present: VenueBranch | undefined };

/** The default branch is chosen when no id is given. A branch that was removed is shown while it has shifts. */
const readChosenBranch = async (ctx: Ctx, id: number | undefined): Promise<{ chosen: BranchOfWeek; branches: ShiftWeek["branches"] }> => {
  const [present, removed] = await Promise.all([listBranches(ctx), listRemovedBranchesWithShifts(ctx)]);
  const branches = [
    ...present.map((branch) => ({ id: branch.id, name: branch.name, is_removed: false })),
    ...removed.map((branch) => ({ ...branch, is_removed: true })),
  ];
  const chosenId = id ?? present.find(({ is_default }) => is_default)?.id;
  if (chosenId === undefined || !branches.some((branch) => branch.id === chosenId)) throw apiError("not_found");
  return { chosen: { id: chosenId, present: present.find((branch) => branch.id === chosenId) }, branches };
};

export const readWeekRows = (ctx: Ctx, branchId: number, week: WeekSpan): Promise<ShiftRow[]> => listWeek(ctx, branchId, week, ROWS_MAX);

export const readWeek = async (
  ctx: Ctx,
  { branch, week_start }: { branch?: number | undefined; week_start?: string | undefined },
): Promise<ShiftWeek> => {
  const { zone } = ctx.tenant;
  const [{ chosen, branches }, rules, team] = await Promise.all([readChosenBranch(ctx, branch), findShiftRules(ctx), readShiftTeam(ctx)]);
  const day = week_start === undefined ? wallClock(zone, ctx.now) : parseDate(week_start);
  if (day === null) throw validationError({ week_start: ["Must be a valid date."] });
  const week = weekOf(zone, day, rules.first_weekday);
  const [rows, around] = await Promise.all([
    readWeekRows(ctx, chosen.id, week),
    listAround(ctx, chosen.id, { week, span: aroundWeek(zone, week) }, AROUND_MAX),
  ]);
  const days = weekDates(week).map((date) => ({ date: formatDate(date), is_closed: isClosedOn(chosen.present, date) }));
  const closedDates = new Set(days.filter(({ is_closed }) => is_closed).map(({ date }) => date));
  return {
    branch_id: chosen.id,
    branches,
    week_start: formatDate(week.start),
    week_end: lastDayOf(week),
    days,
    version: weekVersionOf(rows),
    people: peopleOf(team, rows),
    shifts: rows.map((row) => presentShift(zone, row)),
    other_shifts: around.filter(isPlanned).map((row) => presentOther(zone, row)),
    conflicts: conflictsOf(rows, { around, closedDates, zone }),
    changes: unpublished(rows).length,
    rules,
    zone,
  };
};

/** Reads the week that a write names by its first day. */
export const readNamedWeek = async (ctx: Ctx, field: string, date: string): Promise<WeekSpan> => {
  const { first_weekday: firstWeekday } = await findShiftRules(ctx);
  const week = chosenWeek(date, { zone: ctx.tenant.zone, firstWeekday, now: ctx.now });
  if (typeof week === "string") throw validationError({ [field]: [week] });
  return week;
};

/** Reads the week of a shift that begins at this moment. */
export const readWeekAt = async (ctx: Ctx, at: Date): Promise<WeekSpan> => {
  const { first_weekday } = await findShiftRules(ctx);
  return weekOf(ctx.tenant.zone, wallClock(ctx.tenant.zone, at), first_weekday);
};

/** Whether a change of the present week or a later one is not published. */
export const hasUnpublishedShifts = async (ctx: Ctx): Promise<boolean> =>
  (await findUnpublished(ctx, presentWeekSince(ctx.now))) !== undefined;

/**
 * Why weeks cannot begin on this weekday now, or null. A changed shift lies in one week with both its times, the planned and the published
 * one. With other weeks the two could lie in different weeks, and neither publication would be right.
 */
export const firstWeekdayFault = async (ctx: Ctx, wanted: FirstWeekday): Promise<string | null> => {
  const shift = await findUnpublished(ctx, presentWeekSince(ctx.now));
  if (!shift) return null;
  const [{ first_weekday }, week] = await Promise.all([findShiftRules(ctx), readWeekAt(ctx, shift.starts_at)]);
  if (first_weekday === wanted) return null;
  return `Publish the changes at ${shift.branch} in the week of ${formatDate(week.start)} first.`;
};

/** Weeks that are published stay so: what is published is stored with each shift. */
export const saveShiftRules = async (ctx: Ctx, { seen, rules }: { seen: ShiftRules; rules: ShiftRules }): Promise<ShiftRules> => {
  lockShifts(ctx);
  const before = await lockShiftRules(ctx);
  if (before.first_weekday !== seen.first_weekday)
    throw await stateChanged(ctx, { area: "shift_rules", subject: ctx.tenant.id }, { rules: before });
  if (before.first_weekday === rules.first_weekday) return before;
  const fault = await firstWeekdayFault(ctx, rules.first_weekday);
  if (fault !== null) throw validationError({ "rules.first_weekday": [fault] });
  updateShiftRules(ctx, rules);
  recordAudit(ctx, { action: "shift_rules.changed", subject: { kind: "shift_rules", id: ctx.tenant.id }, before, after: rules });
  return rules;
};

/** A person cannot have more shifts than this in four weeks. */
const OWN_ROWS_MAX = 500;

export const readOwnShifts = async (ctx: Ctx): Promise<OwnShifts> => {
  const { zone } = ctx.tenant;
  const [id, branches] = await Promise.all([findStaffId(ctx, ctx.actor.email ?? ""), listBranchNames(ctx)]);
  const rows = id === null ? [] : await listOwnShifts(ctx, id, ownShiftsUntil(ctx.now), OWN_ROWS_MAX);
  return { shifts: rows.map((row) => presentOwnShift(zone, row)), has_branches: branches.length > 1, zone };
};
