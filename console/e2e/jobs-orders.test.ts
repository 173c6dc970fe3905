/**
 * The evening at the orders board: each job as the person it belongs to, in a real browser, against the real server.
 *
 * @long: it is among the longest.
 */
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { LOOKS, type OpenedPage, openBrowser, openInNewContext } from "./browser.ts";
import { job } from "./jobs.ts";
import { type RealProcesses, startRealProcesses } from "./real-processes.ts";
import { acceptInvitation, button } from "./sign-in.ts";

/** Far below the time of a page without a stream, and enough for a busy machine. */
const AT_ONCE_MS = 8000;

let server: RealProcesses;
let browser: Browser;
let slug: string;
let token: string;
let itemId: number;
let staff: OpenedPage;
let colleague: OpenedPage;
let manager: OpenedPage;

const enter = async (role: "staff" | "manager", name: string, hasServiceWorker = false): Promise<OpenedPage> => {
  const opened = await openInNewContext(browser, server.url, { ...LOOKS.light, hasServiceWorker });
  // Counts the tones that the page starts, because a test cannot hear them.
  await opened.page.addInitScript(() => {
    const counted = window as unknown as { tones: number };
    counted.tones = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function startCounted(...when) {
      counted.tones += 1;
      start.apply(this, when);
    };
  });
  await acceptInvitation(opened.page, await server.invite(slug, `${name.toLowerCase()}@board.example`, role, name));
  await opened.page.goto(`/console/v/${slug}/orders`);
  return opened;
};

