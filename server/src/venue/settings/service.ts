/** The owner's settings, for other modules, and what managers change of them during service. */
import type { LoadChoice, OrderTypeChange, OrderTypeState, TypeLoad } from "@comanda/contract/console/order-types.ts";
import { refusalSentence } from "@comanda/contract/venue/order-refusals.ts";
import type { Ctx } from "#lib/context.ts";
import { type ApiError, validationError } from "#lib/errors.ts";
import { recordAudit, stateChanged } from "#platform/activity/audit/service.ts";
import { isSameLoad, loadAfter, loadAt, loadsAt } from "./rules/order-types.ts";
import {
  deleteClosingDay,
  findBookingRules,
  findBookingSettings,
  findOrderChoices,
  findOrderingSettings,
  findOrderTypes,
  findReviewRules,
  findSalesRules,
  findShiftRules,
  findTaxes,
  findVenueRules,
  insertClosingDay,
  listBranches,
  listBranchNames,
  listCombinations,
  listFloorTables,
  listTableCodes,
  listTables,
  lockBookingRules,
  lockLoad,
  lockReviewRules,
  lockSalesRules,
  lockShiftRules,
  type StoredCombination,
  type StoredTable,
  takeBranchIds,
  takeTableIds,
  updateBookingRules,
  updateCharges,
  updateLoad,
  updateOrdering,
  updateReviewRules,
  updateShiftRules,
  writeBranches,
  writeTables,
} from "./store.ts";

export {
  deleteClosingDay,
  findBookingRules,
  findBookingSettings,
  findOrderChoices,
  findOrderingSettings,
  findReviewRules,
  findSalesRules,
  findShiftRules,
  findTaxes,
  findVenueRules,
  insertClosingDay,
  listBranches,
  listBranchNames,
  listFloorTables,
  lockBookingRules,
  lockReviewRules,
  lockSalesRules,
  lockShiftRules,
  takeBranchIds,
  takeTableIds,
  updateBookingRules,
  updateCharges,
  updateOrdering,
  updateReviewRules,
  updateShiftRules,
  writeBranches,
  writeTables,
};

export const readTableCodes = async (ctx: Ctx): Promise<string[]> => (await listTableCodes(ctx)).map(({ code }) => code);

/** All tables that are not removed, and their combinations. */
export const readTables = async (ctx: Ctx): Promise<{ tables: StoredTable[]; combinations: StoredCombination[] }> => {
  const [tables, combinations] = await Promise.all([listTables(ctx), listCombinations(ctx)]);
  return { tables, combinations };
};

/** What the venue offers, and what is paused or busy of it now. */
export const readOrderTypes = async (ctx: Ctx): Promise<OrderTypeState[]> => {
  const { ordering, loads } = await findOrderTypes(ctx);
  return loadsAt(ordering.types, loads, ctx.now);
};

const [PAUSED, BUSY] = [{ action: "order_type.paused" }, { action: "order_type.busy" }];
const ENTRY_OF_CHOICE: Record<LoadChoice, { action: string }> = {
  pause_15: PAUSED,
  pause_30: PAUSED,
  pause_60: PAUSED,
  pause_today: PAUSED,
  busy_10: BUSY,
  busy_20: BUSY,
  end_pause: { action: "order_type.resumed" },
  end_busy: { action: "order_type.busy_ended" },
};

const fieldsOf = ({ paused_until, busy_until, extra_minutes }: TypeLoad): TypeLoad => ({ paused_until, busy_until, extra_minutes });

/** Compare and set: when two people tap at once, one pauses the type, and the other gets the name of the first. */
export const setOrderType = async (ctx: Ctx, { type, seen, to }: OrderTypeChange): Promise<OrderTypeState> => {
  const [stored, { ordering }] = await Promise.all([lockLoad(ctx, type), findOrderTypes(ctx)]);
  if (!ordering.types.some((offered) => offered.type === type))
    throw validationError({
      type: [refusalSentence({ reason: "not_offered", values: { offered: ordering.types.map((offered) => offered.type).join(", ") } })],
    });
  const present = loadAt(stored, ctx.now);
  // The page may have seen an end that has passed since.
  if (!isSameLoad(loadAt({ type, ...seen }, ctx.now), present)) throw await loadChanged(ctx, present);
  const after = loadAfter(present, to, { zone: ctx.tenant.zone, now: ctx.now });
  if (isSameLoad(after, present)) return present;
  updateLoad(ctx, after);
  recordAudit(ctx, {
    ...ENTRY_OF_CHOICE[to],
    subject: { kind: "order_type", id: type },
    before: fieldsOf(present),
    after: fieldsOf(after),
  });
  return after;
};

const loadChanged = (ctx: Ctx, present: OrderTypeState): Promise<ApiError> =>
  stateChanged(ctx, { area: "order_type", subject: present.type }, { order_type: present });
