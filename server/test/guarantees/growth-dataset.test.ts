/** The generator of grown datasets: the same seed gives the same dataset, also when it was stopped half way, and its sums are right. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { grow } from "../../../bench/growth/grow.ts";
import type { Scale } from "../../../bench/growth/scale.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";

/** Three portions of orders. */
const SCALE: Scale = { venues: 100, orders: 1500, seed: 7, until: "2026-11-14", chunk: 600 };
const COMPARED = [
  "orders",
  "tickets",
  "payments",
  "refunds",
  "guests",
  "daily_sales",
  "reservations",
  "reservation_tables",
  "events",
  "deliveries",
  "items",
  "tokens",
];

const datasets: TestDatabase[] = [];
afterAll(async () => {
  for (const dataset of datasets) await dataset.drop();
});

const open = async (): Promise<TestDatabase> => {
  const dataset = await cloneDatabase();
  datasets.push(dataset);
  return dataset;
};

/** Moments of import follow the real clock where the template is made; ids, amounts and times of orders do not. */
const checksumOf = async (dataset: TestDatabase): Promise<Record<string, string>> => {
  const sums = COMPARED.map(async (table) => {
    const [row] = await dataset.asOwner<{ sum: string }>(
      `select count(*) || ' ' || coalesce(sum(hashtextextended((to_jsonb(t) - 'created_at' - 'updated_at' - 'changed_at')::text, 0)::numeric), 0) as sum from ${table} t`,
    );
    return [table, row?.sum ?? ""] as const;
  });
  return Object.fromEntries(await Promise.all(sums));
};

const OTHERS =
  "from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state is not null and query like '%n as materialized%'";

const growAndStop = async (dataset: TestDatabase): Promise<void> => {
  const growing = grow(dataset, SCALE).then(
    () => "ended",
    () => "stopped",
  );
  const portions = async (): Promise<number> => {
    const [row] = await dataset.asOwner<{ count: number }>("select count(*)::integer as count from grown.chunks").catch(() => []);
    return row?.count ?? 0;
  };
  while ((await portions()) < 1) await sleep(20);
  await dataset.asOwner(`select pg_terminate_backend(pid) ${OTHERS}`);
  expect(await growing).toBe("stopped");
  expect(await portions()).toBeLessThan(3);
};

test("the same seed gives the same dataset, also in two attempts; another seed another", async () => {
  const [whole, stopped, other] = [await open(), await open(), await open()];
  await grow(whole, SCALE);
  await growAndStop(stopped);
  await grow(stopped, SCALE);
  const expected = await checksumOf(whole);
  expect(await checksumOf(stopped)).toEqual(expected);
  await grow(other, { ...SCALE, seed: 8 });
  const sums = await checksumOf(other);
  for (const table of ["orders", "tickets", "daily_sales"]) expect(sums[table], table).not.toBe(expected[table]);
});

test("sales and visits are what the orders add up to, and every key and reference is back", async () => {
  const [dataset] = datasets as [TestDatabase];
  const [found] = await dataset.asOwner<{ days: number; guests: number; missing: number; orders: number }>(`
    select (select count(*)::integer from (
        select restaurant_id, sold_on, branch_id, count(*), sum(total_minor) from orders where status not in ('rejected', 'cancelled') group by 1, 2, 3
        except select restaurant_id, date, branch_id, orders, revenue_minor from daily_sales) d) as days,
      (select count(*)::integer from (
        select guest_id, count(*), sum(total_minor) from orders where status = 'completed' group by 1
        except select id, visits_count, total_spend_minor from guests) g) as guests,
      (select count(*)::integer from grown.definitions where not is_restored) as missing, (select count(*)::integer from orders) as orders`);
  expect(found).toEqual({ days: 0, guests: 0, missing: 0, orders: SCALE.orders });
});
