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

export {
  countBookingsOf,
  countBookingsOfBranches,
  countBookingsOn,
  countTablesOfBlocks,
  findBookingToCome,
  lockDay,
  lockTables,
  releaseBlocks,
};

export const holdForBlock = (ctx: Ctx, blockId: string, tableIds: readonly number[], { startsAt, endsAt }: Stay): void =>
  holdTables(ctx, { blockId }, tableIds, { from: startsAt, to: endsAt });
