/** Orders and all that hangs on them, in the order of time over all venues: one statement for each part of the time. */
import {
  AUDIT_DAYS,
  DAYS,
  EVENT_DAYS,
  GUESTS_OF_TYPICAL,
  HEAVY_ORDERS_PERCENT,
  KEY_DAYS,
  REQUEST_DAYS,
  type Scale,
  STEP,
  sizesOf,
  TABLES,
  VENUES_PER_HEAVY,
  ZONE,
} from "./scale.ts";
import { type Blocks, guestId } from "./venues.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const FIRST_NAMES = ["Ada", "Bruno", "Chiara", "Dario", "Elena", "Fabio", "Giulia", "Hassan", "Irene", "Jonas", "Karim", "Laura"];
const LAST_NAMES = [
  "Rossi",
  "Bianchi",
  "Greco",
  "Conti",
  "Marino",
  "Haddad",
  "Weber",
  "Novak",
  "Silva",
  "Moretti",
  "Ricci",
  "Costa",
  "Serra",
];

const list = (names: readonly string[]): string => `(array[${names.map((name) => `'${name}'`).join(",")}])`;

/** A guest has the same name and number in every table. */
export const guestName = (guest: string): string =>
  `${list(FIRST_NAMES)}[1 + ${guest} / ${STEP} % ${FIRST_NAMES.length}] || ' ' || ${list(LAST_NAMES)}[1 + ${guest} / ${STEP} % ${LAST_NAMES.length}]`;
export const guestPhone = (guest: string): string => `'+39 06 ' || (${guest} / ${STEP})`;

/** UUID version 7 of a moment in milliseconds; the rest is a hash, so that the same seed gives the same id. */
export const uuid7 = (ms: string, hash: string): string =>
  `(lpad(to_hex(${ms}), 12, '0') || '7' || substr(lpad(to_hex(${hash}), 16, '0'), 14, 3) || '8' || lpad(to_hex(${hash} >> 4), 15, '0'))::uuid`;

export const hashOf = (ordinal: string, seed: number): string => `(hashint8extended(${ordinal}, ${seed}) & 9223372036854775807)`;

/** Heavy venues are every hundredth. */
export const venueOf = (hash: string, scale: Scale): string => {
  const { heavy, typical } = sizesOf(scale);
  const t = `(${hash} / 100 % ${typical})`;
  return `(case when ${hash} % 100 < ${HEAVY_ORDERS_PERCENT} then ${hash} / 100 % ${heavy} * ${VENUES_PER_HEAVY} else ${t} + ${t} / ${VENUES_PER_HEAVY - 1} + 1 end)`;
};

export const firstMs = ({ until }: Scale): number => Date.parse(`${until}T00:00:00Z`) - DAYS * DAY_MS;

/** Lunch from 11:30 to 15:00 with four orders in ten, dinner from 18:00 to 23:00 with the rest. */
const placedMs = (scale: Scale): string => {
  const share = `(i * ${DAYS} % ${scale.orders})::float8 / ${scale.orders}`;
  return `(${firstMs(scale)} + i * ${DAYS} / ${scale.orders} * ${DAY_MS}
    + (case when ${share} < 0.4 then 41400000 + ${share} / 0.4 * 12600000 else 64800000 + (${share} - 0.4) / 0.6 * 18000000 end)::bigint)`;
};

const statusOf = (openFrom: number): string => `
  case when i >= ${openFrom} then (array['placed', 'accepted', 'ready'])[1 + (h >> 40) % 3]
       when (h >> 40) % 100 < 5 then 'cancelled' when (h >> 40) % 100 < 8 then 'rejected' else 'completed' end`;

/** Everything about an order that follows from its ordinal `i`; `ordinals` is what they are taken from. */
export const drawn = (scale: Scale, ordinals: string): string => {
  const { guestsOfHeavy, openFrom } = sizesOf(scale);
  const j = `((h >> 36) % (case when v % ${VENUES_PER_HEAVY} = 0 then ${guestsOfHeavy} else ${GUESTS_OF_TYPICAL} end))`;
  return `
  n as materialized (
    select i, h, v, k, ms, guest, status, ${STEP} + v * ${STEP} as rid, ${uuid7("ms", "h")} as oid, to_timestamp(ms / 1000.0) as placed_at,
      to_timestamp((ms + case status when 'placed' then 0 when 'completed' then 1500000 + h % 1800000 else 60000 + h % 240000 end) / 1000.0) as updated_at
    from (
      select i, h, v, (h >> 20) % (select count(*) from grown.carts) as k, ${placedMs(scale)} as ms, ${guestId("v", j, scale)} as guest,
        ${statusOf(openFrom)} as status
      from (select i, h, ${venueOf("h", scale)} as v from (select i, ${hashOf("i", scale.seed)} as h from ${ordinals} i offset 0) a offset 0) b
      offset 0) c
  )`;
};

const lineArguments = (items: number): string =>
  [
    ...[0, 1, 2, 3, 4].map((place) => `${STEP} + (n.i * 5 + ${place}) * ${STEP}`),
    ...[1, 2, 3, 4, 5].map((place) => `c.item_ids[${place}] + n.v * ${items * STEP}`),
  ].join(", ");

