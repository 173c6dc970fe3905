/** The bill of a table: which orders it has, how it is paid, where it goes, and when it ends. */
import { randomUUID } from "node:crypto";
import type { Bill, OpenBill } from "@comanda/contract/console/bills.ts";
import type { Order } from "@comanda/contract/venue/orders.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { asSystem } from "../../../compose/as-system.ts";
import { orderJobs } from "../jobs.ts";

let app: TestApp;
let lab: TestVenue;
let staff: TestUser;
let dish: number;
let tables = 0;

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab", (file) => {
    file.tables = Array.from({ length: 40 }, (_, index) => {
      const key = `t${index}`;
      return { key, branch: "main", name: `Table ${index}`, code: key, seats: 4, is_active: true };
    });
    file.table_combinations = [];
  });
  staff = await createUser(app, lab.slug, "staff", "sam@lab.example");
  const { data } = (await app.call(lab.token, "GET", "/items?per_page=100")).body;
  dish = data.find((item: { name: { en: string } }) => item.name.en === "Plain Plate").id;
});
afterAll(() => app.close());

/** Each test has tables of its own. */
const freeTable = (): string => `t${tables++}`;
const tableId = async (code: string): Promise<number> => {
  const rows = await app.database.asOwner<{ id: string }>("select id from dining_tables where restaurant_id = $1 and code = $2", [
    lab.id,
    code,
  ]);
  return Number(rows[0]?.id);
};
const orderAt = async (code: string, changes: object = {}): Promise<Order> => {
  const lines = [{ item_id: dish, quantity: 1 }];
  const body = { type: "dine_in", table_code: code, customer_name: "Ada", customer_phone: "+1 555 0100", lines, ...changes };
  const { status, body: answer, text } = await app.call(lab.token, "POST", "/orders", { body });
  expect(status, text).toBe(201);
  return answer.data;
};
const moveOrder = async (id: string, ...statuses: string[]): Promise<void> => {
  for (const status of statuses)
    expect((await app.call(lab.token, "POST", `/orders/${id}/status`, { body: { status, reason: "as said" } })).status).toBe(200);
};
const post = (path: string, body: object) =>
  staff.call("POST", `/venues/${lab.slug}${path}`, { body, headers: { "idempotency-key": randomUUID() } });
const openBills = async (): Promise<OpenBill[]> => (await staff.call("GET", `/venues/${lab.slug}/bills`)).body.data;
const billAt = async (code: string): Promise<Bill> => {
  const found = (await openBills()).find((bill) => bill.tables.some((table) => table.code === code));
  if (!found) throw new Error(`No open bill at ${code}`);
  return readBill(found.id);
};
const readBill = async (id: string): Promise<Bill> => (await staff.call("GET", `/venues/${lab.slug}/bills/${id}`)).body.data;
const pay = (bill: Bill, body: object) => post(`/bills/${bill.id}/payments`, { method: "cash", seen_due_minor: bill.due_minor, ...body });
const paidAt = async (id: string): Promise<string | null> => (await app.call(lab.token, "GET", `/orders/${id}`)).body.data.paid_at;

test("orders for one table are one bill, of the API as of staff; pickup has none", async () => {
  const code = freeTable();
  const [first, second] = [await orderAt(code), await orderAt(code)];
  const third = (await post("/orders", { type: "dine_in", table_code: code, lines: [{ item_id: dish, quantity: 2 }] })).body.data;
  const bill = await billAt(code);
  expect(bill.orders.map(({ order }) => order.id)).toEqual([first.id, second.id, third.order.id]);
  expect(bill.total_minor).toBe(first.total_minor + second.total_minor + third.order.total_minor);
  expect(bill.due_minor).toBe(bill.total_minor);
  expect(third.bill_id).toBe(bill.id);
  const pickup = (
    await post("/orders", { type: "pickup", customer_name: "Ada", customer_phone: "1", lines: [{ item_id: dish, quantity: 1 }] })
  ).body;
  expect(pickup.data.bill_id).toBeNull();
});

