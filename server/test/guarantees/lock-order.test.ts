/**
 * All writes of an evening at once, in one venue and on the same rows: each module locks in the same order, so none waits in a circle.
 * A deadlock would be repeated and answered, so that PostgreSQL's own count is asked, not the answers.
 */
import { randomUUID } from "node:crypto";
import { drawGiftCardCode } from "@comanda/contract/console/gift-card-codes.ts";
import type { BoardOrder, OrderDetails } from "@comanda/contract/console/orders.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createUser, type TestUser } from "../support/console-client.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const WRITERS = 12;
const WRITES_EACH = Number(process.env.TEST_ROUNDS ?? (process.env.TEST_STRESS ? 400 : 25));

let app: TestApp;
let lab: TestVenue;
let staff: TestUser;
let cards: { id: number; code: string }[];
let dishes: { id: number; name: { en: string } }[];

beforeAll(async () => {
  app = await startApp({ environment: { CONSOLE_RATE_PER_MINUTE: "1000000" } });
  lab = await app.venue("lab");
  staff = await createUser(app, lab.slug, "manager", "max@lab.example");
  cards = await Promise.all([drawGiftCardCode(), drawGiftCardCode()].map((code) => sellCard(code, null)));
  dishes = (await app.call(lab.token, "GET", "/items?per_page=100")).body.data;
});
afterAll(() => app.close());

const sellCard = async (code: string, guest_id: number | null): Promise<{ id: number; code: string }> => {
  const card = { code, amount_minor: 1_000_000, expires_on: null, guest_id, message: null, method: "cash" };
  return { id: (await post("/gift-cards", card)).body.data?.id ?? 0, code };
};

const dishNamed = (name: string): number => dishes.find((dish) => dish.name.en === name)?.id ?? 0;
const post = (path: string, body: object) =>
  staff.call("POST", `/venues/${lab.slug}${path}`, { body, headers: { "idempotency-key": randomUUID() } });
const pickOf = <T>(list: readonly T[], turn: number): T => list[turn % list.length] as T;

/** Both dishes are counted, and orders name them in either order. */
const COUNTED = ["Plain Plate", "Hydrogen Fizz"];
const lines = (turn: number) =>
  (turn % 2 === 0 ? COUNTED : COUNTED.toReversed()).map((name) => ({ item_id: dishNamed(name), quantity: 1 }));

const openOrders = async (): Promise<BoardOrder[]> => (await staff.call("GET", `/venues/${lab.slug}/board`)).body.data.orders;
const withOrder = async (turn: number, write: (order: BoardOrder) => Promise<unknown>): Promise<void> => {
  const orders = await openOrders();
  if (orders.length > 0) await write(pickOf(orders, turn));
};
const move = (turn: number, status: string) =>
  withOrder(turn, ({ order }) => post(`/orders/${order.id}/status`, { seen_status: order.status, status, reason: "lock order" }));

