import type { CategoryToday } from "@comanda/contract/console/menu-today.ts";
import type { Translations } from "@comanda/contract/shared.ts";
import { sql } from "kysely";
import { first, oneRow } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";

/** Inside JSON a moment is a text. */
type StoredSelling = { is_available: boolean; sold_out_until: string | null };
export type DishRow = StoredSelling & { id: number; category_id: number; name: Translations; remaining: number | null };
export type OptionTodayRow = StoredSelling & { id: number; name: Translations; group_name: Translations; dishes: number };

/** One statement, so that dishes and options come from one snapshot. */
export const findMenuToday = (ctx: Ctx) =>
  oneRow(
    ctx.db.query(sql<{ categories: CategoryToday[]; dishes: DishRow[]; options: OptionTodayRow[] }>`
      select
        (select coalesce(json_agg(json_build_object('id', c.id, 'name', c.name, 'menu_name', m.name)
           order by m.sort_order, m.id, c.sort_order, c.id), '[]')
         from categories c join menus m on m.restaurant_id = c.restaurant_id and m.id = c.menu_id and m.deleted_at is null
         where c.restaurant_id = ${ctx.tenant.id} and c.deleted_at is null) as categories,
        (select coalesce(json_agg(json_build_object('id', i.id, 'category_id', i.category_id, 'name', i.name,
           'is_available', i.is_available, 'sold_out_until', i.sold_out_until, 'remaining', n.remaining)
           order by m.sort_order, m.id, c.sort_order, c.id, i.sort_order, i.id), '[]')
         from items i join categories c on c.restaurant_id = i.restaurant_id and c.id = i.category_id and c.deleted_at is null
         join menus m on m.restaurant_id = c.restaurant_id and m.id = c.menu_id and m.deleted_at is null
         left join item_counts n on n.restaurant_id = i.restaurant_id and n.item_id = i.id
         where i.restaurant_id = ${ctx.tenant.id} and i.deleted_at is null) as dishes,
        (select coalesce(json_agg(row_to_json(shown) order by shown.sort_order, shown.group_id, shown.place, shown.id), '[]')
         from (${OPTIONS} where o.restaurant_id = ${ctx.tenant.id} and o.deleted_at is null) shown where shown.dishes > 0) as options`),
  );

const OPTIONS = sql`
  select o.id, o.name, o.is_available, o.sold_out_until, o.group_id, o.sort_order as place, g.name as group_name, g.sort_order,
    (select count(*)::integer from item_modifier_groups ig
     join items i on i.restaurant_id = ig.restaurant_id and i.id = ig.item_id and i.deleted_at is null
     where ig.restaurant_id = o.restaurant_id and ig.group_id = o.group_id) as dishes
  from modifier_options o join modifier_groups g on g.restaurant_id = o.restaurant_id and g.id = o.group_id and g.deleted_at is null`;

export const findOption = (ctx: Ctx, id: number): Promise<OptionTodayRow | undefined> =>
  first(
    ctx.db.query(sql<OptionTodayRow>`
      select shown.id, shown.name, shown.is_available, to_json(shown.sold_out_until) #>> '{}' as sold_out_until, shown.group_name, shown.dishes
      from (${OPTIONS} where o.restaurant_id = ${ctx.tenant.id} and o.id = ${id} and o.deleted_at is null) shown`),
  );
