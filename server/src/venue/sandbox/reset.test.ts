/** Every night a sandbox becomes what it was: the same rows under the same ids, on another day. */
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { asSystem } from "#compose/as-system.ts";
import { startWorker } from "#compose/worker.ts";
import type { Ctx } from "#lib/context.ts";
import { createUser } from "../../../test/support/console-client.ts";
import { startApp, type TestApp, type TestVenue } from "../../../test/support/test-app.ts";
import { checksumsOf } from "../../../test/support/venue-checksums.ts";
import { createSandbox, inSandbox } from "../../admin/sandbox.ts";
import { orderJobs } from "../orders/jobs.ts";
import { sandboxJobs } from "./jobs.ts";
import { readSandbox, resetSandbox } from "./service.ts";

let app: TestApp;
/** The sandbox of a restaurant whose clock is Rome's. */
let sandbox: TestVenue;
let live: TestVenue;

const openFor = async (venue: TestVenue): Promise<TestVenue> => {
  const created = await createSandbox(app.deps, venue.slug, 1_000_000);
  return { slug: venue.slug, id: created?.restaurant_id ?? 0, token: created?.token ?? "" };
};

beforeAll(async () => {
  app = await startApp();
  live = await app.venue("trattoria");
  sandbox = await openFor(live);
});
afterAll(() => app.close());
beforeEach(() => app.clock.set("2026-11-14T12:00:00Z"));

const get = async (path: string, { token } = sandbox) => (await app.call(token, "GET", path)).body.data;
const post = (path: string, body: object, headers = {}) => app.call(sandbox.token, "POST", path, { body, headers });

const LISTS = ["/menus", "/categories", "/items?per_page=100", "/guests", "/orders", "/reservations", "/reports/sales-summary"];
const readLists = async (of = sandbox) => Promise.all(LISTS.map((path) => get(path, of)));

const resetNow = (of = live) => inSandbox(app.deps, of.slug, (ctx) => resetSandbox(ctx, null), { sandboxLock: "exclusive" });
const runNight = (due_at: string, { id } = sandbox) => sandboxJobs["reset-sandbox"](asSystem(app.deps, id), { due_at });
const dueAt = async (of = live): Promise<Date> => (await inSandbox(app.deps, of.slug, readSandbox))?.next_reset_at as Date;
const jobsOf = ({ id } = sandbox) =>
  app.database.asOwner<{ start_after: Date; due_at: string; retry_limit: number }>(
    "select start_after, data ->> 'due_at' as due_at, retry_limit from jobs.job where name = 'reset-sandbox' and data ->> 'restaurant_id' = $1 order by start_after",
    [String(id)],
  );
/** As the role that serves requests, for no restaurant. */
const ask = async <R extends pg.QueryResultRow>(sql: string): Promise<R[]> => (await app.deps.pool.query<R>(sql)).rows;
/** Every row but those that remember: tokens, log, events. `changed_at` is the database's own clock. */
const rowsOf = async ({ id } = sandbox): Promise<string[]> =>
  (await checksumsOf(app.database, [id], ["changed_at"])).filter(
    (line) => !/^(tokens|audit_entries|events|changes|change_counters|sandbox_resets|jobs\.job) /.test(line),
  );

/** Connections on which a reset waits for writes to end. */
const WAITING = "select count(*)::integer from pg_locks where locktype = 'advisory' and not granted and mode = 'ExclusiveLock'";

