import type { BookingRules, Charges, Hours, OrderingRules } from "@comanda/contract/venue-file.ts";
import { sql } from "kysely";
import { only, standing } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";

export type BranchRow = { id: number; is_default: boolean; hours: Hours | null; closing_days: string[] };
export type TableRow = { id: number; name: string; code: string | null; branch_id: number };
export type OrderingSettings = { ordering: OrderingRules; charges: Charges; branches: BranchRow[]; table: TableRow | null };

/** Closing days of the last year and all to come: bookings look far ahead, and a night may have begun yesterday. */
const BRANCHES = sql`
  (select json_agg(json_build_object('id', b.id, 'is_default', b.is_default, 'hours', b.hours, 'closing_days',
     (select coalesce(json_agg(d.date), '[]') from closing_days d
      where d.restaurant_id = b.restaurant_id and d.branch_id = b.id and d.date >= current_date - 366)))
   from branches b where b.restaurant_id = s.restaurant_id and b.deleted_at is null)`;

export const findOrderingSettings = (ctx: Ctx, tableCode: string | null): Promise<OrderingSettings> =>
  only(
    ctx.db.query(sql<OrderingSettings>`
      select s.ordering, s.charges, ${BRANCHES} as branches,
        (select json_build_object('id', t.id, 'name', t.name, 'code', t.code, 'branch_id', t.branch_id)
         from dining_tables t where t.restaurant_id = s.restaurant_id and t.code = ${tableCode} and t.is_active and t.deleted_at is null) as "table"
      from settings s where s.restaurant_id = ${ctx.tenant.id}`),
  );

export type BookingSettings = {
  booking: BookingRules;
  branches: BranchRow[];
  tables: { id: number; branch_id: number; seats: number; is_active: boolean }[];
  combinations: { table_ids: number[]; seats: number }[];
};

/** Branches, active tables and their combinations, in the owner's order. */
const BOOKING_SETTINGS = standing(
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

export const findBookingSettings = (ctx: Ctx): Promise<BookingSettings> => only(ctx.db.query(BOOKING_SETTINGS(ctx.tenant.id)));
