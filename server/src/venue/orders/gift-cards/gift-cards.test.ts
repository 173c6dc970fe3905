/** Gift cards: the code is not shown again, what is on a card is the sum of its ledger, and a payment and its redemption are one. */
import { randomUUID } from "node:crypto";
import { drawGiftCardCode, formatGiftCardCode } from "@comanda/contract/console/gift-card-codes.ts";
import type { EVENT_TYPES } from "@comanda/contract/events/envelope.ts";
import { SANDBOX_GIFT_CARD_CODE } from "@comanda/contract/sandbox/sandbox-ids.ts";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { placeLabOrder } from "../../../../test/support/console-bodies.ts";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { createSandbox, inSandbox } from "../../../admin/sandbox.ts";
import { asSystem } from "../../../compose/as-system.ts";
import { eraseGuest, exportGuest } from "../../guest-records/erasure/service.ts";
import { resetSandbox } from "../../sandbox/service.ts";
import { giftCardJobs } from "./jobs.ts";
import { lookUpCard } from "./service/codes.ts";

let app: TestApp;
let lab: TestVenue;
let staff: TestUser;
let manager: TestUser;

beforeAll(async () => {
  app = await startApp({ environment: { CONSOLE_RATE_PER_MINUTE: "60000" } });
  lab = await app.venue("lab");
  staff = await createUser(app, lab.slug, "staff", "sam@lab.example");
  manager = await createUser(app, lab.slug, "manager", "max@lab.example");
});
afterAll(() => app.close());

const sendAgain = (who: TestUser, key: string, path: string, body: object) =>
  who.call("POST", `/venues/${lab.slug}${path}`, { body, headers: { "idempotency-key": key } });
const send = (who: TestUser, method: string, path: string, body?: object) =>
  who.call(method as "POST", `/venues/${lab.slug}${path}`, {
    ...(body ? { body } : {}),
    headers: { "idempotency-key": randomUUID() },
  });

const newCard = (changes: object = {}) => ({
  code: formatGiftCardCode(drawGiftCardCode()),
  amount_minor: 2000,
  expires_on: null,
  guest_id: null,
  message: null,
  ...changes,
});
const sell = async (changes: object = {}) => {
  const body = { ...newCard(changes), method: "cash" };
  const { status, body: answer, text } = await send(staff, "POST", "/gift-cards", body);
  if (status !== 201) throw new Error(text);
  return { code: body.code, ...answer.data };
};
const pay = (orderId: string, code: string, amount_minor: number, seen_paid_minor = 0) =>
  send(staff, "POST", `/orders/${orderId}/gift-card-payments`, { code, amount_minor, seen_paid_minor });
