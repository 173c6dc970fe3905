/** States of the orders board and the takings. */
import type { Page } from "playwright-core";
import { nina } from "./fixtures-account.ts";
import { cardState } from "./fixtures-gift-cards.ts";
import { bill, board, openBills, orderDetails, pausedBoard, struckBoard, struckDetails, takings } from "./fixtures-orders.ts";
import type { MockAnswers } from "./mock-server.ts";
import { OWNED, withDefaultAnswers } from "./page-state.ts";

const defaultAnswers: MockAnswers = {
  readSession: { data: nina },
  readBoard: { data: board },
  findBoardOrders: { data: [] },
  readOrderDetails: { data: orderDetails },
  readTakings: { data: takings },
  readBill: { data: bill },
  readOpenBills: { data: openBills },
  readBillTables: { data: [{ id: 9, name: "9", code: "T9" }] },
};

const asStaff: MockAnswers = {
  readSession: { data: { ...nina, venues: nina.venues.slice(0, 1).map((venue) => ({ ...venue, role: "staff" as const })) } },
};

const BEAT_MS = 1000;
/** The page needs so long to store what it read. */
const COPY_MS = 1000;

/** The mock server has no stream: the page hears the beats of another tab, as it were. */
const beat = (page: Page): Promise<void> =>
  page.evaluate((everyMs) => {
    const channel = new BroadcastChannel("comanda-changes-trattoria-da-nino");
    const tell = (): void => channel.postMessage({ kind: "beat" });
    tell();
    setInterval(tell, everyMs);
  }, BEAT_MS);

const live =
  (then: (page: Page) => Promise<void> = async () => undefined) =>
  async (page: Page): Promise<void> => {
    await beat(page);
    await page.locator(".order-card, .empty, [role=alert]").first().waitFor();
    await then(page);
  };

const openMenu = async (page: Page): Promise<void> => {
  await page.locator(".order-more:visible").first().click();
  await page.locator("[role=menuitem]").first().waitFor();
};

/** The move must not be sent while the page is looked at. */
const lengthenUndo = (page: Page) =>
  page.addInitScript(() => {
    const startTimer = window.setTimeout;
    const [shortest, longest, instead] = [4000, 5000, 600_000];
    window.setTimeout = ((run: () => void, ms = 0) =>
      startTimer(run, ms > shortest && ms <= longest ? instead : ms)) as typeof window.setTimeout;
  });

/** The other states have the same browser and the same person: a change that waits must not be theirs. */
const storeNothing = (): void => {
  IDBObjectStore.prototype.put = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
};

const ORDERS = `${OWNED}/orders`;

const openBill = async (page: Page): Promise<void> => {
  await page.locator(".order-open:visible").first().click();
  await page.locator(".order-bill").click();
  await page.locator(".bill-sums").waitFor();
};
const billAct = (name: number) =>
  live(async (page) => {
    await openBill(page);
    await page.locator(".bill-acts > button").nth(name).click();
  });

