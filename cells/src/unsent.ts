/** What a database still has to send, and giving up what was due before a moment: in a restored copy that was sent long ago. */

import { SENDING_QUEUES } from "@comanda/server/db/pg-boss.ts";
import type pg from "pg";

export type UnsentCount = { what: string; count: number; oldest_due_at: Date | null; latest_due_at: Date | null };

/** Names for people; a queue that is not listed is shown by its own name. */
const NAMES: Record<string, string> = {
  "send-message": "mails and text messages",
  "prepare-link": "requests for a link by mail",
  "send-link": "links by mail",
  "send-sign-up": "links to open a venue",
  "send-alert": "security mails",
};

const IS_WAITING = "state in ('created', 'retry', 'active')";

export const readUnsent = async (client: pg.ClientBase): Promise<UnsentCount[]> => {
  const { rows } = await client.query<UnsentCount>(
    `select what, count, oldest_due_at, latest_due_at from (
       select q.place, q.name as what, count(j.id)::integer as count, min(j.start_after) as oldest_due_at, max(j.start_after) as latest_due_at
         from unnest($1::text[]) with ordinality q (name, place) left join jobs.job j on j.name = q.name and j.${IS_WAITING} group by q.place, q.name
       union all
       select k.place, k.name, count(d.id)::integer, min(coalesce(d.due_at, d.created_at)), max(coalesce(d.due_at, d.created_at))
         from (values (0, 'pos', 'pushes to tills'), (null, 'webhook', 'webhook deliveries')) k (place, kind, name)
         left join app.webhook_endpoints e on e.kind = k.kind
         left join app.deliveries d on (d.restaurant_id, d.endpoint_id) = (e.restaurant_id, e.id) and d.state in ('ready', 'waiting', 'held')
         group by k.place, k.name) waiting
     order by place nulls last`,
    [SENDING_QUEUES],
  );
  return rows.map(({ what, ...row }) => ({ what: NAMES[what] ?? what, ...row }));
};

export type LatestActivity = { last_order_at: Date | null; last_event_at: Date | null };

/** The last moments that this database knows of: a copy ends where its dump or its recovery ended. */
export const readLatestActivity = async (client: pg.ClientBase): Promise<LatestActivity> => {
  const { rows } = await client.query<LatestActivity>(
    "select (select max(placed_at) from app.orders) as last_order_at, (select max(created_at) from app.events) as last_event_at",
  );
  return rows[0] as LatestActivity;
};

/** `jobs` counts pushes to tills as well, `deliveries` those to webhooks alone. */
export type CancelledCount = { venues: number; jobs: number; deliveries: number };

/** This moment cancels everything that waits, whenever it is due. */
export const ANY_TIME = "infinity";

/**
 * Marks what was due before the moment as not sent, with one entry in the activity log of each venue. A delivery that is held for a
 * paused address has no due time, so its creation decides.
 */
export const cancelUnsent = async (client: pg.ClientBase, before: Date | typeof ANY_TIME): Promise<CancelledCount> => {
  const { rows } = await client.query<CancelledCount>(
    `with jobs as (
       update jobs.job set state = 'cancelled', completed_on = now() where name = any($1) and ${IS_WAITING} and start_after < $2
       returning name, (data ->> 'restaurant_id')::bigint as restaurant_id, (data ->> 'message_id')::bigint as message_id, (data ->> 'alert_id')::bigint as alert_id
     ), alerts as (
       update app.security_alerts a set state = 'failed' from jobs j where j.name = 'send-alert' and a.id = j.alert_id and a.state = 'queued'
     ), messages as (
       update app.notifications m set state = 'failed', last_failure = 'given up after a restore', updated_at = clock_timestamp()
       from jobs j where j.name = 'send-message' and m.restaurant_id = j.restaurant_id and m.id = j.message_id and m.state = 'queued'
     ), deliveries as (
       update app.deliveries d set state = 'failed', due_at = null, last_failure = 'restored', updated_at = clock_timestamp()
       from app.webhook_endpoints e where (e.restaurant_id, e.id) = (d.restaurant_id, d.endpoint_id)
         and ((d.state in ('ready', 'waiting') and d.due_at < $2) or (d.state = 'held' and d.created_at < $2)) returning d.restaurant_id, e.kind
     ), given_up as (
       select restaurant_id, 'job' as what from jobs union all select restaurant_id, kind from deliveries
     ), venues as (
       select restaurant_id, count(*) filter (where what <> 'webhook') as jobs, count(*) filter (where what = 'webhook') as deliveries
       from given_up
       where restaurant_id in (select id from app.restaurants) group by restaurant_id
     ), entries as (
       insert into app.audit_entries (restaurant_id, at, actor_kind, actor_name, action, subject_kind, subject_id, after)
       select restaurant_id, clock_timestamp(), 'operator', current_user, 'restaurant.restored', 'restaurant', restaurant_id::text,
         jsonb_build_object('messages_and_pushes_not_sent', jobs, 'deliveries_not_sent', deliveries, 'due_before', $2::timestamptz) from venues
     )
     select (select count(*)::integer from venues) as venues, (select count(*)::integer from given_up where what <> 'webhook') as jobs,
       (select count(*)::integer from given_up where what = 'webhook') as deliveries`,
    [SENDING_QUEUES, before],
  );
  return rows[0] as CancelledCount;
};

/** What is left is sent from here: jobs that were running when the copy was made start again, and none is too old to be kept. */
export const requeueRemaining = async (client: pg.ClientBase): Promise<void> => {
  await client.query(
    `update jobs.job set state = 'created', started_on = null, heartbeat_on = null, keep_until = greatest(keep_until, now() + interval '60 days')
     where name = any($1) and ${IS_WAITING}`,
    [SENDING_QUEUES],
  );
};
