/** The stored menu, row by row. */
import { sql } from "kysely";
import { oneRow } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import type { MenuRows } from "../rules/plan.ts";

export const readMenuRows = async (ctx: Ctx): Promise<MenuRows> => {
  const [modifier_groups, menus, categories, items, happy_hours] = await Promise.all([
    listGroups(ctx),
    listMenus(ctx),
    listCategories(ctx),
    listItems(ctx),
    listHappyHours(ctx),
  ]);
  return { modifier_groups, menus, categories, items, happy_hours };
};

/** Counts what is not removed. */
export const countMenu = (ctx: Ctx): Promise<{ dishes: number; categories: number; options: number }> =>
  oneRow(
    ctx.db.query(sql<{ dishes: number; categories: number; options: number }>`
      select (select count(*)::integer from items where restaurant_id = ${ctx.tenant.id} and deleted_at is null) as dishes,
        (select count(*)::integer from categories where restaurant_id = ${ctx.tenant.id} and deleted_at is null) as categories,
        (select count(*)::integer from modifier_options o join modifier_groups g on g.restaurant_id = o.restaurant_id and g.id = o.group_id
         where o.restaurant_id = ${ctx.tenant.id} and o.deleted_at is null and g.deleted_at is null) as options`),
  );

/** The texts of the menu once, and all dishes with their extras. Keys are left out, because this need not be exact. */
export const measureMenu = (ctx: Ctx): Promise<{ bytes: number; shown: number }> =>
  oneRow(
    ctx.db.query(sql<{ bytes: number; shown: number }>`
      with of_group as (
        select g.id, octet_length(g.name::text) + coalesce((select sum(octet_length(o.name::text)) from modifier_options o
          where o.restaurant_id = g.restaurant_id and o.group_id = g.id and o.deleted_at is null), 0) as bytes
        from modifier_groups g where g.restaurant_id = ${ctx.tenant.id} and g.deleted_at is null
      ), of_item as (
        select i.id, octet_length(i.name::text) + coalesce(octet_length(i.description::text), 0) + coalesce((select sum(octet_length(v.name::text))
          from item_variants v where v.restaurant_id = i.restaurant_id and v.item_id = i.id and v.deleted_at is null), 0) as bytes
        from items i where i.restaurant_id = ${ctx.tenant.id} and i.deleted_at is null
      ), items_once as (select coalesce(sum(bytes), 0) as bytes from of_item)
      select (i.bytes + (select coalesce(sum(bytes), 0) from of_group))::bigint as bytes,
        (i.bytes + (select coalesce(sum(g.bytes), 0) from item_modifier_groups ig
          join of_item on of_item.id = ig.item_id join of_group g on g.id = ig.group_id
          where ig.restaurant_id = ${ctx.tenant.id}))::bigint as shown
      from items_once i`),
  );

const listGroups = (ctx: Ctx): Promise<MenuRows["modifier_groups"]> =>
  ctx.db.query(sql<MenuRows["modifier_groups"][number]>`
    select g.id, g.sort_order, g.key, g.name, g.min_select, g.max_select,
      (select coalesce(json_agg(json_build_object('key', o.key, 'name', o.name, 'price_minor', o.price_minor, 'is_available', o.is_available)
         order by o.sort_order, o.id), '[]')
       from modifier_options o where o.restaurant_id = g.restaurant_id and o.group_id = g.id and o.deleted_at is null) as options
    from modifier_groups g where g.restaurant_id = ${ctx.tenant.id} and g.deleted_at is null order by g.sort_order, g.id`);

const listMenus = (ctx: Ctx): Promise<MenuRows["menus"]> =>
  ctx.db.query(sql<MenuRows["menus"][number]>`
    select id, sort_order, key, name, is_active, hours from menus
    where restaurant_id = ${ctx.tenant.id} and deleted_at is null order by sort_order, id`);

const listCategories = (ctx: Ctx): Promise<MenuRows["categories"]> =>
  ctx.db.query(sql<MenuRows["categories"][number]>`
    select id, sort_order, menu_id, key, name, is_active, hours, station from categories
    where restaurant_id = ${ctx.tenant.id} and deleted_at is null order by sort_order, id`);

const listItems = (ctx: Ctx): Promise<MenuRows["items"]> =>
  ctx.db.query(sql<MenuRows["items"][number]>`
    select i.id, i.sort_order, i.category_id, i.key, i.name, i.description, i.price_minor,
      (select coalesce(json_agg(json_build_object('key', v.key, 'name', v.name, 'price_minor', v.price_minor, 'is_default', v.is_default)
         order by v.sort_order, v.id), '[]')
       from item_variants v where v.restaurant_id = i.restaurant_id and v.item_id = i.id and v.deleted_at is null) as variants,
      (select coalesce(json_agg(g.key order by l.sort_order), '[]') from item_modifier_groups l
       join modifier_groups g on g.restaurant_id = l.restaurant_id and g.id = l.group_id
       where l.restaurant_id = i.restaurant_id and l.item_id = i.id and g.deleted_at is null) as modifier_groups,
      i.dietary, i.allergens, i.is_available, i.show_online, i.tax_key as tax
    from items i where i.restaurant_id = ${ctx.tenant.id} and i.deleted_at is null order by i.sort_order, i.id`);

const listHappyHours = async (ctx: Ctx): Promise<MenuRows["happy_hours"]> => {
  const rows = await ctx.db.query(sql<MenuRows["happy_hours"][number] & { percent_off: string | null }>`
    select h.id, h.sort_order, h.key, h.name, h.is_active, h.hours, h.percent_off, h.price_minor, t.categories, t.items, t.variants
    from happy_hours h cross join lateral (
      select coalesce(json_agg(c.key order by x.sort_order) filter (where c.key is not null), '[]') as categories,
             coalesce(json_agg(i.key order by x.sort_order) filter (where i.key is not null), '[]') as items,
             coalesce(json_agg(json_build_object('item', vi.key, 'variant', v.key) order by x.sort_order) filter (where v.key is not null), '[]') as variants
      from happy_hour_targets x
      left join categories c on c.restaurant_id = x.restaurant_id and c.id = x.category_id
      left join items i on i.restaurant_id = x.restaurant_id and i.id = x.item_id
      left join item_variants v on v.restaurant_id = x.restaurant_id and v.id = x.variant_id
      left join items vi on vi.restaurant_id = v.restaurant_id and vi.id = v.item_id
      where x.restaurant_id = h.restaurant_id and x.happy_hour_id = h.id) t
    where h.restaurant_id = ${ctx.tenant.id} order by h.sort_order, h.id`);
  return rows.map((row) => ({ ...row, percent_off: row.percent_off === null ? null : Number(row.percent_off) }));
};
