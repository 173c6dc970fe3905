/**
 * A menu of 500 dishes: a key typed into a price is drawn at once. `TEST_STRESS=1 npm run e2e -- menu-responsiveness` judges the time.
 *
 * @alone: it slows its processor down and measures how long drawing takes.
 */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LOOKS, openBrowser, openInNewContext } from "./browser.ts";
import { nina } from "./fixtures-account.ts";
import { largeMenuPlan } from "./fixtures-menu.ts";
import { type MockServer, startMockServer } from "./mock-server.ts";
import { OWNED } from "./page-state.ts";

const KEY_MS_MAX = process.env.TEST_STRESS ? 50 : 1000;

let mockServer: MockServer;
let browser: Browser;
beforeAll(async () => {
  [mockServer, browser] = await Promise.all([startMockServer(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await mockServer?.close();
});

test(`with 500 dishes a key in a price takes ${KEY_MS_MAX} ms at most`, async () => {
  const { page } = await openInNewContext(browser, mockServer.url, LOOKS.light);
  await mockServer.setAnswers(page, { readSession: { data: nina }, readMenuPlan: { data: largeMenuPlan } });
  await page.goto(`${OWNED}/menu`);
  await page.locator(".menu-line").nth(499).waitFor({ state: "attached" });
  await page.locator(".menu-price-input").nth(2).click();
  await page.evaluate(() => {
    const took: number[] = [];
    (window as unknown as { took: number[] }).took = took;
    let began = 0;
    window.addEventListener("keydown", () => (began = performance.now()), true);
    // A message is handled after the picture that the key asked for.
    document.addEventListener("input", () => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => took.push(performance.now() - began);
      requestAnimationFrame(() => channel.port2.postMessage(null));
    });
  });
  for (const key of ["Control+a", "1", "2", ".", "3", "0", "Backspace", "5"]) await page.keyboard.press(key);
  const took = await page.evaluate(() => (window as unknown as { took: number[] }).took);
  console.info(`500 dishes, milliseconds from a key to the picture: ${took.map(Math.round).join(" ")}`);
  expect(took.length).toBeGreaterThan(5);
  expect(took.toSorted((a, b) => a - b)[Math.floor(took.length / 2)]).toBeLessThanOrEqual(KEY_MS_MAX);
});