const WRITES: ((turn: number) => Promise<unknown>)[] = [
  (turn) => post("/orders", { type: "pickup", customer_name: "Ada", customer_phone: `+1 555 01${turn % 3}0`, lines: lines(turn) }),
  (turn) =>
    app.call(lab.token, "POST", "/orders", {
      body: { type: "pickup", customer_name: "Ben", customer_phone: `+1 555 01${turn % 3}0`, lines: lines(turn + 1) },
    }),
  (turn) => move(turn, "accepted"),
  (turn) => move(turn, pickOf(["rejected", "cancelled"], turn)),
  (turn) => move(turn, pickOf(["ready", "completed"], turn)),
  (turn) =>
    withOrder(turn, ({ order, paid_minor }) =>
      post(`/orders/${order.id}/payments`, { method: "cash", amount_minor: 100, seen_paid_minor: paid_minor }),
    ),
  (turn) =>
    withOrder(turn, ({ order, paid_minor }) =>
      post(`/orders/${order.id}/gift-card-payments`, { code: pickOf(cards, turn).code, amount_minor: 50, seen_paid_minor: paid_minor }),
    ),
  (turn) =>
    withOrder(turn, async ({ order }) => {
      const { payments } = (await staff.call("GET", `/venues/${lab.slug}/orders/${order.id}`)).body.data as OrderDetails;
      const payment = payments.find(({ method, refunded_total_minor }) => method === "gift_card" && refunded_total_minor === 0);
      if (payment)
        await post(`/orders/${order.id}/payments/${payment.id}/refunds`, {
          amount_minor: 10,
          reason: "lock order",
          seen_refunded_minor: 0,
        });
    }),
  async () => {
    const [guest] = (await staff.call("GET", `/venues/${lab.slug}/guests`)).body.data.guests;
    await sellCard(drawGiftCardCode(), guest?.id ?? null);
  },
  async (turn) => {
    const { id } = pickOf(cards, turn);
    const { card } = (await staff.call("GET", `/venues/${lab.slug}/gift-cards/${id}`)).body.data;
    await staff.call("PUT", `/venues/${lab.slug}/gift-cards/${id}/status`, {
      body: { seen_status: card.status, status: pickOf(["active", "active", "frozen"], turn) },
      headers: { "idempotency-key": randomUUID() },
    });
  },
  (turn) =>
    withOrder(turn, ({ order }) =>
      post(`/orders/${order.id}/lines/${pickOf(order.items, turn).id}/strike`, { seen_status: order.status, reason: "lock order" }),
    ),
  async (turn) => {
    const { data } = (await staff.call("GET", `/venues/${lab.slug}/menu-today`)).body;
    const dish = data.dishes.find((one: { name: { en: string } }) => one.name.en === pickOf(COUNTED, turn));
    await post(`/menu-today/dishes/${dish.id}`, { seen: dish.state, to: "count", remaining: 5 + (turn % 4) });
  },
  async (turn) => {
    const { branches, charges } = (await staff.call("GET", `/venues/${lab.slug}/settings`)).body.data;
    await post(pickOf(["/closing-days", "/opening-days"], turn), { branch_id: branches.value[0].id, date: "2030-01-01", reason: null });
    await staff.call("PUT", `/venues/${lab.slug}/settings/charges`, {
      body: { seen_version: charges.version, charges: { ...charges.value, delivery_fee_tax: pickOf([null, "included"], turn) } },
      headers: { "idempotency-key": randomUUID() },
    });
  },
  (turn) => app.call(lab.token, "PATCH", `/items/${dishNamed(pickOf(COUNTED, turn))}`, { body: { price_minor: 900 + turn } }),
  (turn) =>
    app.call(lab.token, "PUT", `/items/${dishNamed(pickOf(COUNTED, turn))}/availability`, { body: { is_available: turn % 5 !== 0 } }),
];

/** A connection tells its counts when it is idle for a moment. */
const countDeadlocks = async (): Promise<number> => {
  await app.database.asOwner("select pg_stat_force_next_flush()").catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const [row] = await app.database.asOwner<{ deadlocks: string }>(
    "select deadlocks from pg_stat_database where datname = current_database()",
  );
  return Number(row?.deadlocks ?? 0);
};

test(`${WRITERS} writers with ${WRITES_EACH} writes each on the same orders, guests, gift cards and counted dishes: no deadlock`, {
  timeout: 600_000,
}, async () => {
  for (const name of COUNTED) {
    const { data } = (await staff.call("GET", `/venues/${lab.slug}/menu-today`)).body;
    const dish = data.dishes.find((one: { name: { en: string } }) => one.name.en === name);
    expect((await post(`/menu-today/dishes/${dish.id}`, { seen: dish.state, to: "count", remaining: 50 })).status).toBe(200);
  }
  const before = await countDeadlocks();
  const writer = async (number: number): Promise<void> => {
    for (let turn = 0; turn < WRITES_EACH; turn++) await pickOf(WRITES, number * 7 + turn)(number + turn);
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, number) => writer(number)));
  expect(await countDeadlocks()).toBe(before);
  const [done] = await app.database.asOwner<{ orders: number; moves: number; payments: number; redeemed: number; struck: number }>(
    `select (select count(*)::integer from orders where restaurant_id = $1) as orders,
       (select count(*)::integer from audit_entries where restaurant_id = $1 and action = 'order.moved') as moves,
       (select count(*)::integer from payments where restaurant_id = $1) as payments,
       (select count(*)::integer from gift_card_entries where restaurant_id = $1 and kind = 'redeem') as redeemed,
       (select count(*)::integer from audit_entries where restaurant_id = $1 and reason = 'lock order' and action <> 'order.moved') as struck`,
    [lab.id],
  );
  // The writes took place: the absence of deadlocks is no accident of refusals.
  for (const [name, count] of Object.entries(done ?? {})) expect(count, name).toBeGreaterThan(0);
});

test("planted: two transactions that lock two dishes in opposite order are found", async () => {
  const before = await countDeadlocks();
  const [first = 0, second = 0] = COUNTED.map(dishNamed);
  const lockBoth = async (ids: number[]): Promise<void> => {
    const lock = ids.map((id) => `perform from items where restaurant_id = ${lab.id} and id = ${id} for update;`);
    await app.database.asOwner(`do $$ begin ${lock[0]} perform pg_sleep(1); ${lock[1]} end $$`);
  };
  await Promise.allSettled([lockBoth([first, second]), lockBoth([second, first])]);
  expect(await countDeadlocks()).toBeGreaterThan(before);
});
