import type { Allergen, Dietary } from "@comanda/contract/menu.ts";
import type { Translations } from "@comanda/contract/shared.ts";
import type { Hours } from "@comanda/contract/venue-file.ts";
import { sql } from "kysely";
import { insertRows } from "#db/apply.ts";
import { first, only, q, standing } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import { newKey } from "#lib/ids.ts";
import type { HappyHourRow, PriceList, SellableDish } from "./rules.ts";

export type DishRow = {
  id: number;
  category_id: number;
  name: Translations;
  description: Translations | null;
  price_minor: number | null;
  is_available: boolean;
  show_online: boolean;
  dietary: Dietary;
  allergens: Allergen[] | null;
  sort_order: number;
  updated_at: Date | null;
  variants: { id: number; name: Translations; price_minor: number; is_default: boolean }[];
  modifier_groups: {
    id: number;
    name: Translations;
    min_select: number;
    max_select: number | null;
    options: { id: number; name: Translations; price_minor: number; is_available: boolean }[];
  }[];
};

export type CategoryRow = { id: number; menu_id: number; name: Translations; is_active: boolean; sort_order: number };
export type MenuRow = { id: number; name: Translations; is_active: boolean; sort_order: number };

const GROUP_JSON = sql`json_build_object('id', g.id, 'name', g.name, 'min_select', g.min_select, 'max_select', g.max_select,
  'options', (select coalesce(json_agg(json_build_object('id', o.id, 'name', o.name, 'price_minor', o.price_minor,
                'is_available', o.is_available) order by o.sort_order, o.id), '[]')
              from modifier_options o where o.restaurant_id = g.restaurant_id and o.group_id = g.id and o.deleted_at is null))`;

/** A dish with its sizes and modifiers in one statement, whatever their number. */
const DISH = sql`
  select i.id, i.category_id, i.name, i.description, i.price_minor, i.is_available, i.show_online, i.dietary, i.allergens,
    i.sort_order, i.updated_at,
    (select coalesce(json_agg(json_build_object('id', v.id, 'name', v.name, 'price_minor', v.price_minor, 'is_default', v.is_default)
       order by v.sort_order, v.id), '[]')
     from item_variants v where v.restaurant_id = i.restaurant_id and v.item_id = i.id and v.deleted_at is null) as variants,
    (select coalesce(json_agg(${GROUP_JSON}
       order by ig.sort_order, g.id), '[]')
     from item_modifier_groups ig join modifier_groups g on g.restaurant_id = ig.restaurant_id and g.id = ig.group_id
     where ig.restaurant_id = i.restaurant_id and ig.item_id = i.id and g.deleted_at is null) as modifier_groups
  from items i`;

/** All happy hours as one JSON list, each with the ids it reaches. */
const HAPPY_HOURS = sql`
  select coalesce(json_agg(json_build_object('is_active', h.is_active, 'hours', h.hours, 'percent_off', h.percent_off,
    'price_minor', h.price_minor, 'category_ids', t.category_ids, 'item_ids', t.item_ids, 'variant_ids', t.variant_ids)), '[]')
  from happy_hours h cross join lateral (
    select coalesce(array_agg(category_id) filter (where category_id is not null), '{}') as category_ids,
           coalesce(array_agg(item_id) filter (where item_id is not null), '{}') as item_ids,
           coalesce(array_agg(variant_id) filter (where variant_id is not null), '{}') as variant_ids
    from happy_hour_targets x where x.restaurant_id = h.restaurant_id and x.happy_hour_id = h.id) t`;

const ONE_DISH = standing(
  (tenantId: number, id: number) => sql<DishRow>`${DISH} where i.restaurant_id = ${tenantId} and i.id = ${id} and i.deleted_at is null`,
);

export const findDish = (ctx: Ctx, id: number): Promise<DishRow | undefined> => first(ctx.db.query(ONE_DISH(ctx.tenant.id, id)));

/** The same, and nobody else changes this dish until the transaction ends. */
export const lockDish = (ctx: Ctx, id: number): Promise<DishRow | undefined> =>
  first(
    ctx.db.query(sql<DishRow>`${DISH} where i.restaurant_id = ${ctx.tenant.id} and i.id = ${id} and i.deleted_at is null for update of i`),
  );

export type DishFilter = { categoryId?: number; isAvailable?: boolean };
export type IdRange = { afterId?: number; beforeId?: number };

