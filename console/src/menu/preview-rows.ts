/** The saved menu as guests see it at one moment: what is offered, at which price, and why the rest is not. */

import type { CategoryValue, ItemValue, MenuPlan, MenuPreview, MenuValue, PlanItem } from "@comanda/contract/console/menu-editor.ts";
import type { Minor } from "@comanda/contract/minor.ts";
import type { Translations } from "@comanda/contract/shared.ts";

type PlaceReason = "hidden" | "hours" | null;
export type PreviewPrice = { size: Translations | null; listMinor: Minor; minor: Minor };
export type PreviewDish = { key: string; value: ItemValue; prices: PreviewPrice[]; reason: "offline" | "soldOut" | null };
export type PreviewCategory = { key: string; value: CategoryValue; reason: PlaceReason; dishes: PreviewDish[] };
export type PreviewMenu = { key: string; value: MenuValue; reason: PlaceReason; categories: PreviewCategory[] };

const placeReason = (is_active: boolean, isWithinHours: boolean): PlaceReason => {
  if (!is_active) return "hidden";
  return isWithinHours ? null : "hours";
};

const pricesOf = ({ key, value }: PlanItem, { prices }: MenuPreview): PreviewPrice[] => {
  const at = (variant: string | null, listMinor: Minor): Minor =>
    prices.find((price) => price.item === key && price.variant === variant)?.price_minor ?? listMinor;
  if (value.variants.length > 0)
    return value.variants.map((size) => ({ size: size.name, listMinor: size.price_minor, minor: at(size.key, size.price_minor) }));
  return value.price_minor === null ? [] : [{ size: null, listMinor: value.price_minor, minor: at(null, value.price_minor) }];
};

const dishReason = ({ value, is_available }: PlanItem): PreviewDish["reason"] => {
  if (!value.show_online) return "offline";
  return is_available ? null : "soldOut";
};

export const previewRows = ({ menus, categories, items }: MenuPlan, preview: MenuPreview): PreviewMenu[] => {
  const itemsOf = Map.groupBy(items, ({ value }) => value.category);
  return menus.map((menu) => ({
    key: menu.key,
    value: menu.value,
    reason: placeReason(menu.value.is_active, preview.offered_menus.includes(menu.key)),
    categories: categories
      .filter(({ value }) => value.menu === menu.key)
      .map(({ key, value }) => ({
        key,
        value,
        reason: placeReason(value.is_active, !preview.closed_categories.includes(key)),
        dishes: (itemsOf.get(key) ?? []).map((item) => ({
          key: item.key,
          value: item.value,
          prices: pricesOf(item, preview),
          reason: dishReason(item),
        })),
      })),
  }));
};
