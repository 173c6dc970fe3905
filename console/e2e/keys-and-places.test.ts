/** What stays in reach: a move by keys goes on where it is refused, the open page is seen in the navigation, and pages keep their margins. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser, openInNewContext, takeScreenshot } from "./browser.ts";
import { nina } from "./fixtures-account.ts";
import { bookingDay, expected } from "./fixtures-bookings.ts";
import { type MockAnswers, type MockServer, startMockServer } from "./mock-server.ts";
import { OWNED } from "./page-state.ts";

let mockServer: MockServer;
let browser: Browser;
beforeAll(async () => {
  [mockServer, browser] = await Promise.all([startMockServer(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await mockServer?.close();
});

const open = async (path: string, answers: MockAnswers, size = { width: 1100, height: 560 }) => {
  const { page, context } = await openInNewContext(browser, mockServer.url);
  await page.setViewportSize(size);
  await mockServer.setAnswers(page, { readSession: { data: nina }, ...answers });
  await page.goto(`${OWNED}/${path}`);
  await page.locator("h1").waitFor();
  return { page, close: () => context.close() };
};

/** A booking on its way to a table that another party has. */
const openRefusedMove = async () => {
  const opened = await open("bookings", { readBookingDay: { data: bookingDay } });
  const { page } = opened;
  await page.locator(".bookings-head .mantine-SegmentedControl-label").nth(1).click();
  await page.locator(`[data-booking="${expected.reservation.id}"]`).focus();
  await page.keyboard.press("m");
  const status = page.locator(".timeline-status");
  for (const key of ["ArrowUp", "ArrowUp", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown"]) {
    if ((await status.getAttribute("data-allowed")) === "false") break;
    await page.keyboard.press(key);
    await page.waitForTimeout(100);
  }
  expect(await status.getAttribute("data-allowed")).toBe("false");
  return { ...opened, status };
};

test("Enter where a booking cannot go says so, and the move goes on", async () => {
  const { page, status, close } = await openRefusedMove();
  await page.keyboard.press("Enter");
  await status.getByText("Nothing was moved. Choose another place, or press Escape.").waitFor();
  expect(await page.locator(".timeline-ghost").count()).toBe(1);
  await takeScreenshot(page, "timeline-refused");
  await page.keyboard.press("ArrowRight");
  expect(await page.locator(".timeline-ghost").count()).toBe(1);
  await page.keyboard.press("Escape");
  await page.locator(".timeline-ghost").waitFor({ state: "detached" });
  await close();
});

test("planted: Escape in place of Enter ends the move without a word", async () => {
  const { page, status, close } = await openRefusedMove();
  await page.keyboard.press("Escape");
  await page.locator(".timeline-ghost").waitFor({ state: "detached" });
  expect(await status.getByText("Nothing was moved.").count()).toBe(0);
  await close();
});

const isInSight = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const link = document.querySelector(".nav-link[aria-current=page]")?.getBoundingClientRect();
    const list = document.querySelector(".shell-nav")?.getBoundingClientRect();
    return link !== undefined && list !== undefined && link.top >= list.top && link.bottom <= list.bottom + 1;
  });

test("the open page is in sight in the navigation, however far below it stands", async () => {
  const { page, close } = await open("signature", {});
  await page.locator(".nav-signature[aria-current=page]").waitFor();
  await expect.poll(() => isInSight(page)).toBe(true);
  await page.locator(".nav-orders").evaluate((link) => link.scrollIntoView());
  // Planted: a list that is not moved hides it.
  expect(await isInSight(page)).toBe(false);
  await close();
});

const staff = { ...nina, venues: nina.venues.map((venue) => ({ ...venue, role: "staff" as const })) };
const marginOf = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const main = document.querySelector("main")?.getBoundingClientRect();
    const title = document.querySelector("main h1")?.closest(".empty")?.getBoundingClientRect();
    return Math.min((title?.left ?? 0) - (main?.left ?? 0), (main?.right ?? 0) - (title?.right ?? 0));
  });

test("pages that a role may not open keep the margin of a page", async () => {
  const phone = { width: 360, height: 640 };
  for (const path of ["takings", "menu", "restaurant", "reports", "reviews", "shifts", "tokens", "venue-file"]) {
    const { page, close } = await open(path, { readSession: { data: staff } }, phone);
    expect([path, (await marginOf(page)) >= 16]).toEqual([path, true]);
    if (path === "venue-file") await takeScreenshot(page, "restricted-phone");
    // Planted: without the frame of a page the text begins at the edge.
    await page.evaluate(() => document.querySelector("main .page")?.classList.remove("page"));
    expect([path, (await marginOf(page)) >= 16]).toEqual([path, false]);
    await close();
  }
});

test("a page of one column is narrower than one with lists", async () => {
  const { page, close } = await open("venue-file", {}, { width: 1500, height: 700 });
  const width = async (): Promise<number> => (await page.locator(".page").first().boundingBox())?.width ?? 0;
  expect(await width()).toBe(760);
  await page.evaluate(() => document.querySelector(".page")?.classList.remove("narrow"));
  expect(await width()).toBe(1120);
  await close();
});
