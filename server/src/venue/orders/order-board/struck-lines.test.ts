/** Striking one line over HTTP: amounts, sales, ticket, portions and payments follow; two people at once have one effect each. */
import { randomUUID } from "node:crypto";
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import type { Order } from "@comanda/contract/venue/orders.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eraseGuest } from "#venue/guest-records/erasure/service.ts";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";

let app: TestApp;
let lab: TestVenue;
let staff: TestUser;
let colleague: TestUser;
let dishes: Map<string, number>;

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab", (file) => {
    const [offer] = file.charges.promotions;
    if (offer) Object.assign(offer, { is_active: true, percent_off: 10, subtotal_min_minor: 1500 });
    // The tart is cooked at another station.
    for (const menu of file.menus)
      for (const category of menu.categories) if (category.items.some(({ name }) => name.en === "Hydrogen Fizz")) category.station = "bar";
  });
  staff = await createUser(app, lab.slug, "staff", "sam@lab.example");
  colleague = await createUser(app, lab.slug, "staff", "cleo@lab.example");
  const { data } = (await app.call(lab.token, "GET", "/items?per_page=100")).body;
  dishes = new Map(data.map((item: { id: number; name: { en: string } }) => [item.name.en, item.id]));
});
afterAll(() => app.close());

type Wanted = [dish: string, quantity: number];
const CART: Wanted[] = [
  ["Plain Plate", 2],
  ["Taxed Tart", 1],
  ["Hydrogen Fizz", 3],
];
const place = async (cart: Wanted[] = CART, changes: object = {}): Promise<Order> => {
  const lines = cart.map(([name, quantity]) => ({ item_id: dishes.get(name), quantity }));
  const body = { type: "pickup", customer_name: "Ada", customer_phone: "+1 555 0100", lines, ...changes };
  const answer = await app.call(lab.token, "POST", "/orders", { body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
};
const read = async (id: string): Promise<Order> => (await app.call(lab.token, "GET", `/orders/${id}`)).body.data;
const lineOf = (order: Order, place: number): number => order.items[place]?.id ?? 0;
type Strike = { seen_status?: string; reason?: string; key?: string; part?: { quantity: number; of: number } };
const strike = (
  who: TestUser,
  id: string,
  line: number,
  { seen_status = "placed", reason = "dropped it", key = randomUUID(), part }: Strike = {},
) =>
  who.call("POST", `/venues/${lab.slug}/orders/${id}/lines/${line}/strike`, {
    body: { seen_status, reason, part },
    headers: { "idempotency-key": key },
  });
const move = (id: string, status: string) => app.call(lab.token, "POST", `/orders/${id}/status`, { body: { status } });
const pay = (id: string, amount_minor: number, seen_paid_minor = 0) =>
  staff.call("POST", `/venues/${lab.slug}/orders/${id}/payments`, { body: { method: "cash", amount_minor, seen_paid_minor } });
type TicketRow = { station: string; state: string; void_reason: string | null; lines: { name: { en: string }; voided?: true }[] };
const ticketsOf = (id: string) =>
  app.database.asOwner<TicketRow>("select station, state, void_reason, lines from tickets where order_id = $1 order by id", [id]);
const struckOn = ({ lines }: TicketRow): string[] => lines.filter(({ voided }) => voided).map(({ name }) => name.en);
const AMOUNTS = [
  "subtotal_minor",
  "discount_minor",
  "service_charge_minor",
  "tax_added_minor",
  "delivery_fee_minor",
  "total_minor",
  "tax_breakdown",
] as const;
const amountsOf = (order: Order) => Object.fromEntries(AMOUNTS.map((name) => [name, order[name]]));
/** The slow sum: every order that counts, one by one. */
const expectSalesToAddUp = async (): Promise<void> => {
  const days = await app.database.asOwner<{ day: string; orders: string; revenue: string }>(
    `select sold_on::text as day, count(*) as orders, sum(total_minor) as revenue from orders
     where restaurant_id = $1 and status not in ('rejected', 'cancelled') group by sold_on order by 1`,
    [lab.id],
  );
  const rolled = await app.database.asOwner<{ day: string; orders: string; revenue: string }>(
    `select date::text as day, sum(orders) as orders, sum(revenue_minor) as revenue from daily_sales
     where restaurant_id = $1 group by date having sum(orders) > 0 order by 1`,
    [lab.id],
  );
  expect(rolled).toEqual(days);
};

test("D201 a struck line is voided, and the order has the amounts of one without it; the sales of its day follow", async () => {
  for (const [type, more] of [
    ["pickup", {}],
    ["delivery", { delivery_address: { line1: "1 Way", city: "Labtown" } }],
  ] as const) {
    const order = await place(CART, { type, ...more });
    app.clock.advance(60_000);
    const first = await strike(staff, order.id, lineOf(order, 2));
    expect([first.status, first.body.data?.order.items.map(({ voided }: { voided: boolean }) => voided)], first.text).toEqual([
      200,
      [false, false, true],
    ]);
    const left = await place(CART.slice(0, 2), { type, ...more });
    const shown = await read(order.id);
    expect(amountsOf(shown)).toEqual(amountsOf(left));
    expect([shown.updated_at > order.updated_at, shown.status]).toEqual([true, "placed"]);
    expect(shown).toEqual(first.body.data.order);
    await strike(colleague, order.id, lineOf(order, 0));
    // A new delivery of one tart would be below the minimum.
    if (type === "pickup") expect(amountsOf(await read(order.id))).toEqual(amountsOf(await place(CART.slice(1, 2))));
    await expectSalesToAddUp();
  }
});

test("part of a line: the rest stays, the part is a struck line; amounts, ticket, portions and sales follow", async () => {
  const id = dishes.get("Hydrogen Fizz") ?? 0;
  const body = { seen: { kind: "available", until: null, remaining: null }, to: "count", remaining: 10 };
  expect((await staff.call("POST", `/venues/${lab.slug}/menu-today/dishes/${id}`, { body })).status).toBe(200);
  const portions = () => app.database.asOwner("select remaining from item_counts where item_id = $1", [id]);
  const order = await place();
  const part = { quantity: 2, of: 3 };
  const key = randomUUID();
  const first = await strike(staff, order.id, lineOf(order, 2), { part, key });
  expect(first.status, first.text).toBe(200);
  const again = await strike(staff, order.id, lineOf(order, 2), { part, key });
  expect([again.text, again.headers["idempotent-replayed"]]).toEqual([first.text, "true"]);
  const shown = await read(order.id);
  expect(shown.items.slice(2).map(({ id: line, quantity, voided }) => [line === lineOf(order, 2), quantity, voided])).toEqual([
    [true, 1, false],
    [false, 2, true],
  ]);
  expect(amountsOf(shown)).toEqual(amountsOf(await place([...CART.slice(0, 2), ["Hydrogen Fizz", 1]])));
  const tickets = await app.database.asOwner<{ lines: { quantity: number; voided?: true }[] }>(
    "select lines from tickets where order_id = $1 and station = 'bar'",
    [order.id],
  );
  expect(tickets.map(({ lines }) => lines.map(({ quantity, voided = false }) => [quantity, voided]))).toEqual([
    [
      [1, false],
      [2, true],
    ],
  ]);
  // Three were taken, two came back, and the order beside it took one.
  expect(await portions()).toEqual([{ remaining: 8 }]);
  await app.database.asOwner("delete from item_counts");
  await expectSalesToAddUp();
});

test("part of a line: two people at once strike once, more than there is is refused, and the last line can lose a part", async () => {
  const order = await place([["Hydrogen Fizz", 3]]);
  const line = lineOf(order, 0);
  const part = { quantity: 1, of: 3 };
  const answers = await Promise.all([strike(staff, order.id, line, { part }), strike(colleague, order.id, line, { part })]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect((await strike(staff, order.id, line, { part: { quantity: 3, of: 2 } })).status).toBe(422);
  expect((await strike(staff, order.id, line, { part: { quantity: 2, of: 2 } })).status).toBe(422);
  expect((await read(order.id)).items.map(({ quantity, voided }) => [quantity, voided])).toEqual([
    [2, false],
    [1, true],
  ]);
  await expectSalesToAddUp();
});

test("planted fault: without the quantity that the page saw, two people strike a mistaken portion twice", async () => {
  const order = await place([["Hydrogen Fizz", 3]]);
  const line = lineOf(order, 0);
  await strike(staff, order.id, line, { part: { quantity: 1, of: 3 } });
  // What a call without the comparison would send: the quantity as it is now.
  await strike(colleague, order.id, line, { part: { quantity: 1, of: 2 } });
  expect((await read(order.id)).items[0]?.quantity).toBe(1);
});

test("the day of the sale is corrected, not today; a cancel afterwards takes off what is left", async () => {
  app.clock.set("2026-11-14T22:00:00Z");
  const order = await place(CART, { scheduled_for: "2026-11-16T12:00:00Z" });
  app.clock.set("2026-11-16T10:00:00Z");
  expect((await strike(staff, order.id, lineOf(order, 0))).status).toBe(200);
  await expectSalesToAddUp();
  expect((await move(order.id, "cancelled")).status).toBe(200);
  await expectSalesToAddUp();
  app.clock.set("2026-11-14T12:00:00Z");
});

test("the line is struck on its ticket; a ticket without another line is void with the reason", async () => {
  const order = await place();
  await move(order.id, "accepted");
  await strike(staff, order.id, lineOf(order, 0), { seen_status: "accepted" });
  expect((await ticketsOf(order.id)).map((ticket) => [ticket.state, struckOn(ticket)])).toEqual([
    ["fired", ["Plain Plate"]],
    ["fired", []],
  ]);
  await strike(staff, order.id, lineOf(order, 2), { seen_status: "accepted", reason: "no fizz left" });
  expect((await ticketsOf(order.id)).map((ticket) => [ticket.state, struckOn(ticket), ticket.void_reason])).toEqual([
    ["fired", ["Plain Plate"], null],
    ["voided", ["Hydrogen Fizz"], "no fizz left"],
  ]);
});

test("counted portions come back while the kitchen has not begun, and a cancel afterwards does not give them back again", async () => {
  const id = dishes.get("Plain Plate") ?? 0;
  const remaining = async () => {
    const [row] = await app.database.asOwner<{ remaining: number }>("select remaining from item_counts where item_id = $1", [id]);
    return row?.remaining;
  };
  const body = { seen: { kind: "available", until: null, remaining: null }, to: "count", remaining: 10 };
  expect((await staff.call("POST", `/venues/${lab.slug}/menu-today/dishes/${id}`, { body })).status).toBe(200);
  const [placed, fired] = [await place(), await place()];
  expect(await remaining()).toBe(6);
  await strike(staff, placed.id, lineOf(placed, 0));
  expect(await remaining()).toBe(8);
  await move(placed.id, "rejected");
  expect(await remaining()).toBe(8);
  await move(fired.id, "accepted");
  await strike(staff, fired.id, lineOf(fired, 0), { seen_status: "accepted" });
  expect(await remaining()).toBe(8);
  // Accepted for later: the kitchen has not begun, also after a ticket became void.
  const later = await place(CART, { scheduled_for: "2026-11-15T12:00:00Z" });
  await move(later.id, "accepted");
  expect(await remaining()).toBe(6);
  await strike(staff, later.id, lineOf(later, 2), { seen_status: "accepted" });
  await strike(staff, later.id, lineOf(later, 0), { seen_status: "accepted" });
  expect(await remaining()).toBe(8);
  const whole = await place(CART, { scheduled_for: "2026-11-15T12:00:00Z" });
  await move(whole.id, "accepted");
  await strike(staff, whole.id, lineOf(whole, 2), { seen_status: "accepted" });
  await move(whole.id, "cancelled");
  expect(await remaining()).toBe(8);
  await app.database.asOwner("delete from item_counts");
});

test("what was paid covers the smaller total: paid once, and what is too much stays to be refunded", async () => {
  const paidEvents = (id: string) =>
    app.database.asOwner("select from events where type = 'order.paid' and position($1 in body) > 0", [id]);
  const order = await place();
  await pay(order.id, order.total_minor - 100);
  expect((await read(order.id)).paid_at).toBeNull();
  const { body } = await strike(staff, order.id, lineOf(order, 0));
  const board = body.data as BoardOrder;
  expect([board.order.paid_at === null, board.paid_minor > board.order.total_minor]).toEqual([false, true]);
  expect(await paidEvents(order.id)).toHaveLength(1);
  await strike(staff, order.id, lineOf(order, 1));
  expect(await paidEvents(order.id)).toHaveLength(1);
  const [event] = await app.database.asOwner<{ body: string }>(
    "select body from events where type = 'order.paid' and position($1 in body) > 0",
    [order.id],
  );
  expect(JSON.parse(event?.body ?? "{}").data.order.total_minor).toBe(board.order.total_minor);
  const unpaid = await place();
  await strike(staff, unpaid.id, lineOf(unpaid, 0));
  expect((await read(unpaid.id)).paid_at).toBeNull();
});

test("no event is sent for a struck line; the activity log has the line, the reason, both totals and the person", async () => {
  const order = await place();
  const events = () => app.database.asOwner("select from events where position($1 in body) > 0", [order.id]);
  const before = await events();
  const answer = await strike(staff, order.id, lineOf(order, 1), { reason: "burnt" });
  expect(await events()).toHaveLength(before.length);
  const [entry] = await app.database.asOwner(
    "select actor_name, reason, before, after from audit_entries where subject_id = $1 and action = 'order.line_struck'",
    [order.id],
  );
  expect(entry).toEqual({
    actor_name: "sam",
    reason: "burnt",
    before: { total_minor: order.total_minor },
    after: { total_minor: answer.body.data.order.total_minor, line_id: lineOf(order, 1), item_id: dishes.get("Taxed Tart"), quantity: 1 },
  });
});

test("two people at the same line: one effect, and the other is told who; at different lines: both; the last line stays", async () => {
  const [same, different] = [await place(), await place()];
  const answers = await Promise.all([strike(staff, same.id, lineOf(same, 0)), strike(colleague, same.id, lineOf(same, 0))]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const lost = answers.find(({ status }) => status === 409);
  const winner = answers[0]?.status === 200 ? "sam" : "cleo";
  expect(lost?.body.error).toMatchObject({ code: "state_changed", details: { changed_by: winner } });
  expect(
    await app.database.asOwner("select from audit_entries where subject_id = $1 and action = 'order.line_struck'", [same.id]),
  ).toHaveLength(1);
  const three = await Promise.all([0, 1, 2].map((line) => strike(line === 1 ? colleague : staff, different.id, lineOf(different, line))));
  expect(three.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 422]);
  const refused = three.find(({ status }) => status === 422);
  expect(refused?.body.error.details).toEqual({ line: ["It is the last line. Cancel the order instead."] });
  const shown = await read(different.id);
  const left = shown.items.filter(({ voided }) => !voided);
  expect([left.length, shown.subtotal_minor]).toEqual([1, left[0]?.line_total_minor]);
  await expectSalesToAddUp();
});

test("a repeated key has one effect; a wrong status, reason, line or order is refused and changes nothing", async () => {
  const order = await place();
  const key = randomUUID();
  const [first, again] = [
    await strike(staff, order.id, lineOf(order, 0), { key }),
    await strike(staff, order.id, lineOf(order, 0), { key }),
  ];
  expect([again.status, again.text, again.headers["idempotent-replayed"]]).toEqual([200, first.text, "true"]);
  const before = await read(order.id);
  const line = lineOf(order, 1);
  for (const [status, answer] of [
    [422, await strike(staff, order.id, line, { reason: "no" })],
    [422, await strike(staff, order.id, line, { reason: "    " })],
    [422, await strike(staff, order.id, line, { seen_status: "completed" })],
    [409, await strike(staff, order.id, line, { seen_status: "ready" })],
    [404, await strike(staff, order.id, 999_999_999)],
    [404, await strike(staff, randomUUID(), line)],
  ] as const)
    expect([answer.status, answer.text]).toEqual([status, answer.text]);
  expect(await read(order.id)).toEqual(before);
  for (const to of ["accepted", "ready", "completed"]) await move(order.id, to);
  const closed = await strike(staff, order.id, line, { seen_status: "ready" });
  expect([closed.status, closed.body.error.code]).toEqual([409, "state_changed"]);
  expect((await read(order.id)).items.filter(({ voided }) => voided)).toHaveLength(1);
});

test("after a change of the charges the order keeps its tax rates", async () => {
  const order = await place();
  await app.database.asOwner(`update settings set charges = jsonb_set(charges, '{taxes,0,rate}', '25') where restaurant_id = $1`, [lab.id]);
  expect((await strike(staff, order.id, lineOf(order, 0))).status).toBe(200);
  const shown = await read(order.id);
  expect(shown.tax_breakdown?.map(({ rate }) => rate)).toEqual(order.tax_breakdown?.map(({ rate }) => rate));
  await expectSalesToAddUp();
  await app.database.asOwner(`update settings set charges = jsonb_set(charges, '{taxes,0,rate}', '10') where restaurant_id = $1`, [lab.id]);
});

test("an erased guest's reason is gone from the activity log and the ticket", async () => {
  const order = await place(CART, { customer_phone: "+1 555 8822" });
  await strike(staff, order.id, lineOf(order, 2), { reason: "Zora Unique did not want it" });
  const [guest] = await app.database.asOwner<{ id: string }>("select id from guests where phone = '+1 555 8822'");
  await forVenue(app.deps, lab.slug, (ctx) => eraseGuest(ctx, Number(guest?.id)));
  const [left] = await app.database.asOwner<{ count: number }>(
    `select (select count(*) from audit_entries where reason like '%Zora%') + (select count(*) from tickets where void_reason like '%Zora%')
       + (select count(*) from idempotency_keys where body like '%Zora%') as count`,
  );
  expect(Number(left?.count)).toBe(0);
});
