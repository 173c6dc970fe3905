/** A page in one state, opened once for each language and checked in several looks. */
import type { Page } from "playwright-core";
import { applyLook, axeFaults, isTooWide, LOOKS, type LookName, takeScreenshot, waitUntilStable } from "./browser.ts";
import { type KeptPages, setPainted, show, watchSteps } from "./kept-pages.ts";
import type { MockAnswers, MockServer } from "./mock-server.ts";
import { structureFaults } from "./page-structure.ts";

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

type PageFaults = { axe: string[]; structure: string[]; faults: string[]; isTooWide: boolean };
export const NO_FAULTS: PageFaults = { axe: [], structure: [], faults: [], isTooWide: false };

/** `isLoaded`: it has to be loaded, not only shown. Axe takes longer than all the rest. */
type Where = { pages: KeptPages; mockServer: MockServer; isLoaded: boolean; hasAxe: boolean };

/** The faults in each look. The pages begin in the first one. */
export const checkPageState = async (
  { pages, mockServer, isLoaded, hasAxe }: Where,
  [name, state]: [string, PageState],
  looks: LookName[],
): Promise<Record<string, PageFaults>> => {
  const kept = await pages.take();
  const { page, faults } = kept;
  await mockServer.setAnswers(page, state.answers);
  if (isLoaded || !kept.isLoaded || !(await show(page, state.path))) await page.goto(state.path);
  const steps = watchSteps(page);
  await state.before?.(steps.page);
  await page.locator(state.shows).first().waitFor();
  if (hasAxe) await setPainted(page, true);
  const seen: Record<string, PageFaults> = {};
  for (const [index, look] of looks.entries()) {
    await (index === 0 ? waitUntilStable(page, LOOKS[look].colours) : applyLook(page, LOOKS[look]));
    const axe = hasAxe ? await axeFaults(page) : [];
    if (hasAxe) await takeScreenshot(page, `${name}.${look}`);
    seen[look] = { axe, structure: await structureFaults(page), faults: faults.splice(0), isTooWide: await isTooWide(page) };
  }
  if (steps.haveLastingEffect()) await page.close();
  else await pages.giveBack(kept, looks.length > 1 || hasAxe);
  const left = faults.splice(0);
  return left.length > 0 ? { ...seen, left: { ...NO_FAULTS, faults: left } } : seen;
};
