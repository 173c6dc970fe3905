/**
 * Every committed change of a venue has the next number, in the order of the commits and without gaps; what was refused has none.
 *
 * @every-postgres
 */
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { importVenue } from "#compose/import-venue.ts";
import { tenantDb } from "#db/pool.ts";
import { withTenant } from "#db/with-tenant.ts";
import { recordAudit } from "#platform/activity/audit/service.ts";
import { tenantById } from "#platform/tenants/service.ts";
import { collectVenueFile } from "#venue/setup/venue-file/service.ts";
import { faultInjectingPool } from "../support/fault-injection.ts";
import { plainDish } from "../support/operation-calls.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

let apps: [TestApp, TestApp];
let lab: TestVenue;
let itemId: number;

beforeAll(async () => {
  const first = await startApp();
  apps = [first, await startApp({ database: first.database })];
  lab = await first.venue("lab");
  itemId = await plainDish(first.database, lab.id);
});
afterAll(async () => {
  await apps[1].close();
  await apps[0].close();
});

type ChangeRow = { number: number; position: number; area: string; subject: string; event_type: string | null };

const changesOf = (venue: TestVenue, after = 0): Promise<ChangeRow[]> =>
  apps[0].database.asOwner<ChangeRow>(
    `select c.number::integer, c.position, c.area, c.subject, e.type as event_type
     from changes c left join events e on e.restaurant_id = c.restaurant_id and e.id = c.event_id
     where c.restaurant_id = $1 and c.number > $2 order by c.number, c.position`,
    [venue.id, after],
  );

const lastNumber = async (venue: TestVenue = lab): Promise<number> => {
  const [row] = await apps[0].database.asOwner<{ number: number }>(
    "select coalesce(max(number), 0)::integer as number from change_counters where restaurant_id = $1",
    [venue.id],
  );
  return row?.number ?? 0;
};

const place = (app: TestApp, phone: string, key?: string) =>
  app.call(lab.token, "POST", "/orders", {
    ...(key ? { headers: { "idempotency-key": key } } : {}),
    body: { type: "pickup", customer_name: "Ada", customer_phone: phone, lines: [{ item_id: itemId, quantity: 1 }] },
  });

test("an order is one number: the order with its event, its guest with theirs", async () => {
  const before = await lastNumber();
  const { body } = await place(apps[0], "+39 06 1");
  const rows = await changesOf(lab, before);
  expect(new Set(rows.map(({ number }) => number))).toEqual(new Set([before + 1]));
  expect(rows.map(({ area, event_type }) => [area, event_type])).toEqual(
    expect.arrayContaining([
      ["orders", "order.created"],
      ["tickets", null],
      ["guests", "guest.created"],
    ]),
  );
  expect(rows.find(({ area }) => area === "orders")?.subject).toBe(body.data.id);
});

test("40 orders over two processes at once: 40 numbers without a gap, each order once", async () => {
  const before = await lastNumber();
  const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => place(apps[index % 2] as TestApp, `+39 06 ${100 + index}`)));
  expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(201));
  const rows = await changesOf(lab, before);
  expect([...new Set(rows.map(({ number }) => number))]).toEqual(Array.from({ length: 40 }, (_, index) => before + 1 + index));
  const orders = rows.filter(({ area }) => area === "orders").map(({ subject }) => subject);
  expect(new Set(orders)).toEqual(new Set(answers.map(({ body }) => body.data.id)));
  expect(orders).toHaveLength(40);
});

test("what is refused or repeated takes no number, with a key and without", async () => {
  const before = await lastNumber();
  const wrong = { type: "pickup", customer_name: "Ada", customer_phone: "+39 06 1", lines: [{ item_id: itemId, quantity: 0 }] };
  for (const headers of [{}, { "idempotency-key": randomUUID() }] as Record<string, string>[])
    expect((await apps[0].call(lab.token, "POST", "/orders", { headers, body: wrong })).status).toBe(422);
  expect(await lastNumber()).toBe(before);
  const key = randomUUID();
  expect((await place(apps[0], "+39 06 2", key)).status).toBe(201);
  expect((await place(apps[1], "+39 06 2", key)).status).toBe(201);
  expect(await lastNumber()).toBe(before + 1);
});

