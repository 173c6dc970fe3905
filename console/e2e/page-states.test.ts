/**
 * Every page state in its looks: no axe violation, no script error, nothing blocked by the policy, no request to another host, no sideways scrolling.
 *
 * @long: it is among the longest.
 */
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LOOK_NAMES, LOOKS, type LookName, newContext, openBrowser } from "./browser.ts";
import { type MockServer, startMockServer } from "./mock-server.ts";
import { checkPageState, NO_FAULTS } from "./page-state.ts";
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
const looksInTurn = new Map(selectedStates.map(([name], index) => [name, [FURTHEST[index % FURTHEST.length]]]));
const isSeenIn = (state: string, look: LookName): boolean =>
  Boolean(process.env.TEST_STRESS ?? process.env.TEST_LOOK ?? process.env.TEST_SCREENSHOTS) ||
  (looksOfFirst.get(state) ?? looksInTurn.get(state) ?? []).includes(look);

/** Groups that run beside each other: a state waits for half of its time. */
const GROUPS = (["en", "ar"] as const).flatMap((language) => [0, 1].map((part) => ({ language, part })));

describe.concurrent.each(GROUPS)("$language, half $part", ({ language, part }) => {
  /** Only service pages are shown on a wall. */
  const looksOf = (state: string) =>
    LOOK_NAMES.filter((name) => name !== "wall" || pageStates[state]?.isOnWall).filter(
      (name) => LOOKS[name].language === language && wanted(process.env.TEST_LOOK, name) && isSeenIn(state, name),
    );
  let context: BrowserContext;
  beforeAll(async () => {
    context = await newContext(browser, mockServer.url, { ...LOOKS.light, language });
  });
  const all = selectedStates.filter(([name]) => looksOf(name).length > 0);
  const half = Math.ceil(all.length / 2);
  const states = all.slice(part * half, (part + 1) * half);
  test.each(states)("%s", async (name, state) => {
    const looks = looksOf(name);
    const seen = await checkPageState({ context, mockServer }, [name, state], looks);
    expect(seen).toEqual(Object.fromEntries(looks.map((look) => [look, NO_FAULTS])));
  });
});
