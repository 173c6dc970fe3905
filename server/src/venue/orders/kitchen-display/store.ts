import { type ChangePosition, readChangedSubjects, readChangePosition } from "#db/change-position.ts";
import type { Ctx } from "#lib/context.ts";

export const findPosition = (ctx: Ctx): Promise<ChangePosition> => readChangePosition(ctx);

/** Ids of orders whose tickets changed, or "all". */
export const listChangedTickets = (ctx: Ctx, afterNumber: number): Promise<string[]> => readChangedSubjects(ctx, "tickets", afterNumber);
