/** The menu area: its resources (contract §2.2–2.4, §2.11) and its eight operations (§4.1). */
import { type Static, Type } from "typebox";
import type { Operation } from "./operation.ts";
import {
  Currency,
  DateTime,
  Id,
  List,
  Literals,
  Minor,
  Nullable,
  One,
  Page,
  Paging,
  QueryBoolean,
  Shape,
  TextInput,
  Translations,
  TranslationsInput,
} from "./shared.ts";

export const NAME_LENGTH_MAX = 255;
export const DESCRIPTION_LENGTH_MAX = 5000;

export const Dietary = Literals(["none", "veg", "non_veg", "egg", "vegan"]);
export type Dietary = Static<typeof Dietary>;

export const ALLERGENS = [
  "gluten",
  "crustaceans",
  "eggs",
  "fish",
  "peanuts",
  "soybeans",
  "milk",
  "nuts",
  "celery",
  "mustard",
  "sesame",
  "sulphites",
  "lupin",
  "molluscs",
] as const;
export const Allergen = Literals(ALLERGENS);
export type Allergen = Static<typeof Allergen>;

export const Variant = Shape("Variant", {
  id: Id,
  name: Translations,
  price_minor: Minor,
  is_default: Type.Boolean(),
});

export const ModifierOption = Shape("ModifierOption", {
  id: Id,
  name: Translations,
  price_minor: Minor,
  is_available: Type.Boolean(),
});

export const ModifierGroup = Shape("ModifierGroup", {
  id: Id,
  name: Translations,
  min_select: Type.Integer({ minimum: 0 }),
  max_select: Nullable(Type.Integer({ minimum: 0 })),
  options: Type.Array(ModifierOption),
});

export const Item = Shape(
  "Item",
  {
    id: Id,
    category_id: Id,
    name: Translations,
    description: Nullable(Translations),
    price_minor: Nullable(Minor),
    is_available: Type.Boolean({ description: "False means sold out." }),
    show_online: Type.Boolean(),
    dietary: Dietary,
    allergens: Nullable(Type.Array(Allergen)),
    sort_order: Type.Integer(),
    variants: Type.Array(Variant),
    modifier_groups: Type.Array(ModifierGroup),
    updated_at: Nullable(DateTime),
  },
  { description: "A dish. Priced by `price_minor`, or per size by `variants`: then `price_minor` is null." },
);
export type Item = Static<typeof Item>;

const category = {
  id: Id,
  menu_id: Id,
  name: Translations,
  is_active: Type.Boolean(),
  sort_order: Type.Integer(),
};
export const Category = Shape("Category", category);
export type Category = Static<typeof Category>;
export const CategoryWithItems = Shape("CategoryWithItems", { ...category, items: Type.Array(Item) });

const menu = { id: Id, name: Translations, is_active: Type.Boolean(), sort_order: Type.Integer() };
export const Menu = Shape("Menu", { ...menu, categories: Type.Array(Category) });
export type Menu = Static<typeof Menu>;
export const MenuWithItems = Shape("MenuWithItems", { ...menu, categories: Type.Array(CategoryWithItems) });
export type MenuWithItems = Static<typeof MenuWithItems>;

export const MenuNow = Shape(
  "MenuNow",
  {
    available: Type.Boolean({ description: "Whether the menu is active and inside its hours." }),
    closed_category_ids: Type.Array(Id),
    prices: Type.Array(Type.Object({ item_id: Id, variant_id: Nullable(Id), price_minor: Minor }), {
      description: "Each dish or size that a happy hour has cut, at the price charged now.",
    }),
  },
  { description: "What the time of day makes of the menu, on the default branch's clock." },
);
export type MenuNow = Static<typeof MenuNow>;

const OneItem = One(Item, Type.Object({ currency: Currency }));

export const NewItem = Shape("NewItem", {
  category_id: Id,
  name: TextInput({ lengthMax: NAME_LENGTH_MAX, required: true }),
  description: Type.Optional(Nullable(TextInput({ lengthMax: DESCRIPTION_LENGTH_MAX, required: false }))),
  price_minor: Type.Optional(Nullable(Minor)),
  variants: Type.Optional(
    Type.Array(
      Type.Object({
        name: TranslationsInput({ lengthMax: NAME_LENGTH_MAX }),
        price_minor: Minor,
        is_default: Type.Optional(Type.Boolean()),
      }),
      { maxItems: 20 },
    ),
  ),
  dietary: Type.Optional(Dietary),
  allergens: Type.Optional(Nullable(Type.Array(Allergen, { maxItems: 1000 }))),
  is_available: Type.Optional(Type.Boolean()),
  show_online: Type.Optional(Type.Boolean()),
  modifier_group_ids: Type.Optional(Type.Array(Id, { maxItems: 1000 })),
});
export type NewItem = Static<typeof NewItem>;

