/** A valid call for each menu operation. Writes act on a dish of their own. */
import type { menuOperations } from "@comanda/contract/venue/menu-operations.ts";
import type { Example, MakeExample } from "../examples.ts";
import { uniqueName } from "../expectations.ts";
import type { Venue } from "../target.ts";
import { addDish, dishBody, listItems, listMenus, threeSizes } from "./dishes.ts";
import { categoryFor, found } from "./floor.ts";

export const menuExamples: Record<keyof typeof menuOperations, MakeExample> = {
  listMenus: async () => ({}),
  getMenu: async (venue) => {
    const { data } = await listMenus(venue);
    return { params: { menu: found(`a menu of ${venue.slug}`, data, () => true).id } };
  },
  listCategories: async () => ({}),
  listItems: async () => ({}),
  createItem: async (venue) => ({
    body: dishBody(await categoryFor(venue)),
    besideNull: { price_minor: { variants: threeSizes() } },
  }),
  getItem: async (venue) => {
    const { data } = await listItems(venue, { per_page: 1 });
    return { params: { item: found(`a dish of ${venue.slug}`, data, () => true).id } };
  },
  updateItem: async (venue) => ({ ...(await ownDish(venue)), body: { name: uniqueName("Stew") } }),
  setItemAvailability: async (venue) => ({ ...(await ownDish(venue)), body: { is_available: false } }),
};

const ownDish = async (venue: Venue): Promise<Example> => {
  const { id } = await addDish(venue, await categoryFor(venue));
  return { params: { item: id } };
};
