/** Sales figures against a second, slow implementation that adds the orders up one by one. */
import fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { afterAll, beforeAll, expect, test } from "vitest";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../test/support/test-app.ts";
import { findOrderForChange, moveOrder, placeOrder } from "../orders/service.ts";
import { decidePeriod, percentChange, withAverage } from "./rules.ts";
import { readSalesSummary } from "./service.ts";

const PERIODS = Number(process.env.TEST_PERIODS ?? (process.env.TEST_STRESS ? 10_000 : 150));
const ORDERS = 250;

let app: TestApp;
let rome: TestVenue;

type TestSale = { day: string; branch: number; total: number; counts: boolean };
const sales: TestSale[] = [];

beforeAll(async () => {
  app = await startApp();
  rome = await app.venue("trattoria", (file) => {
    for (const branch of file.branches) branch.hours = null;
    for (const branch of file.branches) branch.closing_days = [];
    for (const menu of file.menus) {
      Object.assign(menu, { hours: null, is_active: true });
      for (const category of menu.categories) Object.assign(category, { hours: null, is_active: true });
    }
  });
  await sell();
});
afterAll(() => app.close());

/** Over a year with both changes of the clock, many of them within an hour of midnight. */
const sell = async (): Promise<void> => {
  const { body } = await app.call(rome.token, "GET", "/items?per_page=100&available=true");
  const dishes = body.data.filter(
    (item: { price_minor: number | null; modifier_groups: unknown[]; show_online: boolean }) =>
      item.price_minor && item.show_online && item.modifier_groups.length === 0,
  );
  const start = Date.parse("2026-01-01T00:00:00Z");
  const tables = await app.database.asOwner<{ code: string }>(
    "select code from dining_tables where restaurant_id = $1 and is_active and code is not null",
    [rome.id],
  );
  for (let index = 0; index < ORDERS; index++) {
    const day = Math.floor((index * 400) / ORDERS);
    const hour = index % 3 === 0 ? 22 + (index % 2) : (index * 7) % 24;
    app.clock.set(new Date(start + (day * 24 + hour) * 3_600_000 + (index % 60) * 60_000).toISOString());
    const dish = dishes[index % dishes.length];
    const isInside = index % 4 === 0;
    const order = await forVenue(app.deps, rome.slug, (ctx) =>
      placeOrder(ctx, {
        type: isInside ? "dine_in" : "pickup",
        ...(isInside ? { table_code: tables[index % tables.length]?.code ?? "" } : {}),
        customer_name: "Ada",
        customer_phone: String(index),
        lines: [{ item_id: dish.id, quantity: 1 + (index % 5) }],
      }),
    );
    const isCancelled = index % 6 === 0;
    if (isCancelled)
      await forVenue(app.deps, rome.slug, async (ctx) =>
        moveOrder(ctx, await findOrderForChange(ctx, order.id), { status: index % 12 === 0 ? "rejected" : "cancelled" }),
      );
    const zoned = Temporal.Instant.from(app.clock.now().toISOString()).toZonedDateTimeISO("Europe/Rome");
    sales.push({ day: zoned.toPlainDate().toString(), branch: order.branch_id ?? 0, total: order.total_minor, counts: !isCancelled });
  }
};

const slowly = (from: string, to: string, branch: number | undefined) => {
  const counted = sales.filter(
    (sale) => sale.counts && sale.day >= from && sale.day <= to && (branch === undefined || sale.branch === branch),
  );
  return { orders: counted.length, revenue_minor: counted.reduce((sum, sale) => sum + sale.total, 0) };
};

test(`R4.5-02 R4.5-04 T9.7 ${PERIODS} random periods come to what the orders come to, to the minor unit`, async () => {
  const branches = [...new Set(sales.map((sale) => sale.branch))];
  expect(branches.length).toBeGreaterThan(1);
  const period = fc.tuple(fc.nat(420), fc.nat(365), fc.option(fc.constantFrom(...branches), { nil: undefined }));
  let differences = 0;
  for (const [first, length, branch_id] of fc.sample(period, PERIODS)) {
    const start = Temporal.PlainDate.from("2025-12-20").add({ days: first });
    const [from, to] = [start.toString(), start.add({ days: length }).toString()];
    const before = [start.subtract({ days: length + 1 }).toString(), start.subtract({ days: 1 }).toString()] as const;
    const summary = await forVenue(app.deps, rome.slug, (ctx) =>
      readSalesSummary(ctx, { from, to, ...(branch_id === undefined ? {} : { branch_id }) }),
    );
    const expected = { ...slowly(from, to, branch_id), previous: slowly(...before, branch_id) };
    const { orders, revenue_minor, previous } = summary;
    const found = { orders, revenue_minor, previous: { orders: previous.orders, revenue_minor: previous.revenue_minor } };
    if (JSON.stringify(found) !== JSON.stringify(expected)) differences++;
  }
  console.info(`${PERIODS} periods over ${ORDERS} orders, ${differences} differences`);
  expect(differences).toBe(0);
});

test("R4.5-05 the figures of a period follow from each other", () => {
  expect(withAverage({ orders: 3, revenue_minor: 100 }).average_order_minor).toBe(33);
  expect(withAverage({ orders: 2, revenue_minor: 101 }).average_order_minor).toBe(51);
  expect(withAverage({ orders: 0, revenue_minor: 0 }).average_order_minor).toBe(0);
  expect([percentChange(0, 0), percentChange(5, 0), percentChange(150, 100), percentChange(1, 3), percentChange(0, 7)]).toEqual([
    0, 100, 50, -66.7, -100,
  ]);
});

test("R4.5-01 R4.5-07 R4.5-08 periods: today by default, 366 days at most, never turned round", () => {
  const today = { year: 2026, month: 3, day: 29 };
  const decide = (from?: string, to?: string) => decidePeriod({ ...(from ? { from } : {}), ...(to ? { to } : {}) }, today);
  expect(decide()).toEqual({ from: "2026-03-29", to: "2026-03-29", previousFrom: "2026-03-28", previousTo: "2026-03-28" });
  expect(decide("2026-03-01")).toMatchObject({ from: "2026-03-01", to: "2026-03-29" });
  expect(decide("2026-04-05")).toMatchObject({ from: "2026-04-05", to: "2026-04-05" });
  expect(decide(undefined, "2026-03-10")).toMatchObject({ from: "2026-03-10", to: "2026-03-10" });
  expect(decide("2025-03-29", "2026-03-29")).toMatchObject({ from: "2025-03-29", previousTo: "2025-03-28" });
  expect(decide("2025-03-28", "2026-03-29")).toEqual({ errors: { to: [expect.objectContaining({ sentence: expect.any(String) })] } });
  expect(decide("2026-03-02", "2026-03-01")).toEqual({ errors: { to: [expect.objectContaining({ sentence: expect.any(String) })] } });
});
