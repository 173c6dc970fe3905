/** The second factor, and a token created by keyboard, on the real server. */
import type { Browser, Page } from "playwright-core";
import { encode } from "uqr";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codeAt, stepAt, totpUri } from "../../server/src/lib/totp.ts";
import { openBrowser, openInNewContext } from "./browser.ts";
import { readMutationCache } from "./mutation-cache.ts";
import { type RealServer, startRealServer } from "./real-server.ts";
import { acceptInvitation, button, callFrom, PASSWORD, signIn } from "./sign-in.ts";

let server: RealServer;
let browser: Browser;
let slug: string;
beforeAll(async () => {
  [server, browser] = await Promise.all([startRealServer(), openBrowser()]);
  slug = await server.venue("trattoria");
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

/** The previous time step, which is still valid, with some seconds left: three codes can be used without waiting. */
const firstStep = async (page: Page): Promise<number> => {
  const left = 30_000 - (Date.now() % 30_000);
  if (left < 6000) await page.waitForTimeout(left);
  return stepAt(new Date()) - 1;
};

const wrongCode = (secret: string): string => {
  const now = stepAt(new Date());
  const right = [-2, -1, 0, 1, 2, 3].map((more) => codeAt(secret, now + more));
  return ["000000", "111111", "222222", "333333", "444444", "555555", "666666"].find((code) => !right.includes(code)) ?? "";
};

/** The field is cleared when the answer arrives. */
const refused = async (page: Page, code: string): Promise<void> => {
  await page.locator("input[name=code]").fill(code);
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>("input[name=code]")?.value === "");
  await page.locator("form [role=alert]", { hasText: "That code is wrong" }).waitFor();
};

test("a second factor is turned on, required at sign-in, and turned off", async () => {
  const { page, context, faults } = await openInNewContext(browser, server.url);
  const email = "nina@example.com";
  await acceptInvitation(page, await server.invite(slug, email));
  await page.goto("/console/account");
  await button(page, "Turn on").click();
  await page.getByRole("dialog").getByLabel("Password", { exact: true }).fill("not her password");
  await button(page, "Next").click();
  await page.getByText("That is not your current password.").waitFor();
  await page.getByRole("dialog").getByLabel("Password", { exact: true }).fill(PASSWORD);
  await button(page, "Next").click();
  await button(page, "Copy Cannot scan? Type this key instead").click();
  const secret = await page.evaluate(() => navigator.clipboard.readText());
  const { data, size } = encode(totpUri(secret, email), { border: 2 });
  const drawn = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
  const qr = page.getByRole("img", { name: "QR code for your authenticator app" });
  expect([await qr.getAttribute("viewBox"), await qr.locator("path").getAttribute("d")]).toEqual([`0 0 ${size} ${size}`, drawn]);

  const code = page.locator("input[name=code]");
  await refused(page, wrongCode(secret));
  const step = await firstStep(page);
  await code.fill(codeAt(secret, step));
  const shown = page.getByRole("dialog", { name: "Your recovery codes" });
  await button(page, "I have saved them").click();
  await page.getByText("Without these codes, a lost phone locks you out.").waitFor();
  await button(page, "Go back and copy").click();
  await button(page, "Copy Recovery codes").click();
  const recovery = (await page.evaluate(() => navigator.clipboard.readText())).split("\n");
  expect(recovery).toHaveLength(10);
  await button(page, "I have saved them").click();
  await shown.waitFor({ state: "detached" });
  await page.getByText("10 recovery codes left").waitFor();
  const cache = await readMutationCache(page);
  expect([PASSWORD, secret, recovery[0] ?? "no code", "idempotencyKey"].filter((text) => cache.includes(text))).toEqual([]);

  await page.locator(".avatar-button").click();
  await page.getByRole("menuitem", { name: "Sign out", exact: true }).click();
  await page.getByRole("heading", { name: "Welcome back" }).waitFor();
  await signIn(page, email);
  await refused(page, codeAt(secret, step));
  await refused(page, wrongCode(secret));
  await button(page, "No phone? Use a recovery code").click();
  await code.fill(recovery[0] ?? "");
  await button(page, "Sign in").click();
  await page.waitForURL(`**/${slug}/orders`);

  await page.goto("/console/account");
  await page.getByText("9 recovery codes left").waitFor();
  await button(page, "Turn off").click();
  await page.getByRole("dialog").getByLabel("Password", { exact: true }).fill(PASSWORD);
  await code.fill(codeAt(secret, step + 2));
  await page.getByRole("dialog").getByRole("button", { name: "Turn off" }).click();
  await page.getByText("The second factor is off.").waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

const TABS_MAX = 40;

/** Presses Tab until the named element has the focus. Every focused element on the way must show its focus. */
const tabTo = async (page: Page, name: string): Promise<void> => {
  for (let tabs = 0; tabs < TABS_MAX; tabs++) {
    await page.keyboard.press("Tab");
    const seen = await page.evaluate(() => {
      const at = document.activeElement as HTMLElement;
      const { outlineStyle, boxShadow } = getComputedStyle(at);
      const label = (at as HTMLInputElement).labels?.[0]?.textContent;
      const isShown =
        at.matches(":focus-visible") && (outlineStyle !== "none" || boxShadow !== "none" || at.matches("input, textarea, body"));
      return { isShown, name: at.getAttribute("aria-label") ?? label ?? at.textContent };
    });
    expect(seen).toMatchObject({ isShown: true });
    if (seen.name?.trim() === name) return;
  }
  throw new Error(`Tab does not lead to ${name}`);
};

test("a token is created by keyboard alone, with visible focus that returns", async () => {
  const { page, context, faults } = await openInNewContext(browser, server.url);
  await acceptInvitation(page, await server.invite(slug, "lea@example.com"));
  await callFrom(page, "POST", `/venues/${slug}/tokens`, { name: "Cassa", scopes: ["menu:read"] });
  await context.clearCookies();
  await page.goto(`/console/v/${slug}/tokens`);
  await page.getByRole("heading", { name: "Welcome back" }).waitFor();
  await tabTo(page, "E-mail address");
  await page.keyboard.type("lea@example.com");
  await tabTo(page, "Password");
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Cassa" }).waitFor();
  await tabTo(page, "Create token");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await page.waitForFunction(() => document.activeElement?.matches("[role=dialog] input"));
  await page.keyboard.type("Website");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Your new token" }).waitFor();
  await tabTo(page, "Copy Token");
  await page.keyboard.press("Enter");
  await page.waitForFunction(async () => (await navigator.clipboard.readText()).includes("|svc_"));
  await tabTo(page, "Done");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("heading", { name: "Website" }).waitFor();
  await page.waitForFunction(() => document.activeElement?.textContent === "Create token");
  expect(faults).toEqual([]);
  await context.close();
});
