/** Payments count on the day and in the branch that were theirs when they were recorded; a repair adds what is missing once. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { DayBooking } from "@comanda/contract/console/bookings.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { countEarlierSales } from "#compose/earlier-sales.ts";
import { placeLabOrder } from "../../../test/support/console-bodies.ts";
import { createUser, type TestUser } from "../../../test/support/console-client.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../test/support/test-app.ts";
import { recordPayment } from "../orders/payments/service.ts";
import { listDifferences, listMonthDifferences, repairMonths, repairSums } from "./service.ts";

const NOW = "2026-11-20T18:00:00Z";
const TODAY = "2026-11-20";
const SPAN = ["2026-11-10", "2026-11-30"] as const;

let app: TestApp;
let lab: TestVenue;
let manager: TestUser;
let branches: Record<string, number>;

beforeAll(async () => {
  app = await startApp();
  app.clock.set(NOW);
  lab = await app.venue("lab");
  manager = await createUser(app, lab.slug, "manager", "max@lab.example");
  const rows = await app.database.asOwner<{ key: string; id: string }>("select key, id from branches where restaurant_id = $1", [lab.id]);
  branches = Object.fromEntries(rows.map(({ key, id }) => [key, Number(id)]));
});
afterAll(() => app.close());

const inLab = <T>(work: Parameters<typeof forVenue<T>>[2]): Promise<T> => forVenue(app.deps, lab.slug, work);
const send = async (method: "GET" | "POST", path: string, body?: object) => {
  const answer = await manager.call(method, `/venues/${lab.slug}${path}`, {
    ...(body ? { body } : {}),
    headers: { "idempotency-key": randomUUID() },
  });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body.data;
};
const differences = () => inLab(async (ctx) => [...(await listDifferences(ctx, ...SPAN)), ...(await listMonthDifferences(ctx))]);
const methodSums = async (branch: string) =>
  (await send("GET", `/reports/sales?by=method&from=${TODAY}&to=${TODAY}&branch=${branches[branch]}`)).rows;

const paidDeposit = async (): Promise<DayBooking> => {
  const booking = await send("POST", "/bookings", { name: "Ada", phone: "+1 555 0100", party_size: 2, date: TODAY, time: "19:00" });
  const deposit = (seen: DayBooking, path: string, body: object) =>
    send("POST", `/bookings/${seen.reservation.id}/${path}`, { seen_version: seen.version, ...body });
  return deposit(await deposit(booking, "deposit", { amount_minor: 2000 }), "payments", { method: "cash" });
};

test("another zone of the venue and another branch of the booking leave the day and branch of what was paid", async () => {
  const { reservation } = await paidDeposit();
  const order = await placeLabOrder(app, lab);
  await inLab((ctx) => recordPayment(ctx, order, { method: "card_terminal", amount_minor: 300 }));
  const takings = await send("GET", `/takings?date=${TODAY}`);
  expect(takings.rows.map(({ method, taken_minor }: { method: string; taken_minor: number }) => [method, taken_minor])).toEqual([
    ["card_terminal", 300],
    ["cash", 2000],
  ]);
  expect(await methodSums("main")).toContainEqual({ key: "cash", name: null, count: 1, amount_minor: 2000, refunded_minor: 0 });
  const behind = `/reports/orders?by=method&key=card_terminal&from=${TODAY}&to=${TODAY}`;
  const listed = (await send("GET", behind)).rows;
  expect(listed).toHaveLength(1);

  await app.database.asOwner("update reservations set branch_id = $2 where id = $1", [reservation.id, branches.annex]);
  await app.database.asOwner("update restaurants set zone = 'Pacific/Auckland' where id = $1", [lab.id]);
  expect(await differences()).toEqual([]);
  expect(await inLab((ctx) => repairSums(ctx, ...SPAN))).toEqual([]);
  expect((await send("GET", `/takings?date=${TODAY}`)).rows).toEqual(takings.rows);
  expect((await send("GET", behind)).rows.map(({ id }: { id: string }) => id)).toEqual(listed.map(({ id }: { id: string }) => id));

  // On Auckland's clock the booking is in the morning of the next day.
  const { version } = (await send("GET", "/bookings?date=2026-11-21")).bookings.find(
    (one: DayBooking) => one.reservation.id === reservation.id,
  );
  await send("POST", `/bookings/${reservation.id}/refunds`, { seen_version: version, reason: "called in time" });
  expect(await differences()).toEqual([]);
  // In Auckland it is the next day already: the refund counts there, in the branch of its payment.
  const [refunded] = await app.database.asOwner<{ date: string; branch_id: number }>(
    "select date::text as date, branch_id::integer as branch_id from sales_rollups where restaurant_id = $1 and kind = 'refund'",
    [lab.id],
  );
  expect(refunded).toEqual({ date: "2026-11-21", branch_id: branches.main });
  await app.database.asOwner("update restaurants set zone = 'UTC' where id = $1", [lab.id]);
});

test("a payment of a process of the release before, which names neither day nor branch, gets them from the database", async () => {
  const order = await placeLabOrder(app, lab);
  const [row] = await app.database.asOwner<{ service_day: string; branch_id: string; of_order: string }>(
    `with paid as (
       insert into payments (restaurant_id, order_id, method, amount_minor, recorded_by, recorded_at)
       values ($1, $2, 'cash', 100, 'Sam', '2026-11-20T04:59:00Z') returning restaurant_id, id, order_id, service_day, branch_id
     ), back as (
       insert into refunds (restaurant_id, payment_id, amount_minor, recorded_by, refunded_at)
       select restaurant_id, id, 100, 'Sam', '2026-11-20T05:00:00Z' from paid returning service_day
     )
     select p.service_day::text || ' ' || b.service_day::text as service_day, p.branch_id, o.branch_id as of_order
     from paid p, back b, orders o where o.id = p.order_id`,
    [lab.id, order],
  );
  expect(row?.service_day).toBe("2026-11-19 2026-11-20");
  expect(row?.branch_id).toBe(row?.of_order);
  expect((await differences()).length).toBeGreaterThan(0);
  expect((await inLab((ctx) => repairSums(ctx, ...SPAN))).map(({ kind }) => kind)).toEqual(["payment", "refund"]);
  expect(await differences()).toEqual([]);
});

/** One repair that is not committed yet, and beside it, on connections of their own, another repair and the count of earlier sales. */
const repairAtOnce = async (): Promise<void> => {
  await app.database.asOwner("delete from sales_rollups where restaurant_id = $1", [lab.id]);
  await app.database.asOwner("delete from sales_backfills where restaurant_id = $1", [lab.id]);
  await app.database.asOwner(
    "insert into sales_backfills (restaurant_id, rounds_left, before, due_at) values ($1, 1, '2026-11-24', '2020-01-01')",
    [lab.id],
  );
  let others: Promise<unknown> = Promise.resolve();
  await inLab(async (ctx) => {
    await repairSums(ctx, ...SPAN);
    others = Promise.all([inLab((second) => repairSums(second, ...SPAN)), countEarlierSales(app.deps)]);
    await sleep(300);
  });
  await others;
};

test("two repairs and the worker at once add what is missing once; planted: without their lock it is added again", async () => {
  await placeLabOrder(app, lab);
  await repairAtOnce();
  expect(await differences()).toEqual([]);
  const [{ definition } = { definition: "" }] = await app.database.asOwner<{ definition: string }>(
    "select pg_get_functiondef('lock_sums'::regproc) as definition",
  );
  await app.database.asOwner("create or replace function lock_sums(venue bigint) returns void language sql as 'select null::void'");
  await repairAtOnce();
  const doubled = await differences();
  expect(doubled.find(({ kind }) => kind === "channel")?.count).toBeLessThan(0);
  await app.database.asOwner(definition);
  await inLab((ctx) => repairSums(ctx, ...SPAN));
  await inLab(repairMonths);
  expect(await differences()).toEqual([]);
});
