/** The verbs of the menu: read it, add a dish, change one, sell one out. */
import type { Item, ItemChanges, Menu, MenuNow, MenuWithItems, NewItem } from "@comanda/contract/menu.ts";
import type { Ctx } from "#lib/context.ts";
import { type Faults, fail, invalid } from "#lib/errors.ts";
import { asTranslations } from "#lib/translations.ts";
import { wallClock } from "#lib/zone.ts";
import { recordAudit } from "#platform/audit/service.ts";
import { emit } from "#platform/events/service.ts";
import { presentCategory, presentItem, presentMenu, presentWholeMenu } from "./present.ts";
import {
  changeAction,
  type DishChange,
  defaultVariantIndex,
  dishChange,
  languageFaults,
  menuNow,
  newItemFaults,
  type PriceList,
  textOrNull,
  withoutRepeats,
} from "./rules.ts";
import {
  type DishFilter,
  type DishRow,
  findDish,
  findPlaces,
  findPriceList,
  findWholeMenu,
  hasCategory,
  type IdRange,
  insertDish,
  insertFlip,
  listCategoryRows,
  listDishes,
  listMenuRows,
  lockDish,
  updateDish,
} from "./store.ts";

export const readMenus = async (ctx: Ctx): Promise<Menu[]> => (await listMenuRows(ctx)).map(presentMenu);

export const readMenu = async (ctx: Ctx, id: number): Promise<{ menu: MenuWithItems; now: MenuNow }> => {
  const row = await findWholeMenu(ctx, id);
  if (!row) throw fail("not_found");
  return {
    menu: presentWholeMenu(row, ctx.tenant.zone),
    now: menuNow(row, row.happy_hours, wallClock(ctx.tenant.zone, ctx.now)),
  };
};

export const readCategories = async (ctx: Ctx, menuId: number | undefined) => (await listCategoryRows(ctx, menuId)).map(presentCategory);

export const readItem = async (ctx: Ctx, id: number): Promise<Item> => {
  const dish = await findDish(ctx, id);
  if (!dish) throw fail("not_found");
  return presentItem(dish, ctx.tenant.zone);
};

export const readItems = async (ctx: Ctx, filter: DishFilter, range: IdRange, rowCount: number): Promise<Item[]> =>
  (await listDishes(ctx, filter, range, rowCount)).map((dish) => presentItem(dish, ctx.tenant.zone));

/** What an order is priced from, as it is inside the order's own transaction. */
export const readPriceList = (ctx: Ctx, itemIds: number[]): Promise<PriceList> => findPriceList(ctx, itemIds);

/** Creating a dish is no event: subscribers hear of it when it changes (open point D165). */
export const addItem = async (ctx: Ctx, wanted: NewItem): Promise<Item> => {
  const groupIds = [...new Set(wanted.modifier_group_ids ?? [])];
  const variants = wanted.variants ?? [];
  const places = await findPlaces(ctx, wanted.category_id, groupIds, variants.length);
  const faults = { ...newItemFaults(wanted), ...placeFaults(wanted, places) };
  if (Object.keys(faults).length > 0) throw invalid(faults);
  const language = ctx.tenant.default_language;
  const defaultIndex = defaultVariantIndex(variants);
  const dish = {
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
  insertDish(ctx, places.id, { ...dish, group_ids: groupIds });
  const modifier_groups = groupIds.flatMap((id) => places.groups.filter((group) => group.id === id));
  const item = presentItem({ ...dish, id: places.id, modifier_groups, updated_at: ctx.now }, ctx.tenant.zone);
  recordAudit(ctx, { action: "item.created", subject: { kind: "item", id: item.id }, after: item });
  return item;
};

const placeFaults = (wanted: NewItem, places: { has_category: boolean; groups: { id: number }[] }): Faults => {
  const faults: Faults = {};
  if (!places.has_category) faults.category_id = ["There is no such category."];
  for (const [index, id] of (wanted.modifier_group_ids ?? []).entries())
    if (!places.groups.some((group) => group.id === id)) faults[`modifier_group_ids.${index}`] = ["There is no such modifier group."];
  return faults;
};

export const findItemForChange = async (ctx: Ctx, id: number): Promise<DishRow> => {
  const dish = await lockDish(ctx, id);
  if (!dish) throw fail("not_found");
  return dish;
};

/** One change, one audit entry, one event; a flip of sold-out is also in the till's log. Nothing changed: nothing written. */
export const changeItem = async (ctx: Ctx, dish: DishRow, wanted: ItemChanges): Promise<Item> => {
  const { before, after, changed } = dishChange(dish, wanted, ctx.tenant.default_language);
  await refuseChange(ctx, dish, wanted, { after, changed });
  if (changed.length === 0) return presentItem(dish, ctx.tenant.zone);
  updateDish(ctx, dish.id, after);
  if (after.is_available !== undefined) insertFlip(ctx, dish.id, after.is_available);
  const item = presentItem({ ...dish, ...after, updated_at: ctx.now }, ctx.tenant.zone);
  recordAudit(ctx, { action: changeAction(changed), subject: { kind: "item", id: dish.id }, before, after });
  emit(ctx, "menu.item_updated", { item, changed });
  return item;
};

const refuseChange = async (
  ctx: Ctx,
  dish: DishRow,
  wanted: ItemChanges,
  { after, changed }: Pick<DishChange, "after" | "changed">,
): Promise<void> => {
  const faults = languageFaults(dish, after);
  if (wanted.price_minor !== undefined && dish.variants.length > 0) faults.price_minor = ["This dish is priced per size."];
  if (wanted.category_id !== undefined && changed.includes("category_id") && !(await hasCategory(ctx, wanted.category_id)))
    faults.category_id = ["There is no such category."];
  if (Object.keys(faults).length > 0) throw invalid(faults);
};
