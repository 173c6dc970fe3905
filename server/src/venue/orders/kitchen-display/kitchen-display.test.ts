/** The kitchen display over HTTP: which tickets a screen shows, what a tap does, and when an order becomes ready. */
import { randomUUID } from "node:crypto";
import type { KitchenTicket } from "@comanda/contract/console/kitchen.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asSystem } from "#compose/as-system.ts";
import { eraseGuest } from "#venue/guest-records/erasure/service.ts";
import { orderJobs } from "#venue/orders/jobs.ts";
import { placeLabOrder } from "../../../../test/support/console-bodies.ts";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { pairScreen, type TestScreen } from "../../../../test/support/paired-screen.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";

let app: TestApp;
let lab: TestVenue;
let manager: TestUser;
let screen: TestScreen;
let stations: string[];

beforeAll(async () => {
  app = await startApp();
  app.clock.set(new Date().toISOString());
  // Each category has a station of its own.
  lab = await app.venue("lab", (file) => {
    for (const menu of file.menus) menu.hours = null;
    for (const [index, category] of file.menus.flatMap((menu) => menu.categories).entries()) {
      category.station = `station ${index}`;
      category.hours = null;
    }
  });
  manager = await createUser(app, lab.slug, "manager");
  screen = await pairScreen(app, lab.slug, manager);
  ({ stations } = (await manager.call("GET", `/venues/${lab.slug}/screens`)).body.data);
});
afterAll(() => app.close());

const move = (id: string, status: string, reason?: string) =>
  app.call(lab.token, "POST", `/orders/${id}/status`, { body: { status, ...(reason ? { reason } : {}) } });
const statusOf = async (id: string): Promise<string> => (await app.call(lab.token, "GET", `/orders/${id}`)).body.data.status;

const accepted = async (changes: Record<string, unknown> = {}): Promise<string> => {
  const id = await placeLabOrder(app, lab, changes);
  expect((await move(id, "accepted")).status).toBe(200);
  return id;
};
const readTickets = async (of: TestScreen, query = ""): Promise<KitchenTicket[]> =>
  (await of.call("GET", `/kitchen${query}`)).body.data.tickets;
const ticketOf = async (order: string, of = screen): Promise<KitchenTicket> => {
  const ticket = (await readTickets(of)).find(({ order_id }) => order_id === order);
  if (!ticket) throw new Error("The screen does not show the ticket");
  return ticket;
};
const change = (id: number, body: object, of = screen, key: string = randomUUID()) =>
  of.call("POST", `/kitchen/tickets/${id}`, { body, headers: { "idempotency-key": key } });
const bump = (id: number, of = screen) => change(id, { change: "bump", seen_state: "fired" }, of);

type ReadyJob = { data: { order_id: string; done_at: string; screen_id: number | null; restaurant_id: number } };
const readyJobs = (order: string): Promise<ReadyJob[]> =>
  app.database.asOwner<ReadyJob>("select data from jobs.job where name = 'finish-cooking' and data->>'order_id' = $1 order by created_on", [
    order,
  ]);
const runJob = ({ data }: ReadyJob) => orderJobs["finish-cooking"](asSystem(app.deps, lab.id), data);

type Sold = { id: number; category_id: number; price_minor: number | null; modifier_groups: { min: number }[]; variants: unknown[] };
const listPlainDishes = async (): Promise<Sold[]> => {
  const { data } = (await app.call(lab.token, "GET", "/items?per_page=100&available=true")).body;
  return (data as Sold[]).filter(
    ({ price_minor, modifier_groups, variants }) => price_minor !== null && variants.length === 0 && modifier_groups.length === 0,
  );
};
const acceptedDishes = (dishes: (Sold | undefined)[]): Promise<string> =>
  accepted({ lines: dishes.map((item) => ({ item_id: item?.id, quantity: 1 })) });

/** Two dishes of different stations. */
const placeAtTwoStations = async (): Promise<string> => {
  const plain = await listPlainDishes();
  const [first] = plain;
  return acceptedDishes([first, plain.find(({ category_id }) => category_id !== first?.category_id)]);
};

const strike = async (order: string, place: number): Promise<void> => {
  const line = (await app.call(lab.token, "GET", `/orders/${order}`)).body.data.items[place].id;
  const wanted = { body: { seen_status: await statusOf(order), reason: "ordered twice" }, headers: { "idempotency-key": randomUUID() } };
  expect((await manager.call("POST", `/venues/${lab.slug}/orders/${order}/lines/${line}/strike`, wanted)).status).toBe(200);
};

