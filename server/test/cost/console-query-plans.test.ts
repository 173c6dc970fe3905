/**
 * The console's reads in a venue with a long history. Every list is asked with every combination of its filters, each for what is rare
 * and old: the answer is what plain SQL finds, and no plan reads a whole table or more rows than an answer could need.
 *
 * @every-postgres
 * @long
 */
import { randomBytes } from "node:crypto";
import type { ConsoleOperation } from "@comanda/contract/console/operation.ts";
import { type ConsoleOperationId, consoleEntries } from "@comanda/contract/console/operations.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CONSOLE_QUERIES, fillConsolePath, placeLabOrder } from "../support/console-bodies.ts";
import { createUser, type TestUser } from "../support/console-client.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { pairScreen } from "../support/paired-screen.ts";
import { createPlanCheck, logPlans, type PlanCheck } from "../support/query-plans.ts";
import { startApp, type TestApp } from "../support/test-app.ts";

/** Many times what a plan may read. */
const ROWS = process.env.TEST_STRESS ? 12_000 : 2500;

let database: TestDatabase;
let app: TestApp;
let owner: TestUser;
let screen: string;
/** A screen of one branch and of a station that has few tickets. */
let grill: { id: number; cookie: string };
let venueId: number;
let firstAt: Date;
let check: PlanCheck;
const ids = {
  tokens: [] as number[],
  webhooks: [] as number[],
  delivery: 0,
  event: "",
  order: "",
  guest: 0,
  card: 0,
  review: 0,
  ingredient: 0,
  item: 0,
  experience: 0,
  session: 0,
  member: 0,
  reservation: "",
  bill: "",
};

