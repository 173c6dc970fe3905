/** States of the guest pages. */
import type { Page } from "playwright-core";
import { nina } from "./fixtures-account.ts";
import { foundCards } from "./fixtures-gift-cards.ts";
import { erasureReceipt, foundGuests, guestProfile } from "./fixtures-guests.ts";
import type { MockAnswers } from "./mock-server.ts";
import { OWNED, withDefaultAnswers } from "./page-state.ts";

const defaultAnswers: MockAnswers = {
  readSession: { data: nina },
  findGuests: { data: { guests: foundGuests, is_cut: false } },
  readGuestProfile: { data: guestProfile },
  findGiftCards: { data: foundCards.slice(0, 1), next: null },
  setGuestNote: { data: { id: guestProfile.id } },
};
const GUESTS = `${OWNED}/guests`;
const GUEST = `${GUESTS}/2049`;

const nothing = {
  ...guestProfile,
  orders: [],
  reservations: [],
  experiences: [],
  consents: [],
  other_contacts: [],
  note: null,
  marketing_opted_in: false,
};

const openAction = (place: number) => (page: Page) => page.locator(".guest-actions button").nth(place).click();

const chooseOther = async (page: Page): Promise<void> => {
  await openAction(1)(page);
  await page.locator("[role=dialog] input").fill("0199");
  await page.locator("[role=dialog] .guest-row").first().click();
};

export const guestPageStates = withDefaultAnswers(defaultAnswers, {
  guests: { path: GUESTS, shows: ".guest-row" },
  "guests-none": {
    path: `${GUESTS}?search=xyz`,
    answers: { findGuests: { data: { guests: [], is_cut: false } } },
    shows: ".guest-found [role=status]",
  },
  "guests-empty": { path: GUESTS, answers: { findGuests: { data: { guests: [], is_cut: false } } }, shows: ".empty" },
  "guests-refused": { path: GUESTS, answers: { findGuests: { refused: "server_error" } }, shows: "[role=alert]" },
  guest: { path: GUEST, shows: ".guest-timeline li" },
  "guest-cards-refused": { path: GUEST, answers: { findGiftCards: { refused: "server_error" } }, shows: "[role=alert]" },
  "guest-new": {
    path: GUEST,
    answers: { readGuestProfile: { data: nothing }, findGiftCards: { data: [], next: null } },
    shows: ".guest-card",
  },
  "guest-gone": { path: GUEST, answers: { readGuestProfile: { refused: "not_found" } }, shows: "[role=alert]" },
  "guest-noted": {
    path: GUEST,
    shows: ".guest-undo button",
    before: async (page) => {
      await page.locator("textarea:visible").first().fill("Prefers the terrace");
      await page.locator("section form button[type=submit]").click();
    },
  },
  "guest-change": { path: GUEST, shows: "[role=dialog] input[type=tel]", before: openAction(0) },
  "guest-number-taken": {
    path: GUEST,
    answers: { changeGuestDetails: { refused: "validation_failed", details: { phone: ["Another guest has this number."] } } },
    shows: "[role=dialog] .mantine-InputWrapper-error",
    before: async (page) => {
      await openAction(0)(page);
      await page.locator("[role=dialog] input[type=tel]").fill("+1 555 0100");
      await page.locator("[role=dialog] button[type=submit]").click();
    },
  },
  "guest-consent": {
    path: GUEST,
    shows: "[role=dialog] input[type=radio]",
    before: (page) => page.locator("[aria-labelledby=guest-consent] button").first().click(),
  },
  "guest-merge": {
    path: GUEST,
    answers: { findGuests: { data: { guests: foundGuests.slice(1), is_cut: false } } },
    shows: "[role=dialog] .guest-row",
    before: async (page) => {
      await openAction(1)(page);
      await page.locator("[role=dialog] input").fill("0199");
    },
  },
  "guest-merge-result": {
    path: GUEST,
    answers: { findGuests: { data: { guests: foundGuests.slice(1), is_cut: false } } },
    shows: "[role=dialog] .guest-result",
    before: chooseOther,
  },
  "guest-erase": { path: GUEST, shows: "[role=dialog] [data-autofocus]", before: openAction(3) },
  "guest-erased": {
    path: GUEST,
    answers: { eraseGuest: { data: erasureReceipt } },
    shows: ".guest-receipt",
    before: async (page) => {
      await openAction(3)(page);
      await page.locator("[role=dialog] button").last().click();
    },
  },
});
