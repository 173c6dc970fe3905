/** Rows as the contract shows them; the same shapes feed answers and events. */
import type { Category, Item, Menu, MenuWithItems } from "@comanda/contract/menu.ts";
import { formatInstant } from "#lib/zone.ts";
import type { CategoryRow, DishRow, MenuRow, WholeMenuRow } from "./store.ts";

export const presentItem = (dish: DishRow, zone: string): Item => ({
  id: dish.id,
  category_id: dish.category_id,
  name: dish.name,
  description: dish.description,
  price_minor: dish.price_minor,
  is_available: dish.is_available,
  show_online: dish.show_online,
  dietary: dish.dietary,
  allergens: dish.allergens,
  sort_order: dish.sort_order,
  variants: dish.variants,
  modifier_groups: dish.modifier_groups,
  updated_at: dish.updated_at && formatInstant(zone, dish.updated_at),
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
      .filter((dish) => dish.category_id === category.id)
      .map((dish) => presentItem({ ...dish, updated_at: dish.updated_at === null ? null : new Date(dish.updated_at) }, zone)),
  })),
});
