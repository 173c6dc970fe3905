/** The bill of a table: staff take payments in parts, move it and merge it, in a real browser, against the real server. */
import type { Order } from "@comanda/contract/venue/orders.ts";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { LOOKS, type OpenedPage, openBrowser, openInNewContext } from "./browser.ts";
import { job } from "./jobs.ts";
import { type RealProcesses, startRealProcesses } from "./real-processes.ts";
import { acceptInvitation } from "./sign-in.ts";

let server: RealProcesses;
let browser: Browser;
let slug: string;
let token: string;
let itemId: number;
let staff: OpenedPage;
let tables: { id: number; name: string; code: string }[];

const api = async <T>(method: string, path: string, body?: object): Promise<T> => {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const answer = await fetch(`${server.url}/api/v1${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  expect(answer.ok, `${method} ${path}: ${answer.status}`).toBe(true);
  return ((await answer.json()) as { data: T }).data;
};

beforeAll(async () => {
  [server, browser] = await Promise.all([startRealProcesses(), openBrowser()]);
  slug = await server.venue("lab");
  token = await server.token(slug);
  const items = await api<{ id: number; name: { en: string } }[]>("GET", "/items?per_page=100");
  itemId = items.find(({ name }) => name.en === "Plain Plate")?.id ?? 0;
  // Three tables of one branch, because a bill stays in its own.
  await server.query("update dining_tables set is_active = true where restaurant_id = (select id from restaurants where slug = $1)", [
    slug,
  ]);
  tables = await server.query(
    `select t.id, t.name, t.code from dining_tables t join restaurants r on r.id = t.restaurant_id and r.slug = $1
     where t.branch_id = (select min(branch_id) from dining_tables where restaurant_id = r.id)
       and t.code is not null and t.is_active and t.deleted_at is null order by t.id`,
    [slug],
  );
  staff = await openInNewContext(browser, server.url, LOOKS.light);
  await acceptInvitation(staff.page, await server.invite(slug, "sam@bills.example", "staff", "Sam"));
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const codeOf = (place: number): string => tables[place]?.code ?? "";
const orderAt = (place: number, name: string): Promise<Order> => {
  const lines = [
    { item_id: itemId, quantity: 1 },
    { item_id: itemId, quantity: 2 },
  ];
  return api("POST", "/orders", { type: "dine_in", table_code: codeOf(place), customer_name: name, customer_phone: "+1 555 0100", lines });
};
const isPaid = async ({ id }: Order): Promise<boolean> => (await api<Order>("GET", `/orders/${id}`)).paid_at !== null;

const openBillOf = async (page: Page, { id }: Order): Promise<void> => {
  await page.goto(`/console/v/${slug}/orders`);
  const { number } = (await server.query<{ number: number }>("select number from orders where id = $1", [id]))[0] ?? { number: 0 };
  await page
    .locator(".order-card")
    .filter({ hasText: `#${number}` })
    .locator(".order-open")
    .click();
  await page.getByRole("button", { name: "Bill of the table" }).click();
  await page.locator(".bill-sums").waitFor();
};
const pay = async (page: Page, way: string, method = "Cash", fill: () => Promise<void> = async () => undefined): Promise<void> => {
  await page.getByRole("button", { name: "Take payment", exact: true }).click();
  const dialog = page.getByRole("dialog").filter({ has: page.locator(".bill-methods") });
  await dialog.getByText(way, { exact: true }).click();
  await fill();
  await dialog.locator(".bill-method").filter({ hasText: method }).click();
  await dialog.waitFor({ state: "detached" });
};

job("JV-03", async () => {
  const { page } = staff;
  const orders = [await orderAt(0, "Ada"), await orderAt(0, "Bea")];
  const [first, second] = orders;
  if (!first || !second) throw new Error("No orders");
  await openBillOf(page, second);
  await pay(page, "By dish", "Card", async () => {
    await page.locator(".bill-choice [type=checkbox]").first().click();
  });
  expect(await isPaid(first)).toBe(false);
  await pay(page, "Equal parts", "Cash", async () => {
    await page.getByLabel("Tip").fill("2");
    await page.getByLabel("Cash handed over").fill("500");
    await page.locator(".bill-change").filter({ hasText: "Give back" }).waitFor();
  });
  await expect.poll(() => isPaid(first)).toBe(true);
  expect(await isPaid(second)).toBe(false);
  await pay(page, "An amount", "Other", async () => {
    await page.getByLabel("Amount", { exact: true }).fill("1");
  });
  await pay(page, "Everything");
  await expect.poll(() => isPaid(second)).toBe(true);
  const [sums] = await server.query<{ paid: string; tips: string }>(
    `select (select sum(amount_minor) from payments where order_id = any($1::uuid[])) as paid, sum(tip_minor) as tips from bill_payments`,
    [orders.map(({ id }) => id)],
  );
  expect([Number(sums?.paid), Number(sums?.tips)]).toEqual([first.total_minor + second.total_minor, 200]);
  const paidEvents = await server.query<{ count: string }>("select count(*) from events where type = 'order.paid'");
  expect(Number(paidEvents[0]?.count)).toBe(2);
  // The bill ends with its last order, and the table is free.
  for (const { id } of orders)
    for (const status of ["accepted", "ready", "completed"]) await api("POST", `/orders/${id}/status`, { status });
});

job("JV-02", async () => {
  const { page } = staff;
  const [free] = await server.query<{ code: string }>(
    "select code from dining_tables t where t.id = $1 and not exists (select from bill_tables b where b.table_id = t.id)",
    [tables[0]?.id],
  );
  expect(free?.code).toBe(codeOf(0));
  const [moved, other] = [await orderAt(1, "Cleo"), await orderAt(2, "Dan")];
  await openBillOf(page, moved);
  await page.getByRole("button", { name: "Move to another table" }).click();
  await page.getByLabel("To", { exact: true }).selectOption({ label: tables[0]?.name ?? "" });
  await page.getByRole("button", { name: "Move", exact: true }).click();
  await expect.poll(async () => (await api<Order>("GET", `/orders/${moved.id}`)).table?.code).toBe(codeOf(0));
  await page.getByRole("button", { name: "Merge with another bill" }).click();
  await page
    .locator(".bill-other")
    .filter({ hasText: tables[2]?.name ?? "" })
    .click();
  await expect
    .poll(async () => (await server.query("select distinct bill_id from orders where id = any($1::uuid[])", [[moved.id, other.id]])).length)
    .toBe(1);
  await page.getByRole("dialog").getByText(`${tables[0]?.name} + ${tables[2]?.name}`).first().waitFor();
});
