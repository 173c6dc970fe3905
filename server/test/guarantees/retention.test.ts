/**
 * After more than a month expired rows are purged, all others are kept, and no request waits for the purge.
 *
 * @every-postgres
 */
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PurgeBatch, purgeExpired, RETENTION } from "#compose/retention.ts";
import type { Config } from "#config.ts";
import { openPool } from "#db/pool.ts";
import { openLog } from "#deps.ts";
import { faultInjectingPool, type InjectedFault } from "../support/fault-injection.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";
import { beginTiming } from "../support/timing-verdict.ts";

/** Rows of each kind that are due at once. */
const BACKLOG = process.env.TEST_STRESS ? 30_000 : 6000;
const DAYS = 40;
const ROWS_A_DAY = process.env.TEST_STRESS ? 1200 : 60;
const BATCH_ROWS_MAX = 1000;
/** Far above what a batch takes, far below what a request may wait for a lock. */
const BATCH_MS_MAX = 1500;
/**
 * On a busy machine the limit is half of the purge. A request that waits for a lock gives up after two seconds with an error, which would
 * be no 201.
 */
const PAIR_MS_MAX = 4000;
const DAY_MS = 24 * 60 * 60 * 1000;

type RetainedKind = (typeof RETENTION)[number]["what"];

/** How a row of each kind is made at the moment `$2` for the venue `$1`, by which column it ages, and its table where the kind is another name. */
const KINDS: Record<RetainedKind, { age: string; fill: string; table?: string }> = {
  idempotency_keys: {
    age: "created_at",
    fill: `insert into idempotency_keys select $1, 'token:1', gen_random_uuid()::text, sha256('x'), 201, '{}', null, $2`,
  },
  user_answers: {
    age: "created_at",
    fill: `insert into user_answers select (select min(id) from users), sha256(gen_random_uuid()::text::bytea), sha256('x'), '{}', $2`,
  },
  request_log: {
    age: "at",
    fill: `insert into request_log (restaurant_id, token_id, at, method, route, status, ms, address, request_id)
           select $1, (select min(id) from tokens where restaurant_id = $1), $2, 'GET', '/orders', 200, 1, '::1', 'r'`,
  },
  changes: {
    age: "at",
    fill: `insert into changes (restaurant_id, number, position, area, subject, at) select $1, extract(epoch from $2::timestamptz)::bigint, n, 'orders', 'x', $2`,
  },
  order_counters: {
    age: "day",
    fill: `insert into order_counters select $1, n, $2::timestamptz, 1`,
  },
  hourly_token_usage: {
    age: "hour",
    fill: `insert into hourly_token_usage select $1, (select min(id) from tokens where restaurant_id = $1), $2::timestamptz + n * interval '1 second', 1, 0, 0`,
  },
  deliveries: {
    age: "updated_at",
    fill: `with e as (insert into events (restaurant_id, id, type, created_at, body) select $1, gen_random_uuid(), 'order.created', $2, '{}' from generate_series(1, $3::integer) n returning id),
           d as (insert into deliveries (restaurant_id, endpoint_id, event_id, event_type, state, attempts, created_at, updated_at)
             select $1, (select min(id) from webhook_endpoints where restaurant_id = $1), e.id, 'order.created', 'done', 1, $2, $2 from e returning id)
           insert into delivery_attempts (restaurant_id, delivery_id, cycle, attempt, endpoint_id, at, status, duration_ms, answer)
             select $1, d.id, 1, 1, 1, $2, 200, 1, 'ok' from d`,
  },
  events: {
    age: "created_at",
    fill: `insert into events (restaurant_id, id, type, created_at, body) select $1, gen_random_uuid(), 'order.created', $2, '{}'`,
  },
  waitlist_entries: {
    age: "added_at",
    fill: `insert into waitlist_entries (restaurant_id, id, branch_id, name, phone, party_size, quoted_minutes, added_at)
           select $1, gen_random_uuid(), (select min(id) from branches where restaurant_id = $1), 'Ada', '', 2, 10, $2`,
  },
  review_requests: {
    age: "due_at",
    fill: `with o as (insert into reservations (restaurant_id, id, status, name, phone, party_size, date, time, starts_at, ends_at, branch_id, created_at, updated_at)
             select $1, gen_random_uuid(), 'confirmed', 'Ada', '', 2, $2::timestamptz, '19:00', $2, $2::timestamptz + interval '1 hour',
               (select min(id) from branches where restaurant_id = $1), $2, $2 from generate_series(1, $3::integer) n returning id)
           insert into review_requests (restaurant_id, reservation_id, due_at) select $1, o.id, $2 from o`,
  },
  notifications: {
    age: "updated_at",
    fill: `insert into notifications (restaurant_id, kind, channel, recipient, language, subject, body, state, created_at, updated_at)
           select $1, 'booked', 'email', 'a@b.example', 'en', 's', 'b', 'sent', $2, $2`,
  },
  audit_entries: {
    age: "at",
    fill: `insert into audit_entries (restaurant_id, at, actor_kind, actor_name, action, subject_kind, subject_id) select $1, $2, 'system', 'x', 'x.y', 'x', '1'`,
  },
  availability_changes: {
    age: "at",
    fill: `insert into availability_changes (restaurant_id, item_id, at, was_available, is_available, source)
           select $1, (select min(id) from items where restaurant_id = $1), $2, true, false, 'api'`,
  },
  stock_entries: {
    age: "recorded_at",
    fill: `with i as (insert into ingredients (restaurant_id, key, name, unit, sort_order)
             select $1, 'flour', '{"en": "Flour"}', 'kg', 0 on conflict do nothing returning id),
           l as (insert into stock_levels (restaurant_id, branch_id, ingredient_id)
             select $1, (select min(id) from branches where restaurant_id = $1), i.id from i),
           f as (select id from i union all select id from ingredients where restaurant_id = $1 and key = 'flour')
           insert into stock_entries (restaurant_id, branch_id, ingredient_id, kind, amount_milli, on_hand_milli, recorded_by, recorded_at)
             select $1, (select min(id) from branches where restaurant_id = $1), f.id, 'delivery', 1000, 1000, 'x', $2
             from f, generate_series(1, $3::integer) n`,
  },
  shifts: {
    age: "ends_at",
    // Each shift is of another person, because the shifts of one person may not overlap.
    fill: `insert into shifts (restaurant_id, branch_id, staff_id, staff_name, starts_at, ends_at, changed_by, changed_at)
           select $1, (select min(id) from branches where restaurant_id = $1), nextval('shift_ids'), 'Ada', $2::timestamptz - interval '8 hours', $2, 'x', $2`,
  },
  removed_shifts: {
    table: "shifts",
    age: "deleted_at",
    // They would end long after all other rows, and are removed now.
    fill: `insert into shifts (restaurant_id, branch_id, staff_id, staff_name, starts_at, ends_at, changed_by, changed_at, deleted_at)
           select $1, (select min(id) from branches where restaurant_id = $1), 1, 'Ada', timestamptz '2040-01-01 08:00Z', timestamptz '2040-01-01 16:00Z', 'x',
             $2::timestamptz, $2::timestamptz`,
  },
  experience_bookings: {
    age: "created_at",
    fill: `with e as (insert into experiences (restaurant_id, key, name, price_minor, branch_id, sort_order)
             select $1, 'tasting', '{"en": "Tasting"}', 100, min(id), 0 from branches where restaurant_id = $1 on conflict do nothing returning id),
           f as (select id from e union all select id from experiences where restaurant_id = $1 and key = 'tasting'),
           s as (insert into experience_sessions (restaurant_id, experience_id, starts_at, capacity)
             select $1, f.id, timestamptz '2030-01-01', 10 from f on conflict do nothing returning id),
           t as (select id from s union all select id from experience_sessions where restaurant_id = $1 and starts_at = '2030-01-01')
           insert into experience_bookings (restaurant_id, session_id, tickets, name, state, hold_ends_at, amount_minor, sold_by, created_at)
             select $1, t.id, 1, 'Ada', 'expired', $2, 100, 'x', $2 from t, generate_series(1, $3::integer) n`,
  },
  experience_sessions: {
    age: "cancelled_at",
    fill: `with e as (insert into experiences (restaurant_id, key, name, price_minor, branch_id, sort_order)
             select $1, 'tasting', '{"en": "Tasting"}', 100, min(id), 0 from branches where restaurant_id = $1 on conflict do nothing returning id),
           f as (select id from e union all select id from experiences where restaurant_id = $1 and key = 'tasting')
           insert into experience_sessions (restaurant_id, experience_id, starts_at, capacity, cancelled_at)
             select $1, f.id, $2, 10, $2 from f, generate_series(1, $3::integer) n`,
  },
  experiences: {
    age: "deleted_at",
    fill: `insert into experiences (restaurant_id, key, name, price_minor, branch_id, sort_order, deleted_at)
           select $1, gen_random_uuid()::text, '{"en": "Tasting"}', 100, (select min(id) from branches where restaurant_id = $1), 0, $2`,
  },
  sign_ups: {
    age: "expires_at",
    fill: `insert into sign_ups (source, email, created_at, expires_at) select 'asked', 'a' || n || '@b.example', $2, $2`,
  },
  screen_pairings: {
    age: "expires_at",
    fill: `insert into screen_pairings (hash, code, expires_at) select sha256(gen_random_uuid()::text::bytea), lpad(((floor(extract(epoch from $2::timestamptz) / 86400)::bigint % 900) * 1000 + n)::text, 6, '0'), $2`,
  },
  sessions: {
    age: "expires_at",
    fill: `insert into sessions (hash, user_id, created_at, last_seen_at, expires_at) select sha256(gen_random_uuid()::text::bytea), (select min(id) from users), $2, $2, $2`,
  },
  known_devices: {
    age: "expires_at",
    fill: `insert into known_devices (hash, user_id, created_at, expires_at) select sha256(gen_random_uuid()::text::bytea), (select min(id) from users), $2, $2`,
  },
  security_alerts: {
    age: "created_at",
    fill: `insert into security_alerts (email, kind, language, subject, body, state, created_at) select 'a@b.example', 'device.new', 'en', 's', 'b', 'sent', $2`,
  },
  invitation_mails: {
    age: "queued_at",
    fill: `insert into invitation_mails (mailbox, queued_at) select 'a@b.example', $2`,
  },
  consents: {
    age: "expires_at",
    fill: `insert into consents (hash, app_id, redirect_uri, scopes, code_challenge, expires_at, created_at)
           select sha256(gen_random_uuid()::text::bytea), (select min(id) from apps), 'https://a.example', '{orders:read}', 'c', $2, $2`,
  },
  grants: {
    age: "code_expires_at",
    fill: `insert into grants (restaurant_id, installation_id, app_id, scopes, redirect_uri, code_challenge, code_hash, code_expires_at, created_at)
           select $1, (select min(id) from installations where restaurant_id = $1), (select min(id) from apps), '{orders:read}', 'https://a.example', 'c',
             sha256(gen_random_uuid()::text::bytea), $2, $2`,
  },
};

