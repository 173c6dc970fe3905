/** Branches, tables and rules in a venue file. */
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { sql } from "kysely";
import { idsByKey } from "#db/bulk-upsert.ts";
import { builder, oneRow } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import { withPlaces } from "./rules/tables.ts";
import { formerShiftRules, listBranches, ON_PLAN, writeBranches, writeTables } from "./store.ts";

type SettingsPart = Pick<
  VenueFile,
  "branches" | "tables" | "table_combinations" | "ordering" | "booking" | "charges" | "reviews" | "shifts"
>;

export const applySettings = async (ctx: Ctx, file: SettingsPart): Promise<void> => {
  await writeBranches(ctx, file.branches);
  await applyTables(ctx, file);
  const columns = {
    ordering: JSON.stringify(file.ordering),
    booking: JSON.stringify(file.booking),
    charges: JSON.stringify(file.charges),
    reviews: JSON.stringify(file.reviews),
    first_weekday: file.shifts.first_weekday,
    shifts: formerShiftRules(file.shifts),
    updated_at: ctx.now,
  };
  await ctx.db.query(
    builder
      .insertInto("settings")
      .values({ restaurant_id: ctx.tenant.id, ...columns })
      .onConflict((conflict) => conflict.column("restaurant_id").doUpdateSet(columns)),
  );
};

const applyTables = async (ctx: Ctx, { tables, table_combinations }: SettingsPart): Promise<void> => {
  const [branchId, stored] = [await idsByKey(ctx, "branches"), await collectTables(ctx)];
  const rows = withPlaces(tables, stored).map(({ branch, ...table }) => ({ ...table, branch_id: branchId(branch) }));
  await writeTables(ctx, rows, table_combinations);
};

export const collectSettings = async (ctx: Ctx): Promise<SettingsPart> => {
  const [branches, tables, table_combinations] = [await collectBranches(ctx), await collectTables(ctx), await collectCombinations(ctx)];
  const { first_weekday, ...documents } = await oneRow(
    ctx.db.query(
      sql<Pick<VenueFile, "ordering" | "booking" | "charges" | "reviews"> & VenueFile["shifts"]>`
        select ordering, booking, charges, reviews, first_weekday from settings where restaurant_id = ${ctx.tenant.id}`,
    ),
  );
  return { branches, tables, table_combinations, ...documents, shifts: { first_weekday } };
};

const collectBranches = async (ctx: Ctx): Promise<SettingsPart["branches"]> =>
  (await listBranches(ctx)).map(({ id: _, ...branch }) => branch);

const collectTables = (ctx: Ctx): Promise<SettingsPart["tables"]> =>
  ctx.db.query(sql<SettingsPart["tables"][number]>`
    select t.key, b.key as branch, t.name, t.code, t.seats, t.is_active, ${ON_PLAN}
    from dining_tables t join branches b on b.restaurant_id = t.restaurant_id and b.id = t.branch_id
    where t.restaurant_id = ${ctx.tenant.id} and t.deleted_at is null order by t.sort_order, t.id`);

const collectCombinations = (ctx: Ctx): Promise<SettingsPart["table_combinations"]> =>
  ctx.db.query(sql<SettingsPart["table_combinations"][number]>`
    select (select json_agg(t.key order by m.sort_order) from table_combination_members m
            join dining_tables t on t.restaurant_id = m.restaurant_id and t.id = m.table_id
            where m.restaurant_id = c.restaurant_id and m.combination_id = c.id) as tables, c.seats
    from table_combinations c where c.restaurant_id = ${ctx.tenant.id} order by c.sort_order, c.id`);
