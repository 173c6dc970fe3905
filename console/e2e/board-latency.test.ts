/**
 * Orders over the API appear on every open board: five tabs of three people over two processes, one in Arabic. The short form waits
 * until all were seen; `TEST_STRESS=1 npm run e2e -- board-latency` places 1,000 orders at ten a second and judges the times as well.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LOOKS, openBrowser, openInNewContext, openPage } from "./browser.ts";
import { type RealProcesses, startRealProcesses } from "./real-processes.ts";
import { acceptInvitation, callFrom } from "./sign-in.ts";

const ORDERS = process.env.TEST_STRESS ? 1000 : 8;
const PER_SECOND = process.env.TEST_STRESS ? 10 : 5;
/** In the long form an order is closed this long after it was placed, so that the board stays as long as a real one. */
const OPEN_MS = 6000;

let server: RealProcesses;
let browser: Browser;
let slug: string;
let token: string;
const tabs: Page[] = [];

/** Writes down when each card was first on the page. */
const watchCards = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const seen: Record<string, number> = {};
    (window as unknown as { seenCards: typeof seen }).seenCards = seen;
    const look = (): void => {
      for (const { id } of document.querySelectorAll(".order-card")) seen[id] ??= Date.now();
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
    look();
  });

beforeAll(async () => {
  [server, browser] = await Promise.all([startRealProcesses(), openBrowser()]);
  await server.addProcess();
  slug = await server.venue("lab");
  token = await server.token(slug);
  for (const [name, look, pages] of [
    ["Ann", LOOKS.light, 2],
    ["Ben", LOOKS.dark, 2],
    ["Aya", LOOKS.arabic, 1],
  ] as const) {
    const { page, context } = await openInNewContext(browser, server.url);
    await acceptInvitation(page, await server.invite(slug, `${name.toLowerCase()}@latency.example`, "staff", name));
    if (look.language === "ar") await callFrom(page, "PATCH", "/person", { locale: "ar" });
    tabs.push(page);
    for (let extra = 1; extra < pages; extra++) tabs.push((await openPage(context, server.url)).page);
  }
  for (const page of tabs) {
    await page.goto(`/console/v/${slug}/orders`);
    await page.locator("h1").waitFor();
    await watchCards(page);
  }
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const api = async (path: string, body: object): Promise<{ id: string }> => {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const answer = await fetch(`${server.url}/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  expect(answer.ok, `${path}: ${answer.status}`).toBe(true);
  return ((await answer.json()) as { data: { id: string } }).data;
};

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;

test(`${ORDERS} orders at ${PER_SECOND} a second are seen in each of five tabs`, { timeout: ORDERS * 1000 + 300_000 }, async () => {
  const menu = await fetch(`${server.url}/api/v1/items?per_page=100`, { headers: { authorization: `Bearer ${token}` } });
  const { data } = (await menu.json()) as { data: { id: number; name: { en: string } }[] };
  const itemId = data.find(({ name }) => name.en === "Plain Plate")?.id;
  const answeredAt = new Map<string, number>();
  const placeAndClose = async (number: number): Promise<void> => {
    const guest = { customer_name: `Guest ${number}`, customer_phone: `+1 555 ${String(number).padStart(4, "0")}` };
    const { id } = await api("/orders", { type: "pickup", ...guest, lines: [{ item_id: itemId, quantity: 1 }] });
    answeredAt.set(id, Date.now());
    if (!process.env.TEST_STRESS) return;
    await sleep(OPEN_MS);
    await api(`/orders/${id}/status`, { status: "cancelled" });
  };
  const running: Promise<void>[] = [];
  for (let number = 0; number < ORDERS; number++) {
    running.push(placeAndClose(number));
    await sleep(1000 / PER_SECOND);
  }
  await Promise.all(running);
  const readSeen = () =>
    Promise.all(tabs.map((page) => page.evaluate(() => (window as unknown as { seenCards: Record<string, number> }).seenCards)));
  const missingOf = (seen: Record<string, number>[]): number[] =>
    seen.map((cards) => [...answeredAt.keys()].filter((id) => cards[`order-${id}`] === undefined).length);
  if (!process.env.TEST_STRESS) await expect.poll(async () => missingOf(await readSeen())).toEqual(tabs.map(() => 0));
  const seen = await readSeen();
  const missing = missingOf(seen);
  const delays = seen.flatMap((cards) => [...answeredAt].map(([id, at]) => (cards[`order-${id}`] ?? Number.POSITIVE_INFINITY) - at));
  const [p50, p95, max] = [0.5, 0.95, 1].map((share) => percentile(delays, share));
  console.info(`board: ${ORDERS} orders × ${tabs.length} tabs: median ${p50} ms, p95 ${p95} ms, slowest ${max} ms, missing ${missing}`);
  expect(missing).toEqual(tabs.map(() => 0));
  if (!process.env.TEST_STRESS) return;
  expect(p95).toBeLessThan(1000);
  expect(max).toBeLessThan(3000);
});
