/** What is wrong with edited menus, under the path of the edit. The checks are those of the venue file. */
import { type MenuEdits, ORDERED_LISTS, type OrderedList } from "@comanda/contract/console/menu-editor.ts";
import { CategoryFile, MenuFile } from "@comanda/contract/venue-file/menu.ts";
import { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import type { FieldErrors } from "#lib/errors.ts";
import { type MenuParts, menuErrors } from "#venue/venue-file/rules.ts";
import { type MenuSubject, type Plan, parentOf, partsOf } from "./plan.ts";

/** A page reads the whole menu, so it is not allowed to grow without end. */
export const ITEMS_MAX = 5000;

/** Where the edit of each subject stands. A dish that is edited as a whole and by its prices is found under the whole. */
const pathsOf = (edits: MenuEdits): Map<string, string> => {
  const paths = new Map<string, string>();
  for (const [index, { item }] of (edits.prices ?? []).entries()) paths.set(`items ${item}`, `prices.${index}`);
  for (const list of ORDERED_LISTS)
    for (const [index, { key }] of (edits[list] ?? []).entries()) paths.set(`${list} ${key}`, `${list}.${index}.value`);
  return paths;
};

/** Which subject a path of the file is about, and the rest of the path. */
const subjectAt = (
  { menus, modifier_groups, happy_hours }: MenuParts,
  path: string,
): { list: OrderedList; key: string; rest: string } | null => {
  const [, m, , c, , i, rest = ""] = /^menus\.(\d+)(\.categories\.(\d+)(\.items\.(\d+))?)?(\..*)?$/.exec(path) ?? [];
  const [, list, index, tail = ""] = /^(modifier_groups|happy_hours)\.(\d+)(\..*)?$/.exec(path) ?? [];
  if (list !== undefined) {
    const key = (list === "happy_hours" ? happy_hours : modifier_groups)[Number(index)]?.key;
    return key === undefined ? null : { list: list as OrderedList, key, rest: tail };
  }
  const menu = m === undefined ? undefined : menus[Number(m)];
  const category = c === undefined ? undefined : menu?.categories[Number(c)];
  const item = i === undefined ? undefined : category?.items[Number(i)];
  if (item) return { list: "items", key: item.key, rest };
  if (category) return { list: "categories", key: category.key, rest };
  return menu ? { list: "menus", key: menu.key, rest } : null;
};

const sharedErrors = (after: Plan, taxes: MenuParts["charges"]["taxes"], paths: Map<string, string>): FieldErrors => {
  const parts = partsOf(after, taxes);
  const found = Object.entries(menuErrors(parts)).map(([path, sentences]): [string, string[]] => {
    const subject = subjectAt(parts, path);
    if (!subject) return [path, sentences];
    return [`${paths.get(`${subject.list} ${subject.key}`) ?? `${subject.list}.${subject.key}`}${subject.rest}`, sentences];
  });
  return Object.fromEntries(found);
};

const PARENTS = {
  categories: { list: "menus", field: "menu", name: "menu" },
  items: { list: "categories", field: "category", name: "category" },
} as const;

/** A subject whose parent is missing would be in no list. A parent that is removed takes nothing with it. */
const parentErrors = (after: Plan, edits: MenuEdits, paths: Map<string, string>): FieldErrors => {
  const errors: FieldErrors = {};
  for (const list of ["categories", "items"] as const) {
    const { list: parents, field, name } = PARENTS[list];
    const known = new Set(after[parents].map(({ key }) => key));
    for (const { key, value } of after[list]) {
      const parent = parentOf(list, value) ?? "";
      if (known.has(parent)) continue;
      const removed = (edits[parents] ?? []).findIndex((edit) => edit.key === parent && edit.value === null);
      if (removed === -1) errors[`${paths.get(`${list} ${key}`) ?? `${list}.${key}`}.${field}`] = [`There is no such ${name}.`];
      else
        errors[`${parents}.${removed}`] = [
          list === "items" ? "It still has dishes. Move or remove them first." : "It still has categories. Move or remove them first.",
        ];
    }
  }
  return errors;
};

const tooMany = (path: string, count: number, max: number | undefined): FieldErrors =>
  max !== undefined && count > max ? { [path]: [`There can be at most ${max}.`] } : {};

type Bounded = { maxItems?: number };

/** As many as a venue file can hold, so that every menu can be exported and read again. */
const countErrors = (after: Plan, before: Plan): FieldErrors => {
  const largest = (list: OrderedList, subjects: readonly MenuSubject<object>[]): number =>
    Math.max(0, ...[...Map.groupBy(subjects, ({ value }) => parentOf(list, value)).values()].map((rows) => rows.length));
  const { menus, modifier_groups, happy_hours } = VenueFile.properties as Record<string, Bounded>;
  return {
    ...tooMany("menus", after.menus.length, menus?.maxItems),
    ...tooMany("modifier_groups", after.modifier_groups.length, modifier_groups?.maxItems),
    ...tooMany("happy_hours", after.happy_hours.length, happy_hours?.maxItems),
    ...tooMany("categories", largest("categories", after.categories), (MenuFile.properties.categories as Bounded).maxItems),
    ...tooMany("items", largest("items", after.items), (CategoryFile.properties.items as Bounded).maxItems),
    ...(after.items.length > before.items.length ? tooMany("items", after.items.length, ITEMS_MAX) : {}),
  };
};

export const editErrors = (before: Plan, after: Plan, edits: MenuEdits, taxes: MenuParts["charges"]["taxes"]): FieldErrors => {
  const paths = pathsOf(edits);
  const errors = { ...parentErrors(after, edits, paths), ...countErrors(after, before) };
  return Object.keys(errors).length > 0 ? errors : sharedErrors(after, taxes, paths);
};
