/** Webhooks and deliveries in a browser, on the real server with a worker and a TLS receiver. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answer } from "../../server/test/support/webhook-receiver.ts";
import { type OpenedPage, openBrowser } from "./browser.ts";
import { type ServerWithReceiver, startServerWithReceiver } from "./server-with-receiver.ts";
import { button, callFrom, signInByInvitation } from "./sign-in.ts";

let server: ServerWithReceiver;
let browser: Browser;
let owner: OpenedPage;
let manager: OpenedPage;
let staff: OpenedPage;
let secret: string;
beforeAll(async () => {
  [server, browser] = await Promise.all([startServerWithReceiver(), openBrowser()]);
  owner = await signInByInvitation(browser, server, await server.invite("owner"));
  manager = await signInByInvitation(browser, server, await server.invite("manager"));
  staff = await signInByInvitation(browser, server, await server.invite("staff"));
  await server.startWorker();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const chooseFor = async (page: Page, name: string): Promise<void> => {
  await button(page, /^Actions for/).click();
  await page.getByRole("menuitem", { name, exact: true }).click();
};
const open = ({ page }: OpenedPage, path: string) => page.goto(`/console/v/${server.slug}/${path}`);

test("an address is checked and added, and a ping arrives", async () => {
  const { page, faults } = owner;
  await open(owner, "webhooks");
  await button(page, "Add address").click();
  await page.getByLabel("Address", { exact: true }).fill(server.receiver.url);
  await page.getByLabel("Address", { exact: true }).blur();
  await page.getByText("The receiver answered with 200.").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Add address" }).click();
  await page.getByText("Choose at least one event.").waitFor();
  const search = page.getByRole("searchbox", { name: "Find an event" });
  await expect.poll(() => search.evaluate((field) => field === document.activeElement)).toBe(true);
  // Esc closes the form and keeps its values.
  await page.keyboard.press("Escape");
  await page.getByText(/Open the form again to continue/).waitFor();
  await button(page, "Add address").click();
  await page.getByText("These are your unsaved changes.").waitFor();
  expect(await page.getByLabel("Address", { exact: true }).inputValue()).toBe(server.receiver.url);
  await search.fill("order");
  await button(page, "All").click();
  await page.getByRole("dialog").getByRole("button", { name: "Add address" }).click();
  await page.getByRole("dialog", { name: "Your signing secret" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByText("After you close this, the secret cannot be shown again.").waitFor();
  await button(page, "Go back and copy").click();
  await button(page, "Copy Secret").click();
  secret = await page.evaluate(() => navigator.clipboard.readText());
  expect(secret).toMatch(/^whsec_[0-9A-Za-z]{40}$/);
  await button(page, "Send a ping now").click();
  await page.getByText(/The ping arrived: 200/).waitFor();
  await button(page, "Done").click();
  await page.getByRole("heading", { name: server.receiver.url }).waitFor();
  expect(await page.content()).not.toContain(secret);
  expect(faults).toEqual([]);
});

test("a refused field gets the focus, and its error disappears when it is corrected", async () => {
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

test("a form that was begun before another change puts nothing back: it shows what is saved, and says who changed it", async () => {
  const { page, faults } = owner;
  await open(owner, "webhooks");
  const dialog = page.getByRole("dialog");
  const description = dialog.getByLabel("Description");
  await chooseFor(page, "Edit");
  await description.fill("Begun before");
  await button(page, "Close").click();
  const { json } = await callFrom(page, "GET", `/venues/${server.slug}/webhooks`);
  const [{ id }] = (json as { data: [{ id: number }] }).data;
  const { status } = await callFrom(page, "PATCH", `/venues/${server.slug}/webhooks/${id}`, { description: "Changed meanwhile" });
  expect(status).toBe(200);
  await page.getByText("Changed meanwhile").waitFor();
  await chooseFor(page, "Edit");
  expect(await description.inputValue()).toBe("Begun before");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText(/changed this in the meantime/).waitFor();
  await expect.poll(() => description.inputValue()).toBe("Changed meanwhile");
  await description.fill("Decided after");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("Decided after").waitFor();
  // The refusal is what the browser's console reports.
  expect(faults.filter((fault) => !fault.includes("409"))).toEqual([]);
  faults.length = 0;
});

test("the checker accepts a received message, explains a changed one, and sends nothing", async () => {
  const { page, faults } = owner;
  const got = server.receiver.received.at(-1);
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

test("a click that leaves the address counts: the answer of its check moves nothing before the release", async () => {
  const { page, faults } = owner;
  await open(owner, "webhooks");
  await button(page, "Add address").click();
  await page.getByLabel("Address", { exact: true }).fill(`${server.receiver.url}/long`);
  const checked = page.waitForResponse((response) => response.url().includes("check"));
  await button(page, "All").hover();
  await page.mouse.down();
  await checked;
  await page.waitForTimeout(300);
  await page.mouse.up();
  await page.getByText(/^(\d+) of \1 chosen$/).waitFor();
  await page.getByText("The receiver answered with 200.").waitFor();
  await button(page, "Close").click();
  expect(faults).toEqual([]);
});

test("a failed ping shows the reason and can be replayed", async () => {
  const { page, faults } = owner;
  server.receiver.behave(answer(503, {}, "closed for lunch"));
  await open(owner, "webhooks");
  await chooseFor(page, "Send a ping");
  await page.getByText("Your server answered the ping with 503.").waitFor();
  await page.getByText("Failing", { exact: false }).first().waitFor();
  expect(await page.getByText("Working", { exact: true }).count()).toBe(0);
  await page.getByRole("link", { name: "Open this delivery" }).click();
  await page.getByRole("dialog").getByText("Will retry").waitFor();
  await page.getByText("Answer", { exact: true }).click();
  await page.getByText("closed for lunch").waitFor();
  await server.query("update deliveries set state = 'failed', due_at = null where state = 'waiting'");
  await open(owner, "deliveries?state=failed");
  await page.locator(".delivery-row").getByText("Failed", { exact: true }).waitFor();
  server.receiver.behave(answer(204));
  await button(page, "Replay failed…").click();
  await page.getByText("1 delivery will be sent again.").waitFor();
  await button(page, "Replay 1 delivery").click();
  await page.getByText("1 delivery is being sent again.").waitFor();
  // The list shows failed deliveries only, so it becomes empty.
  await page.getByRole("heading", { name: "Nothing matches these filters" }).waitFor();
  await button(page, "Clear filters").first().click();
  await page.locator(".delivery-row").getByText("204").waitFor();
  expect(page.url()).not.toContain("state=");
  expect(faults).toEqual([]);
});

test("waiting deliveries can be retried now, one by one and for a whole address", async () => {
  const { page, faults } = owner;
  const count = server.receiver.received.length;
  server.receiver.behave(answer(503));
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
  await expect.poll(() => server.receiver.received.length).toBe(count + 2);
  await page.getByText("1 delivery failed and is waiting.").waitFor();
  server.receiver.behave(answer(204));
  await button(page, "Retry all waiting now").click();
  await page.getByRole("heading", { name: "Nothing matches these filters" }).waitFor();
  await page.getByText("1 delivery failed and is waiting.").waitFor({ state: "detached" });
  await expect.poll(() => server.receiver.received.length).toBe(count + 3);
  expect(faults).toEqual([]);
});

test("pause, resume and rotation are in the activity log", async () => {
  const { page, faults } = owner;
  const choose = (name: string) => chooseFor(page, name);
  await open(owner, "webhooks");
  await choose("Pause");
  await page.getByText("Paused", { exact: true }).waitFor();
  await choose("Resume");
  // It works again, but failed recently.
  await page.getByText("Some deliveries fail", { exact: true }).waitFor();
  await choose("Rotate secret");
  await button(page, "Create a new secret").click();
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

test("a refused request names the missing scope", async () => {
  const { page, faults } = owner;
  const token = await server.token(["menu:read"]);
  const refused = await fetch(`${server.url}/api/v1/orders`, { headers: { Authorization: `Bearer ${token}` } });
  expect(refused.status).toBe(403);
  await open(owner, "requests?status=4xx");
  // The request is logged after its answer; the page refetches.
  await page.getByText("This token lacks orders:read").waitFor();
  await button(page, /^Open request GET \/orders/).click();
  const id = (await page.getByRole("dialog").locator(".copy-id .code").first().textContent()) ?? "";
  expect(id).toBe(refused.headers.get("x-request-id"));
  await page.keyboard.press("Escape");
  await page.getByLabel("Request id", { exact: true }).fill(id.replace(/.$/, "x"));
  await page.getByText("This is not a whole request id.").waitFor();
  await page.getByLabel("Request id", { exact: true }).fill(id);
  await page.getByRole("dialog").getByText("Refused by: The scopes of the token").waitFor();
  expect(faults).toEqual([]);
});

test("a page whose code cannot be loaded says so beside the menu, and a reload opens it", async () => {
  const { page, faults } = owner;
  const code = /\/assets\/webhooks-[^/]*\.js$/;
  await page.route(code, (route) => route.fulfill({ status: 404 }));
  await open(owner, "webhooks");
  await page.getByRole("heading", { name: "Something went wrong" }).waitFor();
  expect(await page.getByRole("main").count()).toBe(1);
  await page.getByRole("link", { name: "Deliveries" }).waitFor();
  await page.unroute(code);
  await button(page, "Reload").click();
  await page.getByRole("heading", { name: "Webhooks" }).waitFor();
  const [missing, ...others] = faults.splice(0);
  expect([missing, others]).toEqual([expect.stringContaining("Failed to fetch dynamically imported module"), []]);
});

test("managers can view webhooks but not change them; staff cannot view them", async () => {
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
  const { status } = await callFrom(manager.page, "POST", `/venues/${server.slug}/deliveries/replay`, { ids: [1] });
  expect(status).toBe(403);
  for (const path of ["webhooks", "deliveries", "signature", "activity", "requests"]) {
    await open(staff, path);
    await staff.page.getByText(/for owners and managers/).waitFor();
  }
  expect([...manager.faults, ...staff.faults]).toEqual([]);
});

test("the deliveries of a removed address stay in the log", async () => {
  const { page, faults } = owner;
  await open(owner, "webhooks");
  await chooseFor(page, "Remove");
  await page.getByText(/its secrets are deleted/).waitFor();
  await button(page, "Remove address").click();
  await page.getByRole("heading", { name: "No webhook addresses yet" }).waitFor();
  await open(owner, "deliveries");
  await page.locator(".delivery-row").first().waitFor();
  expect(faults).toEqual([]);
});
