-- Addresses that want to hear of events, what is due to each of them, and what came of every attempt.
set local search_path = app;

call create_ids('webhook_endpoint_ids');
create table webhook_endpoints (
  restaurant_id bigint not null references restaurants,
  id bigint not null default nextval('webhook_endpoint_ids'),
  url text not null check (url like 'https://%'),
  description text,
  events text[] not null check (cardinality(events) > 0),
  is_paused boolean not null default false,
  -- Kept for the log of what was sent there; nothing is sent any more.
  removed_at timestamptz(3),
  created_by text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (restaurant_id, id)
);
call protect('webhook_endpoints', 'select, insert, update');

-- Needed again for each signature, so sealed and not hashed. One without an end is current; older ones sign beside it.
call create_ids('webhook_secret_ids');
create table webhook_secrets (
  restaurant_id bigint not null,
  id bigint not null default nextval('webhook_secret_ids'),
  endpoint_id bigint not null,
  sealed_secret text not null,
  expires_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (restaurant_id, id),
  foreign key (restaurant_id, endpoint_id) references webhook_endpoints
);
create index webhook_secrets_endpoint on webhook_secrets (restaurant_id, endpoint_id);
call protect('webhook_secrets');

-- One row for each endpoint: which worker sends there now, and how the endpoint has been doing. Written often, so kept
-- apart from the endpoint and given room to be written in place.
create table webhook_lanes (
  restaurant_id bigint not null,
  endpoint_id bigint not null,
  worker integer,
  leased_until timestamptz(3),
  served_at timestamptz(3),
  failures_in_row integer not null default 0,
  failing_since timestamptz(3),
  last_success_at timestamptz(3),
  last_failure_at timestamptz(3),
  last_failure text,
  told_at timestamptz(3),
  primary key (restaurant_id, endpoint_id),
  foreign key (restaurant_id, endpoint_id) references webhook_endpoints
) with (fillfactor = 50);
call protect('webhook_lanes', 'select, insert, update');

