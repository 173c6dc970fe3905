import type { Translations } from "@comanda/contract/shared.ts";
import type { Allergen, Dietary } from "@comanda/contract/venue/menu.ts";
import type { Hours } from "@comanda/contract/venue-file/opening-hours.ts";
import { type RawBuilder, sql } from "kysely";
import { insertRows } from "#db/bulk-upsert.ts";
import { builder, first, oneRow, precompiled } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import { newKey } from "#lib/ids.ts";
import type { HappyHourRow, NamedHappyHour, OrderPriceList, RecipeLine, SellableItem } from "../rules/items.ts";

export type ItemRow = {
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

const VARIANTS_AND_GROUPS = sql`
    (select coalesce(json_agg(json_build_object('id', v.id, 'name', v.name, 'price_minor', v.price_minor, 'is_default', v.is_default)
       order by v.sort_order, v.id), '[]')
     from item_variants v where v.restaurant_id = i.restaurant_id and v.item_id = i.id and v.deleted_at is null) as variants,
    (select coalesce(json_agg(${GROUP_JSON}
       order by ig.sort_order, g.id), '[]')
     from item_modifier_groups ig join modifier_groups g on g.restaurant_id = ig.restaurant_id and g.id = ig.group_id
     where ig.restaurant_id = i.restaurant_id and ig.item_id = i.id and g.deleted_at is null) as modifier_groups`;

/** An item with its variants and modifier groups in one statement. */
const itemWith = (more: RawBuilder<unknown>) => sql`
  select ${more} i.id, i.category_id, i.name, i.description, i.price_minor, i.is_available, i.show_online, i.dietary, i.allergens,
    i.sort_order, i.updated_at, ${VARIANTS_AND_GROUPS}
  from items i`;
const ITEM = itemWith(sql``);

/** All happy hours as one JSON list in the owner's order, each with the ids it applies to. */
const happyHoursWith = (members: RawBuilder<unknown>) => sql`
  select coalesce(json_agg(json_build_object('is_active', h.is_active, 'hours', h.hours, 'percent_off', h.percent_off,
    'price_minor', h.price_minor, 'category_ids', t.category_ids, 'item_ids', t.item_ids, 'variant_ids', t.variant_ids${members})
    order by h.sort_order, h.id), '[]')
  from happy_hours h cross join lateral (
    select coalesce(array_agg(category_id) filter (where category_id is not null), '{}') as category_ids,
           coalesce(array_agg(item_id) filter (where item_id is not null), '{}') as item_ids,
           coalesce(array_agg(variant_id) filter (where variant_id is not null), '{}') as variant_ids
    from happy_hour_targets x where x.restaurant_id = h.restaurant_id and x.happy_hour_id = h.id) t`;

const HAPPY_HOURS = happyHoursWith(sql``);
const NAMED_HAPPY_HOURS = happyHoursWith(sql`, 'id', h.id, 'name', h.name`);

const ITEM_BY_ID = precompiled(
  (tenantId: number, id: number) => sql<ItemRow>`${ITEM} where i.restaurant_id = ${tenantId} and i.id = ${id} and i.deleted_at is null`,
);

export const findItem = (ctx: Ctx, id: number): Promise<ItemRow | undefined> => first(ctx.db.query(ITEM_BY_ID(ctx.tenant.id, id)));

export type EndingItemRow = ItemRow & { sold_out_until: Date | null };

/**
 * Locks the items until the transaction ends, in id order. The first statement waits for a save of the menu; the second one, in the same
 * round trip, begins after it, so that it reads the sizes and groups that the save left. One statement would read those from before its wait.
 */
const lockItems = async (ctx: Ctx, which: RawBuilder<unknown>): Promise<EndingItemRow[]> => {
  const wanted = sql`where i.restaurant_id = ${ctx.tenant.id} and i.deleted_at is null and ${which} order by i.id for update of i`;
  const [, rows] = await Promise.all([
    ctx.db.query(sql`select i.id from items i ${wanted}`),
    ctx.db.query(sql<EndingItemRow>`${itemWith(sql`i.sold_out_until,`)} ${wanted}`),
  ]);
  return rows;
};

export const lockItem = (ctx: Ctx, id: number): Promise<EndingItemRow | undefined> => first(lockItems(ctx, sql`i.id = ${id}`));

export const lockItemsOfGroup = (ctx: Ctx, groupId: number): Promise<EndingItemRow[]> =>
  lockItems(
    ctx,
    sql`i.id in (select ig.item_id from item_modifier_groups ig where ig.restaurant_id = ${ctx.tenant.id} and ig.group_id = ${groupId})`,
  );

/** Locks these items, and the items that show one of the groups. */
export const lockItemsAnd = (ctx: Ctx, ids: readonly number[], groupIds: readonly number[]): Promise<EndingItemRow[]> =>
  lockItems(
    ctx,
    sql`(i.id = any(${[...ids]}::bigint[]) or i.id = any(array(select ig.item_id from item_modifier_groups ig
      where ig.restaurant_id = ${ctx.tenant.id} and ig.group_id = any(${[...groupIds]}::bigint[]))))`,
  );

export type OptionRow = { id: number; group_id: number; is_available: boolean; sold_out_until: Date | null };

export const lockOption = (ctx: Ctx, id: number): Promise<OptionRow | undefined> =>
  first(
    ctx.db.query(sql<OptionRow>`
      select o.id, o.group_id, o.is_available, o.sold_out_until
      from modifier_options o join modifier_groups g on g.restaurant_id = o.restaurant_id and g.id = o.group_id and g.deleted_at is null
      where o.restaurant_id = ${ctx.tenant.id} and o.id = ${id} and o.deleted_at is null for update of o`),
  );

/** `sold_out_by_stock`: it comes back with an ingredient. */
export type OptionSelling = Pick<OptionRow, "is_available" | "sold_out_until"> & { sold_out_by_stock?: boolean };

export const updateOption = (ctx: Ctx, id: number, { sold_out_by_stock = false, ...change }: OptionSelling): void =>
  ctx.db.defer(
    builder
      .updateTable("modifier_options")
      .set({ ...change, sold_out_by_stock })
      .where("restaurant_id", "=", ctx.tenant.id)
      .where("id", "=", id),
  );

export const stampItems = (ctx: Ctx, ids: number[]): void =>
  ctx.db.defer(sql`update items set updated_at = ${ctx.now} where restaurant_id = ${ctx.tenant.id} and id = any(${ids}::bigint[])`);

/**
 * Says when a sold-out item comes back, which the stock no longer decides. It is no change of the item that others see, so `updated_at`
 * stays.
 */
export const setItemEnd = (ctx: Ctx, id: number, until: Date | null): void =>
  ctx.db.defer(sql`
    update items set sold_out_until = ${until}, sold_out_by_stock = false where restaurant_id = ${ctx.tenant.id} and id = ${id}`);

export type ItemFilter = { categoryId?: number; isAvailable?: boolean };
export type ItemIdRange = { afterId?: number; beforeId?: number };

/** Rows are in id order, or backwards when `beforeId` is given. */
export const listItemRows = (ctx: Ctx, filter: ItemFilter, range: ItemIdRange, rowCount: number): Promise<ItemRow[]> => {
  const conditions = [sql`i.restaurant_id = ${ctx.tenant.id}`, sql`i.deleted_at is null`];
  if (filter.categoryId !== undefined) conditions.push(sql`i.category_id = ${filter.categoryId}`);
  if (filter.isAvailable !== undefined) conditions.push(sql`i.is_available = ${filter.isAvailable}`);
  if (range.afterId !== undefined) conditions.push(sql`i.id > ${range.afterId}`);
  if (range.beforeId !== undefined) conditions.push(sql`i.id < ${range.beforeId}`);
  const order = range.beforeId === undefined ? sql`i.id` : sql`i.id desc`;
  return ctx.db.query(sql<ItemRow>`${ITEM} where ${sql.join(conditions, sql` and `)} order by ${order} limit ${rowCount}`);
};

export const listMenuRows = (ctx: Ctx): Promise<(MenuRow & { categories: CategoryRow[] })[]> =>
  ctx.db.query(sql<MenuRow & { categories: CategoryRow[] }>`
    select m.id, m.name, m.is_active, m.sort_order,
      (select coalesce(json_agg(json_build_object('id', c.id, 'menu_id', c.menu_id, 'name', c.name, 'is_active', c.is_active,
         'sort_order', c.sort_order) order by c.sort_order, c.id), '[]')
       from categories c where c.restaurant_id = m.restaurant_id and c.menu_id = m.id and c.deleted_at is null) as categories
    from menus m where m.restaurant_id = ${ctx.tenant.id} and m.deleted_at is null order by m.sort_order, m.id`);

/** The languages in which menus and categories have a name. */
export const listLanguages = (ctx: Ctx): Promise<{ language: string }[]> =>
  ctx.db.query(sql<{ language: string }>`
    select distinct texts.key as language
    from (
      select m.name from menus m where m.restaurant_id = ${ctx.tenant.id} and m.deleted_at is null
      union all
      select c.name from categories c where c.restaurant_id = ${ctx.tenant.id} and c.deleted_at is null
    ) named, jsonb_each_text(named.name) texts
    where texts.value is not null order by 1`);

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
  items: (Omit<ItemRow, "updated_at"> & { updated_at: string | null })[];
  happy_hours: HappyHourRow[];
};

