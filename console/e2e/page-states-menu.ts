/** States of the menu that managers change. */
import type { Page } from "playwright-core";
import { nina } from "./fixtures-account.ts";
import { menuChanges, menuPlan, menuPreview, plannedPrices } from "./fixtures-menu.ts";
import type { MockAnswers } from "./mock-server.ts";
import { OWNED, withDefaultAnswers } from "./page-state.ts";

const MENU = `${OWNED}/menu`;
const defaultAnswers: MockAnswers = {
  readSession: { data: nina },
  readMenuPlan: { data: menuPlan },
  saveMenu: { data: { changed: 1 } },
  previewMenu: { data: menuPreview },
  listScheduledPrices: { data: plannedPrices },
  cancelScheduledPrices: { data: { cancelled: 1 } },
  listMenuChanges: { data: menuChanges, next: null },
  putBackMenu: { data: { changed: 1 } },
};

/** A colleague removes the first dish while it is changed: from now on the menu is read without it. */
const removeFirst = (page: Page): Promise<unknown> =>
  page.route("**/menu-plan", (route) =>
    route.request().method() === "GET"
      ? route.fulfill({ json: { data: { ...menuPlan, items: menuPlan.items.slice(1) } } })
      : route.continue(),
  );
const openTool = (place: number) => async (page: Page) => {
  await page.locator(".menu-toolbar button").nth(place).click();
};

const place = (page: Page, value: string): Promise<unknown> =>
  page.locator(".menu-tree-select select").selectOption(value, { force: true });
const changePrice = async (page: Page): Promise<void> => {
  await page.locator(".menu-price-input").first().fill("13.90");
  await page.locator(".save-bar").waitFor();
};
const save = (page: Page): Promise<void> => page.locator(".save-bar button").last().click();
const openRow = (value: string) => async (page: Page) => {
  await page.locator(".menu-line").first().waitFor();
  await place(page, value);
  await page.locator(".menu-line-name").first().click();
};
const openPlace = (value: string) => async (page: Page) => {
  await page.locator(".menu-line").first().waitFor();
  await place(page, value);
  await page.locator(".menu-place .menu-button").first().click();
};

