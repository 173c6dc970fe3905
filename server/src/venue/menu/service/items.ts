/** Reads the menu; adds and changes items and their availability. */
import type { Allergen, Item, ItemChanges, Menu, MenuNow, MenuWithItems, NewItem } from "@comanda/contract/venue/menu.ts";
import { DISHES_MAX } from "@comanda/contract/venue-limits.ts";
import { keepAnswer } from "#db/kept-answers.ts";
import type { Ctx } from "#lib/context.ts";
import { apiError, because, type FieldRefusals, validationError } from "#lib/errors.ts";
import type { KeptJson } from "#lib/kept-json.ts";
import { recordChange } from "#lib/record-change.ts";
import { wallClock } from "#lib/time-zone.ts";
import { asTranslations } from "#lib/translations.ts";
import { recordAudit } from "#platform/activity/audit/service.ts";
import { emit, emitAll } from "#platform/events/service.ts";
import { lockCount, setCount } from "#venue/menu/item-counts/service.ts";
import { presentCategory, presentItem, presentMenu, presentWholeMenu } from "../present.ts";
import {
  auditActionOf,
  defaultVariantIndex,
  ITEMS_PER_CATEGORY_MAX,
  type ItemChange,
  itemChange,
  languageErrors,
  menuNow,
  newItemErrors,
  type OrderPriceList,
  runningCuts,
  textOrNull,
  withoutRepeats,
} from "../rules/items.ts";
import { MENU_BYTES_MAX, SHOWN_BYTES_MAX, TOO_MUCH_TEXT, textBytes } from "../rules/menu-size.ts";
import {
  type EndingItemRow,
  findItem,
  findPriceList,
  findSellableMenu,
  findStationOf,
  findWholeMenu,
  hasCategory,
  type ItemFilter,
  type ItemIdRange,
  type ItemRow,
  insertAvailabilityChange,
  insertItem,
  listAllergens,
  listCategoryRows,
  listItemRows,
  listLanguages,
  listMenuRows,
  listStations,
  listTaxKeys,
  lockItem,
  lockItemsAnd,
  lockItemsOfGroup,
  lockOption,
  type OptionRow,
  type OptionSelling,
  type OrderedIds,
  prepareNewItem,
  setItemEnd,
  stampItems,
  updateItem,
  updateOption,
  type WholeMenuRow,
} from "../store/items.ts";
import { lockMenu } from "../store/plan.ts";
import { measureMenu } from "../store/plan-rows.ts";

export { findSellableMenu, setItemEnd };

export const readMenus = async (ctx: Ctx): Promise<Menu[]> => (await listMenuRows(ctx)).map(presentMenu);

export const readMenu = async (ctx: Ctx, id: number): Promise<{ menu: KeptJson<MenuWithItems>; now: MenuNow }> => {
  const { data, beside } = await keepAnswer(ctx, `menu ${id}`, () => makeMenu(ctx, id));
  return { menu: data, now: beside(ctx.now) };
};

const makeMenu = async (ctx: Ctx, id: number): Promise<{ data: MenuWithItems; beside: (at: Date) => MenuNow }> => {
  const row = await findWholeMenu(ctx, id);
  if (!row) throw apiError("not_found");
  return { data: presentWholeMenu(row, ctx.tenant.zone), beside: nowOf(row, ctx.tenant.zone) };
};

const MINUTE_MS = 60_000;

/** What applies at a time is the same for the minute. Of the dishes only what decides it is held. */
const nowOf = ({ is_active, hours, categories, items, happy_hours }: WholeMenuRow, zone: string): ((at: Date) => MenuNow) => {
  const priced = items.map(({ id, category_id, price_minor, variants }) => ({
    id,
    category_id,
    price_minor,
    variants: variants.map((variant) => ({ id: variant.id, price_minor: variant.price_minor })),
  }));
  const menu = { is_active, hours, categories: categories.map((category) => ({ id: category.id, hours: category.hours })), items: priced };
  let last: { minute: number; now: MenuNow } | null = null;
  return (at) => {
    const minute = Math.floor(at.getTime() / MINUTE_MS);
    if (last?.minute === minute) return last.now;
    const clock = wallClock(zone, at);
    last = { minute, now: menuNow(menu, runningCuts(happy_hours, clock), clock) };
    return last.now;
  };
};

