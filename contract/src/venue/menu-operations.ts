/** The eight operations of the menu (contract §4.1). */
import { Type } from "typebox";
import type { Operation } from "../operation.ts";
import { Currency, List, One, Page, Paging, QueryBoolean } from "../shared.ts";
import { Category, Item, ItemAvailability, ItemChanges, Menu, MenuNow, MenuWithItems, NewItem } from "./menu.ts";

const OneItem = One(Item, Type.Object({ currency: Currency }));

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
