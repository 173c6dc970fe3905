/** What a database still has to send, and giving up what was due before a moment: in a restored copy that was sent long ago. */
import type pg from "pg";
import { SENDING_QUEUES } from "#db/job-engine.ts";

export type Waiting = { what: string; count: number; oldest_due_at: Date | null; latest_due_at: Date | null };

/** Names for people; a queue that is not listed is shown by its own name. */
const NAMES: Record<string, string> = {
  "send-message": "mails and text messages",
  "prepare-link": "requests for a link by mail",
  "send-link": "links by mail",
  "send-alert": "security mails",
  "push-order": "pushes to tills",
};

const IS_WAITING = "state in ('created', 'retry', 'active')";

export const readWaiting = async (client: pg.ClientBase): Promise<Waiting[]> => {
  const { rows } = await client.query<Waiting>(
    `select what, count, oldest_due_at, latest_due_at from (
       select q.place, q.name as what, count(j.id)::integer as count, min(j.start_after) as oldest_due_at, max(j.start_after) as latest_due_at
         from unnest($1::text[]) with ordinality q (name, place) left join jobs.job j on j.name = q.name and j.${IS_WAITING} group by q.place, q.name
       union all
       select null, 'webhook deliveries', count(*)::integer, min(coalesce(due_at, created_at)), max(coalesce(due_at, created_at))
         from app.deliveries where state in ('ready', 'waiting', 'held')) waiting
     order by place nulls last`,
    [SENDING_QUEUES],
  );
  return rows.map(({ what, ...row }) => ({ what: NAMES[what] ?? what, ...row }));
};

export type Latest = { last_order_at: Date | null; last_event_at: Date | null };

/** The last moments that this database knows of: a copy ends where its dump or its recovery ended. */
export const readLatest = async (client: pg.ClientBase): Promise<Latest> => {
  const { rows } = await client.query<Latest>(
    "select (select max(placed_at) from app.orders) as last_order_at, (select max(created_at) from app.events) as last_event_at",
  );
  return rows[0] as Latest;
};

export type GivenUp = { venues: number; jobs: number; deliveries: number };

/** For everything that waits, whenever it is due. */
export const ALWAYS = "infinity";

/**
 * Marks what was due before the moment as not sent, with one entry in the activity log of each venue. A delivery that is held for a
 * paused address has no due time, so its creation decides.
 */
export const giveUp = async (client: pg.ClientBase, before: Date | typeof ALWAYS): Promise<GivenUp> => {
  const { rows } = await client.query<GivenUp>(
    `with jobs as (
       update jobs.job set state = 'cancelled', completed_on = now() where name = any($1) and ${IS_WAITING} and start_after < $2
       returning name, (data ->> 'restaurant_id')::bigint as restaurant_id, (data ->> 'message_id')::bigint as message_id, (data ->> 'push_id')::bigint as push_id, (data ->> 'alert_id')::bigint as alert_id
     ), alerts as (
       update app.security_alerts a set state = 'failed' from jobs j where j.name = 'send-alert' and a.id = j.alert_id and a.state = 'queued'
     ), messages as (
       update app.messages m set state = 'failed', last_failure = 'given up after a restore', updated_at = clock_timestamp()
       from jobs j where j.name = 'send-message' and m.restaurant_id = j.restaurant_id and m.id = j.message_id and m.state = 'queued'
     ), pushes as (
       update app.pos_pushes p set state = 'failed', next_attempt_at = null, last_failure = 'restored', updated_at = clock_timestamp()
       from jobs j where j.name = 'push-order' and p.restaurant_id = j.restaurant_id and p.id = j.push_id and p.state = 'queued'
     ), deliveries as (
       update app.deliveries set state = 'failed', due_at = null, last_failure = 'restored', updated_at = clock_timestamp()
       where (state in ('ready', 'waiting') and due_at < $2) or (state = 'held' and created_at < $2) returning restaurant_id
     ), venues as (
       select restaurant_id, count(*) filter (where what = 'job') as jobs, count(*) filter (where what = 'delivery') as deliveries
       from (select restaurant_id, 'job' as what from jobs union all select restaurant_id, 'delivery' from deliveries) given_up
       where restaurant_id in (select id from app.restaurants) group by restaurant_id
     ), entries as (
       insert into app.audit_entries (restaurant_id, at, actor_kind, actor_name, action, subject_kind, subject_id, after)
       select restaurant_id, clock_timestamp(), 'operator', current_user, 'restaurant.restored', 'restaurant', restaurant_id::text,
         jsonb_build_object('messages_and_pushes_not_sent', jobs, 'deliveries_not_sent', deliveries, 'due_before', $2::timestamptz) from venues
     )
     select (select count(*)::integer from venues) as venues, (select count(*)::integer from jobs) as jobs, (select count(*)::integer from deliveries) as deliveries`,
    [SENDING_QUEUES, before],
  );
  return rows[0] as GivenUp;
};

/** What is left is sent from here: jobs that were running when the copy was made begin anew, and none is too old to be kept. */
export const readyTheRest = async (client: pg.ClientBase): Promise<void> => {
  await client.query(
    `update jobs.job set state = 'created', started_on = null, heartbeat_on = null, keep_until = greatest(keep_until, now() + interval '60 days')
     where name = any($1) and ${IS_WAITING}`,
    [SENDING_QUEUES],
  );
};