/** The languages of the menu, by the names of its menus and categories. */
export const readMenuLanguages = async (ctx: Ctx): Promise<string[]> => (await listLanguages(ctx)).map(({ language }) => language);

export const readCategories = async (ctx: Ctx, menuId: number | undefined) => (await listCategoryRows(ctx, menuId)).map(presentCategory);

export const readItem = async (ctx: Ctx, id: number): Promise<Item> => {
  const row = await findItem(ctx, id);
  if (!row) throw apiError("not_found");
  return presentItem(row, ctx.tenant.zone);
};

export const readItems = async (ctx: Ctx, filter: ItemFilter, range: ItemIdRange, rowCount: number): Promise<Item[]> =>
  (await listItemRows(ctx, filter, range, rowCount)).map((row) => presentItem(row, ctx.tenant.zone));

/** Reads the tax of these items, including removed ones. */
export const readTaxKeys = async (ctx: Ctx, itemIds: number[]): Promise<Map<number, string | null>> =>
  new Map((await listTaxKeys(ctx, itemIds)).map(({ id, tax_key }) => [id, tax_key]));

/** Reads the allergens of these items, including removed ones: the kitchen may still cook them. */
export const readAllergens = async (ctx: Ctx, itemIds: number[]): Promise<Map<number, Allergen[] | null>> => {
  const rows = itemIds.length === 0 ? [] : await listAllergens(ctx, itemIds);
  return new Map(rows.map(({ id, allergens }) => [id, allergens]));
};

/** The kitchen stations that cook something on the menu. Null: categories without one. */
export const readStations = async (ctx: Ctx): Promise<(string | null)[]> => (await listStations(ctx)).map(({ station }) => station);

/** Null: of a category without one. Undefined: there is no such dish. */
export const readStationOf = async (ctx: Ctx, itemId: number): Promise<string | null | undefined> =>
  (await findStationOf(ctx, itemId))?.station;

/** Reads inside the order's transaction, so that the order is priced from the current menu. */
export const readPriceList = async (ctx: Ctx, ordered: OrderedIds): Promise<OrderPriceList> => ({
  ...(await findPriceList(ctx, ordered)),
  language: ctx.tenant.default_language,
});

/** Creating an item emits no event (open point D165). */
export const addItem = async (ctx: Ctx, wanted: NewItem): Promise<Item> => {
  const groupIds = [...new Set(wanted.modifier_group_ids ?? [])];
  const variants = wanted.variants ?? [];
  // Two new dishes cannot both take the last place.
  lockMenu(ctx);
  const places = await prepareNewItem(ctx, wanted.category_id, groupIds, variants.length);
  const errors = { ...newItemErrors(wanted), ...referenceErrors(wanted, places) };
  if (Object.keys(errors).length > 0) throw validationError(errors);
  await assertRoom(ctx, textOf(wanted), places.groups);
  const language = ctx.tenant.default_language;
  const defaultIndex = defaultVariantIndex(variants);
  const row = {
    category_id: wanted.category_id,
    name: asTranslations(wanted.name, language),
    description: textOrNull(wanted.description, language),
    price_minor: wanted.price_minor ?? null,
    is_available: wanted.is_available ?? true,
    show_online: wanted.show_online ?? true,
    dietary: wanted.dietary ?? "none",
    allergens: wanted.allergens ? withoutRepeats(wanted.allergens) : null,
    sort_order: places.next_sort_order,
    variants: variants.map(({ name, price_minor }, index) => ({
      id: places.variant_ids[index] ?? 0,
      name: asTranslations(name, language),
      price_minor,
      is_default: index === defaultIndex,
    })),
  };
  insertItem(ctx, places.id, { ...row, group_ids: groupIds });
  const modifier_groups = groupIds.flatMap((id) => places.groups.filter((group) => group.id === id));
  const item = presentItem({ ...row, id: places.id, modifier_groups, updated_at: ctx.now }, ctx.tenant.zone);
  recordAudit(ctx, { action: "item.created", subject: { kind: "item", id: item.id }, after: item });
  return item;
};