export const menuPageStates = withDefaultAnswers(defaultAnswers, {
  menu: { path: MENU, shows: ".menu-line" },
  "menu-category": {
    path: MENU,
    shows: ".menu-moves",
    before: async (page) => {
      await page.locator(".menu-line").first().waitFor();
      await place(page, "category pizza");
    },
  },
  "menu-changed": {
    path: MENU,
    shows: ".menu-line[data-state=removed]",
    before: async (page) => {
      await changePrice(page);
      await page.locator(".menu-online").nth(1).click();
      await page.locator(".menu-line-name").nth(2).click();
      await page.locator(".menu-form .bad").click();
    },
  },
  "menu-wrong-price": { path: MENU, shows: ".menu-fault", before: (page) => page.locator(".menu-price-input").first().fill("12.x") },
  "menu-saved": {
    path: MENU,
    shows: ".save-bar .save-bar-note svg",
    before: async (page) => {
      await changePrice(page);
      await save(page);
    },
  },
  "menu-faults": {
    path: MENU,
    answers: {
      saveMenu: {
        refused: "validation_failed",
        details: { "prices.0.variant": ["This dish is priced per size."], items: ["There can be at most 5000."] },
      },
    },
    shows: ".menu-line .menu-fault",
    before: async (page) => {
      await changePrice(page);
      await save(page);
    },
  },
  "menu-lost-race": {
    path: MENU,
    answers: {
      saveMenu: {
        refused: "state_changed",
        details: { subjects: [{ list: "items", key: "dish-1" }], changed_by: "سامي", changed_at: null },
      },
    },
    shows: "[role=alert]",
    before: async (page) => {
      await changePrice(page);
      await save(page);
    },
  },
  "menu-empty": {
    path: MENU,
    answers: { readMenuPlan: { data: { ...menuPlan, menus: [], categories: [], items: [], modifier_groups: [], happy_hours: [] } } },
    shows: ".empty",
  },
  "menu-refused": { path: MENU, answers: { readMenuPlan: { refused: "server_error" } }, shows: "[role=alert]" },
  "menu-none-found": {
    path: MENU,
    shows: ".menu-main [role=status]",
    before: (page) => page.locator(".menu-tools input").fill("zzz"),
  },
  "menu-groups": {
    path: MENU,
    shows: ".menu-detail",
    before: async (page) => {
      await page.locator(".menu-line").first().waitFor();
      await place(page, "groups");
    },
  },
  "menu-dish": { path: MENU, shows: ".menu-form input", before: openRow("all") },
  "menu-dish-sizes": { path: MENU, shows: ".menu-part input", before: openRow("category wine") },
  "menu-new-dish": {
    path: MENU,
    shows: ".menu-form .mantine-InputWrapper-error",
    before: (page) => page.locator(".menu-actions button").first().click(),
  },
  "menu-menu-form": { path: MENU, shows: ".menu-form .rule-period", before: openPlace("menu bar") },
  "menu-category-form": { path: MENU, shows: ".menu-form input", before: openPlace("category pasta") },
  "menu-group-form": { path: MENU, shows: ".menu-part input", before: openRow("groups") },
  "menu-happy-hour": { path: MENU, shows: ".menu-form .menu-chips", before: openRow("hours") },
  "menu-price-tool": {
    path: MENU,
    shows: ".menu-table",
    before: async (page) => {
      await page.locator(".menu-check-all input").check();
      await page.locator(".menu-chosen button").first().click();
      await page.locator(".menu-form input[inputmode]").fill("5");
    },
  },
  "menu-paste": {
    path: MENU,
    shows: ".menu-table .menu-fault",
    before: async (page) => {
      await page.locator(".menu-actions button").last().click();
      await page.locator(".menu-form textarea").first().fill("Calzone\t13.50\tPizza\nMarinara\tx\tPizza\n\t5\tNowhere");
    },
  },
  "menu-lack": { path: MENU, shows: "[aria-pressed=true]", before: (page) => page.locator(".menu-lacks button").first().click() },
  "menu-gone": {
    path: MENU,
    answers: {
      saveMenu: {
        refused: "state_changed",
        details: { subjects: [{ list: "items", key: "dish-1" }], changed_by: "Mia", changed_at: null },
      },
    },
    shows: ".menu-line .menu-part-buttons",
    before: async (page) => {
      await changePrice(page);
      await removeFirst(page);
      await save(page);
    },
  },
  "menu-column": {
    path: MENU,
    shows: ".menu-pasted .menu-fault",
    before: (page) =>
      page
        .locator(".menu-price-input")
        .first()
        .evaluate((field) => {
          const clipboardData = new DataTransfer();
          clipboardData.setData("text", "13.50\nabc\n9\n9\n9\n9\n9\n9");
          field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
        }),
  },
  "menu-preview": { path: MENU, shows: ".menu-previewed", before: openTool(0) },
  "menu-preview-refused": {
    path: MENU,
    answers: { previewMenu: { refused: "server_error" } },
    shows: ".menu-form [role=alert]",
    before: openTool(0),
  },
  "menu-planned": { path: MENU, shows: ".menu-planned", before: openTool(1) },
  "menu-planned-taken": {
    path: MENU,
    shows: ".menu-form .menu-note",
    before: async (page) => {
      await openTool(1)(page);
      await page.locator(".menu-planned .menu-button").first().click();
    },
  },
  "menu-planned-empty": { path: MENU, answers: { listScheduledPrices: { data: [] } }, shows: ".menu-form .empty", before: openTool(1) },
  "menu-planned-refused": {
    path: MENU,
    answers: { listScheduledPrices: { refused: "server_error" } },
    shows: ".menu-form [role=alert]",
    before: openTool(1),
  },
  "menu-plan-prices": {
    path: MENU,
    answers: {
      listScheduledPrices: { data: [] },
      schedulePrices: { refused: "validation_failed", details: { time: ["Must be a moment to come."] } },
    },
    shows: ".menu-form .mantine-InputWrapper-error",
    before: async (page) => {
      await page.locator(".menu-check-all input").check();
      await page.locator(".menu-chosen button").nth(1).click();
      await page.locator(".menu-form .menu-price-input").first().fill("14.50");
      await page.locator(".menu-form > .mantine-Button-root").first().click();
    },
  },
  "menu-history": { path: MENU, shows: ".menu-history", before: openTool(2) },
  "menu-history-lost": {
    path: MENU,
    answers: { putBackMenu: { refused: "state_changed", details: { subjects: [], changed_by: "سامي", changed_at: null } } },
    shows: ".menu-form [role=alert]",
    before: async (page) => {
      await openTool(2)(page);
      await page.locator(".menu-history .menu-button").first().click();
    },
  },
  "menu-history-empty": {
    path: MENU,
    answers: { listMenuChanges: { data: [], next: null } },
    shows: ".menu-form .empty",
    before: openTool(2),
  },
  "menu-history-refused": {
    path: MENU,
    answers: { listMenuChanges: { refused: "server_error" } },
    shows: ".menu-form [role=alert]",
    before: openTool(2),
  },
});