/** Frequent rows without end, and among the oldest a few of each rare kind. */
const LIVED = [
  `insert into audit_entries (restaurant_id, at, actor_kind, actor_name, action, subject_kind, subject_id)
   select v, now() + n * interval '1 second', case n % 1000 when 7 then 'staff' else 'token' end, 'till',
     case when n < 300 and n % 50 = 7 then 'webhook.added' when n < 300 and n % 50 = 8 then 'webhook.removed' when n < 300 and n % 50 = 9 then 'item.price_changed' when n % 2 = 0 then 'item.changed' else 'order.moved' end, 'item',
     case when n < 300 and n % 50 = 7 then 'rare'
       when n < 300 and n % 50 = 9 then (select min(i.id)::text from items i where i.restaurant_id = v) else (n % 200)::text end
   from unnest($1::bigint[]) v, generate_series(1, $2::integer) n`,
  `insert into request_log (restaurant_id, token_id, at, method, route, status, ms, address, request_id)
   select t.restaurant_id, case when n < 300 and n % 20 = 7 then t.rare else t.often end, now(), 'GET', '/menus',
     case when n > 300 or n % 10 < 7 then 200 when n % 20 = 7 then 503 when n % 20 = 8 then 429 else 404 end, 5, '::1', n::text
   from (select restaurant_id, min(id) as often, max(id) as rare from tokens where restaurant_id = any($1::bigint[]) group by 1) t,
     generate_series(1, $2::integer) n`,
  `with event as (
     insert into events (restaurant_id, id, type, created_at, body)
     select v, gen_random_uuid(), 'order.created', now(), '{}' from unnest($1::bigint[]) v, generate_series(1, $2::integer) returning restaurant_id, id
   ), numbered as (
     select e.restaurant_id, e.id, row_number() over (partition by e.restaurant_id) as n, w.often, w.rare
     from event e join (select restaurant_id, min(id) as often, max(id) as rare from webhook_endpoints group by 1) w using (restaurant_id)
   )
   insert into deliveries (restaurant_id, endpoint_id, event_id, event_type, state, due_at, created_at, updated_at)
   select restaurant_id, case when n < 300 and n % 20 = 7 then rare else often end, id,
     case when n < 300 and n % 10 = 7 then 'guest.created' else 'order.created' end,
     case when n < 300 and n % 10 in (7, 8) then 'held' else 'done' end, null, now(), now()
   from numbered order by n`,
  `insert into orders (restaurant_id, id, status, type, channel, currency, subtotal_minor, discount_minor, service_charge_minor,
     tax_added_minor, delivery_fee_minor, total_minor, lines, placed_at, updated_at, number, customer_name, customer_phone)
   select v, gen_random_uuid(), 'completed', 'pickup', 'web', 'EUR', 100, 0, 0, 0, 0, 100, '[]', moment, moment, 1 + n % 200, 'Ada', '+1 555 0100'
   from unnest($1::bigint[]) v, generate_series(1, $2::integer) n, lateral (select timestamptz '2026-11-01' - n * interval '20 minutes' as moment) m`,
  `with billed as (
     insert into bills (restaurant_id, id, tables, service_day, opened_at, closed_at, closing)
     select restaurant_id, id, '[]', placed_at::date, placed_at, placed_at, 'settled' from orders
     where restaurant_id = any($1::bigint[]) and status = 'completed' and $2::integer > 0 returning restaurant_id, id
   ) update orders o set bill_id = o.id from billed b where b.restaurant_id = o.restaurant_id and b.id = o.id`,
  `insert into bill_payments (restaurant_id, bill_id, method, amount_minor, service_day, recorded_by, recorded_at)
   select restaurant_id, id, 'cash', 100, service_day, 'till', opened_at from bills where restaurant_id = any($1::bigint[]) and $2::integer > 0`,
  `insert into payments (restaurant_id, order_id, method, amount_minor, recorded_by, recorded_at)
   select restaurant_id, id, 'cash', 100, 'till', placed_at from orders
   where restaurant_id = any($1::bigint[]) and status = 'completed' and $2::integer > 0`,
  `insert into refunds (restaurant_id, payment_id, amount_minor, recorded_by, refunded_at)
   select restaurant_id, id, 1, 'till', recorded_at from payments where restaurant_id = any($1::bigint[]) and $2::integer > 0`,
  `insert into tickets (restaurant_id, order_id, station, state, lines, created_at, updated_at, fired_at, done_at)
   select restaurant_id, id, 'kitchen', case number % 3 when 0 then 'fired' else 'done' end, '[]', placed_at, placed_at,
     case number % 3 when 0 then null else placed_at end, case number % 3 when 0 then null else placed_at end
   from orders where restaurant_id = any($1::bigint[]) and status = 'completed' and $2::integer > 0`,
  `insert into guests (restaurant_id, key, name, phone, email, marketing_opted_in, created_at, updated_at)
   select v, 'grown-' || n, case when n < 20 then 'Zoe Rare' else 'Ada Often' end, '+1 700 ' || n, 'ada' || n || '@example.com', n % 2 = 0, moment, moment
   from unnest($1::bigint[]) v, generate_series(1, $2::integer) n, lateral (select timestamptz '2020-01-01' + n * interval '1 minute' as moment) m`,
  `insert into reservations (restaurant_id, id, status, name, phone, party_size, date, time, starts_at, ends_at, branch_id, created_at, updated_at, seated_at, left_at)
   select v, gen_random_uuid(), 'seated', 'Ada', '+1 555 0100', 2, moment::date, '19:00', moment, moment + interval '90 minutes',
     (select min(b.id) from branches b where b.restaurant_id = v), moment, moment, moment, moment + interval '80 minutes'
   from unnest($1::bigint[]) v, generate_series(1, $2::integer * 2) n, lateral (select timestamptz '2026-11-01' - n * interval '4 hours' as moment) m`,
  `insert into reservation_tables (restaurant_id, reservation_id, table_id, during)
   select r.restaurant_id, r.id, (select min(t.id) from dining_tables t where t.restaurant_id = r.restaurant_id), tstzrange(r.starts_at, r.ends_at)
   from reservations r where r.restaurant_id = any($1::bigint[]) and r.left_at is not null and $2::integer > 0`,
  `insert into guest_consents (restaurant_id, guest_id, is_given, source, recorded_by, at)
   select restaurant_id, id, true, 'online', 'Max', created_at from guests where restaurant_id = any($1::bigint[]) and $2::integer > 0`,
  `update orders o set guest_id = (select min(g.id) from guests g where g.restaurant_id = o.restaurant_id)
   where restaurant_id = any($1::bigint[]) and status = 'completed' and $2::integer > 0`,
  `insert into gift_cards (restaurant_id, code_hash, code_last4, currency, source, initial_minor, balance_minor, status, issued_by, issued_at)
   select v, sha256(convert_to(n::text, 'UTF8')), case when n < 20 then 'RARE' else lpad((n % 1000)::text, 4, '0') end, 'EUR', 'sale', 100, 100,
     'active', 'Max', now()
   from unnest($1::bigint[]) v, generate_series(1, $2::integer) n`,
  `update gift_cards c set guest_id = (select min(g.id) from guests g where g.restaurant_id = c.restaurant_id)
   where restaurant_id = any($1::bigint[]) and code_last4 in ('RARE', '0100') and $2::integer > 0`,
  `insert into gift_card_entries (restaurant_id, gift_card_id, kind, amount_minor, balance_minor, recorded_by, recorded_at)
   select restaurant_id, id, 'issue', 100, 100, 'Max', issued_at from gift_cards where restaurant_id = any($1::bigint[]) and $2::integer > 0`,
  `insert into reviews (restaurant_id, order_id, rating, comment, created_at)
   select restaurant_id, id, case row_number() over (partition by restaurant_id order by id) % 100 when 0 then 1 else 5 end, 'Lovely', placed_at
   from orders where restaurant_id = any($1::bigint[]) and status = 'completed' and $2::integer > 0`,
  `insert into ingredients (restaurant_id, key, name, unit, sort_order)
   select v, 'i' || n, '{"en": "Flour"}', 'kg', n from unnest($1::bigint[]) v, generate_series(1, 20) n where $2::integer > 0`,
  `insert into stock_levels (restaurant_id, branch_id, ingredient_id, on_hand_milli)
   select i.restaurant_id, b.id, i.id, 1000 from ingredients i join branches b on b.restaurant_id = i.restaurant_id
   where i.restaurant_id = any($1::bigint[]) and $2::integer > 0`,
  `insert into stock_entries (restaurant_id, branch_id, ingredient_id, kind, amount_milli, on_hand_milli, recorded_by, recorded_at)
   select l.restaurant_id, l.branch_id, l.ingredient_id, 'delivery', 1000, 1000, 'Max', now() - n * interval '1 minute'
   from stock_levels l, generate_series(1, $2::integer / 40) n where l.restaurant_id = any($1::bigint[])`,
  `insert into shifts (restaurant_id, branch_id, staff_id, staff_name, starts_at, ends_at, changed_by, changed_at, published_staff_id, published_starts_at, published_ends_at)
   select v, (select min(b.id) from branches b where b.restaurant_id = v), person, 'Ada', moment, moment + interval '1 hour', 'Max', moment,
     person, moment, moment + interval '1 hour'
   from unnest($1::bigint[]) v, lateral (select min(s.id) as person from staff s where s.restaurant_id = v) p,
     generate_series(1, $2::integer) n, lateral (select timestamptz '2027-01-01' - n * interval '2 hours' as moment) m`,
  `insert into experiences (restaurant_id, key, name, price_minor, branch_id, sort_order)
   select v, 'e' || n, '{"en": "Tasting"}', 100, (select min(b.id) from branches b where b.restaurant_id = v), n
   from unnest($1::bigint[]) v, generate_series(1, 20) n where $2::integer > 0`,
  `insert into experience_sessions (restaurant_id, experience_id, starts_at, capacity, sold)
   select e.restaurant_id, e.id, timestamptz '2026-11-20' - n * interval '6 hours', 1000, 500
   from experiences e, generate_series(1, $2::integer / 20) n where e.restaurant_id = any($1::bigint[])`,
  `insert into experience_bookings (restaurant_id, session_id, tickets, name, guest_id, state, counted, hold_ends_at, amount_minor, sold_by, created_at)
   select s.restaurant_id, s.id, 1, 'Ada', (select min(g.id) from guests g where g.restaurant_id = s.restaurant_id), 'expired', null, s.starts_at, 100,
     'Max', s.starts_at
   from experience_sessions s where s.restaurant_id = any($1::bigint[]) and $2::integer > 0`,
  `insert into changes (restaurant_id, number, position, area, subject, at)
   select v, 1000000 + n, 1, 'orders', gen_random_uuid()::text, now() from unnest($1::bigint[]) v, generate_series(1, $2::integer) n`,
  `update change_counters set number = 1000000 + $2::integer where restaurant_id = any($1::bigint[])`,
];

