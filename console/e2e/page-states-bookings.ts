/** States of the bookings page. */
import type { Page } from "playwright-core";
import { nina } from "./fixtures-account.ts";
import { bookingDay, bookingDetails, bookingTimes, expected, requested, walkInTables } from "./fixtures-bookings.ts";
import { refusedTrial } from "./fixtures-floor.ts";
import { guestProfile } from "./fixtures-guests.ts";
import type { MockAnswers } from "./mock-server.ts";
import { OWNED, withDefaultAnswers } from "./page-state.ts";

const defaultAnswers: MockAnswers = {
  readSession: { data: nina },
  readBookingDay: { data: bookingDay },
  readBookingDetails: { data: bookingDetails },
  readGuestProfile: { data: guestProfile },
  findBookingTimes: { data: bookingTimes },
  findWalkInTables: { data: walkInTables },
  quoteWait: { data: { minutes: 25 } },
};
const BOOKINGS = `${OWNED}/bookings`;
const HEAD_BUTTONS = ".bookings-head > button";

/** The device keeps the view that was chosen last, and another state may have chosen the timeline. */
const showView =
  (place: number) =>
  (page: Page): Promise<void> =>
    page.locator(".bookings-head .mantine-SegmentedControl-label").nth(place).click();
const showList = showView(0);
const openMore =
  (action: number) =>
  async (page: Page): Promise<void> => {
    await page.locator(".bookings-head .booking-more").click();
    await page.getByRole("menuitem").nth(action).click();
  };

const openBooking =
  (bookingId: string) =>
  async (page: Page): Promise<void> => {
    await showList(page);
    await page.locator(`#booking-${bookingId}`).click();
  };

export const bookingPageStates = withDefaultAnswers(defaultAnswers, {
  bookings: { path: BOOKINGS, shows: ".booking-row", isOnWall: true },
  "bookings-timeline": {
    path: BOOKINGS,
    shows: ".timeline-bar",
    isOnWall: true,
    before: showView(1),
  },
  "bookings-move": {
    path: BOOKINGS,
    shows: ".timeline-ghost",
    before: async (page) => {
      await showView(1)(page);
      await page.locator(`[data-booking="${expected.reservation.id}"]`).focus();
      for (const key of ["m", "ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
    },
  },
  "bookings-floor": { path: BOOKINGS, shows: ".floor-table", isOnWall: true, before: showView(2) },
  "bookings-seat-here": {
    path: BOOKINGS,
    shows: "[role=dialog] .walk-in-size",
    before: async (page) => {
      await showView(2)(page);
      await page.locator(".floor-table[data-state=free]").first().click();
    },
  },
  "bookings-seat-ordered": {
    path: BOOKINGS,
    shows: "[role=dialog] .walk-in-size",
    before: async (page) => {
      await showView(2)(page);
      await page.locator(".floor-table[data-state=ordered]").click();
    },
  },
  "bookings-seating": {
    path: BOOKINGS,
    shows: ".booking-row[data-phase=arrived] .booking-actions > b",
    before: async (page) => {
      await showList(page);
      await page.locator(".booking-row[data-phase=arrived] .booking-actions > button").first().click();
    },
  },
  "bookings-block": { path: BOOKINGS, shows: "[role=dialog] input[type=checkbox]", before: openMore(0) },
  "bookings-blocked": {
    path: BOOKINGS,
    shows: "[role=dialog] button.service-target",
    before: async (page) => {
      await showView(1)(page);
      await page.locator(".timeline-block").first().click();
    },
  },
  "bookings-try": {
    path: BOOKINGS,
    answers: { tryBooking: { data: refusedTrial } },
    shows: "[role=dialog] .try-booking",
    before: async (page) => {
      await openMore(1)(page);
      await page.locator(".try-booking button[type=submit]").click();
    },
  },
  "bookings-empty": {
    path: BOOKINGS,
    answers: { readBookingDay: { data: { ...bookingDay, bookings: [], waitlist: [] } } },
    shows: ".empty",
    before: showList,
  },
  "bookings-refused": { path: BOOKINGS, answers: { readBookingDay: { refused: "server_error" } }, shows: "[role=alert]" },
  "bookings-menu": {
    path: BOOKINGS,
    shows: "[role=menuitem]",
    before: async (page) => {
      await showList(page);
      await page.locator(".booking-row .booking-more").nth(1).click();
    },
  },
  "bookings-details": {
    path: BOOKINGS,
    shows: "[role=dialog] .booking-history",
    before: openBooking(expected.reservation.id),
  },
  "bookings-request": {
    path: BOOKINGS,
    answers: { readBookingDetails: { data: { ...bookingDetails, booking: requested } } },
    shows: "[role=dialog] .booking-history",
    before: openBooking(requested.reservation.id),
  },
  "bookings-walk-in": {
    path: BOOKINGS,
    shows: "[role=dialog] .walk-in-size",
    before: (page) => page.locator(HEAD_BUTTONS).nth(0).click(),
  },
  "bookings-walk-in-other": {
    path: BOOKINGS,
    shows: "[role=dialog] form input[type=checkbox]",
    before: async (page) => {
      await page.locator(HEAD_BUTTONS).nth(0).click();
      await page.locator("[role=dialog] .mantine-Button-root").last().click();
    },
  },
  "bookings-join": {
    path: BOOKINGS,
    shows: "[role=dialog] input[placeholder='--:--']",
    before: async (page) => {
      await page.locator(HEAD_BUTTONS).nth(1).click();
      await page.locator("[role=dialog] .mantine-Switch-track").click();
    },
  },
  "bookings-new": {
    path: BOOKINGS,
    shows: "[role=dialog] .time-card",
    before: (page) => page.locator(HEAD_BUTTONS).nth(1).click(),
  },
  "bookings-waitlist": {
    path: BOOKINGS,
    shows: "[role=dialog] input[type=tel]",
    before: (page) => page.locator(HEAD_BUTTONS).nth(2).click(),
  },
});
