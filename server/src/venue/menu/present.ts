/** Rows in the shapes of the contract, for responses and events. */
import type { MenuPlan } from "@comanda/contract/console/menu-editor.ts";
import type { Category, Item, Menu, MenuWithItems } from "@comanda/contract/venue/menu.ts";
import type { Charges } from "@comanda/contract/venue-file/charges.ts";
import type { Ctx } from "#lib/context.ts";
import { formatInstant } from "#lib/time-zone.ts";
import { type MenuSubject, type Plan, versionOf } from "./rules/plan.ts";
import type { CategoryRow, ItemRow, MenuRow, WholeMenuRow } from "./store/items.ts";

export const presentItem = (item: ItemRow, zone: string): Item => ({
  id: item.id,
  category_id: item.category_id,
  name: item.name,
  description: item.description,
  price_minor: item.price_minor,
  is_available: item.is_available,
  show_online: item.show_online,
  dietary: item.dietary,
  allergens: item.allergens,
  sort_order: item.sort_order,
  variants: item.variants,
  modifier_groups: item.modifier_groups,
  updated_at: item.updated_at && formatInstant(zone, item.updated_at),
});

export const presentCategory = ({ id, menu_id, name, is_active, sort_order }: CategoryRow): Category => ({
  id,
  menu_id,
  name,
  is_active,
  sort_order,
});

export const presentMenu = ({ id, name, is_active, sort_order, categories }: MenuRow & { categories: CategoryRow[] }): Menu => ({
  id,
  name,
  is_active,
  sort_order,
  categories: categories.map(presentCategory),
});

export const presentWholeMenu = ({ id, name, is_active, sort_order, categories, items }: WholeMenuRow, zone: string): MenuWithItems => {
  const itemsOf = Map.groupBy(items, ({ category_id }) => category_id);
  return {
    id,
    name,
    is_active,
    sort_order,
    categories: categories.map((category) => ({
      ...presentCategory(category),
      items: (itemsOf.get(category.id) ?? []).map((item) =>
        presentItem({ ...item, updated_at: item.updated_at === null ? null : new Date(item.updated_at) }, zone),
      ),
    })),
  };
};

const presentSubject = <V>({ key, id, value }: MenuSubject<V>) => ({ key, id: id ?? 0, version: versionOf(value), value });

export const presentPlan = (plan: Plan, taxes: Charges["taxes"], { default_language, currency, zone }: Ctx["tenant"]): MenuPlan => ({
  menus: plan.menus.map(presentSubject),
  categories: plan.categories.map(presentSubject),
  items: plan.items.map((item) => ({ ...presentSubject(item), is_available: item.isAvailable })),
  modifier_groups: plan.modifier_groups.map(presentSubject),
  happy_hours: plan.happy_hours.map(presentSubject),
  taxes: taxes.map(({ key, name, rate, is_default }) => ({ key, name, rate, is_default })),
  default_language,
  currency,
  zone,
});
