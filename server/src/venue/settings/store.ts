import type { VenueBranch } from "@comanda/contract/console/venue-settings.ts";
import type { Translations } from "@comanda/contract/shared.ts";
import type { OrderType } from "@comanda/contract/venue/orders.ts";
import type { BookingRules } from "@comanda/contract/venue-file/booking-rules.ts";
import type { Charges } from "@comanda/contract/venue-file/charges.ts";
import type { OrderingRules } from "@comanda/contract/venue-file/ordering-rules.ts";
import type { TablePlace, TableShape } from "@comanda/contract/venue-file/restaurant.ts";
import type { ReviewRules } from "@comanda/contract/venue-file/review-rules.ts";
import type { ShiftRules } from "@comanda/contract/venue-file/shift-rules.ts";
import { sql } from "kysely";
import { idsByKey, insertRows, removeOthers, replaceRows, upsertRows } from "#db/bulk-upsert.ts";
import { oneRow, precompiled } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import { newTableCode } from "#lib/ids.ts";
import type { BranchHours } from "./rules/opening-hours.ts";
import type { StoredLoad } from "./rules/order-types.ts";

export type OrderTableRow = { id: number; name: string; code: string | null; branch_id: number };
export type OrderingSettings = {
  ordering: OrderingRules;
  charges: Charges;
  branches: BranchHours[];
  loads: StoredLoad[];
  table: OrderTableRow | null;
};

/** Each order type has at most one. */
const LOADS = sql`
  (select coalesce(json_agg(json_build_object('type', p.type, 'paused_until', p.paused_until, 'busy_until', p.busy_until,
     'extra_minutes', p.extra_minutes)), '[]')
   from order_pauses p where p.restaurant_id = s.restaurant_id)`;

/** Closing days from a year ago on: reservations look far ahead, and a span may have started yesterday. */
const BRANCHES = sql`
  (select json_agg(json_build_object('id', b.id, 'is_default', b.is_default, 'hours', b.hours, 'closing_days',
     (select coalesce(json_agg(d.date), '[]') from closing_days d
      where d.restaurant_id = b.restaurant_id and d.branch_id = b.id and d.date >= current_date - 366)))
   from branches b where b.restaurant_id = s.restaurant_id and b.deleted_at is null)`;

const ORDERING_SETTINGS = precompiled(
  (tenantId: number, tableCode: string | null) => sql<OrderingSettings>`
    select s.ordering, s.charges, ${BRANCHES} as branches, ${LOADS} as loads,
      (select json_build_object('id', t.id, 'name', t.name, 'code', t.code, 'branch_id', t.branch_id)
       from dining_tables t where t.restaurant_id = s.restaurant_id and t.code = ${tableCode} and t.is_active and t.deleted_at is null) as "table"
    from settings s where s.restaurant_id = ${tenantId}`,
);

export const findOrderingSettings = (ctx: Ctx, tableCode: string | null): Promise<OrderingSettings> =>
  oneRow(ctx.db.query(ORDERING_SETTINGS(ctx.tenant.id, tableCode)));

/** What the venue offers, and what is paused or busy of it. */
export const findOrderTypes = (ctx: Ctx): Promise<Pick<OrderingSettings, "ordering" | "loads">> =>
  oneRow(
    ctx.db.query(sql<Pick<OrderingSettings, "ordering" | "loads">>`
      select s.ordering, ${LOADS} as loads from settings s where s.restaurant_id = ${ctx.tenant.id}`),
  );

/** Locks the row of the type until the transaction ends, and inserts it first where there is none: two people can begin at once. */
export const lockLoad = (ctx: Ctx, type: OrderType): Promise<StoredLoad> =>
  oneRow(
    ctx.db.query(sql<StoredLoad>`
      insert into order_pauses (restaurant_id, type) values (${ctx.tenant.id}, ${type})
      on conflict (restaurant_id, type) do update set type = excluded.type
      returning type, to_json(paused_until) #>> '{}' as paused_until, to_json(busy_until) #>> '{}' as busy_until, extra_minutes`),
  );