export const ItemChanges = Shape("ItemChanges", {
  category_id: Type.Optional(Id),
  name: Type.Optional(TextInput({ lengthMax: NAME_LENGTH_MAX, required: true })),
  description: Type.Optional(Nullable(TextInput({ lengthMax: DESCRIPTION_LENGTH_MAX, required: false }))),
  price_minor: Type.Optional(Minor),
  dietary: Type.Optional(Dietary),
  allergens: Type.Optional(Nullable(Type.Array(Allergen, { maxItems: 1000 }))),
  is_available: Type.Optional(Type.Boolean()),
  show_online: Type.Optional(Type.Boolean()),
});
export type ItemChanges = Static<typeof ItemChanges>;

export const ItemAvailability = Shape("ItemAvailability", { is_available: Type.Boolean() });

export const menuOperations = {
  listMenus: {
    method: "GET",
    path: "/menus",
    scope: "menu:read",
    tag: "Menu",
    summary: "List menus",
    description: "All menus with their categories, in the owner's order.",
    success: { status: 200, body: List(Menu, { currency: Currency }) },
    extraStatuses: [],
  },
  getMenu: {
    method: "GET",
    path: "/menus/{menu}",
    scope: "menu:read",
    tag: "Menu",
    summary: "Read a menu",
    description: "One menu with its categories and dishes, and what the time of day makes of it.",
    success: { status: 200, body: One(MenuWithItems, Type.Object({ currency: Currency, now: MenuNow })) },
    extraStatuses: [404],
  },
  listCategories: {
    method: "GET",
    path: "/categories",
    scope: "menu:read",
    tag: "Menu",
    summary: "List categories",
    description: "All categories, or those of one menu.",
    // §4.1 lists no 422 here: a filter that cannot be read selects nothing (open point D10).
    query: Type.Object({
      menu_id: Type.Optional(Type.Integer({ minimum: 0, "x-unreadable-as": 0, description: "Only this menu's categories." })),
    }),
    success: { status: 200, body: List(Category) },
    extraStatuses: [],
  },
  listItems: {
    method: "GET",
    path: "/items",
    scope: "menu:read",
    tag: "Menu",
    summary: "List dishes",
    description: "Dishes in the order of their ids, page by page.",
    query: Type.Object({
      category_id: Type.Optional(Type.Integer({ minimum: 0, description: "Only this category's dishes." })),
      available: QueryBoolean("Only dishes that are on, or only those sold out."),
      ...Paging,
    }),
    success: { status: 200, body: Page(Item, { currency: Currency }) },
    extraStatuses: [422],
  },
  createItem: {
    method: "POST",
    path: "/items",
    scope: "menu:write",
    tag: "Menu",
    summary: "Add a dish",
    description: "The new dish comes last in its category. Give it a price, or sizes with prices.",
    body: NewItem,
    success: { status: 201, body: OneItem },
    extraStatuses: [422],
  },
  getItem: {
    method: "GET",
    path: "/items/{item}",
    scope: "menu:read",
    tag: "Menu",
    summary: "Read a dish",
    description: "One dish with its sizes and modifier groups.",
    success: { status: 200, body: OneItem },
    extraStatuses: [404],
  },
  updateItem: {
    method: "PATCH",
    path: "/items/{item}",
    scope: "menu:write",
    tag: "Menu",
    summary: "Change a dish",
    description: "Only the fields sent change; sizes and modifier groups stay. A dish priced per size refuses a price.",
    body: ItemChanges,
    success: { status: 200, body: OneItem },
    extraStatuses: [404, 422],
  },
  setItemAvailability: {
    method: "PUT",
    path: "/items/{item}/availability",
    scope: "menu:write",
    tag: "Menu",
    summary: "Sell out a dish",
    description: "Marks a dish sold out, or back on. Recorded like a flip on the till.",
    body: ItemAvailability,
    success: { status: 200, body: OneItem },
    extraStatuses: [404, 422],
  },
} as const satisfies Record<string, Operation>;
