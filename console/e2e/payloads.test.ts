/** A hundred scripts in every text the console shows or takes: none runs, none even reaches the policy. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser, visit } from "./browser.ts";
import { consent } from "./cast-apps.ts";
import { type House, openHouse } from "./house.ts";
import { PAYLOADS } from "./payloads.ts";
import { accept, callFrom } from "./people.ts";
import { poisoned, poisonScene } from "./poison.ts";
import { scenes } from "./scenes.ts";
import { openStage, type Stage } from "./stage.ts";
import { witness } from "./witness.ts";

let stage: Stage;
let house: House;
let browser: Browser;
beforeAll(async () => {
  [stage, house, browser] = await Promise.all([openStage(), openHouse(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await stage?.close();
  await house?.close();
});

/** Everything that a page keeps folded. */
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
  delivery: { path: `${HOME}/deliveries?open=1001`, shows: ".retry-lines svg" },
  activity: { path: `${HOME}/activity`, shows: ".activity-row" },
  requests: { path: `${HOME}/requests`, shows: ".request-row" },
  apps: { path: `${HOME}/apps`, shows: ".app-card" },
  "own apps": { path: "/console/apps", shows: ".own-app" },
};

/** React puts an error into the place of such an address. */
const runnableLinks = (page: Page): Promise<string[]> =>
  page
    .locator("a[href]")
    .evaluateAll((links) =>
      links
        .map((link) => (link as HTMLAnchorElement).href)
        .filter((href) => /^javascript:(?!throw new Error\('React has blocked)/.test(href)),
    );

test.concurrent.each(Object.entries(SHOWN))("shown: %s", async (_, { path, shows, also }) => {
  const { page, context, faults } = await visit(browser, stage.url);
  const { report } = await witness(page);
  await stage.put(page, poisoned);
  await page.goto(path);
  await page.locator(shows).first().waitFor();
  await also?.(page);
  await unfold(page);
  expect(await page.content()).toContain("__ran");
  expect(await runnableLinks(page)).toEqual([]);
  expect(await report()).toEqual([]);
  expect(faults).toEqual([]);
  await context.close();
});

/** Dialogs, drawers and menus, and the question whether an app may come in: what takes a step to be seen. */
const STEPS = Object.entries(scenes).filter(
  ([name, { play, before }]) => play.readSession && (before !== undefined || ["consent", "consent-several"].includes(name)),
);

test("the steps that lead to a secret, to a consent and out of a venue are among them", () => {
  const names = STEPS.map(([name]) => name);
  for (const name of ["token-shown", "webhook-add", "webhook-secret", "second-factor", "consent", "app-uninstall", "own-app-secret"])
    expect(names).toContain(name);
});

test.concurrent.each(STEPS)("shown after a step: %s", async (_, scene) => {
  const { page, context, faults } = await visit(browser, stage.url);
  const { report } = await witness(page);
  await stage.put(page, poisonScene(scene));
  await page.goto(scene.path);
  await scene.before?.(page);
  await page.locator(scene.shows).first().waitFor();
  await unfold(page);
  expect(await page.content()).toContain("__ran");
  expect(await runnableLinks(page)).toEqual([]);
  expect(await report()).toEqual([]);
  expect(faults).toEqual([]);
  await context.close();
});

test.concurrent("an app's name stands on the consent screen letter by letter, whatever it looks like", async () => {
  const { page, context } = await visit(browser, stage.url);
  const names = [PAYLOADS.join(" ").replaceAll(/\s+/g, " "), "</bdi>Comanda<bdi>", "$t(consent.allow)", "a &amp; b"];
  const shown: (string | null)[] = [];
  for (const name of names) {
    await stage.put(page, { ...scenes.consent?.play, readConsent: { data: { ...consent, app: { ...consent.app, name } } } });
    await page.goto("/console/consent/a-request");
    shown.push(await page.locator("h1 bdi").textContent());
  }
  expect(shown).toEqual(names);
  await context.close();
});

/** Each payload into each field, as fast as the page takes them; how many fields there were. */
const fillAll = async (page: Page, selector: string): Promise<number> => {
  await page.locator(selector).first().waitFor();
  return page.locator(selector).evaluateAll(async (fields, payloads) => {
    for (const field of fields as (HTMLInputElement | HTMLTextAreaElement)[])
      for (const payload of payloads) {
        field.focus();
        field.setSelectionRange(0, field.value.length);
        document.execCommand("insertText", false, payload);
        await new Promise((resolve) => setTimeout(resolve));
      }
    return fields.length;
  }, PAYLOADS);
};

test.concurrent("typed: names, addresses, descriptions, filters and the checker's fields, on the real server", async () => {
  const slug = await house.venue("trattoria");
  const { page, context, faults } = await visit(browser, house.url);
  const { report } = await witness(page);
  await accept(page, await house.invite(slug, "nina@example.com"));
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
  const slug = await house.venue("gulf-cafe");
  const { page, context, faults } = await visit(browser, house.url);
  const { report } = await witness(page);
  await accept(page, await house.invite(slug, "lama@example.com"));
  for (const payload of PAYLOADS) {
    const { status } = await callFrom(page, "POST", `/venues/${slug}/tokens`, { name: payload.slice(0, 80), scopes: ["menu:read"] });
    // What has characters that no name has is refused, and that is as good.
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
    await walkFilters(page, `/console/v/${slug}/${path}`, names);
  expect(await report()).toEqual([]);
  expect(faults).toEqual([]);
  await context.close();
});

const walkFilters = async (page: Page, path: string, names: readonly string[]): Promise<void> => {
  await page.goto(path);
  await page.locator(".filters").waitFor();
  for (const payload of PAYLOADS) {
    const search = new URLSearchParams(names.map((name) => [name, payload]));
    await page.evaluate(
      (url) => {
        history.replaceState({}, "", url);
        window.dispatchEvent(new PopStateEvent("popstate"));
        return new Promise((resolve) => requestAnimationFrame(resolve));
      },
      `${path}?${search}#${encodeURIComponent(payload)}`,
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
    const context = await browser.newContext({ baseURL: stage.url, bypassCSP });
    const page = await context.newPage();
    const { report } = await witness(page);
    await page.goto("/console/sign-in");
    await page.locator("form").waitFor();
    await plant(page);
    await page.waitForTimeout(200);
    expect(await report()).toEqual(expected);
    await context.close();
  }
});
