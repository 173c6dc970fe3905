/** What a dish may be, what a change to it means, and what the time of day makes of a menu. */
import type { Allergen, Item, ItemChanges, MenuNow, NewItem } from "@comanda/contract/menu.ts";
import { LANGUAGES_MAX, type Translations } from "@comanda/contract/shared.ts";
import type { Hours } from "@comanda/contract/venue-file.ts";
import type { Faults } from "#lib/errors.ts";
import { percentOf } from "#lib/money.ts";
import { asTranslations, mergeTranslations, orNull, sameTranslations } from "#lib/translations.ts";
import type { WallClock } from "#lib/zone.ts";
import { isWithinHours } from "#venue/settings/rules.ts";

/** A dish is priced by itself or per size, never both and never neither (open points D61, D62). */
export const newItemFaults = ({ price_minor, variants }: NewItem): Faults => {
  const faults: Faults = {};
  const isSized = variants !== undefined && variants.length > 0;
  const isPriced = price_minor !== undefined && price_minor !== null;
  if (isSized && isPriced) faults.price_minor = ["A dish priced per size has no price of its own."];
  if (!isSized && !isPriced) faults.price_minor = ["Give a price, or sizes with prices."];
  const defaults = (variants ?? []).flatMap((variant, index) => (variant.is_default ? [index] : []));
  for (const index of defaults.slice(1)) faults[`variants.${index}.is_default`] = ["Only one size can be the default."];
  return faults;
};

/** Exactly one size is the default: the one said so, else the first. */
export const defaultVariantIndex = (variants: NonNullable<NewItem["variants"]>): number =>
  Math.max(
    0,
    variants.findIndex((variant) => variant.is_default),
  );

/** The parts of a dish that a PATCH can reach. */
export type ChangeableDish = Pick<
  Item,
  "category_id" | "name" | "description" | "price_minor" | "is_available" | "show_online" | "dietary" | "allergens"
>;

export type DishChange = { after: Partial<ChangeableDish>; before: Partial<ChangeableDish>; changed: (keyof ChangeableDish)[] };

/** Only what really differs counts: a change to the same value is none (D67). */
export const dishChange = (dish: ChangeableDish, wanted: ItemChanges, defaultLanguage: string): DishChange => {
  const after = wantedValues(dish, wanted, defaultLanguage);
  const changed = (Object.keys(after) as (keyof ChangeableDish)[]).filter((field) => !sameValue(dish, after, field));
  const pick = (values: Partial<ChangeableDish>) => Object.fromEntries(changed.map((field) => [field, values[field]]));
  return { after: pick(after), before: pick(dish), changed };
};

const wantedValues = (dish: ChangeableDish, wanted: ItemChanges, defaultLanguage: string): Partial<ChangeableDish> => {
  const { name, description, allergens, ...plain } = wanted;
  const after: Partial<ChangeableDish> = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined));
  if (name !== undefined) after.name = mergeTranslations(dish.name, name, defaultLanguage);
  if (description !== undefined)
    after.description = description === null ? null : orNull(mergeTranslations(dish.description, description, defaultLanguage));
  if (allergens !== undefined) after.allergens = allergens === null ? null : withoutRepeats(allergens);
  return after;
};

const sameValue = (dish: ChangeableDish, after: Partial<ChangeableDish>, field: keyof ChangeableDish): boolean => {
  if (field === "name" || field === "description") return sameTranslations(dish[field], after[field] as Translations | null);
  if (field === "allergens") return JSON.stringify(dish.allergens) === JSON.stringify(after.allergens);
  return dish[field] === after[field];
};

/** A plain text may be one language more. What was stored with too many is not refused for it, as long as it does not grow. */
export const languageFaults = (dish: ChangeableDish, after: Partial<ChangeableDish>): Faults => {
  const faults: Faults = {};
  const count = (texts: Translations | null | undefined): number => Object.keys(texts ?? {}).length;
  for (const field of ["name", "description"] as const)
    if (count(after[field]) > Math.max(LANGUAGES_MAX, count(dish[field])))
      faults[field] = [`Must have at most ${LANGUAGES_MAX} languages.`];
  return faults;
};

