/** States of opening a venue: the link, the steps, the test order, going live. */
import type { Page } from "playwright-core";
import { nina } from "./fixtures-account.ts";
import { board } from "./fixtures-orders.ts";
import { OWNED, type PageState } from "./page-state.ts";

const SIGN_UP = "/console/sign-up";
const LINK = `${SIGN_UP}#a-secret`;
const OPENING = `${OWNED}/opening`;

const isOpen = { readSignUp: { data: { is_open: true } } };
const byLink = { ...isOpen, readSignUpLink: { data: { email: "zoe@example.com", has_account: false } } };
const opening = { is_live: false, is_suspended: false, test_order: null };
const newVenue = { ...nina, venues: nina.venues.map((venue, index) => (index === 0 ? { ...venue, is_opening: true as const } : venue)) };
const inside = { readSession: { data: newVenue }, readOpening: { data: opening } };

const ask = async (page: Page): Promise<void> => {
  await page.locator("input[name=email]").fill("zoe@example.com");
  await page.locator("button[type=submit]").click();
};
/** Pages of one language share a browser, which keeps what another state has entered. This page does not read it. */
const fresh = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const { getItem } = Storage.prototype;
    Storage.prototype.getItem = function (key: string) {
      return key === "comanda.sign-up" ? null : getItem.call(this, key);
    };
  });
  await page.reload();
};
const toMenu = async (page: Page): Promise<void> => {
  await page.locator(".sign-up-form input").first().fill("Chez Zoë");
  await page.locator(".sign-up-form select").first().selectOption("KW");
  await page.locator("button[type=submit]").click();
  await page.locator("input[placeholder='--:--']").first().waitFor();
};
const afresh = async (page: Page): Promise<void> => {
  await fresh(page);
  await toMenu(page);
};
const toAccount = async (page: Page): Promise<void> => {
  await afresh(page);
  await page.locator("button[type=submit]").click();
};
const ownDishes = async (page: Page): Promise<void> => {
  await afresh(page);
  await page.locator(".sign-up-days").last().locator("label").last().click();
  await page.locator(".sign-up-line input").nth(0).fill("حساء العدس");
  await page.locator(".sign-up-line input").nth(1).fill("1.2505");
};

export const signUpPageStates: Record<string, PageState> = {
  "sign-up": { path: SIGN_UP, answers: isOpen, shows: "form" },
  "sign-up-limited": {
    path: SIGN_UP,
    answers: { ...isOpen, askToSignUp: { refused: "rate_limited" } },
    shows: "[role=alert]",
    before: ask,
  },
  "sign-up-mailed": { path: SIGN_UP, answers: { ...isOpen, askToSignUp: { data: {} } }, shows: ".sign-up-notice", before: ask },
  "sign-up-wait": {
    path: SIGN_UP,
    answers: { ...isOpen, askToSignUp: { data: {} } },
    shows: "main:not(:has(form)) h1",
    before: async (page) => {
      await fresh(page);
      await ask(page);
      await toMenu(page);
      await page.locator("button[type=submit]").click();
    },
  },
  "sign-up-closed": { path: SIGN_UP, answers: { readSignUp: { data: { is_open: false } } }, shows: "h1" },
  "sign-up-failed": { path: SIGN_UP, answers: { readSignUp: { refused: "server_error" } }, shows: "[role=alert]" },
  "sign-up-dead": { path: LINK, answers: { ...isOpen, readSignUpLink: { refused: "validation_failed" } }, shows: "h1" },
  "sign-up-known": {
    path: LINK,
    answers: { ...isOpen, readSignUpLink: { data: { email: "zoe@example.com", has_account: true } } },
    shows: "h1",
  },
  "sign-up-other": { path: LINK, answers: { ...byLink, readSession: { data: nina } }, shows: "h1" },
  "sign-up-restaurant": {
    path: LINK,
    answers: byLink,
    shows: ".sign-up-details",
    before: async (page) => {
      await fresh(page);
      await page.locator(".sign-up-form select").first().selectOption("US");
    },
  },
  "sign-up-menu": { path: LINK, answers: byLink, shows: ".sign-up-days", before: afresh },
  "sign-up-dishes": { path: LINK, answers: byLink, shows: "[role=alert]", before: ownDishes },
  "sign-up-account": { path: LINK, answers: byLink, shows: "input[type=password]", before: toAccount },
  "sign-up-refused": {
    path: LINK,
    answers: { ...byLink, openVenue: { refused: "validation_failed", details: { "venue.zone": ["Is not a known time zone."] } } },
    shows: "[role=alert]",
    before: async (page) => {
      await toAccount(page);
      await page.locator("input[autocomplete=name]").fill("Zoë");
      await page.locator("input[type=password]").fill("long enough it is");
      await page.locator("button[type=submit]").click();
    },
  },
  opening: { path: OPENING, answers: inside, shows: ".opening" },
  "opening-tested": {
    path: OPENING,
    answers: {
      ...inside,
      readOpening: { data: { ...opening, test_order: { id: "01930000-0000-7000-8000-000000000001", status: "placed" } } },
    },
    shows: ".opening",
  },
  "opening-live": { path: OPENING, answers: { ...inside, readOpening: { data: { ...opening, is_live: true } } }, shows: ".opening" },
  "opening-suspended": {
    path: OPENING,
    answers: { ...inside, readOpening: { data: { ...opening, is_suspended: true } } },
    shows: ".opening",
  },
  "opening-failed": { path: OPENING, answers: { ...inside, readOpening: { refused: "server_error" } }, shows: "[role=alert]" },
  "opening-bar": { path: `${OWNED}/orders`, answers: { ...inside, readBoard: { data: board } }, shows: ".opening-bar" },
};