const tableOf = (kind: RetainedKind): string => KINDS[kind].table ?? kind;

const BASE_ROWS = `
  insert into users (email, name, created_at, updated_at) values ('a@b.example', 'Ada', now(), now());
  insert into apps (client_id, name, developer, summary, site, redirect_uris, scopes, created_at, updated_at)
    values ('c', 'App', 'Dev', 's', 'https://a.example', '{https://a.example}', '{orders:read}', now(), now())`;
const BASE_ROWS_OF_VENUE = [
  `insert into installations (restaurant_id, app_id, scopes, granted_by, granted_at, created_at) select $1, id, '{orders:read}', 'x', now(), now() from apps`,
  `insert into webhook_endpoints (restaurant_id, url, events, created_by, created_at, updated_at) values ($1, 'https://a.example', '{order.created}', 'x', now(), now())`,
];

/** What is as old as can be and must stay: it is still to be delivered, was used, or is the venue's own. */
const UNEXPIRED = [
  `with e as (insert into events (restaurant_id, id, type, created_at, body) values ($1, gen_random_uuid(), 'order.created', $2, 'held') returning id),
   t as (insert into webhook_endpoints (restaurant_id, kind, url, events, removed_at, created_by, created_at, updated_at)
     values ($1, 'pos', 'https://till.example', '{order.created}', $2, 'x', $2, $2) returning id)
   insert into deliveries (restaurant_id, endpoint_id, event_id, event_type, state, due_at, created_at, updated_at)
     select $1, (select min(id) from webhook_endpoints where restaurant_id = $1), id, 'order.created', 'held', null, $2::timestamptz, $2 from e
     union all select $1, t.id, e.id, 'order.created', 'waiting', $2, $2, $2 from e, t`,
  `insert into notifications (restaurant_id, kind, channel, recipient, language, subject, body, state, created_at, updated_at)
     values ($1, 'booked', 'email', 'a@b.example', 'en', 's', 'b', 'queued', $2, $2)`,
];
const UNEXPIRED_COUNTS = `select (select count(*)::integer from deliveries where state = 'held') as held, (select count(*)::integer from events where body = 'held') as told,
  (select count(*)::integer from notifications where state = 'queued') as messages, (select count(*)::integer from deliveries where state = 'waiting') as pushes,
  (select count(*)::integer from orders) as orders, (select count(*)::integer from tickets) as tickets, (select count(*)::integer from daily_sales) as days,
  (select count(*)::integer from guests) as guests`;

