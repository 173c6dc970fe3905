/**
 * All writes of an evening at once, in one venue and on the same rows: each module locks in the same order, so none waits in a circle.
 * A deadlock would be repeated and answered, so that PostgreSQL's own count is asked, not the answers.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { OpenBill } from "@comanda/contract/console/bills.ts";
import type { SessionBooking, SessionSheet } from "@comanda/contract/console/experiences.ts";
import { drawGiftCardCode } from "@comanda/contract/console/gift-card-codes.ts";
import type { BoardOrder, OrderDetails } from "@comanda/contract/console/orders.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asSystem } from "../../src/compose/as-system.ts";
import { experienceJobs } from "../../src/venue/bookings/experiences/jobs.ts";
import { stockJobs } from "../../src/venue/stock/jobs.ts";
import { createUser, type TestUser } from "../support/console-client.ts";
import { experienceTools } from "../support/experiences.ts";
import { stockTools } from "../support/stock.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const WRITERS = 12;
const WRITES_EACH = Number(process.env.TEST_ROUNDS ?? (process.env.TEST_STRESS ? 400 : 25));

let app: TestApp;
let lab: TestVenue;
let staff: TestUser;
let cards: { id: number; code: string }[];
let stocked: number[];
let stockBranch: number;
let sessions: number[];
/** Its sessions are planned and cancelled again. */
let cancelledExperience: number;
let planned = 0;
let dishes: { id: number; name: { en: string } }[];

