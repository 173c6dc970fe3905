/**
 * Checks that the JSON Schema cannot express: references to existing keys, and exactly one default. And what an import of a file would
 * change.
 */
import { bookingsToCome, ticketsToCome, ticketsToRefund } from "@comanda/contract/console/bookings-to-come.ts";
import { type AreaChange, FILE_AREAS, FILE_NAMES_MAX, type FileArea, type NamedCount } from "@comanda/contract/console/venue-file.ts";
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { FAULTS_MAX, type FieldErrors } from "#lib/errors.ts";
import { hasControls, textFault, withoutControls } from "#lib/plain-text.ts";
import { isZone } from "#lib/time-zone.ts";
import { checkExperiences } from "#venue/experiences/rules.ts";
import { versionOf } from "#venue/floor/rules.ts";
import { tableErrors, withPlaces } from "#venue/settings/rules/tables.ts";
import { checkStock, recipeOwner, unitErrors } from "#venue/stock/rules.ts";

export { unitErrors, versionOf };

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

const itemsOf = ({ menus }: Pick<MenuParts, "menus">) =>
  menus.flatMap((menu, m) =>
    menu.categories.flatMap((category, c) => category.items.map((item, i) => ({ item, path: `menus.${m}.categories.${c}.items.${i}` }))),
  );

const keysIn = (rows: { key: string }[]): Set<string> => new Set(rows.map(({ key }) => key));

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

/** One entry of a list in the file. `within`: the key of what it is in, whose entries have an order of their own. */
type FileEntry = { key: string; name: string; value: object; within: string };

type NamedEntry = { key: string; name: string | Record<string, string | null> };

/** In the venue's language where it has a text in it. */
const nameIn = (language: string, { key, name }: NamedEntry): string =>
  typeof name === "string" ? name : name[language] || Object.values(name).find(Boolean) || key;

const entriesOf = (
  file: VenueFile,
): Record<Exclude<FileArea, "restaurant" | "ordering" | "booking" | "charges" | "reviews" | "shifts">, FileEntry[]> => {
  const language = file.restaurant.default_language;
  const listed = <T extends NamedEntry>(rows: readonly T[], within = ""): FileEntry[] =>
    rows.map((value) => ({ key: value.key, name: nameIn(language, value), value, within }));
  const tableNames = new Map(file.tables.map(({ key, name }) => [key, name]));
  const categories = file.menus.flatMap((menu) => menu.categories.map((category) => ({ menu: menu.key, ...category })));
  return {
    // The days of a file are stored in the order of their dates.
    branches: listed(
      file.branches.map((branch) => ({ ...branch, closing_days: branch.closing_days.toSorted((a, b) => a.date.localeCompare(b.date)) })),
    ),
    tables: listed(file.tables),
    table_combinations: file.table_combinations.map((value) => ({
      key: value.tables.join(" "),
      name: value.tables.map((key) => tableNames.get(key) ?? key).join(" + "),
      value,
      within: "",
    })),
    menus: listed(file.menus.map(({ categories: _, ...menu }) => menu)),
    categories: categories.flatMap(({ items: _, ...category }) => listed([category], category.menu)),
    items: categories.flatMap(({ key, items }) =>
      listed(
        items.map((item) => ({ category: key, ...item })),
        key,
      ),
    ),
    modifier_groups: listed(file.modifier_groups),
    happy_hours: listed(file.happy_hours),
    // Par levels of a file are stored in the order of the branches.
    ingredients: listed(
      file.ingredients.map((ingredient) => ({
        ...ingredient,
        par_levels: ingredient.par_levels.toSorted((a, b) => a.branch.localeCompare(b.branch)),
      })),
    ),
    recipes: recipeEntries(file, language),
    experiences: listed(file.experiences),
    taxes: listed(file.charges.taxes),
    promotions: listed(file.charges.promotions),
  };
};

/** Each is alone in what it is in: the order of recipes means nothing. */
const recipeEntries = (file: VenueFile, language: string): FileEntry[] => {
  const names = new Map(itemsOf(file).map(({ item }) => [item.key, nameIn(language, item)]));
  const options = new Map(
    file.modifier_groups.flatMap((group) => group.options.map((option) => [`${group.key}/${option.key}`, nameIn(language, option)])),
  );
  return file.recipes.map((recipe) => {
    const key = recipeOwner(recipe);
    const dish = names.get(recipe.item ?? "") ?? options.get(key) ?? key;
    return { key, name: recipe.variant === null ? dish : `${dish} (${recipe.variant})`, value: recipe, within: key };
  });
};

const membersOf = ({ restaurant, ordering, booking, charges, reviews, shifts }: VenueFile): Record<string, object> => {
  const { taxes: _, promotions: __, ...others } = charges;
  return { restaurant, ordering, booking, charges: others, reviews, shifts };
};

