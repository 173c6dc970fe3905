/** The order that staff take, on a phone and a tablet: the button that places it is always in sight. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LOOKS, openBrowser, openInNewContext } from "./browser.ts";
import { type MockServer, startMockServer } from "./mock-server.ts";
import { newOrderPageStates } from "./page-states-new-order.ts";

let mockServer: MockServer;
let browser: Browser;
beforeAll(async () => {
  [mockServer, browser] = await Promise.all([startMockServer(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await mockServer?.close();
});

const SIZES = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
];

test.each(SIZES)("at $width pixels the button stays at the bottom, wherever the page is scrolled to", async (size) => {
  const state = newOrderPageStates["new-order-lines"];
  if (!state) throw new Error("There is no such state");
  const { page, context } = await openInNewContext(browser, mockServer.url, { ...LOOKS.phone, ...size });
  await mockServer.setAnswers(page, state.answers);
  await page.goto(state.path);
  await state.before?.(page);
  const place = page.locator(".new-order-place");
  for (const share of [0, 0.5, 1]) {
    await page.locator(".new-order").evaluate((element, to) => {
      const scroller = element.closest<HTMLElement>(".mantine-Modal-content") ?? document.documentElement;
      scroller.scrollTop = (scroller.scrollHeight - scroller.clientHeight) * to;
    }, share);
    const box = await place.boundingBox();
    expect(box?.y, `scrolled to ${share}`).toBeGreaterThan(size.height - 120);
    expect((box?.y ?? 0) + (box?.height ?? 0), `scrolled to ${share}`).toBeLessThanOrEqual(size.height);
  }
  await context.close();
});
