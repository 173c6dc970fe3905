/** New subjects of the menu, as they are before anything is entered. */
import type { OrderedList } from "@comanda/contract/console/menu-editor.ts";
import type { MenuValues, ShownPlan } from "./menu-draft.ts";
import type { MenuPlace } from "./menu-view.ts";

/** The beginning of their keys. */
export const KEY_KINDS: Readonly<Record<OrderedList, string>> = {
  menus: "menu",
  categories: "category",
  items: "item",
  modifier_groups: "group",
  happy_hours: "happy-hour",
};

const isThere = ({ state }: { state: string }): boolean => state !== "removed";

/** A dish and a category are made where the page is. */
export const newValue = <L extends OrderedList>(list: L, { menus, categories }: ShownPlan, place: MenuPlace): MenuValues[L] => {
  const near = place.kind === "category" ? categories.find(({ key }) => key === place.key) : undefined;
  const menu = place.kind === "menu" ? place.key : (near?.value.menu ?? menus.find(isThere)?.key ?? "");
  const category = near?.key ?? (categories.find((one) => isThere(one) && one.value.menu === menu) ?? categories.find(isThere))?.key ?? "";
  const values: MenuValues = {
    menus: { name: {}, is_active: true, hours: null },
    categories: { menu, name: {}, is_active: true, hours: null, station: null },
    items: newDish(category),
    modifier_groups: { name: {}, min_select: 0, max_select: null, options: [] },
    happy_hours: {
      name: {},
      is_active: true,
      hours: null,
      percent_off: null,
      price_minor: null,
      categories: [],
      items: [],
      variants: [],
    },
  };
  return values[list];
};

export const newDish = (category: string): MenuValues["items"] => ({
  category,
  name: {},
  description: null,
  price_minor: null,
  variants: [],
  modifier_groups: [],
  dietary: "none",
  allergens: null,
  show_online: true,
  tax: null,
});
