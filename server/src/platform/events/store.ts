import { sql } from "kysely";
import type { Ctx } from "#lib/context.ts";

export type NewEvent = { id: string; type: string; body: string };

/**
 * The event and what is due of it, in one statement: to every address that asked for its type, or to the one named. A
 * paused address gets it when it is resumed. A venue without a plan in force queues nothing (open point D183). The lock
 * is the one that the foreign key takes anyway; taken here, what is paused, resumed or removed at this moment is seen.
 */
export const insertEvent = (ctx: Ctx, { id, type, body }: NewEvent, endpointId: number | null): void =>
  ctx.db.later(sql`
    with event as (
      insert into events (restaurant_id, id, type, created_at, body) values (${ctx.tenant.id}, ${id}, ${type}, ${ctx.now}, ${body})
    )
    insert into deliveries (restaurant_id, endpoint_id, event_id, event_type, state, due_at, created_at, updated_at)
    select e.restaurant_id, e.id, ${id}::uuid, ${type}, case when e.is_paused then 'held' else 'ready' end,
           case when e.is_paused then null else ${ctx.now}::timestamptz end, ${ctx.now}::timestamptz, ${ctx.now}::timestamptz
    from webhook_endpoints e join restaurants r on r.id = e.restaurant_id
    where e.restaurant_id = ${ctx.tenant.id} and e.removed_at is null
      and (r.plan_until is null or r.plan_until > ${ctx.now}::timestamptz)
      and case when ${endpointId}::bigint is null then ${type} = any(e.events) else e.id = ${endpointId}::bigint end
    for key share of e`);

export type StoredEvent = { id: string; body: string };

/** Every stored event that tells of one of these orders or bookings, or of this guest. Each is read once, however many visits there were. */
export const listEventsAbout = (ctx: Ctx, subjects: string[], guestId: number): Promise<StoredEvent[]> =>
  ctx.db.query(sql<StoredEvent>`
    select id, body from events where restaurant_id = ${ctx.tenant.id}
      and (body::jsonb #>> '{data,order,id}' = any(${subjects}::text[]) or body::jsonb #>> '{data,reservation,id}' = any(${subjects}::text[])
        or body::jsonb #>> '{data,payment,order_id}' = any(${subjects}::text[]) or body::jsonb #>> '{data,payment,reservation_id}' = any(${subjects}::text[])
        or (type in ('guest.created', 'guest.updated') and body::jsonb -> 'data' -> 'guest' -> 'id' = to_jsonb(${guestId}::bigint)))`);

export const setEventBody = (ctx: Ctx, id: string, body: string): void =>
  ctx.db.later(sql`select replace_event_body(${id}::uuid, ${body})`);
