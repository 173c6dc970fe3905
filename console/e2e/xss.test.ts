/**
 * A hundred XSS payloads in every text that the console shows or accepts. None runs, and none triggers the content security policy.
 *
 * @long: it is among the longest.
 */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newContext, openBrowser, openInNewContext, openPage } from "./browser.ts";
import { consent } from "./fixtures-apps.ts";
import { type MockServer, startMockServer } from "./mock-server.ts";
import type { PageState } from "./page-state.ts";
import { pageStates } from "./page-states.ts";
import { type RealServer, startRealServer } from "./real-server.ts";
import { routerPages, statesOf } from "./router-pages.ts";
import { acceptInvitation, callFrom } from "./sign-in.ts";
import { detectXss } from "./xss-detector.ts";
import { withXssPayloads, withXssTexts, xssAnswers } from "./xss-fixtures.ts";
import { PAYLOADS } from "./xss-payloads.ts";

let mockServer: MockServer;
let server: RealServer;
let browser: Browser;
/** Pages of the mock server share a context, so that the browser compiles the console once. */
let mocked: BrowserContext;
beforeAll(async () => {
  [mockServer, server, browser] = await Promise.all([startMockServer(), startRealServer(), openBrowser()]);
  mocked = await newContext(browser, mockServer.url);
});
afterAll(async () => {
  await browser?.close();
  await mockServer?.close();
  await server?.close();
});

/** Opens every collapsed part of the page. */
const unfold = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
    for (const fold of document.querySelectorAll<HTMLElement>("main ul [aria-expanded=false]:not([aria-haspopup])")) fold.click();
  });

const HOME = "/console/v/trattoria-da-nino";
const SHOWN: Record<string, { path: string; shows: string; also?: (page: Page) => Promise<void> }> = {
  venues: { path: "/console", shows: ".venue-row" },
  "the switcher": {
    path: `${HOME}/sandbox`,
    shows: ".facts",
    also: (page) => page.locator("header button[aria-haspopup=menu]").first().click(),
  },
  invitation: { path: "/console/link#secret", shows: "form" },
  account: { path: "/console/account", shows: ".session" },
  tokens: { path: `${HOME}/tokens`, shows: ".token-item h2" },
  webhooks: { path: `${HOME}/webhooks`, shows: ".hook-item" },
  deliveries: { path: `${HOME}/deliveries`, shows: ".delivery-row" },
  delivery: { path: `${HOME}/deliveries?open=1001`, shows: ".retry-timeline svg" },
  activity: { path: `${HOME}/activity`, shows: ".activity-row" },
  requests: { path: `${HOME}/requests`, shows: ".request-row" },
  apps: { path: `${HOME}/apps`, shows: ".app-card" },
  "my apps": { path: "/console/apps", shows: ".my-app" },
};

