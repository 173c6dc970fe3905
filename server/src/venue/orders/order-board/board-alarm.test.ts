/** The mail about orders that no screen has shown. */
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { placeLabOrder } from "../../../../test/support/console-bodies.ts";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { runRound } from "../../../compose/venue-rounds.ts";
import { openDb } from "../../../db/pool.ts";
import { unseenOrders } from "./jobs.ts";

const START = "2026-11-14T18:00:00Z";

let app: TestApp;
let lab: TestVenue;
let staff: TestUser;

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
  staff = await createUser(app, lab.slug, "staff", "sam@lab.example");
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.set(START);
  await app.database.asOwner("delete from notifications where restaurant_id = $1", [lab.id]);
  await app.database.asOwner("delete from board_readings where restaurant_id = $1", [lab.id]);
  await app.database.asOwner("update orders set status = 'rejected' where restaurant_id = $1", [lab.id]);
});

const after = (seconds: number): void => app.clock.set(new Date(Date.parse(START) + seconds * 1000).toISOString());
const readBoard = async (query = ""): Promise<string> => {
  const { status, body } = await staff.call("GET", `/venues/${lab.slug}/board${query}`);
  expect(status).toBe(200);
  return body.data.position;
};
const mailsAfter = async (seconds: number): Promise<string[]> => {
  after(seconds);
  await runRound(app.deps, unseenOrders);
  const rows = await app.database.asOwner<{ recipient: string }>(
    "select recipient from notifications where restaurant_id = $1 and kind = 'orders.unseen' order by recipient",
    [lab.id],
  );
  return rows.map(({ recipient }) => recipient);
};
/** The managers of the sample, which has a member of the staff as well. */
const MANAGERS = ["manager@example.com", "owner@example.com"];

test("an order that no screen has read for a minute is told to the managers, not to the staff", async () => {
  await readBoard();
  await placeLabOrder(app, lab);
  expect(await mailsAfter(59)).toEqual([]);
  expect(await mailsAfter(60)).toEqual(MANAGERS);
  const [mail] = await app.database.asOwner<{ subject: string; body: string }>(
    "select subject, body from notifications where restaurant_id = $1 order by id limit 1",
    [lab.id],
  );
  expect(mail?.subject).toContain("an order waits");
  expect(mail?.body).toMatch(/since \d\d:\d\d/);
});

test("a screen that reads the order, with the whole board or with what changed, keeps it quiet", async () => {
  for (const isWhole of [true, false]) {
    const position = await readBoard();
    const order = await placeLabOrder(app, lab);
    await readBoard(isWhole ? "" : `?after=${encodeURIComponent(position)}`);
    expect(await mailsAfter(120)).toEqual([]);
    await app.call(lab.token, "POST", `/orders/${order}/status`, { body: { status: "rejected" } });
    after(0);
  }
});

test("at most one alarm in 15 minutes, also from two processes at once", async () => {
  await readBoard();
  await placeLabOrder(app, lab);
  after(60);
  await Promise.all([runRound(app.deps, unseenOrders), runRound(app.deps, unseenOrders), runRound(app.deps, unseenOrders)]);
  await placeLabOrder(app, lab);
  expect(await mailsAfter(60 + 14 * 60)).toEqual(MANAGERS);
  expect(await mailsAfter(60 + 15 * 60)).toEqual([...MANAGERS, ...MANAGERS].toSorted());
});

test("no alarm for an accepted order, for a venue that does not use the board, and a day after it was last open", async () => {
  await placeLabOrder(app, lab);
  expect(await mailsAfter(120)).toEqual([]);
  after(0);
  await readBoard();
  await readBoard();
  const order = await placeLabOrder(app, lab);
  await app.call(lab.token, "POST", `/orders/${order}/status`, { body: { status: "accepted" } });
  await app.database.asOwner("update orders set status = 'rejected' where restaurant_id = $1 and status = 'placed'", [lab.id]);
  expect(await mailsAfter(120)).toEqual([]);
  await placeLabOrder(app, lab);
  expect(await mailsAfter(24 * 60 * 60 + 10)).toEqual([]);
});

test("an order for later is told of a minute after the kitchen should begin", async () => {
  await readBoard();
  await placeLabOrder(app, lab, { scheduled_for: "2026-11-14T19:00:00Z" });
  const [held] = await app.database.asOwner<{ held_until: Date }>(
    "select held_until from orders where restaurant_id = $1 and status = 'placed'",
    [lab.id],
  );
  const begins = ((held?.held_until.getTime() ?? 0) - Date.parse(START)) / 1000;
  expect(begins).toBeGreaterThan(600);
  expect(await mailsAfter(begins + 59)).toEqual([]);
  expect(await mailsAfter(begins + 60)).toEqual(MANAGERS);
});

test("a board that is cut is not recorded: the orders that it hides count as unseen", async () => {
  await readBoard();
  const order = await placeLabOrder(app, lab);
  await app.database.asOwner(
    `insert into orders select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(), 'status', 'accepted',
       'placed_at', o.placed_at - interval '1 hour'))).* from orders o, generate_series(1, 500) where o.id = $1`,
    [order],
  );
  const { body } = await staff.call("GET", `/venues/${lab.slug}/board`);
  expect([body.data.is_cut, body.data.orders.some((shown: { order: { id: string } }) => shown.order.id === order)]).toEqual([true, false]);
  expect(await mailsAfter(60)).toEqual(MANAGERS);
  await app.database.asOwner("delete from orders where restaurant_id = $1 and status = 'accepted'", [lab.id]);
});

test("a venue that fails does not keep the others from being told; a worker that stops tells no further one", async () => {
  const other = await app.venue("lab", (file) => {
    file.restaurant.slug = "second-lab";
  });
  const boss = await createUser(app, other.slug, "staff", "gale@lab.example");
  const failFor = (id: number) =>
    app.database.asOwner(
      `create or replace function planted() returns trigger language plpgsql as
         $$ begin if new.restaurant_id = ${id} and new.alarmed_at is not null then raise exception 'planted'; end if; return new; end $$;
       create or replace trigger planted before update on board_readings for each row execute function planted()`,
    );
  const alarmed = async (): Promise<number[]> =>
    (await app.database.asOwner<{ id: string }>("select restaurant_id as id from board_readings where alarmed_at is not null")).map(
      ({ id }) => Number(id),
    );
  await readBoard();
  expect((await boss.call("GET", `/venues/${other.slug}/board`)).status).toBe(200);
  for (const venue of [lab, other]) await placeLabOrder(app, venue);
  after(60);
  await runRound(app.deps, unseenOrders, () => true);
  expect(await alarmed()).toEqual([]);
  for (const [failing, told] of [
    [lab.id, other.id],
    [other.id, lab.id],
  ] as const) {
    await app.database.asOwner("update board_readings set alarmed_at = null");
    await failFor(failing);
    await runRound(app.deps, unseenOrders);
    expect(await alarmed()).toEqual([told]);
  }
  await app.database.asOwner("drop trigger planted on board_readings");
  await app.database.asOwner("delete from board_readings where restaurant_id = $1", [other.id]);
});

test("the search is one statement for all venues, and needs no tenant", async () => {
  const other = await app.venue("gulf-cafe");
  await readBoard();
  await placeLabOrder(app, lab);
  after(60);
  const found = await openDb(app.deps.pool).query(sql<{ id: number }>`select venues_with_unseen_orders(${app.clock.now()}, 10) as id`);
  expect(found.map(({ id }) => id)).toEqual([lab.id]);
  expect(other.id).not.toBe(lab.id);
});