test("ten orders at once for a table without a bill open one", async () => {
  const code = freeTable();
  await Promise.all(Array.from({ length: 10 }, () => orderAt(code)));
  expect((await openBills()).filter(({ tables: of }) => of.some((table) => table.code === code))).toHaveLength(1);
  expect((await billAt(code)).orders).toHaveLength(10);
});

test("an order that is rejected or cancelled counts nothing, and a bill with nothing else ends", async () => {
  const code = freeTable();
  const [kept, gone] = [await orderAt(code), await orderAt(code)];
  await moveOrder(gone.id, "cancelled");
  const bill = await billAt(code);
  expect([bill.total_minor, bill.due_minor, bill.orders.length]).toEqual([kept.total_minor, kept.total_minor, 2]);
  await moveOrder(kept.id, "rejected");
  expect(await readBill(bill.id)).toMatchObject({ closing: "settled", due_minor: 0 });
  await orderAt(code);
  expect((await billAt(code)).id).not.toBe(bill.id);
});

test("an order for later joins when the kitchen begins with it", async () => {
  const code = freeTable();
  const now = await orderAt(code);
  const later = await orderAt(code, { scheduled_for: new Date(app.clock.now().getTime() + 2 * 60 * 60 * 1000).toISOString() });
  const idsAt = async () => (await billAt(code)).orders.map(({ order }) => order.id);
  expect(await idsAt()).toEqual([now.id]);
  await orderJobs["release-held-tickets"](asSystem(app.deps, lab.id), { order_id: later.id });
  expect(await idsAt()).toEqual([now.id, later.id]);
  await orderJobs["release-held-tickets"](asSystem(app.deps, lab.id), { order_id: later.id });
  expect(await idsAt()).toEqual([now.id, later.id]);
});

test("a payment goes to the oldest orders first, each is paid once it is covered, and the tip is in no order", async () => {
  const code = freeTable();
  const [first, second] = [await orderAt(code), await orderAt(code)];
  const bill = await billAt(code);
  const part = await pay(bill, { amount_minor: first.total_minor + 1, tip_minor: 250, tendered_minor: first.total_minor + 1000 });
  expect(part.status, part.text).toBe(201);
  expect(part.body.data).toMatchObject({
    due_minor: second.total_minor - 1,
    payments: [{ tip_minor: 250, tendered_minor: first.total_minor + 1000 }],
  });
  expect(await paidAt(first.id)).not.toBeNull();
  expect(await paidAt(second.id)).toBeNull();
  const manager = await createUser(app, lab.slug, "manager", "max@lab.example");
  const takings = (await manager.call("GET", `/venues/${lab.slug}/takings`)).body.data.rows;
  expect(takings.find(({ tips_minor }: { tips_minor: number }) => tips_minor > 0)).toMatchObject({
    method: "cash",
    person: "sam",
    tips_minor: 250,
  });
  await pay(part.body.data, { amount_minor: second.total_minor - 1 });
  const paid = (await app.call(lab.token, "GET", `/orders/${second.id}`)).body.data;
  expect(paid.paid_at).not.toBeNull();
  expect(paid.total_minor).toBe(second.total_minor);
  const rows = await app.database.asOwner<{ sum: string }>("select sum(amount_minor) from payments where order_id = any($1::uuid[])", [
    [first.id, second.id],
  ]);
  expect(Number(rows[0]?.sum)).toBe(first.total_minor + second.total_minor);
});

