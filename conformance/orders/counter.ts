/** What can be ordered in each venue. Dishes are found through the API; it does not show tables, cities and charges, so they are constants. */
import type { Item } from "@comanda/contract/venue/menu.ts";
import { call } from "../client.ts";
import { addDish } from "../menu/dishes.ts";
import { found, labFloor, openedMenus } from "../menu/floor.ts";
import { lab, type Venue } from "../target.ts";

/** The lab's tables by their codes. */
export const TABLE = { first: "L1", second: "L2", inactive: "L3", ofOtherBranch: "A1" };

/** The lab's delivery zones, their minimum amounts and fees. */
export const NEAR = { city: "Labtown", accented: "Près-du-Labo", fee_minor: 200, minimum_minor: 1500 };
export const FAR = { city: "Farville", fee_minor: 500, minimum_minor: 3000 };

/** How far ahead the lab takes an order. */
export const DAYS_AHEAD_MAX = 365;

export const deliveryTo = (city: string) => ({ type: "delivery", delivery_address: { line1: "5 Beaker Street", city } });

const isPlain = (dish: Item): boolean =>
  dish.price_minor !== null && dish.is_available && dish.show_online && dish.modifier_groups.length === 0;

/**
 * A dish with one price and no modifiers that the venue sells right now. The API does not show opening hours, and an
 * order placed while closed is for later: so the likeliest dishes are tried.
 */
export const sellableDish = (venue: Venue): Promise<Item> => {
  const known = sellable.get(venue.slug) ?? (venue === lab ? labFloor().then(({ plainDish }) => plainDish) : findSellable(venue));
  sellable.set(venue.slug, known);
  return known;
};

const sellable = new Map<string, Promise<Item>>();

const findSellable = async (venue: Venue): Promise<Item> => {
  for (const dish of (await plainDishes(venue)).slice(0, 30)) {
    const lines = [{ item_id: dish.id, quantity: 1 }];
    const body = { type: "pickup", customer_name: "First Taster", customer_phone: "+1 202-555-0144", lines };
    if ((await call(venue.tokens.full, "POST", "/orders", { body })).status === 201) return dish;
  }
  throw new Error(`Not found on the target: a dish that ${venue.slug} sells now.`);
};

/** Items of menus and categories that are open now come first. */
const plainDishes = async (venue: Venue): Promise<Item[]> => {
  const menus = (await openedMenus(venue)).filter(({ data }) => data.is_active);
  const shelves = menus.flatMap(({ data, meta }) =>
    data.categories
      .filter(({ is_active }) => is_active)
      .map(({ id, items }) => ({ isOpen: meta.now.available && !meta.now.closed_category_ids.includes(id), items })),
  );
  return [...shelves.filter(({ isOpen }) => isOpen), ...shelves.filter(({ isOpen }) => !isOpen)]
    .flatMap(({ items }) => items)
    .filter(isPlain);
};

/** A new dish for one test, sold at any time in the lab. */
export const ownDish = async (parts: Readonly<Record<string, unknown>> = {}): Promise<Item> =>
  addDish(lab, (await labFloor()).home.id, parts);

/** Every dish of the lab, with the groups and sizes it has. */
export const labDishes = async (): Promise<Item[]> =>
  (await labFloor()).menus.flatMap(({ data }) => data.categories).flatMap(({ items }) => items);

export type Choices = { readonly dish: Item; readonly oneOf: number[]; readonly any: number[]; readonly soldOut: number };

/** The dish with a group that takes exactly one option and a group that takes any number, and their options. */
export const choicesOf = async (): Promise<Choices> => {
  const dish = (await labFloor()).groupedDish;
  const groups = dish.modifier_groups;
  const oneOf = found("a group that takes exactly one", groups, ({ min_select, max_select }) => min_select === 1 && max_select === 1);
  const any = found("a group that takes any number", groups, ({ min_select, max_select }) => min_select === 0 && max_select === null);
  const onSale = ({ options }: typeof any) => options.filter(({ is_available }) => is_available).map(({ id }) => id);
  return {
    dish,
    oneOf: onSale(oneOf),
    any: onSale(any),
    soldOut: found("an option that is sold out", any.options, ({ is_available }) => !is_available).id,
  };
};

/** The option at this index; fails with a message if the target has fewer. */
export const nth = (ids: readonly number[], index: number): number => {
  const id = ids[index];
  if (id === undefined) throw new Error(`Not found on the target: option number ${index + 1} of ${ids.length}.`);
  return id;
};
