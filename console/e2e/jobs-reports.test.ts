/** Reports: each job as the manager, in a real browser, against the real server. Figures are compared with the API and the database. */
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiClient, createApiClient } from "./api-client.ts";
import { LOOKS, openBrowser, openInNewContext } from "./browser.ts";
import { textOf } from "./downloads.ts";
import { job } from "./jobs.ts";
import { type RealServer, startRealServer } from "./real-server.ts";
import { acceptInvitation, button } from "./sign-in.ts";

let server: RealServer;
let browser: Browser;
let page: Page;
let slug: string;
let api: ApiClient;
let venueId: number;
let plate: number;

type Summary = { orders: number; revenue_minor: number; currency: string };

beforeAll(async () => {
  [server, browser] = await Promise.all([startRealServer(), openBrowser()]);
  slug = await server.venue("lab");
  api = createApiClient(server.url, await server.token(slug));
  const [venue] = await server.query<{ id: string }>("select id from restaurants where slug = $1", [slug]);
  venueId = Number(venue?.id);
  const items = (await api("GET", "/items?per_page=100")) as { id: number; name: { en: string } }[];
  const idOf = (name: string): number => items.find((item) => item.name.en === name)?.id ?? 0;
  plate = idOf("Plain Plate");
  for (const [turn, quantity] of [1, 2, 3, 1].entries()) {
    const lines = [{ item_id: plate, quantity }, ...(turn % 2 === 0 ? [{ item_id: idOf("Neon Nachos"), quantity: 1 }] : [])];
    const { id } = (await api("POST", "/orders", { type: "pickup", customer_name: "Ada", customer_phone: `+1 555 01${turn}`, lines })) as {
      id: string;
    };
    for (const status of turn === 3 ? ["cancelled"] : ["accepted", "ready"]) await api("POST", `/orders/${id}/status`, { status });
  }
  const opened = await openInNewContext(browser, server.url, LOOKS.light);
  page = opened.page;
  await acceptInvitation(page, await server.invite(slug, "max@reports.example", "manager", "Max"));
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const summary = async (period = ""): Promise<Summary> => (await api("GET", `/reports/sales-summary${period}`)) as Summary;
const money = ({ revenue_minor, currency }: Summary): string => {
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  return format.format(revenue_minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
};

const openReports = async (): Promise<void> => {
  await page.goto(`/console/v/${slug}/orders`);
  await page.getByRole("link", { name: "Reports" }).click();
  await page.getByRole("heading", { name: "Reports", level: 1 }).waitFor();
};
const section = (name: string): Locator => page.getByRole("region", { name, exact: true });
const showTable = async (name: string): Promise<string[]> => {
  await section(name).getByText("Table", { exact: true }).click();
  return section(name).locator("tbody tr").allInnerTexts();
};
/** Every bar's amount, in the order of the chart. */
const showChart = async (name: string): Promise<string[]> => {
  await section(name).getByText("Chart", { exact: true }).click();
  const said = await section(name)
    .locator("li[title]")
    .evaluateAll((bars) => bars.map((bar) => bar.getAttribute("title") ?? ""));
  return said.map((text) => text.slice(text.lastIndexOf(": ") + 2));
};
const saveFile = async (name: string): Promise<{ fileName: string; lines: string[] }> => {
  const save = section(name).getByRole("button", { name: `Save ${name} as CSV` });
  await save.waitFor();
  const [download] = await Promise.all([page.waitForEvent("download"), save.click()]);
  const text = await textOf(download);
  return { fileName: download.suggestedFilename(), lines: text.trim().split("\r\n") };
};

job("JF-01", async () => {
  await openReports();
  const today = section("Today so far");
  const expected = await summary();
  expect(expected.orders).toBe(3);
  await today
    .getByRole("definition")
    .filter({ hasText: money(expected) })
    .first()
    .waitFor();
  await today.getByText("No day of the last four weeks to compare with.").waitFor();
  // A week ago more was sold until this time, and something after it.
  await server.query(
    `insert into orders (restaurant_id, id, status, type, channel, currency, subtotal_minor, discount_minor, service_charge_minor, tax_added_minor,
       delivery_fee_minor, total_minor, lines, placed_at, updated_at, sold_on)
     select r.id, gen_random_uuid(), 'completed', 'pickup', 'web', r.currency, 7700, 0, 0, 0, 0, 7700, '[]', p.at, p.at, (p.at at time zone r.zone)::date
     from restaurants r, lateral (select ((now() at time zone r.zone - interval '7 days')::date + interval '1 second') at time zone r.zone as at) p
     where r.id = $1`,
    [venueId],
  );
  await server.query(
    `insert into daily_sales (restaurant_id, date, branch_id, orders, revenue_minor)
     select restaurant_id, sold_on, 0, 1, total_minor from orders where restaurant_id = $1 and total_minor = 7700`,
    [venueId],
  );
  await page.reload();
  await today.getByText(`${money({ ...expected, revenue_minor: 7700 })} on a usual`, { exact: false }).waitFor();
  await today.getByText("How it is counted:").waitFor();
  expect(await showTable("Today so far")).toHaveLength(5);
});

job("JF-02", async () => {
  await openReports();
  await button(page, "Today").click();
  const expected = await summary();
  expect((await showTable("By day")).map((text) => text.split("\t").slice(1))).toEqual([[String(expected.orders), money(expected)]]);
  expect(await showTable("By type and channel")).toEqual([`Pickup · Website\t${expected.orders}\t${money(expected)}`]);
  const dishes = await showTable("By dish");
  expect(dishes.find((text) => text.startsWith("Plain Plate"))).toMatch(/^Plain Plate\t6\t/);
  // The figure of a dish opens its orders, by keyboard.
  await section("By dish").getByRole("button", { name: "Show the orders of Plain Plate" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Orders: Plain Plate" });
  await expect.poll(() => dialog.getByRole("listitem").count()).toBe(3);
  expect(await dialog.getByRole("listitem").first().textContent()).toMatch(/3 portions/);
  await page.keyboard.press("Escape");
  // An hour of the map leads to the orders too.
  const hour = section("By weekday and hour").getByRole("button", { name: /3 orders\. Show them/ });
  await hour.first().click();
  await expect.poll(() => page.getByRole("dialog").getByRole("listitem").count()).toBe(3);
  await page.keyboard.press("Escape");
  for (const name of ["By day", "By weekday and hour", "By type and channel", "By dish", "Payments by method"])
    await section(name).getByText("How it is counted:").waitFor();
  // Any period, by its dates.
  await page.getByLabel("From", { exact: true }).fill("2020-01-01");
  await page.getByLabel("To", { exact: true }).fill("2020-12-31");
  await section("By day").getByText("Nothing in this period.").waitFor();
});

test.each([
  ["JPY", 0],
  ["EUR", 2],
  ["KWD", 3],
])("JF-02 in %s each chart says what its table, its file and the API say", async (currency, digits) => {
  const [venue] = await server.query<{ currency: string }>("select currency from restaurants where id = $1", [venueId]);
  await server.query("update restaurants set currency = $2 where id = $1", [venueId, currency]);
  await openReports();
  await button(page, "Today").click();
  const { revenue_minor, ...rest } = await summary();
  expect([rest.currency, revenue_minor > 100]).toEqual([currency, true]);
  for (const name of ["By day", "By type and channel", "By dish"]) {
    const chart = await showChart(name);
    const table = (await showTable(name)).map((text) => text.split("\t")[2]);
    const file = (await saveFile(name)).lines.slice(1).map((line) => Math.round(Number(line.split(",").at(-1)) * 10 ** digits));
    expect(chart, name).toEqual(table);
    expect(table, name).toEqual(file.map((amount) => money({ ...rest, revenue_minor: amount })));
    // No discount, charge or tax: the dishes add up to the orders.
    expect(
      file.reduce((sum, amount) => sum + amount, 0),
      name,
    ).toBe(revenue_minor);
  }
  await server.query("update restaurants set currency = $2 where id = $1", [venueId, venue?.currency]);
});

job("JF-03", async () => {
  await server.query("update items set name = jsonb_build_object('en', '=1+1, \"Plate\"') where id = $1", [plate]);
  await openReports();
  await button(page, "Today").click();
  const { fileName, lines } = await saveFile("By dish");
  expect(fileName).toMatch(/^dishes-\d{4}-\d{2}-\d{2}-\d{4}-\d{2}-\d{2}\.csv$/);
  expect(lines[0]).toMatch(/^\uFEFF?"Dish","Portions","Revenue \([A-Z]{3}\)"$/);
  const shown = await showTable("By dish");
  const amount = Number(
    shown
      .find((row) => row.includes("Plate"))
      ?.split("\t")[2]
      ?.replaceAll(/[^\d.]/g, ""),
  );
  expect(amount).toBeGreaterThan(0);
  expect(lines.find((line) => line.includes("Plate"))).toBe(`"'=1+1, ""Plate""",6,${amount}`);
  expect(lines).toHaveLength(shown.length + 1);
});

job("JF-04", async () => {
  await server.query("update tickets set fired_at = done_at - interval '12 minutes' where restaurant_id = $1 and state = 'done'", [
    venueId,
  ]);
  await server.query(
    `insert into reservations (restaurant_id, id, status, name, phone, party_size, date, time, starts_at, ends_at, branch_id, created_at, updated_at)
     select r.id, gen_random_uuid(), b.status, 'Ada', '+1', b.party, (now() at time zone r.zone)::date, '19:00', now(), now() + interval '1 hour',
       (select min(id) from branches where restaurant_id = r.id), now(), now()
     from restaurants r, (values ('seated', 4), ('seated', 2), ('no_show', 3), ('cancelled', 5)) b (status, party) where r.id = $1`,
    [venueId],
  );
  await openReports();
  await button(page, "Today").click();
  expect((await showTable("Kitchen times"))[0]).toMatch(/^All stations\t\d+\t12 min\t12 min$/);
  expect((await showTable("Covers and no-shows")).map((text) => text.split("\t").slice(1))).toEqual([["3", "6", "0", "1"]]);
  await section("Covers and no-shows").getByText("1 (33.3%)").waitFor();
  await section("Kitchen times").getByText("How it is counted:").waitFor();
});
