/**
 * One card, over two processes: redeemed for many orders, refunded, frozen, and expired by the job, all at once. What is on it never falls
 * below zero, and is always the sum of its entries. A double tap redeems once.
 */
import { randomUUID } from "node:crypto";
import { Agent } from "node:http";
import { drawGiftCardCode } from "@comanda/contract/console/gift-card-codes.ts";
import { CONSOLE_PREFIX } from "@comanda/contract/console/operation.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asSystem } from "../../src/compose/as-system.ts";
import { giftCardJobs } from "../../src/venue/orders/gift-cards/jobs.ts";
import { issueCard } from "../../src/venue/orders/gift-cards/service/cards.ts";
import { placeLabOrder } from "../support/console-bodies.ts";
import { type ConsoleAnswer, consoleCall, createUser, type TestUser } from "../support/console-client.ts";
import { faultInjectingPool } from "../support/fault-injection.ts";
import { createFleet, type Fleet } from "../support/processes.ts";
import { sendCall } from "../support/raw-http.ts";
import { repeatUntilDetected } from "../support/repeat-until-detected.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const WRITES = Number(process.env.TEST_ROUNDS ?? (process.env.TEST_STRESS ? 10_000 : 120));
const ORDERS = 12;
const WRITES_A_ROUND = 30;
const CARD_MINOR = 1000;
const AMOUNT_MINOR = 150;
const DAY_MS = 86_400_000;

let app: TestApp;
let lab: TestVenue;
let fleet: Fleet;
let manager: TestUser;
let today: string;
const agent = new Agent({ keepAlive: true, maxSockets: 12 });

beforeAll(async () => {
  app = await startApp();
  app.clock.set(new Date().toISOString());
  lab = await app.venue("lab");
  manager = await createUser(app, lab.slug, "manager", "max@lab.example");
  fleet = await createFleet(app.database.appUrl, { CONSOLE_RATE_PER_MINUTE: "1000000" });
  for (let server = 0; server < 2; server++) await fleet.start();
  const [row] = await app.database.asOwner<{ today: string }>(
    "select (now() at time zone zone)::date::text as today from restaurants where id = $1",
    [lab.id],
  );
  today = row?.today ?? "";
});
afterAll(async () => {
  agent.destroy();
  await fleet.close();
  await app.close();
});

type Sent = Pick<ConsoleAnswer, "status" | "body">;
type SendAsManager = (method: string, path: string, body: object, key?: string) => Promise<Sent>;

const overFleet: SendAsManager = async (method, path, body, key = randomUUID()) => {
  const { status, text } = await sendCall({
    port: fleet.port,
    agent,
    token: null,
    prefix: CONSOLE_PREFIX,
    method,
    path: `/venues/${lab.slug}${path}`,
    headers: { cookie: `__Host-comanda=${manager.cookie}`, "sec-fetch-site": "same-origin", "idempotency-key": key },
    body,
  });
  return { status, body: JSON.parse(text) };
};

/** Without the call, which a person may make thirty times a minute. */
const sell = async (): Promise<{ id: number; code: string }> => {
  const code = drawGiftCardCode();
  const card = { code, amount_minor: CARD_MINOR, expires_on: today, guest_id: null, message: null };
  const { id } = await forVenue(app.deps, lab.slug, (ctx) => issueCard({ ...ctx, now: new Date() }, card, { method: "cash" }));
  return { id, code };
};

/** What is wrong with any of these cards, their payments or their events; with any card at all when none are named. */
const faults = (ids: number[] | null = null): Promise<{ id: number; fault: string }[]> =>
  app.database.asOwner(
    `select c.id, case when c.balance_minor < 0 then 'below zero' when c.balance_minor <> e.sum then 'not the sum'
         when e.redeemed <> coalesce(p.paid, 0) then 'not what was paid' when e.refunded <> coalesce(p.refunded, 0) then 'not what was refunded'
         else 'a redemption and its event differ' end as fault
     from gift_cards c
     cross join lateral (
       select sum(amount_minor) as sum, coalesce(sum(-amount_minor) filter (where kind = 'redeem'), 0) as redeemed,
         coalesce(sum(amount_minor) filter (where kind = 'refund'), 0) as refunded, count(*) filter (where kind = 'redeem') as redemptions
       from gift_card_entries where gift_card_id = c.id) e
     cross join lateral (
       select sum(amount_minor) as paid, sum(refunded_total_minor) as refunded from payments where method = 'gift_card'
         and id in (select payment_id from gift_card_entries where gift_card_id = c.id and kind = 'redeem')) p
     left join (
       select (body::jsonb->'data'->'gift_card'->>'id')::bigint as card_id, count(*) as told from events where type = 'giftcard.redeemed'
       group by 1) t on t.card_id = c.id
     where ($1::bigint[] is null or c.id = any($1)) and (c.balance_minor < 0 or c.balance_minor <> e.sum
       or e.redeemed <> coalesce(p.paid, 0) or e.refunded <> coalesce(p.refunded, 0) or coalesce(t.told, 0) <> e.redemptions)`,
    [ids],
  );

type OpenOrder = { id: string; paid: number; payments: { id: number; refunded: number }[] };

const newOrder = async (): Promise<OpenOrder> => {
  const { data } = (await app.call(lab.token, "GET", "/items?per_page=100")).body;
  const dish = data.find((item: { name: { en: string } }) => item.name.en === "Plain Plate").id;
  const id = await placeLabOrder(app, lab, { lines: [{ item_id: dish, quantity: 50 }] });
  return { id, paid: 0, payments: [] };
};

