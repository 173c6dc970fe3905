/** The developer settings: each job in a real browser, against the real server with a worker and a webhook receiver. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { newUuid } from "../../server/src/lib/ids.ts";
import { type OpenedPage, openBrowser } from "./browser.ts";
import {
  addAndPingWebhook,
  checkSignature,
  choosePlace,
  createAndUseToken,
  openAndResetSandbox,
  openVenuePage,
  revokeTokenNamed,
} from "./developer-acts.ts";
import { job } from "./jobs.ts";
import { type ServerWithReceiver, startServerWithReceiver } from "./server-with-receiver.ts";
import { button, signInByInvitation } from "./sign-in.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

let server: ServerWithReceiver;
let browser: Browser;
let owner: OpenedPage;
let manager: OpenedPage;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServerWithReceiver(), openBrowser()]);
  owner = await signInByInvitation(browser, server, await server.invite("owner"));
  manager = await signInByInvitation(browser, server, await server.invite("manager"));
  await server.startWorker();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

/** Its webhook, delivery, request and activity are not the venue's. */
const manageSandbox = async (at: Pick<OpenedPage, "page"> & { server: ServerWithReceiver }): Promise<void> => {
  const { page } = at;
  await openVenuePage(at, "tokens");
  await choosePlace(page, "Sandbox");
  await button(page, "New token").click();
  await page.getByRole("dialog").getByRole("button", { name: "New token" }).click();
  await button(page, "Copy Token").click();
  const token = await page.evaluate(() => navigator.clipboard.readText());
  await button(page, "Done").click();
  await page.getByRole("link", { name: "Webhooks" }).click();
  await page.locator(".empty").waitFor();
  await addAndPingWebhook(at);
  await page.getByRole("link", { name: "Deliveries" }).click();
  await page.locator(".delivery-row").filter({ hasText: "ping" }).waitFor();
  expect(await page.locator(".delivery-row").count()).toBe(1);
  await page.getByRole("link", { name: "Requests" }).click();
  await page.getByRole("heading", { name: "No requests yet" }).waitFor();
  // The live tail: the request appears by itself.
  await ask("GET", "/orders", token);
  await page.locator(".request-row").filter({ hasText: "sandbox" }).first().waitFor({ timeout: 15_000 });
  await page.getByRole("link", { name: "Activity" }).click();
  await page.locator(".activity-row").filter({ hasText: "webhook" }).first().waitFor();
  await choosePlace(page, "Live");
  await page.waitForURL(`**/v/${at.server.slug}/activity`);
  expect(await page.locator(".place-sandbox").count()).toBe(0);
};

job("JD-01", async () => {
  const { page, faults } = owner;
  const at = { page, server };
  await createAndUseToken(at, "Website");
  await openAndResetSandbox(at);
  await openVenuePage(at, "webhooks");
  const secret = await addAndPingWebhook(at);
  await checkSignature(at, secret);
  await openVenuePage(at, "deliveries");
  await page.locator(".row-open").first().click();
  const received = server.receiver.received.length;
  await button(page, "Replay").click();
  await expect.poll(() => server.receiver.received.length, { timeout: 30_000 }).toBeGreaterThan(received);
  await openVenuePage(at, "requests");
  await page.locator(".request-row").filter({ hasText: "Website" }).first().waitFor();
  await revokeTokenNamed(at, "Website");
  await openVenuePage(at, "activity?area=token");
  await page.locator(".activity-row").filter({ hasText: "revoked the token" }).first().waitFor();
  await manageSandbox(at);
  await openVenuePage(at, "apps");
  await page.getByRole("heading", { level: 1, name: "Apps" }).waitFor();
  const links = page.getByRole("region", { name: "Developer" }).getByRole("link");
  expect(await links.allTextContents()).toEqual([
    "Tokens",
    "Sandbox",
    "Apps",
    "Webhooks",
    "Deliveries",
    "Signature checker",
    "Activity",
    "Requests",
  ]);
  expect(faults).toEqual([]);
});

/** The id that the answer names. */
const ask = async (method: "GET" | "POST", path: string, token: string): Promise<string> => {
  const body = method === "POST" ? { body: "{}" } : {};
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const answer = await fetch(`${server.url}/api/v1${path}`, { method, headers, ...body });
  return answer.headers.get("X-Request-Id") ?? "";
};

job("JD-02", async () => {
  const { page, faults } = manager;
  const [reader, writer] = [await server.token(["menu:read"]), await server.token(["orders:write"])];
  const [lacking, invalid] = [await ask("GET", "/orders", reader), await ask("POST", "/orders", writer)];
  await openVenuePage({ page, server }, "requests");
  await page.locator(".request-row").filter({ hasText: "422" }).waitFor();
  const field = page.getByLabel("Request id", { exact: true });
  const dialog = page.getByRole("dialog");
  const find = async (text: string, shown: RegExp | string): Promise<void> => {
    await field.fill(text);
    await dialog.getByText(shown).waitFor();
  };
  const close = async (): Promise<void> => {
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  };
  await find(`X-Request-Id: ${lacking}`, "Refused by: The scopes of the token");
  await dialog.getByText("insufficient_scope").waitFor();
  await dialog.getByText(/This token lacks orders:read\. Create a token with this scope/).waitFor();
  await close();
  await find(invalid, "Refused by: The check of the fields");
  await dialog.getByText("validation_failed").waitFor();
  await dialog.getByRole("link", { name: "required" }).first().waitFor();
  expect(await dialog.getByRole("link", { name: "Open the guide to this code" }).getAttribute("href")).toBe(
    "/docs/guide/errors#validation_failed",
  );
  await close();
  // The id of a request without a token is in no venue's log.
  await find(newUuid(new Date(Date.now() - 60_000)), /No request of this venue has this id/);
  await close();
  await find(newUuid(new Date(Date.now() - 3 * DAY_MS)), /made 3 days ago\. The log keeps requests for 2 days/);
  await close();
  await field.fill(lacking.slice(0, 20));
  await page.getByText("This is not a whole request id. It has 36 characters.").waitFor();
  expect(faults).toEqual([]);
});
