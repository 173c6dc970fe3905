import { sql } from "kysely";
import { readEventIds } from "#db/change-position.ts";
import type { Ctx } from "#lib/context.ts";
import { realNow } from "#lib/venue-clock.ts";

export type NewEvent = { id: string; type: string; body: string };

/**
 * Inserts the event and its deliveries in one statement: to every endpoint subscribed to its type, or to the one given. No endpoint
 * subscribes to a ping, so a ping without an endpoint goes to all. A
 * paused endpoint gets a held delivery. Without a plan in force no delivery to a webhook is made (open point D183), and in
 * a sandbox none to a till (D139). `for key share` is the lock that the foreign key takes anyway; taken in this statement,
 * it shows an endpoint that is being paused, resumed or removed as it will be.
 */
export const insertEvent = (ctx: Ctx, { id, type, body }: NewEvent, endpointId: number | null): void =>
  ctx.db.defer(sql`
    with event as (
      insert into events (restaurant_id, id, type, created_at, body) values (${ctx.tenant.id}, ${id}, ${type}, ${realNow(ctx)}, ${body})
    )
    insert into deliveries (restaurant_id, endpoint_id, event_id, event_type, state, due_at, created_at, updated_at)
    select e.restaurant_id, e.id, ${id}::uuid, ${type}, case when e.is_paused then 'held' else 'ready' end,
           case when e.is_paused then null else ${realNow(ctx)}::timestamptz end, ${realNow(ctx)}::timestamptz, ${realNow(ctx)}::timestamptz
    from webhook_endpoints e join restaurants r on r.id = e.restaurant_id
    where e.restaurant_id = ${ctx.tenant.id} and e.removed_at is null
      and case e.kind when 'pos' then r.kind = 'live' else r.plan_until is null or r.plan_until > ${realNow(ctx)}::timestamptz end
      and case when ${endpointId}::bigint is null then ${type} = any(e.events) or ${type} = 'ping' else e.id = ${endpointId}::bigint end
    for key share of e`);

/** Many events of one type in one statement, each to every endpoint that is subscribed to it. */
export const insertEvents = (ctx: Ctx, type: string, events: readonly Omit<NewEvent, "type">[]): void => {
  const ids = events.map(({ id }) => id);
  ctx.db.defer(sql`
    with event as (
      insert into events (restaurant_id, id, type, created_at, body)
      select ${ctx.tenant.id}, n.id, ${type}, ${realNow(ctx)}, n.body
      from unnest(${ids}::uuid[], ${events.map(({ body }) => body)}::text[]) with ordinality n (id, body, place) order by n.place
    )
    insert into deliveries (restaurant_id, endpoint_id, event_id, event_type, state, due_at, created_at, updated_at)
    select e.restaurant_id, e.id, n.id, ${type}, case when e.is_paused then 'held' else 'ready' end,
           case when e.is_paused then null else ${realNow(ctx)}::timestamptz end, ${realNow(ctx)}::timestamptz, ${realNow(ctx)}::timestamptz
    from webhook_endpoints e join restaurants r on r.id = e.restaurant_id cross join unnest(${ids}::uuid[]) with ordinality n (id, place)
    where e.restaurant_id = ${ctx.tenant.id} and e.removed_at is null
      and case e.kind when 'pos' then r.kind = 'live' else r.plan_until is null or r.plan_until > ${realNow(ctx)}::timestamptz end
      and ${type} = any(e.events)
    order by n.place for key share of e`);
};

export type EventBytes = { id: string; body: string };

export type EventsAbout = {
  orderIds: string[];
  reservationIds: string[];
  paymentIds: number[];
  reviewIds: number[];
  experienceBookingIds: number[];
  guestIds: number[];
};

/** A change with an event is kept for thirty days. An event is kept longer while a delivery of it waits. */
const CHANGES_KEPT_MS = 29 * 24 * 60 * 60 * 1000;

/** Reads the changes that name their subject, and no other event of the venue. */
const listRecentEvents = async (
  ctx: Ctx,
  { orderIds, reservationIds, paymentIds, reviewIds, experienceBookingIds, guestIds }: EventsAbout,
  since: Date,
): Promise<EventBytes[]> => {
  const ids = await readEventIds(ctx, {
    orders: orderIds,
    reservations: reservationIds,
    payments: paymentIds,
    reviews: reviewIds,
    experiences: experienceBookingIds,
    guests: guestIds,
  });
  return ctx.db.query(sql<EventBytes>`
    select id, body from events where restaurant_id = ${ctx.tenant.id} and id = any(${ids}::uuid[]) and created_at >= ${since}`);
};