export const updateLoad = (ctx: Ctx, { type, paused_until, busy_until, extra_minutes }: StoredLoad): void =>
  ctx.db.defer(sql`
    update order_pauses set paused_until = ${paused_until}, busy_until = ${busy_until}, extra_minutes = ${extra_minutes}
    where restaurant_id = ${ctx.tenant.id} and type = ${type}`);

export type BranchName = { id: number; name: Translations };

/** Branches are in the owner's order. */
export const listBranchNames = (ctx: Ctx): Promise<BranchName[]> =>
  ctx.db.query(sql<BranchName>`
    select id, name from branches where restaurant_id = ${ctx.tenant.id} and deleted_at is null order by sort_order, id`);

export type VenueRules = {
  ordering: OrderingRules;
  charges: Charges;
  booking: BookingRules;
  loads: StoredLoad[];
  branches: (Pick<VenueBranch, "id" | "name" | "is_default" | "address" | "hours"> & {
    closing_days: string[];
    tables: { id: number; name: string; code: string | null; seats: number }[];
  })[];
};

/** What the venue offers, where and when, in the owner's order: closing days of these dates, and active tables. */
export const findVenueRules = (ctx: Ctx, { from, to }: { from: string; to: string }): Promise<VenueRules> =>
  oneRow(
    ctx.db.query(sql<VenueRules>`
      select s.ordering, s.charges, s.booking, ${LOADS} as loads,
        (select coalesce(json_agg(json_build_object('id', b.id, 'name', b.name, 'is_default', b.is_default, 'address', b.address, 'hours', b.hours,
           'closing_days', (select coalesce(json_agg(d.date order by d.date), '[]') from closing_days d
             where d.restaurant_id = b.restaurant_id and d.branch_id = b.id and d.date between ${from}::date and ${to}::date),
           'tables', (select coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'code', t.code, 'seats', t.seats)
               order by t.sort_order, t.id), '[]') from dining_tables t
             where t.restaurant_id = b.restaurant_id and t.branch_id = b.id and t.is_active and t.deleted_at is null))
           order by b.sort_order, b.id), '[]')
         from branches b where b.restaurant_id = s.restaurant_id and b.deleted_at is null) as branches
      from settings s where s.restaurant_id = ${ctx.tenant.id}`),
  );

/** In the owner's order, as a venue file has them. */
export const listBranches = (ctx: Ctx): Promise<VenueBranch[]> =>
  ctx.db.query(sql<VenueBranch>`
    select b.id, b.key, b.name, b.is_default, b.address, b.hours,
      (select coalesce(json_agg(json_build_object('date', d.date, 'reason', d.reason) order by d.date), '[]')
       from closing_days d where d.restaurant_id = b.restaurant_id and d.branch_id = b.id) as closing_days
    from branches b where b.restaurant_id = ${ctx.tenant.id} and b.deleted_at is null order by b.sort_order, b.id`);

export const takeBranchIds = async (ctx: Ctx, count: number): Promise<number[]> =>
  (await ctx.db.query(sql<{ id: number }>`select nextval('app.branch_ids') as id from generate_series(1, ${count}::integer)`)).map(
    ({ id }) => Number(id),
  );

/** A branch of a file has no id: it keeps the one of its key. */
export type WrittenBranch = Omit<VenueBranch, "id"> & { id?: number };