/** One statement, so that menu, categories, items and happy hours come from one snapshot. */
export const findWholeMenu = (ctx: Ctx, id: number): Promise<WholeMenuRow | undefined> =>
  first(
    ctx.db.query(sql<WholeMenuRow>`
      select m.id, m.name, m.is_active, m.sort_order, m.hours,
        (select coalesce(json_agg(json_build_object('id', c.id, 'menu_id', c.menu_id, 'name', c.name, 'is_active', c.is_active,
           'sort_order', c.sort_order, 'hours', c.hours) order by c.sort_order, c.id), '[]')
         from categories c where c.restaurant_id = m.restaurant_id and c.menu_id = m.id and c.deleted_at is null) as categories,
        (select coalesce(json_agg(row_to_json(d) order by d.sort_order, d.id), '[]') from (${ITEM}
           join categories c on c.restaurant_id = i.restaurant_id and c.id = i.category_id
           where i.restaurant_id = m.restaurant_id and c.menu_id = m.id and i.deleted_at is null) d) as items,
        (${HAPPY_HOURS} where h.restaurant_id = m.restaurant_id) as happy_hours
      from menus m where m.restaurant_id = ${ctx.tenant.id} and m.id = ${id} and m.deleted_at is null`),
  );

export const listStations = (ctx: Ctx): Promise<{ station: string | null }[]> =>
  ctx.db.query(sql<{ station: string | null }>`
    select distinct station from categories where restaurant_id = ${ctx.tenant.id} and deleted_at is null`);