/** In id order, or backwards when `beforeId` is given. */
export const listDishes = (ctx: Ctx, filter: DishFilter, range: IdRange, rowCount: number): Promise<DishRow[]> => {
  const conditions = [sql`i.restaurant_id = ${ctx.tenant.id}`, sql`i.deleted_at is null`];
  if (filter.categoryId !== undefined) conditions.push(sql`i.category_id = ${filter.categoryId}`);
  if (filter.isAvailable !== undefined) conditions.push(sql`i.is_available = ${filter.isAvailable}`);
  if (range.afterId !== undefined) conditions.push(sql`i.id > ${range.afterId}`);
  if (range.beforeId !== undefined) conditions.push(sql`i.id < ${range.beforeId}`);
  const order = range.beforeId === undefined ? sql`i.id` : sql`i.id desc`;
  return ctx.db.query(sql<DishRow>`${DISH} where ${sql.join(conditions, sql` and `)} order by ${order} limit ${rowCount}`);
};

export const listMenuRows = (ctx: Ctx): Promise<(MenuRow & { categories: CategoryRow[] })[]> =>
  ctx.db.query(sql<MenuRow & { categories: CategoryRow[] }>`
    select m.id, m.name, m.is_active, m.sort_order,
      (select coalesce(json_agg(json_build_object('id', c.id, 'menu_id', c.menu_id, 'name', c.name, 'is_active', c.is_active,
         'sort_order', c.sort_order) order by c.sort_order, c.id), '[]')
       from categories c where c.restaurant_id = m.restaurant_id and c.menu_id = m.id and c.deleted_at is null) as categories
    from menus m where m.restaurant_id = ${ctx.tenant.id} and m.deleted_at is null order by m.sort_order, m.id`);

export const listCategoryRows = (ctx: Ctx, menuId: number | undefined): Promise<CategoryRow[]> => {
  const ofMenu = menuId === undefined ? sql`` : sql`and c.menu_id = ${menuId}`;
  return ctx.db.query(sql<CategoryRow>`
    select c.id, c.menu_id, c.name, c.is_active, c.sort_order
    from categories c join menus m on m.restaurant_id = c.restaurant_id and m.id = c.menu_id
    where c.restaurant_id = ${ctx.tenant.id} and c.deleted_at is null ${ofMenu}
    order by m.sort_order, m.id, c.sort_order, c.id`);
};

export type WholeMenuRow = MenuRow & {
  hours: Hours | null;
  categories: (CategoryRow & { hours: Hours | null })[];
  items: (Omit<DishRow, "updated_at"> & { updated_at: string | null })[];
  happy_hours: HappyHourRow[];
};

/** Menu, categories, dishes and happy hours in one statement, so that they are of one moment. */
export const findWholeMenu = (ctx: Ctx, id: number): Promise<WholeMenuRow | undefined> =>
  first(
    ctx.db.query(sql<WholeMenuRow>`
      select m.id, m.name, m.is_active, m.sort_order, m.hours,
        (select coalesce(json_agg(json_build_object('id', c.id, 'menu_id', c.menu_id, 'name', c.name, 'is_active', c.is_active,
           'sort_order', c.sort_order, 'hours', c.hours) order by c.sort_order, c.id), '[]')
         from categories c where c.restaurant_id = m.restaurant_id and c.menu_id = m.id and c.deleted_at is null) as categories,
        (select coalesce(json_agg(row_to_json(d) order by d.sort_order, d.id), '[]') from (${DISH}
           join categories c on c.restaurant_id = i.restaurant_id and c.id = i.category_id
           where i.restaurant_id = m.restaurant_id and c.menu_id = m.id and i.deleted_at is null) d) as items,
        (${HAPPY_HOURS} where h.restaurant_id = m.restaurant_id) as happy_hours
      from menus m where m.restaurant_id = ${ctx.tenant.id} and m.id = ${id} and m.deleted_at is null`),
  );

