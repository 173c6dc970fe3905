/** Figures of the console's reports against a second, slow implementation that adds up orders and payments one by one. */
import { REPORT_KINDS, type ReportKind } from "@comanda/contract/console/reports.ts";
import fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { afterAll, beforeAll, expect, test } from "vitest";
import { countEarlierSales } from "#compose/earlier-sales.ts";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { random, SEED } from "../../../../test/support/seeded-random.ts";
import { readSlowHistory, type SlowHistory, slowSums, sumFaults } from "../../../../test/support/slow-sales.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { recordPayment, refundPayment } from "../../orders/payments/service.ts";
import { findOrderForChange, moveOrder, placeOrder, strikeLine } from "../../orders/service.ts";
import { listDifferences, listMonthDifferences } from "../service.ts";
import { wholeMonths } from "./rules.ts";
import { readFigureOrders, readSales, readToday } from "./service.ts";

const PERIODS = Number(process.env.TEST_PERIODS ?? (process.env.TEST_STRESS ? 2000 : 20));
const ORDERS = Number(process.env.TEST_ORDERS ?? (process.env.TEST_STRESS ? 1500 : 96));
const FIRST_DAY = Date.parse("2025-10-20T00:00:00Z");
const DAYS = 400;
const HOUR_MS = 3_600_000;
/** The nights on which the clock of Rome changes. */
const CLOCK_CHANGES = ["2025-10-26T00:00:00Z", "2026-03-29T00:00:00Z", "2026-10-25T00:00:00Z"].map((at) => Date.parse(at));

let app: TestApp;
let rome: TestVenue;
let manager: TestUser;
let history: SlowHistory;
const counted = { struck: 0, cancelled: 0, refunded: 0, atClockChange: 0 };

beforeAll(async () => {
  app = await startApp();
  rome = await app.venue("trattoria", (file) => {
    for (const branch of file.branches) Object.assign(branch, { hours: null, closing_days: [] });
    for (const menu of file.menus) {
      Object.assign(menu, { hours: null, is_active: true });
      for (const category of menu.categories) Object.assign(category, { hours: null, is_active: true });
    }
  });
  app.clock.set(new Date().toISOString());
  manager = await createUser(app, rome.slug, "manager", "max@rome.example");
  await makeHistory();
  history = await readSlowHistory(app.database, rome.id);
}, 600_000);
afterAll(() => app.close());

const below = random(SEED);
const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;

/** Any minute of the days, many of them in the hours around midnight, 05:00 and a change of the clock. */
const someMoment = (index: number): number => {
  if (index % 8 === 0) return pick(CLOCK_CHANGES) + below(4 * HOUR_MS);
  const day = FIRST_DAY + Math.floor((index * DAYS) / ORDERS) * 24 * HOUR_MS;
  return day + (index % 3 === 0 ? pick([2, 3, 4, 21, 22, 23]) * HOUR_MS + below(HOUR_MS) : below(24 * HOUR_MS));
};

const inRome = <T>(work: Parameters<typeof forVenue<T>>[2]): Promise<T> => forVenue(app.deps, rome.slug, work);

/** Everything that changes what is counted, through the services. */
const makeHistory = async (): Promise<void> => {
  const { body } = await app.call(rome.token, "GET", "/items?per_page=100&available=true");
  const dishes = body.data.filter(
    (item: { price_minor: number | null; modifier_groups: unknown[]; show_online: boolean }) =>
      item.price_minor && item.show_online && item.modifier_groups.length === 0,
  );
  const tables = await app.database.asOwner<{ code: string }>(
    "select code from dining_tables where restaurant_id = $1 and is_active and code is not null",
    [rome.id],
  );
  for (let index = 0; index < ORDERS; index++) {
    const at = someMoment(index);
    if (index % 8 === 0) counted.atClockChange++;
    app.clock.set(new Date(at).toISOString());
    const isInside = index % 3 === 0;
    const order = await inRome((ctx) =>
      placeOrder(ctx, {
        type: isInside ? "dine_in" : "pickup",
        channel: pick(["web", "phone", "whatsapp"] as const),
        ...(isInside ? { table_code: pick(tables).code } : {}),
        customer_name: "Ada",
        customer_phone: String(index),
        lines: Array.from({ length: 1 + below(3) }, () => ({ item_id: pick<{ id: number }>(dishes).id, quantity: 1 + below(4) })),
      }),
    );
    app.clock.advance(below(8 * HOUR_MS));
    await changeSome(order.id, index);
  }
};

