/** States of the pages of reviews. */
import type { Page } from "playwright-core";
import { nina } from "./fixtures-account.ts";
import { bookingDetails } from "./fixtures-bookings.ts";
import { orderDetails } from "./fixtures-orders.ts";
import { erasedReview, foundReviews, noReviewsDesk, repliedReview, reviewDesk, wholeReview } from "./fixtures-reviews.ts";
import type { MockAnswers } from "./mock-server.ts";
import { MANAGED, OWNED, withDefaultAnswers } from "./page-state.ts";

const defaultAnswers: MockAnswers = {
  readSession: { data: nina },
  readReviewDesk: { data: reviewDesk },
  findReviews: { data: foundReviews, next: null },
  readReview: { data: wholeReview },
  readOrderDetails: { data: orderDetails },
  readBookingDetails: { data: bookingDetails },
};
const REVIEWS = `${OWNED}/reviews`;
const REVIEW = `${REVIEWS}/1025`;
const openRated = (page: Page): Promise<void> => page.locator(".page .review-sheet button").first().click();

export const reviewPageStates = withDefaultAnswers(defaultAnswers, {
  reviews: { path: REVIEWS, shows: ".guest-row" },
  "reviews-off": {
    path: REVIEWS,
    answers: { readReviewDesk: { data: noReviewsDesk }, findReviews: { data: [], next: null } },
    shows: ".empty",
  },
  "reviews-manager": { path: `${MANAGED}/reviews`, shows: ".guest-row" },
  "reviews-none": {
    path: REVIEWS,
    answers: { findReviews: { data: [], next: null } },
    shows: ".guest-found [role=status]",
    before: async (page) => {
      await page.locator(".empty").waitFor();
      await page.locator(".guest-found .mantine-Chip-label").nth(3).click();
    },
  },
  "reviews-wrong-minutes": {
    path: REVIEWS,
    shows: ".mantine-InputWrapper-error",
    before: (page) => page.locator(".review-minutes input").fill("2000"),
  },
  "reviews-refused": { path: REVIEWS, answers: { readReviewDesk: { refused: "server_error" } }, shows: "[role=alert]" },
  "reviews-list-refused": { path: REVIEWS, answers: { findReviews: { refused: "server_error" } }, shows: ".guest-found [role=alert]" },
  review: { path: REVIEW, shows: ".review-reply" },
  "review-replied": { path: REVIEW, answers: { readReview: { data: repliedReview } }, shows: ".review-reply" },
  "review-erased": { path: REVIEW, answers: { readReview: { data: erasedReview } }, shows: ".review-sheet" },
  "review-gone": { path: REVIEW, answers: { readReview: { refused: "not_found" } }, shows: "[role=alert]" },
  "review-order": { path: REVIEW, shows: "[role=dialog] .order-lines", before: openRated },
  "review-visit": {
    path: REVIEW,
    answers: { readReview: { data: repliedReview } },
    shows: "[role=dialog] .review-facts dd",
    before: openRated,
  },
});
