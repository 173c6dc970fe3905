/** A new venue, as its owner opens it: from the sign-up page to the test order on the board, in a real browser, against the real server. */
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeMailAndSms, startFakeMailAndSms } from "../../server/test/support/fake-smtp-and-sms.ts";
import { LOOKS, openBrowser, openInNewContext, takeScreenshot } from "./browser.ts";
import { job } from "./jobs.ts";
import { type RealServer, startRealServer } from "./real-server.ts";
import { button, PASSWORD } from "./sign-in.ts";

/** What the owner does at most, until the venue is live. */
const CLICKS_MAX = 9;
const TYPED_MAX = 4;
const MINUTES_MAX = 5;

let server: RealServer;
let browser: Browser;
let mailAndSms: FakeMailAndSms;

beforeAll(async () => {
  mailAndSms = await startFakeMailAndSms();
  const environment = { SIGN_UP: "open", SIGN_UP_PLAN: "complete", SMTP_URL: mailAndSms.smtpUrl };
  [server, browser] = await Promise.all([startRealServer(environment), openBrowser()]);
  await server.startWorker();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
  await mailAndSms?.close();
});

let clicks = 0;
let typed = 0;
const click = async (target: Locator): Promise<void> => {
  clicks++;
  await target.click();
};
const type = async (target: Locator, text: string): Promise<void> => {
  typed++;
  await target.fill(text);
};

