/** What the board does when an answer is late, lost or never comes. The answers are prepared, the browser is real. */
import type { BoardOrder, OrderDetails } from "@comanda/contract/console/orders.ts";
import type { OrderLine } from "@comanda/contract/venue/orders.ts";
import type { Browser, Page, Request, Route } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser, openInNewContext } from "./browser.ts";
import { nina } from "./fixtures-account.ts";
import { orderForm, orderQuote } from "./fixtures-new-order.ts";
import { board, boardOrders, orderDetails } from "./fixtures-orders.ts";
import { type MockAnswers, type MockServer, startMockServer } from "./mock-server.ts";
import { OWNED } from "./page-state.ts";
import { button } from "./sign-in.ts";

/** The first try and its three repetitions. */
const TRIES = 4;

let mockServer: MockServer;
let browser: Browser;
beforeAll(async () => {
  [mockServer, browser] = await Promise.all([startMockServer(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await mockServer?.close();
});

const first = boardOrders[0] as BoardOrder;
const answers: MockAnswers = {
  readSession: { data: nina },
  readBoard: { data: board },
  readOrderDetails: { data: orderDetails },
  takePayment: { data: { ...first, paid_minor: 1000 } },
  findBoardOrders: { data: [] },
  readOrderForm: { data: orderForm },
  quoteStaffOrder: { data: { ...orderQuote, refusals: [] } },
  findOrderGuest: { data: { name: "Grace Hopper", phone: "+1 555 0100", visits_count: 12, last_visit_at: null, delivery_address: null } },
  placeStaffOrder: { data: { ...first, number: 77 } },
};

type WatchedBoard = { page: Page; writes: Request[]; close: () => Promise<void> };

/** `writes` are those to addresses with this end. */
const openBoard = async (end: string, more: MockAnswers = {}): Promise<WatchedBoard> => {
  const { page, context } = await openInNewContext(browser, mockServer.url);
  const writes: Request[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && new URL(request.url()).pathname.endsWith(end)) writes.push(request);
  });
  await mockServer.setAnswers(page, { ...answers, ...more });
  await page.goto(`${OWNED}/orders`);
  await page.locator(".order-card").first().waitFor();
  return { page, writes, close: () => context.close() };
};

const keysOf = (writes: readonly Request[]): Set<string | undefined> => new Set(writes.map((write) => write.headers()["idempotency-key"]));
const takePaymentOf41 = (page: Page) => page.getByRole("button", { name: /^Take payment for #41/ });

test("a reading of the board that is never answered ends, is repeated, and the page does not claim to be current", async () => {
  const { page, close } = await openBoard("");
  await page.evaluate(() => {
    const channel = new BroadcastChannel("comanda-changes-trattoria-da-nino");
    setInterval(() => channel.postMessage({ kind: "beat" }), 500);
  });
  await page.locator(".pulse-current").waitFor();
  let readings = 0;
  await page.route("**/board*", () => {
    readings += 1;
  });
  await page.evaluate(() => new BroadcastChannel("comanda-changes-trattoria-da-nino").postMessage({ kind: "changed", areas: ["orders"] }));
  await page.locator(".pulse-late, .pulse-lost").first().waitFor({ timeout: 30_000 });
  await expect.poll(() => readings, { timeout: 30_000 }).toBeGreaterThan(1);
  await page.unroute("**/board*");
  await page.locator(".pulse-current").waitFor({ timeout: 60_000 });
  await close();
});

test("a part payment whose answer is lost has the same key at the next tap", async () => {
  const { page, writes, close } = await openBoard("/payments");
  await takePaymentOf41(page).click();
  await page.getByRole("textbox", { name: "Amount" }).fill("10");
  await page.route("**/payments", (route) => route.abort());
  await button(page, "Cash").click();
  await expect.poll(() => writes.length, { timeout: 30_000 }).toBe(TRIES);
  await page.unroute("**/payments");
  await button(page, "Cash").click();
  await page.getByText("€10.00 taken for #41.").waitFor();
  expect([writes.length, keysOf(writes).size]).toEqual([TRIES + 1, 1]);
  await close();
});

/** The first line of #41 has two portions: `left` of them are still wanted. */
const withStruck = (left: number): BoardOrder => {
  const [dish, ...others] = first.order.items as [OrderLine, ...OrderLine[]];
  const struck = { ...dish, id: 99, quantity: dish.quantity - left, voided: true };
  const items = [{ ...dish, quantity: left }, struck, ...others];
  return { ...first, changed_at: new Date(Date.now() + 1000).toISOString(), order: { ...first.order, items } };
};

test("a struck portion whose answer is lost is struck once: the next press repeats the first, whatever the board shows by then", async () => {
  let order = first;
  const { page, writes, close } = await openBoard("/strike", {
    readBoard: () => ({ data: { ...board, orders: [order] } }),
    readOrderDetails: () => ({ data: { ...orderDetails, order } }),
    strikeOrderLine: () => ({ data: order }),
  });
  await page.locator(".order-open").first().click();
  await page
    .getByRole("button", { name: /^Strike… 2×/ })
    .first()
    .click();
  await page.getByText("1 of 2").waitFor();
  const loseAnswer = (route: Route): Promise<void> => {
    order = withStruck(1);
    return route.abort();
  };
  await page.route("**/strike", loseAnswer);
  const reason = button(page, "The guest asked for it");
  await reason.click();
  await expect.poll(() => writes.length, { timeout: 30_000 }).toBe(TRIES);
  await page.locator(".order-card .line-voided").first().waitFor({ state: "attached", timeout: 20_000 });
  await page.unroute("**/strike", loseAnswer);
  expect(await page.getByText("1 of 2").isVisible()).toBe(true);
  // Nothing else can be chosen until it is answered.
  expect([await button(page, "One more").isDisabled(), await button(page, "Entered by mistake").isDisabled()]).toEqual([true, true]);
  await reason.click();
  await expect.poll(() => writes.length, { timeout: 30_000 }).toBe(TRIES + 1);
  await page.getByRole("dialog", { name: "Order #41" }).waitFor();
  expect([keysOf(writes).size, new Set(writes.map((write) => write.postData())).size]).toEqual([1, 1]);
  expect(writes.at(-1)?.postDataJSON()).toMatchObject({ part: { quantity: 1, of: 2 }, reason: "The guest asked for it" });
  await close();
});

test("the late answer of a closed dialog closes nothing that was opened since", async () => {
  const { page, close } = await openBoard("/payments");
  let answer = (): void => undefined;
  const isTime = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/payments", async (route) => {
    await isTime;
    await route.continue();
  });
  await takePaymentOf41(page).click();
  await button(page, "Cash").click();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.locator(".order-open").first().click();
  await page.getByRole("dialog", { name: "Order #41" }).waitFor();
  answer();
  await page.getByText("taken for #41.").waitFor();
  expect(await page.getByRole("dialog", { name: "Order #41" }).isVisible()).toBe(true);
  await close();
});

test("a refund that another person was faster with says so, and the next tap is for what is left", async () => {
  let refunded = 500;
  const detailsNow = (): OrderDetails => ({
    ...orderDetails,
    payments: orderDetails.payments.map((payment) => ({ ...payment, refunded_total_minor: refunded })),
  });
  const { page, writes, close } = await openBoard("/refunds", {
    readOrderDetails: () => ({ data: detailsNow() }),
    refundOrderPayment: (body) => {
      if ((body as { seen_refunded_minor: number }).seen_refunded_minor === 800) return { data: first };
      refunded = 800;
      return { refused: "state_changed", details: { order: first, changed_by: "Luca Moretti", changed_at: new Date().toISOString() } };
    },
  });
  await page.locator(".order-open").first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Refund", exact: true }).click();
  await page.getByRole("textbox", { name: "Reason" }).fill("Cold soup");
  const submit = page.getByRole("dialog", { name: "Refund a payment of #41" }).getByRole("button", { name: "Refund", exact: true });
  await submit.click();
  await page.getByText("Another refund for #41 was recorded in the meantime.").waitFor();
  await page.getByText("€7.00 can be refunded.").waitFor();
  await submit.click();
  await page.getByText("€7.00 refunded for #41.").waitFor();
  expect(writes.at(-1)?.postDataJSON()).toEqual({ amount_minor: 700, reason: "Cold soup", seen_refunded_minor: 800 });
  await close();
});

test("a new order whose answer is lost is one order, also when the dialog was closed before the next tap", async () => {
  const { page, writes, close } = await openBoard("/orders");
  const dialog = page.getByRole("dialog", { name: "New order" });
  const place = page.getByRole("button", { name: /^Place order ·/ });
  await page.locator(".new-order-button").click();
  await page.getByLabel("Phone number").fill("+39 06 5550 100");
  await expect.poll(() => page.getByLabel("Name").inputValue()).toBe("Grace Hopper");
  await page.locator(".new-order-dish").nth(1).click();
  await expect.poll(() => place.isEnabled()).toBe(true);
  await page.route("**/venues/*/orders", (route) => route.abort());
  await place.click();
  await expect.poll(() => writes.length, { timeout: 30_000 }).toBe(TRIES);
  await page.unroute("**/venues/*/orders");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await page.locator(".new-order-button").click();
  await expect.poll(() => place.isEnabled()).toBe(true);
  await place.click();
  await dialog.waitFor({ state: "hidden" });
  expect([writes.length, keysOf(writes).size]).toEqual([TRIES + 1, 1]);
  // The next order is another one.
  await page.locator(".new-order-button").click();
  await dialog.waitFor();
  expect(await page.locator(".new-order-line").count()).toBe(0);
  await close();
});

test("closed orders that were not sold show no payment, except money that is to be given back", async () => {
  const closed = (status: "rejected" | "cancelled", paid_minor: number, number: number): BoardOrder => ({
    ...first,
    number,
    paid_minor,
    order: { ...first.order, id: `0199f3c2-7d10-7a4b-9c11-00000000${2000 + number}`, status },
  });
  const { page, close } = await openBoard("", {
    findBoardOrders: { data: [closed("rejected", 0, 91), closed("cancelled", 3250, 92)] },
  });
  await button(page, "Done").click();
  const card = (name: string) => page.locator(".order-card").filter({ hasText: name });
  await card("#92").getByText("€32.50 to give back").waitFor();
  expect(await card("#91").locator(".order-paid, .order-unpaid").count()).toBe(0);
  await close();
});
