/** States of the opening hours, and of the restaurant and its branches. */
import type { Page } from "playwright-core";
import { nina } from "./fixtures-account.ts";
import { alwaysClosed, closedTomorrow, harbour, venueSettings, withBranches } from "./fixtures-hours.ts";
import type { MockAnswers } from "./mock-server.ts";
import { MANAGED, OWNED, withDefaultAnswers } from "./page-state.ts";

const HOURS = `${OWNED}/hours`;
const RESTAURANT = `${OWNED}/restaurant`;
const defaultAnswers: MockAnswers = { readSession: { data: nina }, readVenueSettings: { data: venueSettings } };
const onlyAlwaysOpen = withBranches([{ ...harbour, is_default: true }]);

const removePeriod = (page: Page): Promise<void> => page.locator(".hours-period button").first().click();
const saveHours = async (page: Page): Promise<void> => {
  await removePeriod(page);
  await page.locator(".save-bar button").last().click();
};
const nameRestaurant = (page: Page): Promise<void> => page.locator(".place-fields input").first().fill("Da Nino");
const removeHarbour = (page: Page): Promise<void> => page.locator(".branch-card").last().locator("button:has(path)").last().click();

export const hoursPageStates = withDefaultAnswers(defaultAnswers, {
  hours: { path: HOURS, shows: ".hours-day" },
  "hours-changed": { path: HOURS, shows: ".save-bar-note svg", before: removePeriod },
  "hours-always": { path: HOURS, answers: { readVenueSettings: { data: onlyAlwaysOpen } }, shows: ".closing-days" },
  "hours-never": {
    path: HOURS,
    answers: { readVenueSettings: { data: withBranches([alwaysClosed]) } },
    shows: ".hours-section [role=status]",
  },
  "hours-refused": { path: HOURS, answers: { readVenueSettings: { refused: "server_error" } }, shows: "[role=alert]" },
  "hours-copy": {
    path: HOURS,
    shows: "[role=dialog] .hours-chips",
    before: (page) => page.locator(".hours-day-actions button").nth(1).click(),
  },
  "hours-typing": {
    path: HOURS,
    shows: ".mantine-InputWrapper-error",
    before: (page) => page.locator(".hours-period input").first().fill(""),
  },
  "hours-lost-race": {
    path: HOURS,
    answers: {
      saveBranches: {
        refused: "state_changed",
        details: { branches: withBranches([alwaysClosed, harbour]).branches, changed_by: "سامي", changed_at: null },
      },
    },
    shows: "[role=alert] button",
    before: saveHours,
  },
  "hours-closed-tomorrow": {
    path: HOURS,
    answers: { closeBranchOn: { data: closedTomorrow(3) } },
    shows: ".closing-days .mantine-Alert-root button",
    before: (page) => page.locator(".closing-quick button").last().click(),
  },
  restaurant: { path: RESTAURANT, shows: ".branch-card" },
  "restaurant-as-manager": { path: `${MANAGED}/restaurant`, shows: ".place-section [role=note]" },
  "restaurant-refused": { path: RESTAURANT, answers: { readVenueSettings: { refused: "server_error" } }, shows: "[role=alert]" },
  "restaurant-new-branch": {
    path: RESTAURANT,
    shows: ".branch-card:nth-of-type(3) .mantine-InputWrapper-error",
    before: (page) => page.locator(".place-section > button").last().click(),
  },
  "restaurant-removed-branch": {
    path: RESTAURANT,
    answers: {
      saveBranches: { refused: "validation_failed", details: { "removed.harbour": ["The branch has 4 bookings to come."] } },
    },
    shows: ".branch-removed [role=alert]",
    before: async (page) => {
      await removeHarbour(page);
      await page.locator(".save-bar button").last().click();
    },
  },
  "restaurant-wrong": {
    path: RESTAURANT,
    answers: {
      saveRestaurant: { refused: "validation_failed", details: { "restaurant.email": ["Must be a valid e-mail address."] } },
    },
    shows: ".mantine-InputWrapper-error",
    before: async (page) => {
      await nameRestaurant(page);
      await page.locator(".save-bar button").last().click();
    },
  },
  "restaurant-lost-race": {
    path: RESTAURANT,
    answers: {
      saveRestaurant: {
        refused: "state_changed",
        details: { restaurant: venueSettings.restaurant, changed_by: "Sami", changed_at: null },
      },
    },
    shows: "[role=alert] button",
    before: async (page) => {
      await nameRestaurant(page);
      await page.locator(".save-bar button").last().click();
    },
  },
});
