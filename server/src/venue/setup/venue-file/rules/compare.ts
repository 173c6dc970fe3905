/** What an import of a file would change. */
import { type AreaChange, FILE_AREAS, FILE_NAMES_MAX, type FileArea, type NamedCount } from "@comanda/contract/console/venue-file.ts";
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { itemsOf } from "#venue/menu/rules/menu-parts.ts";
import { withPlaces } from "#venue/settings/rules/tables.ts";
import { recipeOwner } from "#venue/stock/rules.ts";

/** One entry of a list in the file. `within`: the key of what it is in, whose entries have an order of their own. */
type FileEntry = { key: string; name: string; value: object; within: string };

type NamedEntry = { key: string; name: string | Record<string, string | null> };

/** The name is in the venue's language where it has a text in it. */
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
