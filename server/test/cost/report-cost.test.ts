/** A year's sales cost about as much to read as a day's, however many orders there were, and come to the same. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const ORDERS = Number(process.env.TEST_ORDERS ?? (process.env.TEST_STRESS ? 1_000_000 : 20_000));
const DAYS = 366;
const CALLS = 60;
const WARM_UP_CALLS = 15;
const DIRECT_CALLS = 5;
const RATIO_MAX = 2;
const LAST_DAY = "2026-11-14";

let app: TestApp;
let rome: TestVenue;

beforeAll(async () => {
  app = await startApp();
  rome = await app.venue("trattoria");
  await app.database.asOwner(
    // Every branch and none, every status, and every minute of the day, so that many lie next to midnight.
    `insert into orders (restaurant_id, id, status, type, channel, branch_id, currency, subtotal_minor, discount_minor, service_charge_minor,
       tax_added_minor, delivery_fee_minor, total_minor, lines, placed_at, updated_at)
     select r.id, gen_random_uuid(), (array['placed', 'accepted', 'ready', 'completed', 'completed', 'rejected', 'cancelled'])[1 + n % 7],
       'pickup', 'api', b.ids[1 + n % (cardinality(b.ids) + 1)], r.currency, 100 + n % 9973, 0, 0, 0, 0, 100 + n % 9973, '[]', p.placed_at, p.placed_at
     from generate_series(0, $2::integer - 1) n
       join restaurants r on r.id = $1
       cross join (select array_agg(id order by id) as ids from branches where restaurant_id = $1) b
       cross join lateral (select ($3::date - n % $4::integer + (n * 7 % 1440) * interval '1 minute') at time zone r.zone as placed_at) p`,
    [rome.id, ORDERS, LAST_DAY, DAYS],
  );
  await app.database.asOwner(COUNT_DAYS);
  await app.database.asOwner("analyze orders; analyze daily_sales");
}, 600_000);
afterAll(() => app.close());

/** The sold day of each order and the sums of each day, computed from the orders. */
const COUNT_DAYS = `
  update orders o set sold_on = (o.placed_at at time zone r.zone)::date from restaurants r where r.id = o.restaurant_id;
  insert into daily_sales (restaurant_id, date, branch_id, orders, revenue_minor)
    select o.restaurant_id, o.sold_on, coalesce(o.branch_id, 0), count(*), sum(o.total_minor) from orders o
    where o.status not in ('rejected', 'cancelled') group by 1, 2, 3`;

type CostPeriod = { from: string; to: string };
const DAY: CostPeriod = { from: LAST_DAY, to: LAST_DAY };
const YEAR: CostPeriod = { from: "2025-11-14", to: LAST_DAY };

const pathOf = ({ from, to }: CostPeriod): string => `/reports/sales-summary?from=${from}&to=${to}`;

type CostSums = { orders: number; revenue_minor: number };

const sumOrders = async ({ from, to }: CostPeriod): Promise<CostSums> => {
  const [sums] = await app.database.asOwner<{ orders: number; revenue: string }>(
    `select count(*)::integer as orders, coalesce(sum(total_minor), 0)::text as revenue
     from orders o join restaurants r on r.id = o.restaurant_id
     where r.id = $1 and o.status not in ('rejected', 'cancelled')
       and o.placed_at >= $2::date::timestamp at time zone r.zone and o.placed_at < ($3::date + 1)::timestamp at time zone r.zone`,
    [rome.id, from, to],
  );
  return { orders: sums?.orders ?? 0, revenue_minor: Number(sums?.revenue) };
};

test(`R4.5-04 T9.7 the figures of a day and of ${DAYS} days are what ${ORDERS} orders add up to`, async () => {
  for (const period of [DAY, YEAR]) {
    const expected = await sumOrders(period);
    expect(expected.orders).toBeGreaterThan(0);
    expect((await app.call(rome.token, "GET", pathOf(period))).body.data).toMatchObject(expected);
  }
});

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
};

/** The request alone: the checks that every answer passes would make both look alike. */
const ask = async (period: CostPeriod): Promise<void> => {
  const headers = { authorization: `Bearer ${rome.token}` };
  const { statusCode } = await app.app.http.inject({ method: "GET", url: `/api/v1${pathOf(period)}`, headers });
  if (statusCode !== 200) throw new Error(`The report answered ${statusCode}`);
};

const median = (times: number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;

/** Turn by turn, so that whatever else the machine does falls on both. */
const compare = async (calls: number, read: (period: CostPeriod) => Promise<unknown>): Promise<{ day: number; year: number }> => {
  const [day, year]: number[][] = [[], []];
  for (let call = 0; call < calls; call++) {
    day?.push(await timed(() => read(DAY)));
    year?.push(await timed(() => read(YEAR)));
  }
  return { day: median(day ?? []), year: median(year ?? []) };
};

const figures = ({ day, year }: { day: number; year: number }): string =>
  `1 day ${day.toFixed(2)} ms, ${DAYS} days ${year.toFixed(2)} ms, ratio ${(year / day).toFixed(2)}`;

test(`a report of ${DAYS} days over ${ORDERS} orders takes at most ${RATIO_MAX} times as long as one of a day`, {
  timeout: 300_000,
}, async () => {
  await compare(WARM_UP_CALLS, ask);
  const medians = await compare(CALLS, ask);
  console.log(`sales-summary, ${ORDERS} orders, medians of ${CALLS}: ${figures(medians)}`);
  // What it would be without the days' sums: the planted fault, as a figure beside it.
  console.log(`straight from the orders, medians of ${DIRECT_CALLS}: ${figures(await compare(DIRECT_CALLS, sumOrders))}`);
  expect(medians.year / medians.day).toBeLessThanOrEqual(RATIO_MAX);
});
