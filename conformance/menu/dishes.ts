/** Menu actions for the tests; each takes the venue and expects success. */
import type { Category, Item, Menu, MenuNow, MenuWithItems } from "@comanda/contract/venue/menu.ts";
import type { CheckedAnswer } from "../answer-check.ts";
import { call, type Query } from "../client.ts";
import { expectStatus, uniqueName } from "../expectations.ts";
import type { Venue } from "../target.ts";

export type MenuList = { data: Menu[]; meta: { count: number; currency: string } };
export type CategoryList = { data: Category[]; meta: { count: number } };
export type OpenedMenu = { data: MenuWithItems; meta: { currency: string; now: MenuNow } };
export type OneItem = { data: Item; meta: { currency: string }; links: object };
export type ItemPage = {
  data: Item[];
  meta: { per_page: number; next_cursor: string | null; prev_cursor: string | null; currency: string };
  links: { next: string | null; prev: string | null };
};

export const itemOf = (answer: CheckedAnswer): Item => (answer.body as unknown as OneItem).data;
export const pageOf = (answer: CheckedAnswer): ItemPage => answer.body as unknown as ItemPage;

export const listMenus = async (venue: Venue): Promise<MenuList> => read<MenuList>(venue, "/menus");

export const openMenu = async (venue: Venue, id: number): Promise<OpenedMenu> => read<OpenedMenu>(venue, `/menus/${id}`);

export const listCategories = async (venue: Venue, query: Query | string = ""): Promise<CategoryList> =>
  read<CategoryList>(venue, "/categories", query);

export const listItems = async (venue: Venue, query: Query | string = ""): Promise<ItemPage> => read<ItemPage>(venue, "/items", query);

export const readDish = async (venue: Venue, id: number): Promise<Item> => (await read<OneItem>(venue, `/items/${id}`)).data;

/** Every dish the filter selects, page after page. */
export const allItems = async (venue: Venue, query: Query = {}): Promise<Item[]> => {
  const rows: Item[] = [];
  let cursor: string | null = null;
  do {
    const page: ItemPage = await listItems(venue, { ...query, per_page: 100, ...(cursor ? { cursor } : {}) });
    rows.push(...page.data);
    cursor = page.meta.next_cursor;
  } while (cursor !== null);
  return rows;
};

export const dishesNamed = async (venue: Venue, category_id: number, name: string): Promise<Item[]> =>
  (await allItems(venue, { category_id })).filter((item) => Object.values(item.name).includes(name));

export type NewDish = Readonly<Record<string, unknown>>;

/** A body for POST /items: a plain dish of 1000, unless the parts say otherwise. */
export const dishBody = (category_id: number, parts: NewDish = {}): NewDish => ({
  category_id,
  name: uniqueName("Soup"),
  ...("variants" in parts ? {} : { price_minor: 1000 }),
  ...parts,
});

export const createDish = async (venue: Venue, body: NewDish): Promise<CheckedAnswer> =>
  call(venue.tokens.full, "POST", "/items", { body });

/** Creates the dish of a body; expects success. */
export const addDish = async (venue: Venue, category_id: number, parts: NewDish = {}): Promise<Item> => {
  const answer = await createDish(venue, dishBody(category_id, parts));
  expectStatus(answer, 201);
  return itemOf(answer);
};

export const patchDish = async (venue: Venue, id: number, body: NewDish): Promise<CheckedAnswer> =>
  call(venue.tokens.full, "PATCH", `/items/${id}`, { body });

export const changeDish = async (venue: Venue, id: number, body: NewDish): Promise<Item> => {
  const answer = await patchDish(venue, id, body);
  expectStatus(answer, 200);
  return itemOf(answer);
};

export const putAvailability = async (venue: Venue, id: number, body: unknown): Promise<CheckedAnswer> =>
  call(venue.tokens.full, "PUT", `/items/${id}/availability`, { body });

/** Three sizes for a dish without a price of its own. */
export const threeSizes = (): { name: Record<string, string>; price_minor: number; is_default?: boolean }[] => [
  { name: { en: "Small" }, price_minor: 500 },
  { name: { en: "Medium" }, price_minor: 700 },
  { name: { en: "Large" }, price_minor: 900 },
];

const read = async <T>(venue: Venue, path: string, query: Query | string = ""): Promise<T> => {
  const answer = await call(venue.tokens.full, "GET", path, { query });
  expectStatus(answer, 200);
  return answer.body as unknown as T;
};
