/**
 * A chart of 366 days costs at most twice a chart of one day, in a venue with a year of history. Only reads are measured, so that it does
 * not matter that the database of the tests is not durable. The cost is the processor time of this process and of PostgreSQL.
 */
import { REPORT_KINDS } from "@comanda/contract/console/reports.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { countEarlierSales } from "#compose/earlier-sales.ts";
import { createUser, type TestUser } from "../support/console-client.ts";
import { backendsOf, processorMs } from "../support/processor-time.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const ORDERS = Number(process.env.TEST_ORDERS ?? (process.env.TEST_STRESS ? 200_000 : 20_000));
const DISHES = 80;
const CALLS = process.env.TEST_STRESS ? 31 : 15;
const WARM_UP_CALLS = 5;
const RATIO_MAX = 2;
/** The year begins in the middle of a month, so that days before and after whole months are read too. */
const YEAR = { from: "2025-11-14", to: "2026-11-14" };
const DAY = { from: "2026-11-13", to: "2026-11-13" };

let app: TestApp;
let rome: TestVenue;

beforeAll(async () => {
  app = await startApp();
  rome = await app.venue("trattoria");
  await app.database.asOwner(
    `insert into orders (restaurant_id, id, status, type, channel, branch_id, currency, subtotal_minor, discount_minor, service_charge_minor,
       tax_added_minor, delivery_fee_minor, total_minor, lines, placed_at, updated_at, sold_on)
     select r.id, gen_random_uuid(), 'completed', (array['pickup', 'delivery', 'dine_in'])[1 + n % 3], (array['web', 'phone', 'qr'])[1 + n % 5 % 3],
       b.ids[1 + n % cardinality(b.ids)], r.currency, 3000, 0, 0, 0, 0, 3000,
       (select jsonb_agg(jsonb_build_object('item_id', 1024 * (1 + (n * 31 + l * 7) % $4::integer), 'quantity', 1, 'line_total_minor', 1000, 'voided', false))
        from generate_series(1, 3) l),
       p.placed_at, p.placed_at, (p.placed_at at time zone r.zone)::date
     from generate_series(0, $2::integer - 1) n join restaurants r on r.id = $1
       cross join (select array_agg(id order by id) as ids from branches where restaurant_id = $1) b
       cross join lateral (select ($3::date - n % 366 + interval '11 hours' + (n * 7 % 720) * interval '1 minute') at time zone r.zone as placed_at) p`,
    [rome.id, ORDERS, YEAR.to, DISHES],
  );
  await app.database.asOwner(
    `insert into payments (restaurant_id, order_id, method, amount_minor, recorded_by, recorded_at)
     select restaurant_id, id, (array['cash', 'card_terminal'])[1 + (total_minor + extract(day from placed_at)::integer) % 2], total_minor, 'Max', placed_at
     from orders where restaurant_id = $1`,
    [rome.id],
  );
  await app.database.asOwner(
    `insert into daily_sales (restaurant_id, date, branch_id, orders, revenue_minor)
     select restaurant_id, sold_on, branch_id, count(*), sum(total_minor) from orders where restaurant_id = $1 group by 1, 2, 3`,
    [rome.id],
  );
  await app.database.asOwner(
    "insert into sales_backfills (restaurant_id, rounds_left, before, due_at) select $1, 1, '2026-11-20', '2020-01-01'",
    [rome.id],
  );
  await countEarlierSales(app.deps);
  await app.database.asOwner("vacuum analyze sales_rollups").catch(() => undefined);
  await app.database.asOwner("analyze sales_rollups; analyze daily_sales; analyze orders; analyze payments");
}, 600_000);
afterAll(() => app.close());

const median = (costs: number[]): number => costs.toSorted((a, b) => a - b)[Math.floor(costs.length / 2)] ?? Number.NaN;

const costOf = async (manager: TestUser, path: string): Promise<number> => {
  // Each call takes a connection that is open already, so all of its work is seen.
  const processes = [process.pid, ...(await backendsOf(app.database))];
  const before = processorMs(processes);
  const { status } = await manager.call("GET", `/venues/${rome.slug}/reports/${path}`);
  if (status !== 200) throw new Error(`The report answered ${status}`);
  return processorMs(processes) - before;
};

/** Turn by turn, so that whatever else this process does falls on both. */
const compare = async (name: string, path: (period: typeof YEAR) => string): Promise<{ day: number; year: number }> => {
  // One for each chart, because the calls of a person are limited.
  const manager = await createUser(app, rome.slug, "manager", `${name}@rome.example`);
  const costs: { day: number[]; year: number[] } = { day: [], year: [] };
  for (let call = 0; call < CALLS + WARM_UP_CALLS; call++) {
    const [day, year] = [await costOf(manager, path(DAY)), await costOf(manager, path(YEAR))];
    if (call < WARM_UP_CALLS) continue;
    costs.day.push(day);
    costs.year.push(year);
  }
  return { day: median(costs.day), year: median(costs.year) };
};

test(`JF-02 a chart of 366 days over ${ORDERS} orders takes at most ${RATIO_MAX} times as long as one of a day`, {
  timeout: 600_000,
}, async () => {
  const ratios: Record<string, number> = {};
  for (const by of REPORT_KINDS) {
    const { day, year } = await compare(by, ({ from, to }) => `sales?by=${by}&from=${from}&to=${to}`);
    ratios[by] = year / day;
    console.info(`by ${by}: 1 day ${day.toFixed(2)} ms, 366 days ${year.toFixed(2)} ms, ratio ${(year / day).toFixed(2)}`);
  }
  const service = await compare("service", ({ from, to }) => `service?from=${from}&to=${to}`);
  console.info(`kitchen and bookings, not summed: 1 day ${service.day.toFixed(2)} ms, 366 days ${service.year.toFixed(2)} ms`);
  expect(Math.max(...Object.values(ratios))).toBeLessThanOrEqual(RATIO_MAX);
});
