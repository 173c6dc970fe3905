/** Orders that staff take at the board, by phone and for a table, and the mail about an order that no screen shows. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { type OpenedPage, openBrowser, openInNewContext } from "./browser.ts";
import { job } from "./jobs.ts";
import { type RealServer, startRealServer } from "./real-server.ts";
import { acceptInvitation, button } from "./sign-in.ts";

let server: RealServer;
let browser: Browser;
let slug: string;
let staff: OpenedPage;

beforeAll(async () => {
  [server, browser] = await Promise.all([startRealServer(), openBrowser()]);
  slug = await server.venue("lab");
  staff = await openInNewContext(browser, server.url);
  await acceptInvitation(staff.page, await server.invite(slug, "sam@board.example", "staff", "Sam"));
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const openForm = async (page: Page): Promise<void> => {
  await page.goto(`/console/v/${slug}/orders`);
  await page.getByRole("heading", { name: "Orders", level: 1 }).waitFor();
  await page.keyboard.press("n");
  await page.getByRole("dialog", { name: "New order" }).waitFor();
};

const addDish = async (page: Page, name: string): Promise<void> => {
  await page.getByRole("searchbox", { name: "Search dishes" }).fill(name);
  await page.locator(".new-order-dish").filter({ hasText: name }).click();
};

type TakenOrder = {
  status: string;
  type: string;
  channel: string;
  note: string | null;
  total_minor: string;
  customer_name: string | null;
};
const lastOrder = async (): Promise<(TakenOrder & { id: string; lines: { variant_name: unknown; modifiers: unknown[] }[] }) | undefined> =>
  (
    await server.query<TakenOrder & { id: string; lines: { variant_name: unknown; modifiers: unknown[] }[] }>(
      "select id, status, type, channel, note, total_minor, customer_name, lines from orders order by placed_at desc limit $1",
      [1],
    )
  )[0];
const typesOf = async (text: string): Promise<string[]> =>
  (await server.query<{ type: string }>("select type from events where position($1 in body) > 0 order by type", [text])).map(
    ({ type }) => type,
  );

/** The button says the price that the rules gave; the stored order has the same. */
const placeAndCompare = async (page: Page): Promise<string> => {
  const place = page.getByRole("button", { name: /^Place order ·/ });
  await expect.poll(() => place.isEnabled(), { timeout: 20_000 }).toBe(true);
  const said = (await place.textContent())?.replaceAll(/\D/g, "");
  await place.click();
  await page.getByRole("dialog", { name: "New order" }).waitFor({ state: "hidden" });
  const order = await lastOrder();
  expect(String(order?.total_minor)).toBe(said);
  return order?.id ?? "";
};

job("JO-09", async () => {
  const { page } = staff;
  await openForm(page);
  await page.getByLabel("Phone number").fill("+1 555 7001");
  await page.getByText("New guest").waitFor();
  await page.getByLabel("Name").fill("Grace Hopper");
  await addDish(page, "Sized Salad");
  await page.getByRole("group", { name: "Size" }).getByRole("button").nth(1).click();
  await button(page, "Add to the order").click();
  await addDish(page, "Plain Plate");
  await page.getByLabel("Note for the kitchen").fill("No onions");
  const id = await placeAndCompare(page);
  const order = await lastOrder();
  expect(order).toMatchObject({ status: "placed", type: "pickup", channel: "phone", note: "No onions", customer_name: "Grace Hopper" });
  expect(order?.lines[0]?.variant_name).not.toBeNull();
  await page.locator(".order-card").filter({ hasText: "Grace Hopper" }).waitFor();
  expect(await typesOf(id)).toEqual(["order.created"]);
  expect(await typesOf("Grace Hopper")).toEqual(["guest.created", "order.created"]);
  // The next call: the guest is known by the number, written in another way, and a modifier is chosen.
  await openForm(page);
  await page.getByLabel("Phone number").fill("+1555 70-01");
  await page.getByText("Known guest: Grace Hopper").waitFor();
  await expect.poll(() => page.getByLabel("Name").inputValue()).toBe("Grace Hopper");
  await addDish(page, "Optional Omelette");
  await page.locator(".new-order-choices").first().waitFor();
  const add = button(page, "Add to the order");
  for (const group of await page.locator(".new-order-choices").all()) {
    if (await add.isEnabled()) break;
    for (const choice of await group.locator(".new-order-choice:enabled").all()) {
      if (await add.isEnabled()) break;
      await choice.click();
    }
  }
  await add.click();
  await placeAndCompare(page);
  expect((await lastOrder())?.lines[0]?.modifiers.length).toBeGreaterThan(0);
  expect(await typesOf("Grace Hopper")).toEqual(["guest.created", "order.created", "order.created"]);
});

job("JO-10", async () => {
  const { page } = staff;
  await openForm(page);
  await page.locator(".new-order-types label").filter({ hasText: "Table" }).click();
  await addDish(page, "Plain Plate");
  await page.locator(".new-order-missing").getByText("Choose a table.").waitFor();
  await page.getByRole("combobox", { name: "Table" }).selectOption({ index: 1 });
  await placeAndCompare(page);
  expect(await lastOrder()).toMatchObject({ type: "dine_in", channel: "pos", customer_name: null });
});

job("JO-18", async () => {
  const { page } = staff;
  await page.goto(`/console/v/${slug}/orders`);
  await page.getByRole("heading", { name: "Orders", level: 1 }).waitFor();
  await page.goto("about:blank");
  const token = await server.token(slug);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const items = (await (await fetch(`${server.url}/api/v1/items?per_page=100`, { headers })).json()) as {
    data: { id: number; name: { en: string } }[];
  };
  const item_id = items.data.find(({ name }) => name.en === "Plain Plate")?.id;
  const order = { type: "pickup", customer_name: "Unseen", customer_phone: "+1 555 7009", lines: [{ item_id, quantity: 1 }] };
  const placed = await fetch(`${server.url}/api/v1/orders`, { method: "POST", headers, body: JSON.stringify(order) });
  expect(placed.status).toBe(201);
  const mails = () =>
    server.query<{ recipient: string }>("select recipient from notifications where kind = $1 order by id", ["orders.unseen"]);
  expect(await mails()).toEqual([]);
  // The minute that the order may wait is skipped.
  await server.query("update orders set placed_at = placed_at - interval '1 minute' where customer_name = $1", ["Unseen"]);
  await server.findUnseenOrders();
  expect((await mails()).map(({ recipient }) => recipient)).toContain("manager@example.com");
});
