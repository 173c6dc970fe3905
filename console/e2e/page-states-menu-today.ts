/** States of Menu today. */
import { nina } from "./fixtures-account.ts";
import { menuToday } from "./fixtures-menu-today.ts";
import type { MockAnswers } from "./mock-server.ts";
import { OWNED, withDefaultAnswers } from "./page-state.ts";

const defaultAnswers: MockAnswers = { readSession: { data: nina }, readMenuToday: { data: menuToday } };
const MENU_TODAY = `${OWNED}/menu-today`;

export const menuTodayPageStates = withDefaultAnswers(defaultAnswers, {
  "menu-today": {
    path: MENU_TODAY,
    shows: ".today-choices",
    before: (page) => page.locator(".today-switch").first().click(),
  },
  "menu-today-sold-out": {
    path: MENU_TODAY,
    shows: ".today-detail",
    before: async (page) => {
      await page.locator(".today-row").first().waitFor();
      await page.locator(".today-views label").last().click();
    },
  },
  "menu-today-empty": {
    path: MENU_TODAY,
    answers: { readMenuToday: { data: { ...menuToday, categories: [], dishes: [], options: [] } } },
    shows: ".empty",
  },
  "menu-today-refused": { path: MENU_TODAY, answers: { readMenuToday: { refused: "server_error" } }, shows: "[role=alert]" },
});
