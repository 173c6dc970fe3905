/** States of sign-in, account, tokens and sandbox. */
import type { Page } from "playwright-core";
import { factor, invitedNina, newToken, nina, recoveryCodes, sandbox, sessions, tokens } from "./fixtures-account.ts";
import type { MockAnswers } from "./mock-server.ts";
import { MANAGED, OWNED, type PageState } from "./page-state.ts";

const signedIn: MockAnswers = { readSession: { data: nina } };
const ninaWithFactor = { ...nina, person: { ...nina.person, has_second_factor: true, recovery_codes_left: 2 } };
const signInLink = {
  kind: "sign_in" as const,
  email: "nina@trattoria.example",
  name: "Nina Ferrari",
  venue: null,
  slug: null,
  has_password: true,
  is_member: false,
};
const inside = (answers: MockAnswers): MockAnswers => ({ ...signedIn, ...answers });

export const accountPageStates: Record<string, PageState> = {
  "sign-in": { path: "/console/sign-in", answers: {}, shows: "form" },
  "sign-in-refused": {
    path: "/console/sign-in",
    answers: { signIn: { refused: "sign_in_failed" } },
    shows: "[role=alert]",
    before: (page) => fillSignIn(page),
  },
  "sign-in-code": {
    path: "/console/sign-in",
    answers: { signIn: { refused: "second_factor_required", details: { is_wrong: false } } },
    shows: "input[name=code]",
    before: (page) => fillSignIn(page),
  },
  "sign-in-recovery": {
    path: "/console/sign-in",
    answers: {
      signIn: (body) => ({ refused: "second_factor_required", details: { is_wrong: (body as { code: unknown }).code !== null } }),
    },
    shows: "[role=alert]",
    before: async (page) => {
      await fillSignIn(page);
      await page.locator("input[name=code]").waitFor();
      await page.locator("form button[type=button]").first().click();
      await page.locator("input[name=code]").fill("7KQ2M0XCR8NT");
      await page.locator("button[type=submit]").click();
    },
  },
  "sign-in-by-mail": {
    path: "/console/sign-in",
    answers: { signIn: { refused: "sign_in_link_required" } },
    shows: "[role=alert]",
    before: (page) => fillSignIn(page),
  },
  "sign-in-mailed": {
    path: "/console/sign-in",
    answers: { signIn: { refused: "sign_in_link_required" }, askForSignInLink: { data: {} } },
    shows: "h1",
    before: async (page) => {
      await fillSignIn(page);
      await page.locator("[role=alert]").waitFor();
      await page.locator("form button[type=button]").last().click();
      await page.locator("form").waitFor({ state: "detached" });
    },
  },
  forgot: { path: "/console/forgot", answers: {}, shows: "form" },
  invitation: {
    path: "/console/link#a-secret",
    answers: {
      readLink: {
        data: {
          kind: "invitation",
          email: "sam@trattoria.example",
          name: null,
          venue: { en: "Trattoria da Nino" },
          slug: "trattoria-da-nino",
          has_password: false,
          is_member: false,
        },
      },
    },
    shows: "form",
  },
  "invitation-accepted": {
    path: "/console/link#a-secret",
    answers: {
      readLink: {
        data: {
          kind: "invitation",
          email: "sam@trattoria.example",
          name: "Sam",
          venue: { en: "Trattoria da Nino" },
          slug: "trattoria-da-nino",
          has_password: true,
          is_member: true,
        },
      },
    },
    shows: "h1",
  },
  "invitation-known": {
    path: "/console/link#a-secret",
    answers: {
      readLink: {
        data: {
          kind: "invitation",
          email: "sam@trattoria.example",
          name: "Sam",
          venue: { en: "Trattoria da Nino" },
          slug: "trattoria-da-nino",
          has_password: true,
          is_member: false,
        },
      },
    },
    shows: "h1",
  },
  "sign-in-link": {
    path: "/console/link#a-secret",
    answers: { readLink: { data: signInLink } },
    shows: "form",
  },
  "sign-in-link-code": {
    path: "/console/link#a-secret",
    answers: { readLink: { data: signInLink }, useSignInLink: { refused: "second_factor_required", details: { is_wrong: false } } },
    shows: "input[name=code]",
    before: (page) => page.locator("button[type=submit]").click(),
  },
  "link-dead": { path: "/console/link#gone", answers: { readLink: { refused: "not_found" } }, shows: "h1" },
  venues: { path: "/console", answers: signedIn, shows: ".venue-row" },
  tokens: { path: `${OWNED}/tokens`, answers: inside({ listTokens: { data: tokens } }), shows: ".token-item h2" },
  "tokens-empty": { path: `${OWNED}/tokens`, answers: inside({ listTokens: { data: [] } }), shows: ".empty" },
  "tokens-refused": {
    path: `${OWNED}/tokens`,
    answers: inside({ listTokens: { refused: "role_required" } }),
    shows: "[role=alert]",
  },
  "token-create": {
    path: `${OWNED}/tokens`,
    answers: inside({ listTokens: { data: tokens } }),
    shows: "[role=dialog] .matrix",
    before: openCreate,
  },
  "token-shown": {
    path: `${OWNED}/tokens`,
    answers: inside({ listTokens: { data: [] }, createToken: { data: newToken } }),
    shows: "[role=dialog] .copy-large",
    before: async (page) => {
      await page.locator(".empty button").click();
      await page.locator("[role=dialog] [data-autofocus]").fill("Website");
      await page.locator("[role=dialog] button[type=submit]").click();
    },
  },
  "token-password": {
    path: `${OWNED}/tokens`,
    answers: inside({ listTokens: { data: [] }, createToken: { refused: "password_required" } }),
    shows: "[role=dialog] input[type=password]",
    before: async (page) => {
      await page.locator(".empty button").click();
      await page.locator("[role=dialog] [data-autofocus]").fill("Website");
      await page.locator("[role=dialog] button[type=submit]").click();
    },
  },
  "token-revoke": {
    path: `${OWNED}/tokens`,
    answers: inside({ listTokens: { data: tokens } }),
    shows: "[role=dialog] .inset",
    before: async (page) => {
      await page.locator(".token-more").first().click();
      await page.locator("[role=menuitem]").last().click();
    },
  },
  "token-roll": {
    path: `${OWNED}/tokens`,
    answers: inside({ listTokens: { data: tokens } }),
    shows: "[role=dialog] [role=radiogroup]",
    before: async (page) => {
      await page.locator(".token-more").first().click();
      await page.locator("[role=menuitem]").nth(1).click();
    },
  },
  sandbox: { path: `${OWNED}/sandbox`, answers: inside({ readSandbox: { data: sandbox } }), shows: ".facts" },
  "sandbox-empty": { path: `${OWNED}/sandbox`, answers: inside({ readSandbox: { data: null } }), shows: ".empty" },
  "venues-invited": { path: "/console", answers: { readSession: { data: invitedNina } }, shows: ".membership" },
  "venues-only-invited": {
    path: "/console",
    answers: { readSession: { data: { ...invitedNina, venues: [] } } },
    shows: ".membership",
  },
  account: { path: "/console/account", answers: inside({ listSessions: { data: sessions } }), shows: ".session" },
  "second-factor": {
    path: "/console/account",
    answers: inside({ listSessions: { data: sessions }, beginSecondFactor: { data: factor } }),
    shows: "[role=dialog] .qr",
    before: async (page) => {
      await page.locator("#factor button").first().click();
      await page.locator("[role=dialog] input[type=password]").fill("a long password");
      await page.locator("[role=dialog] button[type=submit]").click();
    },
  },
  "recovery-codes": {
    path: "/console/account",
    answers: inside({
      listSessions: { data: sessions },
      beginSecondFactor: { data: factor },
      confirmSecondFactor: { data: { person: { ...ninaWithFactor.person, recovery_codes_left: 10 }, recovery_codes: recoveryCodes } },
    }),
    shows: "[role=dialog] .copy-large",
    before: async (page) => {
      await page.locator("#factor button").first().click();
      await page.locator("[role=dialog] input[type=password]").fill("a long password");
      await page.locator("[role=dialog] button[type=submit]").click();
      await page.locator("input[name=code]").fill("123456");
    },
  },
  "account-factor": {
    path: "/console/account",
    answers: { readSession: { data: ninaWithFactor }, listSessions: { data: sessions } },
    shows: ".session",
  },
  "account-invited": {
    path: "/console/account",
    answers: { readSession: { data: invitedNina }, listSessions: { data: sessions } },
    shows: "#invitations .membership",
  },
  "account-invitation-over": {
    path: "/console/account",
    answers: { readSession: { data: invitedNina }, listSessions: { data: sessions }, acceptInvitation: { refused: "not_found" } },
    shows: ".mantine-Notification-root",
    before: (page) => page.locator("#invitations .membership button").first().click(),
  },
  "account-leave": {
    path: "/console/account",
    answers: inside({ listSessions: { data: sessions } }),
    shows: "[role=dialog] [data-autofocus]",
    before: (page) => page.locator("#venues .membership button").last().click(),
  },
  "account-leave-last-owner": {
    path: "/console/account",
    answers: inside({
      listSessions: { data: sessions },
      leaveVenue: { refused: "validation_failed", details: { role: ["Make another person an owner first."] } },
    }),
    shows: "[role=dialog] [role=alert]",
    before: async (page) => {
      await page.locator("#venues .membership button").first().click();
      await page.locator("[role=dialog] button").last().click();
    },
  },
  "account-sessions-refused": {
    path: "/console/account",
    answers: inside({ listSessions: { refused: "server_error" } }),
    shows: "#sessions [role=alert]",
  },
  "recovery-renew": {
    path: "/console/account",
    answers: { readSession: { data: ninaWithFactor }, listSessions: { data: sessions }, renewRecoveryCodes: { refused: "sign_in_failed" } },
    shows: "[role=dialog] .mantine-InputWrapper-error",
    before: async (page) => {
      await page.locator("#factor button").first().click();
      await page.locator("[role=dialog] input[type=password]").fill("not the password");
      await page.locator("input[name=code]").fill("123456");
      await page.locator("[role=dialog] button[type=submit]").click();
    },
  },
  "account-menu": {
    path: `${MANAGED}/sandbox`,
    answers: inside({ readSandbox: { data: null } }),
    shows: "[role=menu]",
    before: (page) => page.locator(".avatar-button").click(),
  },
  missing: { path: "/console/nowhere", answers: {}, shows: "h1" },
};

async function fillSignIn(page: Page): Promise<void> {
  await page.locator("input[name=email]").fill("nina@trattoria.example");
  await page.locator("input[name=password]").fill("a long password");
  await page.locator("button[type=submit]").click();
}

async function openCreate(page: Page): Promise<void> {
  await page.locator(".token-item h2").first().waitFor();
  await page.locator("main button").first().click();
  await page.locator(".choice-card").last().click();
}
