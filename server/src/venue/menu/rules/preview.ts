/** The menu at one moment, by the rules that price an order. */
import type { MenuPreview } from "@comanda/contract/console/menu-editor.ts";
import type { WallClock } from "#lib/time-zone.ts";
import { type HappyHourRow, menuNow, runningCuts, runningHappyHours } from "./items.ts";
import type { Plan } from "./plan.ts";

/** Numbers for keys, which a plan names everything by. */
const numbersOf = (keys: readonly string[]): Map<string, number> => new Map(keys.map((key, at) => [key, at]));
const sizeName = (item: string, variant: string): string => `${item} ${variant}`;

/** Which places in the plan belong to each happy hour. */
const numberedHours = (
  { happy_hours, categories, items }: Plan,
  sizes: ReadonlyMap<string, number>,
): (HappyHourRow & { key: string })[] => {
  const [categoryNumbers, itemNumbers] = [categories, items].map((list) => numbersOf(list.map(({ key }) => key)));
  const found = (numbers: ReadonlyMap<string, number> | undefined, keys: readonly string[]): number[] =>
    keys.flatMap((key) => numbers?.get(key) ?? []);
  return happy_hours.map(({ key, value }) => ({
    key,
    is_active: value.is_active,
    hours: value.hours,
    percent_off: value.percent_off,
    price_minor: value.price_minor,
    category_ids: found(categoryNumbers, value.categories),
    item_ids: found(itemNumbers, value.items),
    variant_ids: found(
      sizes,
      value.variants.map(({ item, variant }) => sizeName(item, variant)),
    ),
  }));
};

export const previewOf = (plan: Plan, clock: WallClock): Omit<MenuPreview, "at"> => {
  const sizes = plan.items.flatMap(({ key, value }) => value.variants.map((size) => ({ item: key, variant: size.key })));
  const sizeNumbers = numbersOf(sizes.map(({ item, variant }) => sizeName(item, variant)));
  const categoryNumbers = numbersOf(plan.categories.map(({ key }) => key));
  const hours = numberedHours(plan, sizeNumbers);
  const cuts = runningCuts(hours, clock);
  const items = plan.items.map(({ key, value }, id) => ({
    id,
    category_id: categoryNumbers.get(value.category) ?? -1,
    price_minor: value.price_minor,
    variants: value.variants.map((size) => ({ id: sizeNumbers.get(sizeName(key, size.key)) ?? -1, price_minor: size.price_minor })),
  }));
  const shown = plan.menus.map(({ key, value }) => {
    const own = plan.categories.flatMap((one, id) => (one.value.menu === key ? [{ id, hours: one.value.hours }] : []));
    const ids = new Set(own.map(({ id }) => id));
    const now = menuNow({ ...value, categories: own, items: items.filter(({ category_id }) => ids.has(category_id)) }, cuts, clock);
    return { key, now };
  });
  return {
    offered_menus: shown.flatMap(({ key, now }) => (now.available ? [key] : [])),
    closed_categories: shown.flatMap(({ now }) => now.closed_category_ids.flatMap((id) => plan.categories[id]?.key ?? [])),
    happy_hours: runningHappyHours(hours, clock).map(({ key }) => key),
    prices: shown.flatMap(({ now }) =>
      now.prices.map(({ item_id, variant_id, price_minor }) => ({
        item: plan.items[item_id]?.key ?? "",
        variant: variant_id === null ? null : (sizes[variant_id]?.variant ?? null),
        price_minor,
      })),
    ),
  };
};