test("lines are paid with their orders first, and not twice", async () => {
  const code = freeTable();
  const [first, second] = [
    await orderAt(code),
    await orderAt(code, {
      lines: [
        { item_id: dish, quantity: 1 },
        { item_id: dish, quantity: 2 },
      ],
    }),
  ];
  const bill = await billAt(code);
  const [line] = bill.lines.filter(({ order_id }) => order_id === second.id);
  if (!line) throw new Error("No line");
  const lines = [{ order_id: line.order_id, line_id: line.line_id }];
  const paid = await pay(bill, { amount_minor: line.share_minor, lines });
  expect(paid.status, paid.text).toBe(201);
  const of = (id: string) => paid.body.data.orders.find(({ order }: { order: Order }) => order.id === id).paid_minor;
  expect([of(first.id), of(second.id)]).toEqual([0, line.share_minor]);
  const again = await pay(paid.body.data, { amount_minor: line.share_minor, lines });
  expect([again.status, again.body.error.code]).toEqual([409, "state_changed"]);
  const other = await pay(paid.body.data, { amount_minor: 1, lines: [{ order_id: first.id, line_id: bill.lines[0]?.line_id }] });
  expect([other.status, Object.keys(other.body.error.details)]).toEqual([422, ["amount_minor"]]);
});

test("a covered bill ends with its last order, and the next order opens another", async () => {
  const code = freeTable();
  const order = await orderAt(code);
  const bill = await billAt(code);
  const paid = (await pay(bill, { amount_minor: bill.due_minor })).body.data;
  expect(paid.closed_at).toBeNull();
  await moveOrder(order.id, "accepted", "ready", "completed");
  expect(await readBill(bill.id)).toMatchObject({ closing: "settled", due_minor: 0 });
  await orderAt(code);
  expect((await billAt(code)).id).not.toBe(bill.id);
});

test("a finished order that is not paid keeps its bill open until it is paid, as a payment of the order itself too", async () => {
  const code = freeTable();
  const order = await orderAt(code);
  await moveOrder(order.id, "accepted", "ready", "completed");
  const bill = await billAt(code);
  expect(bill.due_minor).toBe(order.total_minor);
  expect((await post(`/orders/${order.id}/payments`, { method: "cash", amount_minor: order.total_minor, seen_paid_minor: 0 })).status).toBe(
    201,
  );
  expect(await readBill(bill.id)).toMatchObject({ closing: "settled" });
});

test("more than is due, less than amount and tip, and a bill that changed meanwhile are refused, and nothing is taken", async () => {
  const code = freeTable();
  await orderAt(code);
  const bill = await billAt(code);
  const tooMuch = await pay(bill, { amount_minor: bill.due_minor + 1 });
  const tooLittle = await pay(bill, { amount_minor: 100, tip_minor: 1, tendered_minor: 100 });
  await orderAt(code);
  const changed = await pay(bill, { amount_minor: 100 });
  expect([tooMuch, tooLittle].map(({ status, body }) => [status, Object.keys(body.error.details)])).toEqual([
    [422, ["amount_minor"]],
    [422, ["tendered_minor"]],
  ]);
  expect([changed.status, changed.body.error.details.bill.orders.length]).toEqual([409, 2]);
  expect((await readBill(bill.id)).payments).toEqual([]);
});

test("of five people who take the same payment at once, one does", async () => {
  const code = freeTable();
  await orderAt(code);
  const bill = await billAt(code);
  const answers = await Promise.all(Array.from({ length: 5 }, () => pay(bill, { amount_minor: bill.due_minor })));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409]);
});

test("a bill moves with its open orders; a table that has a bill is refused", async () => {
  const [from, to, taken] = [freeTable(), freeTable(), freeTable()];
  const order = await orderAt(from);
  await orderAt(taken);
  const bill = await billAt(from);
  const move = async (code: string) =>
    post(`/bills/${bill.id}/move`, { from_table_id: bill.tables[0]?.id, to_table_id: await tableId(code) });
  expect([(await move(taken)).status, (await openBills()).some(({ id }) => id === bill.id)]).toEqual([422, true]);
  const moved = await move(to);
  expect([moved.status, moved.body.data.tables.map(({ code }: { code: string }) => code)]).toEqual([200, [to]]);
  const seen = (await app.call(lab.token, "GET", `/orders/${order.id}`)).body.data;
  expect(seen.table).toMatchObject({ code: to, id: await tableId(to) });
  expect((await move(to)).status).toBe(409);
  const next = await orderAt(to);
  expect((await billAt(to)).orders.map(({ order: one }) => one.id)).toEqual([order.id, next.id]);
});