const blockOf = (blocks: Blocks, name: string): { first: number; rows: number } => blocks.get(name) ?? { first: STEP, rows: 1 };

const branchId = (blocks: Blocks): string => {
  const { first, rows } = blockOf(blocks, "branches");
  return `${first} + n.v * ${rows * STEP}`;
};

const ordersPart = (blocks: Blocks): string => {
  const block = (name: string) => blockOf(blocks, name);
  const tableNumber = `((n.h >> 33) % ${TABLES})`;
  const tableId = `(${block("dining_tables").first} + (n.v * ${block("dining_tables").rows} + ${tableNumber}) * ${STEP})`;
  return `
  o as (
    insert into orders (restaurant_id, id, status, type, channel, branch_id, table_id, table_snapshot, guest_id, customer_name, customer_phone, delivery_address,
      currency, subtotal_minor, discount_minor, service_charge_minor, tax_added_minor, delivery_fee_minor, total_minor, tax_breakdown, cancel_reason,
      lines, placed_at, paid_at, updated_at, changed_at, sold_on)
    select n.rid, n.oid, n.status, c.type, c.channel, ${branchId(blocks)},
      case c.type when 'dine_in' then ${tableId} end,
      case c.type when 'dine_in' then format('{"id": %s, "name": "Tavolo %s", "code": "T%s"}', ${tableId}, ${tableNumber} + 1, ${tableNumber} + 1)::jsonb end,
      n.guest, ${guestName("n.guest")}, ${guestPhone("n.guest")}, c.delivery_address, 'EUR', c.subtotal_minor, c.discount_minor, c.service_charge_minor,
      c.tax_added_minor, c.delivery_fee_minor, c.total_minor, c.tax_breakdown, case n.status when 'cancelled' then 'The guest called' end,
      format(c.lines, ${lineArguments(block("items").rows)})::jsonb, n.placed_at, case n.status when 'completed' then n.updated_at end,
      n.updated_at, n.updated_at, (n.placed_at at time zone '${ZONE}')::date
    from n join grown.carts c using (k)
    returning *
  )`;
};

const SERVICE_DAY = `(n.updated_at at time zone '${ZONE}' - interval '5 hours')::date`;

const kitchenAndTill = (blocks: Blocks): string => `
  t as (
    insert into tickets (restaurant_id, id, order_id, station, state, lines, created_at, updated_at)
    select n.rid, ${STEP} + (n.i * 8 + s.place) * ${STEP}, n.oid, s.station,
      case n.status when 'placed' then 'queued' when 'cancelled' then 'voided' when 'rejected' then 'withdrawn' else 'fired' end, c.tickets[s.place], n.placed_at, n.updated_at
    from n join grown.carts c using (k), unnest(c.stations) with ordinality s (station, place)
  ), p as (
    insert into payments (restaurant_id, id, order_id, method, amount_minor, refunded_total_minor, recorded_by, recorded_at,
      branch_id, service_day)
    select n.rid, ${STEP} + n.i * ${STEP}, n.oid, (array['cash', 'card_terminal', 'online'])[1 + (n.h >> 44) % 3], c.total_minor,
      case when (n.h >> 47) % 100 = 0 then c.total_minor else 0 end, 'Bench', n.updated_at,
      ${branchId(blocks)}, ${SERVICE_DAY}
    from n join grown.carts c using (k) where n.status = 'completed'
  ), r as (
    insert into refunds (restaurant_id, id, payment_id, amount_minor, reason, recorded_by, refunded_at, service_day)
    select n.rid, ${STEP} + n.i * ${STEP}, ${STEP} + n.i * ${STEP}, c.total_minor, 'Cold', 'Bench', n.updated_at, ${SERVICE_DAY}
    from n join grown.carts c using (k) where n.status = 'completed' and (n.h >> 47) % 100 = 0
  )`;

const AUDIT = (token: string, from: number): string => `
  a as (
    insert into audit_entries (restaurant_id, id, at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, before, after, address, request_id)
    select n.rid, ${STEP} + (n.i * 2 + e) * ${STEP}, case e when 0 then n.placed_at else n.updated_at end, 'token', ${token}, 'Bench',
      case e when 0 then 'order.placed' else 'order.moved' end, 'order', n.oid::text, case e when 1 then '{"status": "ready"}'::jsonb end,
      case e when 0 then jsonb_build_object('type', c.type, 'channel', c.channel, 'total_minor', c.total_minor) else jsonb_build_object('status', n.status) end,
      '127.0.0.1', 'req-' || to_hex(n.h)
    from n join grown.carts c using (k), generate_series(0, 1) e where n.i >= ${from} and (e = 0 or n.status <> 'placed')
  )`;