/** The text with each of its dates some days later. */
const later = <T>(value: T, days: number): T =>
  JSON.parse(
    JSON.stringify(value).replaceAll(/\d{4}-\d{2}-\d{2}(?=["T])/g, (date) =>
      new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10),
    ),
  );

/** Something of everything: new rows, changed rows, a sample that is no longer itself. */
const makeAMess = async (): Promise<void> => {
  const [dish, ...others] = await get("/items?per_page=100");
  const [order] = await get("/orders");
  const [booking] = await get("/reservations");
  const line = { item_id: others.at(-1).id, quantity: 3 };
  const placed = await post("/orders", { type: "pickup", customer_name: "Ada", customer_phone: "+1 555 0100", lines: [line] });
  const moves = [
    await post("/items", { category_id: dish.category_id, name: "Mess", price_minor: 1 }, { "idempotency-key": "mess" }),
    await app.call(sandbox.token, "PATCH", `/items/${dish.id}`, { body: { name: "Renamed", dietary: "none" } }),
    await app.call(sandbox.token, "PUT", `/items/${others[0].id}/availability`, { body: { is_available: false } }),
    await post(`/orders/${order.id}/status`, { status: "accepted" }),
    await post(`/orders/${placed.body.data.id}/status`, { status: "cancelled", reason: "Tried enough" }),
    await post(`/reservations/${booking.id}/cancel`, {}),
    await post("/reservations", { name: "Bo", phone: "+1 555 0101", party_size: 2, date: "2026-11-20", time: "12:30" }),
  ];
  expect(moves.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200, 200, 201]);
};