const totalOf = async (orderId: string): Promise<number> => (await app.call(lab.token, "GET", `/orders/${orderId}`)).body.data.total_minor;
const dayAfter = (days: number): string => new Date(app.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
/** A later moment, as long as `work` runs. */
const at = async (moment: Date, work: () => Promise<void>): Promise<void> => {
  const before = app.clock.now();
  app.clock.set(moment.toISOString());
  await work();
  app.clock.set(before.toISOString());
};
const ledger = async (id: number) => (await send(manager, "GET", `/gift-cards/${id}`)).body.data;
const events = async (type: (typeof EVENT_TYPES)[number], text: string) =>
  (await app.database.asOwner<{ body: string }>("select body from events where type = $1 order by created_at, id", [type]))
    .map(({ body }) => JSON.parse(body))
    .filter((event) => JSON.stringify(event).includes(text));

test("D168 a sale answers without the code, stores its keyed hash alone, is taken and tells giftcard.issued", async () => {
  const before = (await send(manager, "GET", "/takings")).body.data.rows;
  const key = randomUUID();
  const body = { ...newCard({ amount_minor: 5000, expires_on: "2027-12-31", message: "Happy birthday" }), method: "cash" };
  const sold = await sendAgain(staff, key, "/gift-cards", body);
  expect(sold.status).toBe(201);
  expect(sold.text).not.toContain(body.code);
  expect(sold.body.data).toMatchObject({ code_last4: body.code.slice(-4), balance_minor: 5000, status: "active", source: "sale" });
  expect((await sendAgain(staff, key, "/gift-cards", body)).body.data.id).toBe(sold.body.data.id);
  const stored = JSON.stringify([
    ...(await app.database.asOwner("select * from gift_cards")),
    ...(await app.database.asOwner("select * from idempotency_keys")),
    ...(await app.database.asOwner("select * from audit_entries")),
  ]);
  for (const secret of [body.code, body.code.replaceAll("-", "")]) expect(stored).not.toContain(secret);
  const [event, ...more] = await events("giftcard.issued", `"id":${sold.body.data.id}`);
  expect(more).toEqual([]);
  expect(event.data.gift_card).toMatchObject({ initial_minor: 5000, balance_minor: 5000, code_last4: body.code.slice(-4) });
  expect(event.data.gift_card.expires_at).toMatch(/^2027-12-31T23:59:59/);
  const cash = (rows: { method: string; taken_minor: number }[]) =>
    rows.filter(({ method }) => method === "cash").reduce((sum, { taken_minor }) => sum + taken_minor, 0);
  expect(cash((await send(manager, "GET", "/takings")).body.data.rows) - cash(before)).toBe(5000);
});

test("D169 a card pays in part and then in full: giftcard.redeemed each time, order.paid once, and a double tap redeems once", async () => {
  const card = await sell({ amount_minor: 100_000 });
  const orderId = await placeLabOrder(app, lab);
  const total = await totalOf(orderId);
  const key = randomUUID();
  const tap = () =>
    sendAgain(staff, key, `/orders/${orderId}/gift-card-payments`, { code: card.code, amount_minor: 100, seen_paid_minor: 0 });
  const taps = await Promise.all([tap(), tap()]);
  expect(taps.some(({ status }) => status === 201)).toBe(true);
  expect((await tap()).status).toBe(201);
  expect((await pay(orderId, card.code, 100, 0)).status).toBe(409);
  expect(await events("order.paid", orderId)).toEqual([]);
  expect((await pay(orderId, card.code, total - 100, 100)).status).toBe(201);
  const redeemed = await events("giftcard.redeemed", orderId);
  expect(redeemed.map(({ data }) => [data.redemption.amount_minor, data.gift_card.balance_minor])).toEqual([
    [100, 99_900],
    [total - 100, 100_000 - total],
  ]);
  expect(await events("order.paid", orderId)).toHaveLength(1);
  const { entries, card: state } = await ledger(card.id);
  expect(entries.map(({ kind }: { kind: string }) => kind)).toEqual(["redeem", "redeem", "issue"]);
  expect(state.balance_minor).toBe(100_000 - total);
});

test("a card that is frozen, expired or too small pays nothing, and a wrong code answers the same in every case", async () => {
  const card = await sell({ amount_minor: 50 });
  const orderId = await placeLabOrder(app, lab);
  const refused = async (code: string, amount = 40) => {
    const { status, body } = await pay(orderId, code, amount);
    return [status, Object.keys(body.error?.details ?? {})];
  };
  expect(await refused(card.code, 51)).toEqual([422, ["amount_minor"]]);
  await send(manager, "PUT", `/gift-cards/${card.id}/status`, { seen_status: "active", status: "frozen", reason: "reported lost" });
  expect(await refused(card.code)).toEqual([422, ["gift_card"]]);
  await send(manager, "PUT", `/gift-cards/${card.id}/status`, { seen_status: "frozen", status: "active" });
  const other = await app.venue("lab", ({ restaurant }) => Object.assign(restaurant, { slug: "other-lab" }));
  const elsewhere = await createUser(app, other.slug, "staff", "eve@other.example");
  const tries = [
    send(staff, "POST", "/gift-cards/look-up", { code: drawGiftCardCode() }),
    send(staff, "POST", "/gift-cards/look-up", { code: `${card.code.slice(0, -1)}${card.code.endsWith("0") ? "1" : "0"}` }),
    elsewhere.call("POST", `/venues/${other.slug}/gift-cards/look-up`, { body: { code: card.code } }),
  ];
  const answers = (await Promise.all(tries)).map(({ status, body }) => [status, body.error.code, body.error.details]);
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(answers[0]?.[0]).toBe(422);
  const written = card.code.toLowerCase().replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "l");
  expect((await send(staff, "POST", "/gift-cards/look-up", { code: written })).body.data.id).toBe(card.id);
  expect((await ledger(card.id)).entries).toHaveLength(1);
});

/** A card that ends today and has paid an order. */
const usedCard = async () => {
  const expires_on = dayAfter(0);
  const card = await sell({ amount_minor: 500, expires_on });
  const orderId = await placeLabOrder(app, lab);
  await pay(orderId, card.code, 300);
  const [payment] = (await send(staff, "GET", `/orders/${orderId}`)).body.data.payments;
  return {
    card,
    refund: (amount_minor: number, seen_refunded_minor: number) =>
      send(manager, "POST", `/orders/${orderId}/payments/${payment.id}/refunds`, { amount_minor, reason: "too cold", seen_refunded_minor }),
    freeze: () => send(manager, "PUT", `/gift-cards/${card.id}/status`, { seen_status: "active", status: "frozen" }),
    expire: () => giftCardJobs["expire-gift-card"](asSystem(app.deps, lab.id), { gift_card_id: card.id, expires_on }),
    state: async () => (await ledger(card.id)).card,
  };
};
const tomorrow = (): Date => new Date(app.clock.now().getTime() + 86_400_000);

