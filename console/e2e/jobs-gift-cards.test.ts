/** Gift cards: each job as the person it belongs to, in a real browser, against the real server. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { type ApiClient, createApiClient } from "./api-client.ts";
import { LOOKS, type OpenedPage, openBrowser, openInNewContext } from "./browser.ts";
import { job } from "./jobs.ts";
import { type RealServer, startRealServer } from "./real-server.ts";
import { acceptInvitation, button } from "./sign-in.ts";

let server: RealServer;
let browser: Browser;
let slug: string;
let api: ApiClient;
let itemId: number;
let staff: OpenedPage;
let manager: OpenedPage;

const enter = async (role: "staff" | "manager", name: string): Promise<OpenedPage> => {
  const opened = await openInNewContext(browser, server.url, LOOKS.light);
  await opened.page.addInitScript(() => {
    const printed = window as unknown as { printed: string[] };
    printed.printed = [];
    window.print = () => void printed.printed.push(document.querySelector(".print-area")?.textContent ?? "");
  });
  await acceptInvitation(opened.page, await server.invite(slug, `${name.toLowerCase()}@cards.example`, role, name));
  return opened;
};

beforeAll(async () => {
  [server, browser] = await Promise.all([startRealServer(), openBrowser()]);
  slug = await server.venue("lab");
  api = createApiClient(server.url, await server.token(slug));
  const items = (await api("GET", "/items?per_page=100")) as { id: number; name: { en: string } }[];
  itemId = items.find(({ name }) => name.en === "Plain Plate")?.id ?? 0;
  [staff, manager] = [await enter("staff", "Sam"), await enter("manager", "Max")];
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

let guests = 0;
const place = async (name: string): Promise<{ id: string; total_minor: number }> =>
  (await api("POST", "/orders", {
    type: "pickup",
    customer_name: name,
    customer_phone: `+1 555 77${String(++guests).padStart(2, "0")}`,
    lines: [{ item_id: itemId, quantity: 1 }],
  })) as { id: string; total_minor: number };

type CardEvent = { gift_card: { id: number; balance_minor: number; code_last4: string }; redemption?: { amount_minor: number } };
const eventsOf = async (type: string, text: string): Promise<CardEvent[]> =>
  (
    await server.query<{ body: string }>("select body from events where type = $1 and position($2 in body) > 0 order by created_at, id", [
      type,
      text,
    ])
  ).map(({ body }) => JSON.parse(body).data);

const money = (minor: number): string => (minor / 100).toLocaleString("en", { minimumFractionDigits: 2 });
const cashTaken = async (): Promise<number> => {
  const [row] = await server.query<{ sum: string }>("select sum(amount_minor) as sum from payments where method = $1", ["cash"]);
  return Number(row?.sum);
};

const openCards = async (page: Page): Promise<void> => {
  await page.goto(`/console/v/${slug}/gift-cards`);
  await page.getByRole("heading", { name: "Gift cards", level: 1 }).waitFor();
};

/** Returns the code as it was shown. */
const sell = async (page: Page, amount: string, guest: string | null = null): Promise<string> => {
  await openCards(page);
  await button(page, "Sell a gift card").click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Amount").fill(amount);
  if (guest !== null) {
    await form.getByLabel(/^Guest/).fill(guest);
    await form.getByRole("button", { name: new RegExp(`^Choose ${guest}`) }).click();
  }
  await form.getByRole("button", { name: "Cash", exact: true }).click();
  const shown = page.getByRole("dialog", { name: "The new gift card" });
  const code = ((await shown.locator("pre").textContent()) ?? "").trim();
  expect(code).toMatch(/^([0-9A-Z]{4}-){4}[0-9A-Z]{4}$/);
  return code;
};

job("JC-01", async () => {
  const { page } = staff;
  const code = await sell(page, "50");
  await button(page, "Print the card").click();
  await expect.poll(() => page.evaluate(() => (window as unknown as { printed: string[] }).printed.join())).toContain(code);
  await button(page, "Done").click();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  expect(await page.getByText(code).count()).toBe(0);
  const [event, ...more] = await eventsOf("giftcard.issued", `"code_last4":"${code.slice(-4)}"`);
  expect(more).toEqual([]);
  expect(event?.gift_card.balance_minor).toBe(5000);
  const stored = await server.query<{ found: string }>(
    "select count(*) as found from (select body from idempotency_keys union all select body from events) kept where position($1 in body) > 0",
    [code],
  );
  expect(Number(stored[0]?.found)).toBe(0);
  // What is on a card is looked up by its code; a mistyped one is noticed at once.
  await page.getByLabel("Code").fill(`${code.slice(0, -1)}${code.endsWith("0") ? "1" : "0"}`);
  await page.getByText("A letter or digit is wrong.").waitFor();
  await page.getByLabel("Code").fill(code.toLowerCase());
  await page.keyboard.press("Enter");
  await page.getByText("50.00").waitFor();
  expect(await page.getByText("All cards").count()).toBe(0);
});

