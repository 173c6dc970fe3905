/** Accounts, tokens and the sandbox in a browser, on the real server. */
import type { Browser, Request } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser, openInNewContext, takeScreenshot } from "./browser.ts";
import { readMutationCache } from "./mutation-cache.ts";
import { type RealServer, startRealServer } from "./real-server.ts";
import { acceptInvitationByForm, button, PASSWORD, signIn } from "./sign-in.ts";

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

test("an invitation signs in once, and its secret leaves the address bar", async () => {
  const { page, context, faults } = await openInNewContext(browser, server.url);
  const secret = await server.invite(slug, "nina@example.com");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await acceptInvitationByForm(page, secret);
  expect(page.url()).toBe(`${server.url}/console/v/${slug}/orders`);
  expect(asked.filter((url) => url.includes(secret) && !url.includes("#"))).toEqual([]);
  await page.goto(`/console/link#${secret}`);
  await page.getByRole("heading", { name: "You have access to Trattoria da Nino" }).waitFor();
  expect(page.url()).not.toContain(secret);
  // Pasted into the same tab: only the fragment changes.
  const fresh = await server.invite(slug, "nora@example.com");
  await page.goto(`/console/link#${fresh}`);
  await page.getByRole("heading", { name: "You are invited to Trattoria da Nino" }).waitFor();
  expect(page.url()).toBe(`${server.url}/console/link`);
  expect(faults).toEqual([]);
  await context.close();
});

test("a working curl command takes four clicks and one name", async () => {
  const { page, context, faults } = await openInNewContext(browser, server.url);
  await page.goto(`/console/v/${slug}/tokens`);
  await page.getByRole("heading", { name: "Welcome back" }).waitFor();
  await signIn(page, "nina@example.com"); // 1
  await button(page, "Create token").click(); // 2
  await page.getByLabel("Name", { exact: true }).fill("Website");
  await page.getByRole("dialog").getByRole("button", { name: "Create token" }).click(); // 3
  await button(page, "Copy Try it now in a terminal").click(); // 4
  const curl = await page.evaluate(() => navigator.clipboard.readText());
  const [, url = "", bearer = ""] = /^curl -s (\S+) -H 'Authorization: (Bearer [^']+)'$/.exec(curl) ?? [];
  const answer = await fetch(url, { headers: { Authorization: bearer } });
  expect([url, answer.status]).toEqual([`${server.url}/api/v1/menus`, 200]);
  await button(page, "Done").click();
  await page.getByRole("heading", { name: "Website" }).waitFor();
  expect(await page.content()).not.toContain(bearer.slice("Bearer ".length));
  expect(faults).toEqual([]);
  await context.close();
});

test("after its dialog is closed the page holds neither a token that it showed nor the key of that write", async () => {
  const { page, context } = await openInNewContext(browser, server.url);
  const writes: Request[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/tokens")) writes.push(request);
  });
  await page.goto(`/console/v/${slug}/tokens`);
  await signIn(page, "nina@example.com");
  await button(page, "Create token").click();
  await page.getByLabel("Name", { exact: true }).fill("Kept nowhere");
  await page.getByRole("dialog").getByRole("button", { name: "Create token" }).click();
  await button(page, "Copy Token").click();
  const token = await page.evaluate(() => navigator.clipboard.readText());
  await button(page, "Done").click();
  await page.getByRole("heading", { name: "Kept nowhere" }).waitFor();
  const key = writes[0]?.headers()["idempotency-key"] ?? "no key";
  const cache = await readMutationCache(page);
  expect([token, key, "Kept nowhere"].filter((text) => cache.includes(text))).toEqual([]);
  await context.close();
});

test("an unknown page keeps the menu, and an offline page continues when the connection is back", async () => {
  const { page, context } = await openInNewContext(browser, server.url);
  await page.goto(`/console/v/${slug}/nowhere`);
  await signIn(page, "nina@example.com");
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  await page.getByRole("link", { name: "Tokens", exact: true }).click();
  await page.getByRole("heading", { name: "Tokens", exact: true }).waitFor();
  expect(await page.title()).toBe("Tokens · Trattoria da Nino · Comanda");
  await context.setOffline(true);
  await page.getByText("You are offline.").waitFor();
  await takeScreenshot(page, "offline-note");
  // The code of this page is not loaded yet.
  await page.getByRole("link", { name: "Signature checker", exact: true }).click();
  await page.getByRole("heading", { name: "You are offline." }).waitFor();
  await takeScreenshot(page, "offline-page");
  await context.setOffline(false);
  await page.getByRole("heading", { name: "Signature checker", exact: true }).waitFor();
  expect(await page.getByText("You are offline.").count()).toBe(0);
  await context.close();
});

