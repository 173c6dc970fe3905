/** Menus, items, modifiers and happy hours in a venue file. */
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { sql } from "kysely";
import { idsByKey, removeOthers, replaceRows, upsertRows } from "#db/bulk-upsert.ts";
import type { Ctx } from "#lib/context.ts";

type MenuPart = Pick<VenueFile, "modifier_groups" | "menus" | "happy_hours">;
type CategoryPart = MenuPart["menus"][number]["categories"][number];
type ItemPart = CategoryPart["items"][number];

/** Takes the order of the list, and restores a row that was removed. */
const placed = <T extends object>(row: T, index: number) => ({ ...row, sort_order: index, deleted_at: null });
const keysOf = (rows: { key: string }[]) => rows.map(({ key }) => key);

export const applyMenu = async (ctx: Ctx, file: MenuPart): Promise<void> => {
  const categories = file.menus.flatMap((menu) => menu.categories);
  const items = categories.flatMap((category) => category.items);
  await applyModifiers(ctx, file.modifier_groups);
  await upsertRows(
    ctx,
    { table: "menus" },
    file.menus.map(({ categories: _, ...menu }, index) => placed(menu, index)),
  );
  const menuId = await idsByKey(ctx, "menus");
  const categoryRows = file.menus.flatMap((menu) =>
    menu.categories.map(({ items: _, ...category }, index) => placed({ ...category, menu_id: menuId(menu.key) }, index)),
  );
  await upsertRows(ctx, { table: "categories" }, categoryRows);
  await applyItems(ctx, categories);
  await applyHappyHours(ctx, file.happy_hours);
  await removeOthers(ctx, "items", keysOf(items));
  await removeOthers(ctx, "categories", keysOf(categories));
  await removeOthers(ctx, "menus", keysOf(file.menus));
  await removeOthers(ctx, "modifier_groups", keysOf(file.modifier_groups));
};

const applyModifiers = async (ctx: Ctx, groups: MenuPart["modifier_groups"]): Promise<void> => {
  await upsertRows(
    ctx,
    { table: "modifier_groups" },
    groups.map(({ options: _, ...group }, index) => placed(group, index)),
  );
  const groupId = await idsByKey(ctx, "modifier_groups");
  await ctx.db.query(
    sql`update modifier_options set deleted_at = ${ctx.now} where restaurant_id = ${ctx.tenant.id} and deleted_at is null`,
  );
  const options = groups.flatMap((group) =>
    group.options.map((option, index) => placed({ ...option, group_id: groupId(group.key) }, index)),
  );
  await upsertRows(ctx, { table: "modifier_options", within: "group_id" }, options);
  ctx.db.defer(sql`
    update modifier_options set sold_out_until = null
    where restaurant_id = ${ctx.tenant.id} and is_available and sold_out_until is not null`);
};

const applyItems = async (ctx: Ctx, categories: CategoryPart[]): Promise<void> => {
  const categoryId = await idsByKey(ctx, "categories");
  const rows = categories.flatMap((category) =>
    category.items.map(({ variants: _, modifier_groups: __, tax, ...item }, index) =>
      placed({ ...item, tax_key: tax, category_id: categoryId(category.key), updated_at: ctx.now }, index),
    ),
  );
  await upsertRows(ctx, { table: "items", stamp: "updated_at" }, rows);
  // A dish that the file brings back has no end any more.
  ctx.db.defer(sql`
    update items set sold_out_until = null where restaurant_id = ${ctx.tenant.id} and is_available and sold_out_until is not null`);
  const itemId = await idsByKey(ctx, "items");
  const items = categories.flatMap((category) => category.items);
  await ctx.db.query(sql`
    update item_variants set deleted_at = ${ctx.now}, is_default = false where restaurant_id = ${ctx.tenant.id} and deleted_at is null`);
  const variants = items.flatMap((item) => item.variants.map((variant, index) => placed({ ...variant, item_id: itemId(item.key) }, index)));
  await upsertRows(ctx, { table: "item_variants", within: "item_id" }, variants);
  const groupId = await idsByKey(ctx, "modifier_groups");
  const links = items.flatMap((item) =>
    item.modifier_groups.map((key, index) => ({ item_id: itemId(item.key), group_id: groupId(key), sort_order: index })),
  );
  replaceRows(ctx, "item_modifier_groups", links);
};

