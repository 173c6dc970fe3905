/** The clock of a sandbox moves, the venue goes by it, and everything else stays on the real one. */
import { setTimeout as sleep } from "node:timers/promises";
import { SANDBOX_DISH_ID } from "@comanda/contract/sandbox/sandbox-ids.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildApp } from "#compose/api.ts";
import { startWorker } from "#compose/worker.ts";
import { faultInjectingPool, type InjectedFault } from "../../../../test/support/fault-injection.ts";
import { startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { beginTiming } from "../../../../test/support/timing-verdict.ts";
import { checksumsOf } from "../../../../test/support/venue-checksums.ts";
import { createSandbox, inSandbox } from "../../../admin/sandbox.ts";
import { resetSandbox } from "../service.ts";

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;

let app: TestApp;
let live: TestVenue;
let sandbox: { restaurant_id: number; token: string };
let plant: InjectedFault = () => null;

beforeAll(async () => {
  app = await startApp({ pool: faultInjectingPool((...sent) => plant(...sent)) });
  app.clock.set("2026-11-20T18:00:00Z");
  live = await app.venue("trattoria");
  sandbox = (await createSandbox(app.deps, live.slug, 1_000_000)) ?? expect.fail("no sandbox");
});
afterAll(() => app.close());

const ask = (method: string, path: string, body?: object, headers = {}) =>
  app.call(sandbox.token, method, path, { ...(body ? { body } : {}), headers });
const move = async (body: object): Promise<{ now: string; ahead_seconds: number }> => {
  const { status, body: answer, text } = await ask("POST", "/sandbox/clock", body);
  expect([status, status === 200 ? "" : text]).toEqual([200, ""]);
  return answer.data;
};
const reset = () => inSandbox(app.deps, live.slug, (ctx) => resetSandbox(ctx, null), { sandboxLock: "exclusive" });
const cart = { type: "pickup", customer_name: "Ada", customer_phone: "+1 555 0100", lines: [{ item_id: SANDBOX_DISH_ID, quantity: 1 }] };
const order = async (headers = {}) => (await ask("POST", "/orders", cart, headers)).body.data;
const aheadSeconds = (moment: string): number => Math.round((Date.parse(moment) - app.clock.now().getTime()) / 1000);

test("it moves forward by a duration or to a moment, and an empty body only reads it", async () => {
  expect(await move({})).toEqual({ now: "2026-11-20T19:00:00+01:00", ahead_seconds: 0 });
  expect(await move({ forward_seconds: HOUR_S })).toEqual({ now: "2026-11-20T20:00:00+01:00", ahead_seconds: HOUR_S });
  expect(await move({ to: "2026-11-21T20:00:00Z" })).toEqual({ now: "2026-11-21T21:00:00+01:00", ahead_seconds: 26 * HOUR_S });
  app.clock.advance(1000);
  expect((await move({})).now).toBe("2026-11-21T21:00:01+01:00");
  for (const [body, field, reason] of [
    [{ to: "2026-11-21T19:59:00Z" }, "to", "past"],
    [{ to: "2026-11-25T19:59:00Z", forward_seconds: 1 }, "to", "not_valid"],
    [{ to: "tomorrow" }, "to", "not_a_date_time"],
    [{ forward_seconds: 0 }, "forward_seconds", "too_low"],
    [{ forward_seconds: 400 * DAY_S }, "forward_seconds", "too_far_ahead"],
    [{ to: "2028-01-01T00:00:00Z" }, "to", "too_far_ahead"],
  ] as const) {
    const refused = await ask("POST", "/sandbox/clock", body, { "service-reasons": "1" });
    expect([body, refused.status, refused.body.error.reasons]).toMatchObject([body, 422, [{ field, reason }]]);
  }
  const key = { "idempotency-key": crypto.randomUUID() };
  const answers = [];
  for (let times = 0; times < 3; times++) answers.push((await ask("POST", "/sandbox/clock", { forward_seconds: 60 }, key)).text);
  expect([new Set(answers).size, (await move({})).ahead_seconds]).toEqual([1, 26 * HOUR_S + 60]);
});

test("orders, sold-out dishes, bookings, cards and reports go by it; another process learns of it with its next request", async () => {
  await reset();
  const second = await buildApp(app.deps);
  const overSecond = async (path: string) =>
    JSON.parse((await second.http.inject({ url: `/api/v1${path}`, headers: { authorization: `Bearer ${sandbox.token}` } })).body);
  const first = await order();
  expect((await overSecond(`/orders/${first.id}`)).data.id).toBe(first.id);
  await ask("POST", "/sandbox/act", { act: "sell_out_item", item_id: SANDBOX_DISH_ID });
  const card = (await ask("POST", "/sandbox/act", { act: "issue_gift_card", amount_minor: 50_000, expires_on: "2026-11-21" })).body.data;
  const booking = { name: "Bo", phone: "+1 555 0101", party_size: 2, date: "2026-11-21", time: "20:00" };
  await move({ forward_seconds: 2 * DAY_S });
  expect((await ask("POST", "/reservations", booking)).status).toBe(422);
  // Its job has not run, because this test has no worker.
  await ask("PUT", `/items/${SANDBOX_DISH_ID}/availability`, { is_available: true });
  const later = await order();
  expect([aheadSeconds(first.placed_at), aheadSeconds(later.placed_at)]).toEqual([0, 2 * DAY_S]);
  const refused = await ask("POST", "/sandbox/act", { act: "pay_order", order_id: later.id, gift_card_code: card.gift_card_code });
  expect(refused.status).toBe(422);
  await ask("POST", "/sandbox/act", { act: "pay_order", order_id: later.id });
  const { data: report } = (await ask("GET", "/reports/sales-summary?from=2026-11-22&to=2026-11-22")).body;
  expect(report).toMatchObject({ orders: 1, revenue_minor: later.total_minor });
  // A program that synchronises by `updated_since` misses nothing: neither what was before the move nor what came after it.
  const since = (moment: string) => `/orders?updated_since=${encodeURIComponent(moment)}`;
  const ids = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id);
  expect(ids((await ask("GET", since(later.updated_at))).body)).toEqual([later.id]);
  expect(ids(await overSecond(since(first.updated_at)))).toEqual(expect.arrayContaining([first.id, later.id]));
  await second.stop();
});

