/** Checks and changes of items, and the prices and categories in force at a time of day. */

import { LANGUAGES_MAX, type Translations } from "@comanda/contract/shared.ts";
import type { Allergen, Item, ItemChanges, MenuNow, NewItem } from "@comanda/contract/venue/menu.ts";
import type { Hours } from "@comanda/contract/venue-file/opening-hours.ts";
import { because, type FieldRefusals } from "#lib/errors.ts";
import { percentOf } from "#lib/money.ts";
import type { WallClock } from "#lib/time-zone.ts";
import { asTranslations, mergeTranslations, orNull, sameTranslations } from "#lib/translations.ts";
import { isWithinHours } from "#venue/settings/rules/opening-hours.ts";

/** A venue file holds as many (open point D202). */
export const ITEMS_PER_CATEGORY_MAX = 2000;

/** An item has either a price or variants with prices (open points D61, D62). */
export const newItemErrors = ({ price_minor, variants }: NewItem): FieldRefusals => {
  const errors: FieldRefusals = {};
  const isSized = variants !== undefined && variants.length > 0;
  const isPriced = price_minor !== undefined && price_minor !== null;
  if (isSized && isPriced) errors.price_minor = [because("A dish priced per size has no price of its own.", "price_and_sizes")];
  if (!isSized && !isPriced) errors.price_minor = [because("Give a price, or sizes with prices.", "price_required")];
  const defaults = (variants ?? []).flatMap((variant, index) => (variant.is_default ? [index] : []));
  for (const index of defaults.slice(1))
    errors[`variants.${index}.is_default`] = [because("Only one size can be the default.", "second_default")];
  return errors;
};

/** The variant marked as default, otherwise the first. */
export const defaultVariantIndex = (variants: NonNullable<NewItem["variants"]>): number =>
  Math.max(
    0,
    variants.findIndex((variant) => variant.is_default),
  );

/** The fields that a PATCH can change. */
export type ChangeableItem = Pick<
  Item,
  "category_id" | "name" | "description" | "price_minor" | "is_available" | "show_online" | "dietary" | "allergens"
>;

export type ItemChange = { after: Partial<ChangeableItem>; before: Partial<ChangeableItem>; changed: (keyof ChangeableItem)[] };

/** A field set to its current value is not a change (open point D67). */
export const itemChange = (item: ChangeableItem, wanted: ItemChanges, defaultLanguage: string): ItemChange => {
  const after = wantedValues(item, wanted, defaultLanguage);
  const changed = (Object.keys(after) as (keyof ChangeableItem)[]).filter((field) => !sameValue(item, after, field));
  const pick = (values: Partial<ChangeableItem>) => Object.fromEntries(changed.map((field) => [field, values[field]]));
  return { after: pick(after), before: pick(item), changed };
};

const wantedValues = (item: ChangeableItem, wanted: ItemChanges, defaultLanguage: string): Partial<ChangeableItem> => {
  const { name, description, allergens, ...plain } = wanted;
  const after: Partial<ChangeableItem> = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined));
  if (name !== undefined) after.name = mergeTranslations(item.name, name, defaultLanguage);
  if (description !== undefined)
    after.description = description === null ? null : orNull(mergeTranslations(item.description, description, defaultLanguage));
  if (allergens !== undefined) after.allergens = allergens === null ? null : withoutRepeats(allergens);
  return after;
};

const sameValue = (item: ChangeableItem, after: Partial<ChangeableItem>, field: keyof ChangeableItem): boolean => {
  if (field === "name" || field === "description") return sameTranslations(item[field], after[field] as Translations | null);
  if (field === "allergens") return JSON.stringify(item.allergens) === JSON.stringify(after.allergens);
  return item[field] === after[field];
};

/** A plain text can add a language. A text stored with too many languages may keep them, but not gain another. */
export const languageErrors = (item: ChangeableItem, after: Partial<ChangeableItem>): FieldRefusals => {
  const errors: FieldRefusals = {};
  const count = (texts: Translations | null | undefined): number => Object.keys(texts ?? {}).length;
  for (const field of ["name", "description"] as const)
    if (count(after[field]) > Math.max(LANGUAGES_MAX, count(item[field])))
      errors[field] = [because(`Must have at most ${LANGUAGES_MAX} languages.`, "too_many_languages", { max: LANGUAGES_MAX })];
  return errors;
};

