/** More open orders than a screen is given: the limit counts what the screen shows, and no change is named without its tickets. */
import type { Kitchen, KitchenTicket } from "@comanda/contract/console/kitchen.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { pairScreen, type TestScreen } from "../../../../test/support/paired-screen.ts";
import { startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";

const ORDERS_MAX = 300;

let app: TestApp;
let lab: TestVenue;
let manager: TestUser;
let branches: number[];

beforeAll(async () => {
  app = await startApp();
  app.clock.set(new Date().toISOString());
  lab = await app.venue("lab");
  manager = await createUser(app, lab.slug, "manager");
  const screens = (await manager.call("GET", `/venues/${lab.slug}/screens`)).body.data;
  branches = screens.branches.map(({ id }: { id: number }) => id);
  // Many orders of one branch, each with a ticket at two stations, all older than the single order of the other branch.
  await insertOrders({ count: ORDERS_MAX + 20, branch: branches[0] ?? 0, stations: ["Bench", "kitchen"], minutesAgo: 60 });
  await insertOrders({ count: 1, branch: branches[1] ?? 0, stations: ["Shelf"], minutesAgo: 5 });
});
afterAll(() => app.close());

type Inserted = { count: number; branch: number; stations: string[]; minutesAgo: number; state?: "fired" | "done" };
const insertOrders = async ({ count, branch, stations, minutesAgo, state = "fired" }: Inserted): Promise<void> => {
  await app.database.asOwner(
    `with placed as (
       insert into orders (restaurant_id, id, status, type, channel, currency, subtotal_minor, discount_minor, service_charge_minor,
         tax_added_minor, delivery_fee_minor, total_minor, lines, placed_at, updated_at, number, branch_id, promised_at)
       select $1, gen_random_uuid(), 'accepted', 'pickup', 'web', 'EUR', 100, 0, 0, 0, 0, 100, '[]', moment, moment, n, $3, moment
       from generate_series(1, $2::integer) n,
         lateral (select now() - $5::integer * interval '1 minute' + n * interval '10 milliseconds' as moment) m
       returning restaurant_id, id, placed_at
     )
     insert into tickets (restaurant_id, order_id, station, state, lines, created_at, updated_at, fired_at, done_at)
     select restaurant_id, id, station, $6, '[]', placed_at, placed_at, placed_at, case when $6 = 'done' then placed_at end
     from placed, unnest($4::text[]) station`,
    [lab.id, count, branch, stations, minutesAgo, state],
  );
};
const read = async (screen: TestScreen, query = ""): Promise<Kitchen> => (await screen.call("GET", `/kitchen${query}`)).body.data;

test("a screen of a station or of a branch gets its tickets, however many others have older ones", async () => {
  const shelf = await read(await pairScreen(app, lab.slug, manager, { stations: ["Shelf"] }));
  expect([shelf.tickets.map(({ station }) => station), shelf.is_cut]).toEqual([["Shelf"], false]);
  const annex = await read(await pairScreen(app, lab.slug, manager, { branch_id: branches[1] ?? null }));
  expect([annex.tickets.map(({ station }) => station), annex.is_cut]).toEqual([["Shelf"], false]);
  // Orders of two branches can have the same number: a screen of both names them.
  expect([shelf.branches.map(({ id }) => id), annex.branches]).toEqual([branches, []]);
  const bench = await read(await pairScreen(app, lab.slug, manager, { stations: ["Bench"] }));
  expect([bench.tickets.length, bench.is_cut]).toEqual([ORDERS_MAX, true]);
});

test("above the limit the newest tickets are shown, the oldest of them first", async () => {
  await insertOrders({ count: 1, branch: branches[0] ?? 0, stations: ["Bench"], minutesAgo: 1 });
  const { tickets } = await read(await pairScreen(app, lab.slug, manager, { stations: ["Bench"] }));
  const times = tickets.map(({ fired_at }) => fired_at);
  expect([times.length, times]).toEqual([ORDERS_MAX, times.toSorted()]);
  expect(Date.now() - new Date(times.at(-1) ?? 0).getTime()).toBeLessThan(10 * 60_000);
});

test("tickets from before the previous day of service are left out, those of yesterday are not", async () => {
  const screen = await pairScreen(app, lab.slug, manager);
  await app.database.asOwner("update screens set stations = '{Attic}' where id = $1", [screen.id]);
  const countAfter = async (minutesAgo: number): Promise<number> => {
    await insertOrders({ count: 1, branch: branches[0] ?? 0, stations: ["Attic"], minutesAgo });
    return (await read(screen)).tickets.length;
  };
  const day = 24 * 60;
  expect([await countAfter(3 * day), await countAfter(day), await countAfter(5)]).toEqual([0, 1, 2]);
  const { position } = await read(screen);
  await changeOrders(ORDERS_MAX);
  expect((await read(screen, `?after=${encodeURIComponent(position)}`)).tickets.length).toBeLessThanOrEqual(2);
});

test("the limit counts orders, not tickets", async () => {
  const whole = await read(await pairScreen(app, lab.slug, manager));
  expect([new Set(whole.tickets.map(({ order_id }) => order_id)).size, whole.is_cut]).toEqual([ORDERS_MAX, true]);
});

test("closed tickets of other stations and branches leave room for the screen's own", async () => {
  await insertOrders({ count: 1, branch: branches[1] ?? 0, stations: ["Shelf"], minutesAgo: 30, state: "done" });
  await insertOrders({ count: ORDERS_MAX + 20, branch: branches[0] ?? 0, stations: ["Bench"], minutesAgo: 20, state: "done" });
  const parts: Parameters<typeof pairScreen>[3][] = [{ stations: ["Shelf"] }, { branch_id: branches[1] ?? null }];
  for (const settings of parts) {
    const done: KitchenTicket[] = (await (await pairScreen(app, lab.slug, manager, settings)).call("GET", "/kitchen/done")).body.data;
    expect(done.map(({ station }) => station)).toEqual(["Shelf"]);
  }
});

/** One commit that changed this many orders. */
const changeOrders = (count: number) =>
  app.database.asOwner(
    `with counter as (update change_counters set number = number + 1 where restaurant_id = $1 returning number)
     insert into changes (restaurant_id, number, position, area, subject, at)
     select $1, counter.number, row_number() over (), 'tickets', o.id::text, now()
     from counter, (select id from orders where restaurant_id = $1 limit $2) o`,
    [lab.id, count],
  );

test("more changed orders than a screen is given are answered with the whole kitchen", async () => {
  const screen = await pairScreen(app, lab.slug, manager, { stations: ["Shelf"] });
  const after = async (count: number): Promise<Kitchen> => {
    const { position } = await read(screen);
    await changeOrders(count);
    return read(screen, `?after=${encodeURIComponent(position)}`);
  };
  const few = await after(ORDERS_MAX);
  expect([few.is_whole, few.changed_orders.length]).toEqual([false, ORDERS_MAX]);
  const many = await after(ORDERS_MAX + 1);
  expect([many.is_whole, many.changed_orders, many.tickets.length]).toEqual([true, [], 1]);
});
