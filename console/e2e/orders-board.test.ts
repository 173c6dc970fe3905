/** Work on the orders board: taps, keys, undo, lost races and payments. The answers are prepared, the browser is real. */
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import type { Browser, Page, Request } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { UNDO_MS } from "../src/offline/queued-moves.ts";
import { openBrowser, openInNewContext } from "./browser.ts";
import { nina } from "./fixtures-account.ts";
import { board, boardOrders, orderDetails } from "./fixtures-orders.ts";
import { type MockAnswers, type MockServer, startMockServer } from "./mock-server.ts";
import { OWNED } from "./page-state.ts";
import { button } from "./sign-in.ts";

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
const moved = (status: BoardOrder["order"]["status"]): BoardOrder => ({
  ...first,
  order: { ...first.order, status, updated_at: new Date().toISOString() },
});
const unchanged = { ...board, is_whole: false, orders: [] };

const answers: MockAnswers = {
  readSession: { data: nina },
  readBoard: { data: board },
  readOrderDetails: { data: orderDetails },
  moveBoardOrder: (body) => ({ data: moved((body as { status: BoardOrder["order"]["status"] }).status) }),
  takePayment: { data: { ...first, paid_minor: first.order.total_minor } },
  findBoardOrders: { data: [] },
};

type Opened = { page: Page; requests: Request[]; writes: Request[]; faults: string[]; close: () => Promise<void> };

const openBoard = async (more: MockAnswers = {}): Promise<Opened> => {
  const { page, context, faults } = await openInNewContext(browser, mockServer.url);
  const [requests, writes]: [Request[], Request[]] = [[], []];
  page.on("request", (request) => {
    requests.push(request);
    if (request.method() === "POST") writes.push(request);
  });
  await mockServer.setAnswers(page, { ...answers, ...more });
  await page.goto(`${OWNED}/orders`);
  await page.locator(".order-card").first().waitFor();
  // The server reports from now on that the board has not changed.
  await mockServer.setAnswers(page, { ...answers, readBoard: { data: unchanged }, ...more });
  return { page, requests, writes, faults, close: () => context.close() };
};

const inColumn = (page: Page, column: string, name: string) => page.locator(`.column-${column} .order-card`).filter({ hasText: name });

const FIRST_LOAD_REQUESTS_MAX = 31;

test(`a first load of the board takes ${FIRST_LOAD_REQUESTS_MAX} requests at most`, async () => {
  const { page, requests, close } = await openBoard();
  await page.waitForTimeout(2000);
  console.info(`first load of the orders board: ${requests.length} requests`);
  expect(requests.length).toBeLessThanOrEqual(FIRST_LOAD_REQUESTS_MAX);
  await close();
});

test("accept takes one tap, is shown at once, and is sent once with a key and the status that was seen", async () => {
  const { page, writes, faults, close } = await openBoard();
  await button(page, "Accept #41").click();
  await inColumn(page, "kitchen", "#41").waitFor();
  await expect.poll(() => writes.length).toBe(1);
  expect(writes[0]?.postDataJSON()).toEqual({ seen_status: "placed", status: "accepted" });
  expect(writes[0]?.headers()["idempotency-key"]).toMatch(/^[0-9a-f-]{36}$/);
  expect(faults).toEqual([]);
  await close();
});

test("an accidental Accept or Ready is taken back before it is sent; the next step of the order ends the wait", async () => {
  const { page, writes, faults, close } = await openBoard();
  await button(page, "Accept #41").click();
  await page.getByText("#41 is being accepted").waitFor();
  await button(page, "Undo: #41 is being accepted").click();
  await inColumn(page, "new", "#41").waitFor();
  await page.waitForTimeout(UNDO_MS + 500);
  expect(writes).toEqual([]);
  await button(page, "Accept #41").click();
  await button(page, "Ready #41").click();
  await page.getByText("#41 is being marked as ready").waitFor();
  expect(await page.getByText("#41 is being accepted").count()).toBe(0);
  await expect.poll(() => writes.length, { timeout: UNDO_MS - 1000 }).toBe(1);
  await page.keyboard.press("u");
  await inColumn(page, "kitchen", "#41").waitFor();
  await page.waitForTimeout(UNDO_MS + 500);
  expect(writes.map((write) => write.postDataJSON())).toEqual([{ seen_status: "placed", status: "accepted" }]);
  expect(faults).toEqual([]);
  await close();
});

const cancel = async (page: Page, name: string): Promise<void> => {
  await button(page, `More for ${name}`).click();
  await page.getByRole("menuitem", { name: "Cancel order…" }).click();
  await button(page, "The guest asked for it").click();
};
const bodiesOf = (writes: readonly Request[]): unknown[] => writes.map((write) => write.postDataJSON());