/** The order of members in a file means nothing. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, member: unknown) =>
    member !== null && typeof member === "object" && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );

const counted = (names: readonly string[]): NamedCount => ({ count: names.length, names: names.slice(0, FILE_NAMES_MAX) });

const compareEntries = (area: FileArea, before: readonly FileEntry[], after: readonly FileEntry[]): AreaChange => {
  const [old, fresh] = [new Map(before.map((entry) => [entry.key, entry])), new Map(after.map((entry) => [entry.key, entry]))];
  const isOther = ({ key, value }: FileEntry): boolean => old.has(key) && canonical(old.get(key)?.value) !== canonical(value);
  const stays = ({ key, within }: FileEntry): boolean => old.get(key)?.within === within && fresh.get(key)?.within === within;
  const order = (entries: readonly FileEntry[]): string =>
    canonical(
      Object.fromEntries(
        [...Map.groupBy(entries.filter(stays), ({ within }) => within)].map(([key, rows]) => [key, rows.map((row) => row.key)]),
      ),
    );
  const names = (entries: readonly FileEntry[]): NamedCount => counted(entries.map(({ name }) => name));
  return {
    area,
    created: names(after.filter(({ key }) => !old.has(key))),
    changed: names(after.filter(isOther)),
    removed: names(before.filter(({ key }) => !fresh.has(key))),
    is_reordered: order(before) !== order(after),
  };
};

const compareMembers = (area: FileArea, before: object, after: object): AreaChange => {
  const [old, fresh] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const differing = [...new Set([...old.keys(), ...fresh.keys()])].filter(
    (name) => canonical(old.get(name)) !== canonical(fresh.get(name)),
  );
  return { area, created: counted([]), changed: counted(differing), removed: counted([]), is_reordered: false };
};

const isChange = ({ created, changed, removed, is_reordered }: AreaChange): boolean =>
  is_reordered || created.count + changed.count + removed.count > 0;

/** Area by area, in their order. People are not compared. */
export const compareFiles = (before: VenueFile, after: VenueFile): AreaChange[] => {
  const [oldLists, newLists]: Record<string, FileEntry[]>[] = [entriesOf(before), entriesOf(after)];
  const [oldMembers, newMembers] = [membersOf(before), membersOf(after)];
  return FILE_AREAS.map((area) =>
    area in oldMembers
      ? compareMembers(area, oldMembers[area] ?? {}, newMembers[area] ?? {})
      : compareEntries(area, oldLists?.[area] ?? [], newLists?.[area] ?? []),
  ).filter(isChange);
};

/** A file that an owner chose, as it would be imported into this venue: its address, plan, people and places on the plan stay what they are. */
export const asFileOf = (venue: VenueFile, file: VenueFile): VenueFile => {
  const { slug, plan } = venue.restaurant;
  const restaurant = { ...file.restaurant, slug, ...(plan === undefined ? {} : { plan }) };
  return { ...file, restaurant, tables: withPlaces(file.tables, venue.tables), staff: [], guests: [] };
};

/** Amounts are kept without their currency, in orders too. */
export const currencyErrors = (venue: VenueFile, file: VenueFile): FieldErrors =>
  venue.restaurant.currency === file.restaurant.currency
    ? {}
    : { "restaurant.currency": [`The venue has ${venue.restaurant.currency}, which cannot be changed.`] };

type BookedRow = { id: number; key: string };

export const removedRows = <T extends BookedRow>(before: readonly T[], after: readonly { key: string }[]): T[] => {
  const kept = keysIn([...after]);
  return before.filter(({ key }) => !kept.has(key));
};

/** How many bookings, parties with tickets to come, and parties that are not refunded keep a row. */
type RemovedEntry = { key: string; bookings?: number | undefined; tickets?: number | undefined; unrefunded?: number };

const bookedSentences = ({ bookings = 0, tickets = 0, unrefunded = 0 }: RemovedEntry): string[] => [
  ...(bookings > 0 ? [bookingsToCome("It", bookings)] : []),
  ...(tickets > 0 ? [ticketsToCome("It", tickets)] : []),
  ...(unrefunded > 0 ? [ticketsToRefund("It", unrefunded)] : []),
];

/** Bookings keep their table, their branch and their experience, as on the pages of the console. By area, what the file removes. */
export const bookedErrors = (removed: Record<"branches" | "tables" | "experiences", readonly RemovedEntry[]>): FieldErrors =>
  Object.fromEntries(
    Object.entries(removed).flatMap(([area, entries]) =>
      entries.flatMap((entry): [string, string[]][] => {
        const sentences = bookedSentences(entry);
        return sentences.length === 0 ? [] : [[`removed.${area}.${entry.key}`, sentences]];
      }),
    ),
  );

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Imports of a venue by its owners, where something changed. */
export const IMPORTS_AN_HOUR_MAX = 20;
export const IMPORTS_A_DAY_MAX = 60;

/** Only imports after this are counted. */
export const importsSince = (now: Date): Date => new Date(now.getTime() - DAY_MS);

/** Seconds until the next import; 0 now. `imports` are those of the last day, the newest first. */
export const importWait = (imports: readonly { at: Date }[], now: Date): number => {
  const wait = (max: number, windowMs: number): number => {
    const oldest = imports[max - 1];
    return oldest === undefined ? 0 : Math.max(0, Math.ceil((oldest.at.getTime() + windowMs - now.getTime()) / 1000));
  };
  return Math.max(wait(IMPORTS_AN_HOUR_MAX, HOUR_MS), wait(IMPORTS_A_DAY_MAX, DAY_MS));
};
