/** Tickets of an order that is placed while the venue is closed: held, and released at the opening by a job. */
import { setTimeout as sleep } from "node:timers/promises";
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asSystem } from "#compose/as-system.ts";
import { startWorker } from "#compose/worker.ts";
import { enqueue } from "#platform/jobs/service.ts";
import { startApp, type TestApp, type TestVenue } from "../../../test/support/test-app.ts";
import { orderJobs } from "../orders/jobs.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

let app: TestApp;
let evening: TestVenue;
let itemId: number;

/** Open every evening, with a menu that is always on. */
const evenings = (file: VenueFile): void => {
  file.restaurant.zone = "UTC";
  for (const branch of file.branches) {
    branch.hours = [{ days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], from: "18:00", to: "23:00" }];
    branch.closing_days = [];
  }
  for (const menu of file.menus) {
    menu.hours = null;
    for (const category of menu.categories) category.hours = null;
  }
};

beforeAll(async () => {
  app = await startApp();
  evening = await app.venue("trattoria", evenings);
  const { body } = await app.call(evening.token, "GET", "/items?per_page=100&available=true");
  itemId = body.data.find(
    (item: { price_minor: number; modifier_groups: unknown[] }) => item.price_minor && item.modifier_groups.length === 0,
  ).id;
});
afterAll(() => app.close());

const place = async (scheduledFor: string | null = null): Promise<string> => {
  const guest = { customer_name: "Ada", customer_phone: "+39 055 1" };
  const body = { type: "pickup", ...guest, scheduled_for: scheduledFor, lines: [{ item_id: itemId, quantity: 1 }] };
  const answer = await app.call(evening.token, "POST", "/orders", { body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data.id;
};
const move = (id: string, status: string) => app.call(evening.token, "POST", `/orders/${id}/status`, { body: { status } });
const statesOf = async (orderId: string): Promise<string[]> => {
  const rows = await app.database.asOwner<{ state: string }>("select state from tickets where order_id = $1 order by id", [orderId]);
  return rows.map(({ state }) => state);
};
const jobsOf = (orderId: string) =>
  app.database.asOwner<{ start_after: Date; state: string }>(
    "select start_after, state from jobs.job where name = 'release-held-tickets' and data->>'order_id' = $1",
    [orderId],
  );
const release = (orderId: string) => orderJobs["release-held-tickets"](asSystem(app.deps, evening.id), { order_id: orderId });

test("D94 held at placing with a job for the opening; queued when it has run, and a second run changes nothing", async () => {
  app.clock.set("2026-11-16T10:00:00Z");
  const held = await place();
  expect(await statesOf(held)).toEqual(["held"]);
  expect(await jobsOf(held)).toEqual([{ start_after: new Date("2026-11-16T18:00:00Z"), state: "created" }]);
  app.clock.set("2026-11-16T18:00:00Z");
  await release(held);
  expect(await statesOf(held)).toEqual(["queued"]);
  await move(held, "accepted");
  await release(held);
  expect(await statesOf(held)).toEqual(["fired"]);
});

test("accepting an order for later does not start it; it is fired when its time has come", async () => {
  app.clock.set("2026-11-16T10:00:00Z");
  const held = await place();
  await move(held, "accepted");
  expect(await statesOf(held)).toEqual(["held"]);
  app.clock.set("2026-11-16T18:00:00Z");
  await release(held);
  expect(await statesOf(held)).toEqual(["fired"]);
});

test("a chosen time: held until preparation has to begin, not before the opening", async () => {
  app.clock.set("2026-11-16T10:00:00Z");
  const [late, early] = [await place("2026-11-16T20:00:00Z"), await place("2026-11-16T18:10:00Z")];
  expect(await jobsOf(late)).toEqual([{ start_after: new Date("2026-11-16T19:40:00Z"), state: "created" }]);
  expect(await jobsOf(early)).toEqual([{ start_after: new Date("2026-11-16T18:00:00Z"), state: "created" }]);
  app.clock.set("2026-11-16T19:45:00Z");
  const soon = await place("2026-11-16T20:00:00Z");
  expect([await statesOf(soon), await jobsOf(soon)]).toEqual([["queued"], []]);
});

test("an order placed while the venue is open has no such job", async () => {
  app.clock.set("2026-11-16T19:00:00Z");
  const order = await place();
  expect(await statesOf(order)).toEqual(["queued"]);
  expect(await jobsOf(order)).toEqual([]);
});

test("D101 an order that is rejected or cancelled before the opening stays out of the kitchen", async () => {
  app.clock.set("2026-11-17T10:00:00Z");
  for (const status of ["rejected", "cancelled"]) {
    const order = await place();
    await move(order, status);
    app.clock.set("2026-11-17T18:00:00Z");
    await release(order);
    expect(await statesOf(order), status).toEqual(["withdrawn"]);
    app.clock.set("2026-11-17T10:00:00Z");
  }
});

test("an order whose price was refused leaves no job behind", async () => {
  app.clock.set("2026-11-18T10:00:00Z");
  const before = await app.database.asOwner("select from jobs.job");
  const body = { type: "pickup", customer_name: "Ada", customer_phone: "1", lines: [{ item_id: 999_999_999, quantity: 1 }] };
  expect((await app.call(evening.token, "POST", "/orders", { body, headers: { "idempotency-key": "refused" } })).status).toBe(422);
  expect(await app.database.asOwner("select from jobs.job")).toHaveLength(before.length);
});

const untilReleased = async (orderId: string): Promise<void> => {
  for (const deadline = Date.now() + 5000; (await statesOf(orderId))[0] === "held" && Date.now() < deadline; ) await sleep(20);
  expect(await statesOf(orderId)).toEqual(["queued"]);
};

test("end to end: an order over HTTP, and a worker that finds its opening has come", async () => {
  // The job is due by the database's own clock, so the venue's is put some days before it.
  app.clock.set(`${new Date(Date.now() - 3 * DAY_MS).toISOString().slice(0, 10)}T10:00:00Z`);
  const worker = await startWorker(app.deps);
  const order = await place();
  await untilReleased(order);
  await worker.stop();
});

test("end to end on the real clock: a job for the next second runs then, not before and hardly later", async () => {
  app.clock.set("2031-11-18T10:00:00Z");
  const order = await place();
  const worker = await startWorker(app.deps);
  const startAfter = new Date(Date.now() + 1500);
  await asSystem(app.deps, evening.id)((ctx) => enqueue(ctx, "release-held-tickets", { order_id: order }, { startAfter }));
  await sleep(startAfter.getTime() - Date.now() - 200);
  expect(await statesOf(order)).toEqual(["held"]);
  await untilReleased(order);
  console.info(`released ${Date.now() - startAfter.getTime()} ms after the moment`);
  await worker.stop();
});
