/** One page in one state, opened once for each language and looked at in every look of it. */
import type { BrowserContext, Page } from "playwright-core";
import { axeFaults, isTooWide, LOOKS, type LookName, openPage, shoot, wear } from "./browser.ts";
import type { Play, Stage } from "./stage.ts";

export type Scene = { path: string; play: Play; shows: string; before?: (page: Page) => Promise<void> };

/** Where nina is the owner, and where she is a manager. */
export const OWNED = "/console/v/trattoria-da-nino";
export const MANAGED = "/console/v/bar-sport";

/** Scenes that differ from one play in a few answers. */
export const staged = (everything: Play, scenes: Record<string, Omit<Scene, "play"> & { play?: Play }>): Record<string, Scene> =>
  Object.fromEntries(Object.entries(scenes).map(([name, scene]) => [name, { ...scene, play: { ...everything, ...scene.play } }]));

type Seen = { axe: string[]; faults: string[]; isTooWide: boolean };
export const SPOTLESS: Seen = { axe: [], faults: [], isTooWide: false };

type Where = { context: BrowserContext; stage: Stage };

/** What is wrong in each look, by its name. */
export const lookAt = async (
  { context, stage }: Where,
  [name, scene]: [string, Scene],
  looks: LookName[],
): Promise<Record<string, Seen>> => {
  const { page, faults } = await openPage(context, stage.url);
  await stage.put(page, scene.play);
  const [first = "light"] = looks;
  await page.setViewportSize(LOOKS[first]);
  await page.goto(scene.path);
  await scene.before?.(page);
  await page.locator(scene.shows).first().waitFor();
  const seen: Record<string, Seen> = {};
  for (const look of looks) {
    await wear(page, LOOKS[look]);
    const axe = await axeFaults(page);
    await shoot(page, `${name}.${look}`);
    seen[look] = { axe, faults: faults.splice(0), isTooWide: await isTooWide(page) };
  }
  await page.close();
  return seen;
};
