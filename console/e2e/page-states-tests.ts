/** Every page state in its looks: no fault of its structure, no script error, nothing blocked by the policy, no request to another host, no sideways scrolling. Axe finds nothing in the first state of a page. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LOOK_NAMES, LOOKS, type LookName, newContext, openBrowser } from "./browser.ts";
import { type KeptPages, keepPages } from "./kept-pages.ts";
import { type MockServer, startMockServer } from "./mock-server.ts";
import { checkPageState, NO_FAULTS, type PageState } from "./page-state.ts";
import { pageStates } from "./page-states.ts";

/** While working on one page: TEST_PAGE_STATE=tokens TEST_LOOK=dark npm run e2e -- page-states */
const wanted = (all: string | undefined, name: string): boolean => !all || all.split(",").includes(name);

const selectedStates = Object.entries(pageStates).filter(([name]) => wanted(process.env.TEST_PAGE_STATE, name));

/**
 * Two looks differ in colours, size, language and direction. Every state is seen in one of them, in turn. The first state of each page is
 * seen in both, and on a wall. TEST_STRESS shows every state in every look.
 */
const FURTHEST: LookName[] = ["light", "arabic-phone-dark"];
const pagesOfStates = Object.values(Object.groupBy(selectedStates, ([, { path }]) => path.split(/[?#]/)[0] ?? ""));
const looksOfFirst = new Map(pagesOfStates.map((states) => [states?.[0]?.[0], [...FURTHEST, "wall"]]));
const PHONE_WIDTH_MAX = 600;
const hasSpace = ({ isWide }: PageState, look: LookName): boolean => !isWide || LOOKS[look].width > PHONE_WIDTH_MAX;
const looksInTurn = new Map(
  selectedStates.map(([name, state], index) => {
    const look = FURTHEST[index % FURTHEST.length] ?? "light";
    return [name, [hasSpace(state, look) ? look : "arabic"]];
  }),
);
const isChosen = Boolean(process.env.TEST_STRESS ?? process.env.TEST_LOOK ?? process.env.TEST_SCREENSHOTS);
const isSeenIn = (state: string, look: LookName): boolean =>
  isChosen || (looksOfFirst.get(state) ?? looksInTurn.get(state) ?? []).includes(look);

/** Only service pages are shown on a wall. */
const looksOf = (state: string, language: "en" | "ar"): LookName[] =>
  LOOK_NAMES.filter((name) => (name !== "wall" || pageStates[state]?.isOnWall) && hasSpace(pageStates[state] as PageState, name)).filter(
    (name) => LOOKS[name].language === language && wanted(process.env.TEST_LOOK, name) && isSeenIn(state, name),
  );

/** The others are shown without a load, unless they, or what was shown before, need one. */
const isLoadedIn = (state: string, language: "en" | "ar"): boolean =>
  Boolean(process.env.TEST_STRESS) || (looksOfFirst.has(state) && language === "en");

/** The others of a page show the same parts in other words, or add few. */
const hasAxe = (state: string): boolean => isChosen || Boolean(process.env.TEST_PAGE_STATE) || looksOfFirst.has(state);

/** A file for each part: CI repeats a file whole when one of its tests fails. */
const PARTS = 2;

/** `part` counts from 1. The states of a part run beside each other, because a state waits for half of its time. */
export const testPageStates = (part: number): void => {
  let mockServer: MockServer;
  let browser: Browser;
  beforeAll(async () => {
    [mockServer, browser] = await Promise.all([startMockServer(), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await mockServer?.close();
  });
  const all = (["en", "ar"] as const).flatMap((language) =>
    selectedStates.flatMap(([name, state]) => {
      const looks = looksOf(name, language);
      return looks.length > 0 ? [{ language, name, state, looks }] : [];
    }),
  );
  const ofPart = all.filter((_state, index) => index % PARTS === part - 1);
  if (ofPart.length === 0) test.skip("no state of this part is wanted", () => {});
  /** Pages of the same first look show one state after another. */
  const byLook = Map.groupBy(ofPart, ({ looks }) => looks[0] as LookName);
  describe.concurrent.each([...byLook])("%s", (firstLook, states) => {
    let pages: KeptPages;
    beforeAll(async () => {
      pages = await keepPages(await newContext(browser, mockServer.url, LOOKS[firstLook]), mockServer.url, LOOKS[firstLook]);
    });
    test.each(states)("$name", async ({ name, state, language, looks }) => {
      const where = { pages, mockServer, isLoaded: isLoadedIn(name, language), hasAxe: hasAxe(name) };
      const seen = await checkPageState(where, [name, state], looks);
      expect(seen).toEqual(Object.fromEntries(looks.map((look) => [look, NO_FAULTS])));
    });
  });
};
