/** Tables that no party can be given for a time. They are held as a booking holds them, so one constraint keeps both apart. */
import type { TableBlock } from "@comanda/contract/console/bookings.ts";
import type { Ctx } from "#lib/context.ts";
import { apiError, validationError } from "#lib/errors.ts";
import { newUuid } from "#lib/ids.ts";
import { addDays, type CalendarDate, formatDate, startOfDay } from "#lib/instant.ts";
import { wallClock } from "#lib/time-zone.ts";
import { recordAudit } from "#platform/activity/audit/service.ts";
import { listBlockedTables, readBookingContext } from "#venue/bookings/reservations/service/context.ts";
import { countTablesOfBlocks, holdForBlock, lockDay, releaseBlocks } from "../reservations/service/bookings.ts";
import { decideBlock, type WantedBlock } from "./rules.ts";
import { type BlockRow, closeBlock, closePastBlocks, insertBlock, listBlocks } from "./store.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

const presentBlock = ({ id, branch_id, starts_at, ends_at, reason, blocked_by }: BlockRow, tableIds: number[]): TableBlock => ({
  id,
  branch_id,
  table_ids: tableIds,
  starts_at: starts_at.toISOString(),
  ends_at: ends_at.toISOString(),
  reason,
  blocked_by,
});

export const readBlocks = async (ctx: Ctx, day: CalendarDate): Promise<TableBlock[]> => {
  const { zone } = ctx.tenant;
  const [blocks, tables] = await Promise.all([
    listBlocks(ctx, startOfDay(zone, day), startOfDay(zone, addDays(day, 2))),
    listBlockedTables(ctx, startOfDay(zone, day), startOfDay(zone, addDays(day, 2))),
  ]);
  return blocks.map((block) => presentBlock(block, tables.get(block.id) ?? []));
};

type BlockBody = { branch_id?: number | null; table_ids?: number[]; starts_at: string; ends_at: string; reason: string };

/** A block that would begin before now begins now: what was at the tables before does not stand in its way. */
const spanOf = ({ starts_at, ends_at }: BlockBody, now: Date): WantedBlock["span"] => ({
  startsAt: new Date(Math.max(Date.parse(starts_at), now.getTime())),
  endsAt: new Date(ends_at),
});

export const blockTables = async (ctx: Ctx, wanted: BlockBody): Promise<TableBlock> => {
  const span = spanOf(wanted, ctx.now);
  const day = wallClock(ctx.tenant.zone, span.startsAt);
  lockDay(ctx, formatDate(day));
  const [context, heldCount] = await Promise.all([readBookingContext(ctx, day), countTablesOfBlocks(ctx)]);
  const decided = decideBlock({ span, tableIds: wanted.table_ids ?? [], branchId: wanted.branch_id ?? null }, context, heldCount);
  if ("errors" in decided) throw validationError(decided.errors);
  const { branchId, tableIds } = decided;
  const block: BlockRow = {
    id: newUuid(ctx.now),
    branch_id: branchId,
    starts_at: span.startsAt,
    ends_at: span.endsAt,
    reason: wanted.reason,
    blocked_by: ctx.actor.name,
  };
  // What was blocked until yesterday holds nothing any more, and every reading of the tables would read it.
  const past = await closePastBlocks(ctx, new Date(ctx.now.getTime() - DAY_MS));
  if (past.length > 0)
    releaseBlocks(
      ctx,
      past.map(({ id }) => id),
    );
  insertBlock(ctx, block);
  holdForBlock(ctx, block.id, tableIds, span);
  recordAudit(ctx, {
    action: "table.blocked",
    subject: { kind: "block", id: block.id },
    after: { table_ids: tableIds, starts_at: block.starts_at.toISOString(), ends_at: block.ends_at.toISOString() },
    reason: wanted.reason,
  });
  return presentBlock(block, tableIds);
};

/** Two people may end a block. The second one gets 404. */
export const endBlock = async (ctx: Ctx, id: string): Promise<void> => {
  if (!(await closeBlock(ctx, id))) throw apiError("not_found");
  releaseBlocks(ctx, [id]);
  recordAudit(ctx, { action: "table.freed", subject: { kind: "block", id } });
};