const changeSome = async (id: string, index: number): Promise<void> => {
  if (index % 2 === 0) await inRome(async (ctx) => moveOrder(ctx, await findOrderForChange(ctx, id), { status: "accepted" }));
  if (index % 3 === 1)
    await inRome(async (ctx) => {
      const order = await findOrderForChange(ctx, id);
      const [line] = order.lines;
      if (order.lines.length < 2 || !line) return;
      counted.struck++;
      await strikeLine(ctx, order, { line, reason: "not today" });
    });
  if (index % 5 < 3) {
    const { id: payment } = await inRome((ctx) =>
      recordPayment(ctx, id, { method: pick(["cash", "card_terminal", "online"] as const), amount_minor: 500 }),
    );
    app.clock.advance(below(30 * HOUR_MS));
    if (index % 5 === 0) {
      counted.refunded++;
      await inRome((ctx) => refundPayment(ctx, payment, { amount_minor: 1 + below(500), reason: "Cold soup" }));
    }
  }
  if (index % 7 === 0) {
    counted.cancelled++;
    await inRome(async (ctx) =>
      moveOrder(ctx, await findOrderForChange(ctx, id), { status: index % 2 === 0 ? "cancelled" : "rejected", reason: "closed" }),
    );
  }
};

const faultsOf = async (by: ReportKind, from: string, to: string, branch: number | undefined): Promise<string[]> => {
  const { rows } = await inRome((ctx) => readSales(ctx, { by, from, to, ...(branch === undefined ? {} : { branch }) }));
  return sumFaults(rows, slowSums(history, by, { from, to, branch })).map((fault) => `${by} ${from} ${to} ${branch}: ${fault}`);
};

const WHOLE = { from: "2025-10-15", to: "2026-10-15" };

test(`JF-02 ${PERIODS} random periods by every kind come to what orders, lines and payments come to`, { timeout: 900_000 }, async () => {
  for (const count of Object.values(counted)) expect(count).toBeGreaterThan(3);
  const branches = [...new Set(history.orders.map(({ branch }) => branch))];
  expect(branches.length).toBeGreaterThan(1);
  const period = fc.tuple(fc.nat(420), fc.nat(365), fc.option(fc.constantFrom(...branches), { nil: undefined }));
  const faults: string[] = [];
  for (const [first, length, branch] of fc.sample(period, { numRuns: PERIODS, seed: SEED })) {
    const start = Temporal.PlainDate.from("2025-10-10").add({ days: first });
    for (const by of REPORT_KINDS) faults.push(...(await faultsOf(by, start.toString(), start.add({ days: length }).toString(), branch)));
  }
  console.info(
    `${PERIODS} periods × ${REPORT_KINDS.length} kinds over ${history.orders.length} counted orders, seed ${SEED}: ${faults.length} differences`,
  );
  expect(faults.slice(0, 5)).toEqual([]);
});

test("figures by day are those of the API's sales summary", async () => {
  const { rows } = await inRome((ctx) => readSales(ctx, { by: "day", ...WHOLE }));
  const { body } = await app.call(rome.token, "GET", `/reports/sales-summary?from=${WHOLE.from}&to=${WHOLE.to}`);
  expect(body.data).toMatchObject({
    orders: rows.reduce((sum, { count }) => sum + count, 0),
    revenue_minor: rows.reduce((sum, { amount_minor }) => sum + amount_minor, 0),
  });
});

test("the operator's check finds nothing, and finds what was changed past the service", async () => {
  const check = () =>
    inRome(async (ctx) => [...(await listDifferences(ctx, "2025-10-01", "2026-12-31")), ...(await listMonthDifferences(ctx))]);
  expect(await check()).toEqual([]);
  await app.database.asOwner(
    "update sales_rollups set count = count + 1 where restaurant_id = $1 and kind = 'hour' and date = (select min(date) from sales_rollups where kind = 'hour')",
    [rome.id],
  );
  expect((await check()).map(({ kind, count }) => ({ kind, count }))).toContainEqual({ kind: "hour", count: -1 });
});

test("sales from before the sums are counted by the worker, while others are being added", async () => {
  await app.database.asOwner("delete from sales_rollups where restaurant_id = $1", [rome.id]);
  await app.database.asOwner("insert into sales_backfills (restaurant_id, rounds_left, before, due_at) select $1, 1, $2, '2020-01-01'", [
    rome.id,
    "2027-01-01",
  ]);
  await countEarlierSales(app.deps);
  expect(await app.database.asOwner("select from sales_backfills where restaurant_id = $1", [rome.id])).toHaveLength(0);
  const faults = await Promise.all(REPORT_KINDS.map((by) => faultsOf(by, WHOLE.from, WHOLE.to, undefined)));
  expect(faults.flat().slice(0, 5)).toEqual([]);
  expect(await inRome(listMonthDifferences)).toEqual([]);
});

