/** Finds the venues' resources through the API: ids differ between servers, the layout of the lab does not. */
import type { Item } from "@comanda/contract/venue/menu.ts";
import { lab, type Venue } from "../target.ts";
import { listCategories, listMenus, type OpenedMenu, openMenu } from "./dishes.ts";

type LabCategory = OpenedMenu["data"]["categories"][number];

export type LabFloor = {
  readonly menus: readonly OpenedMenu[];
  /** Active and open now. */
  readonly open: OpenedMenu;
  /** Active, but never inside its hours. */
  readonly shut: OpenedMenu;
  /** No longer active. */
  readonly retired: OpenedMenu;
  /** Tests put the dishes that they need into this category. */
  readonly home: LabCategory;
  /** Closed by its own hours; for dishes that a test must find again, since it stays small. */
  readonly other: LabCategory;
  /** This category is not active; only the paging tests add to it, so that its list does not change while they read. */
  readonly quiet: LabCategory;
  readonly plainDish: Item;
  readonly sizedDish: Item;
  /** A dish with two modifier groups. */
  readonly groupedDish: Item;
};

export const labFloor = (): Promise<LabFloor> => {
  labSurvey ??= surveyLab();
  return labSurvey;
};

let labSurvey: Promise<LabFloor> | undefined;

const surveyLab = async (): Promise<LabFloor> => {
  const menus = await openedMenus(lab);
  const open = found(
    "an open menu with three categories",
    menus,
    ({ data, meta }) => data.is_active && meta.now.available && data.categories.length >= 3,
  );
  const closed = open.meta.now.closed_category_ids;
  const dishes = menus.flatMap(({ data }) => data.categories).flatMap(({ items }) => items);
  return {
    menus,
    open,
    shut: found("an active menu outside its hours", menus, ({ data, meta }) => data.is_active && !meta.now.available),
    retired: found("a menu that is not active", menus, ({ data }) => !data.is_active),
    home: found("an open category", open.data.categories, ({ id, is_active }) => is_active && !closed.includes(id)),
    other: found("a category closed by its hours", open.data.categories, ({ id }) => closed.includes(id)),
    quiet: found("an inactive category", open.data.categories, ({ id, is_active }) => !is_active && !closed.includes(id)),
    plainDish: found("a dish with one price", dishes, ({ price_minor }) => price_minor === 1000),
    sizedDish: found("a dish with three sizes", dishes, ({ variants }) => variants.length === 3),
    groupedDish: found("a dish with two modifier groups", dishes, (dish) => dish.modifier_groups.length >= 2),
  };
};

export const openedMenus = async (venue: Venue): Promise<OpenedMenu[]> => {
  const { data } = await listMenus(venue);
  return Promise.all(data.map(({ id }) => openMenu(venue, id)));
};

/** The category for new dishes: in the lab the reserved one, elsewhere the first. */
export const categoryFor = async (venue: Venue): Promise<number> => {
  if (venue === lab) return (await labFloor()).home.id;
  return found(`a category of ${venue.slug}`, (await listCategories(venue)).data, () => true).id;
};

/** Fails with a message if the target's venues lack what the kit needs. */
export const found = <T>(what: string, rows: readonly T[], fits: (row: T) => boolean): T => {
  const row = rows.find(fits);
  if (row === undefined) throw new Error(`Not found on the target: ${what}.`);
  return row;
};
