/** Tables, their places and the booking rules, as managers change them. Every write names the version that the page saw. */
import type { BookingRuleSet, VenueFloor, WantedFloor } from "@comanda/contract/console/floor.ts";
import type { Translations } from "@comanda/contract/shared.ts";
import type { BookingRules } from "@comanda/contract/venue-file/booking-rules.ts";
import type { Ctx } from "#lib/context.ts";
import { type ApiError, validationError } from "#lib/errors.ts";
import { newKey } from "#lib/ids.ts";
import { recordAudit, stateChanged } from "#platform/activity/audit/service.ts";
import {
  findBookingRules,
  listBranchNames,
  lockBookingRules,
  readTables,
  takeTableIds,
  updateBookingRules,
  writeTables,
} from "#venue/settings/service.ts";
import { countBookingsOf, lockTables } from "../reservations/service/bookings.ts";
import {
  allCombinations,
  allTables,
  floorAfter,
  floorChange,
  floorErrors,
  floorOf,
  type StoredFloor,
  versionOf,
  withdrawalErrors,
  withdrawnTables,
} from "./rules.ts";

export const readFloor = async (ctx: Ctx): Promise<VenueFloor> => {
  const [branches, floor] = await Promise.all([listBranchNames(ctx), readTables(ctx)]);
  return presentFloor(branches, floor);
};

const floorChanged = async (ctx: Ctx, branchId: number): Promise<ApiError> =>
  stateChanged(ctx, { area: "floor", subject: branchId }, { floor: await readFloor(ctx) });

/** All or nothing. The lock is the one of bookings, so no booking can be made for a table while it is removed. */
export const saveFloor = async (ctx: Ctx, wanted: WantedFloor): Promise<VenueFloor> => {
  lockTables(ctx);
  const [branches, stored] = await Promise.all([listBranchNames(ctx), readTables(ctx)]);
  if (!branches.some(({ id }) => id === wanted.branch_id)) throw validationError({ branch_id: ["There is no such branch."] });
  const before = floorOf(stored, wanted.branch_id);
  if (versionOf(before) !== wanted.seen_version) throw await floorChanged(ctx, wanted.branch_id);
  const ids = await takeTableIds(ctx, wanted.tables.filter(({ id }) => id === null).length);
  const after = floorAfter(
    stored,
    wanted,
    ids.map((id) => ({ id, key: newKey("table") })),
  );
  const errors = floorErrors(stored, wanted, after);
  if (Object.keys(errors).length > 0) throw validationError(errors);
  await assertUnbooked(ctx, withdrawnTables(before, wanted));
  const change = floorChange(before, after);
  if (change === null) return presentFloor(branches, stored);
  const [tables, combinations] = [allTables(stored, after), allCombinations(stored, after)];
  await writeTables(ctx, tables, combinations);
  recordAudit(ctx, { action: "floor.changed", subject: { kind: "floor", id: wanted.branch_id }, ...change });
  return readFloor(ctx);
};

const assertUnbooked = async (ctx: Ctx, withdrawn: ReturnType<typeof withdrawnTables>): Promise<void> => {
  if (withdrawn.length === 0) return;
  const bookings = await countBookingsOf(
    ctx,
    withdrawn.map(({ id }) => id),
  );
  const errors = withdrawalErrors(withdrawn, bookings);
  if (Object.keys(errors).length > 0) throw validationError(errors);
};

export const readRules = async (ctx: Ctx): Promise<BookingRuleSet> => presentRules(ctx.tenant, await findBookingRules(ctx));

export const saveRules = async (
  ctx: Ctx,
  { seen_version, rules }: { seen_version: string; rules: BookingRules },
): Promise<BookingRuleSet> => {
  const before = await lockBookingRules(ctx);
  if (versionOf(before) !== seen_version)
    throw await stateChanged(ctx, { area: "booking_rules", subject: ctx.tenant.id }, { booking_rules: presentRules(ctx.tenant, before) });
  updateBookingRules(ctx, rules);
  const after = await findBookingRules(ctx);
  if (versionOf(after) !== seen_version)
    recordAudit(ctx, { action: "booking_rules.changed", subject: { kind: "booking_rules", id: ctx.tenant.id }, before, after });
  return presentRules(ctx.tenant, after);
};

const presentFloor = (branches: readonly { id: number; name: Translations }[], floor: StoredFloor): VenueFloor => ({
  branches: branches.map(({ id, name }) => ({ id, name, version: versionOf(floorOf(floor, id)) })),
  tables: [...floor.tables],
  combinations: [...floor.combinations],
});

const presentRules = ({ currency, zone }: { currency: string; zone: string }, rules: BookingRules): BookingRuleSet => ({
  version: versionOf(rules),
  currency,
  zone,
  rules,
});
