/**
 * `npm run bench:month`: two months of the service day by day, with its own retention purge. Every day brings the same number of orders
 * with what hangs on them; what is kept for a while must stop growing once its time has come, in tables and in indexes. A vacuum
 * at the end of each day stands for those that PostgreSQL makes by itself.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import pg from "pg";
import { purgeExpired } from "../server/src/compose/retention.ts";
import { readConfig } from "../server/src/config.ts";
import { openDeps, openLog } from "../server/src/deps.ts";
import { defineBenchmark, nothingToClose, runFull } from "./benchmark.ts";
import type { Ground } from "./ground.ts";
import { showProgress } from "./growth/progress.ts";
import { type Figure, figureOf, say } from "./measure.ts";

const DAYS = Number(process.env.BENCH_DAYS ?? 62);
const ORDERS_A_DAY = Number(process.env.BENCH_ORDERS_A_DAY ?? 4000);
const VENUES = 200;
/** As many rows are deleted as are written from this day on. */
const STEADY_FROM = 34;
/** The short form advances by a week at once: so many steps, and the first of them that is steady. */
const WEEKS = { days: 7, steps: 9, steadyFrom: 6 };
const WATCHED = ["idempotency_keys", "request_log", "deliveries", "delivery_attempts", "events", "hourly_token_usage", "orders"];
const DAY_MS = 24 * 60 * 60 * 1000;

const GROUND = `
  insert into restaurants (slug, name, currency, zone, default_language, plan, created_at, updated_at)
    select 'venue-' || n, '{"en": "Bare"}', 'EUR', 'UTC', 'en', 'complete', now(), now() from generate_series(1, ${VENUES}) n;
  insert into tokens (restaurant_id, kind, name, hash, last_characters, scopes, created_by, created_at)
    select id, 'api', 'x', sha256('x'), 'xxxx', '{orders:read}', 'x', now() from restaurants;
  insert into webhook_endpoints (restaurant_id, url, events, created_by, created_at, updated_at)
    select id, 'https://a.example', '{order.created}', 'x', now(), now() from restaurants`;

/** `$1` is the day, `$2` how many. Each order is written, moved twice and delivered, as in service. */
const DAY = [
  `insert into orders (restaurant_id, id, status, type, channel, currency, subtotal_minor, discount_minor, service_charge_minor, tax_added_minor,
     delivery_fee_minor, total_minor, lines, placed_at, updated_at)
   select r.id, gen_random_uuid(), 'placed', 'pickup', 'web', 'EUR', 100, 0, 0, 0, 0, 100, jsonb_build_array(repeat('line ', 150)), $1::timestamptz + n * interval '1 second', $1
   from generate_series(1, $2::integer) n join (select id, row_number() over (order by id) as place from restaurants) r on r.place = 1 + n % ${VENUES}`,
  "update orders set status = 'accepted', updated_at = updated_at + interval '1 minute' where status = 'placed' and $1::timestamptz is not null and $2::integer > 0",
  "update orders set status = 'completed', updated_at = updated_at + interval '1 hour' where status = 'accepted' and $1::timestamptz is not null and $2::integer > 0",
  `insert into events (restaurant_id, id, type, created_at, body)
   select restaurant_id, id, 'order.created', $1, repeat('{"event"}', 150) from orders where placed_at >= $1 and $2::integer > 0`,
  `insert into deliveries (restaurant_id, endpoint_id, event_id, event_type, state, due_at, created_at, updated_at)
   select o.restaurant_id, e.id, o.id, 'order.created', 'ready', $1, $1, $1 from orders o join webhook_endpoints e using (restaurant_id) where o.placed_at >= $1 and $2::integer > 0`,
  "update deliveries set state = 'done', due_at = null, attempts = 1, last_status = 200 where state = 'ready' and $1::timestamptz is not null and $2::integer > 0",
  `insert into delivery_attempts (restaurant_id, delivery_id, cycle, attempt, endpoint_id, at, status, duration_ms, answer)
   select restaurant_id, id, 1, 1, endpoint_id, $1, 200, 5, 'ok' from deliveries where updated_at >= $1 and $2::integer > 0`,
  `insert into idempotency_keys select restaurant_id, 'token:1', id::text, sha256('x'), 201, repeat('{"data"}', 150), null, $1 from orders where placed_at >= $1 and $2::integer > 0`,
  `insert into request_log (restaurant_id, token_id, at, method, route, status, ms, address, request_id)
   select t.restaurant_id, t.id, $1, 'GET', '/orders', 200, 4, '127.0.0.1', 'req' from tokens t, generate_series(1, 2 * $2::integer / ${VENUES})`,
  `insert into hourly_token_usage select restaurant_id, id, $1::timestamptz + h * interval '1 hour', 5, 0, 0 from tokens, generate_series(0, 23) h where $2::integer > 0`,
];