test("a happy hour of the evening is tried at noon", async () => {
  await reset();
  const quoted = async () => {
    const lines = [{ item_id: 111, quantity: 1 }];
    const { body } = await ask("POST", "/orders/quote", { type: "pickup", customer_name: "Ada", customer_phone: "+1 555 0100", lines });
    return [body.data.amounts.subtotal_minor, body.data.happy_hours.map(({ name }: { name: { en: string } }) => name.en)];
  };
  await move({ to: "2026-12-01T12:00:00+01:00" });
  expect(await quoted()).toEqual([350, []]);
  await move({ to: "2026-12-01T17:30:00+01:00" });
  expect(await quoted()).toEqual([280, ["Lemonade hour, a fifth off"]]);
});

test("keys, tokens and deliveries stay on the real clock", async () => {
  const key = { "idempotency-key": crypto.randomUUID() };
  const first = await order(key);
  await move({ forward_seconds: 2 * DAY_S });
  expect((await order(key)).id).toBe(first.id);
  app.clock.advance(DAY_S * 1000 + 1000);
  expect((await order(key)).id).not.toBe(first.id);
  const times = await app.database.asOwner<{ at: Date }>("select max(at) as at from changes where restaurant_id = $1", [
    sandbox.restaurant_id,
  ]);
  expect(times[0]?.at.getTime()).toBe(app.clock.now().getTime());
});

test("planted: a key by the venue's clock is found", async () => {
  const key = { "idempotency-key": crypto.randomUUID() };
  const first = await order(key);
  // The key looks as if it had been stored by a clock that is two days behind the one it is read by.
  await app.database.asOwner("update idempotency_keys set created_at = created_at - interval '2 days' where restaurant_id = $1", [
    sandbox.restaurant_id,
  ]);
  expect((await order(key)).id).not.toBe(first.id);
});

test("a reset takes it back and clears the faults", async () => {
  await move({ forward_seconds: DAY_S });
  expect((await ask("POST", "/sandbox/faults", { fault: "503", count: 3 })).body.data.faults).toHaveLength(1);
  await reset();
  expect((await move({})).ahead_seconds).toBe(0);
  expect((await ask("POST", "/sandbox/faults", {})).body.data.faults).toEqual([]);
  expect((await ask("GET", "/menus")).status).toBe(200);
});

