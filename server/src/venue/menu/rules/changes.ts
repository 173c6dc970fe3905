/** What differs between two states of the menu, and the sort order of every row. */
import { ORDERED_LISTS, type OrderedList } from "@comanda/contract/console/menu-editor.ts";
import { type MenuSubject, type Plan, parentOf, textOf } from "./plan.ts";

/** `place` is the sort order that is written. */
export type PlacedSubject<S> = Omit<S, "place"> & { place: number };
export type PlacedPlan = { [L in OrderedList]: PlacedSubject<Plan[L][number]>[] };

/** Rows of the same sort order follow each other by their ids. A new row has none yet, and gets a later one than all others. */
const isBehind = (before: number | null, id: number | null): boolean => before !== null && id !== null && id > before;

/**
 * Rows keep their sort order while they stay in order, and new ones follow. A list with another order is counted from 0. So a new dish is one change,
 * and not one of each dish behind it.
 */
const placeRows = <S extends MenuSubject<object>>(rows: readonly S[]): PlacedSubject<S>[] => {
  const places: number[] = [];
  for (const { place } of rows) places.push(place ?? (places.at(-1) ?? -1) + 1);
  const isInOrder = places.every(
    (place, index) =>
      index === 0 ||
      place > (places[index - 1] ?? 0) ||
      (place === places[index - 1] && isBehind(rows[index - 1]?.id ?? null, rows[index]?.id ?? null)),
  );
  return rows.map((row, index) => ({ ...row, place: isInOrder ? (places[index] ?? index) : index }));
};

const placeList = <S extends MenuSubject<object>>(list: OrderedList, subjects: readonly S[]): PlacedSubject<S>[] =>
  [...Map.groupBy(subjects, ({ value }) => parentOf(list, value)).values()].flatMap(placeRows);

/** A subject that moved to another parent goes to its end, unless the edits say where. */
const atItsEnd = <S extends MenuSubject<object>>(list: OrderedList, before: readonly S[], after: readonly S[]): S[] => {
  const parents = new Map(before.map(({ key, value }) => [key, parentOf(list, value)]));
  return after.map((subject) => (parents.get(subject.key) === parentOf(list, subject.value) ? subject : { ...subject, place: null }));
};

export const placePlan = (before: Plan, after: Plan): PlacedPlan => ({
  menus: placeList("menus", after.menus),
  categories: placeList("categories", atItsEnd("categories", before.categories, after.categories)),
  items: placeList("items", atItsEnd("items", before.items, after.items)),
  modifier_groups: placeList("modifier_groups", after.modifier_groups),
  happy_hours: placeList("happy_hours", after.happy_hours),
});

/** `before` is null for a new subject, `after` for one that is removed. `fields` are the members that differ, `sort_order` among them. */
export type SubjectChange<S> = { before: S | null; after: PlacedSubject<S> | null; fields: string[] };
export type PlanChanges = { [L in OrderedList]: SubjectChange<Plan[L][number]>[] };

const differingFields = (before: MenuSubject<object>, after: PlacedSubject<MenuSubject<object>>): string[] => {
  const [old, fresh] = [before.value as Record<string, unknown>, after.value as Record<string, unknown>];
  const fields = Object.keys(fresh).filter((field) => textOf(old[field]) !== textOf(fresh[field]));
  return before.place === after.place ? fields : [...fields, "sort_order"];
};

const listChanges = <S extends MenuSubject<object>>(before: readonly S[], after: readonly PlacedSubject<S>[]): SubjectChange<S>[] => {
  const old = new Map(before.map((subject) => [subject.key, subject]));
  const kept = new Set(after.map(({ key }) => key));
  const changes = after.map((subject): SubjectChange<S> => {
    const known = old.get(subject.key) ?? null;
    return { before: known, after: subject, fields: known ? differingFields(known, subject as PlacedSubject<MenuSubject<object>>) : [] };
  });
  return [
    ...changes.filter((change) => change.before === null || change.fields.length > 0),
    ...before.filter(({ key }) => !kept.has(key)).map((subject): SubjectChange<S> => ({ before: subject, after: null, fields: [] })),
  ];
};

export const planChanges = (before: Plan, after: PlacedPlan): PlanChanges => ({
  menus: listChanges(before.menus, after.menus),
  categories: listChanges(before.categories, after.categories),
  items: listChanges(before.items, after.items),
  modifier_groups: listChanges(before.modifier_groups, after.modifier_groups),
  happy_hours: listChanges(before.happy_hours, after.happy_hours),
});

export const countChanges = (changes: PlanChanges): number => ORDERED_LISTS.reduce((sum, list) => sum + changes[list].length, 0);