let app: TestApp;
let venue: TestVenue;

/** A machine that is busy with other things runs a batch for longer than a statement may take. Waits for locks have their own limit. */
const STATEMENT_MS_MAX = 60_000;

const patientPool = ({ databaseUrl, databaseConnectionsMax, logLevel }: Config): pg.Pool =>
  openPool({
    url: databaseUrl,
    connectionsMax: databaseConnectionsMax,
    log: openLog(logLevel),
    statementTimeoutMs: STATEMENT_MS_MAX,
  });

const open = async (plant?: InjectedFault): Promise<void> => {
  app = await startApp({ pool: plant ? faultInjectingPool(plant) : patientPool });
  app.clock.set("2026-01-01T12:00:00Z");
  venue = await app.venue("lab");
  await app.database.asOwner(BASE_ROWS);
  for (const text of BASE_ROWS_OF_VENUE) await app.database.asOwner(text, [venue.id]);
};

const dish = async (): Promise<number> => {
  const items = (await app.call(venue.token, "GET", "/items?per_page=100&available=true")).body.data;
  return items.find(
    (item: { price_minor: number; show_online: boolean; modifier_groups: unknown[] }) =>
      item.price_minor && item.show_online && item.modifier_groups.length === 0,
  ).id;
};
const place = async (itemId: number) =>
  app.call(venue.token, "POST", "/orders", {
    body: { type: "pickup", customer_name: "Ada", customer_phone: "+1 555 1", lines: [{ item_id: itemId, quantity: 1 }] },
  });