const applyHappyHours = async (ctx: Ctx, happyHours: MenuPart["happy_hours"]): Promise<void> => {
  await ctx.db.query(sql`
    delete from happy_hours where restaurant_id = ${ctx.tenant.id} and key <> all(${keysOf(happyHours)}::text[])`);
  await upsertRows(
    ctx,
    { table: "happy_hours" },
    happyHours.map(({ categories: _, items: __, variants: ___, ...happyHour }, index) => ({ ...happyHour, sort_order: index })),
  );
  const happyHourId = await idsByKey(ctx, "happy_hours");
  const categoryId = await idsByKey(ctx, "categories");
  const itemId = await idsByKey(ctx, "items");
  const variantId = await variantIds(ctx);
  const none = { category_id: null, item_id: null, variant_id: null };
  const targets = happyHours.flatMap((happyHour) =>
    [
      ...happyHour.categories.map((key) => ({ ...none, category_id: categoryId(key) })),
      ...happyHour.items.map((key) => ({ ...none, item_id: itemId(key) })),
      ...happyHour.variants.map(({ item, variant }) => ({ ...none, variant_id: variantId(item, variant) })),
    ].map((target, index) => ({ ...target, happy_hour_id: happyHourId(happyHour.key), sort_order: index })),
  );
  replaceRows(ctx, "happy_hour_targets", targets);
};

const variantIds = async (ctx: Ctx): Promise<(item: string, variant: string) => number> => {
  const rows = await ctx.db.query(sql<{ id: number; item: string; key: string }>`
    select v.id, i.key as item, v.key from item_variants v join items i on i.restaurant_id = v.restaurant_id and i.id = v.item_id
    where v.restaurant_id = ${ctx.tenant.id}`);
  const ids = new Map(rows.map((row) => [`${row.item} ${row.key}`, row.id]));
  return (item, variant) => {
    const id = ids.get(`${item} ${variant}`);
    if (id === undefined) throw new Error(`The dish ${item} has no size ${variant}`);
    return id;
  };
};

export const collectMenu = async (ctx: Ctx): Promise<MenuPart> => ({
  modifier_groups: await collectModifiers(ctx),
  menus: await collectMenus(ctx),
  happy_hours: await collectHappyHours(ctx),
});

const collectModifiers = (ctx: Ctx): Promise<MenuPart["modifier_groups"]> =>
  ctx.db.query(sql<MenuPart["modifier_groups"][number]>`
    select g.key, g.name, g.min_select, g.max_select,
      (select coalesce(json_agg(json_build_object('key', o.key, 'name', o.name, 'price_minor', o.price_minor, 'is_available', o.is_available)
         order by o.sort_order, o.id), '[]')
       from modifier_options o where o.restaurant_id = g.restaurant_id and o.group_id = g.id and o.deleted_at is null) as options
    from modifier_groups g where g.restaurant_id = ${ctx.tenant.id} and g.deleted_at is null order by g.sort_order, g.id`);

type WithParent<T> = T & { parent: number };

const collectMenus = async (ctx: Ctx): Promise<MenuPart["menus"]> => {
  const menus = await ctx.db.query(sql<Omit<MenuPart["menus"][number], "categories"> & { id: number }>`
    select id, key, name, is_active, hours from menus where restaurant_id = ${ctx.tenant.id} and deleted_at is null order by sort_order, id`);
  const categories = await ctx.db.query(sql<WithParent<Omit<CategoryPart, "items">> & { id: number }>`
    select id, menu_id as parent, key, name, is_active, hours, station from categories
    where restaurant_id = ${ctx.tenant.id} and deleted_at is null order by sort_order, id`);
  const items = await ctx.db.query(sql<WithParent<ItemPart>>`
    select i.category_id as parent, i.key, i.name, i.description, i.price_minor,
      (select coalesce(json_agg(json_build_object('key', v.key, 'name', v.name, 'price_minor', v.price_minor, 'is_default', v.is_default)
         order by v.sort_order, v.id), '[]')
       from item_variants v where v.restaurant_id = i.restaurant_id and v.item_id = i.id and v.deleted_at is null) as variants,
      (select coalesce(json_agg(g.key order by l.sort_order), '[]') from item_modifier_groups l
       join modifier_groups g on g.restaurant_id = l.restaurant_id and g.id = l.group_id
       where l.restaurant_id = i.restaurant_id and l.item_id = i.id and g.deleted_at is null) as modifier_groups,
      i.dietary, i.allergens, i.is_available, i.show_online, i.tax_key as tax
    from items i where i.restaurant_id = ${ctx.tenant.id} and i.deleted_at is null order by i.sort_order, i.id`);
  return menus.map(({ id: menuId, ...menu }) => ({
    ...menu,
    categories: childrenOf(categories, menuId).map(({ id, ...category }) => ({ ...category, items: childrenOf(items, id) })),
  }));
};

const childrenOf = <T extends { parent: number }>(rows: T[], parentId: number): Omit<T, "parent">[] =>
  rows.filter((row) => row.parent === parentId).map(({ parent: _, ...row }) => row);

const collectHappyHours = async (ctx: Ctx): Promise<MenuPart["happy_hours"]> => {
  const rows = await ctx.db.query(sql<MenuPart["happy_hours"][number] & { percent_off: string | null }>`
    select h.key, h.name, h.is_active, h.hours, h.percent_off, h.price_minor, t.categories, t.items, t.variants
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