/** Makes the branches and their closing days equal to these. A branch that is missing is marked as deleted. */
export const writeBranches = async (ctx: Ctx, branches: readonly WrittenBranch[]): Promise<void> => {
  // Clear the default first: the unique index is checked per row, and the default may move between branches.
  await ctx.db.query(sql`update branches set is_default = false where restaurant_id = ${ctx.tenant.id} and is_default`);
  await upsertRows(
    ctx,
    { table: "branches" },
    branches.map(({ closing_days: _, ...branch }, index) => ({ ...branch, sort_order: index, deleted_at: null })),
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

export const insertClosingDay = (ctx: Ctx, branchId: number, { date, reason }: VenueBranch["closing_days"][number]): void =>
  insertRows(ctx, "closing_days", [{ branch_id: branchId, date, reason }]);

export const deleteClosingDay = (ctx: Ctx, branchId: number, date: string): void =>
  ctx.db.defer(sql`
    delete from closing_days where restaurant_id = ${ctx.tenant.id} and branch_id = ${branchId} and date = ${date}::date`);

export type OrderChoices = { ordering: OrderingRules; tables: { code: string; name: string; branch_id: number }[] };

/** What staff choose from for an order: types, cities, and the active tables that have a code, in the owner's order. */
export const findOrderChoices = (ctx: Ctx): Promise<OrderChoices> =>
  oneRow(
    ctx.db.query(sql<OrderChoices>`
      select s.ordering,
        (select coalesce(json_agg(json_build_object('code', t.code, 'name', t.name, 'branch_id', t.branch_id) order by t.sort_order, t.id), '[]')
         from dining_tables t
         where t.restaurant_id = s.restaurant_id and t.is_active and t.deleted_at is null and t.code is not null) as tables
      from settings s where s.restaurant_id = ${ctx.tenant.id}`),
  );

/** Place and shape on the floor plan. */
export const ON_PLAN = sql`
  case when t.place_x is null then null else json_build_object('x', t.place_x, 'y', t.place_y) end as place, coalesce(t.shape, 'square') as shape`;

export type FloorTableRow = {
  id: number;
  name: string;
  code: string | null;
  seats: number;
  branch_id: number;
  place: TablePlace | null;
  shape: TableShape;
};

/** The active tables, in the owner's order. */
export const listFloorTables = (ctx: Ctx): Promise<FloorTableRow[]> =>
  ctx.db.query(sql<FloorTableRow>`
    select t.id, t.name, t.code, t.seats, t.branch_id, ${ON_PLAN} from dining_tables t
    where t.restaurant_id = ${ctx.tenant.id} and t.is_active and t.deleted_at is null order by t.sort_order, t.id`);

export type StoredTable = FloorTableRow & { key: string; is_active: boolean };

/** Lists all tables, including those that are not active. */
export const listTables = (ctx: Ctx): Promise<StoredTable[]> =>
  ctx.db.query(sql<StoredTable>`
    select t.id, t.key, t.branch_id, t.name, t.code, t.seats, t.is_active, ${ON_PLAN} from dining_tables t
    where t.restaurant_id = ${ctx.tenant.id} and t.deleted_at is null order by t.sort_order, t.id`);

export type StoredCombination = { table_ids: number[]; seats: number };

/** A combination of which a table was removed is left out. */
export const listCombinations = (ctx: Ctx): Promise<StoredCombination[]> =>
  ctx.db.query(sql<StoredCombination>`
    select c.seats, m.table_ids from table_combinations c
      cross join lateral (
        select json_agg(m.table_id order by m.sort_order) as table_ids, bool_and(t.deleted_at is null) as is_whole
        from table_combination_members m join dining_tables t on t.restaurant_id = m.restaurant_id and t.id = m.table_id
        where m.restaurant_id = c.restaurant_id and m.combination_id = c.id) m
    where c.restaurant_id = ${ctx.tenant.id} and m.is_whole order by c.sort_order, c.id`);

export const takeTableIds = async (ctx: Ctx, count: number): Promise<number[]> =>
  (await ctx.db.query(sql<{ id: number }>`select nextval('app.table_ids') as id from generate_series(1, ${count}::integer)`)).map(
    ({ id }) => Number(id),
  );

/** A table of a file has no id: it keeps the one of its key. */
export type WrittenTable = Omit<StoredTable, "id"> & { id?: number };
export type WrittenCombination = { tables: readonly string[]; seats: number };

/** Makes the tables and combinations of all branches equal to these. A table that is missing is marked as deleted. */
export const writeTables = async (
  ctx: Ctx,
  tables: readonly WrittenTable[],
  combinations: readonly WrittenCombination[],
): Promise<void> => {
  // Clear the codes first: two tables may swap theirs.
  await ctx.db.query(sql`update dining_tables set code = null where restaurant_id = ${ctx.tenant.id} and code is not null`);
  await upsertRows(
    ctx,
    { table: "dining_tables" },
    tables.map(({ place, code, ...table }, index) => ({
      ...table,
      code: code ?? newTableCode(),
      place_x: place?.x ?? null,
      place_y: place?.y ?? null,
      sort_order: index,
      deleted_at: null,
    })),
  );
  await removeOthers(
    ctx,
    "dining_tables",
    tables.map(({ key }) => key),
  );
  await writeCombinations(ctx, combinations);
};

const writeCombinations = async (ctx: Ctx, combinations: readonly WrittenCombination[]): Promise<void> => {
  await ctx.db.query(sql`delete from table_combinations where restaurant_id = ${ctx.tenant.id}`);
  if (combinations.length === 0) return;
  const tableId = await idsByKey(ctx, "dining_tables");
  const written = await ctx.db.query(sql<{ id: number; sort_order: number }>`
    insert into table_combinations (restaurant_id, seats, sort_order)
    select ${ctx.tenant.id}::bigint, seats, position - 1
    from unnest(${combinations.map(({ seats }) => seats)}::integer[]) with ordinality as given (seats, position)
    returning id, sort_order`);
  insertRows(
    ctx,
    "table_combination_members",
    written.flatMap(({ id, sort_order }) =>
      (combinations[sort_order]?.tables ?? []).map((key, index) => ({ combination_id: id, table_id: tableId(key), sort_order: index })),
    ),
  );
};

/** Lists the codes of the active tables. */
export const listTableCodes = (ctx: Ctx): Promise<{ code: string }[]> =>
  ctx.db.query(sql<{ code: string }>`
    select code from dining_tables
    where restaurant_id = ${ctx.tenant.id} and is_active and deleted_at is null and code is not null order by sort_order, id`);

export type BookingSettings = {
  booking: BookingRules;
  branches: BranchHours[];
  tables: { id: number; branch_id: number; seats: number; is_active: boolean }[];
  combinations: { table_ids: number[]; seats: number }[];
};

/** Branches, active tables and their combinations, in the owner's order. */
const BOOKING_SETTINGS = precompiled(
  (tenantId: number) => sql<BookingSettings>`
      select s.booking, ${BRANCHES} as branches,
        (select coalesce(json_agg(json_build_object('id', t.id, 'branch_id', t.branch_id, 'seats', t.seats, 'is_active', t.is_active)
           order by t.sort_order, t.id), '[]')
         from dining_tables t where t.restaurant_id = s.restaurant_id and t.is_active and t.deleted_at is null) as tables,
        (select coalesce(json_agg(json_build_object('seats', c.seats, 'table_ids',
           (select json_agg(m.table_id order by m.sort_order) from table_combination_members m
            where m.restaurant_id = c.restaurant_id and m.combination_id = c.id)) order by c.sort_order, c.id), '[]')
         from table_combinations c where c.restaurant_id = s.restaurant_id) as combinations
      from settings s where s.restaurant_id = ${tenantId}`,
);

export const findBookingSettings = (ctx: Ctx): Promise<BookingSettings> => oneRow(ctx.db.query(BOOKING_SETTINGS(ctx.tenant.id)));

/** The taxes that a dish can have. */
export const findTaxes = async (ctx: Ctx): Promise<Charges["taxes"]> =>
  (await oneRow(ctx.db.query(sql<{ charges: Charges }>`select charges from settings where restaurant_id = ${ctx.tenant.id}`))).charges
    .taxes;

export const findBookingRules = async (ctx: Ctx): Promise<BookingRules> =>
  (await oneRow(ctx.db.query(sql<{ booking: BookingRules }>`select booking from settings where restaurant_id = ${ctx.tenant.id}`))).booking;

/** Locks the settings until the transaction ends. */
export const lockBookingRules = async (ctx: Ctx): Promise<BookingRules> =>
  (
    await oneRow(
      ctx.db.query(sql<{ booking: BookingRules }>`select booking from settings where restaurant_id = ${ctx.tenant.id} for no key update`),
    )
  ).booking;

export const updateBookingRules = (ctx: Ctx, rules: BookingRules): void =>
  ctx.db.defer(sql`
    update settings set booking = ${JSON.stringify(rules)}::jsonb, updated_at = ${ctx.now} where restaurant_id = ${ctx.tenant.id}`);

export const findReviewRules = async (ctx: Ctx): Promise<ReviewRules> =>
  (await oneRow(ctx.db.query(sql<{ reviews: ReviewRules }>`select reviews from settings where restaurant_id = ${ctx.tenant.id}`))).reviews;

/** Locks the settings until the transaction ends. */
export const lockReviewRules = async (ctx: Ctx): Promise<ReviewRules> =>
  (
    await oneRow(
      ctx.db.query(sql<{ reviews: ReviewRules }>`select reviews from settings where restaurant_id = ${ctx.tenant.id} for no key update`),
    )
  ).reviews;

export const updateReviewRules = (ctx: Ctx, rules: ReviewRules): void =>
  ctx.db.defer(sql`
    update settings set reviews = ${JSON.stringify(rules)}::jsonb, updated_at = ${ctx.now} where restaurant_id = ${ctx.tenant.id}`);

export const findShiftRules = (ctx: Ctx): Promise<ShiftRules> =>
  oneRow(ctx.db.query(sql<ShiftRules>`select first_weekday from settings where restaurant_id = ${ctx.tenant.id}`));

/** Locks the row until the transaction ends. */
export const lockShiftRules = (ctx: Ctx): Promise<ShiftRules> =>
  oneRow(ctx.db.query(sql<ShiftRules>`select first_weekday from settings where restaurant_id = ${ctx.tenant.id} for no key update`));

/** Processes of the version before read this document. It is deleted with the column `shifts`. */
export const formerShiftRules = ({ first_weekday }: ShiftRules): string => JSON.stringify({ week_start: first_weekday });

export const updateShiftRules = (ctx: Ctx, rules: ShiftRules): void =>
  ctx.db.defer(sql`
    update settings set first_weekday = ${rules.first_weekday}, shifts = ${formerShiftRules(rules)}::jsonb, updated_at = ${ctx.now}
    where restaurant_id = ${ctx.tenant.id}`);

export type SalesRules = { ordering: OrderingRules; charges: Charges };

export const findSalesRules = (ctx: Ctx): Promise<SalesRules> =>
  oneRow(ctx.db.query(sql<SalesRules>`select ordering, charges from settings where restaurant_id = ${ctx.tenant.id}`));

/** Locks the settings until the transaction ends. */
export const lockSalesRules = (ctx: Ctx): Promise<SalesRules> =>
  oneRow(ctx.db.query(sql<SalesRules>`select ordering, charges from settings where restaurant_id = ${ctx.tenant.id} for no key update`));

export const updateOrdering = (ctx: Ctx, ordering: OrderingRules): void =>
  ctx.db.defer(sql`
    update settings set ordering = ${JSON.stringify(ordering)}::jsonb, updated_at = ${ctx.now} where restaurant_id = ${ctx.tenant.id}`);

export const updateCharges = (ctx: Ctx, charges: Charges): void =>
  ctx.db.defer(sql`
    update settings set charges = ${JSON.stringify(charges)}::jsonb, updated_at = ${ctx.now} where restaurant_id = ${ctx.tenant.id}`);