const EVENTS = (seed: number, endpoint: string, from: number): string => `
  e as materialized (
    select o.restaurant_id, n.i * 2 + e as ordinal, e, ${uuid7("n.ms + e", `hashint8extended(n.i, ${seed} + 1 + e) & 9223372036854775807`)} as id,
      case e when 0 then 'order.created' else 'order.status_changed' end as type, case e when 0 then o.placed_at else o.updated_at end as at,
      ${endpoint} as endpoint_id, (n.h >> 30) % 50 = 0 as is_failed, grown.shown(o, e = 0) as shown
    from o join n on (n.rid, n.oid) = (o.restaurant_id, o.id), generate_series(0, 1) e where n.i >= ${from} and (e = 0 or o.status <> 'placed')
  ), ee as (
    insert into events (restaurant_id, id, type, created_at, body)
    select restaurant_id, id, type, at, json_build_object('id', id, 'type', type, 'created_at', at, 'restaurant', json_build_object('id', restaurant_id, 'slug',
      'grown-' || restaurant_id / ${STEP} - 1, 'currency', 'EUR'), 'data', json_build_object('order', shown))::text from e
  ), d as (
    insert into deliveries (restaurant_id, id, endpoint_id, event_id, event_type, state, attempts, last_status, last_failure, last_duration_ms, created_at, updated_at)
    select restaurant_id, ${STEP} + ordinal * ${STEP}, endpoint_id, id, type, case when is_failed then 'failed' else 'done' end, case when is_failed then 6 else 1 end,
      case when is_failed then 500 else 200 end, case when is_failed then 'status' end, 42, at, at from e
  ), da as (
    insert into delivery_attempts (restaurant_id, delivery_id, cycle, attempt, endpoint_id, at, status, duration_ms, failure, answer)
    select restaurant_id, ${STEP} + ordinal * ${STEP}, 1, attempt, endpoint_id, at, case when is_failed then 500 else 200 end, 42,
      case when is_failed then 'status' end, 'ok' from e, generate_series(1, case when is_failed then 6 else 1 end) attempt
  )`;

const KEYS = (token: string, from: number): string => `
  i as (
    insert into idempotency_keys (restaurant_id, caller, key, fingerprint, status, body, location, created_at)
    select o.restaurant_id, 'token:' || ${token}, 'key-' || o.id, sha256(o.id::text::bytea), 201, json_build_object('data', grown.shown(o, true))::text,
      '/api/v1/orders/' || o.id, o.placed_at from o join n on (n.rid, n.oid) = (o.restaurant_id, o.id) where n.i >= ${from}
  )`;

const REQUESTS = (token: string, from: number): string => `
  q as (
    insert into request_log (restaurant_id, id, token_id, at, method, route, status, ms, address, client, request_id)
    select n.rid, ${STEP} + (n.i * 2 + e) * ${STEP}, ${token}, n.placed_at, case e when 0 then 'POST' else 'GET' end, '/orders', case e when 0 then 201 else 200 end,
      8, '127.0.0.1', 'bench', 'req-' || to_hex(n.h) from n, generate_series(0, 1) e where n.i >= ${from}
  )`;

/** One statement for the orders from one ordinal up to, not including, another. */
export const fillOrders = (scale: Scale, blocks: Blocks, from: number, to: number): string => {
  const sinceOf = (days: number): number => Math.floor((scale.orders * (DAYS - days)) / DAYS);
  const token = `${blocks.get("tokens")?.first ?? STEP} + n.v * ${STEP}`;
  const endpoint = `${blocks.get("webhook_endpoints")?.first ?? STEP} + n.v * ${STEP}`;
  const recent: [days: number, part: (since: number) => string][] = [
    [AUDIT_DAYS, (since) => AUDIT(token, since)],
    [EVENT_DAYS, (since) => EVENTS(scale.seed, endpoint, since)],
    [KEY_DAYS, (since) => KEYS(`(${token})`, since)],
    [REQUEST_DAYS, (since) => REQUESTS(token, since)],
  ];
  const kept = recent.filter(([days]) => to > sinceOf(days)).map(([days, part]) => part(sinceOf(days)));
  const parts = [drawn(scale, `generate_series(${from}::bigint, ${to - 1})`), ordersPart(blocks), kitchenAndTill(blocks), ...kept];
  return `with ${parts.join(",")} insert into grown.chunks (first_order) values (${from})`;
};

/** The order as the service shows it, for bodies of events and kept answers. */
export const SHOWN = `
  create or replace function grown.shown(o app.orders, is_new boolean) returns json language sql stable as $$
    select json_build_object('id', o.id, 'status', case when is_new then 'placed' else o.status end, 'type', o.type, 'channel', o.channel,
      'branch_id', o.branch_id, 'table', o.table_snapshot, 'customer', json_build_object('name', o.customer_name, 'phone', o.customer_phone, 'email', null),
      'note', o.note, 'delivery_address', o.delivery_address, 'currency', o.currency, 'subtotal_minor', o.subtotal_minor, 'discount_minor', o.discount_minor,
      'service_charge_minor', o.service_charge_minor, 'tax_added_minor', o.tax_added_minor, 'delivery_fee_minor', o.delivery_fee_minor,
      'total_minor', o.total_minor, 'tax_breakdown', o.tax_breakdown, 'cancel_reason', o.cancel_reason, 'items', o.lines, 'placed_at', o.placed_at,
      'scheduled_for', null, 'paid_at', case when is_new then null else o.paid_at end, 'updated_at', o.updated_at)
  $$`;