/** Few: those whose delivery waits for a paused address. Each body is parsed once. */
const listOldEvents = (ctx: Ctx, about: EventsAbout, before: Date): Promise<EventBytes[]> => {
  const ids = [...about.orderIds, ...about.reservationIds];
  const texts = (numbers: readonly number[]): string[] => numbers.map(String);
  return ctx.db.query(sql<EventBytes>`
    with old as materialized (
      select id, type, body, body::jsonb -> 'data' as data from events where restaurant_id = ${ctx.tenant.id} and created_at < ${before}
    )
    select id, body from old
    where data #>> '{order,id}' = any(${ids}::text[]) or data #>> '{reservation,id}' = any(${ids}::text[])
      or data #>> '{payment,order_id}' = any(${ids}::text[]) or data #>> '{payment,reservation_id}' = any(${ids}::text[])
      or data #>> '{review,order_id}' = any(${ids}::text[]) or data #>> '{review,reservation_id}' = any(${ids}::text[])
      or data #>> '{payment,id}' = any(${texts(about.paymentIds)}::text[])
      or data #>> '{experience_booking,id}' = any(${texts(about.experienceBookingIds)}::text[])
      or (type in ('guest.created', 'guest.updated') and data #>> '{guest,id}' = any(${texts(about.guestIds)}::text[]))`);
};

/** Reads the events of orders and reservations with their payments, and of guests. */
export const listEventsAbout = async (ctx: Ctx, about: EventsAbout): Promise<EventBytes[]> => {
  const since = new Date(realNow(ctx).getTime() - CHANGES_KEPT_MS);
  return (await Promise.all([listOldEvents(ctx, about, since), listRecentEvents(ctx, about, since)])).flat();
};

export const listEventTypes = (ctx: Ctx, ids: readonly string[]): Promise<{ id: string; type: string }[]> =>
  ctx.db.query(sql<{ id: string; type: string }>`
    select id, type from events where restaurant_id = ${ctx.tenant.id} and id = any(${ids}::uuid[])`);

/** Sums the lengths of the stored bodies, without reading them. */
export const sumEventBytes = async (ctx: Ctx, type: string, since: Date): Promise<number> => {
  const [row] = await ctx.db.query(sql<{ bytes: number }>`
    select coalesce(sum(octet_length(body)), 0)::bigint as bytes from events
    where restaurant_id = ${ctx.tenant.id} and created_at > ${since} and type = ${type}`);
  return row?.bytes ?? 0;
};

/** Keeps a message to the database small. */
const BODIES_MAX = 500;

/** Only for the erasure of a guest; nothing else changes a stored event. */
export const setEventBodies = (ctx: Ctx, events: readonly EventBytes[]): void => {
  for (let start = 0; start < events.length; start += BODIES_MAX) {
    const part = events.slice(start, start + BODIES_MAX);
    const [ids, bodies] = [part.map(({ id }) => id), part.map(({ body }) => body)];
    ctx.db.defer(sql`
      select replace_event_body(changed.id, changed.body)
      from unnest(${ids}::uuid[], ${bodies}::text[]) as changed (id, body)`);
  }
};

/** Changes that one reading looks at: a rare type does not make it read the changes of a month. */
const SPAN_ROWS = 1000;

type SpanEnd = { span_number: number; span_position: number; span_at: Date };
type NumberedEvent = { number: number; position: number; at: Date; body: string };
type FeedRow = { epoch: string; last_number: number; is_cut: boolean } & (SpanEnd | Record<keyof SpanEnd, null>) &
  (NumberedEvent | Record<keyof NumberedEvent, null>);

/** `last_number` is the venue's last; `end` is set when there are changes behind the last one that was looked at. */
export type FeedReading = { epoch: string; last_number: number; end: SpanEnd | null; events: NumberedEvent[] };

type FeedWish = { number: number; position: number; types: readonly string[]; areas: readonly string[]; limit: number };

/** One statement, so one snapshot: numbers are in commit order, so every change up to the last number is in it. */
export const listNumberedEvents = async (
  { db, tenant }: Ctx,
  { number, position, types, areas, limit }: FeedWish,
): Promise<FeedReading> => {
  const rows = await db.query(sql<FeedRow>`
    with span as materialized (
      select number, position, area, event_id, at from changes
      where restaurant_id = ${tenant.id} and (number, position) > (${number}::bigint, ${position}::integer)
      order by number, position limit ${SPAN_ROWS}
    ), visible as materialized (
      select s.number, s.position, s.at, e.body
      from span s join events e on e.restaurant_id = ${tenant.id} and e.id = s.event_id
      where s.area = any(${areas}::text[]) and e.type = any(${types}::text[])
      order by s.number, s.position limit ${limit}
    )
    select p.epoch, p.number as last_number, (select count(*) = ${SPAN_ROWS} from span) as is_cut,
      z.number as span_number, z.position as span_position, z.at as span_at, v.number, v.position, v.at, v.body
    from change_position() p
      left join (select number, position, at from span order by number desc, position desc limit 1) z on true
      left join visible v on true
    order by v.number, v.position`);
  const [first] = rows;
  if (!first) throw new Error("The venue has no change position");
  const { epoch, last_number, is_cut, span_number, span_position, span_at } = first;
  const end = is_cut && span_number !== null ? { span_number, span_position, span_at } : null;
  return { epoch, last_number, end, events: rows.filter((row) => row.body !== null) };
};