const fill = async (kind: RetainedKind, rows: number): Promise<void> => {
  const { fill: text } = KINDS[kind];
  const many = text.includes("$3") ? text : `${text} from generate_series(1, $3::integer) n`;
  await app.database.asOwner(many.includes("$1") ? many : `${many} where $1::bigint is not null`, [venue.id, app.clock.now(), rows]);
};

const purge = async (): Promise<PurgeBatch[]> => {
  const batches: PurgeBatch[] = [];
  await purgeExpired(app.deps, { onBatch: (batch) => batches.push(batch) });
  return batches;
};

/** What is wrong after a round: rows past their time, or days that live and are not whole. */
const faultsOn = async (filledOn: Map<RetainedKind, number[]>): Promise<string[]> => {
  const faults: string[] = [];
  const now = app.clock.now().getTime();
  const filled = RETENTION.filter(({ what }) => filledOn.has(what));
  const counts = filled.map(
    ({ what }) =>
      `select '${what}' as what, (extract(epoch from date_trunc('day', ${KINDS[what].age})) * 1000)::bigint as at, count(*)::integer as count
       from ${tableOf(what)} group by 2`,
  );
  const rows = await app.database.asOwner<{ what: string; at: string; count: number }>(counts.join(" union all "));
  const countOn = new Map(rows.map(({ what, at, count }) => [`${what} ${at}`, count]));
  for (const { what, olderThanMs } of filled) {
    for (const moment of filledOn.get(what) ?? []) {
      const count = countOn.get(`${what} ${moment - (moment % DAY_MS)}`) ?? 0;
      if (moment < now - olderThanMs && count > UNEXPIRED.length * 2) faults.push(`${what}: ${count} rows are left of day ${moment}`);
      if (moment >= now - olderThanMs && count < ROWS_A_DAY) faults.push(`${what}: only ${count} rows live of day ${moment}`);
    }
  }
  return faults;
};

