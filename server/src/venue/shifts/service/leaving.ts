/** Removes the shifts to come of a person who leaves the team, and counts them for the page of the team. Shifts that have begun stay. */
import type { Ctx } from "#lib/context.ts";
import { recordAudit } from "#platform/activity/audit/service.ts";
import { countShiftsToCome, lockShifts, removeShiftsToCome } from "../store.ts";

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
