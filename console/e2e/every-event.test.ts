/**
 * A person makes each event happen in the console, and a guest rates on the page of a link: a receiver gets all types of the contract,
 * each valid to the letter and signed.
 */
import { createHmac } from "node:crypto";
import { EVENT_TYPES, type EventEnvelope, type EventType, eventSchema } from "@comanda/contract/events/envelope.ts";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { strictCheck } from "../../conformance/strict-schema.ts";
import { type FakeMailAndSms, startFakeMailAndSms } from "../../server/test/support/fake-smtp-and-sms.ts";
import { addDays, serviceDayAt } from "../src/kit/dates.ts";
import { type OpenedPage, openBrowser } from "./browser.ts";
import { openVenuePage } from "./developer-acts.ts";
import { type ServerWithReceiver, startServerWithReceiver } from "./server-with-receiver.ts";
import { button, signInByInvitation } from "./sign-in.ts";

/** Guests are asked by day. */
const NOON = new Date(new Date().setUTCHours(12, 0, 0, 0));
/** The bookings page opens with the day of service, which begins at five in the morning. */
const TOMORROW = addDays(serviceDayAt(Date.now(), "UTC"), 1);
const GUEST = { name: "Grace Hopper", phone: "+1 555 7001" };

let server: ServerWithReceiver;
let messages: FakeMailAndSms;
let browser: Browser;
let owner: OpenedPage;
let page: Page;
let secret: string;

beforeAll(async () => {
  messages = await startFakeMailAndSms();
  const settings = { SMS_GATEWAY_URL: messages.gatewayUrl, SMS_GATEWAY_TOKEN: "gateway-token" };
  [server, browser] = await Promise.all([startServerWithReceiver(settings), openBrowser()]);
  owner = await signInByInvitation(browser, server, await server.invite("owner"));
  page = owner.page;
  await server.startWorker();
  await subscribe();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
  await messages?.close();
});

const open = (path: string): Promise<unknown> => openVenuePage({ page, server }, path);
const dialog = () => page.getByRole("dialog").last();
const cardOf = (name: string) => page.locator(".order-card").filter({ hasText: name });

/** Subscribes to all types. */
const subscribe = async (): Promise<void> => {
  await open("webhooks");
  await button(page, "Add address").click();
  await page.getByLabel("Address", { exact: true }).fill(server.receiver.url);
  await page.keyboard.press("Tab");
  await page.getByText("The receiver answered with 200.").waitFor();
  await button(page, "All").click();
  await dialog().getByRole("button", { name: "Add address" }).click();
  await button(page, "Copy Secret").click();
  secret = await page.evaluate(() => navigator.clipboard.readText());
  await button(page, "Send a ping now").click();
  await page.getByText(/The ping arrived: 200/).waitFor();
  await button(page, "Done").click();
};

const isSigned = (body: string, header: string): boolean => {
  const [, t = "", v1 = ""] = /^t=(\d+),v1=([0-9a-f]{64})/.exec(header) ?? [];
  return createHmac("sha256", secret).update(`${t}.${body}`).digest("hex") === v1;
};

/** The events that arrived, each of its type and genuine. */
const received = (type: EventType): EventEnvelope[] =>
  server.receiver.received
    .filter(({ headers, body }) => headers["service-event"] === type && isSigned(body, String(headers["service-signature"])))
    .map(({ body }) => {
      const event = JSON.parse(body) as EventEnvelope;
      expect(strictCheck(eventSchema(type))(event), type).toEqual([]);
      return event;
    });

const arrives = (type: EventType): Promise<void> =>
  expect.poll(() => received(type).length, { timeout: 30_000, message: type }).toBeGreaterThan(0);

const placeOrder = async (name: string, phone: string): Promise<void> => {
  await open("orders");
  await page.getByRole("heading", { name: "Orders", level: 1 }).waitFor();
  await page.keyboard.press("n");
  await page.getByLabel("Phone number").fill(phone);
  await page.getByLabel("Name").fill(name);
  await page.getByRole("searchbox", { name: "Search dishes" }).fill("Plain Plate");
  await page.locator(".new-order-dish").filter({ hasText: "Plain Plate" }).click();
  const place = page.getByRole("button", { name: /^Place order ·/ });
  await expect.poll(() => place.isEnabled(), { timeout: 20_000 }).toBe(true);
  await place.click();
  await cardOf(name).waitFor();
};