/** Day by day: each kind gets its rows, an order is placed, expired rows are purged, the rest is counted. */
const runDays = async (days: number, kinds: readonly RetainedKind[] = RETENTION.map(({ what }) => what)) => {
  const itemId = await dish();
  await place(itemId);
  for (const text of UNEXPIRED) await app.database.asOwner(text, [venue.id, app.clock.now()]);
  const filledOn = new Map<RetainedKind, number[]>(kinds.map((kind) => [kind, []]));
  const batches: PurgeBatch[] = [];
  for (let day = 0; day < days; day++) {
    app.clock.advance(DAY_MS);
    for (const kind of kinds) {
      await fill(kind, ROWS_A_DAY);
      filledOn.get(kind)?.push(app.clock.now().getTime());
    }
    await place(itemId);
    batches.push(...(await purge()));
    const faults = await faultsOn(filledOn);
    if (faults.length > 0) return { faults, batches };
  }
  return { faults: [], batches };
};

describe(`${DAYS} days, ${ROWS_A_DAY} rows of each kind a day`, () => {
  beforeAll(() => open());
  afterAll(() => app.close());

  test("nothing old stays, nothing that lives disappears, and every batch is bounded", async (context) => {
    const timing = beginTiming(context);
    const { faults, batches } = await runDays(DAYS);
    expect(faults).toEqual([]);
    expect(Math.max(...batches.map(({ rows }) => rows))).toBeLessThanOrEqual(BATCH_ROWS_MAX);
    const slowest = batches.toSorted((a, b) => b.ms - a.ms)[0];
    console.info(`${batches.length} batches, the slowest: ${slowest?.rows} ${slowest?.what} in ${slowest?.ms.toFixed(0)} ms`);
    const [living] = await app.database.asOwner<Record<string, number>>(UNEXPIRED_COUNTS);
    expect(living).toMatchObject({ held: 1, told: 1, messages: 1, pushes: 1, orders: DAYS + 1 });
    timing.judge(() => expect(slowest?.ms).toBeLessThan(BATCH_MS_MAX));
  });

  test("what is recorded for a year and a month goes after it, and orders, tickets, guests and sales stay", async () => {
    const [before] = await app.database.asOwner<Record<string, number>>(UNEXPIRED_COUNTS);
    app.clock.advance(401 * DAY_MS);
    const batches = await purge();
    expect(Math.max(...batches.map(({ rows }) => rows))).toBe(BATCH_ROWS_MAX);
    for (const { what } of RETENTION) {
      const [left] = await app.database.asOwner<{ count: number }>(`select count(*)::integer as count from ${tableOf(what)}`);
      // No worker runs here, so what is due of the orders stays; one event is due to a till as well.
      expect(left?.count, what).toBeLessThanOrEqual({ deliveries: DAYS + 3, events: DAYS + 2 }[what as string] ?? 1);
    }
    const [attempts] = await app.database.asOwner<{ count: number }>("select count(*)::integer as count from delivery_attempts");
    expect(attempts?.count).toBe(0);
    const [after] = await app.database.asOwner<Record<string, number>>(UNEXPIRED_COUNTS);
    expect(after).toEqual(before);
  });

  test(`requests do not wait while a backlog of ${BACKLOG} rows of each of five kinds is worked off`, async (context) => {
    const timing = beginTiming(context);
    const kinds = ["idempotency_keys", "request_log", "deliveries", "events", "audit_entries"] as const;
    // PostgreSQL's figures are from when there was next to nothing: the plans made by them must do for a backlog, too.
    for (const kind of kinds) await fill(kind, 1);
    await app.database.asOwner(`vacuum analyze ${[...kinds, "delivery_attempts"].join(", ")}`);
    for (const kind of kinds) await fill(kind, BACKLOG);
    app.clock.advance(401 * DAY_MS);
    const itemId = await dish();
    let purgeMs = 0;
    const begunAt = performance.now();
    const tidying = purge().finally(() => {
      purgeMs = performance.now() - begunAt;
    });
    const times: number[] = [];
    while (purgeMs === 0) {
      const startedAt = performance.now();
      expect((await place(itemId)).status).toBe(201);
      expect((await app.call(venue.token, "GET", `/orders?per_page=5&updated_since=${app.clock.now().toISOString()}`)).status).toBe(200);
      times.push(performance.now() - startedAt);
    }
    const batches = await tidying;
    const slowest = Math.max(...times);
    console.info(
      `${times.length} orders placed and listed beside ${batches.length} batches; the slowest pair took ${slowest.toFixed(0)} ms`,
    );
    expect(times.length).toBeGreaterThan(10);
    timing.judge(() => expect(slowest).toBeLessThan(Math.max(PAIR_MS_MAX, purgeMs / 2)));
  });
});

