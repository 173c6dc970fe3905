/**
 * Bills of two tables, over two processes: rounds, payments, moves, merges, cancellations and closings at once. No order is paid twice, every
 * order has a bill, and a table never has two.
 */
import { randomUUID } from "node:crypto";
import { Agent } from "node:http";
import type { Bill, OpenBill } from "@comanda/contract/console/bills.ts";
import { CONSOLE_PREFIX } from "@comanda/contract/console/operation.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ConsoleAnswer, consoleCall, createUser, type TestUser } from "../support/console-client.ts";
import { faultInjectingPool } from "../support/fault-injection.ts";
import { createFleet, type Fleet } from "../support/processes.ts";
import { sendCall } from "../support/raw-http.ts";
import { repeatUntilDetected } from "../support/repeat-until-detected.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const ROUNDS = Number(process.env.TEST_ROUNDS ?? (process.env.TEST_STRESS ? 1000 : 8));
const SPARE_TABLES = 4;

let app: TestApp;
let lab: TestVenue;
let fleet: Fleet;
let staff: TestUser;
let dish: number;
let tableIds: Map<string, number>;
const agent = new Agent({ keepAlive: true, maxSockets: 16 });

beforeAll(async () => {
  app = await startApp({ environment: { CONSOLE_RATE_PER_MINUTE: "1000000" } });
  app.clock.set(new Date().toISOString());
  lab = await app.venue("lab", (file) => {
    file.tables = Array.from({ length: SPARE_TABLES }, (_, index) => {
      const key = `t${index}`;
      return { key, branch: "main", name: `Table ${index}`, code: key, seats: 4, is_active: true };
    });
    file.table_combinations = [];
  });
  staff = await createUser(app, lab.slug, "staff", "sam@lab.example");
  const { data } = (await app.call(lab.token, "GET", "/items?per_page=100")).body;
  dish = data.find((item: { name: { en: string } }) => item.name.en === "Plain Plate").id;
  const rows = await app.database.asOwner<{ id: string; code: string }>("select id, code from dining_tables where restaurant_id = $1", [
    lab.id,
  ]);
  tableIds = new Map(rows.map(({ id, code }) => [code, Number(id)]));
  fleet = await createFleet(app.database.appUrl, { CONSOLE_RATE_PER_MINUTE: "1000000" });
  for (let server = 0; server < 2; server++) await fleet.start();
});
afterAll(async () => {
  agent.destroy();
  await fleet.close();
  await app.close();
});

type BillAnswer = Pick<ConsoleAnswer, "status" | "body">;
type SendAsWaiter = (method: string, path: string, body?: object) => Promise<BillAnswer>;

const overFleet: SendAsWaiter = async (method, path, body) => {
  const { status, text } = await sendCall({
    port: fleet.port,
    agent,
    token: null,
    prefix: CONSOLE_PREFIX,
    method,
    path: `/venues/${lab.slug}${path}`,
    headers: { cookie: `__Host-comanda=${staff.cookie}`, "sec-fetch-site": "same-origin", "idempotency-key": randomUUID() },
    ...(body === undefined ? {} : { body }),
  });
  return { status, body: JSON.parse(text) };
};

const orderAt = (send: SendAsWaiter, table_code: string) =>
  send("POST", "/orders", { type: "dine_in", table_code, lines: [{ item_id: dish, quantity: 1 }] });

const openBills = async (send: SendAsWaiter): Promise<Bill[]> => {
  const open: OpenBill[] = (await send("GET", "/bills")).body.data;
  return Promise.all(open.map(async ({ id }) => (await send("GET", `/bills/${id}`)).body.data as Bill));
};

/** Payments that each would cover what is due, beside one of a part. */
const payments = (send: SendAsWaiter, { id, due_minor }: Bill) =>
  [due_minor, due_minor, Math.max(1, Math.floor(due_minor / 3))].map(
    (amount_minor) => () =>
      send("POST", `/bills/${id}/payments`, { method: "cash", amount_minor, tip_minor: 5, seen_due_minor: due_minor }),
  );

const finish = (send: SendAsWaiter, { orders }: Bill) =>
  orders.map(({ order }, index) => () => {
    const status =
      order.status === "placed" ? (index % 2 === 0 ? "cancelled" : "accepted") : order.status === "accepted" ? "ready" : "completed";
    return send("POST", `/orders/${order.id}/status`, { seen_status: order.status, status, reason: "race" });
  });

const STEPS = [
  ["placed", "accepted"],
  ["accepted", "ready"],
  ["ready", "completed"],
] as const;

/** The writes of one round, to be sent at once. */
const writesOf = (send: SendAsWaiter, bills: readonly Bill[], round: number): (() => Promise<BillAnswer>)[] => {
  const [one, other] = bills;
  const rounds = ["t0", "t1", "t0"].map((code) => () => orderAt(send, code));
  if (!one) return rounds;
  const to = `t${2 + (round % 2)}`;
  const move = () => send("POST", `/bills/${one.id}/move`, { from_table_id: one.tables[0]?.id, to_table_id: tableIds.get(to) });
  const merges = other
    ? [
        () => send("POST", `/bills/${one.id}/merge`, { other_bill_id: other.id }),
        () => send("POST", `/bills/${other.id}/merge`, { other_bill_id: one.id }),
      ]
    : [];
  const close = () => send("POST", `/bills/${one.id}/close`, { seen_due_minor: one.due_minor, reason: "race" });
  // An order or a payment that is faster makes a closing impossible: two people who close at once meet each other alone.
  if (round % 4 === 3) return [close, close, ...(other ? payments(send, other) : [])];
  return [
    ...rounds,
    ...bills.flatMap((bill) => payments(send, bill)),
    ...bills.flatMap((bill) => finish(send, bill)),
    ...(round % 3 === 0 ? [move] : []),
    ...(round % 3 === 1 ? merges : []),
  ];
};

