/** Menu today as staff on a phone, against the real server: two taps sell a dish out, and a second page sees it at once. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LOOKS, type OpenedPage, openBrowser } from "./browser.ts";
import { job } from "./jobs.ts";
import { type RealServer, startRealServer } from "./real-server.ts";
import { button, callFrom, signInByInvitation } from "./sign-in.ts";

let server: RealServer;
let browser: Browser;
let slug: string;
let phone: OpenedPage;
let colleague: OpenedPage;

beforeAll(async () => {
  [server, browser] = await Promise.all([startRealServer(), openBrowser()]);
  slug = await server.venue("lab");
  phone = await signInByInvitation(browser, server, await server.invite(slug, "sam@lab.example", "staff"));
  colleague = await signInByInvitation(browser, server, await server.invite(slug, "cleo@lab.example", "staff"));
  await phone.page.setViewportSize(LOOKS.phone);
  for (const { page } of [phone, colleague]) {
    await page.goto(`/console/v/${slug}/menu-today`);
    await page.locator(".today-row").first().waitFor();
  }
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const rowOf = (page: Page, name: string) => page.locator(".today-row").filter({ hasText: name });

/** A job of the worker makes the dish available again: `menu-today.test.ts` of the server runs it. */
job("JM-01", async () => {
  await button(phone.page, "Sell out Plain Plate").click();
  await button(phone.page, /^Sold out today/).click();
  for (const { page } of [phone, colleague]) await rowOf(page, "Plain Plate").getByText("Sold out until").waitFor();
  await button(colleague.page, "Make Plain Plate available again").click();
  for (const { page } of [phone, colleague]) await rowOf(page, "Plain Plate").getByText("Available").waitFor();
  expect([phone.faults, colleague.faults]).toEqual([[], []]);
});

job("JM-02", async () => {
  const { page } = phone;
  await page.getByRole("searchbox").fill("");
  await button(page, "Sell out Plain Plate").click();
  await button(page, "Count portions").click();
  await rowOf(page, "Plain Plate").getByText("6 left").waitFor();
  // An order counts down in its own commit.
  await expect.poll(async () => (await server.query("select from item_counts where remaining = 6", [])).length).toBe(1);
  const headers = { authorization: `Bearer ${await server.token(slug)}`, "content-type": "application/json" };
  const [dish] = await server.query<{ item_id: string }>("select item_id from item_counts", []);
  const order = {
    type: "pickup",
    customer_name: "Ada",
    customer_phone: "+1 555 1",
    lines: [{ item_id: Number(dish?.item_id), quantity: 2 }],
  };
  const placed = await fetch(`${server.url}/api/v1/orders`, { method: "POST", headers, body: JSON.stringify(order) });
  expect(placed.status).toBe(201);
  for (const opened of [phone, colleague]) await rowOf(opened.page, "Plain Plate").getByText("4 left").waitFor();
  await page.getByText("Extras", { exact: true }).click();
  await button(page, "Sell out Pepper").click();
  await button(page, /^Sold out today/).click();
  await rowOf(page, "Pepper").getByText("Sold out until").waitFor();
  const flipped = await server.query("select from events where type = 'menu.item_updated' and position('modifier_groups' in body) > 0", []);
  expect(flipped.length).toBeGreaterThan(0);
  await page.getByText("Dishes", { exact: true }).click();
});

test("portions: plus and minus are sent as one change, and a stale tap is refused with the present state", async () => {
  await phone.page.getByRole("searchbox").fill("sized");
  await button(phone.page, "Sell out Sized Salad").click();
  await button(phone.page, "Count portions").click();
  await rowOf(phone.page, "Sized Salad").getByText("6 left").waitFor();
  for (let tap = 0; tap < 3; tap++) await button(phone.page, "One fewer of Sized Salad").click();
  await rowOf(colleague.page, "Sized Salad").getByText("3 left").waitFor();
  const { json } = await callFrom(colleague.page, "GET", `/venues/${slug}/menu-today`);
  const { dishes } = (json as { data: { dishes: { id: number; name: { en: string }; state: object }[] } }).data;
  const dish = dishes.find(({ name }) => name.en === "Sized Salad");
  const lost = await callFrom(colleague.page, "POST", `/venues/${slug}/menu-today/dishes/${dish?.id}`, {
    seen: { kind: "available", until: null, remaining: null },
    to: "today",
  });
  expect([lost.status, (lost.json as { error: { details: object } }).error.details]).toMatchObject([
    409,
    { dish: { state: { remaining: 3 } } },
  ]);
});
