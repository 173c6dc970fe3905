/**
 * How large a menu is beside the number of its dishes. Pages, events and the API show whole menus, and each dish with all of its extras, so
 * a few long texts that many dishes share would be gigabytes.
 */
import type { FieldErrors } from "#lib/errors.ts";
import type { MenuPart } from "./plan.ts";

const MEGABYTE = 1024 * 1024;
/** Everything that a menu has, counted once. */
export const MENU_BYTES_MAX = 8 * MEGABYTE;
/** All dishes, each counted with its extras. */
export const SHOWN_BYTES_MAX = 32 * MEGABYTE;
export const TOO_MUCH_TEXT = "The menu has too much text.";

/** Numbers are left out, so that a price alone never makes a menu larger. */
export const textBytes = (value: unknown): number =>
  Buffer.byteLength(JSON.stringify(value, (_, part) => (typeof part === "string" || typeof part === "object" ? part : 0)));

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

const dishesOf = ({ menus }: MenuPart) => menus.flatMap(({ categories }) => categories.flatMap(({ items }) => items));

/** Each dish shows its groups: what they add up to, by dish. */
const shownBy = (menu: MenuPart, sizeOf: (group: MenuPart["modifier_groups"][number]) => number): number[] => {
  const sizes = new Map(menu.modifier_groups.map((group) => [group.key, sizeOf(group)]));
  return dishesOf(menu).map(({ modifier_groups }) => sum(modifier_groups.map((key) => sizes.get(key) ?? 0)));
};

const BOUNDS: readonly { path: string; max: number; sentence: string; count: (menu: MenuPart) => number }[] = [
  {
    path: "happy_hours",
    max: 20_000,
    sentence: "All happy hours together can name at most 20000 categories, dishes and sizes.",
    count: ({ happy_hours }) =>
      sum(happy_hours.map(({ categories, items, variants }) => categories.length + items.length + variants.length)),
  },
  {
    path: "modifier_groups",
    max: 500,
    sentence: "A dish can have at most 500 extras in all of its groups.",
    count: (menu) => shownBy(menu, ({ options }) => options.length).reduce((most, count) => Math.max(most, count), 0),
  },
  {
    path: "menus",
    max: MENU_BYTES_MAX,
    sentence: TOO_MUCH_TEXT,
    count: ({ menus, modifier_groups, happy_hours }) => textBytes([menus, modifier_groups, happy_hours]),
  },
  {
    path: "menus",
    max: SHOWN_BYTES_MAX,
    sentence: TOO_MUCH_TEXT,
    count: (menu) => textBytes(dishesOf(menu)) + sum(shownBy(menu, textBytes)),
  },
];

/** A menu that is above a bound in `before` already may stay there, but not grow. Without `before` each bound counts. */
export const menuSizeErrors = (after: MenuPart, before?: MenuPart): FieldErrors =>
  Object.fromEntries(
    BOUNDS.flatMap(({ path, max, sentence, count }): [string, string[]][] => {
      const found = count(after);
      return found > max && (before === undefined || found > count(before)) ? [[path, [sentence]]] : [];
    }),
  );