export const orderPageStates = withDefaultAnswers(defaultAnswers, {
  orders: { path: ORDERS, shows: ".order-card", before: live(), isOnWall: true },
  "orders-empty": { path: ORDERS, answers: { readBoard: { data: { ...board, orders: [] } } }, shows: ".empty", before: live() },
  "orders-refused": { path: ORDERS, answers: { readBoard: { refused: "server_error" } }, shows: "[role=alert]", before: live() },
  "orders-staff": { path: ORDERS, answers: asStaff, shows: ".order-card", before: live() },
  "orders-paused": { path: ORDERS, answers: { readBoard: { data: pausedBoard } }, shows: ".type-paused", before: live() },
  "orders-paused-staff": {
    path: ORDERS,
    answers: { ...asStaff, readBoard: { data: pausedBoard } },
    shows: ".type-paused",
    before: live(),
  },
  "orders-pause-dialog": {
    path: ORDERS,
    answers: { readBoard: { data: pausedBoard } },
    shows: "[role=dialog] .pause-others",
    before: live(async (page) => {
      await page.locator(".pause-button").click();
      await page.locator(".pause-choices button").nth(2).click();
    }),
  },
  "orders-menu": { path: ORDERS, shows: "[role=menuitem]", before: live(openMenu) },
  "orders-reject": {
    path: ORDERS,
    shows: "[role=dialog] textarea",
    before: live(async (page) => {
      await openMenu(page);
      await page.locator("[role=menuitem]").nth(4).click();
    }),
  },
  "orders-details": {
    path: ORDERS,
    shows: "[role=dialog] .step-list",
    before: live((page) => page.locator(".order-open:visible").first().click()),
  },
  "orders-details-struck": {
    path: ORDERS,
    answers: { readBoard: { data: struckBoard }, readOrderDetails: { data: struckDetails } },
    shows: "[role=dialog] .step-list",
    before: live((page) => page.locator(".order-open:visible").first().click()),
  },
  "orders-strike": {
    path: ORDERS,
    shows: "[role=dialog] textarea",
    before: live(async (page) => {
      await page.locator(".order-open:visible").first().click();
      await page.locator(".line-strike").first().click();
    }),
  },
  "orders-bill": { path: ORDERS, shows: "[role=dialog] .bill-acts", before: live(openBill) },
  "orders-bill-pay": { path: ORDERS, shows: "[role=dialog] .bill-methods", before: billAct(0) },
  "orders-bill-pay-lines": {
    path: ORDERS,
    shows: "[role=dialog] .bill-choice",
    before: live(async (page) => {
      await openBill(page);
      await page.locator(".bill-acts > button").first().click();
      await page.locator("[role=dialog] .mantine-SegmentedControl-control").nth(2).click();
      await page.locator(".bill-choice [type=checkbox]").first().click();
    }),
  },
  "orders-bill-move": { path: ORDERS, shows: "[role=dialog] form select", before: billAct(3) },
  "orders-bill-merge": { path: ORDERS, shows: "[role=dialog] .bill-other", before: billAct(4) },
  "orders-bill-close": { path: ORDERS, shows: "[role=dialog] form input", before: billAct(5) },
  "orders-payment": {
    path: ORDERS,
    shows: "[role=dialog] .payment-method",
    before: live((page) => page.locator(".order-due:visible").first().click()),
  },
  "orders-gift-card": {
    path: ORDERS,
    answers: { lookUpGiftCard: { data: cardState } },
    shows: "[role=dialog] .card-end",
    before: live(async (page) => {
      await page.locator(".order-due:visible").first().click();
      await page.locator(".payment-by-card").click();
      await page.locator("[role=dialog] .card-code-field input").fill("TEST-CARD-0000-0000-000G");
      await page.keyboard.press("Enter");
    }),
  },
  "orders-undo": {
    path: ORDERS,
    shows: ".undo-row",
    before: live(async (page) => {
      await lengthenUndo(page);
      await page.reload();
      await beat(page);
      await openMenu(page);
      await page.locator("[role=menuitem]").nth(4).click();
      await page.locator(".reason-choices button").first().click();
      await page.locator(".undo-row").waitFor();
    }),
  },
  "orders-not-current": {
    path: ORDERS,
    shows: ".not-current",
    // Playwright's clock would change that of every page of the context, so this page alone is moved.
    before: async (page) => {
      await page.locator(".order-card").first().waitFor();
      await page.evaluate(() => {
        const { now } = Date;
        Date.now = () => now() + 25_000;
      });
    },
  },
  "orders-waiting": {
    path: ORDERS,
    answers: { moveBoardOrder: { refused: "service_unavailable" } },
    shows: ".order-waiting",
    before: live(async (page) => {
      await page.addInitScript(storeNothing);
      await page.reload();
      await beat(page);
      await page.locator(".order-next:visible").first().click();
      await page.locator(".waiting-bar").waitFor();
      // On a phone the order has left the column that is shown.
      await page.locator(".order-waiting").first().waitFor({ state: "attached" });
      if (!(await page.locator(".order-waiting").first().isVisible())) await page.locator(".board-tabs label").nth(1).click();
    }),
  },
  "orders-offline": {
    path: ORDERS,
    shows: ".not-current",
    // The board that was read before is shown when the service does not answer after a reload.
    before: async (page) => {
      await page.locator(".order-card").first().waitFor();
      await page.waitForFunction(async () => (await indexedDB.databases()).length > 0);
      await page.waitForTimeout(COPY_MS);
      await page.route("**/board*", (route) => route.abort());
      await page.reload();
      await page.locator(".order-card").first().waitFor();
    },
  },
  takings: { path: `${OWNED}/takings`, shows: ".takings-table", before: beat },
  "takings-staff": { path: `${OWNED}/takings`, answers: asStaff, shows: ".empty", before: beat },
});