export const findStationOf = (ctx: Ctx, itemId: number): Promise<{ station: string | null } | undefined> =>
  first(
    ctx.db.query(sql<{ station: string | null }>`
      select c.station from items i join categories c on c.restaurant_id = i.restaurant_id and c.id = i.category_id
      where i.restaurant_id = ${ctx.tenant.id} and i.id = ${itemId} and i.deleted_at is null`),
  );

/** Dishes that are not removed, by the tax that they have of their own. */
export const countItemsByTax = (ctx: Ctx): Promise<{ tax_key: string; dishes: number }[]> =>
  ctx.db.query(sql<{ tax_key: string; dishes: number }>`
    select tax_key, count(*)::integer as dishes from items
    where restaurant_id = ${ctx.tenant.id} and deleted_at is null and tax_key is not null group by tax_key`);

export const listTaxKeys = (ctx: Ctx, itemIds: number[]): Promise<{ id: number; tax_key: string | null }[]> =>
  ctx.db.query(sql<{ id: number; tax_key: string | null }>`
    select id, tax_key from items where restaurant_id = ${ctx.tenant.id} and id = any(${itemIds}::bigint[])`);

/** Lists the allergens of these items, including removed ones. */
export const listAllergens = (ctx: Ctx, itemIds: number[]): Promise<Pick<ItemRow, "id" | "allergens">[]> =>
  ctx.db.query(sql<Pick<ItemRow, "id" | "allergens">>`
    select id, allergens from items where restaurant_id = ${ctx.tenant.id} and id = any(${itemIds}::bigint[])`);