const openPayment = async (name: string): Promise<void> => {
  await cardOf(name)
    .getByRole("button", { name: /^Take payment for/ })
    .click();
};

test("ping", () => arrives("ping"));

test("orders and payments", async () => {
  await placeOrder(GUEST.name, GUEST.phone);
  await arrives("order.created");
  await arrives("guest.created");
  await cardOf(GUEST.name).locator(".order-next").click();
  await arrives("order.status_changed");
  await openPayment(GUEST.name);
  await dialog().getByRole("button", { name: "Cash", exact: true }).click();
  await arrives("order.paid");
  await cardOf(GUEST.name).getByRole("button", { name: /^More/ }).click();
  await page.getByRole("menuitem", { name: "Details" }).click();
  await button(page, "Refund").first().click();
  await dialog().getByLabel("Amount").fill("1");
  await dialog().getByRole("textbox", { name: "Reason" }).fill("Cold soup");
  await dialog().getByRole("button", { name: "Refund" }).last().click();
  await arrives("payment.refunded");
});

test("bookings", async () => {
  await open("bookings");
  await button(page, "New booking").click();
  await dialog().getByLabel("Phone").fill("+1 555 7002");
  await dialog().getByLabel("Name").fill("Tess Table");
  await dialog().getByLabel("Date").fill(TOMORROW);
  await dialog().getByRole("radio", { name: "19:00" }).click();
  await dialog().getByRole("button", { name: "Book" }).click();
  await arrives("reservation.created");
  await open("bookings");
  await button(page, "Day after").click();
  const row = page.locator(".booking-row").filter({ hasText: "Tess Table" });
  await row.locator(".booking-open").click();
  await dialog().getByLabel("Note").fill("Birthday");
  await dialog().getByRole("button", { name: "Save" }).click();
  await arrives("reservation.updated");
  await page.keyboard.press("Escape");
  await button(page, "More for Tess Table").click();
  await page.getByRole("menuitem", { name: "Cancel booking" }).click();
  await arrives("reservation.cancelled");
});

test("menu and guests", async () => {
  await open("menu-today");
  await button(page, "Sell out Hydrogen Fizz").click();
  await button(page, /^Sold out today/).click();
  await arrives("menu.item_updated");
  await open("guests");
  await page.getByRole("link", { name: new RegExp(GUEST.name) }).click();
  await button(page, "Change").click();
  await page.getByLabel("E-mail", { exact: true }).fill("grace@example.com");
  await button(page, "Save").click();
  await arrives("guest.updated");
});

test("gift cards", async () => {
  await open("gift-cards");
  await button(page, "Sell a gift card").click();
  await dialog().getByLabel("Amount").fill("100");
  await dialog().getByRole("button", { name: "Cash", exact: true }).click();
  const code = ((await page.getByRole("dialog", { name: "The new gift card" }).locator("pre").textContent()) ?? "").trim();
  await arrives("giftcard.issued");
  await placeOrder("Paula Card", "+1 555 7003");
  await openPayment("Paula Card");
  await dialog().getByRole("button", { name: "Gift card", exact: true }).click();
  await dialog().getByLabel("Code").fill(code);
  await dialog().getByRole("button", { name: "Check the card" }).click();
  await dialog()
    .getByRole("button", { name: /^Pay .* with the gift card$/ })
    .click();
  await arrives("giftcard.redeemed");
});

test("stock", async () => {
  await open("stock");
  await button(page, "Add an ingredient").click();
  await dialog().getByLabel("Name").fill("Flour");
  await dialog()
    .getByLabel(/^Par level, Main/)
    .fill("5");
  await dialog().getByRole("button", { name: "Save" }).click();
  const record = async (what: "Delivery" | "Waste", quantity: string): Promise<void> => {
    await button(page, what).click();
    await dialog().getByLabel("Ingredient").selectOption({ label: "Flour" });
    await dialog().getByLabel("Quantity").fill(quantity);
    if (what === "Waste") await dialog().getByLabel("Reason").fill("Bag broke");
    await dialog()
      .getByRole("button", { name: `Record the ${what.toLowerCase()}` })
      .click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
  };
  await record("Delivery", "6");
  await record("Waste", "2");
  await arrives("stock.below_par");
});

