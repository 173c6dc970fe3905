/** Every page in every look: axe finds nothing, nothing is refused by the policy, nothing is asked elsewhere, nothing scrolls sideways. */
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LOOK_NAMES, LOOKS, type LookName, openBrowser, openProfile } from "./browser.ts";
import { lookAt, SPOTLESS } from "./scene.ts";
import { scenes } from "./scenes.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
let browser: Browser;
beforeAll(async () => {
  [stage, browser] = await Promise.all([openStage(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await stage?.close();
});

/** While working on one page: SCENE=tokens LOOK=dark npm run e2e -- pages */
const wanted = (all: string | undefined, name: string): boolean => !all || all.split(",").includes(name);

const wantedScenes = Object.entries(scenes).filter(([name]) => wanted(process.env.SCENE, name));

/** The first scene of each page is seen in every look; its other states by turns in one of the two that differ most, unless LONG is set. */
const firstOfPage = new Set(
  Object.values(Object.groupBy(wantedScenes, ([, { path }]) => path.split(/[?#]/)[0] ?? "")).map((scenes) => scenes?.[0]?.[0]),
);
const FURTHEST: LookName[] = ["light", "arabic-phone-dark"];
const turns = new Map(wantedScenes.map(([name], index) => [name, FURTHEST[index % FURTHEST.length]]));
const isSeenIn = (scene: string, look: LookName): boolean =>
  Boolean(process.env.LONG ?? process.env.LOOK ?? process.env.SHOTS) || firstOfPage.has(scene) || turns.get(scene) === look;

describe.concurrent.each(["en", "ar"] as const)("%s", (language) => {
  const looksOf = (scene: string) =>
    LOOK_NAMES.filter((name) => LOOKS[name].language === language && wanted(process.env.LOOK, name) && isSeenIn(scene, name));
  let context: BrowserContext;
  beforeAll(async () => {
    context = await openProfile(browser, stage.url, { ...LOOKS.light, language });
  });
  test.each(wantedScenes.filter(([name]) => looksOf(name).length > 0))("%s", async (name, scene) => {
    const looks = looksOf(name);
    const seen = await lookAt({ context, stage }, [name, scene], looks);
    expect(seen).toEqual(Object.fromEntries(looks.map((look) => [look, SPOTLESS])));
  });
});
