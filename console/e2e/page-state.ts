/** A page in one state, opened once for each language and checked in several looks. */
import type { Page } from "playwright-core";
import { applyLook, axeFaults, isTooWide, LOOKS, type LookName, takeScreenshot } from "./browser.ts";
import { type KeptPages, show, watchSteps } from "./kept-pages.ts";
import type { MockAnswers, MockServer } from "./mock-server.ts";

export type PageState = {
  path: string;
  answers: MockAnswers;
  shows: string;
  before?: (page: Page) => Promise<void>;
  isOnWall?: boolean;
  /** A phone does not show it. */
  isWide?: boolean;
};

/** The signed-in person is owner of the first venue and manager of the second. */
export const OWNED = "/console/v/trattoria-da-nino";
export const MANAGED = "/console/v/bar-sport";

export const withDefaultAnswers = (
  defaultAnswers: MockAnswers,
  pageStates: Record<string, Omit<PageState, "answers"> & { answers?: MockAnswers }>,
): Record<string, PageState> =>
  Object.fromEntries(
    Object.entries(pageStates).map(([name, state]) => [name, { ...state, answers: { ...defaultAnswers, ...state.answers } }]),
  );

type PageFaults = { axe: string[]; faults: string[]; isTooWide: boolean };
export const NO_FAULTS: PageFaults = { axe: [], faults: [], isTooWide: false };

/** `isLoaded`: it has to be loaded, not only shown. */
type Where = { pages: KeptPages; mockServer: MockServer; isLoaded: boolean };

/** The faults in each look. */
export const checkPageState = async (
  { pages, mockServer, isLoaded }: Where,
  [name, state]: [string, PageState],
  looks: LookName[],
): Promise<Record<string, PageFaults>> => {
  const kept = await pages.take();
  const { page, faults } = kept;
  await mockServer.setAnswers(page, state.answers);
  const [first = "light"] = looks;
  await page.setViewportSize(LOOKS[first]);
  if (isLoaded || !kept.isLoaded || !(await show(page, state.path))) await page.goto(state.path);
  const steps = watchSteps(page);
  await state.before?.(steps.page);
  await page.locator(state.shows).first().waitFor();
  const seen: Record<string, PageFaults> = {};
  for (const look of looks) {
    await applyLook(page, LOOKS[look]);
    const axe = await axeFaults(page);
    await takeScreenshot(page, `${name}.${look}`);
    seen[look] = { axe, faults: faults.splice(0), isTooWide: await isTooWide(page) };
  }
  if (steps.haveLastingEffect()) await page.close();
  else await pages.giveBack(kept);
  const left = faults.splice(0);
  return left.length > 0 ? { ...seen, left: { ...NO_FAULTS, faults: left } } : seen;
};
