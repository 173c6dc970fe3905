/** States of the gift card pages. */
import type { Page } from "playwright-core";
import { nina } from "./fixtures-account.ts";
import { cardDesk, cardLedger, cardState, foundCards } from "./fixtures-gift-cards.ts";
import { foundGuests } from "./fixtures-guests.ts";
import type { MockAnswers } from "./mock-server.ts";
import { OWNED, withDefaultAnswers } from "./page-state.ts";

const defaultAnswers: MockAnswers = {
  readSession: { data: nina },
  readGiftCardDesk: { data: cardDesk },
  findGiftCards: { data: foundCards, next: null },
  readGiftCard: { data: cardLedger },
  lookUpGiftCard: { data: cardState },
  sellGiftCard: { data: cardState },
  findGuests: { data: { guests: foundGuests, is_cut: false } },
};
const CARDS = `${OWNED}/gift-cards`;
const CARD = `${CARDS}/1025`;
const CODE = "TEST-CARD-0000-0000-000G";

const openSale = (page: Page): Promise<void> => page.locator(".page button").first().click();
const check = async (page: Page): Promise<void> => {
  await page.locator(".card-check input").fill(CODE);
  await page.keyboard.press("Enter");
};
const press = (place: number) => (page: Page) => page.locator(".page .mantine-Group-root button").nth(place).click();

export const giftCardPageStates = withDefaultAnswers(defaultAnswers, {
  "gift-cards": { path: CARDS, shows: ".guest-row" },
  "gift-cards-empty": { path: CARDS, answers: { findGiftCards: { data: [], next: null } }, shows: ".empty" },
  "gift-cards-none": {
    path: CARDS,
    answers: { findGiftCards: { data: [], next: null } },
    shows: ".guest-found [role=status]",
    before: (page) => page.locator(".guest-search input").fill("xyz"),
  },
  "gift-cards-refused": { path: CARDS, answers: { readGiftCardDesk: { refused: "server_error" } }, shows: "[role=alert]" },
  "gift-cards-list-refused": { path: CARDS, answers: { findGiftCards: { refused: "server_error" } }, shows: ".guest-found [role=alert]" },
  "gift-cards-checked": { path: CARDS, shows: ".card-checked .card-facts", before: check },
  "gift-cards-unknown": {
    path: CARDS,
    answers: { lookUpGiftCard: { refused: "validation_failed", details: { code: ["No gift card has this code."] } } },
    shows: ".card-check .mantine-InputWrapper-error",
    before: check,
  },
  "gift-cards-sell": { path: CARDS, shows: "[role=dialog] .card-methods", before: openSale },
  "gift-cards-guest": {
    path: CARDS,
    shows: "[role=dialog] .guest-row",
    before: async (page) => {
      await openSale(page);
      await page.locator("[role=dialog] input[type=search]").fill("0199");
    },
  },
  "gift-cards-sold": {
    path: CARDS,
    shows: "[role=dialog] pre",
    before: async (page) => {
      await openSale(page);
      await page.locator("[role=dialog] input").first().fill("50");
      await page.locator("[role=dialog] .card-methods button").first().click();
    },
  },
  "gift-cards-give": { path: CARDS, shows: "[role=dialog] textarea:visible", before: press(1) },
  "gift-card": { path: CARD, shows: ".card-table tbody tr" },
  "gift-card-expired": {
    path: CARD,
    answers: {
      readGiftCard: { data: { ...cardLedger, card: { ...cardState, status: "expired", balance_minor: 0 }, guest: null, message: null } },
    },
    shows: ".card-table",
  },
  "gift-card-gone": { path: CARD, answers: { readGiftCard: { refused: "not_found" } }, shows: "[role=alert]" },
  "gift-card-adjust": { path: CARD, shows: "[role=dialog] form", before: press(1) },
  "gift-card-replace": { path: CARD, shows: "[role=dialog] [data-autofocus]", before: press(2) },
});
