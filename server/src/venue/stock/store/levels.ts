import type { StockEntryKind } from "@comanda/contract/console/stock.ts";
import type { StockUnit } from "@comanda/contract/console/stock-kinds.ts";
import type { Translations } from "@comanda/contract/shared.ts";
import { sql } from "kysely";
import { first } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import type { IngredientAmount } from "../rules.ts";

export type LevelRow = {
  id: number;
  name: Translations;
  sku: string;
  unit: StockUnit;
  sells_out: boolean;
  on_hand_milli: number;
  par_milli: number | null;
  known_since: Date | null;
  counted_at: Date | null;
};

const levels = (ctx: Ctx, branchId: number) => sql`
  select i.id, i.name, i.sku, i.unit, i.sells_out, coalesce(l.on_hand_milli, 0) as on_hand_milli, l.par_milli, l.known_since, l.counted_at
  from ingredients i
  left join stock_levels l on l.restaurant_id = i.restaurant_id and l.branch_id = ${branchId} and l.ingredient_id = i.id
  where i.restaurant_id = ${ctx.tenant.id} and i.deleted_at is null`;

/** Levels are in the owner's order. */
export const listLevels = (ctx: Ctx, branchId: number, rowCount: number): Promise<LevelRow[]> =>
  ctx.db.query(sql<LevelRow>`${levels(ctx, branchId)} order by i.sort_order, i.id limit ${rowCount}`);

export const listLevelsOf = (ctx: Ctx, branchId: number, ids: readonly number[]): Promise<LevelRow[]> =>
  ctx.db.query(sql<LevelRow>`${levels(ctx, branchId)} and i.id = any(${[...ids]}::bigint[]) order by i.sort_order, i.id`);

/** Locks the level until the transaction ends. A branch that has none yet gets one. */
export const lockLevel = async (ctx: Ctx, branchId: number, ingredientId: number): Promise<void> => {
  ctx.db.defer(sql`
    insert into stock_levels (restaurant_id, branch_id, ingredient_id) values (${ctx.tenant.id}, ${branchId}, ${ingredientId})
    on conflict do nothing`);
  await ctx.db.query(sql`
    select from stock_levels where restaurant_id = ${ctx.tenant.id} and branch_id = ${branchId} and ingredient_id = ${ingredientId} for update`);
};

export type BookedEntry = Pick<LevelRow, "name" | "sku" | "unit" | "sells_out"> & {
  ingredient_id: number;
  amount_milli: number;
  on_hand_milli: number;
  par_milli: number | null;
};

export type NewEntries = {
  branchId: number;
  kind: StockEntryKind;
  /** Signed, in the order of their ingredients. Of a count, what is there. */
  amounts: readonly IngredientAmount[];
  orderId?: string;
  lineId?: number;
  reason?: string | null;
};

/** The database changes each level with its entry, in the order of the ingredients, and returns what it came to. */
export const insertEntries = (ctx: Ctx, { branchId, kind, amounts, orderId, lineId, reason }: NewEntries): Promise<BookedEntry[]> =>
  ctx.db.query(sql<BookedEntry>`
    with booked as (
      insert into stock_entries (restaurant_id, branch_id, ingredient_id, kind, amount_milli, counted_milli, order_id, line_id, reason,
        recorded_by, recorded_at)
      select ${ctx.tenant.id}::bigint, ${branchId}::bigint, given.ingredient_id, ${kind},
        case when ${kind} = 'count' then 0 else given.milli end, case when ${kind} = 'count' then given.milli end,
        ${orderId ?? null}::uuid, ${lineId ?? null}::bigint, ${reason ?? null}, ${ctx.actor.name}, ${ctx.now}::timestamptz
      from unnest(${amounts.map(({ ingredient_id }) => ingredient_id)}::bigint[], ${amounts.map(({ milli }) => milli)}::bigint[])
        given (ingredient_id, milli)
      order by given.ingredient_id
      returning ingredient_id, amount_milli, on_hand_milli, par_milli
    )
    select b.ingredient_id, b.amount_milli, b.on_hand_milli, b.par_milli, i.name, i.sku, i.unit, i.sells_out
    from booked b join ingredients i on i.restaurant_id = ${ctx.tenant.id} and i.id = b.ingredient_id order by b.ingredient_id`);

export type StockEntryRow = {
  id: number;
  kind: StockEntryKind;
  amount_milli: number;
  on_hand_milli: number;
  order_id: string | null;
  order_number: number | null;
  reason: string | null;
  recorded_by: string;
  recorded_at: Date;
};

/** The newest come first. Ids of two cells do not show which came first. */
export const listStockEntries = (ctx: Ctx, branchId: number, ingredientId: number, rowCount: number): Promise<StockEntryRow[]> =>
  ctx.db.query(sql<StockEntryRow>`
    select e.id, e.kind, e.amount_milli, e.on_hand_milli, e.order_id, e.reason, e.recorded_by, e.recorded_at,
      (select o.number from orders o where o.restaurant_id = e.restaurant_id and o.id = e.order_id) as order_number
    from stock_entries e
    where e.restaurant_id = ${ctx.tenant.id} and e.branch_id = ${branchId} and e.ingredient_id = ${ingredientId}
    order by e.recorded_at desc, e.id desc limit ${rowCount}`);

/** The last entry of a level, for the person who counts at the same time. */
export const findLastEntry = (ctx: Ctx, branchId: number, ingredientId: number): Promise<StockEntryRow | undefined> =>
  first(listStockEntries(ctx, branchId, ingredientId, 1));
