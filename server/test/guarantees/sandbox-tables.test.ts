/**
 * Which tables a reset may touch, read from the database: each table is reset or kept, and a live restaurant is never touched.
 *
 * @every-postgres
 */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSandbox, inSandbox } from "../../src/admin/sandbox.ts";
import { resetSandbox } from "../../src/venue/sandbox/service.ts";
import { tenantTables } from "../support/schema-rules.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";
import { checksumsOf } from "../support/venue-checksums.ts";

/** These tables have no sample data: access, logs, notifications, and the sandbox itself. Every other table is reset. */
const KEPT = [
  "restaurants",
  "tokens",
  "installations",
  "grants",
  "audit_entries",
  "events",
  "webhook_endpoints",
  "webhook_secrets",
  "webhook_endpoint_state",
  "deliveries",
  "delivery_attempts",
  "request_log",
  "hourly_token_usage",
  "sandboxes",
  "sandbox_resets",
  "sandbox_samples",
  "changes",
  "change_counters",
];

let app: TestApp;
let live: TestVenue;
let sandboxId: number;

beforeAll(async () => {
  app = await startApp();
  live = await app.venue("lab");
  sandboxId = (await createSandbox(app.deps, live.slug, null))?.restaurant_id ?? 0;
});
afterAll(() => app.close());

const resetTables = async (): Promise<string[]> =>
  (await app.database.asOwner<{ list: string[] }>("select sandbox_tables() as list"))[0]?.list ?? [];

type Reference = { from: string; to: string };

/** A row that is deleted with the row it refers to (`on delete cascade`) never prevents a deletion. */
const references = () =>
  app.database.asOwner<Reference>(
    `select c.relname as from, f.relname as to from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class f on f.oid = k.confrelid
     where k.contype = 'f' and k.confdeltype <> 'c' and c.relnamespace = 'app'::regnamespace and c.oid <> f.oid`,
  );

/** Each table that a reset would miss, or delete in the wrong order, as a sentence. */
const faults = async (): Promise<string[]> => {
  const list = await resetTables();
  const tables = await tenantTables(app.database);
  const undecided = tables.filter((table) => list.includes(table) === KEPT.includes(table));
  const unknown = list.filter((table) => !tables.includes(table));
  const referring = (await references()).flatMap(({ from, to }) => {
    if (!list.includes(to)) return [];
    if (!list.includes(from)) return [`${from} is kept and refers to ${to}, which is taken away`];
    return list.indexOf(from) > list.indexOf(to) ? [] : [`${from} stands before ${to}, which it refers to`];
  });
  return [
    ...undecided.map((table) => `${table} is kept by one of sandbox_tables() and the list of this test, and not by the other`),
    ...unknown.map((table) => `${table} is to be set back and is not there`),
    ...referring,
  ];
};

test("D138 T9.3 every table of a tenant is either set back by a reset or kept, in an order that its references allow", async () => {
  expect(await faults()).toEqual([]);
  expect(await resetTables()).toEqual(expect.arrayContaining(["branches", "items", "orders", "reservations", "guests"]));
});

test("D138 a new table is reset without an entry anywhere, after the tables it refers to", async () => {
  await app.database.asOwner(
    `create table vouchers (restaurant_id bigint not null, id bigint, guest_id bigint not null, primary key (restaurant_id, id),
       foreign key (restaurant_id, guest_id) references guests)`,
  );
  const [found, list] = [await faults(), await resetTables()];
  await app.database.asOwner("drop table vouchers");
  expect(found).toEqual([]);
  expect(list.indexOf("vouchers")).toBeGreaterThan(list.indexOf("guests"));
});

/** The function in front of the right one, with one thing wrong. */
const replacedBy = (wrong: string): string =>
  `alter function sandbox_tables() rename to right_tables; create function sandbox_tables() returns text[] language sql as '${wrong}'`;
const RESTORED = "drop function sandbox_tables(); alter function right_tables() rename to sandbox_tables";

test.each([
  [replacedBy("select array_remove(right_tables(), ''guests'')"), RESTORED, "guests is kept by one of sandbox_tables()"],
  [
    replacedBy("select array_agg(name order by place desc) from unnest(right_tables()) with ordinality t (name, place)"),
    RESTORED,
    "orders stands before branches",
  ],
  [
    "alter table tokens add foreign key (restaurant_id, id) references items not valid",
    "alter table tokens drop constraint tokens_restaurant_id_id_fkey",
    "tokens is kept and refers to items",
  ],
])("D138 T9.3 planted: %s", async (plant, undo, sentence) => {
  await app.database.asOwner(plant);
  const found = await faults();
  await app.database.asOwner(undo);
  expect(found).toContainEqual(expect.stringContaining(sentence));
  expect(await faults()).toEqual([]);
});

test("D138 T9.3 planted: tables that refer to each other in a circle are refused, because no order would be right", async () => {
  await app.database.asOwner("alter table menus add foreign key (restaurant_id, id) references items not valid");
  await expect(resetTables()).rejects.toThrow("refer to each other in a circle");
  await app.database.asOwner("alter table menus drop constraint menus_restaurant_id_id_fkey");
});

