/** The lines of an order against the menu: what can be sold at that moment, and what each line costs. */
import type { NewOrder, OrderLine } from "@comanda/contract/orders.ts";
import type { Translations } from "@comanda/contract/shared.ts";
import { FAULTS_MAX, type Faults } from "#lib/errors.ts";
import type { WallClock } from "#lib/zone.ts";
import { cutsOn, type HappyHourRow, type PriceList, priceNow, runningHappyHours, type SellableDish } from "#venue/menu/rules.ts";
import { isWithinHours } from "#venue/settings/rules.ts";

/** A line as it will be kept, with what only the kitchen and the tax office need. */
export type PricedLine = { line: Omit<OrderLine, "id">; tax_key: string | null; station: string | null };

type WantedLine = NewOrder["lines"][number];
type Channel = NonNullable<NewOrder["channel"]>;

/** Lines stay separate and in the order sent (open point D85). A line with a fault is left out of the result. */
export const priceLines = (
  wanted: readonly WantedLine[],
  { dishes, happyHours }: PriceList,
  channel: Channel,
  clock: WallClock,
): { lines: PricedLine[]; faults: Faults } => {
  const running = runningHappyHours(happyHours, clock);
  const faults: Faults = {};
  const onMenu = new Map(dishes.map((dish): [number, OnMenu] => [dish.id, { dish, options: optionsOf(dish) }]));
  let faultCount = 0;
  const lines = wanted.flatMap((line, index): PricedLine[] => {
    // No more are told, and a body has room for tens of thousands.
    if (faultCount >= FAULTS_MAX) return [];
    const found = onMenu.get(line.item_id);
    const lineFaults = found ? faultsOf(line, found, channel, clock) : { item_id: ["There is no such dish."] };
    for (const [field, sentences] of Object.entries(lineFaults)) {
      faults[`lines.${index}.${field}`] = sentences;
      faultCount++;
    }
    return found && Object.keys(lineFaults).length === 0 ? [priceLine(line, found, running)] : [];
  });
  return { lines, faults };
};

/** Each line carries its names in every language, into the order, its tickets, its event and its answer (open point D189). */
const LINES_BYTES_MAX = 256 * 1024;

/** Adds up and stops: the lines are written out as one text only when they are small enough. */
export const sizeFault = (lines: readonly PricedLine[]): Faults => {
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
    if (bytes > LINES_BYTES_MAX) return { lines: ["The lines are too large for one order: send them as several orders."] };
  }
  return {};
};

/** What is written around the names: keys, ids and amounts. */
const [LINE_BYTES, MODIFIER_BYTES] = [200, 40];

/** By id: a line may name a thousand options of a dish that has thousands, and many lines the same dish. */
type OnMenu = { dish: SellableDish; options: ReadonlyMap<number, SellableDish["modifier_groups"][number]["options"][number]> };

const faultsOf = (line: WantedLine, { dish, options }: OnMenu, channel: Channel, clock: WallClock): Faults => ({
  ...orderableFault(dish, channel, clock),
  ...variantFault(line, dish),
  ...optionFaults(line, { dish, options }),
});

/** Whether the dish can be sold at the moment the order is for (open point D84). */
const orderableFault = (dish: SellableDish, channel: Channel, clock: WallClock): Faults => {
  if (!dish.is_available) return { item_id: ["This dish is sold out."] };
  const isOnMenu = dish.category.is_active && dish.menu.is_active;
  // The web menu is what `show_online` is about; staff may sell the dish on the phone.
  if (!isOnMenu || (channel === "web" && !dish.show_online)) return { item_id: ["This dish is not on the menu."] };
  const isServed = isWithinHours(dish.category.hours, clock) && isWithinHours(dish.menu.hours, clock);
  return isServed ? {} : { item_id: ["This dish is not served at that time."] };
};

const variantFault = ({ variant_id }: WantedLine, { variants }: SellableDish): Faults => {
  const isGiven = variant_id !== undefined && variant_id !== null;
  if (variants.length === 0) return isGiven ? { variant_id: ["This dish has no sizes."] } : {};
  if (!isGiven) return { variant_id: ["Choose a size of this dish."] };
  return variants.some(({ id }) => id === variant_id) ? {} : { variant_id: ["This dish has no such size."] };
};

const optionFaults = ({ option_ids = [] }: WantedLine, { dish, options }: OnMenu): Faults => {
  const faults: Faults = {};
  const chosen = new Set<number>();
  for (const [index, id] of option_ids.entries()) {
    const option = options.get(id);
    if (!option) faults[`option_ids.${index}`] = ["This dish has no such option."];
    else if (!option.is_available) faults[`option_ids.${index}`] = ["This option is sold out."];
    else if (chosen.has(id)) faults[`option_ids.${index}`] = ["This option is chosen twice."];
    chosen.add(id);
  }
  const miscounts = dish.modifier_groups.flatMap(({ min_select, max_select, options: choices }) => {
    const count = choices.filter(({ id }) => chosen.has(id)).length;
    if (count < min_select) return [`Choose at least ${min_select} of the options of a group.`];
    return max_select !== null && count > max_select ? [`Choose at most ${max_select} of the options of a group.`] : [];
  });
  if (miscounts.length > 0) faults.option_ids = [...new Set(miscounts)];
  return faults;
};

const optionsOf = ({ modifier_groups }: SellableDish) =>
  new Map(modifier_groups.flatMap((group) => group.options.map((option) => [option.id, option])));

/** The unit price is the size's or the dish's, happy hour included; modifiers are apart (open point D80). */
const priceLine = (
  { variant_id, quantity, option_ids = [] }: WantedLine,
  { dish, options }: OnMenu,
  running: HappyHourRow[],
): PricedLine => {
  const variant = dish.variants.find(({ id }) => id === variant_id);
  const unit_price_minor = priceNow(variant?.price_minor ?? dish.price_minor ?? 0, cutsOn(running, dish, variant?.id ?? null));
  const modifiers = option_ids.flatMap((id) => {
    const option = options.get(id);
    return option ? [{ name: option.name, price_minor: option.price_minor }] : [];
  });
  const eachMinor = unit_price_minor + modifiers.reduce((sum, { price_minor }) => sum + price_minor, 0);
  return {
    line: {
      item_id: dish.id,
      name: dish.name,
      variant_name: variant?.name ?? null,
      quantity,
      unit_price_minor,
      line_total_minor: eachMinor * quantity,
      voided: false,
      modifiers,
    },
    tax_key: dish.tax_key,
    station: dish.station,
  };
};