test("the database keeps it: not in a live venue, not backwards, not too far", async () => {
  await move({ forward_seconds: DAY_S });
  const set = (ms: number, id: number) => app.database.asOwner("update restaurants set clock_offset_ms = $1 where id = $2", [ms, id]);
  await expect(set(1, live.id)).rejects.toThrow("restaurants_clock_offset");
  await expect(set(1000, sandbox.restaurant_id)).rejects.toThrow("forward only");
  await expect(set(401 * DAY_S * 1000, sandbox.restaurant_id)).rejects.toThrow("restaurants_clock_offset");
  const fault = "insert into sandbox_faults (restaurant_id, number, fault, duration_ms, expires_at) values ($1, 1, 'slow', 0, now())";
  await expect(app.database.asOwner(fault, [live.id])).rejects.toThrow("sandboxes only");
});

describe("what becomes due", () => {
  const THINGS = process.env.TEST_STRESS ? 500 : 100;
  /** It may take longer beside other tests. */
  const DONE_MS_MAX = process.env.TEST_STRESS ? 3000 : 15_000;
  const ORDERS = THINGS / 10;

  const prepare = async (): Promise<void> => {
    await reset();
    // Jobs are due by the database's clock.
    app.clock.set(new Date().toISOString());
    const today = new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Rome" }).format(app.clock.now());
    const later = new Date(app.clock.now().getTime() + 5 * HOUR_S * 1000).toISOString().replace(/\.\d+Z/, "Z");
    for (let count = 0; count < ORDERS; count++) {
      const { status, text } = await ask("POST", "/orders", { ...cart, scheduled_for: later });
      expect([status, status === 201 ? "" : text]).toEqual([201, ""]);
    }
    for (let count = ORDERS; count < THINGS; count++)
      await ask("POST", "/sandbox/act", { act: "issue_gift_card", amount_minor: 100, expires_on: today });
  };
  const left = async (): Promise<{ jobs: number; active: number }> => {
    const [counts] = await app.database.asOwner<{ jobs: number; active: number }>(
      `select (select count(*)::integer from jobs.job where (data ->> 'restaurant_id')::bigint = $1 and name <> 'reset-sandbox'
                 and state in ('created', 'retry', 'active')) as jobs,
              (select count(*)::integer from gift_cards where restaurant_id = $1 and status = 'active' and expires_on is not null) as active`,
      [sandbox.restaurant_id],
    );
    return counts ?? expect.fail("no counts");
  };
  const settle = async (ms: number): Promise<number> => {
    const startedAt = performance.now();
    while ((await left()).jobs > 0 && performance.now() - startedAt < ms) await sleep(100);
    return performance.now() - startedAt;
  };

  test(`${THINGS} things of a day are done soon after the move, and no live venue changes`, {
    timeout: 240_000,
  }, async (context) => {
    await prepare();
    const before = await checksumsOf(app.database, [live.id]);
    const worker = await startWorker(app.deps);
    // Longer than its queues wait to look again.
    await sleep(1500);
    expect((await left()).jobs).toBe(THINGS);
    const timing = beginTiming(context);
    await move({ forward_seconds: DAY_S });
    const ms = await settle(30_000);
    console.info(`${THINGS} due things were done ${Math.round(ms)} ms after the move`);
    expect((await left()).jobs).toBe(0);
    expect((await left()).active).toBe(0);
    expect(await checksumsOf(app.database, [live.id])).toEqual(before);
    await worker.stop();
    timing.judge(() => expect(ms).toBeLessThan(DONE_MS_MAX));
  });

  test("planted: jobs that are not moved with the clock are found", { timeout: 120_000 }, async () => {
    await reset();
    app.clock.set(new Date().toISOString());
    const today = new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Rome" }).format(app.clock.now());
    await ask("POST", "/sandbox/act", { act: "issue_gift_card", amount_minor: 100, expires_on: today });
    plant = ({ text }) => (/update "jobs"\."job" j set start_after/.test(text) ? { text: "select 1" } : null);
    const worker = await startWorker(app.deps);
    await move({ forward_seconds: DAY_S });
    await settle(2500);
    expect((await left()).active).toBe(1);
    plant = () => null;
    await worker.stop();
  });
});
