/** States of the team, and of pages that a person cannot open. */
import type { SignedIn } from "@comanda/contract/console/session.ts";
import type { Page } from "playwright-core";
import { factor, nina, recoveryCodes } from "./fixtures-account.ts";
import { memberSessions, team } from "./fixtures-team.ts";
import type { MockAnswers } from "./mock-server.ts";
import { MANAGED, OWNED, type PageState, withDefaultAnswers } from "./page-state.ts";

const TEAM = `${OWNED}/team`;
const withFactor: SignedIn = { ...nina, person: { ...nina.person, has_second_factor: true } };
const inVenues = (changes: Partial<SignedIn["venues"][number]>): SignedIn => ({
  ...nina,
  venues: nina.venues.map((venue) => ({ ...venue, ...changes })),
});
const defaultAnswers: MockAnswers = {
  readSession: { data: withFactor },
  listTeam: { data: team },
  listMemberSessions: { data: memberSessions },
};

/** The button of the person at this place. */
const tap = (person: number, place: number) => (page: Page) =>
  page.locator(".team-item").nth(person).locator(".team-actions button").nth(place).click();

const openInvitation = async (page: Page): Promise<void> => {
  await page.locator(".team-invite").click();
  await page.locator("[role=dialog] .role-choice").first().waitFor();
};

export const teamPageStates: Record<string, PageState> = withDefaultAnswers(defaultAnswers, {
  team: { path: TEAM, shows: ".team-item" },
  "team-refused": { path: TEAM, answers: { listTeam: { refused: "server_error" } }, shows: "[role=alert]" },
  "team-manager": {
    path: `${MANAGED}/team`,
    answers: { listTeam: { data: { ...team, is_second_factor_required: true } } },
    shows: ".team-item",
  },
  "team-own-factor-missing": { path: TEAM, answers: { readSession: { data: nina } }, shows: ".team-rule a" },
  "team-invite": { path: TEAM, shows: "[role=dialog] .role-choice", before: openInvitation },
  "team-invite-taken": {
    path: TEAM,
    answers: { inviteMember: { refused: "validation_failed", details: { email: ["This person is in the team or invited already."] } } },
    shows: "[role=dialog] .mantine-InputWrapper-error",
    before: async (page) => {
      await openInvitation(page);
      await page.locator("[role=dialog] input[name=email]").fill("sami@trattoria.example");
      await page.locator("[role=dialog] input[name=name]").fill("Sami");
      await page.locator("[role=dialog] button[type=submit]").click();
    },
  },
  "team-invite-limit": {
    path: TEAM,
    answers: { inviteMember: { refused: "rate_limited", details: { limit: "address", until: "2026-11-20T18:00:00.000Z" } } },
    shows: "[role=dialog] [role=alert]",
    before: async (page) => {
      await openInvitation(page);
      await page.locator("[role=dialog] input[name=email]").fill("sami@trattoria.example");
      await page.locator("[role=dialog] input[name=name]").fill("Sami");
      await page.locator("[role=dialog] button[type=submit]").click();
    },
  },
  "team-role": { path: TEAM, shows: "[role=dialog] .role-choice", before: tap(1, 0) },
  "team-last-owner": {
    path: TEAM,
    answers: { changeRole: { refused: "validation_failed", details: { role: ["Make another person an owner first."] } } },
    shows: "[role=dialog] [role=alert]",
    before: async (page) => {
      await tap(0, 0)(page);
      await page.locator("[role=dialog] input[value=staff]").check();
      for (const keep of await page.locator("[role=dialog] input[value=keep]").all()) await keep.check();
      await page.locator("[role=dialog] button[type=submit]").click();
    },
  },
  "team-sessions": { path: TEAM, shows: "[role=dialog] .session", before: tap(1, 1) },
  "team-sessions-none": {
    path: TEAM,
    answers: { listMemberSessions: { data: [] } },
    shows: "[role=dialog] p",
    before: tap(1, 1),
  },
  "team-sessions-refused": {
    path: TEAM,
    answers: { listMemberSessions: { refused: "server_error" } },
    shows: "[role=dialog] [role=alert]",
    before: tap(1, 1),
  },
  "team-remove": { path: TEAM, shows: "[role=dialog] [role=radiogroup]", before: tap(1, 2) },
  "team-withdraw": { path: TEAM, shows: "[role=dialog] [data-autofocus]", before: tap(3, 2) },
  "factor-required": {
    path: `${OWNED}/orders`,
    answers: {
      readSession: { data: inVenues({ is_second_factor_missing: true }) },
      beginSecondFactor: { data: factor },
      confirmSecondFactor: { data: { person: withFactor.person, recovery_codes: recoveryCodes } },
    },
    shows: "#factor button",
  },
  "session-ended": {
    path: `${OWNED}/orders`,
    answers: { readSession: { data: inVenues({ is_sign_in_needed: true }) } },
    shows: ".empty button",
  },
  "feature-lacking": { path: `${OWNED}/bookings`, answers: { readSession: { data: inVenues({ features: [] }) } }, shows: ".empty" },
});