describe("planted", () => {
  const isForget = (what: string, text: string): boolean => text.includes(`"purge_${what}"`);

  test.each<{ fault: string; plant: InjectedFault; found: RegExp }>([
    {
      fault: "a day too early",
      plant: ({ text, values = [], ...rest }) =>
        isForget("request_log", text)
          ? { ...rest, text, values: [new Date((values[0] as Date).getTime() + DAY_MS), ...values.slice(1)] }
          : null,
      found: /request_log: only 0 rows live/,
    },
    {
      fault: "never",
      plant: ({ text, values = [] }) =>
        isForget("idempotency_keys", text) ? { text: "select 0 as count where $1 <> $2::text or true", values } : null,
      found: /idempotency_keys: \d+ rows are left/,
    },
  ])("$fault: the same check finds it", async ({ plant, found }) => {
    await open(plant);
    expect((await runDays(4, ["request_log", "idempotency_keys"])).faults.join("\n")).toMatch(found);
    await app.close();
  });

  test("batches ten times as large: the same check finds it", async () => {
    await open(({ text, values = [], ...rest }) => (text.includes('"purge_') ? { ...rest, text, values: [values[0], 10_000] } : null));
    await fill("request_log", 3000);
    app.clock.advance(3 * DAY_MS);
    expect(Math.max(...(await purge()).map(({ rows }) => rows))).toBeGreaterThan(BATCH_ROWS_MAX);
    await app.close();
  });
});