/** The checks of each new row are planned while the tables are small: without this they would read all rows before it. */
const fillTables = (statement: string, venues: number[]): Promise<unknown> => {
  const filled = statement.replaceAll("$1", `'{${venues.join()}}'`).replaceAll("$2", String(ROWS));
  return database.asOwner(`set enable_seqscan = off; ${filled}; reset enable_seqscan`);
};

beforeAll(async () => {
  database = await cloneDatabase();
  await logPlans(database);
  check = createPlanCheck(database);
  app = await startApp({
    database,
    pool: check.pool,
    environment: { ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}` },
  });
  const [heavy, other] = [await app.venue("lab"), await app.venue("gulf-cafe")];
  venueId = heavy.id;
  owner = await createUser(app, heavy.slug, "owner");
  for (const { slug } of [heavy, other]) {
    const boss = slug === heavy.slug ? owner : await createUser(app, slug, "owner");
    const made = async (path: string, body: object) => (await boss.call("POST", `/venues/${slug}${path}`, { body })).body.data.id as number;
    const wanted = { url: "https://example.com/hook", events: ["order.created"] };
    const webhooks = [await made("/webhooks", wanted), await made("/webhooks", wanted)];
    const tokens = [
      await made("/tokens", { name: "one", scopes: ["menu:read"] }),
      await made("/tokens", { name: "two", scopes: ["menu:read"] }),
    ];
    if (slug === heavy.slug) Object.assign(ids, { webhooks, tokens });
  }
  expect((await owner.call("POST", "/venues/lab/sandbox", { body: {} })).status).toBe(201);
  ids.order = await placeLabOrder(app, heavy);
  expect((await app.call(heavy.token, "POST", `/orders/${ids.order}/status`, { body: { status: "accepted" } })).status).toBe(200);
  const booking = { name: "Ada", phone: "+1 555 0100", party_size: 2, date: "2026-12-01", time: "19:00" };
  ids.reservation = (await app.call(heavy.token, "POST", "/reservations", { body: booking })).body.data.id;
  const [table] = await database.asOwner<{ code: string }>(
    "select code from dining_tables where restaurant_id = $1 and code is not null and is_active and deleted_at is null limit 1",
    [venueId],
  );
  await placeLabOrder(app, heavy, { type: "dine_in", table_code: table?.code });
  ids.bill = (await owner.call("GET", `/venues/${heavy.slug}/bills`)).body.data[0].id;
  ids.member = (await owner.call("GET", `/venues/${heavy.slug}/team`)).body.data.members[0].id;
  screen = (await pairScreen(app, heavy.slug, owner)).cookie;
  grill = await pairScreen(app, heavy.slug, owner);
  await database.asOwner(
    "update screens set stations = '{grill}', branch_id = (select max(id) from branches where restaurant_id = $1) where id = $2",
    [venueId, grill.id],
  );
  for (const statement of LIVED) await fillTables(statement, [heavy.id, other.id]);
  await database.asOwner("analyze");
  const [first] = await database.asOwner<{ at: Date }>(
    "select min(at) as at from audit_entries where restaurant_id = $1 and actor_name = 'till'",
    [venueId],
  );
  firstAt = first?.at ?? new Date(0);
  const [rare] = await database.asOwner<{ id: string; event_id: string }>(
    "select id, event_id from deliveries where restaurant_id = $1 and endpoint_id = $2 order by id limit 1",
    [venueId, ids.webhooks[1]],
  );
  const [guest] = await database.asOwner<{ id: string }>("select min(id) as id from guests where restaurant_id = $1", [venueId]);
  const [card] = await database.asOwner<{ id: string }>("select min(id) as id from gift_cards where restaurant_id = $1", [venueId]);
  const [review] = await database.asOwner<{ id: string }>("select min(id) as id from reviews where restaurant_id = $1", [venueId]);
  Object.assign(ids, {
    delivery: Number(rare?.id),
    event: rare?.event_id,
    guest: Number(guest?.id),
    card: Number(card?.id),
    review: Number(review?.id),
  });
  const [stocked] = await database.asOwner<{ ingredient: string; item: string }>(
    "select min(id) as ingredient, (select min(id) from items where restaurant_id = $1) as item from ingredients where restaurant_id = $1",
    [venueId],
  );
  Object.assign(ids, { ingredient: Number(stocked?.ingredient), item: Number(stocked?.item) });
  const [session] = await database.asOwner<{ id: string; experience: string }>(
    "select max(id) as id, min(experience_id) as experience from experience_sessions where restaurant_id = $1",
    [venueId],
  );
  Object.assign(ids, { session: Number(session?.id), experience: Number(session?.experience) });
  await check.start(1000);
}, 900_000);
afterAll(async () => {
  await app.close();
  await database.drop();
});

/** A filter of a list: what is asked for, and how plain SQL says it. A new filter needs an entry here. */
type Filter = { value: () => string | number; sql: (value: string) => string };
const equal = (column: string, value: () => string | number): Filter => ({ value, sql: (given) => `${column}::text = ${given}` });
/** Where the page before has ended: any place in the middle. */
const before: Filter = { value: () => 1024 * ROWS, sql: (given) => `id < (${given})::bigint` };

/** When the n-th entry was made: rare ones are among the first 300. */
const momentOf = (n: number): string => new Date(firstAt.getTime() + n * 1000).toISOString();

/** `only`: the rows that the list is about. */
const LISTS: Record<string, { table: string; only?: string; filters: Record<string, Filter> }> = {
  listActivity: {
    table: "audit_entries",
    filters: {
      area: equal("split_part(action, '.', 1)", () => "webhook"),
      actor: equal("actor_kind", () => "staff"),
      subject: equal("subject_id", () => "rare"),
      from: { value: () => momentOf(100), sql: (given) => `at >= (${given})::timestamptz` },
      until: { value: () => momentOf(250), sql: (given) => `at < (${given})::timestamptz` },
      before,
    },
  },
  listMenuChanges: { table: "audit_entries", only: "action = 'item.price_changed'", filters: { before } },
  listRequests: {
    table: "request_log",
    filters: {
      token: equal("token_id", () => ids.tokens[1] ?? 0),
      status: { value: () => "4xx", sql: () => "status between 400 and 499 and $1 <> ''" },
      request: equal("request_id", () => "8"),
      before,
    },
  },
  findGiftCards: {
    table: "gift_cards",
    filters: { search: equal("code_last4", () => "RARE"), guest: equal("guest_id", () => ids.guest), before },
  },
  findReviews: { table: "reviews", filters: { rating: equal("rating", () => 1), before } },
  listDeliveries: {
    table: "deliveries",
    filters: {
      webhook: equal("endpoint_id", () => ids.webhooks[1] ?? 0),
      state: equal("state", () => "held"),
      type: equal("event_type", () => "guest.created"),
      event: equal("event_id", () => ids.event),
      before,
    },
  },
};

const subsetsOf = (names: readonly string[]): string[][] =>
  names.reduce<string[][]>((subsets, name) => subsets.flatMap((subset) => [subset, [...subset, name]]), [[]]);

const isRead = ([, { method, path, who }]: readonly [string, ConsoleOperation]): boolean =>
  method === "GET" && (path.startsWith("/venues/") || who === "screen");
/** Its pages follow each other by id, so that plain SQL finds the same. */
const isList = ([, { query }]: readonly [string, ConsoleOperation]): boolean =>
  (query?.properties.before as { type?: string } | undefined)?.type === "integer";
const reads = consoleEntries.filter(isRead);

const pathOf = (id: string): string => {
  const path = reads.find(([name]) => name === id)?.[1].path ?? "";
  const rowIds = {
    "/guests/": ids.guest,
    "/team/": ids.member,
    "/gift-cards/": ids.card,
    "/reviews/": ids.review,
    "/ingredients/": ids.ingredient,
    "/recipes/": ids.item,
    "/experiences/": ids.experience,
    "/experience-sessions/": ids.session,
  };
  const rowId = Object.entries(rowIds).find(([part]) => path.includes(part))?.[1] ?? ids.delivery;
  return (
    fillConsolePath(path, { venue: "lab", id: rowId, order: ids.order, reservation: ids.reservation, bill: ids.bill }) +
    (CONSOLE_QUERIES[id] ?? "")
  );
};

const faultsAsking = async (path: string, cookie = screen): Promise<string[]> => {
  const faults = await check.faultsAsking(async () => {
    const { status, text } = await owner.call("GET", path, { screen: cookie });
    expect(status, `${path}: ${text}`).toBe(200);
  });
  expect(check.plans().length).toBeGreaterThan(0);
  return faults;
};

const asked = (id: string, names: readonly string[]): string => {
  const filters = LISTS[id]?.filters ?? {};
  const pairs = names.map((name): [string, string] => [name, String(filters[name]?.value())]);
  return `${pathOf(id)}?${new URLSearchParams([...pairs, ["rows", "10"]])}`;
};

const plainly = async (id: string, names: readonly string[]): Promise<number[]> => {
  const { table = "", only = "true", filters = {} } = LISTS[id] ?? {};
  const values = names.map((name) => String(filters[name]?.value()));
  const conditions = names.map((name, at) => filters[name]?.sql(`$${at + 1}`).replace("$1 <>", `$${at + 1} <>`));
  const where = [`restaurant_id = ${venueId}`, only, ...conditions].join(" and ");
  return (await database.asOwner<{ id: string }>(`select id from ${table} where ${where} order by id desc limit 10`, values)).map((row) =>
    Number(row.id),
  );
};

test("every list of the console and every filter of it is tried here", () => {
  const filters = reads
    .filter(isList)
    .map(([id, { query }]) => [id, Object.keys(query?.properties ?? {}).filter((name) => name !== "rows")]);
  expect(Object.fromEntries(filters)).toEqual(
    Object.fromEntries(Object.entries(LISTS).map(([id, list]) => [id, Object.keys(list.filters)])),
  );
});

test.each(reads.filter((read) => !isList(read)).map(([id]) => id))("%s", async (id) => {
  expect(await faultsAsking(pathOf(id))).toEqual([]);
});

test.each(["readKitchen", "listDoneTickets"])("%s of one branch and one station", async (id) => {
  expect(await faultsAsking(pathOf(id), grill.cookie)).toEqual([]);
});

test.each(["search=Ada", "search=42", "search=0100", "is_closed=true&branch=1", "search=Ada&branch=1"])(
  "findBoardOrders?%s",
  async (query) => {
    expect(await faultsAsking(`${pathOf("findBoardOrders")}?${query}`)).toEqual([]);
  },
);

test.each(["search=Zoe", "search=rare", "search=oft", "search=7005", "search=99999"])("findGuests?%s", async (query) => {
  expect(await faultsAsking(`${pathOf("findGuests")}?${query}`)).toEqual([]);
});

describe.each(Object.keys(LISTS))("%s", (id) => {
  const filters = Object.keys(LISTS[id]?.filters ?? {}).filter((name) => name !== "before");
  test.each(subsetsOf(filters).map((names) => [names.join(" and ") || "nothing", names] as const))(
    "filtered by %s",
    async (_name, names) => {
      for (const all of [names, [...names, "before"]]) {
        const { body } = await owner.call("GET", asked(id, all));
        expect(body.data.map((row: { id: number }) => row.id)).toEqual(await plainly(id, all));
        // A second page differs from the first by where it begins, whatever else is asked for.
        if (all === names || names.length < 2) expect(await faultsAsking(asked(id, all))).toEqual([]);
      }
    },
  );
});

type PlantedIndex = { index: string; beside?: string[]; id: ConsoleOperationId; names: string[] };

describe("planted: without an index the same check finds it", () => {
  test.each([
    { index: "audit_entries_subject", id: "listActivity", names: ["subject"] },
    { index: "audit_entries_action", id: "listActivity", names: ["area"] },
    { index: "audit_entries_at", id: "listActivity", names: ["until"] },
    { index: "request_log_request_id", id: "listRequests", names: ["request"] },
    { index: "request_log_status", id: "listRequests", names: ["status"] },
    // PostgreSQL uses the other index instead since version 18, once for each endpoint.
    { index: "deliveries_state", beside: ["deliveries_endpoint_state"], id: "listDeliveries", names: ["type"] },
  ] satisfies PlantedIndex[])("$index", async ({ index, beside = [], id, names }: PlantedIndex) => {
    const dropped = [index, ...beside];
    const definitions = await database.asOwner<{ sql: string }>(
      "select pg_get_indexdef(name::regclass) as sql from unnest($1::text[]) name",
      [dropped],
    );
    await database.asOwner(`drop index ${dropped.join(", ")}`);
    expect((await faultsAsking(asked(id, names))).join("\n")).toMatch(/reads (\d+ rows|all) of|looks into/);
    for (const { sql } of definitions) await database.asOwner(sql);
  });
});