const paymentsOf = async (order: OpenOrder): Promise<OpenOrder> => {
  const payments = await app.database.asOwner<{ id: number; amount_minor: number; refunded: number }>(
    "select id, amount_minor, refunded_total_minor as refunded from payments where order_id = $1 order by id",
    [order.id],
  );
  return { ...order, payments, paid: payments.reduce((sum, one) => sum + Number(one.amount_minor) - Number(one.refunded), 0) };
};

/** The expiry runs here, and it is the day after tomorrow; the two processes have the real time. */
const later = new Date(Date.now() + 2 * DAY_MS);

type RacingWrite = () => Promise<Sent | undefined>;

/** The writes of one round, to be sent at once. Every third redemption is tapped twice. */
const writesOf = (send: SendAsManager, card: { id: number; code: string }, orders: readonly OpenOrder[]): RacingWrite[] => {
  const expired = { ...app.deps, clock: { now: () => later, ofChange: () => later, ofDatabase: () => later } };
  const pay =
    ({ id, paid }: OpenOrder, key: string) =>
    () =>
      send("POST", `/orders/${id}/gift-card-payments`, { code: card.code, amount_minor: AMOUNT_MINOR, seen_paid_minor: paid }, key);
  const redemptions = orders.flatMap((order, turn) => {
    const key = randomUUID();
    return turn % 3 === 0 ? [pay(order, key), pay(order, key)] : [pay(order, key)];
  });
  const refunds = orders.flatMap((order) => {
    const payment = order.payments.findLast(({ refunded }) => Number(refunded) === 0);
    const body = { amount_minor: AMOUNT_MINOR, reason: "too cold", seen_refunded_minor: 0 };
    return payment ? [() => send("POST", `/orders/${order.id}/payments/${payment.id}/refunds`, body)] : [];
  });
  const freezes = (["active", "frozen", "active"] as const).map(
    (seen_status) => () =>
      send("PUT", `/gift-cards/${card.id}/status`, { seen_status, status: seen_status === "active" ? "frozen" : "active" }),
  );
  const expiries = [0, 1].map(() => async () => {
    await giftCardJobs["expire-gift-card"](asSystem(expired, lab.id), { gift_card_id: card.id, expires_on: today });
    return undefined;
  });
  return [...redemptions, ...refunds.slice(0, 8), ...freezes, ...expiries];
};

const atOnce = (writes: readonly RacingWrite[]): Promise<(Sent | undefined)[]> => Promise.all(writes.map((write) => write()));

test(`${WRITES} redemptions, refunds, freezes and expiries at once: nothing below zero, every balance the sum of its entries`, {
  timeout: WRITES * 200 + 60_000,
}, async () => {
  let orders = await Promise.all(Array.from({ length: ORDERS }, newOrder));
  const statuses = new Map<number, number>();
  for (let written = 0; written < WRITES; written += WRITES_A_ROUND) {
    const card = await sell();
    orders = await Promise.all(orders.map(paymentsOf));
    for (const sent of await atOnce(writesOf(overFleet, card, orders)))
      if (sent) statuses.set(sent.status, (statuses.get(sent.status) ?? 0) + 1);
    // The card of a round may be expired at once; one that nothing ends shows how redemptions alone meet.
    const calm = await sell();
    orders = await Promise.all(orders.map(paymentsOf));
    await atOnce(writesOf(overFleet, calm, orders).slice(0, ORDERS));
    expect(await faults([card.id, calm.id])).toEqual([]);
  }
  expect(await faults()).toEqual([]);
  // A busy machine answers 503 to some, who try again.
  expect([...statuses.keys()].filter((status) => status >= 500 && status !== 503)).toEqual([]);
  const [counted] = await app.database.asOwner<{ deadlocks: string }>(
    "select deadlocks from pg_stat_database where datname = current_database()",
  );
  expect(Number(counted?.deadlocks)).toBe(0);
  expect(statuses.get(201) ?? 0).toBeGreaterThan(0);
  const kinds = await app.database.asOwner<{ kind: string }>("select distinct kind from gift_card_entries order by kind");
  expect(kinds.map(({ kind }) => kind)).toEqual(["expire", "issue", "redeem", "refund"]);
});

test("planted: without the lock, and with a balance that is read before it is written, the same check finds a wrong balance", async () => {
  await app.database.asOwner(`
    create or replace function app.book_gift_card_entry() returns trigger language plpgsql security definer set search_path = app, pg_temp as $$
    declare seen bigint := (select balance_minor from gift_cards where restaurant_id = new.restaurant_id and id = new.gift_card_id);
    begin
      perform pg_sleep(0.02);
      update gift_cards set balance_minor = seen + new.amount_minor where restaurant_id = new.restaurant_id and id = new.gift_card_id
        returning balance_minor into new.balance_minor;
      return new;
    end $$`);
  const careless = faultInjectingPool(({ text, ...rest }) =>
    / from gift_cards .*for update$/s.test(text) ? { ...rest, text: text.replace(/ for update$/, "") } : null,
  );
  const faulty = await startApp({ database: app.database, pool: careless, environment: { CONSOLE_RATE_PER_MINUTE: "1000000" } });
  faulty.clock.set(new Date().toISOString());
  const inProcess: SendAsManager = async (method, path, body, key = randomUUID()) =>
    consoleCall(faulty, method, `/venues/${lab.slug}${path}`, { cookie: manager.cookie, body, headers: { "idempotency-key": key } });
  const found = await repeatUntilDetected(
    async () => {
      const card = await sell();
      const orders = await Promise.all(Array.from({ length: 4 }, newOrder));
      await atOnce(writesOf(inProcess, card, orders).slice(0, 4));
      return faults();
    },
    (wrong) => wrong.length > 0,
  );
  await faulty.close();
  expect(found[0]?.fault).toBe("not the sum");
});