type DishText = Pick<NewItem, "name" | "description" | "variants">;

const textOf = ({ name, description = null, variants = [] }: DishText): DishText => ({ name, description, variants });

/**
 * A dish that has no more than its part of the menu's text is not measured against the others. `before` is what it had. Two that change at
 * once may together be above a bound by one dish.
 */
const assertRoom = async (ctx: Ctx, dish: DishText, groups: readonly object[], before: DishText | null = null): Promise<void> => {
  const [own, ofGroups, had] = [textBytes(dish), before ? 0 : textBytes(groups), before ? textBytes(before) : 0];
  if (own <= had || (own <= MENU_BYTES_MAX / DISHES_MAX && own + ofGroups <= SHOWN_BYTES_MAX / DISHES_MAX)) return;
  const { bytes, shown } = await measureMenu(ctx);
  if (bytes + own - had <= MENU_BYTES_MAX && shown + own - had + ofGroups <= SHOWN_BYTES_MAX) return;
  const field = ofGroups > own ? "modifier_group_ids" : dish.description ? "description" : "name";
  throw validationError({ [field]: [because(TOO_MUCH_TEXT, "not_valid")] });
};

const referenceErrors = (
  wanted: NewItem,
  places: { has_category: boolean; dishes: number; dishes_of_venue: number; groups: { id: number }[] },
): FieldRefusals => {
  const errors: FieldRefusals = {};
  if (!places.has_category) errors.category_id = [because("There is no such category.", "unknown_category")];
  else if (places.dishes >= ITEMS_PER_CATEGORY_MAX)
    errors.category_id = [
      because(`A category has at most ${ITEMS_PER_CATEGORY_MAX} dishes.`, "category_full", { dishes_max: ITEMS_PER_CATEGORY_MAX }),
    ];
  else if (places.dishes_of_venue >= DISHES_MAX)
    errors.category_id = [because(`All menus together have at most ${DISHES_MAX} dishes.`, "menus_full", { dishes_max: DISHES_MAX })];
  for (const [index, id] of (wanted.modifier_group_ids ?? []).entries())
    if (!places.groups.some((group) => group.id === id))
      errors[`modifier_group_ids.${index}`] = [because("There is no such modifier group.", "unknown_modifier_group")];
  return errors;
};

/** An item that this transaction has locked, with the end and the count that staff said. */
export type LockedItem = EndingItemRow & { remaining: number | null };

export const lockedItem = async (ctx: Ctx, id: number): Promise<LockedItem | null> => {
  const [remaining, row] = await Promise.all([lockCount(ctx, id), lockItem(ctx, id)]);
  return row ? { ...row, remaining } : null;
};

export const findItemForChange = async (ctx: Ctx, id: number): Promise<LockedItem> => {
  const row = await lockedItem(ctx, id);
  if (!row) throw apiError("not_found");
  return row;
};

/** Writes one audit entry and one event per change, plus an availability change where it applies. Writes nothing when nothing differs. */
export const changeItem = async (ctx: Ctx, row: LockedItem, wanted: ItemChanges): Promise<Item> => {
  const { before, after, changed } = itemChange(row, wanted, ctx.tenant.default_language);
  await assertChangeValid(ctx, row, wanted, { after, changed });
  if (wanted.is_available === true || after.is_available !== undefined) endCount(ctx, row);
  if (changed.length === 0) return presentItem(row, ctx.tenant.zone);
  updateItem(ctx, row.id, { ...after, ...(after.is_available === undefined ? {} : { sold_out_until: null }) });
  if (after.is_available !== undefined) insertAvailabilityChange(ctx, row.id, after.is_available);
  // Screens show the allergens on open tickets: they read all of them again.
  if (after.allergens !== undefined) recordChange(ctx, { kind: "ticket", id: "all" });
  const item = presentItem({ ...row, ...after, updated_at: ctx.now }, ctx.tenant.zone);
  recordAudit(ctx, { action: auditActionOf(changed), subject: { kind: "item", id: row.id }, before, after });
  emit(ctx, "menu.item_updated", { item, changed });
  return item;
};

