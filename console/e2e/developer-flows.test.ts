/** Webhooks from the first address to a replayed delivery, for real: browser, server, worker, and a receiver with TLS. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answer } from "../../server/test/receiver.ts";
import { openBrowser, type Visit } from "./browser.ts";
import { type ListeningHouse, openListeningHouse } from "./listening-house.ts";
import { button, callFrom, enter } from "./people.ts";

let house: ListeningHouse;
let browser: Browser;
let owner: Visit;
let manager: Visit;
let staff: Visit;
let secret: string;
beforeAll(async () => {
  [house, browser] = await Promise.all([openListeningHouse(), openBrowser()]);
  owner = await enter(browser, house, await house.invite("owner"));
  manager = await enter(browser, house, await house.invite("manager"));
  staff = await enter(browser, house, await house.invite("staff"));
  await house.startWorker();
});
afterAll(async () => {
  await browser?.close();
  await house?.close();
});

const chooseFor = async (page: Page, name: string): Promise<void> => {
  await button(page, /^Actions for/).click();
  await page.getByRole("menuitem", { name, exact: true }).click();
};
const open = ({ page }: Visit, path: string) => page.goto(`/console/v/${house.slug}/${path}`);

test("an address is checked, added, its secret kept, and a ping seen to arrive", async () => {
  const { page, faults } = owner;
  await open(owner, "webhooks");
  await button(page, "Add address").click();
  await page.getByLabel("Address", { exact: true }).fill(house.receiver.url);
  await page.getByLabel("Address", { exact: true }).blur();
  await page.getByText("The receiver answered with 200.").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Add address" }).click();
  await page.getByText("Choose at least one event.").waitFor();
  const search = page.getByRole("searchbox", { name: "Find an event" });
  await expect.poll(() => search.evaluate((field) => field === document.activeElement)).toBe(true);
  // Esc closes the form and keeps what was written.
  await page.keyboard.press("Escape");
  await page.getByText(/continue where you stopped/).waitFor();
  await button(page, "Add address").click();
  await page.getByText("This is what you wrote before and did not save.").waitFor();
  expect(await page.getByLabel("Address", { exact: true }).inputValue()).toBe(house.receiver.url);
  await search.fill("order");
  await button(page, "All").click();
  await page.getByRole("dialog").getByRole("button", { name: "Add address" }).click();
  await page.getByRole("dialog", { name: "Your signing secret" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByText("Once this is closed, the secret cannot be shown again.").waitFor();
  await button(page, "Go back and copy").click();
  await button(page, "Copy Secret").click();
  secret = await page.evaluate(() => navigator.clipboard.readText());
  expect(secret).toMatch(/^whsec_[0-9A-Za-z]{40}$/);
  await button(page, "Send a ping now").click();
  await page.getByText(/The ping arrived: 200/).waitFor();
  await button(page, "Done").click();
  await page.getByRole("heading", { name: house.receiver.url }).waitFor();
  expect(await page.content()).not.toContain(secret);
  expect(faults).toEqual([]);
});

test("a refused field gets the focus, and its fault goes when it is corrected", async () => {
  const { page, faults } = owner;
  await open(owner, "webhooks");
  await button(page, "Add address").click();
  const url = page.getByLabel("Address", { exact: true });
  await url.fill("https://localhost/hook");
  await page.getByRole("searchbox", { name: "Find an event" }).fill("order");
  await button(page, "All").click();
  await page.getByRole("dialog").getByRole("button", { name: "Add address" }).click();
  await page.locator('[aria-invalid="true"][type=url]').waitFor();
  await expect.poll(() => url.evaluate((field) => field === document.activeElement)).toBe(true);
  await url.fill("https://localhost/hooks");
  await expect.poll(() => page.locator('[aria-invalid="true"]').count()).toBe(0);
  await button(page, "Close").click();
  expect(faults).toEqual([]);
});

test("what the receiver got is genuine, and the checker says why it is not when it was touched; nothing is sent", async () => {
  const { page, faults } = owner;
  const got = house.receiver.received.at(-1);
  const body = got?.body ?? "";
  await open(owner, "signature");
  await page.getByLabel("Raw body").fill(body);
  await page.getByLabel("Service-Signature header").fill(String(got?.headers["service-signature"]));
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.getByRole("textbox", { name: "Secret" }).fill(secret);
  await page.getByText("Genuine. Your server should accept this.").waitFor();
  await page.getByLabel("Raw body").fill(JSON.stringify(JSON.parse(body), null, 2));
  await page.getByText(/Your framework parsed and rewrote the body/).waitFor();
  expect(asked).toEqual([]);
  expect(faults).toEqual([]);
});

test("a ping that fails says why; given up, it is counted, replayed, and arrives", async () => {
  const { page, faults } = owner;
  house.receiver.behave(answer(503, {}, "closed for lunch"));
  await open(owner, "webhooks");
  await chooseFor(page, "Send a ping");
  await page.getByText("Your server answered the ping with 503.").waitFor();
  await page.getByText("Failing", { exact: false }).first().waitFor();
  expect(await page.getByText("Working", { exact: true }).count()).toBe(0);
  await page.getByRole("link", { name: "Open this delivery" }).click();
  await page.getByRole("dialog").getByText("Will retry").waitFor();
  await page.getByText("Answer", { exact: true }).click();
  await page.getByText("closed for lunch").waitFor();
  await house.query("update deliveries set state = 'failed', due_at = null where state = 'waiting'");
  await open(owner, "deliveries?state=failed");
  await page.locator(".delivery-row").getByText("Failed", { exact: true }).waitFor();
  house.receiver.behave(answer(204));
  await button(page, "Replay failed…").click();
  await page.getByText("1 delivery would be sent again.").waitFor();
  await button(page, "Replay 1 delivery").click();
  await page.getByText("1 delivery is on its way again.").waitFor();
  // The list is filtered by what failed: live, it empties itself.
  await page.getByRole("heading", { name: "Nothing fits these filters" }).waitFor();
  await button(page, "Clear filters").first().click();
  await page.locator(".delivery-row").getByText("204").waitFor();
  expect(page.url()).not.toContain("state=");
  expect(faults).toEqual([]);
});

test("during an outage a waiting delivery is sent now, from its row and for the whole address", async () => {
  const { page, faults } = owner;
  const count = house.receiver.received.length;
  house.receiver.behave(answer(503));
  await open(owner, "webhooks");
  await chooseFor(page, "Send a ping");
  await page
    .getByText(/Next attempt in/)
    .first()
    .waitFor();
  await open(owner, "deliveries?state=waiting");
  await page.getByText("1 delivery failed and is waiting.").waitFor();
  await button(page, "Retry now: ping").click();
  await page.getByText("1 delivery is being sent now.").waitFor();
  await expect.poll(() => house.receiver.received.length).toBe(count + 2);
  await page.getByText("1 delivery failed and is waiting.").waitFor();
  house.receiver.behave(answer(204));
  await button(page, "Retry all waiting now").click();
  await page.getByRole("heading", { name: "Nothing fits these filters" }).waitFor();
  expect(await page.getByText("1 delivery failed and is waiting.").count()).toBe(0);
  await expect.poll(() => house.receiver.received.length).toBe(count + 3);
  expect(faults).toEqual([]);
});

test("paused, resumed, rotated; and the log says so", async () => {
  const { page, faults } = owner;
  const choose = (name: string) => chooseFor(page, name);
  await open(owner, "webhooks");
  await choose("Pause");
  await page.getByText("Paused", { exact: true }).waitFor();
  await choose("Resume");
  // It works again, but failed a moment ago.
  await page.getByText("Some deliveries fail", { exact: true }).waitFor();
  await choose("Rotate secret");
  await button(page, "Make a new secret").click();
  await button(page, "Copy Secret").click();
  await button(page, "Done").click();
  await page.getByText("Rotation in progress").waitFor();
  await open(owner, "activity?area=webhook");
  await page.getByText(/rotated the signing secret of/).waitFor();
  await page
    .getByText(/paused the webhook address/)
    .first()
    .waitFor();
  expect(faults).toEqual([]);
});

test("a refused request names the scope it needed", async () => {
  const { page, faults } = owner;
  const token = await house.token(["menu:read"]);
  const refused = await fetch(`${house.url}/api/v1/orders`, { headers: { Authorization: `Bearer ${token}` } });
  expect(refused.status).toBe(403);
  await open(owner, "requests?status=4xx");
  // Noted a moment after the answer; the page asks again by itself.
  await page.getByText("This token lacks orders:read").waitFor();
  await button(page, /^Open request GET \/orders/).click();
  const id = (await page.getByRole("dialog").locator(".copy-id .code").first().textContent()) ?? "";
  expect(id).toBe(refused.headers.get("x-request-id"));
  await page.keyboard.press("Escape");
  await page.getByLabel("Request id", { exact: true }).fill(id.replace(/.$/, "x"));
  await page.getByRole("heading", { name: "Nothing fits these filters" }).waitFor();
  await page.getByLabel("Request id", { exact: true }).fill(id);
  await button(page, /^Open request GET \/orders/).waitFor();
  expect(faults).toEqual([]);
});

test("a manager looks but does not touch; staff see neither", async () => {
  await open(manager, "webhooks");
  await manager.page.getByText(/Only owners can change webhooks/).waitFor();
  expect(await button(manager.page, "Add address").count()).toBe(0);
  await button(manager.page, /^Actions for/).click();
  expect(await manager.page.getByRole("menuitem").allTextContents()).toEqual(["View deliveries"]);
  await open(manager, "deliveries");
  await manager.page.locator(".delivery-row").first().waitFor();
  expect(await manager.page.getByRole("checkbox").count()).toBe(0);
  expect(await button(manager.page, "Replay failed…").count()).toBe(0);
  await manager.page.locator(".row-open").first().click();
  await manager.page.getByText("Only owners can replay.").waitFor();
  const { status } = await callFrom(manager.page, "POST", `/venues/${house.slug}/deliveries/replay`, { ids: [1] });
  expect(status).toBe(403);
  for (const path of ["webhooks", "deliveries", "signature", "activity", "requests"]) {
    await open(staff, path);
    await staff.page.getByText(/for owners and managers/).waitFor();
  }
  expect([...manager.faults, ...staff.faults]).toEqual([]);
});

test("a removed address is gone, and its log stays", async () => {
  const { page, faults } = owner;
  await open(owner, "webhooks");
  await chooseFor(page, "Remove");
  await page.getByText(/its secrets are deleted/).waitFor();
  await button(page, "Remove address").click();
  await page.getByRole("heading", { name: "Be told instead of asking" }).waitFor();
  await open(owner, "deliveries");
  await page.locator(".delivery-row").first().waitFor();
  expect(faults).toEqual([]);
});
