/** States of the managers' page of screens, and of the page of a device that pairs. */
import type { Page } from "playwright-core";
import { nina } from "./fixtures-account.ts";
import { PAIRING_CODE, pairedState, pairingState, screens, unpaired } from "./fixtures-screens.ts";
import type { MockAnswers } from "./mock-server.ts";
import { OWNED, type PageState, withDefaultAnswers } from "./page-state.ts";

const SCREENS = `${OWNED}/screens`;
const DEVICE = "/console/screen";
const defaultAnswers: MockAnswers = { readSession: { data: nina }, listScreens: { data: screens } };

const openPairing = async (page: Page): Promise<void> => {
  await page.locator(".screens-pair").click();
  await page.locator("[role=dialog] .station-chips").waitFor();
};

const managerStates = withDefaultAnswers(defaultAnswers, {
  screens: { path: SCREENS, shows: ".screen-item" },
  "screens-empty": { path: SCREENS, answers: { listScreens: { data: { ...screens, screens: [] } } }, shows: ".empty .screen-picture" },
  "screens-refused": { path: SCREENS, answers: { listScreens: { refused: "server_error" } }, shows: "[role=alert]" },
  "screens-pair": { path: SCREENS, shows: "[role=dialog] .station-chips", before: openPairing },
  "screens-wrong-code": {
    path: SCREENS,
    answers: { pairScreen: { refused: "validation_failed", details: { code: ["No screen shows this code."] } } },
    shows: "[role=dialog] .mantine-InputWrapper-error",
    before: async (page) => {
      await openPairing(page);
      await page.locator("[role=dialog] input[name=code]").fill("7k4d 92q7");
      await page.locator("[role=dialog] button[type=submit]").click();
    },
  },
  "screens-change": {
    path: SCREENS,
    shows: "[role=dialog] .station-chips",
    before: (page) => page.locator(".screen-actions button").nth(2).click(),
  },
  "screens-end": {
    path: SCREENS,
    shows: "[role=dialog] [data-autofocus]",
    before: (page) => page.locator(".screen-actions button").nth(1).click(),
  },
});

/** The code of the display is loaded when the device is paired. */
export const waitUntilPaired = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => performance.getEntriesByType("resource").some(({ name }) => name.includes("/kitchen-display-")));

/** The page asks again when it is seen again. */
export const seeAgain = (page: Page): Promise<boolean> => page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));

export const SCREEN_CALL = "**/console/api/screen";

const deviceStates: Record<string, PageState> = {
  "screen-start": { path: DEVICE, answers: { readScreen: { data: unpaired } }, shows: ".screen-button", isOnWall: true },
  "screen-code": { path: DEVICE, answers: { readScreen: { data: pairingState() } }, shows: ".screen-code", isOnWall: true },
  "screen-expired": {
    path: DEVICE,
    answers: { readScreen: { data: pairingState(PAIRING_CODE, -1000) } },
    shows: ".screen-button",
    isOnWall: true,
  },
  "screen-rate-limited": {
    path: DEVICE,
    answers: { readScreen: { data: unpaired }, startPairing: { refused: "rate_limited" } },
    shows: ".screen-error",
    before: (page) => page.locator(".screen-button").click(),
    isOnWall: true,
  },
  "screen-ended": {
    path: DEVICE,
    answers: { readScreen: { data: pairedState } },
    shows: ".screen-button",
    before: async (page) => {
      await waitUntilPaired(page);
      await page.route(SCREEN_CALL, (route) => route.fulfill({ json: { data: unpaired } }));
      await seeAgain(page);
    },
    isOnWall: true,
  },
  "screen-code-offline": {
    path: DEVICE,
    answers: { readScreen: { data: pairingState() } },
    shows: ".screen-error",
    before: async (page) => {
      await page.locator(".screen-code").waitFor();
      await page.route(SCREEN_CALL, (route) => route.abort());
    },
    isOnWall: true,
  },
  "screen-offline": {
    path: DEVICE,
    answers: { readScreen: { refused: "service_unavailable" } },
    shows: ".screen-error",
    before: async (page) => {
      // Another state may have been paired in this browser.
      await page.evaluate(() => localStorage.removeItem("comanda.screen.purpose"));
      await page.reload();
      await page.locator(".screen-error").waitFor();
      await page.route(SCREEN_CALL, (route) => route.abort());
      await page.locator(".screen-button").click();
    },
    isOnWall: true,
  },
};

export const screenPageStates: Record<string, PageState> = {
  ...managerStates,
  ...deviceStates,
};
