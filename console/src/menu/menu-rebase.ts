/** A draft meets a menu that was read again: after a colleague's save, and after an own one. */
import type { HappyHourValue, ItemValue, MenuPlan, OrderedList } from "@comanda/contract/console/menu-editor.ts";
import {
  type DraftEdit,
  EMPTY_DRAFT,
  findRow,
  keysIn,
  MENU_LISTS,
  type MenuDraft,
  type MenuValues,
  orderName,
  parentOf,
  rowsOf,
  setValue,
  showPlan,
  textOf,
  withEdits,
} from "./menu-draft.ts";

type Members = Record<string, unknown>;

/** Members changed here stay; the others are those that are saved now. */
const mergeValues = <V extends object>(seen: V, own: V, present: V): V => {
  const [before, mine] = [seen as Members, own as Members];
  const changed = Object.keys(mine).filter((name) => textOf(mine[name]) !== textOf(before[name]));
  return { ...present, ...Object.fromEntries(changed.map((name) => [name, mine[name]])) } as V;
};

const rebaseEdit = <V extends object>(edit: DraftEdit<V>, row: { version: string; value: V } | undefined): DraftEdit<V> | null => {
  if (edit.seen === null) return row ? rebaseEdit({ ...edit, seen: { version: "", value: row.value } }, row) : edit;
  // Removed by another person: an own removal is done; whether an own change adds it again is asked.
  if (!row) return edit.value === null ? null : { seen: null, value: edit.value, isAlsoChanged: false, isGone: true };
  if (row.version === edit.seen.version) return edit;
  const seen = { version: row.version, value: row.value };
  if (edit.value === null) return { seen, value: null, isAlsoChanged: true, isGone: false };
  const value = mergeValues(edit.seen.value, edit.value, row.value);
  return textOf(value) === textOf(row.value) ? null : { seen, value, isAlsoChanged: true, isGone: false };
};

const rebaseList = <L extends OrderedList>(draft: MenuDraft, plan: MenuPlan, list: L): MenuDraft => {
  const edits = draft.edits[list] as ReadonlyMap<string, DraftEdit<MenuValues[L]>>;
  if (edits.size === 0) return draft;
  const rows = new Map(rowsOf(plan, list).map((row) => [row.key, row]));
  const kept = [...edits].flatMap(([key, edit]) => {
    const next = rebaseEdit(edit, rows.get(key));
    return next === null ? [] : [[key, next] as const];
  });
  return withEdits(draft, list, new Map(kept));
};

/** Orders name only what is there, and end when they are the order of the menu. */
const rebaseOrders = (draft: MenuDraft, plan: MenuPlan): MenuDraft => {
  const plain = showPlan(plan, { ...draft, orders: new Map() });
  const orders = [...draft.orders].flatMap(([name, keys]) => {
    const [list = "", parent = ""] = name.split(" ");
    const there = keysIn(plain, list as OrderedList, parent === "" ? null : parent);
    const wanted = [...keys.filter((key) => there.includes(key)), ...there.filter((key) => !keys.includes(key))];
    return textOf(wanted) === textOf(there) ? [] : [[name, wanted] as const];
  });
  return { ...draft, orders: new Map(orders) };
};

/** Own edits stay, changes of others show. A subject that both changed is marked; its own members win. */
export const rebaseDraft = (draft: MenuDraft, plan: MenuPlan): MenuDraft =>
  rebaseOrders(
    MENU_LISTS.reduce((known, list) => rebaseList(known, plan, list), draft),
    plan,
  );

const keysOfRemoved = ({ edits }: MenuDraft, list: OrderedList): Set<string> =>
  new Set([...(edits[list] as ReadonlyMap<string, DraftEdit<unknown>>)].filter(([, { value }]) => value === null).map(([key]) => key));

/** Removing a group, a category or a dish also takes it out of dishes and happy hours. */
const withoutRemoved = (saved: MenuDraft) => {
  const [groups, categories, items] = (["modifier_groups", "categories", "items"] as const).map((list) => keysOfRemoved(saved, list));
  return {
    item: (value: ItemValue): ItemValue => ({ ...value, modifier_groups: value.modifier_groups.filter((key) => !groups?.has(key)) }),
    hour: (value: HappyHourValue): HappyHourValue => ({
      ...value,
      categories: value.categories.filter((key) => !categories?.has(key)),
      items: value.items.filter((key) => !items?.has(key)),
      variants: value.variants.filter(({ item }) => !items?.has(item)),
    }),
  };
};

/** Subjects that the save changed along with those it names. */
const alongWith = (before: MenuPlan, after: MenuPlan, saved: MenuDraft): { list: "items" | "happy_hours"; key: string }[] => {
  const strip = withoutRemoved(saved);
  const changed = <L extends "items" | "happy_hours">(list: L, stripped: (value: MenuValues[L]) => MenuValues[L]) =>
    rowsOf(before, list).flatMap(({ key, value }) => {
      const present = findRow(after, list, key)?.value;
      const isStripped = present && textOf(present) !== textOf(value) && textOf(present) === textOf(stripped(value));
      return isStripped && !saved.edits[list].has(key) ? [{ list, key }] : [];
    });
  return [...changed("items", strip.item), ...changed("happy_hours", strip.hour)];
};

/** The lists whose order a save changed, or in which something was removed. */
const touchedOrders = (before: MenuPlan, saved: MenuDraft): Set<string> => {
  const names = new Set(saved.orders.keys());
  for (const list of MENU_LISTS)
    for (const key of keysOfRemoved(saved, list)) {
      const row = findRow(before, list, key);
      if (row) names.add(orderName(list, parentOf(list, row.value)));
    }
  for (const list of ["categories", "items"] as const)
    for (const [key, { value }] of saved.edits[list]) {
      const row = findRow(before, list, key);
      if (row && value !== null && parentOf(list, row.value) !== parentOf(list, value))
        names.add(orderName(list, parentOf(list, row.value)));
    }
  return names;
};

/** The draft that takes a save back. `before` and `after` are the menu at both sides of it. */
export const reverseDraft = (before: MenuPlan, after: MenuPlan, saved: MenuDraft): MenuDraft => {
  const named = MENU_LISTS.flatMap((list) => [...saved.edits[list].keys()].map((key) => ({ list, key })));
  const values = [...named, ...alongWith(before, after, saved)].reduce(
    (draft, choice) => setValue(draft, after, choice, findRow(before, choice.list, choice.key)?.value ?? null),
    EMPTY_DRAFT,
  );
  const shownBefore = showPlan(before, EMPTY_DRAFT);
  const orders = [...touchedOrders(before, saved)].map((name) => {
    const [list = "", parent = ""] = name.split(" ");
    return [name, keysIn(shownBefore, list as OrderedList, parent === "" ? null : parent)] as const;
  });
  return rebaseOrders({ ...values, orders: new Map(orders) }, after);
};
