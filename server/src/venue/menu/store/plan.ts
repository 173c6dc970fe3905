import { ORDERED_LISTS } from "@comanda/contract/console/menu-editor.ts";
import type { Translations } from "@comanda/contract/shared.ts";
import { sql } from "kysely";
import { idsByKey, insertRows, upsertRows } from "#db/bulk-upsert.ts";
import type { Ctx } from "#lib/context.ts";
import type { PlanChanges } from "../rules/changes.ts";

/** One save at a time, so that every save is decided by the menu that the one before left. */
export const lockMenu = (ctx: Ctx): void =>
  ctx.db.defer(sql`select pg_advisory_xact_lock(hashtextextended(${`menu ${ctx.tenant.id}`}, 0))`);

/** Other writers of these dishes and of the options of these groups wait until the commit. In id order. */
export const lockSubjects = async (ctx: Ctx, itemKeys: readonly string[], groupKeys: readonly string[]): Promise<void> => {
  const groups = sql`select g.id from modifier_groups g where g.restaurant_id = ${ctx.tenant.id} and g.key = any(${[...groupKeys]}::text[])`;
  await ctx.db.query(sql`
    select i.id from items i where i.restaurant_id = ${ctx.tenant.id} and (i.key = any(${[...itemKeys]}::text[]) or i.id = any(array(
      select l.item_id from item_modifier_groups l where l.restaurant_id = ${ctx.tenant.id} and l.group_id = any(array(${groups})))))
    order by i.id for update`);
  await ctx.db.query(sql`
    select o.id from modifier_options o where o.restaurant_id = ${ctx.tenant.id} and o.group_id = any(array(${groups})) order by o.id for update`);
};

/** Of dishes that are about to be removed. */
export const findItemIds = async (ctx: Ctx, keys: readonly string[]): Promise<number[]> =>
  (
    await ctx.db.query(sql<{ id: number }>`
      select id from items where restaurant_id = ${ctx.tenant.id} and key = any(${[...keys]}::text[]) and deleted_at is null order by id`)
  ).map(({ id }) => id);

export type NamedSubject = { key: string; name: Translations };

/** By list and number, removed ones too. */
export const listSubjects = async (ctx: Ctx): Promise<Map<string, NamedSubject>> => {
  const parts = ORDERED_LISTS.map(
    (list) => sql`select ${list}::text as list, id, key, name from ${sql.table(list)} where restaurant_id = ${ctx.tenant.id}`,
  );
  const rows = await ctx.db.query(sql<{ list: string; id: number } & NamedSubject>`${sql.join(parts, sql` union all `)}`);
  return new Map(rows.map(({ list, id, key, name }) => [`${list} ${id}`, { key, name }]));
};

/** A row that comes back under its key is live again. */
const LIVE = { deleted_at: null };

const written = <A>(changes: readonly { after: A | null }[]): A[] => changes.flatMap(({ after }) => (after === null ? [] : [after]));
const removed = (changes: readonly { before: { key: string } | null; after: object | null }[]): string[] =>
  changes.flatMap(({ before, after }) => (after === null && before ? [before.key] : []));

/** Writes what differs, in the order of the references. */
export const writeChanges = async (ctx: Ctx, changes: PlanChanges): Promise<void> => {
  await writeGroups(ctx, changes.modifier_groups);
  await upsertRows(
    ctx,
    { table: "menus" },
    written(changes.menus).map(({ key, value, place }) => ({ key, ...value, sort_order: place, ...LIVE })),
  );
  await writeCategories(ctx, changes.categories);
  await writeItems(ctx, changes.items);
  await writeHappyHours(ctx, changes.happy_hours);
  for (const table of ["items", "categories", "menus", "modifier_groups"] as const)
    ctx.db.defer(sql`
      update ${sql.table(table)} set deleted_at = ${ctx.now}
      where restaurant_id = ${ctx.tenant.id} and deleted_at is null and key = any(${removed(changes[table])}::text[])`);
};

const writeGroups = async (ctx: Ctx, changes: PlanChanges["modifier_groups"]): Promise<void> => {
  const groups = written(changes);
  if (groups.length === 0) return;
  await upsertRows(
    ctx,
    { table: "modifier_groups" },
    groups.map(({ key, value: { name, min_select, max_select }, place }) => ({
      key,
      name,
      min_select,
      max_select,
      sort_order: place,
      ...LIVE,
    })),
  );
  const groupId = await idsByKey(ctx, "modifier_groups");
  const ids = groups.map(({ key }) => groupId(key));
  await ctx.db.query(sql`
    update modifier_options set deleted_at = ${ctx.now}
    where restaurant_id = ${ctx.tenant.id} and group_id = any(${ids}::bigint[]) and deleted_at is null`);
  await upsertRows(
    ctx,
    { table: "modifier_options", within: "group_id" },
    groups.flatMap(({ key, value, soldOut }) =>
      value.options.map((option, index) => ({
        ...option,
        group_id: groupId(key),
        is_available: !soldOut.includes(option.key),
        sort_order: index,
        ...LIVE,
      })),
    ),
  );
};

