/** States of the kitchen display. Its colours and its language are those of the screen, not of the browser. */
import type { Page } from "playwright-core";
import {
  arabicKitchen,
  busyKitchen,
  doneTickets,
  emptyKitchen,
  expoKitchen,
  kitchen,
  kitchenWithoutParts,
  longKitchen,
  otherKitchen,
} from "./fixtures-kitchen.ts";
import { pairedState } from "./fixtures-screens.ts";
import type { MockAnswers } from "./mock-server.ts";
import { withDefaultAnswers } from "./page-state.ts";
import { button } from "./sign-in.ts";

const PATH = "/console/screen";
const defaultAnswers: MockAnswers = {
  readScreen: { data: pairedState },
  readKitchen: { data: kitchen },
  listDoneTickets: { data: doneTickets },
};

/** A phone shows one ticket on a page. */
const firstBump = (page: Page) => page.getByRole("button", { name: /^Bump #/ }).first();

const onTickets =
  (then: (page: Page) => Promise<void>) =>
  async (page: Page): Promise<void> => {
    await page.locator(".kd-ticket").first().waitFor();
    await then(page);
  };

/** The tap waits in the store of all pages of this browser, so this screen is another one. */
const loseConnection = async (page: Page): Promise<void> => {
  await page.route("**/console/api/**", (route) => route.abort());
  await firstBump(page).click();
  await page.getByText("1 tap will be sent").waitFor();
};

/** The choice is kept on the device, where the other states would find it. */
const turnLight = async (page: Page): Promise<void> => {
  await button(page, "Light").click();
  await page.evaluate(() => localStorage.removeItem("comanda.kitchen.look"));
};

const openSheet = (page: Page): Promise<void> => firstBump(page).click({ delay: 900 });

export const kitchenPageStates = withDefaultAnswers(defaultAnswers, {
  kitchen: { path: PATH, shows: ".kd-pages", answers: { readKitchen: { data: busyKitchen } }, isOnWall: true },
  "kitchen-light": { path: PATH, shows: '[data-look="light"]', before: onTickets(turnLight), isOnWall: true },
  "kitchen-arabic": { path: PATH, shows: '[dir="rtl"] .kd-pages', answers: { readKitchen: { data: arabicKitchen } }, isOnWall: true },
  "kitchen-expo": { path: PATH, shows: ".kd-chip-station", answers: { readKitchen: { data: expoKitchen } }, isOnWall: true },
  "kitchen-long": { path: PATH, shows: ".kd-ticket", answers: { readKitchen: { data: longKitchen } }, isOnWall: true },
  "kitchen-empty": { path: PATH, shows: ".kd-wall .kd-empty", answers: { readKitchen: { data: emptyKitchen } }, isOnWall: true },
  "kitchen-missing": { path: PATH, shows: ".kd-bar-lost", answers: { readKitchen: { data: kitchenWithoutParts } }, isOnWall: true },
  "kitchen-missing-arabic": {
    path: PATH,
    shows: '[dir="rtl"] .kd-bar-lost',
    answers: { readKitchen: { data: { ...kitchenWithoutParts, screen: arabicKitchen.screen } } },
    isOnWall: true,
  },
  "kitchen-unread": { path: PATH, shows: "[role=alert]", answers: { readKitchen: { refused: "server_error" } } },
  "kitchen-offline": {
    path: PATH,
    answers: { readKitchen: { data: otherKitchen } },
    shows: ".kd-bar-lost",
    before: onTickets(loseConnection),
    isOnWall: true,
  },
  "kitchen-lit": {
    path: PATH,
    shows: ".kd-ticket[data-lit]",
    isWide: true,
    before: onTickets((page) => page.getByRole("button", { name: "Tagliata of beef", pressed: false }).last().click({ force: true })),
  },
  "kitchen-recall": { path: PATH, shows: ".kd-done", before: onTickets((page) => button(page, "Recall").click()), isOnWall: true },
  "kitchen-keys": {
    path: PATH,
    shows: ".kd-kbd",
    isWide: true,
    before: onTickets((page) => button(page, "Keys").evaluate((element: HTMLElement) => element.click())),
    isOnWall: true,
  },
  "kitchen-sheet": { path: PATH, shows: ".kd-dialog .kd-row", before: onTickets(openSheet), isOnWall: true },
});
