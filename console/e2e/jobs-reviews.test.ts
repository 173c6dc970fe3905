/** Reviews: the guest without JavaScript and the manager, in a real browser, against the real server and worker. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeMailAndSms, startFakeMailAndSms } from "../../server/test/support/fake-smtp-and-sms.ts";
import { type ApiClient, createApiClient } from "./api-client.ts";
import { axeFaults, isTooWide, LOOKS, type OpenedPage, openBrowser, openInNewContext, smallTargets, takeScreenshot } from "./browser.ts";
import { job } from "./jobs.ts";
import { type RealServer, startRealServer } from "./real-server.ts";
import { acceptInvitation, button } from "./sign-in.ts";

let server: RealServer;
let browser: Browser;
let messages: FakeMailAndSms;
let slug: string;
let api: ApiClient;
let itemId: number;
let owner: OpenedPage;
let manager: OpenedPage;

/** Guests are asked by day. */
const noon = new Date(new Date().setUTCHours(12, 0, 0, 0));

const enter = async (role: "owner" | "manager", name: string): Promise<OpenedPage> => {
  const opened = await openInNewContext(browser, server.url, LOOKS.light);
  await acceptInvitation(opened.page, await server.invite(slug, `${name.toLowerCase()}@reviews.example`, role, name));
  return opened;
};

beforeAll(async () => {
  messages = await startFakeMailAndSms();
  const settings = { SMS_GATEWAY_URL: messages.gatewayUrl, SMS_GATEWAY_TOKEN: "gateway-token" };
  [server, browser] = await Promise.all([startRealServer(settings), openBrowser()]);
  slug = await server.venue("lab");
  api = createApiClient(server.url, await server.token(slug));
  const items = await api<{ id: number; name: { en: string } }[]>("GET", "/items?per_page=100");
  itemId = items.find(({ name }) => name.en === "Plain Plate")?.id ?? 0;
  [owner, manager] = [await enter("owner", "Olga"), await enter("manager", "Max")];
  await server.startWorker();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
  await messages?.close();
});

type RatingGuest = { name: string; phone: string };

/** An order from placing to the guest's hands. */
const serve = async ({ name, phone }: RatingGuest): Promise<string> => {
  const { id } = await api<{ id: string }>("POST", "/orders", {
    type: "pickup",
    customer_name: name,
    customer_phone: phone,
    lines: [{ item_id: itemId, quantity: 1 }],
  });
  for (const status of ["accepted", "ready", "completed"]) await api("POST", `/orders/${id}/status`, { status });
  return id;
};

const textsTo = (phone: string): string[] => messages.texts.filter(({ body }) => body.to === phone).map(({ body }) => body.text);

/** The link of the message that the worker sends. */
const linkFor = async ({ phone }: RatingGuest, orderId: string): Promise<string> => {
  await server.query("update review_requests set due_at = $2 where order_id = $1", [orderId, noon.toISOString()]);
  await server.askForReviews(noon);
  await expect.poll(() => textsTo(phone).length, { timeout: 30_000 }).toBe(1);
  const [, path = ""] = /https?:\/\/[^/\s]+(\/r\/\S+)/.exec(textsTo(phone)[0] ?? "") ?? [];
  expect(path).not.toBe("");
  return path;
};

const openAsGuest = async (path: string): Promise<Page> => {
  const context = await browser.newContext({ baseURL: server.url, javaScriptEnabled: false, viewport: { width: 390, height: 780 } });
  const page = await context.newPage();
  await page.goto(path);
  return page;
};

const reviewsOf = (orderId: string) =>
  server.query<{ rating: number; comment: string }>("select rating, comment from reviews where order_id = $1", [orderId]);

const switchOn = async (): Promise<void> => {
  const { page } = owner;
  await page.goto(`/console/v/${slug}/reviews`);
  const asked = page.getByLabel("Ask guests for a review");
  await asked.waitFor();
  if (await asked.isChecked()) return;
  await page.getByText("Guests are not asked until you switch this on.").waitFor();
  await asked.check({ force: true });
  await button(page, "Save").click();
  await page.getByText("Guests are asked 60 minutes after their order or visit").waitFor();
};

