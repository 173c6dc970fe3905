/** States of webhooks, deliveries, the signature checker and the logs. */
import type { Page } from "playwright-core";
import { nina, tokens } from "./fixtures-account.ts";
import { activity, deliveries, detail, doneDetail, requests, webhooks } from "./fixtures-developer.ts";
import type { MockAnswers } from "./mock-server.ts";
import { MANAGED, OWNED, withDefaultAnswers } from "./page-state.ts";

const defaultAnswers: MockAnswers = {
  readSession: { data: nina },
  listTokens: { data: tokens },
  listWebhooks: { data: webhooks },
  listDeliveries: { data: deliveries, next: null },
  readDelivery: { data: detail },
  retryDeliveries: { data: { count: 12, not_waiting: 0, still_waiting: 0 } },
  countReplays: { data: { count: 3, on_the_way: 1, removed: 0 } },
  replayDeliveries: { data: { count: 3, on_the_way: 1, removed: 0 } },
  listActivity: { data: activity, next: null, currency: "EUR" },
  listRequests: { data: requests, next: null },
  addWebhook: { data: { id: 8193, secret: `whsec_${"aB3".repeat(13)}x`, previous_until: null } },
  rotateSecret: {
    data: { id: 8193, secret: `whsec_${"zY9".repeat(13)}q`, previous_until: new Date(Date.now() + 86_400_000).toISOString() },
  },
  pingWebhook: { data: { event_id: deliveries[1]?.event_id ?? "" } },
  checkAddress: {
    data: [
      { step: "https", is_good: true, reason: { code: "is_https", values: {} }, ms: 0 },
      { step: "dns", is_good: true, reason: { code: "name_found", values: {} }, ms: 38 },
      { step: "public", is_good: true, reason: { code: "is_public", values: {} }, ms: 0 },
      { step: "tls", is_good: false, reason: { code: "tls", values: {} }, ms: 412 },
    ],
  },
};

const openMenu = async (page: Page, item: number): Promise<void> => {
  await page.locator(".hook-more").first().click();
  await page.locator("[role=menuitem]").nth(item).click();
};
const fillForm = async (page: Page): Promise<void> => {
  await page.locator("header ~ * main button, main button").first().click();
  await page.locator("[role=dialog] input[type=url]").fill("https://expired.example/hook");
  await page.locator("[role=dialog] input[type=url]").blur();
  await page.locator(".check-step .mark-bad").waitFor();
};

