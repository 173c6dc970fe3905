/** States of the pages of shifts. */
import type { Page } from "playwright-core";
import { nina } from "./fixtures-account.ts";
import { emptyWeek, ownShifts, shiftWeek } from "./fixtures-shifts.ts";
import type { MockAnswers } from "./mock-server.ts";
import { OWNED, withDefaultAnswers } from "./page-state.ts";

const defaultAnswers: MockAnswers = {
  readSession: { data: nina },
  readShiftWeek: { data: shiftWeek },
  readOwnShifts: { data: ownShifts },
  removeShift: { data: { id: 1025, version: 2 } },
  copyShiftWeek: {
    data: {
      copied: 5,
      skipped: [
        { shift_id: 1025, staff_name: "Nina Ferrari", date: shiftWeek.week_start, from: "17:00", reason: "overlap" },
        { shift_id: 6145, staff_name: "Gone Again", date: shiftWeek.week_start, from: "08:00", reason: "left" },
      ],
    },
  },
};
const asStaff: MockAnswers = {
  readSession: { data: { ...nina, venues: nina.venues.slice(0, 1).map((venue) => ({ ...venue, role: "staff" as const })) } },
};

const SHIFTS = `${OWNED}/shifts`;
const OWN = `${OWNED}/own-shifts`;

/** On a phone only the blocks of one day are visible. */
const openBlock =
  (state: string) =>
  async (page: Page): Promise<void> => {
    await page.locator(".shift-block").first().waitFor({ state: "attached" });
    await page.locator(`.shift-block.is-${state}`).first().dispatchEvent("click");
  };
const openAdd = async (page: Page): Promise<void> => {
  await page.locator(".shift-block").first().waitFor({ state: "attached" });
  await page.locator(".shift-add").first().dispatchEvent("click");
};
const openCopy = (page: Page): Promise<void> => page.locator(".shift-tools button").first().click();

export const shiftPageStates = withDefaultAnswers(defaultAnswers, {
  shifts: { path: SHIFTS, shows: ".shift-grid" },
  "shifts-empty": { path: SHIFTS, answers: { readShiftWeek: { data: emptyWeek } }, shows: ".shift-grid" },
  "shifts-no-people": { path: SHIFTS, answers: { readShiftWeek: { data: { ...emptyWeek, people: [] } } }, shows: ".empty" },
  "shifts-staff": { path: SHIFTS, answers: asStaff, shows: ".empty" },
  "shifts-refused": { path: SHIFTS, answers: { readShiftWeek: { refused: "server_error" } }, shows: "[role=alert]" },
  "shifts-add": { path: SHIFTS, shows: "[role=dialog] .shift-times", before: openAdd },
  "shifts-overlap": {
    path: SHIFTS,
    shows: "[role=dialog] .shift-overlap",
    before: async (page) => {
      await openAdd(page);
      await page.locator("[role=dialog] input[placeholder='--:--']").first().fill("18:00");
      await page.locator("[role=dialog] input[placeholder='--:--']").last().fill("22:00");
    },
  },
  "shifts-change": { path: SHIFTS, shows: "[role=dialog] .shift-times", before: openBlock("changed") },
  "shifts-removed": { path: SHIFTS, shows: "[role=dialog] button", before: openBlock("removed") },
  "shifts-undo": {
    path: SHIFTS,
    shows: ".shift-removed-bar",
    before: async (page) => {
      await openBlock("published")(page);
      await page.locator("[role=dialog] .shift-times").waitFor();
      await page.locator("[role=dialog] button[type=button]").last().click();
    },
  },
  "shifts-mail-limit": {
    path: SHIFTS,
    answers: {
      publishShiftWeek: {
        refused: "rate_limited",
        details: { names: ["Nina Ferrari"], until: new Date(Date.now() + 3_600_000).toISOString() },
      },
    },
    shows: "[role=alert]",
    before: (page) => page.locator(".shift-tools button").last().click(),
  },
  "shifts-copy": { path: SHIFTS, shows: "[role=dialog] select", before: openCopy },
  "shifts-copied": {
    path: SHIFTS,
    shows: "[role=dialog] .shift-skipped",
    before: async (page) => {
      await openCopy(page);
      await page.locator("[role=dialog] select").waitFor();
      await page.locator("[role=dialog] button").last().click();
    },
  },
  "own-shifts": { path: OWN, shows: ".own-shift" },
  "own-shifts-staff": { path: OWN, answers: asStaff, shows: ".own-shift" },
  "own-shifts-none": { path: OWN, answers: { readOwnShifts: { data: { ...ownShifts, shifts: [] } } }, shows: ".empty" },
  "own-shifts-refused": { path: OWN, answers: { readOwnShifts: { refused: "server_error" } }, shows: "[role=alert]" },
});
