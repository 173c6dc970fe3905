/** States of the consent screen, the apps of a venue and of a developer. */
import type { Page } from "playwright-core";
import { nina, tokens } from "./fixtures-account.ts";
import {
  catalogue,
  consent,
  consentKnown,
  consentManager,
  consentNowhere,
  consentSandbox,
  consentSeveral,
  consentWider,
  installed,
  newSecret,
  ownApps,
} from "./fixtures-apps.ts";
import type { MockAnswers } from "./mock-server.ts";
import { MANAGED, OWNED, withDefaultAnswers } from "./page-state.ts";

const CONSENT = "/console/consent/a-request";
const VENUE_APPS = `${OWNED}/apps`;

const defaultAnswers: MockAnswers = {
  readSession: { data: nina },
  listTokens: { data: tokens },
  readConsent: { data: consent },
  listInstalledApps: { data: installed },
  listCatalogue: { data: catalogue },
  listOwnApps: { data: ownApps },
  registerApp: { data: newSecret },
};

const choose = async (page: Page, item: number): Promise<void> => {
  await page.locator(".my-app-more").first().click();
  await page.locator("[role=menuitem]").nth(item).click();
};
const fillForm = async (page: Page): Promise<void> => {
  await page.locator(".empty button").click();
  const inputs = page.locator("[role=dialog] input");
  await inputs.nth(0).fill("Table Talk");
  await inputs.nth(1).fill("Talk Ltd");
  await inputs.nth(2).fill("Answers the telephone.");
  await inputs.nth(3).fill("https://tabletalk.example");
  await page.locator("[role=dialog] .redirect-line input").fill("https://tabletalk.example/back");
  await page.locator("[role=dialog] .matrix input").first().check();
};

export const appPageStates = withDefaultAnswers(defaultAnswers, {
  consent: { path: CONSENT, shows: ".consent-scope" },
  "consent-several": { path: CONSENT, answers: { readConsent: { data: consentSeveral } }, shows: ".consent-venue" },
  "consent-wider": { path: CONSENT, answers: { readConsent: { data: consentWider } }, shows: ".consent-scope" },
  "consent-wider-open": {
    path: CONSENT,
    answers: { readConsent: { data: consentWider } },
    shows: ".more .consent-scope",
    before: (page) => page.locator(".more summary").click(),
  },
  "consent-known": { path: CONSENT, answers: { readConsent: { data: consentKnown } }, shows: ".more summary" },
  "consent-nothing": {
    path: CONSENT,
    answers: { readConsent: { data: consentWider } },
    shows: "main button:disabled",
    before: async (page) => {
      await page.locator(".more summary").first().click();
      for (const box of await page.locator(".consent-scope input").all()) await box.uncheck();
    },
  },
  "consent-sandbox": {
    path: CONSENT,
    answers: { readConsent: { data: consentSandbox } },
    shows: ".consent-venue:has(:checked) .mantine-Badge-root",
    before: (page) => page.locator(".consent-venue input").nth(1).check(),
  },
  "consent-manager": { path: CONSENT, answers: { readConsent: { data: consentManager } }, shows: ".consent-venue" },
  "consent-nowhere": { path: CONSENT, answers: { readConsent: { data: consentNowhere } }, shows: ".consent-plain" },
  "consent-gone": {
    path: CONSENT,
    answers: { readConsent: { refused: "validation_failed", details: { request: ["Gone."] } } },
    shows: "h1",
  },
  "consent-refused": { path: CONSENT, answers: { readConsent: { refused: "server_error" } }, shows: "[role=alert]" },
  "consent-not-allowed": {
    path: CONSENT,
    answers: { allowConsent: { refused: "role_required" } },
    shows: "[role=alert]",
    before: async (page) => {
      await page.locator(".consent-scope").first().waitFor();
      await page.locator("main button:not(.consent-account button)").first().click();
    },
  },
  apps: { path: VENUE_APPS, shows: ".app-item" },
  "apps-manager": { path: `${MANAGED}/apps`, shows: ".app-item" },
  "apps-empty": { path: VENUE_APPS, answers: { listInstalledApps: { data: [] }, listCatalogue: { data: [] } }, shows: ".empty" },
  "apps-refused": { path: VENUE_APPS, answers: { listInstalledApps: { refused: "server_error" } }, shows: "[role=alert]" },
  "apps-could": { path: VENUE_APPS, shows: ".app-card .plain-list", before: (page) => page.locator(".app-card summary").first().click() },
  "app-uninstall": {
    path: VENUE_APPS,
    shows: "[role=dialog] .inset",
    before: (page) => page.locator(".app-actions button").first().click(),
  },
  "my-apps": { path: "/console/apps", shows: ".my-app" },
  "my-apps-empty": { path: "/console/apps", answers: { listOwnApps: { data: [] } }, shows: ".empty" },
  "my-app-register": {
    path: "/console/apps",
    answers: { listOwnApps: { data: [] } },
    shows: "[role=dialog] [role=alert]",
    before: async (page) => {
      await page.locator(".empty button").click();
      await page.locator("[role=dialog] button[type=submit]").click();
    },
  },
  "my-app-refused": {
    path: "/console/apps",
    answers: {
      listOwnApps: { data: [] },
      registerApp: { refused: "validation_failed", details: { "redirect_uris.0": ["Must not have a part behind #."] } },
    },
    shows: ".redirect-line .mantine-TextInput-error",
    before: async (page) => {
      await fillForm(page);
      await page.locator("[role=dialog] button[type=submit]").click();
    },
  },
  "my-app-edit": { path: "/console/apps", shows: "[role=dialog] .redirect-line", before: (page) => choose(page, 0) },
  "my-app-secret": {
    path: "/console/apps",
    answers: { listOwnApps: { data: [] } },
    shows: "[role=dialog] .copy-large",
    before: async (page) => {
      await fillForm(page);
      await page.locator("[role=dialog] button[type=submit]").click();
    },
  },
  "my-app-roll": {
    path: "/console/apps",
    answers: {
      rollAppSecret: { refused: "validation_failed", details: { overlap: ["3 secrets are valid already. End the old ones now."] } },
    },
    shows: "[role=dialog] .mantine-RadioGroup-error",
    before: async (page) => {
      await choose(page, 1);
      await page.locator("[role=dialog] button").last().press("Enter");
    },
  },
  "my-app-withdraw": { path: "/console/apps", shows: "[role=dialog] form", before: (page) => choose(page, 2) },
});
