/** Pause, busy and a struck line: each job as the person it belongs to, in a real browser, against the real server. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenedPage, openBrowser, takeScreenshot } from "./browser.ts";
import { job } from "./jobs.ts";
import { type RealServer, startRealServer } from "./real-server.ts";
import { button, signInByInvitation } from "./sign-in.ts";

let server: RealServer;
let browser: Browser;
let slug: string;
let token: string;
let dishes: Map<string, number>;
let staff: OpenedPage;
let manager: OpenedPage;

const openBoard = async ({ page }: OpenedPage): Promise<void> => {
  await page.goto(`/console/v/${slug}/orders`);
  await page.getByRole("heading", { name: "Orders", level: 1 }).waitFor();
};

beforeAll(async () => {
  [server, browser] = await Promise.all([startRealServer(), openBrowser()]);
  slug = await server.venue("lab");
  token = await server.token(slug);
  const { data } = (await api("GET", "/items?per_page=100")).json as { data: { id: number; name: { en: string } }[] };
  dishes = new Map(data.map(({ id, name }) => [name.en, id]));
  staff = await signInByInvitation(browser, server, await server.invite(slug, "sam@lab.example", "staff", "Sam"));
  manager = await signInByInvitation(browser, server, await server.invite(slug, "max@lab.example", "manager", "Max"));
  for (const opened of [staff, manager]) await openBoard(opened);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const api = async (method: string, path: string, body?: object): Promise<{ status: number; json: unknown }> => {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const answer = await fetch(`${server.url}/api/v1${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  return { status: answer.status, json: await answer.json() };
};

type ApiOrder = { id: string; total_minor: number; items: { id: number; voided: boolean }[] };
const place = (type: string, name = "Ada", lines: string[] = ["Plain Plate", "Neon Nachos"]) =>
  api("POST", "/orders", {
    type,
    customer_name: name,
    customer_phone: "+1 555 0100",
    delivery_address: { line1: "1 Way", city: "Labtown" },
    lines: lines.map((dish) => ({ item_id: dishes.get(dish), quantity: 1 })),
  });
const sentenceOf = (json: unknown): string => (json as { error: { details: { type?: string[] } } }).error.details.type?.[0] ?? "";
const chip = (page: Page, text: RegExp) => page.locator(".type-chip").filter({ hasText: text });
const endsSoon = (column: "paused_until" | "busy_until") =>
  server.query(`update order_pauses set ${column} = now() + interval '6 seconds' returning type`, []);

job("JO-11", async () => {
  // Two taps.
  await button(manager.page, "Pause or busy").click();
  await button(manager.page, /^Delivery: Pause 30 min/).click();
  for (const { page } of [manager, staff]) await chip(page, /^Delivery paused until .*\d\d:\d\d/).waitFor();
  expect(await staff.page.locator(".type-chip button").count()).toBe(0);
  expect(await button(staff.page, "Pause or busy").count()).toBe(0);
  const refused = await place("delivery");
  expect(refused.status).toBe(422);
  // A pause that ends after midnight is written with its day.
  const [, shown = ""] = /until .*?(\d\d:\d\d)/.exec((await chip(staff.page, /Delivery/).textContent()) ?? "") ?? [];
  expect(sentenceOf(refused.json)).toMatch(new RegExp(`^Delivery orders are paused until ${shown}( on \\d{4}-\\d\\d-\\d\\d)?\\.$`));
  expect((await place("pickup")).status).toBe(201);
  const [entry] = await server.query("select action, actor_name from audit_entries where subject_kind = 'order_type'", []);
  expect(entry).toEqual({ action: "order_type.paused", actor_name: "Max" });
  // It ends by itself: only the stored end is moved near. The page gets no change when it has passed.
  await endsSoon("paused_until");
  await openBoard(staff);
  await chip(staff.page, /Delivery/).waitFor();
  await chip(staff.page, /Delivery/).waitFor({ state: "hidden" });
  expect((await place("delivery")).status).toBe(201);
});

job("JO-12", async () => {
  const promised = async (): Promise<number> => {
    const { id } = ((await place("pickup")).json as { data: ApiOrder }).data;
    const [row] = await server.query<{ minutes: string }>(
      "select round(extract(epoch from promised_at - placed_at) / 60) as minutes from orders where id = $1",
      [id],
    );
    return Number(row?.minutes);
  };
  const before = await promised();
  await openBoard(manager);
  await button(manager.page, "Pause or busy").click();
  await button(manager.page, /^Pickup: Busy \+10 min/).click();
  for (const { page } of [manager, staff]) await chip(page, /^Pickup \+10 min until \d\d:\d\d/).waitFor();
  expect(await promised()).toBe(before + 10);
  // Ended early with one tap.
  await button(manager.page, "End the longer preparation of Pickup").click();
  for (const { page } of [manager, staff]) await chip(page, /Pickup/).waitFor({ state: "hidden" });
  expect(await promised()).toBe(before);
});

const drawerOf = (page: Page) => page.getByRole("dialog");

job("JO-19", async () => {
  const { page } = staff;
  const order = ((await place("pickup", "Stella Strike")).json as { data: ApiOrder }).data;
  const card = page.locator(".order-card").filter({ hasText: "Stella Strike" });
  // Three taps.
  await card.locator(".order-open").click();
  await button(page, /^Strike… 1× Neon Nachos/).click();
  await button(page, "The guest asked for it").click();
  await drawerOf(page).getByText("One dish must stay.").waitFor();
  await drawerOf(page).locator(".line-voided").getByText("(struck)").waitFor();
  const shown = ((await api("GET", `/orders/${order.id}`)).json as { data: ApiOrder }).data;
  expect(shown.items.map(({ voided }) => voided)).toEqual([false, true]);
  expect(shown.total_minor).toBe(1000);
  const tickets = await server.query<{ lines: { name: { en: string }; voided?: true }[] }>(
    "select lines from tickets where order_id = $1",
    [order.id],
  );
  const struck = tickets.flatMap(({ lines }) => lines).filter(({ voided }) => voided);
  expect(struck.map(({ name }) => name.en)).toEqual(["Neon Nachos"]);
  const [entry] = await server.query(
    "select actor_name, reason from audit_entries where action = 'order.line_struck' and subject_id = $1",
    [order.id],
  );
  expect(entry).toEqual({ actor_name: "Sam", reason: "The guest asked for it" });
  await drawerOf(page).getByText("struck a line of the order").waitFor();
  await page.keyboard.press("Escape");
  await card.locator(".line-voided").getByText("(struck)").waitFor();
});

/** The order's only line has three portions. */
const openStrikeOfThree = async (name: string) => {
  const { page } = staff;
  const lines = [{ item_id: dishes.get("Plain Plate"), quantity: 3 }];
  await api("POST", "/orders", { type: "pickup", customer_name: name, customer_phone: "+1 555 0100", lines });
  const card = page.locator(".order-card").filter({ hasText: name });
  await card.locator(".order-open").click();
  await button(page, /^Strike… 3× Plain Plate/).click();
  return card;
};
const quantitiesOf = (card: ReturnType<Page["locator"]>): Promise<string[]> => card.locator(".order-line .line-quantity").allTextContents();

