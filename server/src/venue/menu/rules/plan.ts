/** The stored menu as subjects with keys, values and versions, and as the part of a venue file that it would be. */
import type {
  CategoryValue,
  GroupValue,
  HappyHourValue,
  ItemValue,
  MenuValue,
  OrderedList,
} from "@comanda/contract/console/menu-editor.ts";
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { sha256 } from "#lib/token-format.ts";
import type { MenuParts } from "./menu-parts.ts";

/** What is stored, with the number of each row. Every list is in its order. */
type Stored<T> = T & { id: number; sort_order: number };
export type MenuPart = Pick<VenueFile, "modifier_groups" | "menus" | "happy_hours">;
export type CategoryPart = MenuPart["menus"][number]["categories"][number];
export type MenuRows = {
  modifier_groups: Stored<MenuPart["modifier_groups"][number]>[];
  menus: Stored<Omit<MenuPart["menus"][number], "categories">>[];
  categories: Stored<Omit<CategoryPart, "items"> & { menu_id: number }>[];
  items: Stored<CategoryPart["items"][number] & { category_id: number }>[];
  happy_hours: Stored<MenuPart["happy_hours"][number]>[];
};

/** `id` and `place` are null for what is not stored yet. `place` is the stored sort order. */
export type MenuSubject<V> = { key: string; id: number | null; place: number | null; value: V };
export type ItemSubject = MenuSubject<ItemValue> & { isAvailable: boolean };
export type GroupSubject = MenuSubject<GroupValue>;

/** Every list is in its order. Categories and dishes are ordered within their parent. */
export type Plan = {
  menus: MenuSubject<MenuValue>[];
  categories: MenuSubject<CategoryValue>[];
  items: ItemSubject[];
  modifier_groups: GroupSubject[];
  happy_hours: MenuSubject<HappyHourValue>[];
};

/** Members in one order, so that equal values have equal texts. */
const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, part]) => [name, canonical(part)]),
  );
};

export const textOf = (value: unknown): string => JSON.stringify(canonical(value));

export const versionOf = (value: unknown): string => sha256(textOf(value)).toString("base64url").slice(0, 22);

/** Rows of several parents, in the order of the parents. Each parent's rows are in order already. */
const byParent = <S extends MenuSubject<object>>(list: OrderedList, parents: readonly { key: string }[], subjects: readonly S[]): S[] => {
  const rows = Map.groupBy(subjects, ({ value }) => parentOf(list, value));
  return parents.flatMap(({ key }) => rows.get(key) ?? []);
};

export const planOf = (rows: MenuRows): Plan => {
  const plan = subjectsOf(rows);
  const categories = byParent("categories", plan.menus, plan.categories);
  return { ...plan, categories, items: byParent("items", categories, plan.items) };
};

const subjectsOf = (rows: MenuRows): Plan => {
  const menuKeys = new Map(rows.menus.map(({ id, key }) => [id, key]));
  const categoryKeys = new Map(rows.categories.map(({ id, key }) => [id, key]));
  const subject = <R extends { key: string; id: number; sort_order: number }, V>({ key, id, sort_order }: R, value: V): MenuSubject<V> => ({
    key,
    id,
    place: sort_order,
    value,
  });
  return {
    menus: rows.menus.map((row) => subject(row, { name: row.name, is_active: row.is_active, hours: row.hours })),
    categories: rows.categories.flatMap((row) => {
      const menu = menuKeys.get(row.menu_id);
      const { name, is_active, hours, station } = row;
      return menu === undefined ? [] : [subject(row, { menu, name, is_active, hours, station })];
    }),
    items: rows.items.flatMap(({ key, id, sort_order, category_id, is_available, ...value }) => {
      const category = categoryKeys.get(category_id);
      return category === undefined ? [] : [{ ...subject({ key, id, sort_order }, { category, ...value }), isAvailable: is_available }];
    }),
    modifier_groups: rows.modifier_groups.map((row) => {
      const { name, min_select, max_select, options } = row;
      const value = { name, min_select, max_select, options: options.map(({ is_available: _, ...option }) => option) };
      return subject(row, value);
    }),
    happy_hours: rows.happy_hours.map(({ key, id, sort_order, ...value }) => subject({ key, id, sort_order }, value)),
  };
};

export const parentOf = (list: OrderedList, value: object): string | null => {
  if (list === "categories") return (value as CategoryValue).menu;
  return list === "items" ? (value as ItemValue).category : null;
};

/** The menu as a venue file has it, for the checks that both share. */
export const partsOf = (
  { menus, categories, items, modifier_groups, happy_hours }: Plan,
  taxes: MenuParts["charges"]["taxes"],
): MenuParts => {
  const itemsOf = Map.groupBy(items, ({ value }) => value.category);
  const categoriesOf = Map.groupBy(categories, ({ value }) => value.menu);
  return {
    charges: { taxes },
    modifier_groups: modifier_groups.map(({ key, value }) => ({
      key,
      ...value,
      options: value.options.map((option) => ({ ...option, is_available: true })),
    })),
    menus: menus.map((menu) => ({
      key: menu.key,
      ...menu.value,
      categories: (categoriesOf.get(menu.key) ?? []).map(({ key, value: { menu: _, ...category } }) => ({
        key,
        ...category,
        items: (itemsOf.get(key) ?? []).map(({ key: itemKey, value: { category: __, ...item }, isAvailable }) => ({
          key: itemKey,
          ...item,
          is_available: isAvailable,
        })),
      })),
    })),
    happy_hours: happy_hours.map(({ key, value }) => ({ key, ...value })),
  };
};