/** The worker makes the secret when it writes the mail. */
const secretTo = async (email: string, path: "sign-up" | "link"): Promise<string> => {
  for (;;) {
    const secret = mailAndSms.mails
      .filter(({ to }) => to.includes(email))
      .map(({ body }) => new RegExp(`${path}#([0-9A-Za-z]{43})`).exec(body.replaceAll(/=\r?\n/g, ""))?.[1])
      .find((found) => found !== undefined);
    if (secret !== undefined) return secret;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

/** The link opens in a tab of the same browser, which has what was entered before. */
const openMail = async (context: BrowserContext, email: string): Promise<Page> => {
  const page = await context.newPage();
  const secret = await secretTo(email, "sign-up");
  clicks++;
  await page.goto(`/console/sign-up#${secret}`);
  return page;
};

const placeFromOutside = async (slug: string): Promise<number> => {
  const token = await server.token(slug);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const items = (await (await fetch(`${server.url}/api/v1/items`, { headers })).json()) as { data: { id: number }[] };
  const lines = [{ item_id: items.data[0]?.id, quantity: 1 }];
  const body = JSON.stringify({ type: "pickup", customer_name: "Ada", customer_phone: "+1 555 0100", lines });
  return (await fetch(`${server.url}/api/v1/orders`, { method: "POST", headers, body })).status;
};

job("JE-01", async () => {
  const startedAt = Date.now();
  const { page, context } = await openInNewContext(browser, server.url, LOOKS.light);
  await page.goto("/console/sign-up");
  await type(page.getByLabel("E-mail address"), "zoe@example.com");
  await click(button(page, "Send the link"));
  await page.getByText("A mail is on its way to zoe@example.com").waitFor();
  await type(page.getByLabel("Name of the restaurant"), "Chez Zoë");
  clicks++;
  await page.getByLabel("Country").selectOption({ label: "Kuwait" });
  expect(await page.getByLabel("Currency").inputValue()).toBe("KWD");
  expect(await page.getByLabel("Language of the menu").inputValue()).toBe("ar");
  await click(button(page, "Next"));
  await page.getByText("First dishes", { exact: true }).waitFor();
  await click(button(page, "Next"));
  await page.getByRole("heading", { name: "Open the link in your e-mail" }).waitFor();
  // Nothing exists before the address is confirmed.
  expect(await server.query("select from restaurants", [])).toEqual([]);
  const tab = await openMail(context, "zoe@example.com");
  await type(tab.getByLabel("Your name"), "Zoë");
  await type(tab.getByLabel("Password", { exact: true }), PASSWORD);
  await click(button(tab, "Open the restaurant"));
  await tab.getByRole("heading", { name: "Almost open" }).waitFor();
  expect(await placeFromOutside("chez-zoe")).toBe(403);
  await click(button(tab, "Place a test order"));
  await tab.waitForURL("**/v/chez-zoe/orders");
  await tab.getByText("طلب تجريبي").first().waitFor();
  const seconds = (Date.now() - startedAt) / 1000;
  await click(tab.getByRole("link", { name: "Go on" }));
  await click(button(tab, "Go live"));
  await tab.getByText("Chez Zoë is live.").waitFor();
  expect(await placeFromOutside("chez-zoe")).toBe(201);
  const [row] = await server.query(
    `select r.currency, r.zone, r.suspended_at, (select count(*)::integer from items i where i.restaurant_id = r.id) as dishes,
       (select sum(d.orders)::integer from daily_sales d where d.restaurant_id = r.id) as counted from restaurants r`,
    [],
  );
  expect(row).toEqual({ currency: "KWD", zone: "Asia/Kuwait", suspended_at: null, dishes: 8, counted: 1 });
  console.log(`JE-01: ${clicks} clicks and ${typed} typed values, ${seconds.toFixed(1)} s by script until the test order was on the board`);
  expect(clicks).toBeLessThanOrEqual(CLICKS_MAX);
  expect(typed).toBeLessThanOrEqual(TYPED_MAX);
  expect(seconds).toBeLessThan(MINUTES_MAX * 60);
  await context.close();
});

test("a person who has an account opens another venue with dishes of their own", async () => {
  const { page, context } = await openInNewContext(browser, server.url, LOOKS.light);
  const slug = await server.venue("lab");
  await server.invite(slug, "owner@second.example");
  await page.goto(`/console/link#${await secretTo("owner@second.example", "link")}`);
  await page.getByLabel("New password").fill(PASSWORD);
  await button(page, "Accept and sign in").click();
  await page.waitForURL("**/orders");
  await page.goto("/console/sign-up");
  await page.getByLabel("Name of the restaurant").fill("Second place");
  await page.getByLabel("Country").selectOption({ label: "Italy" });
  await button(page, "Next").click();
  await page.getByText("My own dishes").click();
  await page.getByLabel("Dish 1", { exact: true }).fill("Ribollita");
  await page.getByLabel("Price of dish 1 in EUR").fill("9,50");
  await page.getByText("Sun", { exact: true }).click();
  await button(page, "Open the restaurant").click();
  await page.getByRole("heading", { name: "Almost open" }).waitFor();
  const [row] = await server.query(
    `select i.name, i.price_minor::integer as price_minor, b.hours from restaurants r join items i on i.restaurant_id = r.id
     join branches b on b.restaurant_id = r.id where r.slug = 'second-place'`,
    [],
  );
  const days = ["mon", "tue", "wed", "thu", "fri", "sat"];
  expect(row).toEqual({ name: { it: "Ribollita" }, price_minor: 950, hours: [{ days, from: "11:00", to: "22:00" }] });
  await context.close();
});

/** A person without an account who has entered everything and waits for the link. */
const waitForLink = async (email: string): Promise<Page> => {
  const { page } = await openInNewContext(browser, server.url, LOOKS.light);
  await page.goto("/console/sign-up");
  await page.getByLabel("E-mail address").fill(email);
  await button(page, "Send the link").click();
  await page.getByLabel("Name of the restaurant").fill("Da Mia");
  await page.getByLabel("Country").selectOption({ label: "Italy" });
  await button(page, "Next").click();
  await page.getByText("First dishes", { exact: true }).waitFor();
  await button(page, "Next").click();
  await page.getByRole("heading", { name: "Open the link in your e-mail" }).waitFor();
  return page;
};
const mailsTo = (email: string): number => mailAndSms.mails.filter(({ to }) => to.includes(email)).length;
const waysOn = (page: Page): Promise<number> => page.locator("main button:visible:not([disabled])").count();

test("while the link is on its way it can be sent again, what was entered can be changed, and another address be given", async () => {
  const page = await waitForLink("mia@wrong.example");
  // Planted: a page that only asks to open the mail is a dead end.
  const show = (display: string): Promise<void> =>
    page.locator("main button").evaluateAll((ways, value) => {
      for (const way of ways) (way as HTMLElement).style.display = value;
    }, display);
  await show("none");
  expect(await waysOn(page)).toBe(0);
  await show("");
  expect(await waysOn(page)).toBe(2);
  await takeScreenshot(page, "sign-up-wait");
  await expect.poll(() => mailsTo("mia@wrong.example")).toBe(1);
  // Within a minute the service would send none, and the page offers none.
  expect(await button(page, /^Send the link again in \d+ s$/).isDisabled()).toBe(true);
  await server.query("update sign_ups set created_at = created_at - interval '2 minutes' where email = 'mia@wrong.example'", []);
  await page.evaluate(() => {
    const real = Date.now;
    Date.now = () => real() + 61_000;
  });
  await button(page, "Send the link again").click();
  await page.getByText("We are sending the link to mia@wrong.example again.").waitFor();
  await expect.poll(() => mailsTo("mia@wrong.example")).toBe(2);
  await button(page, "Back").click();
  await page.getByText("First dishes", { exact: true }).waitFor();
  await button(page, "Next").click();
  await button(page, "Use another address").click();
  await page.getByLabel("E-mail address").fill("mia@right.example");
  await button(page, "Send the link").click();
  expect(await page.getByLabel("Name of the restaurant").inputValue()).toBe("Da Mia");
  await expect.poll(() => mailsTo("mia@right.example")).toBe(1);
});
