import type { Translations } from "@comanda/contract/shared.ts";
import type { OrderType } from "@comanda/contract/venue/orders.ts";
import type { BookingRules } from "@comanda/contract/venue-file/booking-rules.ts";
import type { Charges } from "@comanda/contract/venue-file/charges.ts";
import type { OrderingRules } from "@comanda/contract/venue-file/ordering-rules.ts";
import { sql } from "kysely";
import { oneRow, precompiled } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
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

/** At most one for each order type. */
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

export const findOrderingSettings = (ctx: Ctx, tableCode: string | null): Promise<OrderingSettings> =>
  oneRow(
    ctx.db.query(sql<OrderingSettings>`
      select s.ordering, s.charges, ${BRANCHES} as branches, ${LOADS} as loads,
        (select json_build_object('id', t.id, 'name', t.name, 'code', t.code, 'branch_id', t.branch_id)
         from dining_tables t where t.restaurant_id = s.restaurant_id and t.code = ${tableCode} and t.is_active and t.deleted_at is null) as "table"
      from settings s where s.restaurant_id = ${ctx.tenant.id}`),
  );

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

export const listBranchNames = (ctx: Ctx): Promise<BranchName[]> =>
  ctx.db.query(sql<BranchName>`
    select id, name from branches where restaurant_id = ${ctx.tenant.id} and deleted_at is null order by sort_order, id`);

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

/** Of the active tables. */
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
