/** Subjects that are moved within their list: by one place, or in front of another. */
import type { MenuPlan, OrderedList } from "@comanda/contract/console/menu-editor.ts";
import { isSame, keysIn, type MenuDraft, orderName, showPlan } from "./menu-draft.ts";

type ListPlace = { list: OrderedList; parent: string | null; key: string };

/** The order that the list has without an order of the draft. */
const plainOrder = (plan: MenuPlan, draft: MenuDraft, list: OrderedList, parent: string | null): string[] => {
  const orders = new Map(draft.orders);
  orders.delete(orderName(list, parent));
  return keysIn(showPlan(plan, { ...draft, orders }), list, parent);
};

const withOrder = (draft: MenuDraft, plan: MenuPlan, { list, parent }: ListPlace, keys: readonly string[]): MenuDraft => {
  const orders = new Map(draft.orders);
  if (isSame(keys, plainOrder(plan, draft, list, parent))) orders.delete(orderName(list, parent));
  else orders.set(orderName(list, parent), keys);
  return { ...draft, orders };
};

/** One place up or down; the ends stay. */
export const moveSubject = (draft: MenuDraft, plan: MenuPlan, place: ListPlace & { by: -1 | 1 }): MenuDraft => {
  const keys = keysIn(showPlan(plan, draft), place.list, place.parent);
  const from = keys.indexOf(place.key);
  const to = from + place.by;
  if (from === -1 || to < 0 || to >= keys.length) return draft;
  return withOrder(draft, plan, place, keys.with(from, keys[to] ?? place.key).with(to, place.key));
};

/** In front of another one; null: to the end. */
export const placeSubject = (draft: MenuDraft, plan: MenuPlan, place: ListPlace & { before: string | null }): MenuDraft => {
  const { list, parent, key, before } = place;
  const all = keysIn(showPlan(plan, draft), list, parent);
  const others = all.filter((one) => one !== key);
  const at = before === null ? others.length : others.indexOf(before);
  if (at === -1 || others.length === all.length) return draft;
  return withOrder(draft, plan, place, others.toSpliced(at, 0, key));
};
