import { sql } from "kysely";
import { insertRows } from "#db/bulk-upsert.ts";
import { first, type Row } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";

export type BlockRow = Omit<Row<"table_blocks">, "restaurant_id" | "created_at" | "ended_at">;

export const insertBlock = (ctx: Ctx, block: BlockRow): void => insertRows(ctx, "table_blocks", [{ ...block, created_at: ctx.now }]);

/** Blocks that touch the time between the two instants. */
export const listBlocks = (ctx: Ctx, from: Date, to: Date): Promise<BlockRow[]> =>
  ctx.db.query(sql<BlockRow>`
    select id, branch_id, starts_at, ends_at, reason, blocked_by from table_blocks
    where restaurant_id = ${ctx.tenant.id} and ended_at is null and ends_at > ${from} and starts_at < ${to} order by starts_at, id limit 500`);

/** Returns the blocks that were over before. */
export const closePastBlocks = (ctx: Ctx, before: Date): Promise<{ id: string }[]> =>
  ctx.db.query(sql<{ id: string }>`
    update table_blocks set ended_at = ends_at where restaurant_id = ${ctx.tenant.id} and ended_at is null and ends_at < ${before} returning id`);

/** Undefined: it has ended, or there is none. */
export const closeBlock = (ctx: Ctx, id: string): Promise<{ id: string } | undefined> =>
  first(
    ctx.db.query(sql<{ id: string }>`
      update table_blocks set ended_at = ${ctx.now} where restaurant_id = ${ctx.tenant.id} and id = ${id} and ended_at is null returning id`),
  );