test("two bills become one, with the orders, payments and tables of both", async () => {
  const [one, two] = [freeTable(), freeTable()];
  const orders = [await orderAt(one), await orderAt(two)];
  const [bill, other] = [await billAt(one), await billAt(two)];
  await pay(other, { amount_minor: 100 });
  const merged = await post(`/bills/${bill.id}/merge`, { other_bill_id: other.id });
  expect(merged.status, merged.text).toBe(200);
  const total = orders.reduce((sum, { total_minor }) => sum + total_minor, 0);
  expect(merged.body.data).toMatchObject({ total_minor: total, due_minor: total - 100, payments: [{ amount_minor: 100 }] });
  expect(merged.body.data.tables.map(({ code }: { code: string }) => code)).toEqual([one, two]);
  expect(await readBill(other.id)).toMatchObject({ closing: "merged", orders: [] });
  await orderAt(two);
  expect((await billAt(two)).id).toBe(bill.id);
});

test("a bill that is not paid is closed with a reason, and its orders stay unpaid", async () => {
  const code = freeTable();
  const order = await orderAt(code);
  const bill = await billAt(code);
  const close = (body: object) => post(`/bills/${bill.id}/close`, { seen_due_minor: bill.due_minor, ...body });
  expect(Object.keys((await close({})).body.error.details)).toEqual(["reason"]);
  expect((await close({ reason: "walked out" })).body.data).toMatchObject({ closing: "left_unpaid", due_minor: order.total_minor });
  expect(await paidAt(order.id)).toBeNull();
  expect((await pay(bill, { amount_minor: 1 })).status).toBe(409);
});

test("the party that asks to pay is shown on the floor until the bill is paid or it is taken back", async () => {
  const code = freeTable();
  await orderAt(code);
  const bill = await billAt(code);
  await post(`/bills/${bill.id}/ask`, { is_asked: true });
  expect((await openBills()).find(({ id }) => id === bill.id)?.asked_at).not.toBeNull();
  await post(`/bills/${bill.id}/ask`, { is_asked: false });
  expect((await openBills()).find(({ id }) => id === bill.id)?.asked_at).toBeNull();
});

test("the first order of the next day of service opens a bill of its own", async () => {
  const code = freeTable();
  await orderAt(code);
  const bill = await billAt(code);
  app.clock.advance(24 * 60 * 60 * 1000);
  await orderAt(code);
  const next = await billAt(code);
  expect(next.id).not.toBe(bill.id);
  expect(await readBill(bill.id)).toMatchObject({ closing: "day_ended", due_minor: bill.due_minor });
});

test("a bill of two tables ends at both, whichever of them has the first order of the next day", async () => {
  const [one, two] = [freeTable(), freeTable()];
  await orderAt(one);
  await orderAt(two);
  const [bill, other] = [await billAt(one), await billAt(two)];
  await post(`/bills/${bill.id}/merge`, { other_bill_id: other.id });
  app.clock.advance(24 * 60 * 60 * 1000);
  await orderAt(two);
  expect(await readBill(bill.id)).toMatchObject({ closing: "day_ended" });
  const open = (await openBills()).flatMap((each) => each.tables.map(({ code }) => code));
  expect([open.includes(one), open.includes(two)]).toEqual([false, true]);
  await orderAt(one);
  expect((await billAt(one)).id).not.toBe(bill.id);
});

test("a bill is not merged with itself, in whichever letters its id is written", async () => {
  const code = freeTable();
  await orderAt(code);
  const bill = await billAt(code);
  for (const id of [bill.id, bill.id.toUpperCase()])
    expect((await post(`/bills/${bill.id}/merge`, { other_bill_id: id })).status).toBe(422);
  expect((await billAt(code)).tables).toHaveLength(1);
});