type Size = { table: string; heap: number; indexes: number };

const measure = async (owner: pg.Client): Promise<Size[]> => {
  const { rows } = await owner.query<{ table: string; heap: string; indexes: string }>(
    "select name as table, pg_relation_size(name::regclass) as heap, pg_indexes_size(name::regclass) as indexes from unnest($1::text[]) name",
    [WATCHED],
  );
  return rows.map(({ table, heap, indexes }) => ({ table, heap: Number(heap), indexes: Number(indexes) }));
};

const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`.padStart(10);

type MonthSize = { days: number; steps: number; steadyFrom: number; orders: number };

const runDays = async (ground: Ground, { days, steps, orders }: MonthSize): Promise<Size[][]> => {
  const database = await ground.database();
  const owner = new pg.Client({ connectionString: database.ownerUrl, options: "-c search_path=app" });
  await owner.connect();
  let now = new Date("2026-01-01T00:00:00Z");
  const clock = { now: () => now, ofChange: () => now, ofDatabase: () => now };
  const config = readConfig({ DATABASE_URL: database.appUrl, LOG_LEVEL: "fatal" });
  const deps = await openDeps(config, { clock, log: openLog("fatal") });
  await owner.query(GROUND);
  const history: Size[][] = [];
  let slowest = 0;
  const progress = showProgress("days", steps);
  for (let step = 1; step <= steps; step++) {
    now = new Date(now.getTime() + days * DAY_MS);
    for (const text of DAY) await owner.query(text, [now, orders]);
    await purgeExpired(deps, { onBatch: ({ ms }) => (slowest = Math.max(slowest, ms)) });
    for (const table of WATCHED) await owner.query(`vacuum analyze ${table}`);
    history.push(await measure(owner));
    progress.at(step);
  }
  progress.end();
  say(`slowest batch ${slowest.toFixed(0)} ms`);
  await deps.close();
  await owner.end();
  return history;
};

const compareSizes = async (ground: Ground, size: MonthSize): Promise<Figure[]> => {
  const history = await runDays(ground, size);
  const [steady = [], last = []] = [history[size.steadyFrom - 1], history.at(-1)];
  mkdirSync("bench/results", { recursive: true });
  writeFileSync("bench/results/month-days.txt", `${JSON.stringify(history, null, 2)}\n`);
  // Orders are kept.
  return last
    .map((one, index) => ({ ...one, before: steady[index] ?? one }))
    .filter(({ table }) => table !== "orders")
    .map(({ table, heap, indexes, before }) =>
      figureOf(
        "month",
        `Size of ${table} after ${size.steps * size.days} days`,
        [(heap + indexes) / (before.heap + before.indexes)],
        `${mib(before.heap)} + ${mib(before.indexes)} indexes, then ${mib(heap)} + ${mib(indexes)} indexes`,
      ),
    );
};

export const BENCHMARK = defineBenchmark({
  name: "month",
  command: "npm run bench:month",
  size: {},
  ground: { isDurable: false },
  open: async (ground) => ({ ground, ...nothingToClose }),
  scenarios: {
    days: ({ ground }, { share }) =>
      compareSizes(
        ground,
        share < 1
          ? { ...WEEKS, orders: Math.ceil(ORDERS_A_DAY * share) + VENUES }
          : { days: 1, steps: DAYS, steadyFrom: STEADY_FROM, orders: ORDERS_A_DAY },
      ),
  },
});

if (import.meta.main) await runFull(BENCHMARK);
