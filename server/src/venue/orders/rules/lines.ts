/** Checks the lines of an order against the menu and prices them. */

import type { Translations } from "@comanda/contract/shared.ts";
import type { NewOrder, OrderLine } from "@comanda/contract/venue/orders.ts";
import { FAULTS_MAX, shortened } from "#lib/errors.ts";
import type { WallClock } from "#lib/time-zone.ts";
import { type PriceCuts, type PriceList, priceNow, runningCuts, type SellableItem } from "#venue/menu/rules/items.ts";
import { isWithinHours } from "#venue/settings/rules/opening-hours.ts";
import { type Refusals, refuse } from "./refusals.ts";

/** The stored line, with its place in the request, its tax and kitchen station, which the order does not show. */
export type PricedLine = { index: number; line: Omit<OrderLine, "id">; tax_key: string | null; station: string | null };

type WantedLine = NewOrder["lines"][number];
type Channel = NonNullable<NewOrder["channel"]> | "pos";

/** Lines stay separate and in the order sent (open point D85). The result omits lines with errors. */
export const priceLines = (
  wanted: readonly WantedLine[],
  { items, happyHours, language }: PriceList,
  channel: Channel,
  clock: WallClock,
): { lines: PricedLine[]; errors: Refusals } => {
  const cuts = runningCuts(happyHours, clock);
  const errors: Refusals = {};
  const entries = new Map(items.map((item): [number, MenuEntry] => [item.id, { item, options: optionsOf(item), wanted: 0, language }]));
  let errorCount = 0;
  const lines = wanted.flatMap((line, index): PricedLine[] => {
    // A response lists at most FAULTS_MAX errors, and a body can hold tens of thousands of lines.
    if (errorCount >= FAULTS_MAX) return [];
    const found = entries.get(line.item_id);
    const errorsOfLine = found ? lineErrors(line, found, channel, clock) : { item_id: refuse("unknown_dish") };
    if (found && Object.keys(errorsOfLine).length === 0) Object.assign(errorsOfLine, remainingError(line, found));
    for (const [field, sentences] of Object.entries(errorsOfLine)) {
      errors[`lines.${index}.${field}`] = sentences;
      errorCount++;
    }
    return found && Object.keys(errorsOfLine).length === 0 ? [{ index, ...priceLine(line, found, cuts) }] : [];
  });
  return { lines, errors };
};

/** The order, its tickets, its event and the response each repeat every name in every language (open point D189). */
const LINES_BYTES_MAX = 256 * 1024;

/** Stops adding at the limit, so that too large an order is never serialized as a whole. */
export const sizeError = (lines: readonly PricedLine[]): Refusals => {
  const sizes = new Map<Translations, number>();
  const sizeOf = (texts: Translations): number => {
    const size = sizes.get(texts) ?? Buffer.byteLength(JSON.stringify(texts));
    sizes.set(texts, size);
    return size;
  };
  let bytes = 0;
  for (const { line } of lines) {
    bytes += LINE_BYTES + sizeOf(line.name) + (line.variant_name ? sizeOf(line.variant_name) : 0);
    for (const { name } of line.modifiers) bytes += MODIFIER_BYTES + sizeOf(name);
    if (bytes > LINES_BYTES_MAX) return { lines: refuse("too_large") };
  }
  return {};
};

/** Bytes of keys, ids and amounts around the names. */
const [LINE_BYTES, MODIFIER_BYTES] = [200, 40];

/** Options by id: a line may name a thousand of them, and many lines the same item. `wanted` adds up the portions of these lines. */
type MenuEntry = {
  item: SellableItem;
  options: ReadonlyMap<number, SellableItem["modifier_groups"][number]["options"][number]>;
  wanted: number;
  language: string | undefined;
};

const lineErrors = (line: WantedLine, entry: MenuEntry, channel: Channel, clock: WallClock): Refusals => ({
  ...orderableError(entry, channel, clock),
  ...variantError(line, entry),
  ...optionErrors(line, entry),
});

const NAME_SHOWN_MAX = 60;
const SIZES_SHOWN_MAX = 20;

/** In the restaurant's main language, or in another one that the name has. */
const shownName = (name: Translations, { language = "" }: MenuEntry): string =>
  shortened(name[language] || Object.values(name).find(Boolean) || "?", NAME_SHOWN_MAX);

const dishOf = (entry: MenuEntry) => ({ dish: shownName(entry.item.name, entry), dish_id: entry.item.id });

