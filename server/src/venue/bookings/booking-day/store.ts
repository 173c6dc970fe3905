import { type ChangePosition, readChangedSubjects, readChangePosition } from "#db/change-position.ts";
import type { Ctx } from "#lib/context.ts";

export const findPosition = (ctx: Ctx): Promise<ChangePosition> => readChangePosition(ctx);

/** Ids of bookings, blocks and waiting parties, or "all". */
export const listChangedBookings = (ctx: Ctx, afterNumber: number): Promise<string[]> =>
  readChangedSubjects(ctx, "reservations", afterNumber);