test("closing an uncopied token asks first, and a revoked token stops working", async () => {
  const { page, context, faults } = await openInNewContext(browser, server.url);
  await page.goto(`/console/v/${slug}/tokens`);
  await signIn(page, "nina@example.com");
  await button(page, "Actions for Website").click();
  await page.getByRole("menuitem", { name: "Rotate" }).click();
  await button(page, "Rotate token").click();
  await page.getByRole("dialog", { name: "Your new token" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByText("You have not copied it yet").waitFor();
  await button(page, "Go back and copy").click();
  await button(page, "Copy Token").click();
  const token = await page.evaluate(() => navigator.clipboard.readText());
  await button(page, "Done").click();
  const ask = async () => (await fetch(`${server.url}/api/v1/menus`, { headers: { Authorization: `Bearer ${token}` } })).status;
  expect(await ask()).toBe(200);
  // The new and the old token have the same name; the new one was used last and comes first.
  await button(page, "Actions for Website").first().click();
  await page.getByRole("menuitem", { name: "Revoke" }).click();
  await button(page, "Revoke token").click();
  await page.getByText("“Website” is revoked.").waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

test("the sandbox is opened, used and reset", async () => {
  const { page, context, faults } = await openInNewContext(browser, server.url);
  await page.goto(`/console/v/${slug}/sandbox`);
  await signIn(page, "nina@example.com");
  await button(page, "Open the sandbox").click();
  await button(page, "Copy Token").click();
  const token = await page.evaluate(() => navigator.clipboard.readText());
  const answer = await fetch(`${server.url}/api/v1/menus`, { headers: { Authorization: `Bearer ${token}` } });
  expect([answer.status, answer.headers.get("Service-Sandbox")]).toEqual([200, "true"]);
  await button(page, "Done").click();
  await page.getByRole("heading", { name: "Contents" }).waitFor();
  await button(page, "Reset now").click();
  await page.getByRole("dialog").getByRole("button", { name: "Reset now" }).click();
  await page.getByText("The sandbox has been reset.").waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

test("a sign-in link works on a new device, asks for the password before a new token, and the device can be signed out", async () => {
  const [first, second] = [await openInNewContext(browser, server.url), await openInNewContext(browser, server.url)];
  await first.page.goto("/console/account");
  await signIn(first.page, "nina@example.com");
  await first.page.getByRole("heading", { name: "Your account" }).waitFor();
  await second.page.goto(`/console/link#${await server.signInLink("nina@example.com")}`);
  await button(second.page, "Sign in").click();
  await second.page.waitForURL(`**/${slug}/orders`);
  await second.page.getByRole("link", { name: "Tokens" }).click();
  await button(second.page, "Create token").click();
  await second.page.getByLabel("Name", { exact: true }).fill("Kiosk");
  await second.page.getByRole("dialog").getByRole("button", { name: "Create token" }).click();
  const ask = second.page.getByRole("dialog", { name: "Confirm your password" });
  await ask.getByLabel("Password", { exact: true }).fill("not her password");
  await ask.getByRole("button", { name: "Continue" }).click();
  await second.page.getByText("That is not your current password.").waitFor();
  await ask.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await ask.getByRole("button", { name: "Continue" }).click();
  await second.page.getByRole("dialog", { name: "Your new token" }).waitFor();
  await first.page.reload();
  await first.page.getByRole("heading", { name: "Where you are signed in" }).waitFor();
  const others = first.page.getByRole("button", { name: /^Sign out Chrome on Linux$/ });
  await others.first().waitFor();
  while ((await others.count()) > 0) {
    const count = await others.count();
    await others.first().click();
    await first.page.waitForFunction((most) => document.querySelectorAll(".session button").length < most, count);
  }
  await second.page.goto("/console/account");
  await second.page.getByText("Please sign in again").waitFor();
  expect(first.faults).toEqual([]);
  await Promise.all([first.context.close(), second.context.close()]);
});

test("after signing out everywhere, the next call leads to sign-in and back", async () => {
  const first = await openInNewContext(browser, server.url);
  const second = await openInNewContext(browser, server.url);
  for (const { page } of [first, second]) {
    await page.goto("/console/account");
    await signIn(page, "nina@example.com");
    await page.getByRole("heading", { name: "Your account" }).waitFor();
  }
  await button(second.page, "Sign out everywhere").click();
  await second.page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere" }).click();
  await second.page.getByRole("heading", { name: "Welcome back" }).waitFor();
  await button(first.page, "Save").click();
  await first.page.getByText("Please sign in again").waitFor();
  await signIn(first.page, "nina@example.com");
  await first.page.getByRole("heading", { name: "Your account" }).waitFor();
  await Promise.all([first.context.close(), second.context.close()]);
});
