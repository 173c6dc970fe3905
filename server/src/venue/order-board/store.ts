import { type ChangePosition, readChangedSubjects, readChangePosition } from "#db/change-position.ts";
import type { Ctx } from "#lib/context.ts";

export const findPosition = (ctx: Ctx): Promise<ChangePosition> => readChangePosition(ctx);

/** Ids of orders, or "all". */
export const listChangedOrders = (ctx: Ctx, afterNumber: number): Promise<string[]> => readChangedSubjects(ctx, "orders", afterNumber);