/** Records changes of orders in one transaction, and commits it when the caller asks. */
const changeOrders = (app: TestApp, subjects: readonly string[], isReleased: Promise<void> = Promise.resolve()): Promise<void> =>
  withTenant(
    app.deps,
    {
      tenant: tenantById(lab.id),
      actor: { kind: "system", id: null, name: "test", scopes: [], caller: "test" },
      from: { log: app.deps.log, origin: { requestId: null, address: null } },
    },
    async (ctx) => {
      for (const id of subjects) recordAudit(ctx, { action: "order.noted", subject: { kind: "order", id } });
      await isReleased;
    },
  );

test("a change that began first and commits last has the later number: who read up to the earlier one misses nothing", async () => {
  const before = await lastNumber();
  const { promise, resolve } = Promise.withResolvers<void>();
  const late = changeOrders(apps[0], ["late"], promise);
  const { body } = await place(apps[1], "+39 06 3");
  const seen = await changesOf(lab, before);
  expect(seen.map(({ subject }) => subject)).toContain(body.data.id);
  const upTo = await lastNumber();
  resolve();
  await late;
  expect((await changesOf(lab, upTo)).map(({ subject, number }) => [subject, number])).toEqual([["late", upTo + 1]]);
  // A reader that remembers the highest id would miss it: the late entry has the lower one.
  const ids = await apps[0].database.asOwner<{ subject_id: string }>(
    "select subject_id from audit_entries where restaurant_id = $1 and subject_id = any($2) order by id",
    [lab.id, ["late", body.data.id]],
  );
  expect(ids.map(({ subject_id }) => subject_id)).toEqual(["late", body.data.id]);
});

test("200 subjects of an area are listed, more are all of it: the counter is held for a short time only", async () => {
  const subjects = Array.from({ length: 201 }, (_, index) => `order ${index}`);
  const before = await lastNumber();
  await changeOrders(apps[0], subjects.slice(1));
  await changeOrders(apps[0], subjects);
  const rows = await changesOf(lab, before);
  expect(rows.filter(({ number }) => number === before + 1)).toHaveLength(200);
  expect(rows.filter(({ number }) => number === before + 2).map(({ subject }) => subject)).toEqual(["all"]);
});

test("an import of a venue file says that menu and team may be other ones", async () => {
  const before = await lastNumber();
  await importVenue(apps[0].deps, await forVenue(apps[0].deps, lab.slug, collectVenueFile));
  expect((await changesOf(lab, before)).map(({ area, subject }) => [area, subject])).toEqual(
    expect.arrayContaining([
      ["menu", "all"],
      ["team", "all"],
    ]),
  );
});

test("venues have numbers of their own, and one cannot read another's", async () => {
  const cafe = await apps[0].venue("gulf-cafe");
  const before = await lastNumber(cafe);
  await place(apps[0], "+39 06 4");
  expect(await lastNumber(cafe)).toBe(before);
  const rows = await tenantDb(apps[0].deps.pool, cafe.id).query(sql<{ restaurant_id: number }>`select distinct restaurant_id from changes`);
  expect(rows.map(({ restaurant_id }) => restaurant_id)).not.toContain(lab.id);
});

describe("planted", () => {
  test("a commit whose number is not written is found: orders without a change", async () => {
    const app = await startApp({
      database: apps[0].database,
      pool: faultInjectingPool(({ text }) => (text.includes("change_counters") ? { text: "select 0 as number", values: [] } : null)),
    });
    const before = await lastNumber();
    expect((await place(app, "+39 06 5")).status).toBe(201);
    expect(await changesOf(lab, before)).toEqual([]);
    await app.close();
  });
});
