/** Every page in every look: axe finds nothing, nothing is refused by the policy, nothing is asked elsewhere, nothing scrolls sideways. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { axeFaults, isTooWide, LOOK_NAMES, LOOKS, type LookName, openBrowser, shoot, visit } from "./browser.ts";
import { newToken, nina, sandbox, sessions, tokens } from "./cast.ts";
import { type House, openHouse } from "./house.ts";
import { type Play, stage } from "./stage.ts";

let house: House;
let browser: Browser;
beforeAll(async () => {
  [house, browser] = await Promise.all([openHouse(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await house?.close();
});

const signedIn: Play = { readSession: { data: nina } };
const inside = (play: Play): Play => ({ ...signedIn, ...play });

type Scene = { path: string; play: Play; shows: string; before?: (page: Page) => Promise<void> };

const SCENES: Record<string, Scene> = {
  "sign-in": { path: "/console/sign-in", play: {}, shows: "form" },
  "sign-in-refused": {
    path: "/console/sign-in",
    play: { signIn: { refused: "sign_in_failed" } },
    shows: "[role=alert]",
    before: (page) => fillSignIn(page),
  },
  "sign-in-code": {
    path: "/console/sign-in",
    play: { signIn: { refused: "sign_in_failed", details: { second_factor: true } } },
    shows: "input[name=code]",
    before: (page) => fillSignIn(page),
  },
  forgot: { path: "/console/forgot", play: {}, shows: "form" },
  invitation: {
    path: "/console/link#a-secret",
    play: {
      readLink: {
        data: { kind: "invitation", email: "sam@trattoria.example", name: null, venue: { en: "Trattoria da Nino" }, has_password: false },
      },
    },
    shows: "form",
  },
  "link-dead": { path: "/console/link#gone", play: { readLink: { refused: "not_found" } }, shows: "h1" },
  venues: { path: "/console", play: signedIn, shows: ".venue-row" },
  tokens: { path: "/console/v/trattoria-da-nino/tokens", play: inside({ listTokens: { data: tokens } }), shows: ".token-item h2" },
  "tokens-empty": { path: "/console/v/trattoria-da-nino/tokens", play: inside({ listTokens: { data: [] } }), shows: ".empty" },
  "tokens-refused": {
    path: "/console/v/trattoria-da-nino/tokens",
    play: inside({ listTokens: { refused: "role_required" } }),
    shows: "[role=alert]",
  },
  "token-create": {
    path: "/console/v/trattoria-da-nino/tokens",
    play: inside({ listTokens: { data: tokens } }),
    shows: "[role=dialog] .matrix",
    before: openCreate,
  },
  "token-shown": {
    path: "/console/v/trattoria-da-nino/tokens",
    play: inside({ listTokens: { data: [] }, createToken: { data: newToken } }),
    shows: "[role=dialog] .copy-large",
    before: async (page) => {
      await page.locator(".empty button").click();
      await page.locator("[role=dialog] [data-autofocus]").fill("Website");
      await page.locator("[role=dialog] button[type=submit]").click();
    },
  },
  "token-revoke": {
    path: "/console/v/trattoria-da-nino/tokens",
    play: inside({ listTokens: { data: tokens } }),
    shows: "[role=dialog] .inset",
    before: async (page) => {
      await page.locator(".token-more").first().click();
      await page.locator("[role=menuitem]").last().click();
    },
  },
  "token-roll": {
    path: "/console/v/trattoria-da-nino/tokens",
    play: inside({ listTokens: { data: tokens } }),
    shows: "[role=dialog] [role=radiogroup]",
    before: async (page) => {
      await page.locator(".token-more").first().click();
      await page.locator("[role=menuitem]").nth(1).click();
    },
  },
  sandbox: { path: "/console/v/trattoria-da-nino/sandbox", play: inside({ readSandbox: { data: sandbox } }), shows: ".facts" },
  "sandbox-empty": { path: "/console/v/trattoria-da-nino/sandbox", play: inside({ readSandbox: { data: null } }), shows: ".empty" },
  account: { path: "/console/account", play: inside({ listSessions: { data: sessions } }), shows: ".session" },
  "account-menu": {
    path: "/console/v/bar-sport/sandbox",
    play: inside({ readSandbox: { data: null } }),
    shows: "[role=menu]",
    before: (page) => page.locator(".avatar-button").click(),
  },
  missing: { path: "/console/nowhere", play: {}, shows: "h1" },
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

/** While working on one page: SCENE=tokens LOOK=dark npm run e2e -- pages */
const wanted = (all: string | undefined, name: string): boolean => !all || all.split(",").includes(name);

describe.each(LOOK_NAMES.filter((name) => wanted(process.env.LOOK, name)))("%s", (lookName: LookName) => {
  const scenes = Object.entries(SCENES).filter(([name]) => wanted(process.env.SCENE, name));
  test.each(scenes)("%s", async (name, scene) => {
    const { page, context, faults } = await visit(browser, house.url, LOOKS[lookName]);
    await stage(page, scene.play);
    await page.goto(scene.path);
    await scene.before?.(page);
    await page.locator(scene.shows).first().waitFor();
    const axe = await axeFaults(page);
    await shoot(page, `${name}.${lookName}`);
    expect({ faults, axe, isTooWide: await isTooWide(page) }).toEqual({ faults: [], axe: [], isTooWide: false });
    await context.close();
  });
});
