/** The developer settings as owner, manager and staff, on the real server with a worker and a webhook receiver. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenedPage, openBrowser } from "./browser.ts";
import { type ServerWithReceiver, startServerWithReceiver } from "./server-with-receiver.ts";
import { button, callFrom, signInByInvitation } from "./sign-in.ts";

let server: ServerWithReceiver;
let browser: Browser;
const people: Partial<Record<"owner" | "manager" | "staff", OpenedPage>> = {};
let secret: string;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServerWithReceiver(), openBrowser()]);
  for (const role of ["owner", "manager", "staff"] as const)
    people[role] = await signInByInvitation(browser, server, await server.invite(role));
  await server.startWorker();
  const { page } = pageOf("owner");
  const body = { url: server.receiver.url, events: ["order.created"], description: null };
  const { json } = await callFrom(page, "POST", `/venues/${server.slug}/webhooks`, body);
  const { data } = json as { data: { id: number; secret: string } };
  secret = data.secret;
  await callFrom(page, "POST", `/venues/${server.slug}/webhooks/${data.id}/ping`);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const pageOf = (role: keyof typeof people): OpenedPage => people[role] as OpenedPage;
const open = (page: Page, path: string) => page.goto(`/console/v/${server.slug}/${path}`);

const createAndUse = async (page: Page, name: string): Promise<void> => {
  await open(page, "tokens");
  await button(page, "Create token").first().click();
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("dialog").getByRole("button", { name: "Create token" }).click();
  await button(page, "Copy Token").click();
  const token = await page.evaluate(() => navigator.clipboard.readText());
  expect((await fetch(`${server.url}/api/v1/menus`, { headers: { Authorization: `Bearer ${token}` } })).status).toBe(200);
  await button(page, "Done").click();
  await page.getByRole("heading", { name }).waitFor();
};

const revoke = async (page: Page, name: string): Promise<void> => {
  await open(page, "tokens");
  await button(page, `Actions for ${name}`).click();
  await page.getByRole("menuitem", { name: "Revoke" }).click();
  await button(page, "Revoke token").click();
  await page.getByText(`“${name}” is revoked.`).waitFor();
};

const useSandbox = async (page: Page): Promise<void> => {
  await open(page, "sandbox");
  const create = button(page, "Open the sandbox");
  await create
    .or(page.getByRole("heading", { name: "Contents" }))
    .first()
    .waitFor();
  if ((await create.count()) > 0) {
    await create.click();
    await button(page, "Copy Token").click();
    await button(page, "Done").click();
  }
  await button(page, "Reset now").click();
  await page.getByRole("dialog").getByRole("button", { name: "Reset now" }).click();
  await page.getByText("The sandbox has been reset.").waitFor();
};

const checkSignature = async (page: Page): Promise<void> => {
  const got = server.receiver.received.at(-1);
  await open(page, "signature");
  await page.getByLabel("Raw body").fill(got?.body ?? "");
  await page.getByLabel("Service-Signature header").fill(String(got?.headers["service-signature"]));
  await page.getByRole("textbox", { name: "Secret" }).fill(secret);
  await page.getByText("Genuine. Your server should accept this.").waitFor();
};

test.each(["owner", "manager"] as const)("as %s: tokens, sandbox, addresses, deliveries, checker and both logs", async (role) => {
  const { page, faults } = pageOf(role);
  const name = `Website of the ${role}`;
  await createAndUse(page, name);
  await useSandbox(page);
  await open(page, "webhooks");
  await page.getByRole("heading", { name: server.receiver.url }).waitFor();
  expect(await button(page, "Add address").count()).toBe(role === "owner" ? 1 : 0);
  await open(page, "deliveries");
  await page.locator(".delivery-row").getByText("200").first().waitFor();
  await page.locator(".row-open").first().click();
  await page.getByRole("dialog").getByText("Delivered", { exact: true }).first().waitFor();
  expect(await button(page, "Replay").isEnabled()).toBe(role === "owner");
  await checkSignature(page);
  await open(page, "requests");
  await page.locator(".request-row").filter({ hasText: name }).first().waitFor();
  await revoke(page, name);
  await open(page, "activity?area=token");
  await page
    .locator(".activity-row")
    .filter({ hasText: `Nina the ${role}` })
    .filter({ hasText: "revoked the token" })
    .first()
    .waitFor();
  expect(faults).toEqual([]);
});

const PARTS = ["tokens", "sandbox", "webhooks", "deliveries", "signature", "activity", "requests"];
const READS = ["tokens", "sandbox", "webhooks", "deliveries", "activity", "requests", "takings"];

test("as staff: the menu has the pages of the service alone; every other page names the required roles and loads nothing; the server answers 403", async () => {
  const { page, faults } = pageOf("staff");
  const asked: string[] = [];
  page.on("request", (request) => {
    // Staff may listen to changes.
    if (request.url().includes("/console/api/venues/") && !request.url().endsWith("/live")) asked.push(request.url());
  });
  for (const part of PARTS) {
    await open(page, part);
    await page.getByText("The developer settings are for owners and managers. Your role here is staff.", { exact: false }).waitFor();
    expect(await page.locator(".token-item, .hook-item, .log-row, .facts, textarea, main button").count()).toBe(0);
  }
  expect(await page.getByRole("navigation").getByRole("link").allTextContents()).toEqual(["Orders", "Bookings", "Menu today", "Guests"]);
  expect(asked).toEqual([]);
  for (const read of READS) {
    const { status, json } = await callFrom(page, "GET", `/venues/${server.slug}/${read}`);
    expect([read, status, (json as { error: { code: string } }).error.code]).toEqual([read, 403, "role_required"]);
  }
  expect(faults).toEqual([]);
});
