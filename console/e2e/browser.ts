/** Chromium: contexts, pages that record their own errors, looks, axe and screenshots. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type axe from "axe-core";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { inject } from "vitest";

/** How long a page may take to show what is expected: long enough for a machine that is busy with other things as well. */
const WAIT_MS_MAX = 120_000;

/** A connection to the browser of the run. Closing it closes the contexts that were opened through it. */
export const openBrowser = (): Promise<Browser> => chromium.connect(inject("browserAddress"), { timeout: WAIT_MS_MAX });

/** The combinations of colours, language and window size in which every page is checked. */
export const LOOKS = {
  light: { colours: "light", language: "en", width: 1280, height: 860 },
  dark: { colours: "dark", language: "en", width: 1280, height: 860 },
  phone: { colours: "light", language: "en", width: 390, height: 844 },
  wall: { colours: "dark", language: "en", width: 1920, height: 1080 },
  arabic: { colours: "light", language: "ar", width: 1280, height: 860 },
  "arabic-phone-dark": { colours: "dark", language: "ar", width: 390, height: 844 },
} as const satisfies Record<string, PageLook>;
export type PageLook = {
  colours: "light" | "dark";
  language: "en" | "ar";
  width: number;
  height: number;
  /** Only where a test needs the worker: requests of a page that it controls pass by the routes of a test. */
  hasServiceWorker?: boolean;
};
export type LookName = keyof typeof LOOKS;
export const LOOK_NAMES = Object.keys(LOOKS) as LookName[];

export type OpenedPage = { page: Page; context: BrowserContext; faults: string[] };

export const newContext = async (browser: Browser, baseURL: string, look: PageLook = LOOKS.light): Promise<BrowserContext> => {
  const context = await browser.newContext({
    baseURL,
    viewport: { width: look.width, height: look.height },
    colorScheme: look.colours,
    locale: look.language,
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
    serviceWorkers: look.hasServiceWorker ? "allow" : "block",
  });
  context.setDefaultTimeout(WAIT_MS_MAX);
  return context;
};

export const openInNewContext = async (browser: Browser, baseURL: string, look: PageLook = LOOKS.light): Promise<OpenedPage> => {
  const context = await newContext(browser, baseURL, look);
  return { context, ...(await openPage(context, baseURL)) };
};

/** `faults` collects script errors, warnings, blocked styles and scripts, and requests to other hosts. */
export const openPage = async (context: BrowserContext, baseURL: string): Promise<Omit<OpenedPage, "context">> => {
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("console", (message) => {
    // Error answers are part of many page states; the tests assert the texts that the page shows for them.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) faults.push(message.text());
    if (message.type() === "warning" && !message.text().includes("blocked by Playwright")) faults.push(message.text());
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.origin !== new URL(baseURL).origin && url.protocol !== "data:") faults.push(`asked ${url.host}`);
  });
  return { page, faults };
};

/** Changes the look of an open page. The language is fixed by the context. */
export const applyLook = async (page: Page, { colours, width, height }: PageLook): Promise<void> => {
  await page.emulateMedia({ colorScheme: colours });
  await page.setViewportSize({ width, height });
  await waitUntilStable(page, colours);
};

/** Waits for colours and fonts, ends running animations, and waits until the new layout is painted: axe reads final colours and positions. */
export const waitUntilStable = (page: Page, colours: PageLook["colours"]): Promise<void> =>
  page.evaluate(
    async ({ colours, waitMs }) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const isApplied = (): boolean => document.documentElement.dataset.mantineColorScheme === colours;
      for (const since = performance.now(); !isApplied(); await frame())
        if (performance.now() > since + waitMs) throw new Error(`The page does not become ${colours}`);
      await document.fonts.ready;
      await frame();
      // finish() throws for an endless animation, such as a loader.
      for (const animation of document.getAnimations())
        if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish();
      await frame();
      await frame();
    },
    { colours, waitMs: WAIT_MS_MAX },
  );

/** Minified: it is sent to every page. */
const AXE_SOURCE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** All violations that axe finds, one line each. */
export const axeFaults = async (page: Page): Promise<string[]> => {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE_SOURCE);
  return page.evaluate(async (tags) => {
    const { run } = (window as unknown as { axe: typeof axe }).axe;
    const { violations } = await run(document, { runOnly: tags, resultTypes: ["violations"], preload: false });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary?.split("\n")[1] ?? ""}`),
    );
  }, AXE_TAGS);
};

/** Saves a screenshot when TEST_SCREENSHOTS names a folder. */
export const takeScreenshot = async (page: Page, name: string): Promise<void> => {
  const folder = process.env.TEST_SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true, animations: "disabled" });
};

/** What can be tapped and is narrower or lower than that, with its size. */
export const smallTargets = (page: Page, px: number): Promise<string[]> =>
  page.locator("button, a, input, select, textarea, [role=button]").evaluateAll((elements, min) => {
    const seen = elements.filter((element) => element.checkVisibility({ visibilityProperty: true }));
    const sizes = seen.map((element) => ({ element, box: element.getBoundingClientRect() }));
    // Widths of a grid have fractions.
    const small = sizes.filter(({ box }) => Math.round(Math.min(box.width, box.height)) < min);
    return small.map(({ element, box }) => `${element.className || element.tagName}: ${Math.round(box.width)} × ${Math.round(box.height)}`);
  }, px);

/** True when the page scrolls sideways. */
export const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
