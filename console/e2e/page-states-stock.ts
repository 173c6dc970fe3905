/** States of the stock pages, and of the dialog that asks what happens to ingredients. */
import type { Page } from "playwright-core";
import { nina } from "./fixtures-account.ts";
import { board, orderDetails } from "./fixtures-orders.ts";
import { dishRecipe, ingredientDetails, recipeList, stockLedger, stockSheet } from "./fixtures-stock.ts";
import type { MockAnswers } from "./mock-server.ts";
import { OWNED, withDefaultAnswers } from "./page-state.ts";

const defaultAnswers: MockAnswers = {
  readSession: { data: nina },
  readStock: { data: stockSheet },
  readIngredient: { data: ingredientDetails },
  readStockEntries: { data: stockLedger },
  readRecipes: { data: recipeList },
  readRecipe: { data: dishRecipe },
  findBoardOrders: { data: [] },
  readOrderDetails: { data: orderDetails },
};
const asStaff: MockAnswers = {
  readSession: { data: { ...nina, venues: nina.venues.slice(0, 1).map((venue) => ({ ...venue, role: "staff" as const })) } },
};

const STOCK = `${OWNED}/stock`;
const ENTRIES = `${STOCK}/entries/1025`;
const RECIPES = `${STOCK}/recipes`;
const RECIPE = `${RECIPES}/1025`;

const tool = (place: number) => (page: Page) => page.locator(".stock-tools button").nth(place).click();
const inRow = (place: number) => (page: Page) => page.locator(".stock-row").first().locator("button").nth(place).click();
const count =
  (...keys: number[]) =>
  async (page: Page): Promise<void> => {
    await inRow(0)(page);
    for (const key of keys) await page.locator(".stock-key").nth(key).click();
  };

/** In the kitchen, and with recipes. */
const begun = {
  ...board,
  orders: board.orders
    .filter(({ order }) => order.status === "accepted")
    .map((order) => ({ ...order, takes_stock: true, held_until: null })),
};

const openCancel = async (page: Page): Promise<void> => {
  await page.locator(".order-card").first().waitFor({ state: "attached" });
  if (!(await page.locator(".order-card").first().isVisible())) await page.locator(".board-tabs label").nth(1).click();
  await page.locator(".order-more:visible").first().click();
  await page.locator("[role=menuitem]").last().click();
};

export const stockPageStates = withDefaultAnswers(defaultAnswers, {
  stock: { path: STOCK, shows: ".stock-row" },
  "stock-staff": { path: STOCK, answers: asStaff, shows: ".stock-row" },
  "stock-empty": { path: STOCK, answers: { readStock: { data: { ...stockSheet, ingredients: [] } } }, shows: ".empty" },
  "stock-refused": { path: STOCK, answers: { readStock: { refused: "server_error" } }, shows: "[role=alert]" },
  "stock-none": { path: STOCK, shows: ".page > [role=status]", before: (page) => page.locator(".stock-filters input").fill("xyz") },
  "stock-count": { path: STOCK, shows: "[role=dialog] .stock-keys", before: count() },
  "stock-count-typed": { path: STOCK, shows: "[role=dialog] .stock-variance bdi", before: count(3, 9, 1) },
  "stock-delivery": { path: STOCK, shows: "[role=dialog] .stock-move", before: tool(0) },
  "stock-waste": { path: STOCK, shows: "[role=dialog] .stock-move", before: tool(1) },
  "stock-add": { path: STOCK, shows: "[role=dialog] form", before: tool(2) },
  "stock-change": { path: STOCK, shows: "[role=dialog] form", before: inRow(1) },
  "stock-change-refused": {
    path: STOCK,
    answers: { readIngredient: { refused: "server_error" } },
    shows: "[role=dialog] [role=alert]",
    before: inRow(1),
  },
  "stock-entries": { path: ENTRIES, shows: ".stock-table tbody tr" },
  "stock-entries-none": {
    path: ENTRIES,
    answers: { readStockEntries: { data: { ...stockLedger, entries: [], is_cut: false } } },
    shows: ".stock-sheet",
  },
  "stock-entries-gone": { path: ENTRIES, answers: { readStockEntries: { refused: "not_found" } }, shows: "[role=alert]" },
  recipes: { path: RECIPES, shows: ".stock-dish" },
  "recipes-none": { path: RECIPES, answers: { readRecipes: { data: { ...recipeList, dishes: [] } } }, shows: ".page > [role=status]" },
  "recipes-refused": { path: RECIPES, answers: { readRecipes: { refused: "server_error" } }, shows: "[role=alert]" },
  recipe: { path: RECIPE, shows: ".stock-line" },
  "recipe-no-ingredients": {
    path: RECIPE,
    answers: { readRecipe: { data: { ...dishRecipe, ingredients: [] } } },
    shows: ".page > [role=status]",
  },
  "recipe-gone": { path: RECIPE, answers: { readRecipe: { refused: "not_found" } }, shows: "[role=alert]" },
  "orders-cancel-stock": {
    path: `${OWNED}/orders`,
    answers: { readBoard: { data: begun } },
    shows: "[role=dialog] .stock-choice",
    before: openCancel,
  },
});