test("a refund goes back to the card; one that ends soon, or has expired, is valid for a month more", async () => {
  const [soon, late] = [await usedCard(), await usedCard()];
  expect((await soon.refund(100, 0)).status).toBe(201);
  expect(await soon.state()).toMatchObject({ balance_minor: 300, status: "active", expires_on: dayAfter(30) });
  const reopened = dayAfter(31);
  await at(tomorrow(), async () => {
    await soon.expire();
    expect(await soon.state()).toMatchObject({ balance_minor: 300, status: "active" });
    await late.expire();
    expect(await late.state()).toMatchObject({ balance_minor: 0, status: "expired" });
    expect((await late.refund(200, 0)).status).toBe(201);
    expect(await late.state()).toMatchObject({ balance_minor: 200, status: "active", expires_on: reopened });
  });
});

test("a frozen card stays frozen when it expires and when an order is refunded to it", async () => {
  const { card, refund, freeze, expire, state } = await usedCard();
  expect((await freeze()).status).toBe(200);
  await at(tomorrow(), async () => {
    await expire();
    await expire();
    expect(await state()).toMatchObject({ balance_minor: 0, status: "frozen" });
    expect((await refund(300, 0)).status).toBe(201);
    expect(await state()).toMatchObject({ balance_minor: 300, status: "frozen" });
  });
  expect((await ledger(card.id)).entries.filter(({ kind }: { kind: string }) => kind === "expire")).toHaveLength(1);
});

test("a card expires once, at the midnight after its last day on the venue's clock", async () => {
  const card = await sell({ amount_minor: 700, expires_on: dayAfter(0) });
  const jobs = await app.database.asOwner<{ start_after: Date; data: { gift_card_id: number; expires_on: string } }>(
    "select start_after, data from jobs.job where name = 'expire-gift-card' and (data->>'gift_card_id')::bigint = $1",
    [card.id],
  );
  expect(jobs).toHaveLength(1);
  const { start_after, data } = jobs[0] as (typeof jobs)[number];
  const run = () => giftCardJobs["expire-gift-card"](asSystem(app.deps, lab.id), data);
  const orderId = await placeLabOrder(app, lab);
  await at(new Date(start_after.getTime() - 1000), async () => {
    await run();
    expect((await ledger(card.id)).card.status).toBe("active");
  });
  await at(start_after, async () => {
    // The job may be late: the day alone ends the card.
    expect((await pay(orderId, card.code, 100)).status).toBe(422);
    await Promise.all([run(), run()]);
    await run();
  });
  const { card: state, entries } = await ledger(card.id);
  expect(state).toMatchObject({ status: "expired", balance_minor: 0 });
  expect(entries.map(({ kind, amount_minor }: { kind: string; amount_minor: number }) => [kind, amount_minor])).toEqual([
    ["expire", -700],
    ["issue", 700],
  ]);
});

test("managers correct a balance, give cards out and replace a code; staff do not, and a lost race is told", async () => {
  const card = await sell({ amount_minor: 500 });
  const adjust = (who: TestUser, amount_minor: number, seen_balance_minor: number) =>
    send(who, "POST", `/gift-cards/${card.id}/adjustments`, { amount_minor, seen_balance_minor, reason: "sold for too little" });
  expect((await adjust(staff, 100, 500)).status).toBe(403);
  expect((await adjust(manager, 100, 500)).body.data.balance_minor).toBe(600);
  expect((await adjust(manager, 100, 500)).body.error).toMatchObject({
    code: "state_changed",
    details: { gift_card: { balance_minor: 600 } },
  });
  expect((await adjust(manager, -601, 600)).status).toBe(422);
  const code = drawGiftCardCode();
  const replaced = await send(manager, "PUT", `/gift-cards/${card.id}/code`, { seen_last4: card.code_last4, code });
  expect(replaced.body.data.code_last4).toBe(code.slice(-4));
  expect((await send(staff, "POST", "/gift-cards/look-up", { code: card.code })).status).toBe(422);
  expect((await send(staff, "POST", "/gift-cards/look-up", { code })).body.data.balance_minor).toBe(600);
  expect((await send(staff, "POST", "/gift-cards", { ...newCard({ code }), method: "cash" })).status).toBe(422);
  expect((await send(staff, "POST", "/gift-cards/given", { ...newCard(), reason: "a complaint" })).status).toBe(403);
  expect((await send(manager, "POST", "/gift-cards/given", { ...newCard(), reason: "a complaint" })).body.data.source).toBe("staff");
});

