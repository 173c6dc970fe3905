/** Which dishes a choice at the side, a search and a filter show, and what is still missing in the draft. */
import type { ItemValue, MenuPlan, OrderedList } from "@comanda/contract/console/menu-editor.ts";
import type { Translations } from "@comanda/contract/shared.ts";
import type { Hours } from "@comanda/contract/venue-file/opening-hours.ts";
import { foldText } from "#kit/fold-text.ts";
import { subjectName } from "./menu-body.ts";
import type { SubjectChoice } from "./menu-draft.ts";
import { type DraftDish, type DraftSubject, MENU_LISTS, type MenuValues, type ShownPlan } from "./menu-draft.ts";

/** A dialog over one subject, or a tool. Two of them begin with the dishes that were chosen. */
export type OpenMenuDialog =
  | SubjectChoice<OrderedList>
  | { tool: "prices"; keys: readonly string[] }
  | { tool: "planned"; keys: readonly string[] }
  | { tool: "paste" | "preview" | "history" };

/** What a dish can lack. */
export const DISH_LACKS = ["translation", "allergens", "station"] as const;
export type DishLack = (typeof DISH_LACKS)[number];

/** What is chosen at the side. `menu` and `category` have a key. */
export type MenuPlace = { kind: "all" | "groups" | "hours" } | { kind: "menu" | "category"; key: string };
export const EVERYTHING: MenuPlace = { kind: "all" };

export const writePlace = (place: MenuPlace): string => ("key" in place ? `${place.kind} ${place.key}` : place.kind);
export const readPlace = (text: string): MenuPlace => {
  const [kind, key = ""] = text.split(" ");
  if (kind === "menu" || kind === "category") return { kind, key };
  return kind === "groups" || kind === "hours" ? { kind } : EVERYTHING;
};

export const hasText = (texts: Translations | null): boolean => Object.values(texts ?? {}).some((text) => (text ?? "").trim() !== "");

/** The venue's own language first, then all in which a dish has a name. */
export const languagesOf = ({ default_language, items, categories }: MenuPlan): string[] => {
  const used = [...items, ...categories].flatMap(({ value }) =>
    Object.entries(value.name).flatMap(([language, text]) => (text ? language : [])),
  );
  return [...new Set([default_language, ...used.toSorted()])];
};

const lacksText = (texts: Translations, languages: readonly string[]): boolean =>
  languages.some((language) => (texts[language] ?? "").trim() === "");

/** Values are not changed in place, so each is looked at once. */
const lacking = new WeakMap<ItemValue, { languages: readonly string[]; isLacking: boolean }>();

/** A description in one language is expected in the others, no description in none. */
export const lacksTranslation = (value: ItemValue, languages: readonly string[]): boolean => {
  const known = lacking.get(value);
  if (known?.languages === languages) return known.isLacking;
  const { name, description } = value;
  const isLacking = lacksText(name, languages) || (hasText(description) && lacksText(description ?? {}, languages));
  lacking.set(value, { languages, isLacking });
  return isLacking;
};

export type DishGroupShown = { category: DraftSubject<MenuValues["categories"]>; dishes: DraftDish[] };
type WantedDishes = { place: MenuPlace; search: string; lack: DishLack | null; languages: readonly string[] };

const hasLack = (lack: DishLack, { value }: DraftDish, station: string | null, languages: readonly string[]): boolean => {
  if (lack === "translation") return lacksTranslation(value, languages);
  return lack === "allergens" ? value.allergens === null : station === null;
};

/** A search looks through the whole menu, whatever is chosen at the side. */
export const showDishes = ({ menus, categories, items }: ShownPlan, wanted: WantedDishes): DishGroupShown[] => {
  const { place } = wanted;
  const search = foldText(wanted.search.trim());
  const isChosen = ({ key, value }: DishGroupShown["category"]): boolean =>
    search !== "" ||
    place.kind === "all" ||
    (place.kind === "category" ? place.key === key : place.kind === "menu" && place.key === value.menu);
  const matches = ({ value }: DraftDish): boolean =>
    search === "" || Object.values(value.name).some((text) => text !== null && foldText(text).includes(search));
  const byCategory = Map.groupBy(items, ({ value }) => value.category);
  const ranks = new Map(menus.map(({ key }, place) => [key, place]));
  return categories
    .filter(isChosen)
    .toSorted((a, b) => (ranks.get(a.value.menu) ?? 0) - (ranks.get(b.value.menu) ?? 0))
    .map((category) => ({
      category,
      dishes: (byCategory.get(category.key) ?? []).filter(
        (dish) => matches(dish) && (wanted.lack === null || hasLack(wanted.lack, dish, category.value.station, wanted.languages)),
      ),
    }))
    .filter(({ dishes }) => dishes.length > 0);
};

/** How many dishes of the chosen place lack each thing. */
export const countLacks = (shown: ShownPlan, place: MenuPlace, languages: readonly string[]): Record<DishLack, number> => {
  const counts = { translation: 0, allergens: 0, station: 0 };
  for (const { category, dishes } of showDishes(shown, { place, search: "", lack: null, languages }))
    for (const dish of dishes)
      if (dish.state !== "removed")
        for (const lack of DISH_LACKS) if (hasLack(lack, dish, category.value.station, languages)) counts[lack] += 1;
  return counts;
};

export type MenuGap = "gone" | "name" | "price" | "sizes" | "hours" | "options" | "discount";

const hasHourGaps = (hours: Hours | null): boolean =>
  hours !== null && (hours.length === 0 || hours.some(({ days, from, to }) => days.length === 0 || from === "" || to === ""));

const gapsOf = (value: MenuValues[keyof MenuValues]): MenuGap[] => [
  ...(hasText(value.name) ? [] : ["name" as const]),
  ...("category" in value && value.price_minor === null && value.variants.length === 0 ? ["price" as const] : []),
  ...("category" in value && value.variants.some(({ name }) => !hasText(name)) ? ["sizes" as const] : []),
  ...("options" in value && value.options.some(({ name }) => !hasText(name)) ? ["options" as const] : []),
  ...("hours" in value && hasHourGaps(value.hours) ? ["hours" as const] : []),
  ...("percent_off" in value && value.percent_off === null && value.price_minor === null ? ["discount" as const] : []),
];

/** What changed subjects lack before they can be saved, by list and key. */
export const findGaps = (shown: ShownPlan): Map<string, MenuGap[]> => {
  const gaps = new Map<string, MenuGap[]>();
  for (const list of MENU_LISTS)
    for (const { key, value, state, isGone } of shown[list]) {
      const found = state === "changed" || state === "new" ? [...(isGone ? ["gone" as const] : []), ...gapsOf(value)] : [];
      if (found.length > 0) gaps.set(subjectName(list, key), found);
    }
  return gaps;
};