/** Whether the item can be sold at the time the order is for (open point D84). */
const orderableError = (entry: MenuEntry, channel: Channel, clock: WallClock): Refusals => {
  const { item } = entry;
  if (!item.is_available) return { item_id: refuse("sold_out", dishOf(entry)) };
  const isOnMenu = item.category.is_active && item.menu.is_active;
  // `show_online` applies to the web menu only. Staff may sell the item by phone.
  if (!isOnMenu || (channel === "web" && !item.show_online)) return { item_id: refuse("not_on_menu", dishOf(entry)) };
  const isServed = isWithinHours(item.category.hours, clock) && isWithinHours(item.menu.hours, clock);
  return isServed ? {} : { item_id: refuse("not_served_then", dishOf(entry)) };
};

/** Lines of one dish share what is left of it. */
const remainingError = ({ quantity }: WantedLine, entry: MenuEntry): Refusals => {
  const { remaining } = entry.item;
  entry.wanted += quantity;
  if (remaining === null || entry.wanted <= remaining) return {};
  return { item_id: refuse(remaining === 1 ? "one_left" : "few_left", { ...dishOf(entry), remaining }) };
};

const variantError = ({ variant_id }: WantedLine, entry: MenuEntry): Refusals => {
  const { variants } = entry.item;
  const isGiven = variant_id !== undefined && variant_id !== null;
  if (variants.length === 0) return isGiven ? { variant_id: refuse("no_sizes", dishOf(entry)) } : {};
  if (variants.some(({ id }) => id === variant_id)) return {};
  const sizes = variants.slice(0, SIZES_SHOWN_MAX).map(({ id, name }) => `${id} (${shownName(name, entry)})`);
  return { variant_id: refuse(isGiven ? "unknown_size" : "size_required", { ...dishOf(entry), sizes: sizes.join(", ") }) };
};

const optionErrors = ({ option_ids = [] }: WantedLine, entry: MenuEntry): Refusals => {
  const errors: Refusals = {};
  const chosen = new Set<number>();
  for (const [index, id] of option_ids.entries()) {
    const option = entry.options.get(id);
    const named = { ...dishOf(entry), option_id: id, option: option ? shownName(option.name, entry) : "" };
    if (!option) errors[`option_ids.${index}`] = refuse("unknown_option", named);
    else if (!option.is_available) errors[`option_ids.${index}`] = refuse("option_sold_out", named);
    else if (chosen.has(id)) errors[`option_ids.${index}`] = refuse("option_twice", named);
    chosen.add(id);
  }
  const miscounts = entry.item.modifier_groups.flatMap(({ id: group_id, name, min_select, max_select, options: choices }) => {
    const count = choices.filter(({ id }) => chosen.has(id)).length;
    if (count >= min_select && (max_select === null || count <= max_select)) return [];
    const named = { ...dishOf(entry), group_id, group: shownName(name, entry) };
    return count < min_select
      ? refuse("too_few_options", { ...named, min_select })
      : refuse("too_many_options", { ...named, max_select: max_select ?? 0 });
  });
  if (miscounts.length > 0) errors.option_ids = miscounts;
  return errors;
};

const optionsOf = ({ modifier_groups }: SellableItem) =>
  new Map(modifier_groups.flatMap((group) => group.options.map((option) => [option.id, option])));

/** The unit price is the variant's or the item's, happy hour included, without modifiers (open point D80). */
const priceLine = (
  { variant_id, quantity, option_ids = [] }: WantedLine,
  { item, options }: MenuEntry,
  cuts: PriceCuts,
): Omit<PricedLine, "index"> => {
  const variant = item.variants.find(({ id }) => id === variant_id);
  const unit_price_minor = priceNow(variant?.price_minor ?? item.price_minor ?? 0, cuts, item, variant?.id ?? null);
  const modifiers = option_ids.flatMap((id) => {
    const option = options.get(id);
    return option ? [{ name: option.name, price_minor: option.price_minor }] : [];
  });
  const eachMinor = unit_price_minor + modifiers.reduce((sum, { price_minor }) => sum + price_minor, 0);
  return {
    line: {
      item_id: item.id,
      name: item.name,
      variant_name: variant?.name ?? null,
      quantity,
      unit_price_minor,
      line_total_minor: eachMinor * quantity,
      voided: false,
      modifiers,
    },
    tax_key: item.tax_key,
    station: item.station,
  };
};