test("reviews", async () => {
  await open("reviews");
  await page.getByLabel("Ask guests for a review").check({ force: true });
  await button(page, "Save").click();
  await page.getByText("Guests are asked 60 minutes after their order or visit").waitFor();
  await placeOrder("Rita Rates", "+1 555 7004");
  for (const done of ["Accept", "Ready", "Complete"]) {
    await cardOf("Rita Rates")
      .getByRole("button", { name: new RegExp(`^${done}`) })
      .click();
  }
  await expect.poll(async () => ((await server.query("select from review_requests")) as unknown[]).length, { timeout: 30_000 }).toBe(1);
  await server.query(`update review_requests set due_at = '${NOON.toISOString()}'`);
  await server.askForReviews(NOON);
  const link = (): string | undefined =>
    messages.texts.map(({ body }) => /https?:\/\/[^/\s]+(\/r\/\S+)/.exec(body.text)?.[1]).find(Boolean);
  await expect.poll(link, { timeout: 30_000 }).toBeDefined();
  const context = await browser.newContext({ baseURL: server.url, javaScriptEnabled: false });
  const guest = await context.newPage();
  await guest.goto(link() ?? "");
  await guest.getByRole("radio", { name: /4 – Very good/ }).check();
  await guest.getByRole("button", { name: "Send" }).click();
  await guest.getByRole("heading", { name: "Thank you", level: 1 }).waitFor();
  await context.close();
  await arrives("review.created");
});

test("shifts", async () => {
  await open("shifts");
  await page.locator(".shift-add").first().click();
  await dialog().getByLabel("From").fill("16:00");
  await dialog().getByLabel("To", { exact: true }).fill("23:00");
  await dialog().getByRole("button", { name: "Save" }).click();
  await button(page, "Publish 1 change").click();
  await arrives("shift.published");
});

test("experiences", async () => {
  await open("experiences");
  await button(page, "Add an experience").click();
  await dialog().getByLabel(/^Name/).fill("Wine tasting");
  await dialog().getByLabel("Price of a ticket").fill("45");
  await dialog().getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Plan sessions of Wine tasting" }).click();
  await dialog().getByLabel("Date").fill(TOMORROW);
  await dialog().getByLabel("Time").fill("19:30");
  await dialog().getByLabel("Seats").fill("4");
  await dialog().getByLabel("Weeks").fill("1");
  await dialog().getByRole("button", { name: "Plan", exact: true }).click();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.getByRole("region", { name: "Wine tasting", exact: true }).getByRole("listitem").first().getByRole("link").click();
  const form = page.getByRole("region", { name: "Sell tickets", exact: true });
  await form.getByLabel("Guest's name").fill("Marco Ferri");
  await form.getByLabel("Tickets").fill("2");
  await button(page, "Hold for five minutes").click();
  await page.getByRole("button", { name: /^Cash: / }).click();
  await arrives("experience.booked");
});

test("all types of the contract arrived, each valid and signed; planted: a changed body and a foreign signature are found", () => {
  const missing = EVENT_TYPES.filter((type) => received(type).length === 0);
  console.info(`events: ${EVENT_TYPES.length - missing.length} of ${EVENT_TYPES.length} types delivered from actions in the browser`);
  expect(missing).toEqual([]);
  // The check of the address sent a ping before there was a secret.
  const foreign = server.receiver.received.filter(({ headers, body }) => !isSigned(body, String(headers["service-signature"])));
  expect(foreign.map(({ headers }) => headers["service-event"])).toEqual(["ping"]);
  const last = server.receiver.received.at(-1);
  const body = last?.body ?? "";
  const header = String(last?.headers["service-signature"]);
  expect([isSigned(body, header), isSigned(`${body} `, header)]).toEqual([true, false]);
  expect(owner.faults).toEqual([]);
});
