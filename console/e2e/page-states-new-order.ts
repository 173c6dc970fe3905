/** States of the order that staff take. */
import type { Page } from "playwright-core";
import { nina } from "./fixtures-account.ts";
import { orderForm, orderQuote } from "./fixtures-new-order.ts";
import { board } from "./fixtures-orders.ts";
import type { MockAnswers } from "./mock-server.ts";
import { OWNED, withDefaultAnswers } from "./page-state.ts";

const defaultAnswers: MockAnswers = {
  readSession: { data: nina },
  readBoard: { data: board },
  findBoardOrders: { data: [] },
  readOrderForm: { data: orderForm },
  quoteStaffOrder: { data: orderQuote },
  findOrderGuest: { data: { name: "Grace Hopper", phone: "+1 555 0100", visits_count: 12, last_visit_at: null, delivery_address: null } },
};

const ORDERS = `${OWNED}/orders`;

const open =
  (then: (page: Page) => Promise<void>) =>
  async (page: Page): Promise<void> => {
    await page.locator(".new-order-button").click();
    await page.locator(".new-order, .new-order-body [role=alert]").first().waitFor();
    await then(page);
  };

export const newOrderPageStates = withDefaultAnswers(defaultAnswers, {
  "new-order": { path: ORDERS, shows: ".new-order-dish", before: open(async () => undefined) },
  "new-order-lines": {
    path: ORDERS,
    shows: ".new-order-refused",
    before: open(async (page) => {
      await page.locator(".new-order-types label").nth(1).click();
      await page.locator("input[type=tel]").fill("+39 06 5550 100");
      await page.locator(".new-order-dish").nth(1).click();
      await page.locator(".new-order-dish").last().click();
      await page.locator(".new-order-missing").waitFor();
    }),
  },
  "new-order-options": {
    path: ORDERS,
    shows: ".new-order-choices",
    before: open(async (page) => {
      await page.locator(".new-order-dish").first().click();
      await page.locator(".new-order-choice").nth(3).click();
    }),
  },
  "new-order-refused": {
    path: ORDERS,
    answers: { readOrderForm: { refused: "server_error" } },
    shows: ".new-order-body [role=alert]",
    before: open(async () => undefined),
  },
});
