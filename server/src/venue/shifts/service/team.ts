/** Lists the people of a week: those of the team, and those who left and have shifts in it. */
import type { ShiftMember } from "@comanda/contract/console/shifts.ts";
import type { Ctx } from "#lib/context.ts";
import { recordAudit } from "#platform/activity/audit/service.ts";
import { listTeam, type TeamRow } from "#platform/people/memberships/service.ts";
import { type StoredShift, shownNameOf } from "../rules.ts";
import { countShiftsToCome, lockShifts, removeShiftsToCome } from "../store.ts";

export type ShiftTeam = ReadonlyMap<number, TeamRow>;

export const readShiftTeam = async (ctx: Ctx): Promise<ShiftTeam> => new Map((await listTeam(ctx)).map((row) => [row.id, row]));

/** A person who left is named as in the last change of the shift. */
export const nameInTeam =
  (team: ShiftTeam) =>
  ({ staff_id, staff_name }: Pick<StoredShift, "staff_id" | "staff_name">): string => {
    const member = team.get(staff_id);
    return member ? shownNameOf(member) : staff_name;
  };

/** The people are in the order of their names. */
export const peopleOf = (team: ShiftTeam, rows: readonly StoredShift[]): ShiftMember[] => {
  const members = [...team.values()].map((row) => ({
    id: row.id,
    name: shownNameOf(row),
    has_accepted: row.accepted_at !== null,
    has_left: false,
  }));
  const former = new Map(
    rows
      .filter(({ staff_id }) => !team.has(staff_id))
      .map(({ staff_id, staff_name }) => [staff_id, { id: staff_id, name: staff_name, has_accepted: false, has_left: true }]),
  );
  return [...members, ...former.values()].sort((a, b) => a.name.localeCompare(b.name) || a.id - b.id);
};

/** Published shifts stay on the plan as removed until their week is published. Returns how many shifts are removed. */
export const removeShiftsOf = async (ctx: Ctx, { id, name }: { id: number; name: string }): Promise<number> => {
  lockShifts(ctx);
  const removed = await removeShiftsToCome(ctx, id);
  if (removed.length > 0)
    recordAudit(ctx, {
      action: "shift.removed_with_person",
      subject: { kind: "shift", id: "all" },
      before: { name, shifts: removed.length, published: removed.filter(({ is_published }) => is_published).length },
    });
  return removed.length;
};

/** Counts the shifts to come of each of these people. A person without any is missing. */
export const readShiftsToCome = async (ctx: Ctx, staffIds: readonly number[]): Promise<Map<number, number>> =>
  new Map((await countShiftsToCome(ctx, staffIds)).map(({ staff_id, count }) => [staff_id, count]));
