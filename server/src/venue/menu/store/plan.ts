import { ORDERED_LISTS, type OrderedList } from "@comanda/contract/console/menu-editor.ts";
import type { Translations } from "@comanda/contract/shared.ts";
import { sql } from "kysely";
import { idsByKey, insertRows, upsertRows } from "#db/bulk-upsert.ts";
import type { Ctx } from "#lib/context.ts";
import type { PlanChanges } from "../rules/changes.ts";

/** One save at a time, so that every save is decided by the menu that the one before left. */
export const lockMenu = (ctx: Ctx): void =>
  ctx.db.defer(sql`select pg_advisory_xact_lock(hashtextextended(${`menu ${ctx.tenant.id}`}, 0))`);

type LockedKeys = { items: readonly string[]; groups: readonly string[]; removedCategories: readonly string[] };

/**
 * Other writers of these dishes, of the options of these groups and of dishes in these categories wait until the commit. In id order, and
 * options before dishes, as staff do it who sell an option out. A category is last, as the API does it that moves a dish.
 */
export const lockSubjects = async (ctx: Ctx, { items, groups, removedCategories }: LockedKeys): Promise<void> => {
  const groupIds = sql`select g.id from modifier_groups g where g.restaurant_id = ${ctx.tenant.id} and g.key = any(${[...groups]}::text[])`;
  await Promise.all([
    ctx.db.query(sql`
      select o.id from modifier_options o
      where o.restaurant_id = ${ctx.tenant.id} and o.group_id = any(array(${groupIds})) order by o.id for update`),
    ctx.db.query(sql`
      select i.id from items i where i.restaurant_id = ${ctx.tenant.id} and (i.key = any(${[...items]}::text[]) or i.id = any(array(
        select l.item_id from item_modifier_groups l where l.restaurant_id = ${ctx.tenant.id} and l.group_id = any(array(${groupIds})))))
      order by i.id for update`),
    ctx.db.query(sql`
      select id from categories where restaurant_id = ${ctx.tenant.id} and key = any(${[...removedCategories]}::text[]) order by id for update`),
  ]);
};

/** Locks the categories that an import removes with their dishes. */
export const lockOtherCategories = async (ctx: Ctx, keys: readonly string[]): Promise<void> => {
  await ctx.db.query(sql`
    select id from categories where restaurant_id = ${ctx.tenant.id} and deleted_at is null and key <> all(${[...keys]}::text[])
    order by id for update`);
};

/** Finds dishes that are about to be removed. */
export const findItemIds = async (ctx: Ctx, keys: readonly string[]): Promise<number[]> =>
  (
    await ctx.db.query(sql<{ id: number }>`
      select id from items where restaurant_id = ${ctx.tenant.id} and key = any(${[...keys]}::text[]) and deleted_at is null order by id`)
  ).map(({ id }) => id);

export type NamedSubject = { key: string; name: Translations };

/** The map's key is the list and the number. Removed subjects are included. */
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

type AnyChange = { before: object | null; after: { key: string; place: number } | null; fields: readonly string[] };

/** Only the sort order differs. The row was not locked for the save, so nothing else of it is written. */
const isMove = ({ before, after, fields }: AnyChange): boolean => before !== null && after !== null && fields.join() === "sort_order";

const writePlaces = (ctx: Ctx, table: OrderedList, changes: readonly AnyChange[]): void => {
  const rows = written(changes.filter(isMove));
  if (rows.length === 0) return;
  const keys = rows.map(({ key }) => key);
  ctx.db.defer(sql`
    select id from ${sql.table(table)} where restaurant_id = ${ctx.tenant.id} and key = any(${keys}::text[]) order by id for no key update`);
  ctx.db.defer(sql`
    update ${sql.table(table)} t set sort_order = given.sort_order
    from unnest(${keys}::text[], ${rows.map(({ place }) => place)}::integer[]) as given (key, sort_order)
    where t.restaurant_id = ${ctx.tenant.id} and t.key = given.key`);
};

const withoutMoves = <C extends AnyChange>(changes: readonly C[]): C[] => changes.filter((change) => !isMove(change));

/** Writes what differs, in the order of the references. */
export const writeChanges = async (ctx: Ctx, changes: PlanChanges): Promise<void> => {
  for (const list of ORDERED_LISTS) writePlaces(ctx, list, changes[list]);
  await writeGroups(ctx, withoutMoves(changes.modifier_groups));
  await upsertRows(
    ctx,
    { table: "menus" },
    written(withoutMoves(changes.menus)).map(({ key, value, place }) => ({ key, ...value, sort_order: place, ...LIVE })),
  );
  await writeCategories(ctx, withoutMoves(changes.categories));
  await writeItems(ctx, withoutMoves(changes.items));
  await writeHappyHours(ctx, withoutMoves(changes.happy_hours));
  removeRows(ctx, changes);
};

/** What comes back later is as available as it was. Its end is dropped, because the job of the end does not find it meanwhile. */
const removeRows = (ctx: Ctx, changes: PlanChanges): void => {
  for (const table of ["items", "categories", "menus", "modifier_groups"] as const)
    ctx.db.defer(sql`
      update ${sql.table(table)} set deleted_at = ${ctx.now}
      where restaurant_id = ${ctx.tenant.id} and deleted_at is null and key = any(${removed(changes[table])}::text[])`);
  ctx.db.defer(sql`
    update items set sold_out_until = null
    where restaurant_id = ${ctx.tenant.id} and key = any(${removed(changes.items)}::text[]) and sold_out_until is not null`);
  ctx.db.defer(sql`
    update modifier_options o set sold_out_until = null from modifier_groups g
    where o.restaurant_id = ${ctx.tenant.id} and g.restaurant_id = o.restaurant_id and g.id = o.group_id
      and g.key = any(${changes.modifier_groups.flatMap(({ before }) => (before ? [before.key] : []))}::text[])
      and (g.deleted_at is not null or o.deleted_at is not null) and o.sold_out_until is not null`);
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
    { table: "modifier_options", within: "group_id", birth: "is_available" },
    groups.flatMap(({ key, value }) =>
      value.options.map((option, index) => ({
        ...option,
        group_id: groupId(key),
        is_available: true,
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
    { table: "items", stamp: "updated_at", birth: "is_available" },
    items.map(({ key, value: { category, variants: _, modifier_groups: __, tax, ...value }, place }) => ({
      key,
      category_id: categoryId(category),
      ...value,
      tax_key: tax,
      is_available: true,
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