/** Price and availability changes have their own audit actions. */
export const auditActionOf = (changed: readonly string[]): string => {
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

/** A happy hour as a quote names it. */
export type NamedHappyHour = HappyHourRow & { id: number; name: Translations };

/** An item with everything that decides whether it can be sold, and at what price. */
export type SellableItem = {
  id: number;
  category_id: number;
  name: Translations;
  price_minor: number | null;
  is_available: boolean;
  show_online: boolean;
  tax_key: string | null;
  station: string | null;
  /** Null: not counted. */
  remaining: number | null;
  category: { is_active: boolean; hours: Hours | null };
  menu: { is_active: boolean; hours: Hours | null };
  variants: { id: number; name: Translations; price_minor: number }[];
  modifier_groups: {
    id: number;
    name: Translations;
    min_select: number;
    max_select: number | null;
    options: { id: number; name: Translations; price_minor: number; is_available: boolean }[];
  }[];
};

/** What one portion takes of an ingredient: of the dish, in addition of the size, or of the option. */
export type RecipeLine = {
  item_id: number | null;
  variant_id: number | null;
  option_id: number | null;
  ingredient_id: number;
  quantity_milli: number;
};

/** `language`: the restaurant's main one, in which a refusal names what it is about. */
export type PriceList = { items: SellableItem[]; happyHours: HappyHourRow[]; language?: string };

/** The price list with the recipes of what is ordered, and the names of happy hours. */
export type OrderPriceList = PriceList & { happyHours: NamedHappyHour[]; recipe: RecipeLine[] };

type PricedItem = Pick<Item, "id" | "category_id" | "price_minor"> & { variants: { id: number; price_minor: number }[] };

/** `meta.now` of a menu (§2.11). Lists only the prices that a happy hour reduces. */
export const menuNow = (
  menu: { is_active: boolean; hours: Hours | null; categories: { id: number; hours: Hours | null }[]; items: PricedItem[] },
  cuts: PriceCuts,
  clock: WallClock,
): MenuNow => ({
  available: menu.is_active && isWithinHours(menu.hours, clock),
  closed_category_ids: menu.categories.filter((category) => !isWithinHours(category.hours, clock)).map(({ id }) => id),
  prices: menu.items.flatMap((item) => reducedPrices(item, cuts)),
});

/** The most percent off, and the lowest fixed price. Null: none. */
type PriceCut = Pick<HappyHourRow, "percent_off" | "price_minor">;

/** What the running happy hours take off, by the id of what they name. So a price is found without a search, however many happy hours there are. */
export type PriceCuts = Record<"categories" | "items" | "variants", ReadonlyMap<number, PriceCut>>;

export const runningCuts = (happyHours: readonly HappyHourRow[], clock: WallClock): PriceCuts => {
  const running = runningHappyHours(happyHours, clock);
  const byTarget = (idsOf: (happyHour: HappyHourRow) => readonly number[]): ReadonlyMap<number, PriceCut> => {
    const cuts = new Map<number, PriceCut>();
    for (const happyHour of running) for (const id of idsOf(happyHour)) cuts.set(id, bestCut(cuts.get(id), happyHour));
    return cuts;
  };
  return {
    categories: byTarget(({ category_ids }) => category_ids),
    items: byTarget(({ item_ids }) => item_ids),
    variants: byTarget(({ variant_ids }) => variant_ids),
  };
};

const bestOf = (pick: (a: number, b: number) => number, one: number | null | undefined, other: number | null): number | null =>
  other === null ? (one ?? null) : pick(one ?? other, other);

/** More percent off never gives a higher price, so the best of each kind decides. */
const bestCut = (one: PriceCut | undefined, other: PriceCut): PriceCut => ({
  percent_off: bestOf(Math.max, one?.percent_off, other.percent_off),
  price_minor: bestOf(Math.min, one?.price_minor, other.price_minor),
});

export const runningHappyHours = <H extends HappyHourRow>(happyHours: readonly H[], clock: WallClock): H[] =>
  happyHours.filter((happyHour) => happyHour.is_active && isWithinHours(happyHour.hours, clock));

/** The lowest price of this item or this variant, never above the list price. */
export const priceNow = (
  listMinor: number,
  cuts: PriceCuts,
  item: { id: number; category_id: number },
  variantId: number | null,
): number => {
  const found = [
    cuts.items.get(item.id),
    cuts.categories.get(item.category_id),
    variantId === null ? undefined : cuts.variants.get(variantId),
  ];
  return Math.min(listMinor, ...found.flatMap((cut) => (cut ? happyPrices(listMinor, cut) : [])));
};

const happyPrices = (listMinor: number, { percent_off, price_minor }: PriceCut): number[] => [
  ...(percent_off === null ? [] : [listMinor - percentOf(listMinor, percent_off)]),
  ...(price_minor === null ? [] : [price_minor]),
];

type ReducedPrice = { listMinor: number; priceMinor: number };

/** The first of these running happy hours that gives the price. Null: it is the list price. */
export const happyHourBehind = <H extends HappyHourRow>(
  { listMinor, priceMinor }: ReducedPrice,
  running: readonly H[],
  item: { id: number; category_id: number },
  variantId: number | null,
): H | null => {
  const isMeant = ({ item_ids, category_ids, variant_ids }: H): boolean =>
    item_ids.includes(item.id) || category_ids.includes(item.category_id) || (variantId !== null && variant_ids.includes(variantId));
  if (priceMinor >= listMinor) return null;
  return running.find((happyHour) => isMeant(happyHour) && happyPrices(listMinor, happyHour).includes(priceMinor)) ?? null;
};

const reducedPrices = (item: PricedItem, cuts: PriceCuts): MenuNow["prices"] => {
  const priced: { variant_id: number | null; list_minor: number | null }[] =
    item.variants.length === 0
      ? [{ variant_id: null, list_minor: item.price_minor }]
      : item.variants.map(({ id, price_minor }) => ({ variant_id: id, list_minor: price_minor }));
  return priced.flatMap(({ variant_id, list_minor }) => {
    if (list_minor === null) return [];
    const price_minor = priceNow(list_minor, cuts, item, variant_id);
    return price_minor < list_minor ? [{ item_id: item.id, variant_id, price_minor }] : [];
  });
};