test("a ticket appears when the order is accepted, with what the cook needs, and leaves with the bump", async () => {
  const waiting = await placeLabOrder(app, lab);
  expect((await readTickets(screen)).some(({ order_id }) => order_id === waiting)).toBe(false);
  const order = await accepted({ note: "No salt" });
  const ticket = await ticketOf(order);
  expect(ticket).toMatchObject({ state: "fired", type: "pickup", customer_name: "Ada", note: "No salt", is_priority: false });
  expect(ticket.lines).toMatchObject([{ index: 0, quantity: 1, is_done: false, is_struck: false }]);
  expect(ticket.lines[0]?.item_id).toBeGreaterThan(0);
  const bumped = await bump(ticket.id);
  expect([bumped.status, bumped.body.data.state]).toEqual([200, "done"]);
  expect((await readTickets(screen)).some(({ order_id }) => order_id === order)).toBe(false);
  const [last] = (await screen.call("GET", "/kitchen/done")).body.data;
  expect(last.elsewhere).toEqual([]);
  expect([last.id, last.state]).toEqual([ticket.id, "done"]);
});

test("what changed after a position names the orders, and a screen shows its stations alone", async () => {
  const { position } = (await screen.call("GET", "/kitchen")).body.data;
  const order = await placeAtTwoStations();
  const after = (await screen.call("GET", `/kitchen?after=${encodeURIComponent(position)}`)).body.data;
  expect([after.is_whole, after.changed_orders]).toEqual([false, [order]]);
  expect(after.tickets).toHaveLength(2);
  const [one, other] = after.tickets as KitchenTicket[];
  expect(one?.elsewhere).toEqual([{ station: other?.station, state: "fired" }]);
  const grill = await pairScreen(app, lab.slug, manager, { stations: [one?.station ?? ""] });
  const own = (await readTickets(grill)).filter(({ order_id }) => order_id === order);
  expect(own.map(({ id }) => id)).toEqual([one?.id]);
  expect((await bump(other?.id ?? 0, grill)).status).toBe(404);
  expect(stations).toContain(one?.station);
});

test("the last station's bump makes the order ready 20 s later, by the screen; a recall in time keeps it", async () => {
  const order = await placeAtTwoStations();
  const [one, other] = (await readTickets(screen)).filter(({ order_id }) => order_id === order);
  await bump(one?.id ?? 0);
  expect(await readyJobs(order)).toEqual([]);
  const closed: KitchenTicket[] = (await screen.call("GET", "/kitchen/done")).body.data;
  expect(closed.find(({ id }) => id === one?.id)?.elsewhere).toEqual([{ station: other?.station, state: "fired" }]);
  await bump(other?.id ?? 0);
  const [first] = await readyJobs(order);
  const recall = { change: "recall", seen_state: "done" };
  expect((await change(other?.id ?? 0, recall)).body.data.state).toBe("fired");
  await runJob(first as ReadyJob);
  expect(await statusOf(order)).toBe("accepted");
  app.clock.set(new Date(Date.now() + 5000).toISOString());
  await bump(other?.id ?? 0);
  const [, second] = await readyJobs(order);
  await runJob(first as ReadyJob);
  expect(await statusOf(order)).toBe("accepted");
  await runJob(second as ReadyJob);
  expect(await statusOf(order)).toBe("ready");
  app.clock.set(new Date().toISOString());
  const entries = await app.database.asOwner(
    "select actor_kind, actor_name from audit_entries where subject_id = $1 and action = 'order.moved' and after ->> 'status' = 'ready'",
    [order],
  );
  expect(entries).toEqual([{ actor_kind: "screen", actor_name: "Kitchen" }]);
  expect((await change(one?.id ?? 0, recall)).body.data.state).toBe("fired");
  expect(await statusOf(order)).toBe("ready");
});

test("of two last bumps at once, the one that waited for the other may have begun earlier: the order becomes ready all the same", async () => {
  const order = await placeAtTwoStations();
  const [one, other] = (await readTickets(screen)).filter(({ order_id }) => order_id === order);
  const begun = Date.now();
  app.clock.set(new Date(begun + 40).toISOString());
  await bump(one?.id ?? 0);
  app.clock.set(new Date(begun).toISOString());
  await bump(other?.id ?? 0);
  for (const job of await readyJobs(order)) await runJob(job);
  expect(await statusOf(order)).toBe("ready");
});

