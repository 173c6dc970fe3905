/** What edits make of the menu: which subjects they find changed by someone else, and the menu afterwards. */
import type { ItemValue, MenuEdits, OrderedList } from "@comanda/contract/console/menu-editor.ts";
import type { FieldErrors } from "#lib/errors.ts";
import { type ItemSubject, type MenuSubject, type Plan, parentOf, versionOf } from "./plan.ts";

export type StaleSubject = { list: OrderedList; key: string };
export type EditedPlan = { after: Plan; stale: StaleSubject[]; errors: FieldErrors };

type SubjectEdit<V> = { key: string; seen: string | null; value: V | null };
type Findings = Pick<EditedPlan, "stale" | "errors">;

/** What a new subject has beside its value. */
const FRESH = { id: null, place: null };

type EditedList<V, S> = { before: readonly S[]; edits: readonly SubjectEdit<V>[] | undefined; fresh: (value: V, key: string) => S };

const editList = <V extends object, S extends MenuSubject<V>>(
  list: OrderedList,
  { before, edits = [], fresh }: EditedList<V, S>,
  { stale, errors }: Findings,
): S[] => {
  const after = new Map(before.map((subject) => [subject.key, subject]));
  for (const [index, { key, seen, value }] of edits.entries()) {
    const present = after.get(key);
    if (seen === null && present) errors[`${list}.${index}.key`] = [`${key} occurs twice.`];
    else if (seen !== null && (!present || versionOf(present.value) !== seen)) stale.push({ list, key });
    else if (value === null) after.delete(key);
    else {
      // At the end of its new list, unless an order of the edits says where.
      if (present && parentOf(list, present.value) !== parentOf(list, value)) after.delete(key);
      after.set(key, present ? { ...present, value } : fresh(value, key));
    }
  }
  return [...after.values()];
};

const freshItem = (value: ItemValue, key: string): ItemSubject => ({ ...FRESH, key, value, isAvailable: true });
const freshSubject = <V>(value: V, key: string): MenuSubject<V> => ({ ...FRESH, key, value });

const setPrices = (items: readonly ItemSubject[], prices: MenuEdits["prices"] = [], { stale, errors }: Findings): ItemSubject[] => {
  const after = new Map(items.map((item) => [item.key, item]));
  for (const [index, { item: key, variant, seen_minor, price_minor }] of prices.entries()) {
    const item = after.get(key);
    const size = item?.value.variants.find((one) => one.key === variant);
    const seen = variant === null ? item?.value.price_minor : size?.price_minor;
    if (!item || seen === undefined || seen !== seen_minor) stale.push({ list: "items", key });
    else if (variant === null && item.value.variants.length > 0) errors[`prices.${index}.variant`] = ["This dish is priced per size."];
    else after.set(key, { ...item, value: withPrice(item.value, variant, price_minor) });
  }
  return [...after.values()];
};

const withPrice = (value: ItemValue, variant: string | null, price_minor: number): ItemValue =>
  variant === null
    ? { ...value, price_minor }
    : { ...value, variants: value.variants.map((size) => (size.key === variant ? { ...size, price_minor } : size)) };

/** Subjects that are not named, such as one that a colleague added meanwhile, stay behind the others. */
const reorder = <S extends MenuSubject<object>>(list: OrderedList, subjects: readonly S[], orders: MenuEdits["orders"] = []): S[] => {
  const ranks = new Map(
    orders
      .filter((order) => order.list === list)
      .flatMap(({ parent, keys }) => keys.map((key, place): [string, number] => [`${parent ?? ""} ${key}`, place])),
  );
  if (ranks.size === 0) return [...subjects];
  const rankOf = ({ key, value }: S): number => ranks.get(`${parentOf(list, value) ?? ""} ${key}`) ?? Number.POSITIVE_INFINITY;
  return subjects
    .map((subject, index) => ({ subject, index, rank: rankOf(subject) }))
    .toSorted((a, b) => (a.rank === b.rank ? a.index - b.index : a.rank - b.rank))
    .map(({ subject }) => subject);
};

const keysOf = (subjects: readonly { key: string }[]): Set<string> => new Set(subjects.map(({ key }) => key));
const sizesOf = ({ items }: Plan): string[] => items.flatMap(({ key, value }) => value.variants.map((variant) => `${key} ${variant.key}`));

/** What was removed is no longer named by dishes and happy hours. Other references stay: the checks name those that lead nowhere. */
const withoutRemoved = (before: Plan, after: Plan): Plan => {
  const [groups, categories, items] = (["modifier_groups", "categories", "items"] as const).map((list) =>
    keysOf(before[list]).difference(keysOf(after[list])),
  );
  const sizes = new Set(sizesOf(before)).difference(new Set(sizesOf(after)));
  if (!groups || !categories || !items || groups.size + categories.size + items.size + sizes.size === 0) return after;
  return {
    ...after,
    items: after.items.map((item) => ({
      ...item,
      value: { ...item.value, modifier_groups: item.value.modifier_groups.filter((key) => !groups.has(key)) },
    })),
    happy_hours: after.happy_hours.map((subject) => ({
      ...subject,
      value: {
        ...subject.value,
        categories: subject.value.categories.filter((key) => !categories.has(key)),
        items: subject.value.items.filter((key) => !items.has(key)),
        variants: subject.value.variants.filter(({ item, variant }) => !sizes.has(`${item} ${variant}`)),
      },
    })),
  };
};

export const applyEdits = (before: Plan, edits: MenuEdits): EditedPlan => {
  const findings: Findings = { stale: [], errors: {} };
  const items = editList("items", { before: before.items, edits: edits.items, fresh: freshItem }, findings);
  const plain = <V extends object>(list: MenuSubject<V>[], wanted: SubjectEdit<V>[] | undefined): EditedList<V, MenuSubject<V>> => ({
    before: list,
    edits: wanted,
    fresh: freshSubject,
  });
  const edited: Plan = {
    menus: reorder("menus", editList("menus", plain(before.menus, edits.menus), findings), edits.orders),
    categories: reorder("categories", editList("categories", plain(before.categories, edits.categories), findings), edits.orders),
    items: reorder("items", setPrices(items, edits.prices, findings), edits.orders),
    modifier_groups: reorder(
      "modifier_groups",
      editList("modifier_groups", plain(before.modifier_groups, edits.modifier_groups), findings),
      edits.orders,
    ),
    happy_hours: reorder("happy_hours", editList("happy_hours", plain(before.happy_hours, edits.happy_hours), findings), edits.orders),
  };
  return { after: withoutRemoved(before, edited), ...findings };
};
