/** A page that names a message shows its state: with a gateway and a mail server that refuse, and once they take it. */
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type FakeMailAndSms, startFakeMailAndSms } from "../../server/test/support/fake-smtp-and-sms.ts";
import { axeFaults, isTooWide, LOOKS, type OpenedPage, openBrowser, openInNewContext, takeScreenshot } from "./browser.ts";
import { type RealServer, startRealServer } from "./real-server.ts";
import { acceptInvitation, button } from "./sign-in.ts";

let server: RealServer;
let browser: Browser;
let outside: FakeMailAndSms;
let slug: string;
let owner: OpenedPage;

beforeAll(async () => {
  outside = await startFakeMailAndSms();
  const settings = { SMTP_URL: outside.smtpUrl, SMS_GATEWAY_URL: outside.gatewayUrl };
  [server, browser] = await Promise.all([startRealServer(settings), openBrowser()]);
  slug = await server.venue("lab");
  owner = await openInNewContext(browser, server.url, LOOKS.light);
  await acceptInvitation(owner.page, await server.invite(slug, "olga@messages.example", "owner", "Olga"));
  await server.startWorker();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
  await outside?.close();
});
beforeEach(async () => {
  outside.reset();
  await server.query("delete from notifications");
});

const open = async (path: string): Promise<Page> => {
  await owner.page.goto(`/console/v/${slug}/${path}`);
  await owner.page.locator("h1, .bookings-head").first().waitFor();
  return owner.page;
};
const refuse = (): void => void Object.assign(outside.answers, { gateway: 400, smtp: 550 });
const rowOf = (page: Page, name: string): Locator => page.locator(".booking-row").filter({ hasText: name });

/** A party gets the message that its table is free. */
const tell = async (page: Page, name: string, phone: string): Promise<void> => {
  await button(page, "Waitlist").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText(/^About \d+ min$/).waitFor();
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel(/^Phone/).fill(phone);
  await dialog.getByRole("button", { name: "Add" }).click();
  await button(page, `Send message ${name}`).click();
};

/** What a page says of a party, against what the gateway got. */
const lies = async (page: Page, name: string, phone: string): Promise<string[]> => {
  const said = await rowOf(page, name).getByText("Message sent", { exact: true }).count();
  const isTaken = outside.answers.gateway < 300 && outside.texts.some(({ body }) => body.to === phone);
  return said > 0 && !isTaken ? [`${name} was told, says the page`] : [];
};

test("a party whose message was refused: the row, the bar and the list say so; sent again to the right number, the row says sent", async () => {
  refuse();
  const page = await open("bookings");
  await tell(page, "Rita Refused", "+1 555 0801");
  const row = rowOf(page, "Rita Refused");
  await row.getByText("Message not sent", { exact: true }).waitFor();
  await row.getByText("The other side refused it. The address may be wrong.").waitFor();
  expect(await lies(page, "Rita Refused", "+1 555 0801")).toEqual([]);
  await page.getByText("1 message was not sent.").waitFor();
  await button(page, "Show").click();
  await page.getByRole("dialog").getByText("Not sent to +1 555 0801", { exact: false }).waitFor();
  expect([await axeFaults(page), await isTooWide(page)]).toEqual([[], false]);
  await takeScreenshot(page, "messages-failed");
  await page.keyboard.press("Escape");
  outside.reset();
  await row.getByRole("button", { name: "Send again: “Your table is free” to +1 555 0801" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Phone number").fill("+1 555 0802");
  await takeScreenshot(page, "messages-retry");
  await dialog.getByRole("button", { name: "Send again" }).click();
  await row.getByText("Message sent", { exact: true }).waitFor();
  expect(outside.texts.map(({ body }) => body.to)).toEqual(["+1 555 0802"]);
  expect(await page.getByText("message was not sent").count()).toBe(0);
});

test("planted: a page that shows what was asked for is found", async () => {
  refuse();
  const page = await open("bookings");
  const asked = /\/console\/api\/venues\/[^/]+\/messages/;
  await page.route(asked, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: (await answer.text()).replaceAll(/"state":"\w+"/g, '"state":"sent"') });
  });
  await tell(page, "Wanda Wished", "+1 555 0803");
  await rowOf(page, "Wanda Wished").getByText("Message sent", { exact: true }).waitFor();
  expect(await lies(page, "Wanda Wished", "+1 555 0803")).toEqual(["Wanda Wished was told, says the page"]);
  await page.unroute(asked);
});

