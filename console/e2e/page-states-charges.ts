/** States of ordering, taxes and charges, the till, and import and export. */
import type { Page } from "playwright-core";
import { nina } from "./fixtures-account.ts";
import { fileComparison, sampleReceipt, venueFile, venueSettings, venueTill } from "./fixtures-charges.ts";
import type { MockAnswers } from "./mock-server.ts";
import { MANAGED, OWNED, withDefaultAnswers } from "./page-state.ts";

const ORDERING = `${OWNED}/ordering`;
const CHARGES = `${OWNED}/charges`;
const TILL = `${OWNED}/till`;
const FILE = `${OWNED}/venue-file`;

const defaultAnswers: MockAnswers = {
  readSession: { data: nina },
  readVenueSettings: { data: venueSettings },
  trySampleReceipt: { data: sampleReceipt },
  readTill: { data: venueTill },
  exportVenueFile: { data: { version: "v1", file: venueFile } },
  compareVenueFile: { data: fileComparison },
  importVenueFile: { data: fileComparison },
};

const saveChange = async (page: Page): Promise<void> => {
  await page.locator(".setting-section input[type=checkbox]").first().click();
  await page.locator(".save-bar button").last().click();
};
const chooseFile = (page: Page): Promise<void> =>
  page
    .locator("input[type=file]")
    .setInputFiles({ name: "trattoria-copy.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(venueFile)) });
const applyFile = async (page: Page): Promise<void> => {
  await chooseFile(page);
  await page.locator(".file-comparison").waitFor();
  await page.locator(".setting-section button").last().click();
};
const openDialog = (page: Page, at: number): Promise<void> => page.locator(".till-card button").nth(at).click();

const lostRace = { refused: "state_changed" as const, details: { changed_by: "سامي", changed_at: null } };

export const chargesPageStates = withDefaultAnswers(defaultAnswers, {
  ordering: { path: ORDERING, shows: ".setting-row" },
  "ordering-plain": {
    path: ORDERING,
    answers: {
      readVenueSettings: {
        data: { ...venueSettings, ordering: { version: "o2", value: { ...venueSettings.ordering.value, types: [], delivery_zones: [] } } },
      },
    },
    shows: ".setting-row",
  },
  "ordering-refused": { path: ORDERING, answers: { readVenueSettings: { refused: "server_error" } }, shows: "[role=alert]" },
  "ordering-wrong": {
    path: ORDERING,
    answers: {
      saveOrdering: { refused: "validation_failed", details: { "ordering.delivery_zones.0.fee_minor": ["Must be at least 0."] } },
    },
    shows: ".mantine-InputWrapper-error",
    before: saveChange,
  },
  "ordering-lost-race": { path: ORDERING, answers: { saveOrdering: lostRace }, shows: "[role=alert] button", before: saveChange },
  charges: { path: CHARGES, shows: ".paper" },
  "charges-plain": {
    path: CHARGES,
    answers: {
      readVenueSettings: {
        data: {
          ...venueSettings,
          charges: { version: "c2", value: { taxes: [], service_charge: null, delivery_fee_tax: null, promotions: [] } },
        },
      },
      trySampleReceipt: {
        data: {
          ...sampleReceipt,
          discount_minor: 0,
          service_charge_minor: 0,
          tax_added_minor: 0,
          total_minor: 4000,
          tax_breakdown: [],
        },
      },
    },
    shows: ".paper",
  },
  "charges-refused": { path: CHARGES, answers: { readVenueSettings: { refused: "server_error" } }, shows: "[role=alert]" },
  "charges-no-receipt": {
    path: CHARGES,
    answers: {
      trySampleReceipt: { refused: "validation_failed", details: { "charges.taxes": ["Exactly one tax is the default."] } },
    },
    shows: ".sample-faults",
  },
  "charges-used-tax": {
    path: CHARGES,
    answers: { saveCharges: { refused: "validation_failed", details: { "removed.food": ["12 dishes have the tax IVA."] } } },
    shows: "[role=alert]",
    before: saveChange,
  },
  till: { path: TILL, shows: ".till-push" },
  "till-empty": { path: TILL, answers: { readTill: { data: { till: null, pushes: [] } } }, shows: ".empty button" },
  "till-refused": { path: TILL, answers: { readTill: { refused: "server_error" } }, shows: "[role=alert]" },
  "till-wrong-address": {
    path: TILL,
    answers: { connectTill: { refused: "validation_failed", details: { url: ["The address must start with https://."] } } },
    shows: "[role=dialog] .mantine-InputWrapper-error",
    before: async (page) => {
      await openDialog(page, 0);
      await page.locator("[role=dialog] button[type=submit]").click();
    },
  },
  "till-secret": {
    path: TILL,
    answers: { connectTill: { data: { secret: "whsec_Bx4n0K2m9Qv7Lw5Rz3Tt8Yp1Ua6Sd0Fg2Hj4Kl" } } },
    shows: ".copy-large",
    before: async (page) => {
      await openDialog(page, 0);
      await page.locator("[role=dialog] button[type=submit]").click();
    },
  },
  "till-disconnect": { path: TILL, shows: "[role=dialog] [data-autofocus]", before: (page) => openDialog(page, 2) },
  "venue-file": { path: FILE, shows: ".page button" },
  "venue-file-managers": { path: `${MANAGED}/venue-file`, shows: ".empty" },
  "venue-file-compared": { path: FILE, shows: ".file-area", before: chooseFile },
  "venue-file-same": {
    path: FILE,
    answers: { compareVenueFile: { data: { version: "v1", areas: [], left_out: { staff: 0, guests: 0 } } } },
    shows: ".file-comparison",
    before: chooseFile,
  },
  "venue-file-faults": {
    path: FILE,
    answers: {
      compareVenueFile: {
        refused: "validation_failed",
        details: {
          "restaurant.zone": ["Is not a known time zone."],
          "branches.0.closing_days": ["2026-12-25 occurs twice."],
          "menus.0.categories.0.items.0.tax": ["There is no tax gone."],
        },
      },
    },
    shows: ".file-faults li",
    before: chooseFile,
  },
  "venue-file-stale": { path: FILE, answers: { importVenueFile: lostRace }, shows: "[role=alert] button", before: applyFile },
  "venue-file-done": { path: FILE, shows: ".mantine-Alert-root button", before: applyFile },
});