/** The dishes of an order and the happy hours, as they are inside this transaction. */
export const findPriceList = async (ctx: Ctx, itemIds: number[]): Promise<PriceList> => {
  const { dishes, happy_hours } = await only(
    ctx.db.query(sql<{ dishes: SellableDish[]; happy_hours: HappyHourRow[] }>`
      select (${HAPPY_HOURS} where h.restaurant_id = ${ctx.tenant.id}) as happy_hours,
        (select coalesce(json_agg(row_to_json(d)), '[]') from (
          select dish.*, i.tax_key, c.station, json_build_object('is_active', c.is_active, 'hours', c.hours) as category,
                 json_build_object('is_active', m.is_active, 'hours', m.hours) as menu
          from (${DISH} where i.restaurant_id = ${ctx.tenant.id} and i.id = any(${itemIds}::bigint[]) and i.deleted_at is null) dish
          join items i on i.restaurant_id = ${ctx.tenant.id} and i.id = dish.id
          join categories c on c.restaurant_id = i.restaurant_id and c.id = i.category_id and c.deleted_at is null
          join menus m on m.restaurant_id = c.restaurant_id and m.id = c.menu_id and m.deleted_at is null) d) as dishes`),
  );
  return { dishes, happyHours: happy_hours };
};

/** What a new dish needs to know: which ids exist for this restaurant, its place in the category, its own ids. */
export const findPlaces = (ctx: Ctx, categoryId: number, groupIds: number[], variantCount: number) =>
  only(
    ctx.db.query(sql<{
      has_category: boolean;
      groups: DishRow["modifier_groups"];
      next_sort_order: number;
      id: number;
      variant_ids: number[];
    }>`
      select nextval('item_ids') as id, array(select nextval('variant_ids') from generate_series(1, ${variantCount}::integer)) as variant_ids,
        exists (select from categories where restaurant_id = ${ctx.tenant.id} and id = ${categoryId} and deleted_at is null) as has_category,
        (select coalesce(json_agg(${GROUP_JSON}), '[]') from modifier_groups g
         where g.restaurant_id = ${ctx.tenant.id} and g.id = any(${groupIds}::bigint[]) and g.deleted_at is null) as groups,
        coalesce((select max(sort_order) + 1 from items
          where restaurant_id = ${ctx.tenant.id} and category_id = ${categoryId} and deleted_at is null), 0) as next_sort_order`),
  );

export const hasCategory = async (ctx: Ctx, id: number): Promise<boolean> => {
  const found = await ctx.db.query(
    sql`select from categories where restaurant_id = ${ctx.tenant.id} and id = ${id} and deleted_at is null`,
  );
  return found.length === 1;
};

export type NewDish = Omit<DishRow, "id" | "variants" | "modifier_groups" | "updated_at"> & {
  variants: { id: number; name: Translations; price_minor: number; is_default: boolean }[];
  group_ids: number[];
};

export const insertDish = (ctx: Ctx, id: number, { variants, group_ids, ...dish }: NewDish): void => {
  insertRows(ctx, "items", [{ id, key: newKey("item"), ...dish, updated_at: ctx.now }]);
  insertRows(
    ctx,
    "item_variants",
    variants.map((variant, index) => ({ item_id: id, key: `size-${index + 1}`, sort_order: index, ...variant })),
  );
  insertRows(
    ctx,
    "item_modifier_groups",
    group_ids.map((group_id, index) => ({ item_id: id, group_id, sort_order: index })),
  );
};

type DishUpdate = Partial<
  Pick<DishRow, "category_id" | "name" | "description" | "price_minor" | "is_available" | "show_online" | "dietary" | "allergens">
>;

export const updateDish = (ctx: Ctx, id: number, { name, description, ...plain }: DishUpdate): void =>
  ctx.db.later(
    q
      .updateTable("items")
      .set({
        ...plain,
        ...(name === undefined ? {} : { name: JSON.stringify(name) }),
        ...(description === undefined ? {} : { description: description && JSON.stringify(description) }),
        updated_at: ctx.now,
      })
      .where("restaurant_id", "=", ctx.tenant.id)
      .where("id", "=", id),
  );

export const insertFlip = (ctx: Ctx, itemId: number, isAvailable: boolean): void =>
  ctx.db.later(
    q.insertInto("availability_flips").values({
      restaurant_id: ctx.tenant.id,
      item_id: itemId,
      at: ctx.now,
      was_available: !isAvailable,
      is_available: isAvailable,
      source: ctx.actor.kind === "token" || ctx.actor.kind === "app" ? "api" : "console",
      token_id: ctx.actor.kind === "token" ? ctx.actor.id : null,
    }),
  );