/** All pages of the list behind one figure. */
const allBehind = async (by: ReportKind, key?: string) => {
  const rows = [];
  for (let before: string | undefined, page = 0; page < 100; page++) {
    const wanted = { by, ...WHOLE, ...(key === undefined ? {} : { key }), ...(before === undefined ? {} : { before }) };
    const answer = await inRome((ctx) => readFigureOrders(ctx, wanted));
    rows.push(...answer.rows);
    if (answer.next === null) return rows;
    before = answer.next;
  }
  return rows;
};

test("JF-02 the orders behind a figure come to the figure, page by page", async () => {
  for (const by of REPORT_KINDS) {
    const { rows } = await inRome((ctx) => readSales(ctx, { by, ...WHOLE }));
    for (const row of [rows[0], rows.at(-1)].filter((one) => one !== undefined)) {
      const orders = await allBehind(by, row.key);
      expect(
        orders.reduce((sum, { part_minor }) => sum + part_minor, 0),
        `${by} ${row.key}`,
      ).toBe(row.amount_minor);
      const count = by === "dish" ? orders.reduce((sum, { portions }) => sum + (portions ?? 0), 0) : orders.length;
      expect(count, `${by} ${row.key}`).toBe(row.count);
    }
  }
  const all = await allBehind("day");
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  expect(all.length).toBe(history.orders.filter(({ at }) => at < "2026-10-15T22:00:00Z").length);
});

test("JF-01 today until now, and the same weekday until the same time on the clock, also across a change of the clock", async () => {
  // Rome is two hours ahead of UTC since 29 March, and one hour before.
  app.clock.set("2026-04-03T10:30:00Z");
  const today = await inRome((ctx) => readToday(ctx, null));
  expect(today.weeks.map(({ date }) => date)).toEqual(["2026-03-27", "2026-03-20", "2026-03-13", "2026-03-06"]);
  const zone = "Europe/Rome";
  for (const day of [today.today, ...today.weeks]) {
    const until = Temporal.ZonedDateTime.from(`${day.date}T12:30[${zone}]`).epochMilliseconds;
    const from = Temporal.ZonedDateTime.from(`${day.date}T00:00[${zone}]`).epochMilliseconds;
    const sold = history.orders.filter(({ at }) => Date.parse(at) >= from && Date.parse(at) < until);
    expect({ orders: day.orders, revenue_minor: day.revenue_minor }, day.date).toEqual({
      orders: sold.length,
      revenue_minor: sold.reduce((sum, { total }) => sum + total, 0),
    });
  }
});

test("422 for a reversed period, 367 days or another list's position; nothing behind a key that no figure has", async () => {
  app.clock.set(new Date().toISOString());
  const ask = (path: string) => manager.call("GET", `/venues/${rome.slug}/reports/${path}`);
  expect((await ask("sales?by=day&from=2026-02-02&to=2026-02-01")).status).toBe(422);
  expect((await ask("sales?by=day&from=2025-01-01&to=2026-01-02")).status).toBe(422);
  expect((await ask("sales?by=day&from=2025-01-01&to=2026-01-01")).status).toBe(200);
  expect((await ask("sales?by=table&from=2026-01-01&to=2026-01-01")).status).toBe(422);
  expect((await ask("orders?by=day&from=2026-01-01&to=2026-01-01&before=abc")).status).toBe(422);
  const behind = await ask("orders?by=dish&key=others&from=2026-01-01&to=2026-01-31");
  expect(behind.body.data.rows).toEqual([]);
});

test("whole months of a period", () => {
  expect(wholeMonths({ from: "2026-01-02", to: "2026-01-31" })).toBeNull();
  expect(wholeMonths({ from: "2026-01-01", to: "2026-01-31" })).toEqual({ first: "2026-01-01", last: "2026-01-01", until: "2026-02-01" });
  expect(wholeMonths({ from: "2025-11-15", to: "2026-11-15" })).toEqual({ first: "2025-12-01", last: "2026-10-01", until: "2026-11-01" });
  expect(wholeMonths({ from: "2025-12-31", to: "2026-01-30" })).toBeNull();
});
