/**
 * The kitchen's jobs: on paired screens, in a real browser, against the real server with its worker.
 *
 * @long: it is among the longest.
 */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { type OpenedPage, openBrowser } from "./browser.ts";
import { job } from "./jobs.ts";
import { pairScreen } from "./pair-screen.ts";
import { type RealServer, startRealServer } from "./real-server.ts";
import { button, signInByInvitation } from "./sign-in.ts";

let server: RealServer;
let browser: Browser;
let slug: string;
let token: string;
let manager: OpenedPage;
let pass: OpenedPage;
let dishes: { id: number; name: string; categoryId: number }[];

beforeAll(async () => {
  [server, browser] = await Promise.all([startRealServer(), openBrowser()]);
  slug = await server.venue("lab");
  // Each category has a station of its own, and everything is always served.
  await server.query("update categories set station = 'Station ' || (id / 1024)::text, hours = null", []);
  await server.query("update menus set hours = null", []);
  token = await server.token(slug);
  const { data } = await api<{ data: ApiDish[] }>("GET", "/items?per_page=100&available=true");
  dishes = data
    .filter(({ price_minor, variants, modifier_groups }) => price_minor !== null && variants.length === 0 && modifier_groups.length === 0)
    .map(({ id, name, category_id }) => ({ id, name: name.en, categoryId: category_id }));
  manager = await signInByInvitation(browser, server, await server.invite(slug, "max@lab.example", "manager", "Max"));
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

type ApiDish = {
  id: number;
  category_id: number;
  name: { en: string };
  price_minor: number | null;
  variants: unknown[];
  modifier_groups: unknown[];
};

const api = async <T>(method: string, path: string, body?: object): Promise<T> => {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const answer = await fetch(`${server.url}/api/v1${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  expect(answer.ok, `${method} ${path}: ${answer.status}`).toBe(true);
  return (await answer.json()) as T;
};

type FiredOrder = { id: string; number: number };

/** Accepted: the kitchen has it. */
const fire = async (ids: readonly number[], note: string | null = null): Promise<FiredOrder> => {
  const lines = ids.map((item_id) => ({ item_id, quantity: 2 }));
  const guest = { type: "pickup", customer_name: "Ada", customer_phone: "+1 555 0100", note };
  const { data } = await api<{ data: { id: string } }>("POST", "/orders", { ...guest, lines });
  await api("POST", `/orders/${data.id}/status`, { status: "accepted" });
  const [row] = await server.query<{ number: number }>("select number from orders where id = $1", [data.id]);
  return { id: data.id, number: row?.number ?? 0 };
};
const statusOf = async (id: string): Promise<string> => (await api<{ data: { status: string } }>("GET", `/orders/${id}`)).data.status;
const dish = (index: number) => dishes[index] ?? { id: 0, name: "", categoryId: 0 };
/** A dish of another station than the first. */
const otherDish = () => dishes.find(({ categoryId }) => categoryId !== dish(0).categoryId) ?? dish(1);

const ticketOn = (page: Page, { number }: FiredOrder) => page.getByRole("article", { name: `Ticket #${number},` });
const bumpOf = (page: Page, { number }: FiredOrder) => page.getByRole("button", { name: new RegExp(`^Bump #${number}\\b`) });
const gone = (page: Page, order: FiredOrder) => ticketOn(page, order).waitFor({ state: "detached" });
const statesOf = async ({ id }: FiredOrder): Promise<string[]> =>
  (await server.query<{ state: string }>("select state from tickets where order_id = $1 order by id", [id])).map(({ state }) => state);

const pair = (name: string, stations: readonly string[] = []): Promise<OpenedPage> =>
  pairScreen({ browser, server, slug, manager: manager.page }, name, stations);

job("JK-01", async () => {
  pass = await pair("Pass");
  const [screen] = await server.query("select name, purpose, language, stations from screens", []);
  expect(screen).toEqual({ name: "Pass", purpose: "kitchen", language: "en", stations: [] });
});

job("JK-02", async () => {
  const [station] = await server.query<{ station: string }>(
    "select c.station from items i join categories c on c.restaurant_id = i.restaurant_id and c.id = i.category_id where i.id = $1",
    [dish(0).id],
  );
  const grill = await pair("Grill", [station?.station ?? ""]);
  const [first, second, elsewhere] = [await fire([dish(0).id]), await fire([dish(0).id]), await fire([otherDish().id])];
  await ticketOn(grill.page, first)
    .getByText(/^\d+ min/)
    .waitFor();
  await ticketOn(grill.page, second).waitFor();
  const shown = await grill.page.locator(".kd-ticket").allTextContents();
  expect(shown.findIndex((text) => text.includes(`#${first.number}`))).toBeLessThan(
    shown.findIndex((text) => text.includes(`#${second.number}`)),
  );
  await ticketOn(pass.page, elsewhere).waitFor();
  expect(await ticketOn(grill.page, elsewhere).count()).toBe(0);
  for (const order of [first, second, elsewhere]) {
    await bumpOf(pass.page, order).click();
    await gone(pass.page, order);
  }
  await gone(grill.page, first);
  await grill.context.close();
});

job("JK-03", async () => {
  const order = await fire([dish(0).id]);
  const line = ticketOn(pass.page, order).getByRole("button", { name: new RegExp(dish(0).name) });
  await line.click();
  await ticketOn(pass.page, order)
    .getByRole("button", { name: new RegExp(dish(0).name), pressed: true })
    .waitFor();
  await expect
    .poll(async () => (await server.query("select lines -> 0 ->> 'done' as done from tickets where order_id = $1", [order.id]))[0])
    .toEqual({ done: "true" });
  await pass.page.keyboard.press("1");
  await gone(pass.page, order);
  await expect.poll(() => statesOf(order)).toEqual(["done"]);
});

job("JK-04", async () => {
  const order = await fire([dish(0).id]);
  await bumpOf(pass.page, order).click();
  await expect.poll(() => statesOf(order)).toEqual(["done"]);
  await pass.page.keyboard.press("Backspace");
  await ticketOn(pass.page, order).waitFor();
  await expect.poll(() => statesOf(order)).toEqual(["fired"]);
  await bumpOf(pass.page, order).click();
  await gone(pass.page, order);
});

job("JK-05", async () => {
  const orders = [await fire([dish(0).id]), await fire([dish(0).id, otherDish().id])];
  for (const order of orders) await ticketOn(pass.page, order).first().waitFor();
  const count = pass.page.getByRole("button", { name: new RegExp(`4.*${dish(0).name}`) });
  await count.click();
  await pass.page.getByRole("button", { name: new RegExp(`4.*${dish(0).name}`), pressed: true }).waitFor();
  expect(await pass.page.locator(".kd-ticket[data-lit]").count()).toBe(2);
  await count.click();
  for (const order of orders)
    while ((await bumpOf(pass.page, order).count()) > 0) {
      await bumpOf(pass.page, order).first().click();
      await pass.page.waitForTimeout(300);
    }
});

job("JK-06", async () => {
  const [struck, cancelled] = [await fire([dish(0).id, dish(0).id]), await fire([dish(0).id])];
  await ticketOn(pass.page, struck).waitFor();
  const [row] = await server.query<{ line: string }>("select lines -> 0 ->> 'id' as line from orders where id = $1", [struck.id]);
  const path = `/console/api/venues/${slug}/orders/${struck.id}/lines/${row?.line}/strike`;
  const status = await manager.page.evaluate(
    async (to) =>
      (
        await fetch(to, {
          method: "POST",
          headers: { "content-type": "application/json", "idempotency-key": crypto.randomUUID() },
          body: JSON.stringify({ seen_status: "accepted", reason: "ordered twice" }),
        })
      ).status,
    path,
  );
  expect(status).toBe(200);
  await ticketOn(pass.page, struck).getByText("struck", { exact: true }).click();
  await expect
    .poll(async () => (await server.query("select lines -> 0 ->> 'acknowledged' as seen from tickets where order_id = $1", [struck.id]))[0])
    .toEqual({ seen: "true" });
  await api("POST", `/orders/${cancelled.id}/status`, { status: "cancelled", reason: "guest left" });
  await ticketOn(pass.page, cancelled).getByRole("button", { name: "Got it", exact: true }).click();
  await gone(pass.page, cancelled);
  await bumpOf(pass.page, struck).click();
  await gone(pass.page, struck);
});

job("JK-07", async () => {
  const order = await fire([dish(2).id]);
  await bumpOf(pass.page, order).click({ delay: 900 });
  await button(pass.page, `Sold out today: ${dish(2).name}`).click();
  await pass.page.getByText(`${dish(2).name} is sold out for today.`).waitFor();
  const { data } = await api<{ data: { is_available: boolean } }>("GET", `/items/${dish(2).id}`);
  expect(data.is_available).toBe(false);
  const [event] = await server.query("select count(*)::int as count from events where type = 'menu.item_updated'", []);
  expect(event).toEqual({ count: 1 });
  await pass.page.waitForTimeout(1000);
  await bumpOf(pass.page, order).click();
  await gone(pass.page, order);
});

job("JK-08", async () => {
  await server.startWorker();
  const order = await fire([dish(0).id, otherDish().id]);
  await expect.poll(() => ticketOn(pass.page, order).count()).toBe(2);
  await bumpOf(pass.page, order).first().click();
  await ticketOn(pass.page, order)
    .getByText(/also at .* ✓/)
    .waitFor();
  await bumpOf(pass.page, order).first().click();
  await gone(pass.page, order);
  const bumpedAt = Date.now();
  expect(await statusOf(order.id)).toBe("accepted");
  await expect.poll(() => statusOf(order.id), { timeout: 60_000, interval: 500 }).toBe("ready");
  expect(Date.now() - bumpedAt).toBeGreaterThan(15_000);
});

job("JK-09", async () => {
  const order = await fire([dish(0).id]);
  await ticketOn(pass.page, order).waitFor();
  await button(pass.page, "Keys").click();
  await pass.page.getByRole("button", { name: /^Bump ticket 1 / }).click();
  await pass.page.keyboard.press("z");
  await pass.page.getByRole("button", { name: /^Bump ticket 1 Z/ }).waitFor();
  await pass.page.keyboard.press("Escape");
  await pass.page.keyboard.press("z");
  await gone(pass.page, order);
});

job("JK-11", async () => {
  const lost = await pair("Lost");
  const order = await fire([dish(0).id]);
  await ticketOn(lost.page, order).waitFor();
  await manager.page.goto(`/console/v/${slug}/screens`);
  await button(manager.page, "End Lost").click();
  const ended = lost.page.getByText("This screen was ended.").waitFor();
  await button(manager.page, "End screen").click();
  const endedAt = Date.now();
  await ended;
  console.info(`kitchen: the ended screen was empty ${Date.now() - endedAt} ms after the tap`);
  expect(Date.now() - endedAt).toBeLessThan(1500);
  expect(await lost.page.locator(".kd-ticket").count()).toBe(0);
  await bumpOf(pass.page, order).click();
  await gone(pass.page, order);
  await lost.context.close();
});

job("JK-10", async () => {
  const orders = [await fire([dish(0).id]), await fire([dish(0).id])];
  for (const order of orders) await ticketOn(pass.page, order).waitFor();
  await pass.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await pass.context.setOffline(true);
  for (const order of orders) {
    await bumpOf(pass.page, order).click();
    await gone(pass.page, order);
  }
  await pass.page.getByText("2 taps will be sent when the connection is back.").waitFor();
  await pass.page.reload();
  // A stream that was open before goes on in this browser.
  await pass.page.getByText(/New tickets do not appear\./).waitFor();
  await pass.page.getByText("2 taps will be sent when the connection is back.").waitFor();
  await pass.context.setOffline(false);
  const backAt = Date.now();
  for (const order of orders) await expect.poll(() => statesOf(order), { timeout: 30_000 }).toEqual(["done"]);
  console.info(`kitchen: both taps were sent ${Date.now() - backAt} ms after the return`);
  const entries = await server.query("select from audit_entries where action = 'ticket.bumped' and subject_id = any($1::text[])", [
    orders.map(({ id }) => id),
  ]);
  expect(entries).toHaveLength(2);
});