test("the application can neither write a balance nor change or delete an entry", async () => {
  await sell();
  const client = new pg.Client({ connectionString: app.database.appUrl });
  await client.connect();
  const denied = async (statement: string): Promise<string> => {
    await client.query(`begin; select set_config('app.restaurant_id', '${lab.id}', true)`);
    const said = await client.query(`set local search_path = app; ${statement}`).then(
      () => "allowed",
      (error: Error) => error.message,
    );
    await client.query("rollback");
    return said;
  };
  for (const statement of [
    "update gift_cards set balance_minor = 1",
    "update gift_card_entries set amount_minor = 1",
    "delete from gift_card_entries",
    "delete from gift_cards",
    `insert into gift_cards (restaurant_id, code_hash, code_last4, currency, source, initial_minor, balance_minor, status, issued_by, issued_at)
     values (${lab.id}, decode(repeat('00', 32), 'hex'), 'AAAA', 'EUR', 'sale', 1, 1, 'active', 'x', now())`,
    `insert into gift_card_entries (restaurant_id, gift_card_id, kind, amount_minor, balance_minor, recorded_by, recorded_at)
     select restaurant_id, id, 'adjust', 1, 1, 'x', now() from gift_cards`,
  ])
    expect(await denied(statement), statement).toMatch(/permission denied/);
  await client.end();
});

test("a guest's cards are found, exported and unlinked by an erasure, and what is on them stays", async () => {
  await placeLabOrder(app, lab, { customer_name: "Grace Hopper", customer_phone: "+1 555 0199" });
  const [guest] = (await send(staff, "GET", "/guests?search=Grace")).body.data.guests;
  const card = await sell({ amount_minor: 900, guest_id: guest.id, message: "For Grace" });
  const found = async (text: string): Promise<number[]> =>
    (await send(manager, "GET", `/gift-cards?search=${text}`)).body.data.map(({ id }: { id: number }) => id);
  expect(await found("Grace")).toEqual([card.id]);
  expect(await found(card.code_last4)).toEqual([card.id]);
  expect((await send(staff, "GET", "/gift-cards")).status).toBe(403);
  const ofGuest = async (who: TestUser) => send(who, "GET", `/gift-cards?guest=${guest.id}`);
  expect((await ofGuest(manager)).body.data.map(({ id }: { id: number }) => id)).toEqual([card.id]);
  expect((await ofGuest(staff)).status).toBe(403);
  const held = await forVenue(app.deps, lab.slug, (ctx) => exportGuest(ctx, guest.id));
  expect(held.gift_cards).toMatchObject([{ id: card.id, message: "For Grace" }]);
  const receipt = await forVenue(app.deps, lab.slug, (ctx) => eraseGuest(ctx, guest.id));
  expect(receipt.erased.gift_cards).toBe(1);
  expect(await ledger(card.id)).toMatchObject({ guest: null, message: null, card: { balance_minor: 900 } });
  expect(await found("Grace")).toEqual([]);
  expect((await ofGuest(manager)).body.data).toEqual([]);
});

test("codes are tried twenty times a minute, whatever they are", async () => {
  const limited = await startApp({ database: app.database, environment: { CONSOLE_RATE_PER_MINUTE: "1200" } });
  const clerk = await createUser(limited, lab.slug, "staff", "lim@lab.example");
  const statuses: number[] = [];
  for (let turn = 0; turn < 22; turn++)
    statuses.push((await clerk.call("POST", `/venues/${lab.slug}/gift-cards/look-up`, { body: { code: drawGiftCardCode() } })).status);
  expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 422));
  expect(statuses.slice(20)).toEqual([429, 429]);
  await limited.close();
});

test("D138 every sandbox has a card with a known code, and a reset brings it back", async () => {
  await createSandbox(app.deps, lab.slug, null);
  const read = () => inSandbox(app.deps, lab.slug, (ctx) => lookUpCard(ctx, SANDBOX_GIFT_CARD_CODE));
  const card = await read();
  expect(card).toMatchObject({ balance_minor: 5000, status: "active" });
  await inSandbox(app.deps, lab.slug, (ctx) => resetSandbox(ctx, null), { sandboxLock: "exclusive" });
  expect(await read()).toEqual(card);
});