test("lines of an order that owes nothing are paid, however it was paid", async () => {
  const code = freeTable();
  const [first] = [await orderAt(code), await orderAt(code)];
  const bill = await billAt(code);
  await post(`/orders/${first.id}/payments`, { method: "cash", amount_minor: first.total_minor, seen_paid_minor: 0 });
  const now = await billAt(code);
  expect(now.lines.map(({ order_id, is_paid }) => is_paid === (order_id === first.id))).toEqual(now.lines.map(() => true));
  const lines = bill.lines.filter(({ order_id }) => order_id === first.id).map(({ order_id, line_id }) => ({ order_id, line_id }));
  expect((await pay(now, { amount_minor: now.lines[0]?.share_minor, lines })).status).toBe(409);
});

test("the kitchen is told of a move, because its tickets name the table", async () => {
  const [from, to] = [freeTable(), freeTable()];
  const order = await orderAt(from);
  await moveOrder(order.id, "accepted");
  const bill = await billAt(from);
  const changes = () =>
    app.database.asOwner(
      "select from changes where restaurant_id = $1 and area = 'tickets' and number = (select max(number) from changes where restaurant_id = $1)",
      [lab.id],
    );
  await post(`/bills/${bill.id}/move`, { from_table_id: bill.tables[0]?.id, to_table_id: await tableId(to) });
  expect((await changes()).length).toBeGreaterThan(0);
});

test("the reasons for which a bill was closed go with the guest who is erased", async () => {
  const code = freeTable();
  const order = await orderAt(code, { customer_name: "Zoe", customer_phone: "+1 555 0177" });
  const bill = await billAt(code);
  await post(`/bills/${bill.id}/close`, { seen_due_minor: bill.due_minor, reason: "Zoe walked out" });
  const owner = await createUser(app, lab.slug, "owner", "olga@lab.example");
  const [row] = await app.database.asOwner<{ guest_id: string }>("select guest_id from orders where id = $1", [order.id]);
  const { version } = (await owner.call("GET", `/venues/${lab.slug}/guests/${row?.guest_id}`)).body.data;
  const headers = { "idempotency-key": randomUUID() };
  const erased = await owner.call("POST", `/venues/${lab.slug}/guests/${row?.guest_id}/erasure`, {
    body: { seen_version: version },
    headers,
  });
  expect(erased.status, erased.text).toBeLessThan(300);
  const kept = await app.database.asOwner("select from audit_entries where restaurant_id = $1 and reason like '%Zoe%'", [lab.id]);
  expect(kept).toEqual([]);
});

test("another venue's bill is unknown, to read and to merge with", async () => {
  const other = await app.venue("gulf-cafe");
  const foreigner = await createUser(app, other.slug, "staff", "omar@gulf.example");
  const code = freeTable();
  await orderAt(code);
  const bill = await billAt(code);
  expect((await foreigner.call("GET", `/venues/${other.slug}/bills/${bill.id}`)).status).toBe(404);
  expect((await post(`/bills/${bill.id}/merge`, { other_bill_id: randomUUID() })).status).toBe(404);
});

test("what is refunded of a completed order is not due again", async () => {
  const code = freeTable();
  const order = await orderAt(code);
  await orderAt(code);
  const bill = await billAt(code);
  const paid: Bill = (await pay(bill, { amount_minor: order.total_minor })).body.data;
  await moveOrder(order.id, "accepted", "ready", "completed");
  const manager = await createUser(app, lab.slug, "manager", "mia@lab.example");
  const [payment] = (await manager.call("GET", `/venues/${lab.slug}/orders/${order.id}`)).body.data.payments;
  const refund = { amount_minor: 100, reason: "too cold", seen_refunded_minor: 0 };
  const headers = { "idempotency-key": randomUUID() };
  const refunded = await manager.call("POST", `/venues/${lab.slug}/orders/${order.id}/payments/${payment.id}/refunds`, {
    body: refund,
    headers,
  });
  expect(refunded.status, refunded.text).toBe(201);
  expect((await readBill(bill.id)).due_minor).toBe(paid.due_minor);
  expect((await openBills()).find(({ id }) => id === bill.id)?.due_minor).toBe(paid.due_minor);
});