describe("R1-13 a reset", () => {
  test("R1-13 D138 on the same day brings back every byte, and takes away what was added, keys included", async () => {
    const [lists, rows] = [await readLists(), await rowsOf()];
    for (let round = 0; round < 3; round++) {
      await makeAMess();
      expect(await rowsOf()).not.toEqual(rows);
      await resetNow();
      expect(await rowsOf()).toEqual(rows);
      expect(await readLists()).toEqual(lists);
    }
    const [dish] = await get("/items?per_page=1");
    const again = await post("/items", { category_id: dish.category_id, name: "Mess", price_minor: 1 }, { "idempotency-key": "mess" });
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([201, null]);
    await resetNow();
  });

  test("R1-13 D138 at night moves the day along: the order is of today again, the booking of tomorrow, the token still works", async () => {
    const lists = await readLists();
    const due = await dueAt();
    expect(due.toISOString()).toBe("2026-11-15T02:00:00.000Z");
    await makeAMess();
    app.clock.set("2026-11-15T02:00:01Z");
    await runNight(due.toISOString());
    expect(await readLists()).toEqual(later(lists, 1));
    const [order] = await get("/orders");
    expect(order.placed_at).toBe("2026-11-15T01:15:00+01:00");
    expect((await get("/reservations"))[0]).toMatchObject({ date: "2026-11-16", time: "19:30", status: "confirmed" });
    expect((await get("/orders?updated_since=2026-11-15")).map(({ id }: { id: string }) => id)).toEqual([order.id]);
    expect(await inSandbox(app.deps, live.slug, readSandbox)).toMatchObject({
      reset_at: app.clock.now(),
      next_reset_at: new Date("2026-11-16T02:00:00Z"),
      token: { hint: expect.stringContaining(`${sandbox.token.split("|")[0]}|svc_sbx_`) },
    });
  });

  test("D138 keeps the token, the log and the events, and emits no event", async () => {
    const kept = () =>
      Promise.all(
        ["tokens", "events", "audit_entries"].map((table) =>
          app.database.asOwner(`select * from ${table} where restaurant_id = $1 order by id`, [sandbox.id]),
        ),
      );
    await makeAMess();
    const [tokens, events, entries] = await kept();
    await resetNow();
    const [tokensAfter, eventsAfter, entriesAfter] = await kept();
    expect([tokensAfter, eventsAfter]).toEqual([tokens, events]);
    expect(entriesAfter?.slice(0, -1)).toEqual(entries);
    expect(entriesAfter?.at(-1)).toMatchObject({ action: "sandbox.reset", actor_kind: "operator" });
  });

  test("D138 that takes long holds up no list of changes of a live restaurant", async () => {
    const [isUnderWay, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const takeLong = async (ctx: Ctx): Promise<void> => {
      await resetSandbox(ctx, null);
      await readSandbox(ctx);
      isUnderWay.resolve();
      await mayEnd.promise;
    };
    const reset = inSandbox(app.deps, live.slug, takeLong, { sandboxLock: "exclusive" });
    await isUnderWay.promise;
    const [before] = await ask<{ now: Date }>("select clock_timestamp() as now");
    const [settled] = await ask<{ until: Date; resets: number }>(
      `select commit_horizon() as until, (select count(*)::integer from pg_stat_activity
         where datname = current_database() and application_name = 'comanda sandbox reset' and xact_start is not null) as resets`,
    );
    mayEnd.resolve();
    await reset;
    expect(settled?.resets).toBe(1);
    expect(settled?.until.getTime()).toBeGreaterThanOrEqual(before?.now.getTime() ?? Number.NaN);
  });

  test("D138 asked for many times at once is done once: the others are refused at once and hold no connection", async () => {
    const owner = await createUser(app, live.slug, "owner");
    const reset = () => owner.call("POST", `/venues/${live.slug}/sandbox/reset`, { body: {} });
    const [isUnderWay, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    // A write that is under way: a reset waits for its end.
    const write = inSandbox(app.deps, live.slug, async (ctx) => {
      await readSandbox(ctx);
      isUnderWay.resolve();
      await mayEnd.promise;
    });
    await isUnderWay.promise;
    const waiting = reset();
    await expect.poll(async () => (await ask<{ count: number }>(WAITING)).at(0)?.count).toBe(1);
    const others = await Promise.all(Array.from({ length: 30 }, reset));
    expect(others.map(({ status, headers }) => [status, headers["retry-after"]])).toEqual(others.map(() => [503, "1"]));
    expect((await ask<{ count: number }>(WAITING)).at(0)?.count).toBe(1);
    mayEnd.resolve();
    await write;
    expect((await waiting).status).toBe(200);
    expect((await reset()).status).toBe(200);
  });

  test("D138 a job of an order that the reset took away finds nothing to do", async () => {
    await makeAMess();
    const [gone] = (await get("/orders")).filter(({ status }: { status: string }) => status === "cancelled");
    await resetNow();
    const rows = await rowsOf();
    await orderJobs["release-held-tickets"](asSystem(app.deps, sandbox.id), { order_id: gone.id });
    expect(await rowsOf()).toEqual(rows);
  });
});

describe("D138 the chain of nights", () => {
  test("D138 each night plans the next in its own commit; a job that runs twice resets once", async () => {
    const planned = await jobsOf();
    const due = await dueAt();
    expect(planned.at(-1)).toMatchObject({ start_after: due, due_at: due.toISOString(), retry_limit: 10_000 });
    app.clock.set(due.toISOString());
    await runNight(due.toISOString());
    await makeAMess();
    const rows = await rowsOf();
    await runNight(due.toISOString());
    expect(await rowsOf()).toEqual(rows);
    expect(await jobsOf()).toHaveLength(planned.length + 1);
  });

  test("D138 two workers with the same night reset it once", async () => {
    const [before, due] = [await jobsOf(), await dueAt()];
    app.clock.set(due.toISOString());
    await Promise.all([runNight(due.toISOString()), runNight(due.toISOString())]);
    expect(await jobsOf()).toHaveLength(before.length + 1);
  });

  test("D138 missed nights are one reset, and the next one is tonight", async () => {
    const [before, due] = [await jobsOf(), await dueAt()];
    app.clock.set("2026-12-24T20:00:00Z");
    await runNight(due.toISOString());
    expect((await get("/reservations"))[0].date).toBe("2026-12-25");
    expect(await dueAt()).toEqual(new Date("2026-12-25T02:00:00Z"));
    expect(await jobsOf()).toHaveLength(before.length + 1);
  });

  test("D138 a reset by hand leaves the night as planned, unless it is overdue: then the chain goes on from there", async () => {
    const [before, due] = [await jobsOf(), await dueAt()];
    app.clock.set("2026-12-24T21:00:00Z");
    await resetNow();
    expect([await dueAt(), await jobsOf()]).toEqual([due, before]);
    app.clock.set("2026-12-30T21:00:00Z");
    await resetNow();
    expect(await dueAt()).toEqual(new Date("2026-12-31T02:00:00Z"));
    expect(await jobsOf()).toHaveLength(before.length + 1);
    const rows = await rowsOf();
    await runNight(due.toISOString());
    expect(await rowsOf()).toEqual(rows);
  });

  test("R1-13 a worker runs the night by itself", async () => {
    const cafe = await app.venue("gulf-cafe");
    const sandboxOfCafe = await openFor(cafe);
    const [dish] = await get("/items?per_page=1", sandboxOfCafe);
    await app.call(sandboxOfCafe.token, "PATCH", `/items/${dish.id}`, { body: { name: "Renamed" } });
    // Far ahead of the real clock, which the job engine goes by: the night after this one must not be due already.
    app.clock.set("2096-11-15T00:00:30Z");
    await app.database.asOwner("update jobs.job set start_after = now() where data ->> 'restaurant_id' = $1", [String(sandboxOfCafe.id)]);
    const worker = await startWorker(app.deps);
    for (const deadline = Date.now() + 15_000; (await jobsOf(sandboxOfCafe)).length < 2 && Date.now() < deadline; ) await sleep(50);
    await worker.stop();
    expect((await get(`/items/${dish.id}`, sandboxOfCafe)).name).toEqual(dish.name);
    expect(await dueAt(cafe)).toEqual(new Date("2096-11-16T00:00:00Z"));
  });
});

describe("D138 the clock of the place", () => {
  test("D138 an evening stays an evening when the clocks change, for the booking and for the table it holds", async () => {
    app.clock.set("2026-10-23T12:00:00Z");
    const athens = await app.venue("lab", (file) => Object.assign(file.restaurant, { slug: "athens", zone: "Europe/Athens" }));
    const inAthens = await openFor(athens);
    const held = () =>
      app.database.asOwner<{ from: Date; to: Date; is_same: boolean }>(
        `select lower(t.during) as from, upper(t.during) as to, t.during = tstzrange(r.starts_at, r.ends_at) as is_same
         from reservation_tables t join reservations r on r.restaurant_id = t.restaurant_id and r.id = t.reservation_id
         where t.restaurant_id = $1`,
        [inAthens.id],
      );
    expect(await held()).toEqual([{ from: new Date("2026-10-24T16:30:00Z"), to: new Date("2026-10-24T18:30:00Z"), is_same: true }]);
    for (const [now, evening, placed] of [
      ["2026-10-25T00:00:00Z", "2026-10-26T17:30:00.000Z", "2026-10-25T01:15:00+03:00"],
      ["2026-10-26T01:00:00Z", "2026-10-27T17:30:00.000Z", "2026-10-26T01:15:00+02:00"],
      ["2027-03-28T01:00:00Z", "2027-03-29T16:30:00.000Z", "2027-03-28T01:15:00+02:00"],
    ] as const) {
      app.clock.set(now);
      await runNight((await dueAt(athens)).toISOString(), inAthens);
      const [row] = await held();
      expect([row?.from.toISOString(), row?.is_same]).toEqual([evening, true]);
      const [order] = await get("/orders", inAthens);
      expect(order.placed_at).toBe(placed);
      expect(new Date(order.placed_at) < app.clock.now()).toBe(true);
      expect((await get("/reservations", inAthens))[0].time).toBe("19:30");
    }
  });

  test("D138 PostgreSQL knows every clock that a restaurant may have", async () => {
    const zones = ["UTC", ...Intl.supportedValuesOf("timeZone")];
    const unknown = await app.database.asOwner(
      "select zone from unnest($1::text[]) zone where zone not in (select name from pg_timezone_names)",
      [zones],
    );
    expect(unknown).toEqual([]);
  });
});
