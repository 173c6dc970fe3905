/**
 * Moves are made without a connection, with a reload in the middle, and the service is restarted while they are sent: as many effects, none
 * lost, none doubled. The short form has one round of 24 moves; `TEST_STRESS=1 npm run e2e -- offline-queue` has a hundred of sixty, of which
 * the first is five minutes without a connection, and judges the time as well.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiClient, createApiClient } from "./api-client.ts";
import { LOOKS, openBrowser, openInNewContext } from "./browser.ts";
import { type RealProcesses, startRealProcesses } from "./real-processes.ts";
import { acceptInvitation, signIn } from "./sign-in.ts";

const ROUNDS = Number(process.env.TEST_ROUNDS ?? (process.env.TEST_STRESS ? 100 : 1));
const FIRST_AWAY_MS = process.env.TEST_STRESS ? 300_000 : 0;
const ORDERS = process.env.TEST_STRESS ? 30 : 12;
const STEPS = ["accepted", "ready"] as const;
const MOVES = ORDERS * STEPS.length;
const RETURN_MS_MAX = 5000;

let server: RealProcesses;
let browser: Browser;
let slug: string;
let api: ApiClient;
let itemId: number;
let page: Page;
let context: BrowserContext;
let hasServiceWorker = true;

beforeAll(async () => {
  [server, browser] = await Promise.all([startRealProcesses(), openBrowser()]);
  slug = await server.venue("lab");
  api = createApiClient(server.url, await server.token(slug));
  const items = await api<{ id: number; name: { en: string } }[]>("GET", "/items?per_page=100");
  itemId = items.find(({ name }) => name.en === "Plain Plate")?.id ?? 0;
  ({ page, context } = await openInNewContext(browser, server.url, { ...LOOKS.light, hasServiceWorker }));
  await acceptInvitation(page, await server.invite(slug, "sam@queue.example", "staff", "Sam"));
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

let placed: string[] = [];
/** A board with only these orders, and a page that could be loaded without a connection. */
const placeOrders = async (count: number): Promise<void> => {
  for (const id of placed) await api("POST", `/orders/${id}/status`, { status: "cancelled" });
  placed = [];
  for (let number = 0; number < count; number++) {
    const guest = { customer_name: `Guest ${number}`, customer_phone: `+1 555 ${String(number).padStart(4, "0")}` };
    const { id } = await api<{ id: string }>("POST", "/orders", { type: "pickup", ...guest, lines: [{ item_id: itemId, quantity: 1 }] });
    placed.push(id);
  }
  await page.goto(`/console/v/${slug}/orders`);
  if (hasServiceWorker) await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  for (const id of placed) await page.locator(`#order-${id}`).waitFor();
};

/** Taps the next step of each order. */
const tapNext = async (ids: readonly string[]): Promise<void> => {
  for (const id of ids) await page.locator(`#order-${id} .order-next`).click();
};
const seesWaiting = (count: number): Promise<void> => page.getByText(`${count} changes wait to be sent.`).waitFor();
const allSent = (): Promise<void> => page.getByText(/waits? to be sent\./).waitFor({ state: "hidden" });

type MovedOrder = { id: string; moves: string[]; events: number };
const readEffects = (): Promise<MovedOrder[]> =>
  server.query<MovedOrder>(
    `select o.id, array(select a.after ->> 'status' from audit_entries a where a.subject_id = o.id::text and a.action = 'order.moved' order by a.id) as moves,
       (select count(*)::int from events e where e.type = 'order.status_changed' and position(o.id::text in e.body) > 0) as events
     from orders o where o.id = any($1::uuid[])`,
    [placed],
  );
const countMoves = async (): Promise<number> => (await readEffects()).reduce((sum, { moves }) => sum + moves.length, 0);

const expectOneEffectEach = async (): Promise<void> => {
  const effects = await readEffects();
  expect(effects).toHaveLength(placed.length);
  for (const effect of effects) expect(effect).toEqual({ id: effect.id, moves: [...STEPS], events: STEPS.length });
};

const restartDuringReplay = async (): Promise<void> => {
  for (const from = await countMoves(); (await countMoves()) < from + 5; ) await sleep(20);
  await server.kill();
  await server.addProcess();
};

test(`${ROUNDS} rounds of ${MOVES} moves without a connection`, { timeout: ROUNDS * 120_000 + FIRST_AWAY_MS + 300_000 }, async () => {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await placeOrders(ORDERS);
    await context.setOffline(true);
    await tapNext(placed);
    await seesWaiting(ORDERS);
    await page.reload();
    await seesWaiting(ORDERS);
    await tapNext(placed);
    await seesWaiting(MOVES);
    if (round === 0) await sleep(FIRST_AWAY_MS);
    await context.setOffline(false);
    await restartDuringReplay();
    const backAt = Date.now();
    await allSent();
    times.push(Date.now() - backAt);
    await expectOneEffectEach();
  }
  console.info(`offline queue: ${ROUNDS} × ${MOVES} moves, 0 lost, 0 doubled, last one sent ${Math.max(...times)} ms after the return`);
  if (process.env.TEST_STRESS) expect(Math.max(...times)).toBeLessThan(RETURN_MS_MAX);
});

/** The server works, but its first answer to each move does not arrive. */
const loseFirstAnswers = async (changeKey: (key: string) => string): Promise<void> => {
  const seen = new Set<string>();
  await context.route("**/orders/*/status", async (route) => {
    const headers = route.request().headers();
    const key = headers["idempotency-key"] ?? "";
    const answer = await route.fetch({ headers: { ...headers, "idempotency-key": changeKey(key) } });
    if (seen.has(key)) return route.fulfill({ response: answer });
    seen.add(key);
    return route.abort();
  });
};

/** A route of a test does not see the requests of a page that the service worker controls. */
const openWithoutWorker = async (): Promise<void> => {
  await context.close();
  hasServiceWorker = false;
  ({ page, context } = await openInNewContext(browser, server.url));
  await page.goto(`/console/v/${slug}/orders`);
  await signIn(page, "sam@queue.example");
  await page.getByRole("heading", { name: "Orders", level: 1 }).waitFor();
};

test("every first answer is lost: the repetition has the same key, so each move has one effect", async () => {
  await openWithoutWorker();
  await placeOrders(4);
  await loseFirstAnswers((key) => key);
  await tapNext(placed);
  await page.getByText("Waiting to be sent").first().waitFor();
  await allSent();
  await tapNext(placed);
  await expect.poll(countMoves, { timeout: 30_000 }).toBe(4 * STEPS.length);
  await allSent();
  await expectOneEffectEach();
  expect(await page.getByText(/was faster|changed elsewhere/).count()).toBe(0);
});

test("planted fault: with a new key for each attempt the same loss costs moves", async () => {
  await openWithoutWorker();
  await placeOrders(4);
  await context.setOffline(true);
  await tapNext(placed);
  await seesWaiting(4);
  await tapNext(placed);
  await seesWaiting(4 * STEPS.length);
  await loseFirstAnswers(() => randomUUID());
  await context.setOffline(false);
  await allSent();
  await expect(expectOneEffectEach()).rejects.toThrow(/expected/);
});
