/** Branches, tables and rules in a venue file. */
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { sql } from "kysely";
import { idsByKey, removeOthers, replaceRows, upsertRows } from "#db/bulk-upsert.ts";
import { builder, oneRow } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import { ON_PLAN, writeTables } from "./store.ts";

type SettingsPart = Pick<VenueFile, "branches" | "tables" | "table_combinations" | "ordering" | "booking" | "charges">;

export const applySettings = async (ctx: Ctx, file: SettingsPart): Promise<void> => {
  await applyBranches(ctx, file.branches);
  await applyTables(ctx, file);
  const documents = {
    ordering: JSON.stringify(file.ordering),
    booking: JSON.stringify(file.booking),
    charges: JSON.stringify(file.charges),
    updated_at: ctx.now,
  };
  await ctx.db.query(
    builder
      .insertInto("settings")
      .values({ restaurant_id: ctx.tenant.id, ...documents })
      .onConflict((conflict) => conflict.column("restaurant_id").doUpdateSet(documents)),
  );
};

const applyBranches = async (ctx: Ctx, branches: SettingsPart["branches"]): Promise<void> => {
  // Clear the default first: the unique index is checked per row, and the default may move between branches.
  await ctx.db.query(sql`update branches set is_default = false where restaurant_id = ${ctx.tenant.id} and is_default`);
  await upsertRows(
    ctx,
    { table: "branches" },
    branches.map(({ key, name, is_default, address, hours }, index) => ({
      key,
      name,
      is_default,
      address,
      hours,
      sort_order: index,
      deleted_at: null,
    })),
  );
  await removeOthers(
    ctx,
    "branches",
    branches.map(({ key }) => key),
  );
  const branchId = await idsByKey(ctx, "branches");
  const closingDays = branches.flatMap(({ key, closing_days }) =>
    closing_days.map(({ date, reason }) => ({ branch_id: branchId(key), date, reason })),
  );
  replaceRows(ctx, "closing_days", closingDays);
};

const applyTables = async (ctx: Ctx, { tables, table_combinations }: SettingsPart): Promise<void> => {
  const branchId = await idsByKey(ctx, "branches");
  const rows = tables.map(({ branch, place = null, shape = "square", ...table }) => ({
    ...table,
    branch_id: branchId(branch),
    place,
    shape,
  }));
  await writeTables(ctx, rows, table_combinations);
};

export const collectSettings = async (ctx: Ctx): Promise<SettingsPart> => {
  const [branches, tables, table_combinations] = [await collectBranches(ctx), await collectTables(ctx), await collectCombinations(ctx)];
  const documents = await oneRow(
    ctx.db.query(builder.selectFrom("settings").select(["ordering", "booking", "charges"]).where("restaurant_id", "=", ctx.tenant.id)),
  );
  return { branches, tables, table_combinations, ...documents };
};

const collectBranches = (ctx: Ctx): Promise<SettingsPart["branches"]> =>
  ctx.db.query(sql<SettingsPart["branches"][number]>`
    select b.key, b.name, b.is_default, b.address, b.hours,
      (select coalesce(json_agg(json_build_object('date', d.date, 'reason', d.reason) order by d.date), '[]')
       from closing_days d where d.restaurant_id = b.restaurant_id and d.branch_id = b.id) as closing_days
    from branches b where b.restaurant_id = ${ctx.tenant.id} and b.deleted_at is null order by b.sort_order, b.id`);

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
