/** Tables that are held for something else than a booking. */
import type { Ctx } from "#lib/context.ts";
import type { Stay } from "../rules/tables.ts";
import {
  countBookingsOf,
  countBookingsOfBranches,
  countBookingsOn,
  countTablesOfBlocks,
  findBookingToCome,
  holdTables,
  lockDay,
  lockTables,
  releaseBlocks,
} from "../store.ts";

/** Waits for bookings of that day that are decided now. */
export const lockBookings = (ctx: Ctx, date: string): void => lockDay(ctx, date);

/** Before tables change: no booking is decided by tables that are about to be removed. */
export const lockAllBookings = (ctx: Ctx): void => lockTables(ctx);

/** Bookings to come and parties that are here, by table. */
export const readBookingCounts = (ctx: Ctx, tableIds: readonly number[]): Promise<Map<number, number>> => countBookingsOf(ctx, tableIds);

export const readBookingCountsOfBranches = (ctx: Ctx, branchIds: readonly number[]): Promise<Map<number, number>> =>
  countBookingsOfBranches(ctx, branchIds);

export const hasBookingsToCome = (ctx: Ctx): Promise<boolean> => findBookingToCome(ctx);

export const countBookingsOfDay = (ctx: Ctx, branchId: number, date: string): Promise<number> => countBookingsOn(ctx, branchId, date);

export const holdForBlock = (ctx: Ctx, blockId: string, tableIds: readonly number[], { startsAt, endsAt }: Stay): void =>
  holdTables(ctx, { blockId }, tableIds, { from: startsAt, to: endsAt });

export const countBlockHolds = (ctx: Ctx): Promise<number> => countTablesOfBlocks(ctx);

export const freeBlockedTables = (ctx: Ctx, blockIds: readonly string[]): void => releaseBlocks(ctx, blockIds);
