import type { shiftOperations } from "@comanda/contract/console/shifts.ts";
import type { VenueCalls } from "#http/console/calls.ts";
import { addShift, changeSeenShift, copyWeek, removeSeenShift, restoreSeenShift } from "./service/planning.ts";
import { publishWeek } from "./service/publishing.ts";
import { readOwnShifts, readWeek, saveShiftRules } from "./service/weeks.ts";

export const shiftCalls: Pick<VenueCalls, keyof typeof shiftOperations> = {
  readShiftWeek: async (ctx, { query }) => ({ data: await readWeek(ctx, query()) }),
  addShift: async (ctx, { body }) => ({ data: await addShift(ctx, body()) }),
  changeShift: async (ctx, { id, body }) => ({ data: await changeSeenShift(ctx, id, body) }),
  removeShift: async (ctx, { id, body }) => ({ data: await removeSeenShift(ctx, id, body) }),
  restoreShift: async (ctx, { id, body }) => ({ data: await restoreSeenShift(ctx, id, body) }),
  copyShiftWeek: async (ctx, { body }) => ({ data: await copyWeek(ctx, body()) }),
  publishShiftWeek: async (ctx, { body }) => ({ data: await publishWeek(ctx, body()) }),
  saveShiftRules: async (ctx, { body }) => ({ data: await saveShiftRules(ctx, body()) }),
  readOwnShifts: async (ctx) => ({ data: await readOwnShifts(ctx) }),
};
