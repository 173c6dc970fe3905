/** The check of a page state finds planted faults in the looks that have them, and in a page that is shown without a load. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LOOK_NAMES, LOOKS, type LookName, newContext, openBrowser } from "./browser.ts";
import { type KeptPages, keepPages } from "./kept-pages.ts";
import { type MockServer, startMockServer } from "./mock-server.ts";
import { checkPageState, NO_FAULTS, type PageState } from "./page-state.ts";
import { pageStates } from "./page-states.ts";

let mockServer: MockServer;
let browser: Browser;
beforeAll(async () => {
  [mockServer, browser] = await Promise.all([startMockServer(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await mockServer?.close();
});

const empty = pageStates["webhooks-empty"] as PageState;
const refused = pageStates["webhooks-refused"] as PageState;

const openPages = async (language: "en" | "ar"): Promise<KeptPages> =>
  keepPages(await newContext(browser, mockServer.url, { ...LOOKS.light, language }), mockServer.url);
const isDark = (look: LookName): boolean => LOOKS[look].colours === "dark";
const isPhone = (look: LookName): boolean => LOOKS[look].width < 600;
const isArabic = (look: LookName): boolean => LOOKS[look].language === "ar";

/** A button without a name, low contrast in dark colours, a box wider than a phone, and one that is out of sight only where lines begin on the right. */
const plant = (page: Page): Promise<void> =>
  page.locator("main").evaluate((main) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`
      @media (prefers-color-scheme: dark) { .planted-pale { color: #808080; background: #707070 } }
      .planted-wide { width: 500px; height: 1px }
      .planted-left { position: absolute; top: 0; left: -400px; width: 100px; height: 1px }
    `);
    document.adoptedStyleSheets = [sheet];
    main.insertAdjacentHTML(
      "beforeend",
      "<button></button><p class='planted-pale'>pale</p><div class='planted-wide'></div><div class='planted-left'></div>",
    );
  });

test.each(["en", "ar"] as const)("planted faults are found in the looks that have them, and only there: %s", async (language) => {
  const looks = LOOK_NAMES.filter((look) => LOOKS[look].language === language);
  const where = { pages: await openPages(language), mockServer, isLoaded: false };
  const clean = await checkPageState(where, ["clean", empty], looks);
  expect(clean).toEqual(Object.fromEntries(looks.map((look) => [look, NO_FAULTS])));
  // The page is kept: this state is shown without a load.
  const seen = await checkPageState(where, ["planted", { ...refused, before: plant }], looks);
  const found = looks.map((look) => [look, seen[look]?.axe.map((line) => line.split(":")[0]).sort(), seen[look]?.isTooWide]);
  expect(found).toEqual(
    looks.map((look) => [look, isDark(look) ? ["button-name", "color-contrast"] : ["button-name"], isPhone(look) || isArabic(look)]),
  );
});

test("script errors, what the policy blocks and requests to other hosts are found in a page that is shown without a load", async () => {
  const pages = await openPages("en");
  const where = { pages, mockServer, isLoaded: false };
  await checkPageState(where, ["clean", empty], ["light"]);
  const before = (page: Page): Promise<void> =>
    page.locator("main").evaluate(async () => {
      setTimeout(() => {
        throw new Error("planted");
      });
      const script = document.createElement("script");
      script.textContent = "1";
      document.head.append(script);
      await fetch("http://other.example/").catch(() => undefined);
    });
  const seen = await checkPageState(where, ["planted", { ...refused, before }], ["light"]);
  const faults = seen.light?.faults.join("\n");
  for (const words of ["error: planted", "inline script", "other.example"]) expect(faults).toContain(words);
  // They are faults of that state alone.
  expect(await checkPageState(where, ["clean", empty], ["light"])).toEqual({ light: NO_FAULTS });
});

const stay = (page: Page, place: "main" | "body"): Promise<void> =>
  page.locator(place).evaluate((element) => element.insertAdjacentHTML("beforeend", "<section aria-label='Planted'>A toast</section>"));

test("a page is kept when nothing of its state is left, and closed when something is", async () => {
  const pages = await openPages("en");
  let shownOn: Page | null = null;
  const take: KeptPages["take"] = async () => {
    const kept = await pages.take();
    shownOn = kept.page;
    return kept;
  };
  const where = { pages: { ...pages, take }, mockServer, isLoaded: false };
  const pageAfter = async (before: (page: Page) => Promise<void>): Promise<Page | null> => {
    await checkPageState(where, ["state", { ...empty, before }], ["light"]);
    return shownOn;
  };
  const first = await pageAfter((page) => stay(page, "main"));
  expect(await pageAfter((page) => stay(page, "body"))).toBe(first);
  expect(first?.isClosed()).toBe(true);
  // Steps that change the page for good.
  const second = await pageAfter((page) => page.route("**/nothing", (route) => route.abort()).then(() => undefined));
  expect(second).not.toBe(first);
  expect(second?.isClosed()).toBe(true);
});