/** The ids that an order names: the chosen options have recipes of their own. */
export type OrderedIds = { itemIds: number[]; optionIds: number[] };

const RECIPE_LINE = sql`select r.item_id, r.variant_id, r.option_id, r.ingredient_id, r.quantity_milli from recipe_lines r`;

type PriceListRow = { items: SellableItem[]; happy_hours: NamedHappyHour[]; recipe: RecipeLine[] };

const PRICE_LIST = precompiled(
  (tenantId: number, itemIds: number[], optionIds: number[]) => sql<PriceListRow>`
    select (${NAMED_HAPPY_HOURS} where h.restaurant_id = ${tenantId}) as happy_hours,
      (select coalesce(json_agg(row_to_json(l)), '[]') from (
        ${RECIPE_LINE} where r.restaurant_id = ${tenantId} and r.item_id = any(${itemIds}::bigint[])
        union all
        ${RECIPE_LINE} where r.restaurant_id = ${tenantId} and r.option_id = any(${optionIds}::bigint[])) l) as recipe,
      (select coalesce(json_agg(row_to_json(d)), '[]') from (
        select i.id, i.category_id, i.name, i.price_minor, i.is_available, i.show_online, i.tax_key,
               (select n.remaining from item_counts n where n.restaurant_id = i.restaurant_id and n.item_id = i.id) as remaining,
               c.station, json_build_object('is_active', c.is_active, 'hours', c.hours) as category,
               json_build_object('is_active', m.is_active, 'hours', m.hours) as menu, ${VARIANTS_AND_GROUPS}
        from items i
        join categories c on c.restaurant_id = i.restaurant_id and c.id = i.category_id and c.deleted_at is null
        join menus m on m.restaurant_id = c.restaurant_id and m.id = c.menu_id and m.deleted_at is null
        where i.restaurant_id = ${tenantId} and i.id = any(${itemIds}::bigint[]) and i.deleted_at is null) d) as items`,
);

/** The items of an order, all happy hours, and the recipes. */
export const findPriceList = async (ctx: Ctx, { itemIds, optionIds }: OrderedIds): Promise<OrderPriceList> => {
  const { items, happy_hours, recipe } = await oneRow(ctx.db.query(PRICE_LIST(ctx.tenant.id, itemIds, optionIds)));
  return { items, happyHours: happy_hours, recipe };
};

export type SellableMenuRow = {
  categories: { id: number; name: Translations }[];
  items: (Omit<ItemRow, "updated_at"> & { remaining: number | null })[];
};

const IS_SOLD = sql`c.deleted_at is null and c.is_active and m.deleted_at is null and m.is_active`;

