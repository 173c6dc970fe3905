/** What the page says at its lower edge covers nothing: toasts stand above what can be undone, and fields above what is not saved. */
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser, openInNewContext, takeScreenshot } from "./browser.ts";
import { nina } from "./fixtures-account.ts";
import { venueSettings } from "./fixtures-hours.ts";
import { board, boardOrders, orderDetails } from "./fixtures-orders.ts";
import { type MockAnswers, type MockServer, startMockServer } from "./mock-server.ts";
import { OWNED } from "./page-state.ts";
import { button } from "./sign-in.ts";

let mockServer: MockServer;
let browser: Browser;
beforeAll(async () => {
  [mockServer, browser] = await Promise.all([startMockServer(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await mockServer?.close();
});

const PHONE = { width: 360, height: 640 };

const open = async (path: string, answers: MockAnswers, size = PHONE): Promise<{ page: Page; close: () => Promise<void> }> => {
  const { page, context } = await openInNewContext(browser, mockServer.url);
  await page.setViewportSize(size);
  await mockServer.setAnswers(page, { readSession: { data: nina }, ...answers });
  await page.goto(`${OWNED}/${path}`);
  return { page, close: () => context.close() };
};

/** Names of what lies on something else, of all that two selectors find. */
const covered = (page: Page, upper: string, lower: string): Promise<string[]> =>
  page.evaluate(
    ([above, below]) => {
      const boxes = (selector: string) => [...document.querySelectorAll(selector)].filter((found) => found.checkVisibility());
      return boxes(above ?? "").flatMap((one) =>
        boxes(below ?? "")
          .filter((other) => {
            const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
            return a.top < b.bottom && b.top < a.bottom && a.left < b.right && b.left < a.right;
          })
          .map((other) => `${one.className} on ${other.className}`),
      );
    },
    [upper, lower],
  );

const first = boardOrders[0] as BoardOrder;

/** A rejected order that can be undone, and a toast beside it. */
const openUndoAndToast = async () => {
  const opened = await open("orders", {
    readBoard: { data: board },
    readOrderDetails: { data: orderDetails },
    moveBoardOrder: { refused: "role_required" },
    findBoardOrders: { data: [] },
  });
  const { page } = opened;
  await page.locator(".order-card").first().waitFor();
  await button(page, "Accept #41").click();
  await page.locator(".mantine-Notification-root").first().waitFor({ timeout: 20_000 });
  await page.keyboard.press("j");
  await page.keyboard.press("r");
  await page.getByRole("dialog").getByRole("textbox", { name: "Reason" }).fill("No dough left");
  await button(page, "Reject order").click();
  await page.locator(".undo-row").first().waitFor();
  return opened;
};
const toastOnUndo = (page: Page): Promise<string[]> => covered(page, ".mantine-Notification-root", ".undo-row");

test("a toast and what can be undone are stacked, on a phone as well", async () => {
  const { page, close } = await openUndoAndToast();
  await expect.poll(() => toastOnUndo(page)).toEqual([]);
  expect(await page.locator(".mantine-Notification-root").count()).toBeGreaterThan(0);
  await takeScreenshot(page, "feedback-place");
  expect(first.order.status).toBe("placed");
  await close();
});

test("planted: without the measured height the toast covers what can be undone", async () => {
  const { page, close } = await openUndoAndToast();
  await page.evaluate(() => document.documentElement.style.setProperty("--undo-bar-height", "0px"));
  await expect.poll(async () => (await toastOnUndo(page)).length).toBeGreaterThan(0);
  await close();
});

const HOURS: MockAnswers = { readVenueSettings: { data: venueSettings } };
const openChangedHours = async () => {
  const opened = await open("restaurant", HOURS, { width: 900, height: 420 });
  const { page } = opened;
  await page.locator("h1").waitFor();
  await page.locator("input").first().waitFor();
  return opened;
};
const change = (page: Page): Promise<void> => page.locator(".place-fields input").first().fill("Da Nino");

/** Fields that lie under the bar when they have the focus. */
const hiddenFields = async (page: Page): Promise<number> => {
  let hidden = 0;
  for (const field of await page.locator("main input:visible").all()) {
    await page.evaluate(() => window.scrollTo(0, 0));
    await field.focus();
    hidden += (await covered(page, ".save-bar", "main input:focus")).length;
  }
  return hidden;
};

test("nothing stands at the lower edge while everything is saved; then no field with the focus is under the bar", async () => {
  const { page, close } = await openChangedHours();
  expect(await page.locator(".save-bar").count()).toBe(0);
  await change(page);
  await page.locator(".save-bar").waitFor();
  expect(await hiddenFields(page)).toBe(0);
  await close();
});

test("planted: without a margin for the bar fields with the focus are under it", async () => {
  const { page, close } = await openChangedHours();
  await change(page);
  await page.locator(".save-bar").waitFor();
  await page.evaluate(() => document.documentElement.style.setProperty("scroll-padding-block-end", "0px"));
  expect(await hiddenFields(page)).toBeGreaterThan(0);
  await close();
});
