/** What a manager has changed on the menu and not saved yet: values by key, and orders of lists. Every function returns a new draft. */

import type {
  CategoryValue,
  GroupValue,
  HappyHourValue,
  ItemValue,
  MenuPlan,
  MenuValue,
  OrderedList,
} from "@comanda/contract/console/menu-editor.ts";
import type { Minor } from "@comanda/contract/minor.ts";

export type MenuValues = {
  menus: MenuValue;
  categories: CategoryValue;
  items: ItemValue;
  modifier_groups: GroupValue;
  happy_hours: HappyHourValue;
};

/**
 * `seen` is the saved state that the edit began from, null for a new subject. `value` is null when the subject is removed. `isGone`: another
 * person removed it meanwhile, and it is not decided yet whether it is added again.
 */
export type DraftEdit<V> = { seen: { version: string; value: V } | null; value: V | null; isAlsoChanged: boolean; isGone: boolean };
export type MenuDraft = {
  edits: { readonly [L in OrderedList]: ReadonlyMap<string, DraftEdit<MenuValues[L]>> };
  /** The key is the list and the parent, see `orderName`. */
  orders: ReadonlyMap<string, readonly string[]>;
};

/** A subject as the page shows it. `isAlsoChanged`: another person saved it while it was edited here. */
export type DraftSubject<V> = {
  key: string;
  id: number | null;
  value: V;
  saved: V | null;
  state: "same" | "changed" | "new" | "removed";
  isAlsoChanged: boolean;
  isGone: boolean;
  isAvailable: boolean;
};
export type DraftDish = DraftSubject<ItemValue>;
export type ShownPlan = { readonly [L in OrderedList]: readonly DraftSubject<MenuValues[L]>[] };

export const MENU_LISTS: readonly OrderedList[] = ["menus", "categories", "items", "modifier_groups", "happy_hours"];

export const EMPTY_DRAFT: MenuDraft = {
  edits: { menus: new Map(), categories: new Map(), items: new Map(), modifier_groups: new Map(), happy_hours: new Map() },
  orders: new Map(),
};

/** Equal values have one text, whatever the order of their members. */
export const textOf = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    part !== null && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

export const isSame = (one: unknown, other: unknown): boolean => textOf(one) === textOf(other);

type PlanRow<V> = { key: string; id: number; version: string; value: V; is_available?: boolean };
/** The rows of one list. All lists have the same members, which the contract declares one by one. */
export const rowsOf = <L extends OrderedList>(plan: MenuPlan, list: L): readonly PlanRow<MenuValues[L]>[] =>
  plan[list] as readonly PlanRow<unknown>[] as readonly PlanRow<MenuValues[L]>[];

export const findRow = <L extends OrderedList>(plan: MenuPlan, list: L, key: string): PlanRow<MenuValues[L]> | undefined =>
  rowsOf(plan, list).find((row) => row.key === key);

export const withEdits = <L extends OrderedList>(
  draft: MenuDraft,
  list: L,
  edits: ReadonlyMap<string, DraftEdit<MenuValues[L]>>,
): MenuDraft => ({ ...draft, edits: { ...draft.edits, [list]: edits } });

const editsOf = <L extends OrderedList>(draft: MenuDraft, list: L): ReadonlyMap<string, DraftEdit<MenuValues[L]>> =>
  draft.edits[list] as ReadonlyMap<string, DraftEdit<MenuValues[L]>>;

export type SubjectChoice<L extends OrderedList> = { list: L; key: string };

/** An edit that ends where it began is no edit. A new subject that is removed again is none either. */
export const setValue = <L extends OrderedList>(
  draft: MenuDraft,
  plan: MenuPlan,
  { list, key }: SubjectChoice<L>,
  value: MenuValues[L] | null,
): MenuDraft => {
  const present = editsOf(draft, list).get(key);
  const row = present ? undefined : findRow(plan, list, key);
  const seen = present ? present.seen : row ? { version: row.version, value: row.value } : null;
  const edits = new Map(editsOf(draft, list));
  const isNone = seen === null ? value === null : value !== null && isSame(value, seen.value);
  if (isNone) edits.delete(key);
  else edits.set(key, { seen, value, isAlsoChanged: present?.isAlsoChanged ?? false, isGone: present?.isGone ?? false });
  return withEdits(draft, list, edits);
};

/** What is entered now, whatever the page last drew. Null: there is no such subject, or it is removed. */
const valueNow = <L extends OrderedList>(draft: MenuDraft, plan: MenuPlan, { list, key }: SubjectChoice<L>): MenuValues[L] | null => {
  const edit = editsOf(draft, list).get(key);
  return edit ? edit.value : (findRow(plan, list, key)?.value ?? null);
};

export const changeValue = <L extends OrderedList>(
  draft: MenuDraft,
  plan: MenuPlan,
  choice: SubjectChoice<L>,
  step: (value: MenuValues[L]) => MenuValues[L],
): MenuDraft => {
  const value = valueNow(draft, plan, choice);
  return value === null ? draft : setValue(draft, plan, choice, step(value));
};

/** Decided: what a colleague removed is added again. */
export const addAgain = (draft: MenuDraft, { list, key }: SubjectChoice<OrderedList>): MenuDraft => {
  const edits = new Map<string, DraftEdit<never>>(editsOf(draft, list) as ReadonlyMap<string, DraftEdit<never>>);
  const edit = edits.get(key);
  if (edit) edits.set(key, { ...edit, isGone: false });
  return withEdits(draft, list, edits);
};