beforeAll(async () => {
  [server, browser] = await Promise.all([startRealProcesses(), openBrowser()]);
  slug = await server.venue("lab");
  token = await server.token(slug);
  const items = (await api("GET", "/items?per_page=100")).data as { id: number; name: { en: string } }[];
  itemId = items.find(({ name }) => name.en === "Plain Plate")?.id ?? 0;
  [staff, colleague, manager] = [await enter("staff", "Sam", true), await enter("staff", "Cleo"), await enter("manager", "Max")];
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const api = async (method: string, path: string, body?: object): Promise<{ data: unknown }> => {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const answer = await fetch(`${server.url}/api/v1${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  expect(answer.ok, `${method} ${path}: ${answer.status}`).toBe(true);
  return (await answer.json()) as { data: unknown };
};

type JobOrder = { id: string; card: (page: Page) => Locator; name: string };
let guests = 0;

/** Placed over the API by a guest of its own name, which finds its card on a page. */
const place = async (changes: Record<string, unknown> = {}): Promise<JobOrder> => {
  const name = `Guest ${String.fromCharCode(65 + guests)}${guests++}`;
  const body = { type: "pickup", customer_name: name, customer_phone: `+1 555 40${String(guests).padStart(2, "0")}`, ...changes };
  const { id } = (await api("POST", "/orders", { ...body, lines: [{ item_id: itemId, quantity: 1 }] })).data as { id: string };
  return { id, name, card: (page) => page.locator(".order-card").filter({ hasText: name }) };
};
const statusOf = async ({ id }: JobOrder): Promise<string> => ((await api("GET", `/orders/${id}`)).data as { status: string }).status;
const hasStatus = (order: JobOrder, status: string): Promise<void> => expect.poll(() => statusOf(order), { timeout: 20_000 }).toBe(status);
const nextButton = (order: JobOrder, page: Page): Locator => order.card(page).locator(".order-next");
const openMenuItem = async (order: JobOrder, page: Page, name: string): Promise<void> => {
  await order
    .card(page)
    .getByRole("button", { name: /^More for/ })
    .click();
  await page.getByRole("menuitem", { name }).click();
};
const ticketStates = async ({ id }: JobOrder): Promise<string[]> =>
  (await server.query<{ state: string }>("select state from tickets where order_id = $1", [id])).map(({ state }) => state);
const openBoard = async ({ page }: OpenedPage): Promise<void> => {
  await page.goto(`/console/v/${slug}/orders`);
  await page.getByRole("heading", { name: "Orders", level: 1 }).waitFor();
};

job("JO-01", async () => {
  const { page } = staff;
  await button(page, "Sound is off. Tap to turn it on").click();
  const tonesBefore = await page.evaluate(() => (window as unknown as { tones: number }).tones);
  const order = await place();
  await order.card(page).waitFor({ timeout: AT_ONCE_MS });
  await expect.poll(() => page.evaluate(() => (window as unknown as { tones: number }).tones)).toBeGreaterThan(tonesBefore);
});

job("JO-02", async () => {
  const [tapped, typed] = [await place(), await place()];
  await nextButton(tapped, staff.page).click();
  await hasStatus(tapped, "accepted");
  expect(await ticketStates(tapped)).toEqual(["fired"]);
  await typed.card(staff.page).waitFor();
  for (let key = 0; key < 20 && (await typed.card(staff.page).and(staff.page.locator("[data-selected]")).count()) === 0; key++)
    await staff.page.keyboard.press("j");
  await staff.page.keyboard.press("a");
  await hasStatus(typed, "accepted");
  const events = await server.query("select from events where type = 'order.status_changed' and position($1 in body) > 0", [tapped.id]);
  expect(events).toHaveLength(1);
});

job("JO-03", async () => {
  const { page } = staff;
  const order = await place();
  await openMenuItem(order, page, "Reject…");
  await page.getByRole("textbox", { name: "Reason" }).fill("No dough left");
  await button(page, "Reject order").click();
  await page.getByRole("button", { name: /^Undo/ }).first().click();
  await order.card(page).waitFor();
  expect(await statusOf(order)).toBe("placed");
  await openMenuItem(order, page, "Reject…");
  await button(page, "Sold out").click();
  await hasStatus(order, "rejected");
  const [entry] = await server.query<{ reason: string; actor_name: string }>(
    "select reason, actor_name from audit_entries where subject_id = $1 and action = 'order.moved'",
    [order.id],
  );
  expect(entry).toEqual({ reason: "Sold out", actor_name: "Sam" });
});

job("JO-04", async () => {
  const order = await place();
  for (const status of ["accepted", "ready", "completed"]) {
    await nextButton(order, staff.page).click();
    await hasStatus(order, status);
  }
});

job("JO-05", async () => {
  const { page } = staff;
  const order = await place();
  await nextButton(order, page).click();
  await hasStatus(order, "accepted");
  await openMenuItem(order, page, "Cancel order…");
  await page.getByRole("textbox", { name: "Reason" }).fill("Guest went home");
  await button(page, "Cancel order").click();
  await hasStatus(order, "cancelled");
  expect(await ticketStates(order)).toEqual(["voided"]);
});

job("JO-06", async () => {
  const order = await place();
  await order.card(staff.page).waitFor();
  await order.card(colleague.page).waitFor();
  // The second tap is sent before the page knows of the first: its board cannot be read.
  await colleague.context.route("**/board?*", (route) => route.abort());
  await nextButton(order, staff.page).click();
  await hasStatus(order, "accepted");
  await nextButton(order, colleague.page).click();
  await colleague.page.getByText(/is accepted already: Sam was faster\./).waitFor();
  await colleague.context.unroute("**/board?*");
});

job("JO-07", async () => {
  const { page } = staff;
  const order = await place({ customer_name: "Wilhelmina Quick", customer_phone: "+1 555 98 76 54" });
  const card = page.locator(".order-card").filter({ hasText: "Wilhelmina Quick" });
  await card.waitFor();
  const number = /#(\d+)/.exec((await card.textContent()) ?? "")?.[1] ?? "";
  for (const text of [number, "wilhelm", "7654"]) {
    await page.getByRole("searchbox", { name: "Search orders" }).or(page.getByLabel("Search orders")).first().fill(text);
    await page.getByText(/order(s)? found/).waitFor();
    await card.first().waitFor();
  }
  await page.getByLabel("Search orders").first().fill("");
  expect(order.id).toMatch(/-/);
});

job("JO-08", async () => {
  const { page } = staff;
  const order = await place({ customer_name: "Late Larry" });
  await server.query("update orders set promised_at = now() - interval '7 minutes' where id = $1 returning id", [order.id]);
  await openBoard(staff);
  const first = page.locator(".column-new .order-card").first();
  await first.getByText("Late Larry").waitFor();
  await first.getByText(/[67] min late/).waitFor();
});

job("JO-13", async () => {
  const { page } = staff;
  const order = await place();
  await order.card(page).waitFor();
  await page.evaluate(() => {
    const printed = window as unknown as { printed: string[] };
    printed.printed = [];
    window.print = () => void printed.printed.push(document.querySelector(".print-area")?.textContent ?? "");
  });
  for (const name of ["Print receipt", "Print kitchen ticket"]) await openMenuItem(order, page, name);
  await expect.poll(() => page.evaluate(() => (window as unknown as { printed: string[] }).printed.length)).toBe(2);
  const printed = await page.evaluate(() => (window as unknown as { printed: string[] }).printed);
  for (const sheet of printed) expect(sheet).toContain("Plain Plate");
});

job("JO-14", async () => {
  const { page } = staff;
  const order = await place();
  await nextButton(order, page).click();
  await hasStatus(order, "accepted");
  await openMenuItem(order, page, "Details");
  const drawer = page.getByRole("dialog", { name: /^Order/ });
  for (const text of ["Sam", "in the kitchen", "Nothing has been paid yet."]) await drawer.getByText(text).first().waitFor();
  await page.keyboard.press("Escape");
});

job("JO-15", async () => {
  const { page } = staff;
  const order = await place({ scheduled_for: new Date(Date.now() + 26 * 3_600_000).toISOString() });
  await page.getByRole("button", { name: /^Later/ }).click();
  await order.card(page).waitFor();
  expect(await page.locator(".column-new .order-card").filter({ hasText: order.name }).count()).toBe(0);
  expect(await ticketStates(order)).toEqual(["held"]);
});

job("JO-17", async () => {
  const { page, context } = colleague;
  // The stream is cut while every other call works: the board must not look current.
  await context.route("**/live", (route) => route.abort());
  await openBoard(colleague);
  await page.getByText("This screen is not current.").waitFor({ timeout: 40_000 });
  await context.unroute("**/live");
  await page.getByText("This screen is not current.").waitFor({ state: "hidden", timeout: 60_000 });
});

job("JP-01", async () => {
  const { page } = staff;
  const order = await place();
  const pay = async (amount: string | null, method: string): Promise<void> => {
    await order
      .card(page)
      .getByRole("button", { name: /^Take payment for/ })
      .click();
    const dialog = page.getByRole("dialog");
    if (amount !== null) await dialog.getByLabel("Amount").fill(amount);
    await dialog.getByRole("button", { name: method, exact: true }).click();
    await dialog.waitFor({ state: "hidden" });
  };
  await pay("1", "Cash");
  await pay(null, "Card");
  await order.card(page).getByText("Paid").waitFor();
  const paid = await server.query<{ method: string }>("select method from payments where order_id = $1 order by id", [order.id]);
  expect(paid.map(({ method }) => method)).toEqual(["cash", "card_terminal"]);
  expect(await server.query("select from events where type = 'order.paid' and position($1 in body) > 0", [order.id])).toHaveLength(1);
});

job("JP-02", async () => {
  const { page } = manager;
  const order = await place();
  await openBoard(manager);
  await order
    .card(page)
    .getByRole("button", { name: /^Take payment for/ })
    .click();
  await page.getByRole("dialog").getByRole("button", { name: "Cash", exact: true }).click();
  await order.card(page).getByText("Paid").waitFor();
  await openMenuItem(order, page, "Details");
  await button(page, "Refund").first().click();
  const dialog = page.getByRole("dialog").last();
  await dialog.getByLabel("Amount").fill("1");
  await dialog.getByRole("textbox", { name: "Reason" }).fill("Cold soup");
  await dialog.getByRole("button", { name: "Refund" }).last().click();
  const refunded = () => server.query("select from events where type = 'payment.refunded' and position($1 in body) > 0", [order.id]);
  await expect.poll(async () => (await refunded()).length).toBe(1);
});

job("JP-03", async () => {
  const { page } = manager;
  await page.goto(`/console/v/${slug}/takings`);
  for (const text of ["Cash", "Card", "Sam", "Max"]) await page.getByRole("table").getByText(text).first().waitFor();
  await staff.page.goto(`/console/v/${slug}/takings`);
  expect(await staff.page.getByRole("table").count()).toBe(0);
});

/** Five seconds on a quiet machine; the run beside other tests has more time. */
const RETURN_MS_MAX = process.env.TEST_STRESS ? 5000 : 30_000;

job("JO-16", async () => {
  const { page, context } = staff;
  await openBoard(staff);
  const [first, second, third] = [await place(), await place(), await place()];
  for (const status of ["accepted", "ready"]) {
    await nextButton(third, page).click();
    await hasStatus(third, status);
  }
  for (const order of [first, second]) await order.card(page).waitFor();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  const step = (order: JobOrder, name: string) => order.card(page).getByRole("button", { name: new RegExp(`^${name} #`) });
  await context.setOffline(true);
  await step(third, "Complete").click();
  for (const order of [first, second]) {
    await step(order, "Accept").click();
    await order.card(page).getByText("Waiting to be sent").waitFor();
  }
  await step(first, "Ready").click();
  await page.getByText("4 changes wait to be sent.").waitFor();
  await page.reload();
  await page.getByText("This screen is not current.").waitFor();
  await page.getByText("4 changes wait to be sent.").waitFor();
  await step(second, "Ready").click();
  await page.getByText("5 changes wait to be sent.").waitFor();
  // The network is back before the service is.
  await server.kill();
  await context.setOffline(false);
  await server.addProcess();
  const backAt = Date.now();
  await page.getByText(/wait to be sent\./).waitFor({ state: "hidden" });
  const afterMs = Date.now() - backAt;
  console.info(`JO-16: all sent ${afterMs} ms after the service was back`);
  expect(afterMs).toBeLessThan(RETURN_MS_MAX);
  for (const [order, steps] of [
    [first, ["accepted", "ready"]],
    [second, ["accepted", "ready"]],
    [third, ["accepted", "ready", "completed"]],
  ] as const)
    expect(await effectsOn(order)).toEqual({ moves: steps, events: steps.length });
  await page.getByText("This screen is not current.").waitFor({ state: "hidden" });
});

const effectsOn = async ({ id }: JobOrder): Promise<{ moves: string[]; events: number }> => {
  const moved = "select after ->> 'status' as status from audit_entries where subject_id = $1 and action = 'order.moved' order by id";
  const events = await server.query("select from events where type = 'order.status_changed' and position($1 in body) > 0", [id]);
  return { moves: (await server.query<{ status: string }>(moved, [id])).map(({ status }) => status), events: events.length };
};