/** One statement, so that categories and items come from one snapshot. */
export const findSellableMenu = (ctx: Ctx): Promise<SellableMenuRow> =>
  oneRow(
    ctx.db.query(sql<SellableMenuRow>`
      select
        (select coalesce(json_agg(json_build_object('id', c.id, 'name', c.name) order by m.sort_order, m.id, c.sort_order, c.id), '[]')
         from categories c join menus m on m.restaurant_id = c.restaurant_id and m.id = c.menu_id
         where c.restaurant_id = ${ctx.tenant.id} and ${IS_SOLD}) as categories,
        (select coalesce(json_agg(row_to_json(d) order by d.menu_order, d.menu_id, d.category_order, d.category_id, d.sort_order, d.id), '[]')
         from (${itemWith(sql`m.sort_order as menu_order, m.id as menu_id, c.sort_order as category_order,
             (select n.remaining from item_counts n where n.restaurant_id = i.restaurant_id and n.item_id = i.id) as remaining,`)}
           join categories c on c.restaurant_id = i.restaurant_id and c.id = i.category_id
           join menus m on m.restaurant_id = c.restaurant_id and m.id = c.menu_id
           where i.restaurant_id = ${ctx.tenant.id} and i.deleted_at is null and ${IS_SOLD}) d) as items`),
  );

/** A category that is being removed is waited for, and one that got a dish is not removed: a save of the menu locks it for update. */
const liveCategory = (ctx: Ctx, id: number) =>
  sql`select id from categories where restaurant_id = ${ctx.tenant.id} and id = ${id} and deleted_at is null for key share`;

/** Checks the referenced category and groups, and reserves the ids and the sort order of a new item. */
export const prepareNewItem = (ctx: Ctx, categoryId: number, groupIds: number[], variantCount: number) =>
  oneRow(
    ctx.db.query(sql<{
      has_category: boolean;
      dishes: number;
      dishes_of_venue: number;
      groups: ItemRow["modifier_groups"];
      next_sort_order: number;
      id: number;
      variant_ids: number[];
    }>`
      with category as materialized (${liveCategory(ctx, categoryId)})
      select nextval('item_ids') as id, array(select nextval('variant_ids') from generate_series(1, ${variantCount}::integer)) as variant_ids,
        exists (select from category) as has_category,
        (select count(*)::integer from items
          where restaurant_id = ${ctx.tenant.id} and category_id = ${categoryId} and deleted_at is null) as dishes,
        (select count(*)::integer from items where restaurant_id = ${ctx.tenant.id} and deleted_at is null) as dishes_of_venue,
        (select coalesce(json_agg(${GROUP_JSON}), '[]') from modifier_groups g
         where g.restaurant_id = ${ctx.tenant.id} and g.id = any(${groupIds}::bigint[]) and g.deleted_at is null) as groups,
        coalesce((select max(sort_order) + 1 from items
          where restaurant_id = ${ctx.tenant.id} and category_id = ${categoryId} and deleted_at is null), 0) as next_sort_order`),
  );

export const hasCategory = async (ctx: Ctx, id: number): Promise<boolean> => {
  const found = await ctx.db.query(liveCategory(ctx, id));
  return found.length === 1;
};

export type NewItemRow = Omit<ItemRow, "id" | "variants" | "modifier_groups" | "updated_at"> & {
  variants: { id: number; name: Translations; price_minor: number; is_default: boolean }[];
  group_ids: number[];
};

export const insertItem = (ctx: Ctx, id: number, { variants, group_ids, ...item }: NewItemRow): void => {
  insertRows(ctx, "items", [{ id, key: newKey("item"), ...item, updated_at: ctx.now }]);
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

type ItemUpdate = Partial<
  Pick<ItemRow, "category_id" | "name" | "description" | "price_minor" | "is_available" | "show_online" | "dietary" | "allergens">
> & { sold_out_until?: Date | null; sold_out_by_stock?: boolean };

export const updateItem = (ctx: Ctx, id: number, { name, description, ...plain }: ItemUpdate): void =>
  ctx.db.defer(
    builder
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

export const insertAvailabilityChange = (ctx: Ctx, itemId: number, isAvailable: boolean): void =>
  ctx.db.defer(
    builder.insertInto("availability_changes").values({
      restaurant_id: ctx.tenant.id,
      item_id: itemId,
      at: ctx.now,
      was_available: !isAvailable,
      is_available: isAvailable,
      source: ctx.actor.kind === "token" || ctx.actor.kind === "app" ? "api" : "console",
      token_id: ctx.actor.kind === "token" ? ctx.actor.id : null,
    }),
  );