const writeCategories = async (ctx: Ctx, changes: PlanChanges["categories"]): Promise<void> => {
  const categories = written(changes);
  if (categories.length === 0) return;
  const menuId = await idsByKey(ctx, "menus");
  await upsertRows(
    ctx,
    { table: "categories" },
    categories.map(({ key, value: { menu, ...value }, place }) => ({ key, menu_id: menuId(menu), ...value, sort_order: place, ...LIVE })),
  );
};

const writeItems = async (ctx: Ctx, changes: PlanChanges["items"]): Promise<void> => {
  const items = written(changes);
  if (items.length === 0) return;
  const categoryId = await idsByKey(ctx, "categories");
  await upsertRows(
    ctx,
    { table: "items", stamp: "updated_at" },
    items.map(({ key, value: { category, variants: _, modifier_groups: __, tax, ...value }, isAvailable, place }) => ({
      key,
      category_id: categoryId(category),
      ...value,
      tax_key: tax,
      is_available: isAvailable,
      sort_order: place,
      updated_at: ctx.now,
      ...LIVE,
    })),
  );
  const itemId = await idsByKey(ctx, "items");
  await writeSizes(ctx, changes, itemId);
  await writeItemGroups(ctx, changes, itemId);
};

/** The dishes of which this member differs, or that are new. */
const withNew = (changes: PlanChanges["items"], field: string) =>
  written(changes.filter(({ before, fields }) => before === null || fields.includes(field)));

const writeSizes = async (ctx: Ctx, changes: PlanChanges["items"], itemId: (key: string) => number): Promise<void> => {
  const items = withNew(changes, "variants");
  if (items.length === 0) return;
  const ids = items.map(({ key }) => itemId(key));
  await ctx.db.query(sql`
    update item_variants set deleted_at = ${ctx.now}, is_default = false
    where restaurant_id = ${ctx.tenant.id} and item_id = any(${ids}::bigint[]) and deleted_at is null`);
  await upsertRows(
    ctx,
    { table: "item_variants", within: "item_id" },
    items.flatMap(({ key, value }) => value.variants.map((size, index) => ({ ...size, item_id: itemId(key), sort_order: index, ...LIVE }))),
  );
  stampItems(ctx, ids);
};

const writeItemGroups = async (ctx: Ctx, changes: PlanChanges["items"], itemId: (key: string) => number): Promise<void> => {
  const items = withNew(changes, "modifier_groups");
  if (items.length === 0) return;
  const groupId = await idsByKey(ctx, "modifier_groups");
  const ids = items.map(({ key }) => itemId(key));
  ctx.db.defer(sql`delete from item_modifier_groups where restaurant_id = ${ctx.tenant.id} and item_id = any(${ids}::bigint[])`);
  insertRows(
    ctx,
    "item_modifier_groups",
    items.flatMap(({ key, value }) =>
      value.modifier_groups.map((group, index) => ({ item_id: itemId(key), group_id: groupId(group), sort_order: index })),
    ),
  );
  stampItems(ctx, ids);
};

const stampItems = (ctx: Ctx, ids: readonly number[]): void =>
  ctx.db.defer(sql`update items set updated_at = ${ctx.now} where restaurant_id = ${ctx.tenant.id} and id = any(${[...ids]}::bigint[])`);

const writeHappyHours = async (ctx: Ctx, changes: PlanChanges["happy_hours"]): Promise<void> => {
  ctx.db.defer(sql`delete from happy_hours where restaurant_id = ${ctx.tenant.id} and key = any(${removed(changes)}::text[])`);
  const happyHours = written(changes);
  if (happyHours.length === 0) return;
  await upsertRows(
    ctx,
    { table: "happy_hours" },
    happyHours.map(({ key, value: { categories: _, items: __, variants: ___, ...value }, place }) => ({
      key,
      ...value,
      sort_order: place,
    })),
  );
  const [happyHourId, categoryId, itemId, sizes] = await Promise.all([
    idsByKey(ctx, "happy_hours"),
    idsByKey(ctx, "categories"),
    idsByKey(ctx, "items"),
    listSizes(ctx),
  ]);
  const none = { category_id: null, item_id: null, variant_id: null };
  const ids = happyHours.map(({ key }) => happyHourId(key));
  ctx.db.defer(sql`delete from happy_hour_targets where restaurant_id = ${ctx.tenant.id} and happy_hour_id = any(${ids}::bigint[])`);
  const targetsOf = ({ categories, items, variants }: (typeof happyHours)[number]["value"]) => [
    ...categories.map((key) => ({ ...none, category_id: categoryId(key) })),
    ...items.map((key) => ({ ...none, item_id: itemId(key) })),
    ...variants.map(({ item, variant }) => ({ ...none, variant_id: sizes.get(`${itemId(item)} ${variant}`) ?? null })),
  ];
  insertRows(
    ctx,
    "happy_hour_targets",
    happyHours.flatMap(({ key, value }) =>
      targetsOf(value).map((target, index) => ({ ...target, happy_hour_id: happyHourId(key), sort_order: index })),
    ),
  );
};

const listSizes = async (ctx: Ctx): Promise<Map<string, number>> => {
  const rows = await ctx.db.query(sql<{ id: number; item_id: number; key: string }>`
    select id, item_id, key from item_variants where restaurant_id = ${ctx.tenant.id} and deleted_at is null`);
  return new Map(rows.map(({ id, item_id, key }) => [`${item_id} ${key}`, id]));
};