/** A dish that is said to be available or sold out is no longer counted (open point D197). */
const endCount = (ctx: Ctx, { id, remaining }: LockedItem): void => {
  if (remaining === null) return;
  setCount(ctx, id, null);
  recordAudit(ctx, { action: "item.count_changed", subject: { kind: "item", id }, before: { remaining }, after: { remaining: null } });
};

/**
 * Makes an item sold out or available, with the details of it that the activity log keeps. Count and job are the caller's.
 * `sold_out_by_stock`: it comes back with an ingredient.
 */
export const flipItem = (
  ctx: Ctx,
  row: LockedItem,
  { is_available, sold_out_until, sold_out_by_stock = false }: OptionSelling,
  details: { before?: object; after?: object } = {},
): void => {
  updateItem(ctx, row.id, { is_available, sold_out_until, sold_out_by_stock });
  insertAvailabilityChange(ctx, row.id, is_available);
  const item = presentItem({ ...row, is_available, updated_at: ctx.now }, ctx.tenant.zone);
  recordAudit(ctx, {
    action: "item.availability_changed",
    subject: { kind: "item", id: row.id },
    before: { is_available: row.is_available, ...details.before },
    after: { is_available, ...details.after },
  });
  emit(ctx, "menu.item_updated", { item, changed: ["is_available"] });
};

export const findOptionForChange = async (ctx: Ctx, id: number): Promise<OptionRow> => {
  const row = await lockOption(ctx, id);
  if (!row) throw apiError("not_found");
  return row;
};

/** The option's end alone is no change that others see. A flip has one event for each dish that shows the option. */
export const changeOption = async (ctx: Ctx, row: OptionRow, change: OptionSelling): Promise<void> => {
  updateOption(ctx, row.id, change);
  if (change.is_available === row.is_available) return;
  const items = await lockItemsOfGroup(ctx, row.group_id);
  stampItems(
    ctx,
    items.map(({ id }) => id),
  );
  for (const item of items)
    emit(ctx, "menu.item_updated", { item: presentItem({ ...item, updated_at: ctx.now }, ctx.tenant.zone), changed: ["modifier_groups"] });
};

/** The caller wrote the dishes. Each has one event, and so has each one that shows a changed group. */
export const tellItemsChanged = async (
  ctx: Ctx,
  { changedOf, groupIds }: { changedOf: ReadonlyMap<number, readonly string[]>; groupIds: readonly number[] },
): Promise<void> => {
  const items = await lockItemsAnd(ctx, [...changedOf.keys()], groupIds);
  stampItems(
    ctx,
    items.map(({ id }) => id),
  );
  const told = items.map((row) => {
    const ofGroup = row.modifier_groups.some(({ id }) => groupIds.includes(id)) ? ["modifier_groups"] : [];
    const changed = [...new Set([...(changedOf.get(row.id) ?? []), ...ofGroup])];
    return { item: presentItem({ ...row, updated_at: ctx.now }, ctx.tenant.zone), changed };
  });
  emitAll(ctx, "menu.item_updated", told);
};

const assertChangeValid = async (
  ctx: Ctx,
  row: ItemRow,
  wanted: ItemChanges,
  { after, changed }: Pick<ItemChange, "after" | "changed">,
): Promise<void> => {
  const errors = languageErrors(row, after);
  if (wanted.price_minor !== undefined && row.variants.length > 0)
    errors.price_minor = [because("This dish is priced per size.", "priced_per_size")];
  if (wanted.category_id !== undefined && changed.includes("category_id") && !(await hasCategory(ctx, wanted.category_id)))
    errors.category_id = [because("There is no such category.", "unknown_category")];
  if (Object.keys(errors).length > 0) throw validationError(errors);
  const { name = row.name, description = row.description } = after;
  await assertRoom(ctx, textOf({ name, description }), [], textOf({ name: row.name, description: row.description }));
};