beforeAll(async () => {
  app = await startApp({ environment: { CONSOLE_RATE_PER_MINUTE: "1000000" } });
  lab = await app.venue("lab");
  staff = await createUser(app, lab.slug, "manager", "max@lab.example");
  cards = await Promise.all([drawGiftCardCode(), drawGiftCardCode()].map((code) => sellCard(code, null)));
  dishes = (await app.call(lab.token, "GET", "/items?per_page=100")).body.data;
  const stock = await stockTools(app, lab, staff);
  stockBranch = stock.branchId;
  stocked = [];
  for (const en of ["Flour", "Oil"])
    stocked.push((await stock.add({ name: { en }, sells_out: true, par_levels: [{ branch: "main", level: 5 }] })).id);
  const ingredients = await Promise.all(stocked.map(async (id) => ({ ingredient: await stock.keyOf(id), quantity: 1 })));
  await stock.recipe(dishNamed("Plain Plate"), [{ ingredients }]);
  await stock.recipe(dishNamed("Hydrogen Fizz"), [{ ingredients: ingredients.toReversed() }]);
  const experiences = experienceTools(app, lab, staff);
  sessions = (await experiences.plan((await experiences.add()).id, { capacity: 60, weeks: 2 })).map(({ id }) => id);
  cancelledExperience = (await experiences.add()).id;
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

/** The codes of two tables of the sample. */
const TABLES = ["L1", "L2"];
const withBill = async (turn: number, write: (bill: OpenBill, others: OpenBill[]) => Promise<unknown>): Promise<void> => {
  const bills = (await staff.call("GET", `/venues/${lab.slug}/bills`)).body.data as OpenBill[];
  const bill = bills[turn % Math.max(1, bills.length)];
  if (bill)
    await write(
      bill,
      bills.filter(({ id }) => id !== bill.id),
    );
};

/** Two turns share a session, because a write and the one after it in the list are of one session then. */
const sessionOf = (turn: number): number => pickOf(sessions, Math.floor(turn / 2));

const withTickets = async (turn: number, state: string, write: (booking: SessionBooking) => Promise<unknown>): Promise<void> => {
  const { bookings } = (await staff.call("GET", `/venues/${lab.slug}/experience-sessions/${sessionOf(turn)}`)).body.data as SessionSheet;
  const fitting = bookings.filter((booking) => booking.state === state);
  if (fitting.length > 0) await write(pickOf(fitting, turn));
};
const actOn = ({ id, version }: SessionBooking, path: string, body: object) =>
  post(`/experience-bookings/${id}/${path}`, { seen_version: version, ...body });

/** A buyer without a number, of a few: they are merged, and come back under their addresses. */
const buyerOf = (turn: number) => ({ name: "Buyer", phone: null, email: `buyer${turn % 4}@lock.example` });

/** Each at a moment of its own. */
const planSession = async (): Promise<{ id: number; version: number } | undefined> => {
  const minute = planned++;
  const time = `${String(Math.floor(minute / 60) % 24).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
  const body = { date: `2027-03-${String(1 + Math.floor(minute / 1440)).padStart(2, "0")}`, time, capacity: 10, weeks: 1 };
  return (await post(`/experiences/${cancelledExperience}/sessions`, body)).body.data?.[0];
};

const mergeBuyers = async (turn: number): Promise<void> => {
  const { guests } = (await staff.call("GET", `/venues/${lab.slug}/guests?search=Buyer`)).body.data as { guests: { id: number }[] };
  if (guests.length < 2) return;
  const [kept, other] = [pickOf(guests, turn).id, pickOf(guests, turn + 1).id];
  const versionOf = async (id: number) => (await staff.call("GET", `/venues/${lab.slug}/guests/${id}`)).body.data?.version ?? "gone";
  const seen = { seen_version: await versionOf(kept), other_seen_version: await versionOf(other) };
  await post(`/guests/${kept}/merge`, { other_id: other, ...seen });
};

const saveBranches = async (change: (branches: { key: string | null; name: { en: string } }[]) => object[]): Promise<void> => {
  const { branches } = (await staff.call("GET", `/venues/${lab.slug}/settings`)).body.data;
  const wanted = change(branches.value.map(({ id: _, ...branch }: { id: number }) => branch));
  await staff.call("PUT", `/venues/${lab.slug}/settings/branches`, {
    body: { seen_version: branches.version, branches: wanted },
    headers: { "idempotency-key": randomUUID() },
  });
};
const EXPERIENCE = { name: { en: "Tasting" }, description: null, price_minor: 100, branch: "main", is_active: true };
const GARDEN = { key: null, name: { en: "Garden" }, is_default: false, address: null, hours: null, closing_days: [] };

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
  (turn) =>
    app.call(lab.token, "POST", "/orders", {
      body: { type: "dine_in", table_code: pickOf(TABLES, turn), customer_name: "Tia", customer_phone: "+1 555 0199", lines: lines(turn) },
    }),
  (turn) =>
    withBill(turn, ({ id, due_minor }) =>
      post(`/bills/${id}/payments`, { method: "cash", amount_minor: Math.max(1, due_minor), tip_minor: 1, seen_due_minor: due_minor }),
    ),
  (turn) => withBill(turn, ({ id, due_minor }) => post(`/bills/${id}/close`, { seen_due_minor: due_minor, reason: "lock order" })),
  (turn) => withBill(turn, ({ id }, [other]) => post(`/bills/${id}/merge`, { other_bill_id: other?.id ?? id })),
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
  (turn) => {
    const ids = turn % 2 === 0 ? stocked : stocked.toReversed();
    const moved = ids.map((ingredient_id) => ({ ingredient_id, quantity: 2 }));
    return post(pickOf(["/stock/deliveries", "/stock/waste"], turn), { branch_id: stockBranch, lines: moved, reason: "lock order" });
  },
  async (turn) => {
    const id = pickOf(stocked, turn);
    const { ingredients } = (await staff.call("GET", `/venues/${lab.slug}/stock`)).body.data;
    const seen_on_hand = ingredients.find((level: { id: number }) => level.id === id).on_hand;
    await post(`/stock/ingredients/${id}/counts`, { branch_id: stockBranch, counted: turn % 7, seen_on_hand });
    await stockJobs["follow-stock"](asSystem(app.deps, lab.id), {});
  },
  async (turn) => {
    const { branch_id, week_start, version, people, days, rules } = (await staff.call("GET", `/venues/${lab.slug}/shifts`)).body.data;
    const from = `${String(turn % 24).padStart(2, "0")}:00`;
    const times = { date: pickOf(days as { date: string }[], turn).date, from, to: from.replace(":00", ":30") };
    await post("/shifts", {
      branch_id,
      shift: { staff_id: pickOf(people as { id: number }[], turn).id, ...times, role: null, note: null },
    });
    await post("/shift-weeks/publications", { branch_id, week_start, seen_version: version });
    await staff.call("PUT", `/venues/${lab.slug}/shift-rules`, {
      body: { seen: rules, rules: { first_weekday: pickOf(["saturday", "monday"], turn) } },
      headers: { "idempotency-key": randomUUID() },
    });
  },
  (turn) =>
    post(`/experience-sessions/${sessionOf(turn)}/bookings`, {
      tickets: 1 + (turn % 3),
      name: "Ada",
      phone: `+1 555 01${turn % 3}0`,
      email: null,
    }),
  (turn) =>
    withTickets(turn, "held", (booking) =>
      turn % 2 === 0
        ? actOn(booking, "payments", { method: "cash" })
        : actOn(booking, "gift-card-payments", { code: pickOf(cards, turn).code }),
    ),
  (turn) => withTickets(turn, "paid", (booking) => actOn(booking, "refunds", { reason: "lock order" })),
  (turn) =>
    withTickets(turn, "held", ({ id, hold_ends_at }) =>
      experienceJobs["expire-ticket-hold"](asSystem(app.deps, lab.id), { booking_id: id, hold_ends_at }),
    ),
  // Tickets of buyers who are merged meanwhile: the cancellation ends their holds.
  async (turn) => {
    const session = await planSession();
    if (!session) return;
    for (let more = 0; more < 4; more++) await post(`/experience-sessions/${session.id}/bookings`, { tickets: 1, ...buyerOf(turn + more) });
    await post(`/experience-sessions/${session.id}/cancellation`, { seen_version: session.version, reason: "lock order" });
  },
  (turn) => post(`/experience-sessions/${sessionOf(turn)}/bookings`, { tickets: 1, ...buyerOf(turn) }),
  mergeBuyers,
  // The removal of a branch locks the experiences and the sessions in it.
  (turn) =>
    saveBranches((branches) => {
      const others = branches.filter(({ name }) => name.en !== "Garden");
      return turn % 2 === 0 && others.length === branches.length ? [...branches, GARDEN] : others;
    }),
  async () => {
    const { id, version } = (await post("/experiences", { experience: EXPERIENCE })).body.data ?? {};
    if (id) await post(`/experiences/${id}/remove`, { seen_version: version });
  },
  (turn) => app.call(lab.token, "PATCH", `/items/${dishNamed(pickOf(COUNTED, turn))}`, { body: { price_minor: 900 + turn } }),
  (turn) =>
    app.call(lab.token, "PUT", `/items/${dishNamed(pickOf(COUNTED, turn))}/availability`, { body: { is_available: turn % 5 !== 0 } }),
];

const countDeadlocks = async (): Promise<number> => {
  await app.database.asOwner("select pg_stat_force_next_flush()").catch(() => undefined);
  const [row] = await app.database.asOwner<{ deadlocks: string }>(
    "select deadlocks from pg_stat_database where datname = current_database()",
  );
  return Number(row?.deadlocks ?? 0);
};

test(`${WRITERS} writers with ${WRITES_EACH} writes each on the same orders, guests, gift cards, tickets, ingredients and counted dishes: no deadlock`, {
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
  // A connection reports its counts when it is idle for a moment.
  await sleep(1500);
  expect(await countDeadlocks()).toBe(before);
  const [done] = await app.database.asOwner<{
    orders: number;
    moves: number;
    payments: number;
    redeemed: number;
    sold: number;
    ended: number;
    merged: number;
    removed: number;
    taken: number;
    struck: number;
  }>(
    `select (select count(*)::integer from orders where restaurant_id = $1) as orders,
       (select count(*)::integer from audit_entries where restaurant_id = $1 and action = 'order.moved') as moves,
       (select count(*)::integer from payments where restaurant_id = $1) as payments,
       (select count(*)::integer from gift_card_entries where restaurant_id = $1 and kind = 'redeem') as redeemed,
       (select count(*)::integer from experience_bookings where restaurant_id = $1 and paid_at is not null) as sold,
       (select count(*)::integer from experience_bookings b join experience_sessions s on s.restaurant_id = b.restaurant_id and s.id = b.session_id
         where b.restaurant_id = $1 and b.state = 'cancelled' and s.cancelled_at is not null) as ended,
       (select count(*)::integer from guests where restaurant_id = $1 and merged_into is not null) as merged,
       (select count(*)::integer from branches where restaurant_id = $1 and deleted_at is not null) as removed,
       (select count(*)::integer from stock_entries where restaurant_id = $1 and kind = 'order') as taken,
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
  await expect.poll(countDeadlocks).toBeGreaterThan(before);
});
