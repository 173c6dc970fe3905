/**
 * A menu of 500 dishes: a key typed into a price or a name is drawn at once, and lines that did not change are not drawn again.
 * The short form judges the page's processor time; `TEST_STRESS=1 npm run e2e -- menu-responsiveness` judges the time to the picture.
 */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LOOKS, openBrowser, openInNewContext } from "./browser.ts";
import { nina } from "./fixtures-account.ts";
import { largeMenuPlan } from "./fixtures-menu.ts";
import { watchProcessor } from "./interaction-times.ts";
import { type MockServer, startMockServer } from "./mock-server.ts";
import { OWNED } from "./page-state.ts";

const isLong = process.env.TEST_STRESS !== undefined;
/** The limit from the key to its picture; in the short form, of the processor time of the page. */
const KEY_MS_MAX = isLong ? 50 : 150;
const ROUNDS = isLong ? 5 : 1;

let mockServer: MockServer;
let browser: Browser;
beforeAll(async () => {
  [mockServer, browser] = await Promise.all([startMockServer(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await mockServer?.close();
});

const openLargeMenu = async (): Promise<Page> => {
  const { page } = await openInNewContext(browser, mockServer.url, LOOKS.light);
  await mockServer.setAnswers(page, { readSession: { data: nina }, readMenuPlan: { data: largeMenuPlan } });
  await page.goto(`${OWNED}/menu`);
  await page.locator(".menu-line").nth(499).waitFor({ state: "attached" });
  return page;
};

type TypedKeys = { took: number[]; touched: Set<Element> };

type Typed = { took: number[]; lines: number; processorMs: number };

/** Milliseconds from each key to its picture, the processor time of a key, and how many lines were touched. */
const typeKeys = async (page: Page, keys: readonly string[]): Promise<Typed> => {
  const readProcessorMs = await watchProcessor(page);
  await page.evaluate(() => {
    const measured: TypedKeys = { took: [], touched: new Set() };
    Object.assign(window, { measured });
    let began = 0;
    window.addEventListener("keydown", () => (began = performance.now()), true);
    // A message is handled after the picture that the key asked for.
    document.addEventListener("input", () => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => measured.took.push(performance.now() - began);
      requestAnimationFrame(() => channel.port2.postMessage(null));
    });
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const line = target.parentElement?.closest(".menu-line");
        if (line) measured.touched.add(line);
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  });
  const before = await readProcessorMs();
  for (const key of keys) await page.keyboard.press(key);
  const read = () =>
    page.evaluate(() => {
      const { took, touched } = (window as unknown as { measured: TypedKeys }).measured;
      return { took, lines: touched.size };
    });
  const changing = keys.filter((key) => !key.startsWith("Control")).length;
  await expect.poll(async () => (await read()).took.length).toBe(changing);
  return { ...(await read()), processorMs: ((await readProcessorMs()) - before) / keys.length };
};

const judge = (what: string, { took, processorMs }: Typed): void => {
  const sorted = took.toSorted((a, b) => a - b);
  console.info(
    `500 dishes, ${what}, milliseconds from a key to the picture: ${took.map(Math.round).join(" ")}; processor ${processorMs.toFixed(0)} ms`,
  );
  expect(took.length).toBeGreaterThan(5);
  expect(isLong ? sorted[Math.ceil(sorted.length * 0.95) - 1] : processorMs).toBeLessThanOrEqual(KEY_MS_MAX);
};

const repeated = (keys: readonly string[]): string[] => Array.from({ length: ROUNDS }, () => keys).flat();

test(`with 500 dishes a key in a price takes ${KEY_MS_MAX} ms at most (p95), and draws one line`, async () => {
  const page = await openLargeMenu();
  await page.locator(".menu-price-input").nth(2).click();
  const typed = await typeKeys(page, repeated(["Control+a", "1", "2", ".", "3", "0", "Backspace", "5"]));
  judge("price", typed);
  expect(typed.lines).toBe(1);
  await page.getByRole("button", { name: "Save 1 change" }).waitFor();
});

test(`with 500 dishes a key in a name takes ${KEY_MS_MAX} ms at most (p95)`, async () => {
  const page = await openLargeMenu();
  await page.locator(".menu-line-name").nth(1).click();
  await page.getByLabel("Name (English)").click();
  const typed = await typeKeys(page, repeated([..." al forno"].map((key) => (key === " " ? "Space" : key))));
  judge("name", typed);
  await page.getByRole("button", { name: "Save 1 change" }).waitFor({ state: "attached" });
});