/** The saved state is shown again. */
export const dropEdit = (draft: MenuDraft, { list, key }: SubjectChoice<OrderedList>): MenuDraft => {
  const edits = new Map<string, DraftEdit<never>>(editsOf(draft, list) as ReadonlyMap<string, DraftEdit<never>>);
  edits.delete(key);
  return withEdits(draft, list, edits);
};

/** Without a size it is the price of a dish that has none. */
export const withPrice = (value: ItemValue, size: string | null, price_minor: Minor): ItemValue =>
  size === null
    ? { ...value, price_minor }
    : { ...value, variants: value.variants.map((one) => (one.key === size ? { ...one, price_minor } : one)) };

export const parentOf = (list: OrderedList, value: MenuValues[OrderedList]): string | null =>
  list === "categories" ? (value as CategoryValue).menu : list === "items" ? (value as ItemValue).category : null;

export const orderName = (list: OrderedList, parent: string | null): string => `${list} ${parent ?? ""}`;

/** A row that was not edited is the same object each time, so that only changed rows are drawn again. */
const shownRows = new WeakMap<object, DraftSubject<unknown>>();
const shownEdits = new WeakMap<object, DraftSubject<unknown>>();

const keep = <V>(known: WeakMap<object, DraftSubject<unknown>>, by: object, make: () => DraftSubject<V>): DraftSubject<V> => {
  const present = known.get(by) as DraftSubject<V> | undefined;
  if (present) return present;
  const made = make();
  known.set(by, made);
  return made;
};

const shownRow = <V>(row: PlanRow<V>): DraftSubject<V> =>
  keep(shownRows, row, () => ({
    key: row.key,
    id: row.id,
    value: row.value,
    saved: row.value,
    state: "same",
    isAlsoChanged: false,
    isGone: false,
    isAvailable: row.is_available ?? true,
  }));

const shownEdit = <V extends object>(key: string, edit: DraftEdit<V>, row: PlanRow<V> | undefined): DraftSubject<V> | null => {
  const value = edit.value ?? edit.seen?.value;
  if (value === undefined) return null;
  return keep(shownEdits, edit, () => ({
    key,
    id: row?.id ?? null,
    value,
    saved: edit.seen?.value ?? null,
    state: edit.value === null ? "removed" : edit.seen === null ? "new" : "changed",
    isAlsoChanged: edit.isAlsoChanged,
    isGone: edit.isGone,
    isAvailable: row?.is_available ?? true,
  }));
};

/** Saved rows in their order, then those that moved to another parent, then new ones. An order of the draft puts those it names first. */
const showList = <L extends OrderedList>(plan: MenuPlan, draft: MenuDraft, list: L): DraftSubject<MenuValues[L]>[] => {
  const edits = editsOf(draft, list);
  const known = new Set<string>();
  const shown: DraftSubject<MenuValues[L]>[] = [];
  const moved: DraftSubject<MenuValues[L]>[] = [];
  for (const row of rowsOf(plan, list)) {
    known.add(row.key);
    const edit = edits.get(row.key);
    const one = edit ? shownEdit(row.key, edit, row) : shownRow(row);
    if (one) (parentOf(list, one.value) === parentOf(list, row.value) ? shown : moved).push(one);
  }
  const added = [...edits].flatMap(([key, edit]) => (known.has(key) ? [] : (shownEdit(key, edit, undefined) ?? [])));
  const all = [...shown, ...moved, ...added];
  return draft.orders.size === 0 ? all : inOrder(all, draft, list);
};

const inOrder = <V extends MenuValues[OrderedList]>(
  subjects: readonly DraftSubject<V>[],
  { orders }: MenuDraft,
  list: OrderedList,
): DraftSubject<V>[] => {
  const ranks = new Map(
    [...orders].flatMap(([name, keys]) =>
      name.startsWith(`${list} `) ? keys.map((key, place) => [`${name} ${key}`, place] as const) : [],
    ),
  );
  if (ranks.size === 0) return [...subjects];
  const rankOf = ({ key, value }: DraftSubject<V>): number =>
    ranks.get(`${orderName(list, parentOf(list, value))} ${key}`) ?? Number.POSITIVE_INFINITY;
  return subjects
    .map((subject) => ({ subject, rank: rankOf(subject) }))
    .toSorted((a, b) => (a.rank === b.rank ? 0 : a.rank - b.rank))
    .map(({ subject }) => subject);
};

export const showPlan = (plan: MenuPlan, draft: MenuDraft): ShownPlan => ({
  menus: showList(plan, draft, "menus"),
  categories: showList(plan, draft, "categories"),
  items: showList(plan, draft, "items"),
  modifier_groups: showList(plan, draft, "modifier_groups"),
  happy_hours: showList(plan, draft, "happy_hours"),
});

export const keysIn = (shown: ShownPlan, list: OrderedList, parent: string | null): string[] =>
  (shown[list] as readonly DraftSubject<MenuValues[OrderedList]>[])
    .filter(({ value, state }) => state !== "removed" && parentOf(list, value) === parent)
    .map(({ key }) => key);

/** Each changed subject counts once, and each list in another order. */
export const countDraft = ({ edits, orders }: MenuDraft): number =>
  MENU_LISTS.reduce((sum, list) => sum + edits[list].size, 0) + orders.size;

const KEY_CHARACTERS = "abcdefghijkmnpqrstuvwxyz23456789";
const KEY_LENGTH = 12;

/** The key of a new subject, as the server makes them. The 32 characters divide a byte evenly. */
export const newMenuKey = (kind: string): string =>
  `${kind}-${[...crypto.getRandomValues(new Uint8Array(KEY_LENGTH))].map((byte) => KEY_CHARACTERS[byte % KEY_CHARACTERS.length]).join("")}`;
