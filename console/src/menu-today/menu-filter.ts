/** Which dishes and options a view and a search show. */
import type { CategoryToday, DishState, DishToday, MenuToday, OptionState, OptionToday } from "@comanda/contract/console/menu-today.ts";
import type { Translations } from "@comanda/contract/shared.ts";
import { foldText } from "#kit/fold-text.ts";

export const MENU_VIEWS = ["dishes", "options", "sold_out"] as const;
export type MenuView = (typeof MENU_VIEWS)[number];

export type DishGroup = { category: CategoryToday; dishes: DishToday[] };
export type ShownMenu = { groups: DishGroup[]; options: OptionToday[] };

export const isSoldOut = (state: DishState | OptionState): boolean =>
  state.kind === "sold_out" || (state.kind === "counted" && state.remaining === 0);

const matches = (search: string, ...names: Translations[]): boolean =>
  search === "" || names.some((name) => Object.values(name).some((text) => text !== null && foldText(text).includes(search)));

/** A search looks through dishes and options alike, whatever the view. */
export const showMenu = ({ categories, dishes, options }: MenuToday, view: MenuView, text: string): ShownMenu => {
  const search = foldText(text.trim());
  const isShown = (part: MenuView, state: DishState | OptionState): boolean =>
    search !== "" || view === part || (view === "sold_out" && isSoldOut(state));
  const shown = dishes.filter(({ name, state }) => isShown("dishes", state) && matches(search, name));
  return {
    groups: categories
      .map((category) => ({ category, dishes: shown.filter(({ category_id }) => category_id === category.id) }))
      .filter((group) => group.dishes.length > 0),
    options: options.filter(({ name, group_name, state }) => isShown("options", state) && matches(search, name, group_name)),
  };
};

export const countSoldOut = ({ dishes, options }: MenuToday): number =>
  [...dishes, ...options].filter(({ state }) => isSoldOut(state)).length;
