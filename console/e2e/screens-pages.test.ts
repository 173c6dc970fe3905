/** A device pairs, a manager pairs, changes and ends it: both pages with prepared answers. */
import type { Screen, ScreenState } from "@comanda/contract/console/screens.ts";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LOOKS, type OpenedPage, openBrowser, openInNewContext, type PageLook, smallTargets } from "./browser.ts";
import { nina } from "./fixtures-account.ts";
import { kitchenScreen, NEXT_PAIRING_CODE, PAIRING_CODE, pairedState, pairingState, screens, unpaired } from "./fixtures-screens.ts";
import { type MockAnswers, type MockServer, startMockServer } from "./mock-server.ts";
import { OWNED } from "./page-state.ts";
import { SCREEN_CALL, seeAgain, waitUntilPaired } from "./page-states-screens.ts";
import { button } from "./sign-in.ts";

let mockServer: MockServer;
let browser: Browser;
beforeAll(async () => {
  [mockServer, browser] = await Promise.all([startMockServer(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await mockServer?.close();
});

const open = async (path: string, answers: MockAnswers, look: PageLook = LOOKS.light): Promise<OpenedPage> => {
  const opened = await openInNewContext(browser, mockServer.url, look);
  await mockServer.setAnswers(opened.page, answers);
  await opened.page.goto(path);
  return opened;
};

/** What the service knows about a device. The test changes it. */
const deviceOf = (state: ScreenState) => {
  const device = { state, reads: 0, codes: 0 };
  const answers: MockAnswers = {
    readScreen: () => {
      device.reads += 1;
      return { data: device.state };
    },
    startPairing: () => {
      device.codes += 1;
      device.state = pairingState(device.codes === 1 ? PAIRING_CODE : NEXT_PAIRING_CODE);
      return { data: device.state };
    },
  };
  return { device, answers };
};

test("a device shows a code after one tap, then what it was paired for; when it is ended, nothing of the venue stays", async () => {
  const { device, answers } = deviceOf(unpaired);
  const { page, context, faults } = await open("/console/screen", answers, LOOKS.wall);
  await button(page, "Pair this screen").click();
  await page.getByText("7K4D", { exact: true }).waitFor();
  await page.getByText("92Q7", { exact: true }).waitFor();
  await page.getByText(/Settings › Screens › Pair a screen/).waitFor();
  await page.getByText(/^Valid for 9:\d\d$/).waitFor();
  device.state = pairedState;
  await waitUntilPaired(page);
  device.state = unpaired;
  await seeAgain(page);
  await page.getByRole("heading", { name: "This screen was ended." }).waitFor();
  await page.getByText("A manager can pair it again.").waitFor();
  expect(await page.content()).not.toMatch(/Trattoria|Nina/);
  await button(page, "Pair this screen").click();
  await page.getByText("M3X8", { exact: true }).waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

test("an expired code is not asked about, and a new one is made only after a tap", async () => {
  const { device, answers } = deviceOf(pairingState(PAIRING_CODE, 2500));
  const { page, context } = await open("/console/screen", answers);
  await page.getByText("7K4D", { exact: true }).waitFor();
  await page.getByRole("heading", { name: "The code is no longer valid" }).waitFor();
  // One question may still be on its way.
  await page.waitForTimeout(2500);
  const { reads } = device;
  await page.waitForTimeout(4500);
  expect([device.reads, device.codes]).toEqual([reads, 0]);
  await button(page, "Show a new code").click();
  await page.getByText("7K4D", { exact: true }).waitFor();
  expect(device.codes).toBe(1);
  await context.close();
});

test("without a connection the device says so, and comes back by itself", async () => {
  const { answers } = deviceOf(unpaired);
  const { page, context } = await open("/console/screen", { ...answers, readScreen: { refused: "service_unavailable" } });
  await page.getByText("The service is busy. Try again in a moment.").waitFor();
  await page.route(SCREEN_CALL, (route) => route.abort());
  await button(page, "Try again").click();
  await page.getByText(/We cannot reach the service/).waitFor();
  await page.unroute(SCREEN_CALL);
  await mockServer.setAnswers(page, answers);
  await button(page, "Pair this screen").waitFor();
  await context.close();
});

test("all targets of the device's page are big enough for a wet hand", async () => {
  const { page, context } = await open("/console/screen", deviceOf(unpaired).answers, LOOKS.phone);
  await button(page, "Pair this screen").waitFor();
  expect(await smallTargets(page, 72)).toEqual([]);
  await context.close();
});

const managed = (answers: MockAnswers): MockAnswers => ({ readSession: { data: nina }, listScreens: { data: screens }, ...answers });

test("a manager pairs a screen: the code with spaces, small letters or Arabic digits; a mistyped code is told before it is sent, a wrong one at its field; the password is asked again", async () => {
  const sent: { code: string }[] = [];
  let isPasswordRecent = false;
  const { page, context, faults } = await open(
    `${OWNED}/screens`,
    managed({
      pairScreen: (body) => {
        if (!isPasswordRecent) return { refused: "password_required" };
        sent.push(body as { code: string });
        return sent.length === 1
          ? { refused: "validation_failed", details: { code: ["No screen shows this code. It may be older than ten minutes."] } }
          : { data: { ...kitchenScreen, id: 304, name: "Kitchen 2" } };
      },
      confirmPassword: () => {
        isPasswordRecent = true;
        return { data: {} };
      },
    }),
  );
  await button(page, "Pair a screen").click();
  const dialog = page.getByRole("dialog", { name: "Pair a screen" });
  await dialog.getByText("Type only a code that you see on your own screen.").waitFor();
  await dialog.getByRole("button", { name: "Pair", exact: true }).click();
  await dialog.getByText("Type the eight letters and digits that the screen shows.").waitFor();
  const code = dialog.getByLabel("Code on the screen");
  await code.pressSequentially("7k4d 92q1");
  await dialog.getByText("A letter or digit is wrong. Compare it with the screen.").waitFor();
  await dialog.getByRole("button", { name: "Pair", exact: true }).click();
  await code.fill("7k4d 92q7");
  await dialog.getByText("Grill", { exact: true }).click();
  await dialog.getByText("Only what this station cooks").waitFor();
  await dialog.getByLabel("Branch").selectOption({ label: "Harbour" });
  await dialog.getByRole("button", { name: "Pair", exact: true }).click();
  await page.locator("input[type=password]").fill("a long password");
  await page.keyboard.press("Enter");
  await dialog.getByText("No screen shows this code. It may be older than ten minutes.").waitFor();
  expect(await code.evaluate((field) => field === document.activeElement)).toBe(true);
  await code.fill("m٣x٨h٠٥4");
  await dialog.getByText("No screen shows this code", { exact: false }).waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "Pair", exact: true }).click();
  await page.getByText("“Kitchen 2” is paired.").waitFor();
  const settings = { name: "Kitchen 2", branch_id: 11, stations: ["Grill"], language: "en", has_sound: true, purpose: "kitchen" };
  expect(sent).toEqual([
    { ...settings, code: PAIRING_CODE },
    { ...settings, code: NEXT_PAIRING_CODE },
  ]);
  expect(faults).toEqual([]);
  await context.close();
});

test("a manager changes only what differs, and ends a screen in two taps", async () => {
  const changes: unknown[] = [];
  let listed: Screen[] = screens.screens;
  const { page, context, faults } = await open(
    `${OWNED}/screens`,
    managed({
      listScreens: () => ({ data: { ...screens, screens: listed } }),
      changeScreen: (body) => {
        changes.push(body);
        return { data: kitchenScreen };
      },
      endScreen: () => {
        listed = listed.slice(1);
        return { data: {} };
      },
    }),
  );
  await page.getByText("now", { exact: true }).waitFor();
  await page.getByText("7 minutes ago").waitFor();
  await button(page, "Change Kitchen").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Grill", { exact: true }).click();
  await dialog.getByRole("switch", { name: "Sound" }).click();
  await button(page, "Save").click();
  await page.getByText("“Kitchen” is changed.").waitFor();
  expect(changes).toEqual([{ stations: ["Grill"], has_sound: false }]);
  await button(page, "End Kitchen").click();
  await page.getByText("It shows nothing more at once, and must be paired again.").waitFor();
  await button(page, "End screen").click();
  await page.getByText("“Kitchen” was ended.").waitFor();
  await button(page, "End Kitchen").waitFor({ state: "detached" });
  expect(await page.locator(".screen-item").count()).toBe(2);
  expect(faults).toEqual([]);
  await context.close();
});

test("staff see neither the menu entry nor the page", async () => {
  const staff = { ...nina, venues: nina.venues.map((venue) => ({ ...venue, role: "staff" as const })) };
  const { page, context } = await open(`${OWNED}/screens`, managed({ readSession: { data: staff } }));
  await page.getByText("The settings are for owners and managers. Your role here is Staff.").waitFor();
  expect(await page.locator(".nav-screens").count()).toBe(0);
  await context.close();
});