test("an order whose last open ticket is struck becomes ready, also when a ticket was recalled before", async () => {
  const order = await placeAtTwoStations();
  const [one, other] = (await readTickets(screen)).filter(({ order_id }) => order_id === order);
  await bump(one?.id ?? 0);
  expect(await readyJobs(order)).toEqual([]);
  await strike(order, 1);
  const [planned] = await readyJobs(order);
  expect(planned?.data.screen_id).toBeNull();
  await runJob(planned as ReadyJob);
  expect(await statusOf(order)).toBe("ready");
  const entries = await app.database.asOwner(
    "select actor_kind from audit_entries where subject_id = $1 and action = 'order.moved' and after ->> 'status' = 'ready'",
    [order],
  );
  expect(entries).toEqual([{ actor_kind: "system" }]);
  expect((await ticketOf(order)).id).toBe(other?.id);

  const recalled = await placeAtTwoStations();
  const [first, second] = (await readTickets(screen)).filter(({ order_id }) => order_id === recalled);
  await bump(first?.id ?? 0);
  app.clock.advance(1000);
  await bump(second?.id ?? 0);
  await change(second?.id ?? 0, { change: "recall", seen_state: "done" });
  await strike(recalled, 1);
  const [pending, next] = await readyJobs(recalled);
  await runJob(pending as ReadyJob);
  expect(await statusOf(recalled)).toBe("accepted");
  await runJob(next as ReadyJob);
  expect(await statusOf(recalled)).toBe("ready");
});

test("a strike that leaves something to cook, or an order without a bumped ticket, plans nothing", async () => {
  const [first, second] = await listPlainDishes();
  const order = await acceptedDishes([first, second]);
  await strike(order, 0);
  expect(await readyJobs(order)).toEqual([]);
  const apart = await placeAtTwoStations();
  await strike(apart, 0);
  expect(await readyJobs(apart)).toEqual([]);
});

test("a line that is struck after the bump is not to be cooked after a recall", async () => {
  const plain = await listPlainDishes();
  const [first] = plain;
  const order = await acceptedDishes([first, plain.find(({ id, category_id }) => id !== first?.id && category_id === first?.category_id)]);
  const { id, lines } = await ticketOf(order);
  expect(lines).toHaveLength(2);
  await bump(id);
  await strike(order, 0);
  const closed: KitchenTicket[] = (await screen.call("GET", "/kitchen/done")).body.data;
  expect(closed.find((ticket) => ticket.id === id)).toMatchObject({ state: "done", lines: [{ is_struck: true }, { is_struck: false }] });
  const recalled = await change(id, { change: "recall", seen_state: "done" });
  expect(recalled.body.data).toMatchObject({ state: "fired", lines: [{ is_struck: true }, { is_struck: false }] });
});

test("a bumped ticket whose last line is struck cannot be recalled, needs no acknowledgement, and does not hold the order up", async () => {
  const order = await placeAtTwoStations();
  const [one, other] = (await readTickets(screen)).filter(({ order_id }) => order_id === order);
  await bump(one?.id ?? 0);
  await strike(order, 0);
  const closed: KitchenTicket[] = (await screen.call("GET", "/kitchen/done")).body.data;
  expect(closed.some(({ id }) => id === one?.id)).toBe(false);
  const recalled = await change(one?.id ?? 0, { change: "recall", seen_state: "done" });
  expect([recalled.status, recalled.body.error.details.ticket.state]).toEqual([409, "voided"]);
  expect((await readTickets(screen)).filter(({ order_id }) => order_id === order).map(({ id }) => id)).toEqual([other?.id]);
  app.clock.advance(1000);
  await bump(other?.id ?? 0);
  const jobs = await readyJobs(order);
  expect(jobs).toHaveLength(1);
  await runJob(jobs[0] as ReadyJob);
  expect(await statusOf(order)).toBe("ready");
});

