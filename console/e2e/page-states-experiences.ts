/** States of the pages of experiences. */
import type { Page } from "playwright-core";
import { nina } from "./fixtures-account.ts";
import { experienceDesk, experienceDetails, sessionSheet } from "./fixtures-experiences.ts";
import type { MockAnswers } from "./mock-server.ts";
import { OWNED, withDefaultAnswers } from "./page-state.ts";

const defaultAnswers: MockAnswers = {
  readSession: { data: nina },
  readExperiences: { data: experienceDesk },
  readExperience: { data: experienceDetails },
  readExperienceSession: { data: sessionSheet },
};
const asStaff: MockAnswers = {
  readSession: { data: { ...nina, venues: nina.venues.slice(0, 1).map((venue) => ({ ...venue, role: "staff" as const })) } },
};

const EXPERIENCES = `${OWNED}/experiences`;
const SESSION = `${EXPERIENCES}/sessions/7169`;

const inCard = (place: number) => (page: Page) => page.locator(".experience-card").first().locator("button").nth(place).click();
const action = (place: number) => (page: Page) => page.locator(".experience-actions button").nth(place).click();

export const experiencePageStates = withDefaultAnswers(defaultAnswers, {
  experiences: { path: EXPERIENCES, shows: ".experience-session" },
  "experiences-staff": { path: EXPERIENCES, answers: asStaff, shows: ".experience-session" },
  "experiences-empty": {
    path: EXPERIENCES,
    answers: { readExperiences: { data: { ...experienceDesk, experiences: [], sessions: [], is_cut: false } } },
    shows: ".empty",
  },
  "experiences-refused": { path: EXPERIENCES, answers: { readExperiences: { refused: "server_error" } }, shows: "[role=alert]" },
  "experiences-add": {
    path: EXPERIENCES,
    shows: "[role=dialog] form",
    before: (page) => page.locator(".experience-tools button").first().click(),
  },
  "experiences-plan": { path: EXPERIENCES, shows: "[role=dialog] form", before: inCard(0) },
  "experiences-change": { path: EXPERIENCES, shows: "[role=dialog] form", before: inCard(1) },
  "experiences-change-refused": {
    path: EXPERIENCES,
    answers: { readExperience: { refused: "server_error" } },
    shows: "[role=dialog] [role=alert]",
    before: inCard(1),
  },
  "experiences-remove": {
    path: EXPERIENCES,
    shows: "[role=dialog] [data-autofocus]",
    before: async (page) => {
      await inCard(1)(page);
      await page.locator("[role=dialog] form button").first().click();
    },
  },
  "experience-session": { path: SESSION, shows: ".experience-held" },
  "experience-session-staff": { path: SESSION, answers: asStaff, shows: ".experience-held" },
  "experience-session-new": {
    path: SESSION,
    answers: {
      readExperienceSession: {
        data: { ...sessionSheet, session: { ...sessionSheet.session, sold: 0, held: 0 }, bookings: [], ended: [] },
      },
    },
    shows: ".experience-form",
  },
  "experience-session-full": {
    path: SESSION,
    answers: { readExperienceSession: { data: { ...sessionSheet, session: { ...sessionSheet.session, sold: 9 } } } },
    shows: ".experience-figures .experience-mark",
  },
  "experience-session-cancelled": {
    path: SESSION,
    answers: {
      readExperienceSession: {
        data: { ...sessionSheet, session: { ...sessionSheet.session, held: 0, is_cancelled: true }, closed_because: "cancelled" },
      },
    },
    shows: ".mantine-Alert-root",
  },
  "experience-session-none-found": {
    path: SESSION,
    shows: ".experience-card > [role=status]",
    before: (page) => page.locator("input[type=search]").fill("xyz"),
  },
  "experience-session-ended": {
    path: SESSION,
    shows: "details[open] .experience-row",
    before: (page) => page.locator(".experience-summary").click(),
  },
  "experience-session-seats": { path: SESSION, shows: "[role=dialog] form", before: action(1) },
  "experience-session-cancel": { path: SESSION, shows: "[role=dialog] form", before: action(2) },
  "experience-session-gift-card": {
    path: SESSION,
    shows: "[role=dialog] form",
    before: (page) => page.locator(".experience-methods button").nth(3).click(),
  },
  "experience-session-refund": {
    path: SESSION,
    shows: "[role=dialog] form",
    before: (page) => page.locator(".experience-arrivals button").nth(3).click(),
  },
  "experience-session-cancel-tickets": {
    path: SESSION,
    shows: "[role=dialog] form",
    before: (page) => page.locator(".experience-arrivals button").last().click(),
  },
  "experience-session-gone": { path: SESSION, answers: { readExperienceSession: { refused: "not_found" } }, shows: "[role=alert]" },
});
