/** Rows in the shapes of the contract, for responses and events. */
import type { Category, Item, Menu, MenuWithItems } from "@comanda/contract/venue/menu.ts";
import { formatInstant } from "#lib/time-zone.ts";
import type { CategoryRow, ItemRow, MenuRow, WholeMenuRow } from "./store.ts";

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

export const presentWholeMenu = ({ id, name, is_active, sort_order, categories, items }: WholeMenuRow, zone: string): MenuWithItems => ({
  id,
  name,
  is_active,
  sort_order,
  categories: categories.map((category) => ({
    ...presentCategory(category),
    items: items
      .filter((item) => item.category_id === category.id)
      .map((item) => presentItem({ ...item, updated_at: item.updated_at === null ? null : new Date(item.updated_at) }, zone)),
  })),
});