/** Statements as the role that serves requests, on behalf of a restaurant; nothing of it stays. */
const asApp = async (restaurantId: number, sql: string): Promise<pg.QueryResult> => {
  const client = new pg.Client({ connectionString: app.database.appUrl, options: "-c search_path=app" });
  await client.connect();
  try {
    await client.query("begin");
    await client.query("select set_config('app.restaurant_id', $1, true)", [String(restaurantId)]);
    return await client.query(sql);
  } finally {
    await client.query("rollback");
    await client.end();
  }
};

const RESET = "select reset_sandbox(current_date)";

describe("R1-12 a live restaurant", () => {
  test("R1-12 is never reset or sampled, and neither is an unknown restaurant", async () => {
    for (const id of [live.id, 1]) {
      await expect(asApp(id, RESET)).rejects.toThrow("This restaurant is not a sandbox");
      await expect(asApp(id, "select save_sandbox_sample()")).rejects.toThrow("This restaurant is not a sandbox");
    }
    await expect(asApp(sandboxId, RESET)).resolves.toBeDefined();
  });

  test("R1-12 cannot be turned into a sandbox by the service, nor a sandbox into a restaurant", async () => {
    for (const [id, kind] of [
      [live.id, "sandbox"],
      [sandboxId, "live"],
    ] as const)
      await expect(asApp(id, `update restaurants set kind = '${kind}'`)).rejects.toMatchObject({ code: "42501" });
    await expect(asApp(live.id, "update restaurants set plan = plan, slug = slug")).resolves.toMatchObject({ rowCount: 1 });
  });

  test("R1-12 alone knows its sandbox, and no restaurant can write the sample", async () => {
    expect((await asApp(live.id, "select from sandboxes")).rowCount).toBe(1);
    expect((await asApp(sandboxId, "select from sandboxes")).rowCount).toBe(0);
    for (const sql of ["update sandbox_samples set rows = '[]'", "delete from sandbox_samples", "delete from sandboxes"])
      await expect(asApp(sandboxId, sql)).rejects.toMatchObject({ code: "42501" });
    await expect(asApp(sandboxId, "select save_sandbox_sample()")).rejects.toMatchObject({ code: "23505" });
  });
});

test("D138 a column that came after the sample has its default, a dropped one is ignored, and a generated one is computed", async () => {
  await app.database.asOwner(`alter table guests add column mood text not null default 'hungry', drop column locale`);
  await app.database.asOwner("update guests set mood = 'full' where restaurant_id = $1", [sandboxId]);
  await inSandbox(app.deps, live.slug, (ctx) => resetSandbox(ctx, null), { sandboxLock: "exclusive" });
  const guests = await app.database.asOwner("select name, mood, phone_key from guests where restaurant_id = $1 order by id", [sandboxId]);
  expect(guests).toEqual([
    { name: "Nora Winther", mood: "hungry", phone_key: "+447700900321" },
    { name: "Samir Haddad", mood: "hungry", phone_key: "+447700900322" },
    { name: "Olive Marchetti", mood: "hungry", phone_key: "+447700900323" },
  ]);
});

test("D138 a day of trying things out is cleared away in time", async () => {
  const ORDERS = process.env.TEST_STRESS ? 80_000 : 5000;
  await app.database.asOwner(
    `insert into orders (restaurant_id, id, status, type, channel, branch_id, guest_id, currency, subtotal_minor, discount_minor,
       service_charge_minor, tax_added_minor, delivery_fee_minor, total_minor, lines, placed_at, updated_at)
     select o.restaurant_id, gen_random_uuid(), 'placed', 'pickup', 'web', o.branch_id, o.guest_id, o.currency, 1, 0, 0, 0, 0, 1, '[]', now(), now()
     from orders o, generate_series(1, ${ORDERS}) where o.restaurant_id = $1`,
    [sandboxId],
  );
  await app.database.asOwner(
    `insert into tickets (restaurant_id, order_id, station, state, lines, created_at, updated_at)
     select restaurant_id, id, 'kitchen', 'queued', '[]', now(), now() from orders where restaurant_id = $1`,
    [sandboxId],
  );
  const before = await checksumsOf(app.database, [live.id]);
  const startedAt = performance.now();
  await inSandbox(app.deps, live.slug, (ctx) => resetSandbox(ctx, null), { sandboxLock: "exclusive" });
  console.info(`reset of a sandbox with ${ORDERS} orders: ${Math.round(performance.now() - startedAt)} ms`);
  const emptied = performance.now();
  await inSandbox(app.deps, live.slug, (ctx) => resetSandbox(ctx, null), { sandboxLock: "exclusive" });
  console.info(`reset of an unused sandbox: ${Math.round(performance.now() - emptied)} ms`);
  const [{ count } = { count: "" }] = await app.database.asOwner<{ count: string }>(
    "select count(*) from orders where restaurant_id = $1",
    [sandboxId],
  );
  expect(count).toBe("1");
  expect(await checksumsOf(app.database, [live.id])).toEqual(before);
});