test("the drawer of a booking says that its confirmation was refused, and sends it to another address", async () => {
  refuse();
  const soon = new Date(Date.now() + 120_000).toISOString();
  const body = { name: "Bea Booked", phone: "+1 555 0804", email: "bea@wrong.example", party_size: 2 };
  const token = await server.token(slug);
  const made = await fetch(`${server.url}/api/v1/reservations`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ ...body, date: soon.slice(0, 10), time: soon.slice(11, 16) }),
  });
  expect(made.status).toBe(201);
  const page = await open("bookings");
  await rowOf(page, "Bea Booked").locator(".booking-open").click();
  const drawer = page.getByRole("dialog").first();
  await drawer.getByText("Not sent to bea@wrong.example", { exact: false }).waitFor();
  outside.reset();
  await drawer.getByRole("button", { name: "Send again: Confirmation to bea@wrong.example" }).click();
  const dialog = page.getByRole("dialog").last();
  await dialog.getByLabel("E-mail address").fill("bea@right.example");
  await dialog.getByRole("button", { name: "Send again" }).click();
  await takeScreenshot(page, "messages-drawer");
  await drawer.getByText(/^Sent to bea@right/).waitFor();
  expect(outside.mails.map(({ to }) => to)).toEqual([["bea@right.example"]]);
});

/** A guest whose order was completed is asked for a review. */
const askAfterOrder = async (name: string, email: string): Promise<void> => {
  const headers = { authorization: `Bearer ${await server.token(slug)}`, "content-type": "application/json" };
  const api = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${server.url}/api/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    expect(answer.ok, `${path}: ${answer.status}`).toBe(true);
    return ((await answer.json()) as { data: T }).data;
  };
  await server.query("update settings set reviews = reviews || '{\"is_on\": true}'::jsonb");
  const items = await api<{ id: number; name: { en: string } }[]>("GET", "/items?per_page=100");
  const lines = [{ item_id: items.find((item) => item.name.en === "Plain Plate")?.id, quantity: 1 }];
  const guest = { customer_name: name, customer_phone: "+1 555 0899", customer_email: email };
  const { id } = await api<{ id: string }>("POST", "/orders", { type: "pickup", ...guest, lines });
  for (const status of ["accepted", "ready", "completed"]) await api("POST", `/orders/${id}/status`, { status });
  const noon = new Date(`${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T12:00:00Z`);
  await server.askForReviews(noon);
};
const openDone = async (name: string): Promise<Locator> => {
  const page = await open("orders");
  await page.getByLabel("Search orders").first().fill(name);
  await page.locator(".order-card").filter({ hasText: name }).locator(".order-open").click();
  return page.getByRole("dialog").first();
};

test("the details of an order say that its request for a review was refused, and why; sent elsewhere, they say sent", async () => {
  refuse();
  await askAfterOrder("Rosa Review", "rosa@wrong.example");
  const drawer = await openDone("Rosa Review");
  await drawer.getByText("Request for a review").waitFor();
  await drawer.getByText("Not sent to rosa@wrong.example", { exact: false }).waitFor();
  await drawer.getByText("The other side refused it. The address may be wrong.", { exact: false }).waitFor();
  await takeScreenshot(owner.page, "messages-order");
  outside.reset();
  await drawer.getByRole("button", { name: "Send again: Request for a review to rosa@wrong.example" }).click();
  const dialog = owner.page.getByRole("dialog").last();
  await dialog.getByLabel("E-mail address").fill("rosa@right.example");
  await dialog.getByRole("button", { name: "Send again" }).click();
  await drawer.getByText(/^Sent to rosa@right/).waitFor();
  expect(outside.mails.map(({ to }) => to)).toEqual([["rosa@right.example"]]);
});

test("planted: details that read nothing of the message do not say that it failed", async () => {
  refuse();
  await owner.page.route(/\/messages\?about=order/, (route) => route.fulfill({ json: { data: [] } }));
  await askAfterOrder("Nora Nothing", "nora@wrong.example");
  const drawer = await openDone("Nora Nothing");
  await drawer.locator(".step-list").waitFor();
  expect(await drawer.getByText("Request for a review").count()).toBe(0);
  await owner.page.unroute(/\/messages\?about=order/);
});

test("the team says that an invitation was refused, and that the next one was sent", async () => {
  refuse();
  const page = await open("team");
  await button(page, "Invite a person").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("E-mail address").fill("ben@messages.example");
  await dialog.getByLabel("Name", { exact: true }).fill("Ben Bounced");
  await dialog.getByRole("radio", { name: "Staff" }).check();
  await button(page, "Send the invitation").click();
  const member = page.locator(".team-item").filter({ hasText: "Ben Bounced" });
  await member.getByText("Not sent to ben@messages.example", { exact: false }).waitFor();
  outside.reset();
  await member.getByRole("button", { name: /^Send .*again/ }).click();
  await member.getByText(/^Sent to ben@messages/).waitFor();
  expect(outside.mails.map(({ to }) => to)).toEqual([["ben@messages.example"]]);
});