test("a cancellation takes back the steps of its order that are held, and names the status that the server has", async () => {
  const { page, writes, faults, close } = await openBoard();
  await button(page, "Accept #41").click();
  await inColumn(page, "kitchen", "#41").waitFor();
  await cancel(page, "#41");
  await page.getByText("#41 is being cancelled").waitFor();
  expect(await page.getByText("#41 is being accepted").count()).toBe(0);
  await expect.poll(() => writes.length, { timeout: UNDO_MS * 3 }).toBe(1);
  await page.waitForTimeout(1000);
  expect(bodiesOf(writes)).toEqual([{ seen_status: "placed", status: "cancelled", reason: "The guest asked for it" }]);
  expect(faults).toEqual([]);
  await close();
});

test("a cancellation names the status after a step that is on its way and is sent after its answer, also when the board is left", async () => {
  const { page, writes, faults, close } = await openBoard();
  let answer = (): void => undefined;
  const isTime = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/orders/*/status", async (route) => {
    if ((route.request().postDataJSON() as { status: string }).status === "accepted") await isTime;
    await route.continue();
  });
  await button(page, "Accept #41").click();
  // The next step of the order sends the one before.
  await button(page, "Ready #41").click();
  await expect.poll(() => writes.length, { timeout: UNDO_MS - 2000 }).toBe(1);
  await cancel(page, "#41");
  await page.getByText("#41 is being cancelled").waitFor();
  await page.getByRole("link", { name: "Bookings", exact: true }).first().click();
  await page.locator(".board-page").waitFor({ state: "detached" });
  await page.waitForTimeout(500);
  expect(writes).toHaveLength(1);
  answer();
  await expect.poll(() => writes.length).toBe(2);
  expect(bodiesOf(writes)).toEqual([
    { seen_status: "placed", status: "accepted" },
    { seen_status: "accepted", status: "cancelled", reason: "The guest asked for it" },
  ]);
  expect(faults).toEqual([]);
  await close();
});

test("planted: where nothing waits, Undo comes too late for Accept", async () => {
  const { page, writes, close } = await openBoard();
  // A clock far ahead at the tap makes every wait look over, as a step without one.
  await page.evaluate(() => {
    const real = Date.now;
    let isTap = false;
    addEventListener(
      "click",
      () => {
        isTap = true;
        setTimeout(() => {
          isTap = false;
        });
      },
      true,
    );
    Date.now = () => real() - (isTap ? 60_000 : 0);
  });
  await button(page, "Accept #41").click();
  await expect.poll(() => writes.length).toBe(1);
  expect(await page.getByText("#41 is being accepted").count()).toBe(0);
  await close();
});

test("a locked device sends at once what can still be taken back", async () => {
  const { page, writes, close } = await openBoard();
  await button(page, "Accept #41").click();
  await page.getByText("#41 is being accepted").waitFor();
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden" });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await expect.poll(() => writes.length, { timeout: UNDO_MS - 2000 }).toBe(1);
  await close();
});

test("a double tap accepts one order, not the one that takes its place as well", async () => {
  const { page, writes, close } = await openBoard();
  const target = await button(page, "Accept #41").boundingBox();
  if (!target) throw new Error("The button is not shown");
  await page.mouse.dblclick(target.x + target.width / 2, target.y + target.height / 2, { delay: 20 });
  await inColumn(page, "kitchen", "#41").waitFor();
  await page.waitForTimeout(UNDO_MS + 500);
  expect(writes).toHaveLength(1);
  await close();
});

test("the details of an order have its note", async () => {
  const note = "Nut allergy at the table";
  const noted = { ...first, order: { ...first.order, note } };
  const { page, close } = await openBoard({ readOrderDetails: { data: { ...orderDetails, order: noted } } });
  await button(page, "#41").click();
  await page.getByRole("dialog").getByText(note).waitFor();
  await close();
});

test("the details of an order name the status that was chosen, as its card does, before the server has it", async () => {
  const { page, writes, close } = await openBoard();
  const status = page.getByRole("dialog").locator(".order-facts dd b").first();
  await button(page, "#41").click();
  await expect.poll(() => status.textContent()).toBe("new");
  await page.keyboard.press("Escape");
  await button(page, "Accept #41").click();
  await button(page, "#41").click();
  expect([await status.textContent(), writes.length]).toEqual(["accepted", 0]);
  await close();
});

test("by keyboard: J selects, A accepts, R rejects with a reason, U takes it back, ? shows the keys", async () => {
  const { page, writes, faults, close } = await openBoard();
  await page.keyboard.press("j");
  await page.locator(".order-card[data-selected]").filter({ hasText: "#41" }).waitFor();
  await page.keyboard.press("r");
  await page.getByRole("dialog").getByRole("textbox", { name: "Reason" }).fill("No dough left");
  await button(page, "Reject order").click();
  await page.getByText("#41 is being rejected").waitFor();
  expect(await inColumn(page, "new", "#41").count()).toBe(0);
  await page.keyboard.press("u");
  await inColumn(page, "new", "#41").waitFor();
  expect(writes).toEqual([]);
  await page.keyboard.press("a");
  await inColumn(page, "kitchen", "#41").waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys of this page" }).getByText("Next and previous order").waitFor();
  expect(faults).toEqual([]);
  await close();
});

const focusedCard = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => document.activeElement?.closest(".order-card")?.querySelector(".order-number")?.textContent ?? undefined);

test("after A, or Enter on a button, the focus and the keys go on with the next card of the column", async () => {
  const { page, close } = await openBoard();
  await page.keyboard.press("j");
  await page.keyboard.press("a");
  await inColumn(page, "kitchen", "#41").waitFor();
  await expect.poll(() => focusedCard(page)).toBe("#42");
  await page.locator(".order-card[data-selected]").filter({ hasText: "#42" }).waitFor();
  await page.keyboard.press("u");
  await inColumn(page, "new", "#41").waitFor();
  await button(page, "Accept #41").focus();
  await page.keyboard.press("Enter");
  await inColumn(page, "kitchen", "#41").waitFor();
  await expect.poll(() => focusedCard(page)).toBe("#42");
  await close();
});

test("planted: a card that is drawn again elsewhere leaves the focus on no card", async () => {
  const { page, close } = await openBoard();
  await page.keyboard.press("j");
  await page.evaluate(() => {
    HTMLElement.prototype.focus = () => undefined;
  });
  await page.keyboard.press("a");
  await inColumn(page, "kitchen", "#41").waitFor();
  await expect.poll(() => focusedCard(page)).toBeUndefined();
  await close();
});

test("a move that can be undone is sent after five seconds; a step is kept when the page is closed before, a rejection is not", async () => {
  const { page, writes, close } = await openBoard();
  await page.keyboard.press("j");
  await page.keyboard.press("r");
  await button(page, "Sold out").click();
  await page.getByText("#41 is being rejected").waitFor();
  await button(page, "Complete #1006").click();
  await page.getByText("#1006 is being completed").waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Orders", exact: true }).waitFor();
  await expect.poll(() => writes.length, { timeout: 8000 }).toBeGreaterThan(0);
  expect([...new Set(writes.map((write) => write.postData()))]).toEqual([JSON.stringify({ seen_status: "ready", status: "completed" })]);
  await close();
  const again = await openBoard({ moveBoardOrder: { data: moved("rejected") } });
  await button(again.page, "More for #41").click();
  await again.page.getByRole("menuitem", { name: "Reject…" }).click();
  await button(again.page, "Sold out").click();
  await expect.poll(() => again.writes.length, { timeout: 8000 }).toBe(1);
  expect(again.writes[0]?.postDataJSON()).toEqual({ seen_status: "placed", status: "rejected", reason: "Sold out" });
  await again.close();
});

test("who loses a race sees who was faster, and the present state", async () => {
  const details = { order: moved("cancelled"), changed_by: "Luca Moretti", changed_at: new Date().toISOString() };
  const { page, faults, close } = await openBoard({ moveBoardOrder: { refused: "state_changed", details } });
  await button(page, "Accept #41").click();
  await page.getByText("#41 is cancelled already: Luca Moretti was faster.").waitFor();
  expect(await page.locator(".order-card").filter({ hasText: "#41" }).count()).toBe(0);
  expect(faults).toEqual([]);
  await close();
});

test("the stream is silent while calls work: amber, and red within 15 seconds", async () => {
  const { page, close } = await openBoard();
  await page.evaluate(() => new BroadcastChannel("comanda-changes-trattoria-da-nino").postMessage({ kind: "beat" }));
  const beatAt = Date.now();
  await page.locator(".pulse-current").waitFor();
  await page.locator(".pulse-late").waitFor();
  await page.getByText("This screen is not current.").waitFor();
  const silentMs = Date.now() - beatAt;
  // The page looks at its clock once a second.
  expect(silentMs).toBeGreaterThan(13_000);
  expect(silentMs).toBeLessThan(18_000);
  await close();
});

test("cash takes two taps from the card", async () => {
  const { page, writes, faults, close } = await openBoard();
  await page.getByRole("button", { name: /^Take payment for #41/ }).click();
  await button(page, "Cash").click();
  await page.getByText("€32.50 taken for #41.").waitFor();
  expect(writes[0]?.postDataJSON()).toEqual({ method: "cash", amount_minor: 3250, seen_paid_minor: 0 });
  await inColumn(page, "new", "#41").getByText("Paid").waitFor();
  expect(faults).toEqual([]);
  await close();
});

test("buttons for service have a height of 56 pixels or more", async () => {
  const { page, close } = await openBoard();
  const heights = await page
    .locator(".order-next, .order-due, .fold-head")
    .evaluateAll((elements) => elements.map((element) => element.getBoundingClientRect().height));
  expect(heights.length).toBeGreaterThan(8);
  expect(heights.filter((height) => height < 56)).toEqual([]);
  await close();
});
