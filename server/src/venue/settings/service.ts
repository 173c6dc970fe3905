/** The owner's settings, for other modules, and what managers change of them during service. */
import type { LoadChoice, OrderTypeChange, OrderTypeState, TypeLoad } from "@comanda/contract/console/order-types.ts";
import type { VenueBranch } from "@comanda/contract/console/venue-settings.ts";
import { refusalSentence } from "@comanda/contract/venue/order-refusals.ts";
import type { BookingRules } from "@comanda/contract/venue-file/booking-rules.ts";
import type { Charges } from "@comanda/contract/venue-file/charges.ts";
import type { ReviewRules } from "@comanda/contract/venue-file/review-rules.ts";
import type { ShiftRules } from "@comanda/contract/venue-file/shift-rules.ts";
import type { Ctx } from "#lib/context.ts";
import { type ApiError, validationError } from "#lib/errors.ts";
import { recordAudit, stateChanged } from "#platform/activity/audit/service.ts";
import { isSameLoad, loadAfter, loadAt, loadsAt } from "./rules/order-types.ts";
import {
  type BookingSettings,
  type BranchName,
  deleteClosingDay,
  type FloorTableRow,
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
  type OrderChoices,
  type OrderingSettings,
  type SalesRules,
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
  type VenueRules,
  type WrittenCombination,
  writeBranches,
  writeTables,
} from "./store.ts";

export const readOrderingSettings = (ctx: Ctx, tableCode: string | null): Promise<OrderingSettings> => findOrderingSettings(ctx, tableCode);

export const readOrderChoices = (ctx: Ctx): Promise<OrderChoices> => findOrderChoices(ctx);

/** The rules that a caller of the API has to keep, with the closing days from `from` to `to`. */
export const readVenueRules = (ctx: Ctx, dates: { from: string; to: string }): Promise<VenueRules> => findVenueRules(ctx, dates);

/** Branches are in the owner's order. */
export const readBranchNames = (ctx: Ctx): Promise<BranchName[]> => listBranchNames(ctx);

export const readTableCodes = async (ctx: Ctx): Promise<string[]> => (await listTableCodes(ctx)).map(({ code }) => code);

export const readFloorTables = (ctx: Ctx): Promise<FloorTableRow[]> => listFloorTables(ctx);

/** All tables that are not removed, and their combinations. */
export const readTables = async (ctx: Ctx): Promise<{ tables: StoredTable[]; combinations: StoredCombination[] }> => {
  const [tables, combinations] = await Promise.all([listTables(ctx), listCombinations(ctx)]);
  return { tables, combinations };
};

export const newTableIds = (ctx: Ctx, count: number): Promise<number[]> => takeTableIds(ctx, count);

/** Replaces the tables of all branches, in the owner's order. The caller has checked them, and records the change. */
export const replaceTables = (ctx: Ctx, tables: readonly StoredTable[], combinations: readonly WrittenCombination[]): Promise<void> =>
  writeTables(ctx, tables, combinations);

/** In the owner's order, with hours and closing days. */
export const readBranches = (ctx: Ctx): Promise<VenueBranch[]> => listBranches(ctx);

export const newBranchIds = (ctx: Ctx, count: number): Promise<number[]> => takeBranchIds(ctx, count);

/** All branches, in the owner's order. The caller has checked them, holds the lock of bookings, and records the change. So with the next two. */
export const replaceBranches = (ctx: Ctx, branches: readonly VenueBranch[]): Promise<void> => writeBranches(ctx, branches);

export const addClosingDay = (ctx: Ctx, branchId: number, day: VenueBranch["closing_days"][number]): void =>
  insertClosingDay(ctx, branchId, day);

export const removeClosingDay = (ctx: Ctx, branchId: number, date: string): void => deleteClosingDay(ctx, branchId, date);

export const readSalesRules = (ctx: Ctx): Promise<SalesRules> => findSalesRules(ctx);

/** Two people may change them. The second one waits for the first. */
export const readSalesRulesForChange = (ctx: Ctx): Promise<SalesRules> => lockSalesRules(ctx);

export const replaceOrdering = (ctx: Ctx, ordering: SalesRules["ordering"]): void => updateOrdering(ctx, ordering);

export const replaceCharges = (ctx: Ctx, charges: Charges): void => updateCharges(ctx, charges);

/** The taxes that a dish can have. */
export const readTaxes = (ctx: Ctx): Promise<Charges["taxes"]> => findTaxes(ctx);

export const readBookingRules = (ctx: Ctx): Promise<BookingRules> => findBookingRules(ctx);

/** Two people may change them. The second one waits for the first. */
export const readBookingRulesForChange = (ctx: Ctx): Promise<BookingRules> => lockBookingRules(ctx);

export const replaceBookingRules = (ctx: Ctx, rules: BookingRules): void => updateBookingRules(ctx, rules);

export const readReviewRules = (ctx: Ctx): Promise<ReviewRules> => findReviewRules(ctx);

/** Two people may change them. The second one waits for the first. */
export const readReviewRulesForChange = (ctx: Ctx): Promise<ReviewRules> => lockReviewRules(ctx);

export const replaceReviewRules = (ctx: Ctx, rules: ReviewRules): void => updateReviewRules(ctx, rules);

export const readShiftRules = (ctx: Ctx): Promise<ShiftRules> => findShiftRules(ctx);

/** Two people may change them. The second one waits for the first. */
export const readShiftRulesForChange = (ctx: Ctx): Promise<ShiftRules> => lockShiftRules(ctx);

export const replaceShiftRules = (ctx: Ctx, rules: ShiftRules): void => updateShiftRules(ctx, rules);

export const readBookingSettings = (ctx: Ctx): Promise<BookingSettings> => findBookingSettings(ctx);

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