job("JR-01", async () => {
  await switchOn();
  const ada = { name: "Ada Lovelace", phone: "+1 555 9001" };
  const orderId = await serve(ada);
  const path = await linkFor(ada, orderId);
  const page = await openAsGuest(path);
  await page.getByRole("heading", { name: "How was it at The Lab?", level: 1 }).waitFor();
  await page.getByRole("radio", { name: /4 – Very good/ }).check();
  await page.getByLabel("Your comment").fill("Lovely plate.\nSee you soon.");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("heading", { name: "Thank you", level: 1 }).waitFor();
  expect(await reviewsOf(orderId)).toEqual([{ rating: 4, comment: "Lovely plate.\nSee you soon." }]);
  const events = await server.query<{ body: string }>(
    "select body from events where type = 'review.created' and position($1 in body) > 0",
    [orderId],
  );
  expect(events.map(({ body }) => JSON.parse(body).data.review)).toMatchObject([
    { rating: 4, guest_name: "Ada Lovelace", order_id: orderId },
  ]);
  // The link works once, and a reload sends nothing again.
  await page.reload();
  await page.getByRole("heading", { name: "Thank you", level: 1 }).waitFor();
  expect(await page.getByRole("radio").count()).toBe(0);
  expect(await reviewsOf(orderId)).toHaveLength(1);
  await page.context().close();
});

job("JR-02", async () => {
  await switchOn();
  const [ben, cleo] = [
    { name: "Ben Cold", phone: "+1 555 9002" },
    { name: "Cleo Warm", phone: "+1 555 9003" },
  ];
  for (const [guest, rating, comment] of [
    [ben, "1", "The soup was cold."],
    [cleo, "5", "Perfect."],
  ] as const) {
    const page = await openAsGuest(await linkFor(guest, await serve(guest)));
    await page.getByRole("radio", { name: new RegExp(`^${rating} –`) }).check();
    await page.getByLabel("Your comment").fill(comment);
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("heading", { name: "Thank you", level: 1 }).waitFor();
    await page.context().close();
  }
  const { page, faults } = manager;
  await page.goto(`/console/v/${slug}/reviews`);
  const rows = page.getByRole("list", { name: "Reviews" }).getByRole("link");
  await page.getByText("Perfect.").waitFor();
  await page.locator("label").filter({ hasText: "1 ★ · 1" }).click();
  await expect.poll(() => rows.count()).toBe(1);
  await rows.first().click();
  await page.getByText("The soup was cold.").waitFor();
  await page.getByRole("button", { name: /^Open order #/ }).click();
  const order = page.getByRole("dialog", { name: "The rated order" });
  await order.getByText("Plain Plate").waitFor();
  await page.keyboard.press("Escape");
  await order.waitFor({ state: "hidden" });
  await page.getByLabel("Reply to the guest").fill("We are sorry, Ben.");
  await button(page, "Send the reply").click();
  await page.getByText("The reply is on its way to the guest.").waitFor();
  await expect.poll(() => textsTo(ben.phone).length, { timeout: 30_000 }).toBe(2);
  expect(textsTo(ben.phone)[1]).toContain("The Lab writes:\n\nWe are sorry, Ben.");
  await button(page, "Send the changed reply").waitFor();
  expect(await button(page, "Send the changed reply").isDisabled()).toBe(true);
  expect(textsTo(cleo.phone)).toHaveLength(1);
  expect(faults).toEqual([]);
});

test("the guest's page: no fault of axe, no sideways scrolling, large targets, in light and dark, left and right", async () => {
  await switchOn();
  const english = { name: "Eve", phone: "+1 555 9004" };
  const arabic = { name: "Amal", phone: "+1 555 9005" };
  const [first, second] = [await serve(english), await serve(arabic)];
  await server.query("update guests set locale = 'ar' where phone = $1", [arabic.phone]);
  const paths = { en: await linkFor(english, first), ar: await linkFor(arabic, second) };
  const { page, faults } = await openInNewContext(browser, server.url, LOOKS.light);
  for (const [language, path] of Object.entries(paths)) {
    await page.goto(path);
    await check(page, `review-form.${language}`);
    expect(await page.locator("html").getAttribute("dir")).toBe(language === "ar" ? "rtl" : "ltr");
    // The browser asks for a rating by itself; a form without one is refused by the server too.
    await page.locator("form").evaluate((form: HTMLFormElement) => {
      form.noValidate = true;
    });
    await page.locator("button").click();
    await page.locator("[role=alert]").waitFor();
    await check(page, `review-refused.${language}`);
    await page.locator("input[value='5']").check();
    await page.locator("button").click();
    await page.locator("form").waitFor({ state: "detached" });
    await check(page, `review-thanks.${language}`);
  }
  await page.goto("/r/nothing");
  await check(page, "review-closed");
  expect(faults).toEqual([]);
});

const check = async (page: Page, name: string): Promise<void> => {
  for (const look of ["light", "dark", "phone"] as const) {
    // The page has no script that would follow the colours: its styles do.
    await page.emulateMedia({ colorScheme: LOOKS[look].colours });
    await page.setViewportSize(LOOKS[look]);
    expect(await axeFaults(page), `${name} ${look}`).toEqual([]);
    expect(await isTooWide(page), `${name} ${look}`).toBe(false);
    await takeScreenshot(page, `${name}.${look}`);
  }
  expect(await smallTargets(page, 24)).toEqual([]);
};
