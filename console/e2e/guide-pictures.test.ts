/** The pictures of the guide to kitchen screens: `TEST_SCREENSHOTS=docs/images npm run e2e -- guide-pictures`. */
import type { Kitchen } from "@comanda/contract/console/kitchen.ts";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, test } from "vitest";
import { LOOKS, openBrowser, openInNewContext, takeScreenshot } from "./browser.ts";
import { eveningZone } from "./fixture-times.ts";
import { nina } from "./fixtures-account.ts";
import { expoKitchen, kitchen } from "./fixtures-kitchen.ts";
import { pairedState, pairingState, screens } from "./fixtures-screens.ts";
import { type MockServer, startMockServer } from "./mock-server.ts";
import { OWNED } from "./page-state.ts";

let mockServer: MockServer;
let browser: Browser;
beforeAll(async () => {
  [mockServer, browser] = await Promise.all([startMockServer(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await mockServer?.close();
});

type Picture = { width: number; height: number };

const openIn = (size: Picture) => openInNewContext(browser, mockServer.url, { ...LOOKS.light, ...size });

const takePicture = async (page: Page): Promise<string> => {
  await page.waitForTimeout(500);
  return `data:image/png;base64,${(await page.screenshot({ animations: "disabled" })).toString("base64")}`;
};

const PAIRING = { width: 560, height: 780 };

const pictureOfDevice = async (): Promise<string> => {
  const { page, context } = await openIn(PAIRING);
  await mockServer.setAnswers(page, { readScreen: { data: pairingState() } });
  await page.goto("/console/screen");
  await page.locator(".screen-code").waitFor();
  const picture = await takePicture(page);
  await context.close();
  return picture;
};

const pictureOfDialog = async (): Promise<string> => {
  const { page, context } = await openIn(PAIRING);
  await mockServer.setAnswers(page, { readSession: { data: nina }, listScreens: { data: { ...screens, screens: [], branches: [] } } });
  await page.goto(`${OWNED}/screens`);
  await page.locator(".screens-pair").click();
  await page.locator("[role=dialog] input[name=code]").fill("7K4D 92Q7");
  await page.locator("[role=dialog] .station-chips").waitFor();
  // The test's own server has a port that changes with each run.
  await page
    .locator("[role=dialog]")
    .getByText(/\/console\/screen$/)
    .evaluate((element) => {
      element.textContent = "comanda.example.com/console/screen";
    });
  const picture = await takePicture(page);
  await context.close();
  return picture;
};

/** Without the variable there is nothing to see: the page states check these pages. */
const picture = test.skipIf(!process.env.TEST_SCREENSHOTS);

picture("the code on the device, beside the manager's dialog", async () => {
  const [device, dialog] = [await pictureOfDevice(), await pictureOfDialog()];
  const { page, context } = await openIn({ width: 2 * PAIRING.width + 24, height: PAIRING.height });
  await page.setContent(
    `<body style="margin:0;display:flex;gap:24px;background:#fff">${[device, dialog].map((source) => `<img src="${source}">`).join("")}`,
  );
  await takeScreenshot(page, "kitchen-pairing");
  await context.close();
});

/** Tickets that fill a tablet without a second page. */
const takeDisplay = async (given: Kitchen, ids: number[], name: string): Promise<void> => {
  const { page, context } = await openIn({ width: 1280, height: 820 });
  const data = { ...given, zone: eveningZone(), tickets: given.tickets.filter(({ id }) => ids.includes(id)) };
  await mockServer.setAnswers(page, { readScreen: { data: pairedState }, readKitchen: { data } });
  await page.goto("/console/screen");
  await page.locator(".kd-ticket").first().waitFor();
  await page.waitForTimeout(500);
  await takeScreenshot(page, name);
  await context.close();
};

picture("the display in the evening", () => takeDisplay(kitchen, [41, 44, 45, 47, 48], "kitchen-evening"));

picture("expo with allergens", () => takeDisplay(expoKitchen, [44, 144, 45, 47, 48], "kitchen-expo"));