job("JC-02", async () => {
  const { page } = staff;
  const code = await sell(page, "100");
  await button(page, "Print the card").click();
  const order = await place("Paula Card");
  await page.goto(`/console/v/${slug}/orders`);
  const pay = async (amount: string | null): Promise<void> => {
    await page
      .locator(".order-card")
      .filter({ hasText: "Paula Card" })
      .getByRole("button", { name: /^Take payment for/ })
      .click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Gift card", exact: true }).click();
    await dialog.getByLabel("Code").fill(code);
    await dialog.getByRole("button", { name: "Check the card" }).click();
    await dialog.getByText(/is on this card/).waitFor();
    if (amount !== null) await dialog.getByLabel("Amount from the card").fill(amount);
    await dialog.getByRole("button", { name: /^Pay .* with the gift card$/ }).click();
    await dialog.waitFor({ state: "hidden" });
  };
  await pay("1");
  expect(await eventsOf("order.paid", order.id)).toEqual([]);
  await pay(null);
  await page.locator(".order-card").filter({ hasText: "Paula Card" }).getByText("Paid").waitFor();
  const redeemed = await eventsOf("giftcard.redeemed", order.id);
  expect(redeemed.map(({ redemption, gift_card }) => [redemption?.amount_minor, gift_card.balance_minor])).toEqual([
    [100, 9900],
    [order.total_minor - 100, 10_000 - order.total_minor],
  ]);
  expect(await eventsOf("order.paid", order.id)).toHaveLength(1);
  // The money came in with the sales: what the card paid is shown, and not added.
  await manager.page.goto(`/console/v/${slug}/takings`);
  const rowOf = (name: string) => manager.page.getByRole("row").filter({ has: manager.page.getByRole("rowheader", { name, exact: true }) });
  await rowOf("Paid with gift cards, not in the total")
    .filter({ hasText: money(order.total_minor) })
    .waitFor();
  await rowOf("Total")
    .filter({ hasText: money(await cashTaken()) })
    .waitFor();
});

job("JC-03", async () => {
  const { page } = manager;
  await place("Greta Gift");
  const code = await sell(page, "30", "Greta");
  await button(page, "Print the card").click();
  await button(page, "Done").click();
  const last4 = code.slice(-4);
  const found = page.getByRole("link", { name: new RegExp(last4) });
  for (const text of [last4, "Greta"]) {
    await page.getByLabel("Last four of the code, or guest").fill(text);
    await expect.poll(() => page.getByRole("list", { name: "All cards" }).getByRole("link").count()).toBe(1);
    await found.waitFor();
  }
  await found.click();
  await page.getByRole("heading", { name: `Gift card ${last4}`, level: 1 }).waitFor();
  await button(page, "Freeze").click();
  await button(page, "Unfreeze").waitFor();
  await page.getByText("Frozen", { exact: true }).first().waitFor();
  expect(await server.query("select status, balance_minor::integer from gift_cards where code_last4 = $1", [last4])).toEqual([
    { status: "frozen", balance_minor: 3000 },
  ]);
  await button(page, "Correct the balance").click();
  await page.getByLabel("What should be on the card?").fill("25");
  await page.getByLabel("Reason").fill("Sold for too much");
  await button(page, "Correct").click();
  await page.getByText("Sold for too much").waitFor();
  const rows = page.getByRole("table").getByRole("row");
  expect((await rows.allInnerTexts()).slice(1)).toEqual([
    expect.stringMatching(/Corrected.*Max.*25\.00/s),
    expect.stringMatching(/Issued.*30\.00/s),
  ]);
  // Frozen: it pays nothing.
  await staff.page.goto(`/console/v/${slug}/gift-cards`);
  await staff.page.getByLabel("Code").fill(code);
  await staff.page.keyboard.press("Enter");
  await staff.page.getByText("Frozen").waitFor();
  // Managers see it on the guest's profile too.
  const [guest] = await server.query<{ id: string }>("select id from guests where name = $1", ["Greta Gift"]);
  for (const { page: seen } of [manager, staff]) {
    await seen.goto(`/console/v/${slug}/guests/${guest?.id}`);
    await seen.getByRole("heading", { name: "Greta Gift", level: 1 }).waitFor();
  }
  await page
    .getByRole("region", { name: "Gift cards" })
    .getByRole("link", { name: new RegExp(last4) })
    .waitFor();
  expect(await staff.page.getByRole("region", { name: "Gift cards" }).count()).toBe(0);
});
