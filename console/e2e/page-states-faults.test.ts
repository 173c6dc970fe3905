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

const openPages = async (look: LookName): Promise<KeptPages> =>
  keepPages(await newContext(browser, mockServer.url, LOOKS[look]), mockServer.url, LOOKS[look]);
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
  const where = { pages: await openPages(looks[0] as LookName), mockServer, isLoaded: false, hasAxe: true };
  const clean = await checkPageState(where, ["clean", empty], looks);
  expect(clean).toEqual(Object.fromEntries(looks.map((look) => [look, NO_FAULTS])));
  // The page is kept: this state is shown without a load.
  const seen = await checkPageState(where, ["planted", { ...refused, before: plant }], looks);
  const found = looks.map((look) => [look, seen[look]?.axe.map((line) => line.split(":")[0]).sort(), seen[look]?.isTooWide]);
  expect(found).toEqual(
    looks.map((look) => [look, isDark(look) ? ["button-name", "color-contrast"] : ["button-name"], isPhone(look) || isArabic(look)]),
  );
});

test("faults of the structure are found without axe", async () => {
  const where = { pages: await openPages("light"), mockServer, isLoaded: false, hasAxe: false };
  const before = (page: Page): Promise<void> =>
    page.locator("main").evaluate((main) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(".planted { display: block; height: 40px } .planted-low { display: block; height: 10px; padding: 0 }");
      document.adoptedStyleSheets.push(sheet);
      main.insertAdjacentHTML(
        "beforeend",
        `<button class="planted"></button><input class="planted"><img src="data:,"><h5>Deep</h5>
        <i id="planted"></i><i id="planted"></i><p aria-describedby="planted">Two</p>
        <button class="planted-low">One</button><button class="planted-low">Two</button>`,
      );
    });
  expect(await checkPageState(where, ["clean", empty], ["light"])).toEqual({ light: NO_FAULTS });
  const seen = await checkPageState(where, ["planted", { ...refused, before }], ["light"]);
  expect(seen.light?.structure.map((line) => line.split(":")[0])).toEqual([
    "no name",
    "no name",
    "no text for a picture",
    "a heading skips a level",
    "an id of two elements",
    "a small target",
    "a small target",
  ]);
});

test("script errors, what the policy blocks and requests to other hosts are found in a page that is shown without a load", async () => {
  const pages = await openPages("light");
  const where = { pages, mockServer, isLoaded: false, hasAxe: false };
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
  const pages = await openPages("light");
  let shownOn: Page | null = null;
  const take: KeptPages["take"] = async () => {
    const kept = await pages.take();
    shownOn = kept.page;
    return kept;
  };
  const where = { pages: { ...pages, take }, mockServer, isLoaded: false, hasAxe: false };
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