test("the answer to a change has the time of change that the ticket keeps, and each change a later one", async () => {
  const ticket = await ticketOf(await accepted());
  const times = [ticket.changed_at];
  // A transaction that began before the last change.
  app.clock.set(new Date(Date.now() - 60_000).toISOString());
  for (const kind of ["priority", "no_priority"]) {
    const { changed_at } = (await change(ticket.id, { change: kind, seen_state: "fired" })).body.data;
    expect((await ticketOf(ticket.order_id)).changed_at).toBe(changed_at);
    times.push(changed_at);
  }
  app.clock.set(new Date(Date.now() + 60_000).toISOString());
  times.push((await change(ticket.id, { change: "priority", seen_state: "fired" })).body.data.changed_at);
  expect((await ticketOf(ticket.order_id)).changed_at).toBe(times.at(-1));
  app.clock.set(new Date().toISOString());
  await move(ticket.order_id, "cancelled");
  times.push((await ticketOf(ticket.order_id)).changed_at);
  expect(times).toEqual([...new Set(times)].toSorted((a, b) => a.localeCompare(b)));
  expect(times).toHaveLength(5);
});

test("of two screens that bump one ticket, one does, and the other is told who", async () => {
  const ticket = await ticketOf(await accepted());
  const colleague = await pairScreen(app, lab.slug, manager, { name: "Pass" });
  const answers = await Promise.all([bump(ticket.id), bump(ticket.id, colleague)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const lost = answers.find(({ status }) => status === 409)?.body.error;
  expect([lost.code, lost.details.ticket.state, ["Kitchen", "Pass"].includes(lost.details.changed_by)]).toEqual([
    "state_changed",
    "done",
    true,
  ]);
  const entries = await app.database.asOwner("select from audit_entries where action = 'ticket.bumped' and after ->> 'ticket_id' = $1", [
    String(ticket.id),
  ]);
  expect(entries).toHaveLength(1);
});

test("one key has one effect, however often it is sent", async () => {
  const ticket = await ticketOf(await accepted());
  const key = randomUUID();
  const wanted = { change: "bump", seen_state: "fired" };
  const answers = [await change(ticket.id, wanted, screen, key), await change(ticket.id, wanted, screen, key)];
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers[1]?.text).toBe(answers[0]?.text);
});

test("lines, priority and acknowledgements", async () => {
  const order = await placeAtTwoStations();
  const ticket = await ticketOf(order);
  const line = (kind: string, index: number) => change(ticket.id, { change: kind, seen_state: "fired", line: index });
  const done = await line("line_done", 0);
  expect(done.status, done.text).toBe(200);
  expect(done.body.data.lines[0].is_done).toBe(true);
  expect((await line("line_done", 0)).body.data.lines[0].is_done).toBe(true);
  expect((await line("line_open", 0)).body.data.lines[0].is_done).toBe(false);
  expect((await line("line_done", 7)).body.error.details).toHaveProperty("line");
  expect((await change(ticket.id, { change: "priority", seen_state: "fired" })).body.data.is_priority).toBe(true);
  expect((await change(ticket.id, { change: "no_priority", seen_state: "fired" })).body.data.is_priority).toBe(false);
  expect((await change(ticket.id, { change: "recall", seen_state: "fired" })).status).toBe(409);
  await strike(order, 0);
  const struck = await ticketOf(order);
  expect([struck.state, struck.lines[0]?.is_struck, struck.is_acknowledged]).toEqual(["voided", true, false]);
  expect((await change(struck.id, { change: "acknowledge", seen_state: "voided" })).body.data.is_acknowledged).toBe(true);
  expect((await readTickets(screen)).some(({ id }) => id === struck.id)).toBe(false);
});

test("a line has the allergens that the menu names now; a change of them reaches every open ticket", async () => {
  const order = await accepted();
  const seen = await ticketOf(order);
  const dish = seen.lines[0]?.item_id;
  const allergensOf = (ticket: KitchenTicket | undefined) => ticket?.lines[0]?.allergens;
  const stated = (await app.call(lab.token, "GET", `/items/${dish}`)).body.data.allergens;
  expect(allergensOf(seen)).toEqual(stated);
  for (const allergens of [["milk", "nuts"], [], null]) {
    const { position } = (await screen.call("GET", "/kitchen")).body.data;
    expect((await app.call(lab.token, "PATCH", `/items/${dish}`, { body: { allergens } })).status).toBe(200);
    const after = (await screen.call("GET", `/kitchen?after=${encodeURIComponent(position)}`)).body.data;
    expect(allergensOf((after.tickets as KitchenTicket[]).find(({ id }) => id === seen.id))).toEqual(allergens);
  }
  await app.call(lab.token, "PATCH", `/items/${dish}`, { body: { allergens: ["fish"] } });
  expect(allergensOf((await change(seen.id, { change: "line_done", seen_state: "fired", line: 0 })).body.data)).toEqual(["fish"]);
  expect(allergensOf((await bump(seen.id)).body.data)).toEqual(["fish"]);
  expect(allergensOf((await bump(seen.id)).body.error.details.ticket)).toEqual(["fish"]);
  const done: KitchenTicket[] = (await screen.call("GET", "/kitchen/done")).body.data;
  expect(allergensOf(done.find(({ id }) => id === seen.id))).toEqual(["fish"]);
  await app.call(lab.token, "PATCH", `/items/${dish}`, { body: { allergens: stated } });
});

test("a removed dish keeps its allergens, and a ticket without the dish says none", async () => {
  const order = await accepted();
  const { id, lines } = await ticketOf(order);
  const dish = lines[0]?.item_id ?? 0;
  await app.call(lab.token, "PATCH", `/items/${dish}`, { body: { allergens: ["eggs"] } });
  await app.database.asOwner("update items set deleted_at = now() where id = $1", [dish]);
  expect((await ticketOf(order)).lines[0]?.allergens).toEqual(["eggs"]);
  await app.database.asOwner("update items set deleted_at = null where id = $1", [dish]);
  await app.database.asOwner("update tickets set lines = lines #- '{0,item_id}' where id = $1", [id]);
  expect((await ticketOf(order)).lines[0]).toMatchObject({ item_id: null, allergens: null });
  await bump(id);
});

test("a cancelled order stays struck until the kitchen takes note; with and without a reason", async () => {
  for (const reason of ["guest left", undefined]) {
    const order = await accepted();
    const { id } = await ticketOf(order);
    await move(order, "cancelled", reason);
    expect(await ticketOf(order)).toMatchObject({ id, state: "voided", is_acknowledged: false });
    expect((await bump(id)).status).toBe(409);
    await change(id, { change: "acknowledge", seen_state: "voided" });
    expect((await readTickets(screen)).some((ticket) => ticket.id === id)).toBe(false);
  }
});

test("an order that the counter moves to ready leaves the kitchen", async () => {
  const order = await accepted();
  const { id } = await ticketOf(order);
  await move(order, "ready");
  expect((await readTickets(screen)).some((ticket) => ticket.id === id)).toBe(false);
  expect((await bump(id)).body.error.details.ticket.state).toBe("done");
});

test("an erased guest's name and note leave the kitchen", async () => {
  const order = await accepted({ customer_phone: "+1 555 0177", note: "For Ada" });
  expect(await ticketOf(order)).toMatchObject({ customer_name: "Ada", note: "For Ada" });
  const [guest] = await app.database.asOwner<{ id: string }>("select guest_id as id from orders where id = $1", [order]);
  const { position } = (await screen.call("GET", "/kitchen")).body.data;
  await forVenue(app.deps, lab.slug, (ctx) => eraseGuest(ctx, Number(guest?.id)));
  expect(await ticketOf(order)).toMatchObject({ customer_name: null, note: null });
  const after = (await screen.call("GET", `/kitchen?after=${encodeURIComponent(position)}`)).body.data;
  expect([after.is_whole, after.changed_orders]).toEqual([false, [order]]);
  expect(after.tickets).toMatchObject([{ customer_name: null, note: null }]);
});

test("a dish is sold out from its ticket until the day of service ends, once", async () => {
  const ticket = await ticketOf(await accepted());
  const dish = ticket.lines[0]?.item_id;
  const sell = () => screen.call("POST", `/kitchen/dishes/${dish}/sold-out`, { body: {}, headers: { "idempotency-key": randomUUID() } });
  const countEvents = async () => (await app.database.asOwner("select from events where type = 'menu.item_updated'")).length;
  const eventsBefore = await countEvents();
  const [first, second] = [await sell(), await sell()];
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(first.body.data.until).toBe(second.body.data.until);
  expect((await app.call(lab.token, "GET", `/items/${dish}`)).body.data.is_available).toBe(false);
  expect(await countEvents()).toBe(eventsBefore + 1);
});