export const developerPageStates = withDefaultAnswers(defaultAnswers, {
  "missing-inside": { path: `${OWNED}/nowhere`, shows: "main h1" },
  webhooks: { path: `${OWNED}/webhooks`, shows: ".hook-item" },
  "webhooks-sandbox": { path: `${OWNED}.sandbox/webhooks`, shows: ".place-sandbox ~ * .hook-item" },
  "webhooks-manager": { path: `${MANAGED}/webhooks`, shows: ".hook-item" },
  "webhooks-empty": { path: `${OWNED}/webhooks`, answers: { listWebhooks: { data: [] } }, shows: ".empty" },
  "webhooks-refused": { path: `${OWNED}/webhooks`, answers: { listWebhooks: { refused: "server_error" } }, shows: "[role=alert]" },
  "webhook-ping": {
    path: `${OWNED}/webhooks`,
    answers: { listDeliveries: { data: deliveries.slice(1), next: null } },
    shows: ".ping-result .mark-good",
    before: (page) => openMenu(page, 1),
  },
  "webhook-menu": { path: `${OWNED}/webhooks`, shows: "[role=menu]", before: (page) => page.locator(".hook-more").nth(1).click() },
  "webhook-add": {
    path: `${OWNED}/webhooks`,
    shows: ".event-sample pre",
    before: async (page) => {
      await fillForm(page);
      await page.locator(".event-line button").first().click();
    },
  },
  "webhook-wrong": {
    path: `${OWNED}/webhooks`,
    shows: "[role=dialog] [aria-invalid=true]",
    before: async (page) => {
      await fillForm(page);
      // The unsaved values are restored.
      await page.keyboard.press("Escape");
      await page.locator("[role=dialog]").waitFor({ state: "hidden" });
      await page.locator("main button").first().click();
      await page.locator("[role=dialog] button[type=submit]").click();
    },
  },
  "webhook-edit": { path: `${OWNED}/webhooks`, shows: "[role=dialog] .event-group", before: (page) => openMenu(page, 2) },
  "webhook-secret": {
    path: `${OWNED}/webhooks`,
    shows: "[role=dialog] .copy-large",
    before: async (page) => {
      await fillForm(page);
      await page.locator(".event-group legend input").first().check();
      await page.locator("[role=dialog] button[type=submit]").click();
    },
  },
  "webhook-rotate": { path: `${OWNED}/webhooks`, shows: ".rotation-timeline", before: (page) => openMenu(page, 4) },
  "webhook-remove": { path: `${OWNED}/webhooks`, shows: "[role=dialog] .inset", before: (page) => openMenu(page, 5) },
  deliveries: { path: `${OWNED}/deliveries`, shows: ".delivery-row" },
  "deliveries-selected": {
    path: `${OWNED}/deliveries?state=failed`,
    shows: ".log-head button",
    before: (page) => page.locator(".row-check input:enabled").first().check(),
  },
  "deliveries-manager": { path: `${MANAGED}/deliveries`, shows: ".delivery-row" },
  "deliveries-empty": { path: `${OWNED}/deliveries`, answers: { listDeliveries: { data: [], next: null } }, shows: ".empty" },
  "deliveries-none": {
    path: `${OWNED}/deliveries?state=held&event=half`,
    answers: { listDeliveries: { data: [], next: null } },
    shows: ".empty",
  },
  "deliveries-replay": {
    path: `${OWNED}/deliveries`,
    shows: "[role=dialog] [role=radiogroup]",
    before: (page) => page.locator("main button").first().click(),
  },
  delivery: { path: `${OWNED}/deliveries?open=90112`, shows: ".retry-timeline svg" },
  "delivery-done": {
    path: `${OWNED}/deliveries?open=90113`,
    answers: { readDelivery: { data: doneDetail } },
    shows: ".retry-timeline svg",
  },
  "delivery-missing": {
    path: `${OWNED}/deliveries?open=5`,
    answers: { readDelivery: { refused: "not_found" } },
    shows: "[role=dialog] [role=alert]",
  },
  signature: { path: `${OWNED}/signature`, shows: ".signature-result" },
  "signature-bad": {
    path: `${OWNED}/signature`,
    shows: ".signature-result-bad",
    before: async (page) => {
      await page.locator("textarea").fill('{\n  "id": 1\n}');
      await page
        .locator("main input:not([type=radio])")
        .first()
        .fill(`t=1763146931,v1=${"5f2a".repeat(16)}`);
      await page
        .locator("main input:not([type=radio])")
        .nth(1)
        .fill(`whsec_${"aB3".repeat(13)}x`);
    },
  },
  activity: { path: `${OWNED}/activity`, shows: ".activity-row" },
  "activity-none": {
    path: `${OWNED}/activity?area=token&subject=5`,
    answers: { listActivity: { data: [], next: null, currency: "EUR" } },
    shows: ".empty",
  },
  requests: { path: `${OWNED}/requests`, shows: ".request-row" },
  "requests-sandbox-paused": {
    path: `${OWNED}.sandbox/requests`,
    shows: ".place-sandbox ~ * .request-row",
    before: (page) => page.getByRole("switch").first().uncheck(),
  },
  "tokens-sandbox": {
    path: `${OWNED}.sandbox/tokens`,
    answers: { listTokens: { data: tokens.filter(({ kind }) => kind === "sandbox") } },
    shows: ".token-item",
  },
  "tokens-sandbox-empty": { path: `${OWNED}.sandbox/tokens`, answers: { listTokens: { data: [] } }, shows: ".empty" },
  request: {
    path: `${OWNED}/requests?open=01a1db39-58b8-75e1-8860-a981f2727a6a`,
    answers: { listRequests: { data: requests.slice(2, 3), next: null } },
    shows: ".delivery-facts",
  },
  "request-missing": {
    path: `${OWNED}/requests?open=01a1db39-58b8-75e1-8860-a981f2727a6a`,
    answers: { listRequests: { data: [], next: null } },
    shows: ".request-missing",
  },
  "requests-none": {
    path: `${OWNED}/requests?status=5xx&token=2049`,
    answers: { listRequests: { data: [], next: null } },
    shows: ".empty",
  },
});
