/** What is sent for a draft, and which subject each refused part of it is about. */

import type { ItemValue, MenuEdits, OrderedList } from "@comanda/contract/console/menu-editor.ts";
import { minor } from "@comanda/contract/minor.ts";
import { fieldErrors } from "#kit/error-text.ts";
import { type DraftEdit, MENU_LISTS, type MenuDraft, textOf } from "./menu-draft.ts";

type PriceChange = NonNullable<MenuEdits["prices"]>[number];

const withoutPrices = ({ price_minor, variants, ...rest }: ItemValue): unknown => ({
  ...rest,
  isPriced: price_minor !== null,
  variants: variants.map(({ price_minor: _price, ...size }) => size),
});

/** The prices that differ, when nothing else does. Null: the dish is sent as a whole. */
const priceChanges = (item: string, { seen, value }: DraftEdit<ItemValue>): PriceChange[] | null => {
  if (seen === null || value === null || textOf(withoutPrices(seen.value)) !== textOf(withoutPrices(value))) return null;
  const own = { item, variant: null, seen_minor: seen.value.price_minor ?? minor(0), price_minor: value.price_minor ?? minor(0) };
  const sizes = value.variants.map((size, at) => ({
    item,
    variant: size.key,
    seen_minor: seen.value.variants[at]?.price_minor ?? minor(0),
    price_minor: size.price_minor,
  }));
  return [...(value.variants.length === 0 ? [own] : []), ...sizes].filter(({ seen_minor, price_minor }) => seen_minor !== price_minor);
};

const sendEdits = <V>(edits: ReadonlyMap<string, DraftEdit<V>>): { key: string; seen: string | null; value: V | null }[] =>
  [...edits].map(([key, { seen, value }]) => ({ key, seen: seen?.version ?? null, value }));

const isEmpty = (part: unknown): boolean => Array.isArray(part) && part.length === 0;

export const bodyOfDraft = ({ edits, orders }: MenuDraft): MenuEdits => {
  const whole = new Map<string, DraftEdit<ItemValue>>();
  const prices: PriceChange[] = [];
  for (const [key, edit] of edits.items) {
    const changed = priceChanges(key, edit);
    if (changed === null) whole.set(key, edit);
    else prices.push(...changed);
  }
  const body: MenuEdits = {
    menus: sendEdits(edits.menus),
    categories: sendEdits(edits.categories),
    items: sendEdits(whole),
    modifier_groups: sendEdits(edits.modifier_groups),
    happy_hours: sendEdits(edits.happy_hours),
    prices,
    orders: [...orders].map(([name, keys]) => {
      const [list = "", parent = ""] = name.split(" ");
      return { list: list as OrderedList, parent: parent === "" ? null : parent, keys: [...keys] };
    }),
  };
  return Object.fromEntries(Object.entries(body).filter(([, part]) => !isEmpty(part)));
};

/** The key is the list and the key of the subject, see `subjectName`. `others` are about no single subject. */
export type MenuFaults = { bySubject: ReadonlyMap<string, readonly string[]>; others: readonly string[] };
export const NO_MENU_FAULTS: MenuFaults = { bySubject: new Map(), others: [] };

export const subjectName = (list: OrderedList, key: string): string => `${list} ${key}`;

/** The parts of a refused save name their edit by its place, or the subject by its key. */
const subjectAt = (path: string, body: MenuEdits): string | null => {
  const [area = "", place = ""] = path.split(".");
  if (area === "prices") {
    const item = body.prices?.[Number(place)]?.item;
    return item === undefined ? null : subjectName("items", item);
  }
  const list = MENU_LISTS.find((one) => one === area);
  if (list === undefined || place === "") return null;
  return subjectName(list, /^\d+$/.test(place) ? (body[list]?.[Number(place)]?.key ?? place) : place);
};

export const readMenuFaults = (error: unknown, body: MenuEdits): MenuFaults => {
  const bySubject = new Map<string, string[]>();
  const others: string[] = [];
  for (const [path, sentence] of Object.entries(fieldErrors(error))) {
    const name = subjectAt(path, body);
    if (name === null) others.push(sentence);
    else bySubject.set(name, [...(bySubject.get(name) ?? []), sentence]);
  }
  return { bySubject, others };
};