-- The truth about each delivery, and the queue. `ready` is due, `waiting` becomes due, `held` waits for its endpoint
-- to be resumed. A replay begins a new cycle of attempts with the same event.
call create_ids('delivery_ids');
create table deliveries (
  restaurant_id bigint not null,
  id bigint not null default nextval('delivery_ids'),
  endpoint_id bigint not null,
  event_id uuid not null,
  event_type text not null,
  state text not null check (state in ('ready', 'waiting', 'held', 'done', 'failed')),
  cycle integer not null default 1,
  attempts integer not null default 0,
  due_at timestamptz(3),
  last_status integer,
  last_failure text,
  last_duration_ms integer,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (restaurant_id, id),
  unique (restaurant_id, event_id, endpoint_id),
  foreign key (restaurant_id, endpoint_id) references webhook_endpoints,
  foreign key (restaurant_id, event_id) references events,
  check ((state in ('ready', 'waiting')) = (due_at is not null))
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
create index deliveries_endpoint on deliveries (restaurant_id, endpoint_id, id desc);
create index deliveries_ready on deliveries (restaurant_id, endpoint_id, due_at, id) where state = 'ready';
create index deliveries_waiting on deliveries (due_at) where state = 'waiting';
create index deliveries_parked on deliveries (restaurant_id, endpoint_id) where state in ('waiting', 'held');
create index deliveries_failed on deliveries (restaurant_id, id desc) where state = 'failed';
create index deliveries_age on deliveries (updated_at) where state in ('done', 'failed');
call protect('deliveries', 'select, insert, update');

-- Without a foreign key: a row is written by the very statement that finds and changes its delivery, and goes with it in
-- `forget_deliveries`. Asking once more for each row was a third of what recording an attempt cost (20 of 56 µs).
create table delivery_attempts (
  restaurant_id bigint not null,
  delivery_id bigint not null,
  cycle integer not null,
  attempt integer not null,
  endpoint_id bigint not null,
  at timestamptz(3) not null,
  status integer,
  duration_ms integer not null,
  failure text,
  -- The beginning of the receiver's answer.
  answer text not null,
  primary key (restaurant_id, delivery_id, cycle, attempt)
);
create index delivery_attempts_endpoint on delivery_attempts (restaurant_id, endpoint_id, at);
call protect('delivery_attempts', 'select, insert, update');

create index events_age on events using brin (created_at);

-- Lanes with something due, for one worker to serve. Each endpoint is served by one worker at a time, and a worker that
-- is gone loses its lanes at once: its session's lock, class 7262663, is gone with it. The lease is for one that hangs.
-- Endpoints are found by stepping from one to the next in the index of what is due, so neither venues nor history nor
-- the length of a queue make this slower; nor does a plan that was made while the tables were small, because whole tables
-- and whole queues are never read (`enable_…`). Venues take turns: one that holds places already (`holders`, an entry for
-- each) comes after those that hold none, and none holds more than `venue_max`. In a venue those that waited longest come
-- first. Endpoints that keep failing have places of their own, so they never take the others'.
create function claim_lanes(
  me integer, busy bigint[], holders bigint[], healthy_max integer, failing_max integer, venue_max integer, given_now timestamptz
)
  returns table (restaurant_id bigint, endpoint_id bigint, is_failing boolean)
  language plpgsql security definer set search_path = app, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
#variable_conflict use_column
declare
  at timestamptz := coalesce(given_now, clock_timestamp());
  lease constant interval := '60 seconds';
  failing_from constant integer := 3;
begin
  update deliveries set state = 'ready' where ctid = any(array(
    select ctid from deliveries where state = 'waiting' and due_at <= at order by due_at limit 1000 for update skip locked));

  return query
  with recursive lane as (
    (select d.restaurant_id, d.endpoint_id from deliveries d where d.state = 'ready' order by 1, 2 limit 1)
    union all
    select n.restaurant_id, n.endpoint_id from lane cross join lateral (
      select d.restaurant_id, d.endpoint_id from deliveries d
      where d.state = 'ready' and (d.restaurant_id, d.endpoint_id) > (lane.restaurant_id, lane.endpoint_id)
      order by 1, 2 limit 1) n
  ), alive as (
    select objid::integer as worker from pg_locks where locktype = 'advisory' and classid = 7262663 and granted
      and database = (select oid from pg_database where datname = current_database())
  ), held as (
    select holder as restaurant_id, count(*) as places from unnest(holders) holder group by holder
  ), ranked as (
    select l.restaurant_id, l.endpoint_id, l.failures_in_row >= failing_from as is_failing, l.served_at, coalesce(held.places, 0)
           + row_number() over (partition by l.restaurant_id, l.failures_in_row >= failing_from order by l.served_at nulls first) as turn
    from lane join webhook_lanes l using (restaurant_id, endpoint_id)
      join webhook_endpoints e on (e.restaurant_id, e.id) = (l.restaurant_id, l.endpoint_id) left join held on held.restaurant_id = l.restaurant_id
    where not e.is_paused and l.endpoint_id <> all (busy)
      and (l.leased_until is null or l.leased_until <= at or l.worker = me or l.worker not in (select worker from alive))
  ), healthy as (
    select l.restaurant_id, l.endpoint_id, r.is_failing from ranked r join webhook_lanes l using (restaurant_id, endpoint_id)
    where not r.is_failing and r.turn <= venue_max and (l.leased_until is null or l.leased_until <= at or l.worker = me or l.worker not in (select worker from alive))
    order by r.turn, r.served_at nulls first limit healthy_max for update of l skip locked
  ), failing as (
    select l.restaurant_id, l.endpoint_id, r.is_failing from ranked r join webhook_lanes l using (restaurant_id, endpoint_id)
    where r.is_failing and (l.leased_until is null or l.leased_until <= at or l.worker = me or l.worker not in (select worker from alive))
    order by r.turn, r.served_at nulls first limit failing_max for update of l skip locked
  ), chosen as (select * from healthy union all select * from failing)
  update webhook_lanes l set worker = me, leased_until = at + lease, served_at = at
  from chosen c where (l.restaurant_id, l.endpoint_id) = (c.restaurant_id, c.endpoint_id)
  returning l.restaurant_id, l.endpoint_id, c.is_failing;
end $$;

-- What is due to one endpoint, the oldest first, out of the index that has it in that order: without statistics some
-- versions would rather read and sort all there is (10 ms instead of 3 beside 20,000). Bodies are looked up one by one: a
-- join may be planned as a scan of all the venue's events. As whoever asks, so row level security holds.
create function due_deliveries(wanted_restaurant bigint, wanted_endpoint bigint, row_count integer)
  returns table (id bigint, cycle integer, attempts integer, event_id uuid, event_type text, body text)
  language sql stable set search_path = app, pg_temp set enable_sort = off set enable_bitmapscan = off set enable_seqscan = off as $$
  select d.id, d.cycle, d.attempts, d.event_id, d.event_type,
    (select v.body from events v where v.restaurant_id = d.restaurant_id and v.id = d.event_id)
  from deliveries d where d.restaurant_id = wanted_restaurant and d.endpoint_id = wanted_endpoint and d.state = 'ready'
  order by d.due_at, d.id limit row_count
$$;
grant execute on function due_deliveries to comanda_app;

-- How much waits, how long the oldest has been due: for the operator's alarms. Counting stops at a hundred thousand.
create function delivery_backlog(given_now timestamptz)
  returns table (ready integer, waiting integer, oldest_due_seconds double precision)
  language sql stable security definer set search_path = app, pg_temp set enable_seqscan = off as $$
  select (select count(*)::integer from (select from deliveries where state = 'ready' limit 100000) r),
         (select count(*)::integer from (select from deliveries where state = 'waiting' limit 100000) w),
         greatest(0, extract(epoch from coalesce(given_now, clock_timestamp()) - least(
           (select min(due_at) from (select due_at from deliveries where state = 'ready' limit 100000) r),
           (select min(due_at) from deliveries where state = 'waiting')))::double precision)
$$;

-- Deliveries and their attempts are forgotten after their time, for all tenants, a bounded batch at a time.
create function forget_deliveries(updated_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
  with old as (
    select ctid as place, restaurant_id, id from deliveries where state in ('done', 'failed') and updated_at < updated_before
    order by updated_at limit least(row_count, 10000) for update skip locked
  ), attempts as (
    delete from delivery_attempts a using old where a.restaurant_id = old.restaurant_id and a.delivery_id = old.id
  ), gone as (
    delete from deliveries where ctid = any(array(select place from old)) returning 1
  ) select count(*)::integer from gone
$$;

-- An event is forgotten when it is old and nobody has still to hear of it.
create function forget_events(created_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp as $$
  with old as (
    select restaurant_id, id from events e where created_at < created_before
      and not exists (select from deliveries d where d.restaurant_id = e.restaurant_id and d.event_id = e.id)
    limit least(row_count, 10000) for update skip locked
  ), gone as (
    delete from events e using old where e.restaurant_id = old.restaurant_id and e.id = old.id returning 1
  ) select count(*)::integer from gone
$$;

revoke all on function claim_lanes, delivery_backlog, forget_deliveries, forget_events from public;
grant execute on function claim_lanes, delivery_backlog, forget_deliveries, forget_events to comanda_app;