/** React replaces a javascript: link with one that throws. */
const runnableLinks = (page: Page): Promise<string[]> =>
  page
    .locator("a[href]")
    .evaluateAll((links) =>
      links
        .map((link) => (link as HTMLAnchorElement).href)
        .filter((href) => /^javascript:(?!throw new Error\('React has blocked)/.test(href)),
    );

test.concurrent.each(Object.entries(SHOWN))("shown: %s", async (_, { path, shows, also }) => {
  const { page, faults } = await openPage(mocked, mockServer.url);
  const { report } = await detectXss(page);
  await mockServer.setAnswers(page, xssAnswers);
  await page.goto(path);
  await page.locator(shows).first().waitFor();
  await also?.(page);
  await unfold(page);
  expect(await page.content()).toContain("__ran");
  expect(await runnableLinks(page)).toEqual([]);
  expect(await report()).toEqual([]);
  expect(faults).toEqual([]);
  await page.close();
});

/** Each page of the router is opened in the state that has most to show, without a step where there is one. */
const PAGES = routerPages.flatMap((page): [string, PageState][] => {
  const states = statesOf(page).map(([, state]) => state);
  const size = ({ answers }: PageState): number => JSON.stringify(answers).length;
  const byStep = Map.groupBy(states, ({ before }) => before === undefined);
  const largest = (byStep.get(true) ?? byStep.get(false) ?? []).toSorted((a, b) => size(b) - size(a))[0];
  return largest ? [[page, largest]] : [];
});
/** Forms before anything is known of the person, and the list of venues, which is above. */
const WITHOUT_TEXTS: readonly string[] = ["/", "/sign-in", "/forgot", "/sign-up"];

test("every page of the router is visited", () => {
  expect(routerPages.filter((page) => !PAGES.some(([visited]) => visited === page))).toEqual([]);
});

test.concurrent.each(PAGES)("every text of the contract on %s", async (name, state) => {
  const { page, faults } = await openPage(mocked, mockServer.url);
  const { report } = await detectXss(page);
  await mockServer.setAnswers(page, withXssTexts(state));
  await page.goto(state.path);
  await state.before?.(page);
  await page.locator(state.shows).first().waitFor();
  await unfold(page);
  expect((await page.content()).includes("__ran")).toBe(!WITHOUT_TEXTS.includes(name));
  expect(await runnableLinks(page)).toEqual([]);
  expect(await report()).toEqual([]);
  expect(faults).toEqual([]);
  await page.close();
});

const IS_LONG = Boolean(process.env.TEST_STRESS);

/** Dialogs, drawers, menus and the consent screen: states that are reached by a step. The short form has those named here. */
const SHORT_STEPS = ["token-shown", "webhook-add", "webhook-secret", "second-factor", "consent", "app-uninstall", "my-app-secret"];
const STEPS = Object.entries(pageStates)
  .filter(([name, { answers, before }]) => answers.readSession && (before !== undefined || ["consent", "consent-several"].includes(name)))
  .filter(([name]) => IS_LONG || SHORT_STEPS.includes(name));

test("the steps that lead to a secret, to a consent and out of a venue are among them", () => {
  expect(STEPS.map(([name]) => name)).toEqual(expect.arrayContaining(SHORT_STEPS));
});

test.concurrent.each(STEPS)("shown after a step: %s", async (_, state) => {
  const { page, faults } = await openPage(mocked, mockServer.url);
  const { report } = await detectXss(page);
  await mockServer.setAnswers(page, withXssPayloads(state));
  await page.goto(state.path);
  await state.before?.(page);
  await page.locator(state.shows).first().waitFor();
  await unfold(page);
  expect(await page.content()).toContain("__ran");
  expect(await runnableLinks(page)).toEqual([]);
  expect(await report()).toEqual([]);
  expect(faults).toEqual([]);
  await page.close();
});

test.concurrent("an app's name stands on the consent screen letter by letter, whatever it looks like", async () => {
  const { page, context } = await openInNewContext(browser, mockServer.url);
  const names = [PAYLOADS.join(" ").replaceAll(/\s+/g, " "), "</bdi>Comanda<bdi>", "$t(consent.allow)", "a &amp; b"];
  const shown: (string | null)[] = [];
  for (const name of names) {
    await mockServer.setAnswers(page, {
      ...pageStates.consent?.answers,
      readConsent: { data: { ...consent, app: { ...consent.app, name } } },
    });
    await page.goto("/console/consent/a-request");
    shown.push(await page.locator("h1 bdi").textContent());
  }
  expect(shown).toEqual(names);
  await context.close();
});

/** Types every payload: the fields take turns, and in the long form each field gets each of them. Returns the number of fields. */
const fillAll = async (page: Page, selector: string): Promise<number> => {
  await page.locator(selector).first().waitFor();
  return page.locator(selector).evaluateAll(
    async (fields, { payloads, isLong }) => {
      for (const [place, field] of (fields as (HTMLInputElement | HTMLTextAreaElement)[]).entries())
        for (const payload of payloads.filter((_, turn) => isLong || turn % fields.length === place)) {
          field.focus();
          field.setSelectionRange(0, field.value.length);
          document.execCommand("insertText", false, payload);
          await new Promise((resolve) => setTimeout(resolve));
        }
      return fields.length;
    },
    { payloads: PAYLOADS, isLong: IS_LONG },
  );
};

test.concurrent("typed: names, addresses, descriptions, filters and the checker's fields, on the real server", async () => {
  const slug = await server.venue("trattoria");
  const { page, context, faults } = await openInNewContext(browser, server.url);
  const { report } = await detectXss(page);
  await acceptInvitation(page, await server.invite(slug, "nina@example.com"));
  const inside = (path: string) => page.goto(`/console/v/${slug}/${path}`);
  const TYPED = "main input[type=text]:not([readonly]), main input:not([type]):not([readonly]), main textarea";
  for (const [path, shows] of [
    ["signature", "textarea"],
    ["activity", ".filters"],
    ["deliveries", ".filters"],
  ] as const) {
    await inside(path);
    await page.locator(shows).first().waitFor();
    expect([path, (await fillAll(page, TYPED)) > 0]).toEqual([path, true]);
    expect([path, await report()]).toEqual([path, []]);
  }
  await inside("webhooks");
  await page.locator(".empty button").click();
  expect(await fillAll(page, "[role=dialog] input:not([type=checkbox]):not([readonly])")).toBeGreaterThan(1);
  expect(["webhooks", await report()]).toEqual(["webhooks", []]);
  await inside("tokens");
  await page.locator(".empty button").click();
  expect(await fillAll(page, "[role=dialog] [data-autofocus]")).toBe(1);
  await page.goto("/console/account");
  await page.locator(".session").waitFor();
  expect(await fillAll(page, TYPED)).toBeGreaterThan(0);
  expect(["account", await report()]).toEqual(["account", []]);
  expect(faults).toEqual([]);
  await context.close();
});

test.concurrent("stored by the real server and shown again; in the address of a page", async () => {
  const slug = await server.venue("gulf-cafe");
  const { page, context, faults } = await openInNewContext(browser, server.url);
  const { report } = await detectXss(page);
  await acceptInvitation(page, await server.invite(slug, "lama@example.com"));
  for (const payload of PAYLOADS) {
    const { status } = await callFrom(page, "POST", `/venues/${slug}/tokens`, { name: payload.slice(0, 80), scopes: ["menu:read"] });
    // 422: the name has characters that the server refuses.
    expect([201, 422]).toContain(status);
  }
  await page.goto(`/console/v/${slug}/tokens`);
  await page.locator(".token-item h2").first().waitFor();
  expect(await page.locator(".token-item").count()).toBeGreaterThan(90);
  expect(await report()).toEqual([]);
  await page.goto(`/console/v/${slug}/activity`);
  await page.locator(".activity-row").first().waitFor();
  await unfold(page);
  expect(await report()).toEqual([]);
  for (const [path, names] of [
    ["deliveries", ["event", "type", "state", "webhook", "open"]],
    ["activity", ["area", "actor", "subject"]],
    ["requests", ["token", "status"]],
  ] as const)
    await openWithFilters(page, `/console/v/${slug}/${path}`, names);
  expect(await report()).toEqual([]);
  expect(faults).toEqual([]);
  await context.close();
});

/** The payloads for each address: one for every filter, or in the long form the same one for all filters. */
const filterValues = (names: readonly string[]): string[][] =>
  IS_LONG
    ? PAYLOADS.map((payload) => names.map(() => payload))
    : Array.from({ length: Math.ceil(PAYLOADS.length / names.length) }, (_, turn) =>
        names.map((_, place) => PAYLOADS[(turn * names.length + place) % PAYLOADS.length] ?? ""),
      );

const openWithFilters = async (page: Page, path: string, names: readonly string[]): Promise<void> => {
  await page.goto(path);
  await page.locator(".filters").waitFor();
  for (const values of filterValues(names)) {
    const search = new URLSearchParams(names.map((name, place) => [name, values[place] ?? ""]));
    await page.evaluate(
      (url) => {
        history.replaceState({}, "", url);
        window.dispatchEvent(new PopStateEvent("popstate"));
        return new Promise((resolve) => requestAnimationFrame(resolve));
      },
      `${path}?${search}#${encodeURIComponent(values.join(" "))}`,
    );
  }
  await page.locator(".filters").waitFor();
};

test("a page that did take a text for markup would be noticed, with the policy and without", async () => {
  const plant = (page: Page) =>
    page.evaluate(() => {
      const [spot] = document.getElementsByTagName("main");
      if (spot) spot.innerHTML = "<img src=x onerror=__ran=1>";
    });
  for (const [bypassCSP, expected] of [
    [false, ["refused script-src-attr inline"]],
    [true, ["ran"]],
  ] as const) {
    const context = await browser.newContext({ baseURL: mockServer.url, bypassCSP });
    const page = await context.newPage();
    const { report } = await detectXss(page);
    await page.goto("/console/sign-in");
    await page.locator("form").waitFor();
    await plant(page);
    await page.waitForTimeout(200);
    expect(await report()).toEqual(expected);
    await context.close();
  }
});
