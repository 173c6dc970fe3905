/** What must hold for menus, whether a venue file or the console brings them. The JSON Schema cannot say it. */
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { checkUnique, collectErrors, type KeyedLists, keysIn, type ReportError } from "#lib/collect-errors.ts";
import type { FieldErrors } from "#lib/errors.ts";

/** The parts of a file that say what is sold. */
export type MenuParts = Pick<VenueFile, "modifier_groups" | "menus" | "happy_hours"> & { charges: Pick<VenueFile["charges"], "taxes"> };

export const menuErrors = (parts: MenuParts): FieldErrors =>
  collectErrors((report) => {
    checkUnique(menuLists(parts), report);
    checkItems(parts, report);
    checkHappyHours(parts, report);
  });

export const itemsOf = ({ menus }: Pick<MenuParts, "menus">) =>
  menus.flatMap((menu, m) =>
    menu.categories.flatMap((category, c) => category.items.map((item, i) => ({ item, path: `menus.${m}.categories.${c}.items.${i}` }))),
  );

const menuLists = (file: MenuParts): KeyedLists => ({
  modifier_groups: file.modifier_groups,
  menus: file.menus,
  "menus.categories": file.menus.flatMap((menu) => menu.categories),
  "menus.categories.items": itemsOf(file).map(({ item }) => item),
  happy_hours: file.happy_hours,
  ...Object.fromEntries(file.modifier_groups.map(({ options }, index) => [`modifier_groups.${index}.options`, options])),
  ...Object.fromEntries(itemsOf(file).map(({ item, path }) => [`${path}.variants`, item.variants])),
});

const checkItems = (file: MenuParts, report: ReportError): void => {
  const groups = keysIn(file.modifier_groups);
  const taxes = keysIn(file.charges.taxes);
  for (const [index, { min_select, max_select }] of file.modifier_groups.entries())
    if (max_select !== null && max_select < min_select) report(`modifier_groups.${index}.max_select`, "Is less than min_select.");
  for (const { item, path } of itemsOf(file)) {
    const isSized = item.variants.length > 0;
    if (isSized === (item.price_minor !== null)) report(`${path}.price_minor`, "A dish has either a price or sizes.");
    if (isSized && item.variants.filter((variant) => variant.is_default).length !== 1)
      report(`${path}.variants`, "Exactly one size is the default.");
    for (const key of item.modifier_groups) if (!groups.has(key)) report(`${path}.modifier_groups`, `There is no modifier group ${key}.`);
    if (item.tax && !taxes.has(item.tax)) report(`${path}.tax`, `There is no tax ${item.tax}.`);
  }
};

const checkHappyHours = (file: MenuParts, report: ReportError): void => {
  const categories = keysIn(file.menus.flatMap((menu) => menu.categories));
  const items = new Map(itemsOf(file).map(({ item }) => [item.key, item]));
  for (const [index, happyHour] of file.happy_hours.entries()) {
    const path = `happy_hours.${index}`;
    if ((happyHour.percent_off === null) === (happyHour.price_minor === null)) report(path, "Set either percent_off or price_minor.");
    const sizes = happyHour.variants.map(({ item, variant }) => `${variant} of ${item}`);
    for (const [list, keys] of Object.entries({ categories: happyHour.categories, items: happyHour.items, variants: sizes }))
      checkUnique({ [`${path}.${list}`]: keys.map((key) => ({ key })) }, report);
    for (const key of happyHour.categories) if (!categories.has(key)) report(`${path}.categories`, `There is no category ${key}.`);
    for (const key of happyHour.items) if (!items.has(key)) report(`${path}.items`, `There is no dish ${key}.`);
    for (const { item, variant } of happyHour.variants)
      if (!items.get(item)?.variants.some(({ key }) => key === variant))
        report(`${path}.variants`, `There is no size ${variant} of ${item}.`);
  }
};
