/** The developer settings as owner, manager and staff, on the real server with a worker and a webhook receiver. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenedPage, openBrowser } from "./browser.ts";
import { checkSignature, createAndUseToken, openAndResetSandbox, openVenuePage, revokeTokenNamed } from "./developer-acts.ts";
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
const open = (page: Page, path: string) => openVenuePage({ page, server }, path);

test.each(["owner", "manager"] as const)("as %s: tokens, sandbox, addresses, deliveries, checker and both logs", async (role) => {
  const { page, faults } = pageOf(role);
  const name = `Website of the ${role}`;
  await createAndUseToken({ page, server }, name);
  await openAndResetSandbox({ page, server });
  await open(page, "webhooks");
  await page.getByRole("heading", { name: server.receiver.url }).waitFor();
  expect(await button(page, "Add address").count()).toBe(role === "owner" ? 1 : 0);
  await open(page, "deliveries");
  await page.locator(".delivery-row").getByText("200").first().waitFor();
  await page.locator(".row-open").first().click();
  await page.getByRole("dialog").getByText("Delivered", { exact: true }).first().waitFor();
  expect(await button(page, "Replay").isEnabled()).toBe(role === "owner");
  await checkSignature({ page, server }, secret);
  await open(page, "requests");
  await page.locator(".request-row").filter({ hasText: name }).first().waitFor();
  await revokeTokenNamed({ page, server }, name);
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
  expect(await page.getByRole("navigation").getByRole("link").allTextContents()).toEqual([
    "Orders",
    "Bookings",
    "Menu today",
    "Guests",
    "Gift cards",
    "Stock",
    "My shifts",
    "Experiences",
  ]);
  expect(asked).toEqual([]);
  for (const read of READS) {
    const { status, json } = await callFrom(page, "GET", `/venues/${server.slug}/${read}`);
    expect([read, status, (json as { error: { code: string } }).error.code]).toEqual([read, 403, "role_required"]);
  }
  expect(faults).toEqual([]);
});

test("a plan without a feature: the menu has no page of it, no page asks for it, and one that is opened by its address says so", async () => {
  const { page, faults } = pageOf("owner");
  await server.query(`update restaurants set plan = 'essential' where slug = '${server.slug}'`);
  const refused: string[] = [];
  page.on("response", (answer) => {
    if (answer.status() === 403) refused.push(answer.url());
  });
  for (const path of ["bookings", "floor", "floor/qr-codes", "booking-rules"]) {
    await open(page, path);
    await page.getByRole("heading", { name: "Not in your plan" }).waitFor();
    await page.getByText("does not include bookings").waitFor();
  }
  const links = page.getByRole("navigation").getByRole("link");
  const names = (await links.allTextContents()).filter((name) => name !== "API reference");
  expect(names).toEqual(expect.arrayContaining(["Orders", "Menu", "Guests", "Team", "Tokens"]));
  expect(names.filter((name) => ["Bookings", "Tables", "Booking rules"].includes(name))).toEqual([]);
  for (const name of names) {
    await links.filter({ hasText: new RegExp(`^${name}$`) }).click();
    await page.locator("main h1").first().waitFor();
    await page.waitForTimeout(500);
  }
  expect(refused).toEqual([]);
  await server.query(`update restaurants set plan = 'complete' where slug = '${server.slug}'`);
  await open(page, "bookings");
  await page.getByRole("link", { name: "Bookings", exact: true }).waitFor();
  expect(faults).toEqual([]);
});