const faults = () =>
  app.database.asOwner<{ fault: string }>(
    `select 'an order without a bill' as fault from orders where restaurant_id = $1 and type = 'dine_in' and bill_id is null
     union all
     select 'an open bill without a table' from bills b where b.restaurant_id = $1 and b.closed_at is null
       and not exists (select from bill_tables t where t.restaurant_id = $1 and t.bill_id = b.id)
     union all
     select 'a table with a closed bill' from bill_tables t join bills b on b.restaurant_id = t.restaurant_id and b.id = t.bill_id
       where t.restaurant_id = $1 and b.closed_at is not null
     union all
     select 'a payment that is not the sum of its parts' from bill_payments b where b.restaurant_id = $1
       and b.amount_minor <> (select coalesce(sum(p.amount_minor), 0) from payments p where p.restaurant_id = $1 and p.bill_payment_id = b.id)
     union all
     select 'an order that was paid ' || case when paid > total_minor then 'twice' else 'in part and is called paid' end
       from (select total_minor, paid_at, (select coalesce(sum(p.amount_minor), 0) from payments p where p.restaurant_id = $1 and p.order_id = o.id) as paid
             from orders o where o.restaurant_id = $1) o
       where paid > total_minor or (paid_at is not null) <> (paid >= total_minor)
     union all
     select 'a settled bill that is owed' from bills b join orders o on o.restaurant_id = b.restaurant_id and o.bill_id = b.id
       where b.restaurant_id = $1 and b.closing = 'settled' and o.paid_at is null and o.status not in ('rejected', 'cancelled')`,
    [lab.id],
  );

test(`${ROUNDS} rounds of orders, payments, moves, merges and closings at once: every sum exact, one open bill a table`, {
  timeout: ROUNDS * 2000 + 60_000,
}, async () => {
  const statuses = new Map<number, number>();
  for (let round = 0; round < ROUNDS; round++) {
    await orderAt(overFleet, "t0");
    await orderAt(overFleet, "t1");
    const bills = await openBills(overFleet);
    const sent = await Promise.all(writesOf(overFleet, bills.slice(0, 2), round).map((write) => write()));
    for (const { status } of sent) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    expect(await faults()).toEqual([]);
  }
  // What is left is paid and finished, one after the other.
  for (const { id, due_minor, orders } of await openBills(overFleet)) {
    if (due_minor > 0)
      await overFleet("POST", `/bills/${id}/payments`, { method: "cash", amount_minor: due_minor, seen_due_minor: due_minor });
    for (const { order } of orders)
      for (const [seen_status, status] of STEPS.slice(STEPS.findIndex(([from]) => from === order.status)))
        await overFleet("POST", `/orders/${order.id}/status`, { seen_status, status });
  }
  expect(await openBills(overFleet)).toEqual([]);
  expect(await faults()).toEqual([]);
  expect([...statuses.keys()].filter((status) => status >= 500 && status !== 503)).toEqual([]);
  const [counted] = await app.database.asOwner<{ deadlocks: string }>(
    "select deadlocks from pg_stat_database where datname = current_database()",
  );
  expect(Number(counted?.deadlocks)).toBe(0);
  const closings = await app.database.asOwner<{ closing: string }>(
    "select distinct closing from bills where restaurant_id = $1 and closing is not null order by 1",
    [lab.id],
  );
  expect(closings.map(({ closing }) => closing)).toEqual(expect.arrayContaining(["left_unpaid", "merged", "settled"]));
});

test("planted: without the locks of orders and tables the same check finds an order that was paid twice", async () => {
  const careless = faultInjectingPool(({ text, ...rest }) =>
    / from (orders|bill_tables) .*for update$/s.test(text) ? { ...rest, text: text.replace(/ for update$/, "") } : null,
  );
  const faulty = await startApp({ database: app.database, pool: careless, environment: { CONSOLE_RATE_PER_MINUTE: "1000000" } });
  faulty.clock.set(new Date().toISOString());
  const inProcess: SendAsWaiter = (method, path, body) =>
    consoleCall(faulty, method, `/venues/${lab.slug}${path}`, {
      cookie: staff.cookie,
      ...(body === undefined ? {} : { body }),
      headers: { "idempotency-key": randomUUID() },
    });
  const found = await repeatUntilDetected(
    async () => {
      await orderAt(inProcess, "t0");
      const [bill] = await openBills(inProcess);
      if (bill) await Promise.all(payments(inProcess, bill).map((write) => write()));
      return faults();
    },
    (wrong) => wrong.length > 0,
  );
  await faulty.close();
  expect(found.map(({ fault }) => fault)).toContain("an order that was paid twice");
});
