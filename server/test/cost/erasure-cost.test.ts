/**
 * The erasure and the export of a guest cost what the guest has, whatever else the venue has: in a venue with a month of events and a day
 * of stored answers they fit into the limit of a statement many times.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { eraseGuest, exportGuest } from "#venue/guest-records/erasure/service.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../support/test-app.ts";
import { beginTiming } from "../support/timing-verdict.ts";

const EVENTS = 60_000;
const ANSWERS = 20_000;
const ORDERS_OF_GUEST = 200;
const GUESTS = 5;
const MS_MAX = 1000;

let app: TestApp;
let lab: TestVenue;
const guests: number[] = [];

const placeOrder = async (): Promise<string> => {
  const { data } = (await app.call(lab.token, "GET", "/items?per_page=100")).body;
  const dish = data.find((item: { name: { en: string } }) => item.name.en === "Plain Plate").id;
  const guest = { type: "pickup", customer_name: "Ada", customer_phone: "+1 555 0100" };
  const lines = Array.from({ length: 4 }, () => ({ item_id: dish, quantity: 1 }));
  const placed = await app.call(lab.token, "POST", "/orders", { body: { ...guest, lines }, headers: { "idempotency-key": "first" } });
  expect(placed.status, placed.text).toBe(201);
  return placed.body.data.id;
};

/** Each with the same number of orders, and for each order three events and an answer. */
const makeGuest = async (orderId: string): Promise<void> => {
  const [guest] = await app.database.asOwner<{ id: string }>(
    "insert into guests (restaurant_id, key, name, marketing_opted_in, created_at, updated_at) values ($1, gen_random_uuid()::text, 'Mona', false, now(), now()) returning id",
    [lab.id],
  );
  guests.push(Number(guest?.id));
  await app.database.asOwner(
    `with made as (
       insert into orders select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(), 'number', null, 'guest_id', $3::bigint, 'sold_on', null))).*
       from orders o, generate_series(1, $2::integer) where o.restaurant_id = $1 and o.id = $4::uuid returning id
     ), event as (
       insert into events (restaurant_id, id, type, created_at, body)
       select e.restaurant_id, gen_random_uuid(), e.type, e.created_at, replace(e.body, $4::text, made.id::text)
       from events e, made, generate_series(1, 3) where e.restaurant_id = $1 and e.type = 'order.created' and e.body like '%' || $4::text || '%'
       returning id, body, created_at
     ), change as (
       insert into changes (restaurant_id, number, position, area, subject, event_id, at)
       select $1, -$3::bigint, row_number() over (), 'orders', body::jsonb #>> '{data,order,id}', id, created_at from event
     )
     insert into idempotency_keys (restaurant_id, caller, key, fingerprint, status, body, location, created_at, about)
     select k.restaurant_id, k.caller, made.id::text, k.fingerprint, k.status, replace(k.body, $4::text, made.id::text), k.location, k.created_at,
       array_replace(k.about, $4::text, made.id::text)
     from idempotency_keys k, made where k.restaurant_id = $1 and k.body like '%' || $4::text || '%'`,
    [lab.id, ORDERS_OF_GUEST, guest?.id, orderId],
  );
};

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
  const orderId = await placeOrder();
  for (let guest = 0; guest < GUESTS; guest++) await makeGuest(orderId);
  await app.database.asOwner(
    `with event as (
       insert into events (restaurant_id, id, type, created_at, body)
       select e.restaurant_id, gen_random_uuid(), e.type, e.created_at - n % 29 * interval '1 day', replace(e.body, $3::text, gen_random_uuid()::text)
       from events e, generate_series(1, $2::integer) n where e.restaurant_id = $1 and e.type = 'order.created' and e.body like '%' || $3::text || '%'
       returning id, body, created_at
     )
     insert into changes (restaurant_id, number, position, area, subject, event_id, at)
     select $1, -1, row_number() over (), 'orders', body::jsonb #>> '{data,order,id}', id, created_at from event`,
    [lab.id, EVENTS, orderId],
  );
  await app.database.asOwner(
    `insert into idempotency_keys (restaurant_id, caller, key, fingerprint, status, body, location, created_at, about)
     select k.restaurant_id, k.caller, n::text, k.fingerprint, k.status, replace(k.body, $3::text, made.id), k.location, k.created_at,
       array_replace(k.about, $3::text, made.id)
     from idempotency_keys k cross join generate_series(1, $2::integer) n cross join lateral (select gen_random_uuid()::text || left(n::text, 0) as id) made
     where k.restaurant_id = $1 and k.key = 'first'`,
    [lab.id, ANSWERS, orderId],
  );
  await app.database.asOwner("analyze events; analyze changes; analyze idempotency_keys; analyze orders; analyze guests");
}, 300_000);
afterAll(() => app.close());

const timed = async (run: (guestId: number) => Promise<unknown>): Promise<number[]> => {
  const times: number[] = [];
  for (const guestId of guests) {
    const begin = performance.now();
    await run(guestId);
    times.push(performance.now() - begin);
  }
  return times.toSorted((a, b) => a - b);
};
const middleOf = (times: readonly number[]): number => times[Math.floor(times.length / 2)] ?? Number.NaN;

test(`a guest with ${ORDERS_OF_GUEST} orders is exported, then erased, within ${MS_MAX} ms each beside ${EVENTS} events and ${ANSWERS} answers`, {
  timeout: 300_000,
}, async (context) => {
  const timing = beginTiming(context);
  const exported = await timed(async (id) => {
    const { events } = await forVenue(app.deps, lab.slug, (ctx) => exportGuest(ctx, id));
    expect(events).toHaveLength(3 * ORDERS_OF_GUEST);
  });
  const erased = await timed(async (id) => {
    const { erased: counts } = await forVenue(app.deps, lab.slug, (ctx) => eraseGuest(ctx, id));
    expect(counts).toMatchObject({ orders: ORDERS_OF_GUEST, events: 3 * ORDERS_OF_GUEST });
  });
  const [left] = await app.database.asOwner<{ answers: number }>(
    "select count(*)::integer as answers from idempotency_keys k join orders o on o.restaurant_id = k.restaurant_id and o.id::text = k.key where k.restaurant_id = $1",
    [lab.id],
  );
  expect(left?.answers).toBe(0);
  console.info(`export ${Math.round(middleOf(exported))} ms, erasure ${Math.round(middleOf(erased))} ms`);
  timing.judge(() => {
    expect(middleOf(exported)).toBeLessThan(MS_MAX);
    expect(middleOf(erased)).toBeLessThan(MS_MAX);
  });
});
