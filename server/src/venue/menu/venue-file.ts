/** Menus, items, modifiers and happy hours in a venue file. */
import { sql } from "kysely";
import { idsByKey, removeOthers, replaceRows, upsertRows } from "#db/bulk-upsert.ts";
import type { Ctx } from "#lib/context.ts";
import type { CategoryPart, MenuPart } from "./rules/plan.ts";
import { lockMenu, lockOtherCategories } from "./store/plan.ts";
import { readMenuRows } from "./store/plan-rows.ts";

/** Takes the order of the list, and restores a row that was removed. */
const placed = <T extends object>(row: T, index: number) => ({ ...row, sort_order: index, deleted_at: null });
const keysOf = (rows: { key: string }[]) => rows.map(({ key }) => key);

export const applyMenu = async (ctx: Ctx, file: MenuPart): Promise<void> => {
  const categories = file.menus.flatMap((menu) => menu.categories);
  const items = categories.flatMap((category) => category.items);
  // A save of the menu decides by the menu that it read, so none is running meanwhile.
  lockMenu(ctx);
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
  await lockOtherCategories(ctx, keysOf(categories));
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

const withoutPlace = <T extends { id: number; sort_order: number }>({ id: _, sort_order: __, ...row }: T): Omit<T, "id" | "sort_order"> =>
  row;

export const collectMenu = async (ctx: Ctx): Promise<MenuPart> => {
  const { modifier_groups, menus, categories, items, happy_hours } = await readMenuRows(ctx);
  const itemsOf = Map.groupBy(items, ({ category_id }) => category_id);
  const categoriesOf = Map.groupBy(categories, ({ menu_id }) => menu_id);
  return {
    modifier_groups: modifier_groups.map(withoutPlace),
    menus: menus.map((menu) => ({
      ...withoutPlace(menu),
      categories: (categoriesOf.get(menu.id) ?? []).map(({ menu_id: _, ...category }) => ({
        ...withoutPlace(category),
        items: (itemsOf.get(category.id) ?? []).map(({ category_id: __, ...item }) => withoutPlace(item)),
      })),
    })),
    happy_hours: happy_hours.map(withoutPlace),
  };
};
