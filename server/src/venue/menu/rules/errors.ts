/** What is wrong with edited menus, under the path of the edit. The checks are those of the venue file. */
import { type MenuEdits, ORDERED_LISTS, type OrderedList } from "@comanda/contract/console/menu-editor.ts";
import { CategoryFile, MenuFile } from "@comanda/contract/venue-file/menu.ts";
import { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { CATEGORIES_MAX, DISHES_MAX, OPTIONS_MAX } from "@comanda/contract/venue-limits.ts";
import type { FieldErrors } from "#lib/errors.ts";
import { type MenuParts, menuErrors } from "./menu-parts.ts";
import { menuSizeErrors } from "./menu-size.ts";
import { type MenuSubject, type Plan, parentOf, partsOf } from "./plan.ts";

/** Finds where the edit of each subject stands. A dish that is edited as a whole and by its prices is found under the whole. */
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

type Fault = { subject: string | null; path: string; sentences: string[] };

/** The checks that a file has too, each with the subject that it is about. */
const sharedFaults = (plan: Plan, taxes: MenuParts["charges"]["taxes"], paths: Map<string, string>): Fault[] => {
  const parts = partsOf(plan, taxes);
  return Object.entries(menuErrors(parts)).map(([path, sentences]): Fault => {
    const found = subjectAt(parts, path);
    if (!found) return { subject: null, path, sentences };
    const subject = `${found.list} ${found.key}`;
    return { subject, path: `${paths.get(subject) ?? `${found.list}.${found.key}`}${found.rest}`, sentences };
  });
};

/** A fault that was there before is shown only to a person who edits its subject: it must not keep others from their work. */
const sharedErrors = (before: Plan, after: Plan, taxes: MenuParts["charges"]["taxes"], paths: Map<string, string>): FieldErrors => {
  const found = sharedFaults(after, taxes, paths);
  const textOfFault = ({ path, sentences }: Fault): string => `${path} ${sentences.join(" ")}`;
  const known = found.length === 0 ? new Set<string>() : new Set(sharedFaults(before, taxes, paths).map(textOfFault));
  const told = found.filter((fault) => (fault.subject !== null && paths.has(fault.subject)) || !known.has(textOfFault(fault)));
  return Object.fromEntries(told.map(({ path, sentences }) => [path, sentences]));
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

const boundOf = (schema: unknown): number => (schema as { maxItems?: number }).maxItems ?? Number.POSITIVE_INFINITY;

const largest = (list: OrderedList, subjects: readonly MenuSubject<object>[]): number =>
  Math.max(0, ...[...Map.groupBy(subjects, ({ value }) => parentOf(list, value)).values()].map((rows) => rows.length));

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

type Bound = { path: string; max: number; count: (plan: Plan) => number; sentence?: string };

/** The limits are those of a venue file, so that every menu can be exported and read again; and less than their product. */
const BOUNDS: readonly Bound[] = [
  { path: "menus", max: boundOf(VenueFile.properties.menus), count: ({ menus }) => menus.length },
  { path: "modifier_groups", max: boundOf(VenueFile.properties.modifier_groups), count: ({ modifier_groups }) => modifier_groups.length },
  { path: "happy_hours", max: boundOf(VenueFile.properties.happy_hours), count: ({ happy_hours }) => happy_hours.length },
  { path: "categories", max: boundOf(MenuFile.properties.categories), count: ({ categories }) => largest("categories", categories) },
  { path: "items", max: boundOf(CategoryFile.properties.items), count: ({ items }) => largest("items", items) },
  { path: "items", max: DISHES_MAX, count: ({ items }) => items.length },
  {
    path: "categories",
    max: CATEGORIES_MAX,
    count: ({ categories }) => categories.length,
    sentence: `All menus together can have at most ${CATEGORIES_MAX} categories.`,
  },
  {
    path: "modifier_groups",
    max: OPTIONS_MAX,
    count: ({ modifier_groups }) => sum(modifier_groups.map(({ value }) => value.options.length)),
    sentence: `All groups together can have at most ${OPTIONS_MAX} extras.`,
  },
];

/** A menu that is above a bound already may stay there, but not grow: apps add dishes too, and must not lock managers out. */
const boundErrors = (before: Plan, after: Plan): FieldErrors =>
  Object.fromEntries(
    BOUNDS.flatMap(({ path, max, count, sentence = `There can be at most ${max}.` }): [string, string[]][] => {
      const found = count(after);
      return found > max && found > count(before) ? [[path, [sentence]]] : [];
    }),
  );

export const editErrors = (before: Plan, after: Plan, edits: MenuEdits, taxes: MenuParts["charges"]["taxes"]): FieldErrors => {
  const paths = pathsOf(edits);
  const sizeErrors = menuSizeErrors(partsOf(after, taxes), partsOf(before, taxes));
  const errors = { ...parentErrors(after, edits, paths), ...boundErrors(before, after), ...sizeErrors };
  return Object.keys(errors).length > 0 ? errors : sharedErrors(before, after, taxes, paths);
};