test("of a line with three, two are struck and one stays; all of the last line are not offered", async () => {
  const { page } = staff;
  const card = await openStrikeOfThree("Petra Part");
  await page.getByText("1 of 3").waitFor();
  expect(await button(page, "All 3").count()).toBe(0);
  await button(page, "One more").click();
  await page.getByText("2 of 3").waitFor();
  expect(await button(page, "One more").isDisabled()).toBe(true);
  await takeScreenshot(page, "strike-part");
  await button(page, "Entered by mistake").click();
  await drawerOf(page).locator(".line-voided").waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => quantitiesOf(card)).toEqual(["1×", "2×"]);
});

test("planted fault: a page that does not send the part strikes none of the last line", async () => {
  const { page } = staff;
  await page.route("**/strike", (route) => {
    const { part: _part, ...body } = route.request().postDataJSON() as { part: unknown };
    return route.continue({ postData: JSON.stringify(body) });
  });
  const card = await openStrikeOfThree("Wanda Whole");
  await button(page, "Entered by mistake").click();
  await drawerOf(page).waitFor();
  await page.getByText(/last line/).waitFor();
  await page.unroute("**/strike");
  await page.keyboard.press("Escape");
  expect(await quantitiesOf(card)).toEqual(["3×"]);
});

test("what was paid above the new total is shown as to give back, and paper has the line struck", async () => {
  const { page } = staff;
  await place("pickup", "Olga Over");
  const card = page.locator(".order-card").filter({ hasText: "Olga Over" });
  await card.getByRole("button", { name: /^Take payment for/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cash", exact: true }).click();
  await card.getByText("Paid").waitFor();
  await card.locator(".order-open").click();
  await button(page, /^Strike… 1× Plain Plate/).click();
  await page.getByRole("textbox", { name: "Reason" }).fill("Dropped on the floor");
  await button(page, "Strike it").click();
  await drawerOf(page).getByText("To give back").waitFor();
  await page.keyboard.press("Escape");
  await card.getByText("to give back").waitFor();
  await page.evaluate(() => {
    const printed = window as unknown as { printed: string };
    window.print = () => {
      printed.printed = document.querySelector(".print-area .line-voided")?.textContent ?? "";
    };
  });
  await card.getByRole("button", { name: /^More for/ }).click();
  await page.getByRole("menuitem", { name: "Print kitchen ticket" }).click();
  await expect.poll(() => page.evaluate(() => (window as unknown as { printed: string }).printed)).toMatch(/Plain Plate.*struck/);
  expect([staff.faults, manager.faults]).toEqual([[], []]);
});
