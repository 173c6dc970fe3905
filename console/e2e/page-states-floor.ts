/** States of the tables, their QR codes and the booking rules. */
import type { Page } from "playwright-core";
import { nina } from "./fixtures-account.ts";
import { bookingDay } from "./fixtures-bookings.ts";
import { bookingRuleSet, floorPlan, possibleTrial, refusedTrial } from "./fixtures-floor.ts";
import type { MockAnswers } from "./mock-server.ts";
import { OWNED, withDefaultAnswers } from "./page-state.ts";

const FLOOR = `${OWNED}/floor`;
const CODES = `${OWNED}/floor/qr-codes`;
const RULES = `${OWNED}/booking-rules`;
const defaultAnswers: MockAnswers = {
  readSession: { data: nina },
  readFloor: { data: floorPlan },
  readBookingRules: { data: bookingRuleSet },
  readBookingDay: { data: bookingDay },
  tryBooking: { data: possibleTrial },
};

const chooseTable = (page: Page): Promise<void> => page.locator(".editor-table").first().click();
const addAndSave = async (page: Page): Promise<void> => {
  await page.locator(".floor-head button").click();
  await page.locator(".save-bar button").last().click();
};
const tryIt = (page: Page): Promise<void> => page.locator(".try-booking button[type=submit]").click();

export const floorPageStates = withDefaultAnswers(defaultAnswers, {
  floor: { path: FLOOR, shows: ".editor-table" },
  "floor-table": { path: FLOOR, shows: ".floor-form input", before: chooseTable },
  "floor-changed": {
    path: FLOOR,
    shows: ".save-bar-note svg",
    before: async (page) => {
      await chooseTable(page);
      await page.keyboard.press("Shift+ArrowRight");
    },
  },
  "floor-empty": {
    path: FLOOR,
    answers: { readFloor: { data: { ...floorPlan, tables: [], combinations: [] } } },
    shows: ".empty button",
  },
  "floor-refused": { path: FLOOR, answers: { readFloor: { refused: "server_error" } }, shows: "[role=alert]" },
  "floor-wrong-table": {
    path: FLOOR,
    answers: {
      saveFloor: {
        refused: "validation_failed",
        details: {
          "tables.6.name": ["Another table has this name."],
          "tables.0.is_active": ["Table T1 has 2 bookings to come."],
        },
      },
    },
    shows: ".floor-form .mantine-InputWrapper-error",
    before: addAndSave,
  },
  "floor-lost-race": {
    path: FLOOR,
    answers: { saveFloor: { refused: "state_changed", details: { floor: floorPlan, changed_by: "سامي", changed_at: null } } },
    shows: "[role=alert] button",
    before: addAndSave,
  },
  "floor-leave": {
    path: FLOOR,
    shows: "[role=dialog] [data-autofocus]",
    before: async (page) => {
      await page.locator(".floor-head button").click();
      await page.locator(".page a").first().click();
    },
  },
  "qr-codes": {
    path: CODES,
    shows: ".qr-sheet .qr",
    before: (page) => page.locator(".qr-pattern input").fill("https://nino.example/menu?table={code}"),
  },
  "qr-codes-no-address": { path: CODES, shows: ".empty" },
  "qr-codes-wrong-address": {
    path: CODES,
    shows: ".mantine-InputWrapper-error",
    before: (page) => page.locator(".qr-pattern input").fill("nino.example"),
  },
  "qr-codes-empty": {
    path: CODES,
    answers: { readFloor: { data: { ...floorPlan, tables: [], combinations: [] } } },
    shows: ".empty",
  },
  "qr-codes-refused": { path: CODES, answers: { readFloor: { refused: "server_error" } }, shows: "[role=alert]" },
  "booking-rules": { path: RULES, shows: ".rule-section" },
  "booking-rules-plain": {
    path: RULES,
    answers: {
      readBookingRules: {
        data: { ...bookingRuleSet, rules: { ...bookingRuleSet.rules, service_periods: null, guarantee: null } },
      },
    },
    shows: ".rule-section",
  },
  "booking-rules-refused": { path: RULES, answers: { readBookingRules: { refused: "server_error" } }, shows: "[role=alert]" },
  "booking-rules-wrong": {
    path: RULES,
    shows: ".mantine-InputWrapper-error",
    before: (page) => page.locator(".rule-period input[placeholder='--:--']").first().fill(""),
  },
  "booking-rules-yes": { path: RULES, shows: ".trial[data-possible=true]", before: tryIt },
  "booking-rules-no": { path: RULES, answers: { tryBooking: { data: refusedTrial } }, shows: ".trial[data-possible=false]", before: tryIt },
});
