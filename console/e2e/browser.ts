/** A real Chromium, and everything that goes wrong in a page while it is open. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });

/** How a page is looked at: every page must be good in all of them. */
export const LOOKS = {
  light: { colours: "light", language: "en", width: 1280, height: 860 },
  dark: { colours: "dark", language: "en", width: 1280, height: 860 },
  phone: { colours: "light", language: "en", width: 390, height: 844 },
  arabic: { colours: "light", language: "ar", width: 1280, height: 860 },
  "arabic-phone-dark": { colours: "dark", language: "ar", width: 390, height: 844 },
} as const satisfies Record<string, Look>;
export type Look = { colours: "light" | "dark"; language: "en" | "ar"; width: number; height: number };
export type LookName = keyof typeof LOOKS;
export const LOOK_NAMES = Object.keys(LOOKS) as LookName[];

export type Visit = { page: Page; context: BrowserContext; faults: string[] };

/** A browser profile of its own. */
export const openProfile = (browser: Browser, baseURL: string, look: Look = LOOKS.light): Promise<BrowserContext> =>
  browser.newContext({
    baseURL,
    viewport: { width: look.width, height: look.height },
    colorScheme: look.colours,
    locale: look.language,
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
  });

export const visit = async (browser: Browser, baseURL: string, look: Look = LOOKS.light): Promise<Visit> => {
  const context = await openProfile(browser, baseURL, look);
  return { context, ...(await openPage(context, baseURL)) };
};

/** `faults` collects errors, refused styles and scripts, and requests to other hosts. */
export const openPage = async (context: BrowserContext, baseURL: string): Promise<Omit<Visit, "context">> => {
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("console", (message) => {
    // A refusal by the server is part of the play; whoever expects none looks at the page.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) faults.push(message.text());
    if (message.type() === "warning") faults.push(message.text());
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.origin !== new URL(baseURL).origin && url.protocol !== "data:") faults.push(`asked ${url.host}`);
  });
  return { page, faults };
};

/** Another look for a page that is open. */
export const wear = async (page: Page, { colours, width, height }: Look): Promise<void> => {
  await page.emulateMedia({ colorScheme: colours });
  await page.setViewportSize({ width, height });
  await page.waitForFunction((wanted) => document.documentElement.dataset.mantineColorScheme === wanted, colours);
  await settle(page);
};

/** Fonts are there, nothing moves any more, and what was laid out anew is painted: only then are colours and places what they will be. */
const settle = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await document.fonts.ready;
    await frame();
    // What would move is at its end at once; a loader never ends.
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish();
    await frame();
    await frame();
  });

const AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Everything axe finds, one line each. */
export const axeFaults = async (page: Page): Promise<string[]> => {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  return page.evaluate(async (tags) => {
    const { run } = (window as unknown as { axe: typeof axe }).axe;
    const { violations } = await run(document, { runOnly: tags, resultTypes: ["violations"], preload: false });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary?.split("\n")[1] ?? ""}`),
    );
  }, AXE_TAGS);
};

/** A picture to look at, when SHOTS names a folder. */
export const shoot = async (page: Page, name: string): Promise<void> => {
  const folder = process.env.SHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true, animations: "disabled" });
};

/** A page must never scroll sideways. */
export const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
