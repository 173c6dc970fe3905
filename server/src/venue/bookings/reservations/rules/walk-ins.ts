/** Finds where a party without a booking can sit now. Lead time, grid and opening hours do not matter: the staff see that they are open. */
import { type BookingContext, branchOf, floorPlanOf, refuseBranch, refuseTables } from "./booking.ts";
import { type BookingRefusals, refuseBooking } from "./refusals.ts";
import { createTableChooser, type Stay, stayOf, type TableOccupancy } from "./tables.ts";

export type WalkInWish = { party_size: number; branch_id: number | null; table_ids: readonly number[] };
export type WalkIn = Stay & { branchId: number; tableIds: number[] };

const MINUTE_MS = 60_000;
/** A table that is free for a shorter time is of no use. */
const STAY_MS_MIN = 30 * MINUTE_MS;

/** When the first of these tables is held next, if it is before `endsAt`. */
const freeUntil = (tableIds: readonly number[], { startsAt, endsAt }: Stay, held: readonly TableOccupancy[]): Date => {
  const next = held.filter(({ tableId, fromMs }) => tableIds.includes(tableId) && fromMs > startsAt.getTime());
  return new Date(Math.min(endsAt.getTime(), ...next.map(({ fromMs }) => fromMs)));
};

/**
 * A table that is free for the whole stay is taken first. Otherwise the party gets one that is free until the next booking: the staff see
 * the end and tell the party.
 */
const chooseTablesNow = (context: BookingContext, { party_size, branch_id }: WalkInWish): WalkIn | null => {
  const branch = branchOf(context, branch_id);
  const choose = createTableChooser(floorPlanOf(context, branch), party_size, context.occupancies);
  const whole = stayOf(context.rules, party_size, context.now);
  const short = { startsAt: context.now, endsAt: new Date(context.now.getTime() + STAY_MS_MIN) };
  const tableIds = choose(whole) ?? choose(short);
  if (tableIds === null) return null;
  return { branchId: branch?.id ?? 0, startsAt: context.now, endsAt: freeUntil(tableIds, whole, context.occupancies), tableIds };
};

export const decideWalkIn = (wish: WalkInWish, context: BookingContext): WalkIn | { refusals: BookingRefusals } => {
  if (wish.table_ids.length === 0) {
    const unknown = refuseBranch(wish.branch_id, context);
    if (Object.keys(unknown).length > 0) return { refusals: unknown };
    const chosen = chooseTablesNow(context, wish);
    if (chosen !== null) return chosen;
    const branch = branchOf(context, wish.branch_id);
    if (floorPlanOf(context, branch).tables.length > 0) return { refusals: refuseBooking("party_size", "no_free_table") };
    return { branchId: branch?.id ?? 0, ...stayOf(context.rules, wish.party_size, context.now), tableIds: [] };
  }
  const tables = context.tables.filter(({ id }) => wish.table_ids.includes(id));
  const whole = stayOf(context.rules, wish.party_size, context.now);
  const stay = { startsAt: context.now, endsAt: freeUntil(wish.table_ids, whole, context.occupancies) };
  const refusals = refuseTables(wish, context, tables, stay);
  if (Object.keys(refusals).length > 0) return { refusals };
  if (stay.endsAt.getTime() - stay.startsAt.getTime() < STAY_MS_MIN) return { refusals: refuseBooking("table_id", "table_taken") };
  return { branchId: tables[0]?.branch_id ?? 0, ...stay, tableIds: tables.map(({ id }) => id) };
};

const PARTY_SIZES = Array.from({ length: 12 }, (_, place) => place + 1);

/** The tables that a party of each size would get now. Sizes that find none are left out. */
export const walkInOffers = (branchId: number | null, context: BookingContext): (WalkIn & { partySize: number })[] =>
  PARTY_SIZES.flatMap((partySize) => {
    const chosen = chooseTablesNow(context, { party_size: partySize, branch_id: branchId, table_ids: [] });
    return chosen === null ? [] : [{ partySize, ...chosen }];
  });
