/** Checks that the JSON Schema cannot express: references to existing keys, and exactly one default. */
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { FAULTS_MAX, type FieldErrors } from "#lib/errors.ts";
import { hasControls, textFault, withoutControls } from "#lib/plain-text.ts";
import { isZone } from "#lib/time-zone.ts";
import { checkExperiences } from "#venue/experiences/rules.ts";
import { tableErrors } from "#venue/settings/rules/tables.ts";
import { checkStock, unitErrors } from "#venue/stock/rules.ts";

export { unitErrors };

type ReportError = (path: string, sentence: string) => void;

const collectErrors = (check: (report: ReportError) => void): FieldErrors => {
  const errors: Record<string, string[]> = {};
  let count = 0;
  // A file of three megabytes can have a hundred thousand faults. An answer shows the first of them.
  check((path, sentence) => {
    if (count++ >= FAULTS_MAX) return;
    errors[path] ??= [];
    errors[path].push(sentence);
  });
  return errors;
};

/**
 * Texts that cannot be stored, by the check of the console's fields, and control characters: a file is also made by other programs. Its
 * shape was checked before, so it is not nested deeply.
 */
export const textErrors = (file: VenueFile): FieldErrors => collectErrors((report) => reportTexts(file, "", report));

const reportTexts = (value: unknown, path: string, report: ReportError): void => {
  if (typeof value === "string") {
    const fault = textFault(value)?.sentence ?? (hasControls(value) ? "Must not contain control characters." : null);
    if (fault !== null) report(path, fault);
  } else if (value !== null && typeof value === "object")
    for (const [name, member] of Object.entries(value)) reportTexts(member, path === "" ? name : `${path}.${name}`, report);
};

/** An export is a valid import, also where the API stored control characters. */
export const withoutControlsIn = <T>(value: T): T =>
  (typeof value === "string"
    ? withoutControls(value)
    : Array.isArray(value)
      ? value.map(withoutControlsIn)
      : value !== null && typeof value === "object"
        ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutControlsIn(member)]))
        : value) as T;

/** The parts of a file that say what is sold. */
export type MenuParts = Pick<VenueFile, "modifier_groups" | "menus" | "happy_hours"> & { charges: Pick<VenueFile["charges"], "taxes"> };

/** The same for a file and for the console. */
export const menuErrors = (parts: MenuParts): FieldErrors =>
  collectErrors((report) => {
    checkUnique(menuLists(parts), report);
    checkItems(parts, report);
    checkHappyHours(parts, report);
  });

/** The next four likewise. */
export const restaurantErrors = ({ restaurant }: { restaurant: Pick<VenueFile["restaurant"], "zone"> }): FieldErrors =>
  isZone(restaurant.zone) ? {} : { "restaurant.zone": ["Is not a known time zone."] };

export const branchErrors = ({ branches }: Pick<VenueFile, "branches">): FieldErrors =>
  collectErrors((report) => {
    if (branches.filter((branch) => branch.is_default).length !== 1) report("branches", "Exactly one branch is the default.");
    checkUnique({ branches }, report);
    for (const [index, { closing_days }] of branches.entries())
      checkUnique({ [`branches.${index}.closing_days`]: closing_days.map(({ date }) => ({ key: date })) }, report);
  });

export const orderingErrors = ({ ordering }: Pick<VenueFile, "ordering">): FieldErrors =>
  collectErrors((report) => checkUnique({ "ordering.types": ordering.types.map(({ type }) => ({ key: type })) }, report));

export const chargesErrors = ({ charges }: Pick<VenueFile, "charges">): FieldErrors =>
  collectErrors((report) => {
    checkUnique({ "charges.taxes": charges.taxes, "charges.promotions": charges.promotions }, report);
    checkCharges(charges, report);
  });

export const venueFileErrors = (file: VenueFile): FieldErrors => ({
  ...restaurantErrors(file),
  ...branchErrors(file),
  ...orderingErrors(file),
  ...tableErrors(file),
  ...chargesErrors(file),
  ...collectErrors((report) => {
    checkUnique(otherLists(file), report);
    checkGuests(file, report);
    checkStock(file, report);
    checkExperiences(file, report);
  }),
  ...menuErrors(file),
});

export const itemsOf = ({ menus }: Pick<MenuParts, "menus">) =>
  menus.flatMap((menu, m) =>
    menu.categories.flatMap((category, c) => category.items.map((item, i) => ({ item, path: `menus.${m}.categories.${c}.items.${i}` }))),
  );

export const keysIn = (rows: { key: string }[]): Set<string> => new Set(rows.map(({ key }) => key));

type KeyedLists = Record<string, { key: string }[]>;

const menuLists = (file: MenuParts): KeyedLists => ({
  modifier_groups: file.modifier_groups,
  menus: file.menus,
  "menus.categories": file.menus.flatMap((menu) => menu.categories),
  "menus.categories.items": itemsOf(file).map(({ item }) => item),
  happy_hours: file.happy_hours,
  ...Object.fromEntries(file.modifier_groups.map(({ options }, index) => [`modifier_groups.${index}.options`, options])),
  ...Object.fromEntries(itemsOf(file).map(({ item, path }) => [`${path}.variants`, item.variants])),
});

const otherLists = (file: VenueFile): KeyedLists => ({
  tables: file.tables,
  guests: file.guests,
  ingredients: file.ingredients,
  experiences: file.experiences,
  staff: file.staff.map(({ email }) => ({ key: email.toLowerCase() })),
});

const checkUnique = (lists: KeyedLists, report: ReportError): void => {
  for (const [path, rows] of Object.entries(lists)) {
    const seen = new Set<string>();
    for (const { key } of rows) {
      if (seen.has(key)) report(path, `${key} occurs twice.`);
      seen.add(key);
    }
  }
};

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

const checkCharges = (charges: VenueFile["charges"], report: ReportError): void => {
  const taxes = keysIn(charges.taxes);
  if (charges.taxes.length > 0 && charges.taxes.filter((tax) => tax.is_default).length !== 1)
    report("charges.taxes", "Exactly one tax is the default.");
  for (const [path, key] of [
    ["charges.service_charge.tax", charges.service_charge?.tax],
    ["charges.delivery_fee_tax", charges.delivery_fee_tax],
  ] as const)
    if (key && !taxes.has(key)) report(path, `There is no tax ${key}.`);
  for (const [index, { percent_off, amount_off_minor }] of charges.promotions.entries())
    if ((percent_off === null) === (amount_off_minor === null))
      report(`charges.promotions.${index}`, "Set either percent_off or amount_off_minor.");
};

const checkGuests = ({ guests }: VenueFile, report: ReportError): void => {
  const phones = guests.flatMap(({ phone }) => (phone === null ? [] : [phone.replaceAll(/[^0-9+]/g, "").replace(/^00/, "+")]));
  const seen = new Set<string>();
  const isSecond = (number: string): boolean => number !== "" && seen.size === seen.add(number).size;
  for (const phone of new Set(phones.filter(isSecond))) report("guests", `Two guests have the phone number ${phone}.`);
  for (const [index, guest] of guests.entries())
    if (guest.marketing_opted_in === (guest.marketing_opted_in_at === null))
      report(`guests.${index}.marketing_opted_in_at`, "Is set exactly when the guest has opted in.");
};