/** The audit log has a word of its own for a price and for a sold-out flip; anything else is an update. */
export const changeAction = (changed: readonly string[]): string => {
  if (changed.includes("price_minor")) return "item.price_changed";
  return changed.length === 1 && changed[0] === "is_available" ? "item.availability_changed" : "item.updated";
};

export const textOrNull = (text: string | Translations | null | undefined, defaultLanguage: string): Translations | null =>
  text === null || text === undefined ? null : orNull(asTranslations(text, defaultLanguage));

export const withoutRepeats = (allergens: readonly Allergen[]): Allergen[] => [...new Set(allergens)];

export type HappyHourRow = {
  is_active: boolean;
  hours: Hours | null;
  percent_off: number | null;
  price_minor: number | null;
  category_ids: number[];
  item_ids: number[];
  variant_ids: number[];
};

/** A dish as an order needs it: with everything that decides whether it can be sold, and for how much. */
export type SellableDish = {
  id: number;
  category_id: number;
  name: Translations;
  price_minor: number | null;
  is_available: boolean;
  show_online: boolean;
  tax_key: string | null;
  station: string | null;
  category: { is_active: boolean; hours: Hours | null };
  menu: { is_active: boolean; hours: Hours | null };
  variants: { id: number; name: Translations; price_minor: number }[];
  modifier_groups: {
    id: number;
    min_select: number;
    max_select: number | null;
    options: { id: number; name: Translations; price_minor: number; is_available: boolean }[];
  }[];
};

export type PriceList = { dishes: SellableDish[]; happyHours: HappyHourRow[] };

type PricedDish = Pick<Item, "id" | "category_id" | "price_minor"> & { variants: { id: number; price_minor: number }[] };

/** `meta.now` of a menu (§2.11). List prices stay as they are; only what a happy hour has cut is listed. */
export const menuNow = (
  menu: { is_active: boolean; hours: Hours | null; categories: { id: number; hours: Hours | null }[]; items: PricedDish[] },
  happyHours: HappyHourRow[],
  clock: WallClock,
): MenuNow => {
  const running = runningHappyHours(happyHours, clock);
  return {
    available: menu.is_active && isWithinHours(menu.hours, clock),
    closed_category_ids: menu.categories.filter((category) => !isWithinHours(category.hours, clock)).map(({ id }) => id),
    prices: running.length === 0 ? [] : menu.items.flatMap((dish) => cutPrices(dish, running)),
  };
};

/** What one dish, or one size of it, costs under the happy hours that run: never more than its list price. */
export const priceNow = (listMinor: number, cuts: HappyHourRow[]): number =>
  Math.min(listMinor, ...cuts.map((cut) => happyPrice(listMinor, cut)));

export const runningHappyHours = (happyHours: HappyHourRow[], clock: WallClock): HappyHourRow[] =>
  happyHours.filter((happyHour) => happyHour.is_active && isWithinHours(happyHour.hours, clock));

/** The happy hours that reach this dish as a whole, or this size of it. */
export const cutsOn = (running: HappyHourRow[], dish: { id: number; category_id: number }, variantId: number | null): HappyHourRow[] =>
  running.filter(
    ({ item_ids, category_ids, variant_ids }) =>
      item_ids.includes(dish.id) || category_ids.includes(dish.category_id) || (variantId !== null && variant_ids.includes(variantId)),
  );

const cutPrices = (dish: PricedDish, running: HappyHourRow[]): MenuNow["prices"] => {
  const priced: { variant_id: number | null; list_minor: number | null }[] =
    dish.variants.length === 0
      ? [{ variant_id: null, list_minor: dish.price_minor }]
      : dish.variants.map(({ id, price_minor }) => ({ variant_id: id, list_minor: price_minor }));
  return priced.flatMap(({ variant_id, list_minor }) => {
    if (list_minor === null) return [];
    const price_minor = priceNow(list_minor, cutsOn(running, dish, variant_id));
    return price_minor < list_minor ? [{ item_id: dish.id, variant_id, price_minor }] : [];
  });
};

const happyPrice = (listMinor: number, { percent_off, price_minor }: HappyHourRow): number =>
  price_minor ?? listMinor - percentOf(listMinor, percent_off ?? 0);
