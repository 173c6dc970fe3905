-- Webhook endpoints, their secrets, and deliveries.
set local search_path = app;

call create_id_sequence('webhook_endpoint_ids');
create table webhook_endpoints (
  restaurant_id bigint not null references restaurants,
  id bigint not null default nextval('webhook_endpoint_ids'),
  -- `pos` is the venue's till. It gets new orders, and no list of webhooks shows it.
  kind text not null default 'webhook' check (kind in ('webhook', 'pos')),
  url text not null check (url like 'https://%'),
  description text,
  events text[] not null check (cardinality(events) > 0),
  is_paused boolean not null default false,
  -- A removed endpoint is kept for the log of what was sent there; nothing is sent any more.
  removed_at timestamptz(3),
  created_by text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  created_by_user_id bigint,
  created_by_email text,
  primary key (restaurant_id, id)
);
create unique index webhook_endpoints_till on webhook_endpoints (restaurant_id) where kind = 'pos' and removed_at is null;
call enable_tenant_rls('webhook_endpoints', 'select, insert, update');

-- Each signature needs the secret again, so it is encrypted and not hashed. The secret without an end is current; older ones sign
-- beside it.
call create_id_sequence('webhook_secret_ids');
create table webhook_secrets (
  restaurant_id bigint not null,
  id bigint not null default nextval('webhook_secret_ids'),
  endpoint_id bigint not null,
  encrypted_secret text not null,
  expires_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (restaurant_id, id),
  foreign key (restaurant_id, endpoint_id) references webhook_endpoints
);
comment on column webhook_secrets.encrypted_secret is 'encrypted for webhook:{restaurant_id}:{endpoint_id}';
create index webhook_secrets_endpoint on webhook_secrets (restaurant_id, endpoint_id);
create index webhook_secrets_key on webhook_secrets (split_part(encrypted_secret, '.', 2), restaurant_id);
call enable_tenant_rls('webhook_secrets');

-- Each endpoint has one row: which worker sends there now, and how the endpoint has been doing. It is written often, so it is kept
-- apart from the endpoint, with free space on the page for updates in place.
create table webhook_endpoint_state (
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
  notified_at timestamptz(3),
  primary key (restaurant_id, endpoint_id),
  foreign key (restaurant_id, endpoint_id) references webhook_endpoints
) with (fillfactor = 50);
call enable_tenant_rls('webhook_endpoint_state', 'select, insert, update');

-- This table is the state of each delivery, and the queue. `ready` is due, `waiting` becomes due, `held` waits for its endpoint
-- to be resumed. A replay begins a new cycle of attempts with the same event.
call create_id_sequence('delivery_ids');
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
create index deliveries_age on deliveries (updated_at) where state in ('done', 'failed');
create index deliveries_state on deliveries (restaurant_id, state, event_type, id desc);
create index deliveries_endpoint_state on deliveries (restaurant_id, endpoint_id, state, event_type, id desc);
call enable_tenant_rls('deliveries', 'select, insert, update');

-- There is no foreign key to the delivery: a row is written by the very statement that finds and changes its delivery, and is deleted
-- with it by `purge_deliveries`. Checking each row once more was a third of what recording an attempt cost (20 of 56 µs).
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
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
create index delivery_attempts_endpoint on delivery_attempts (restaurant_id, endpoint_id, at);
call enable_tenant_rls('delivery_attempts', 'select, insert, update');

-- Leases endpoints with due deliveries to a worker. Each endpoint has one worker at a time. A worker that ends loses its leases at once,
-- because its session's lock, class 7262663, is released. The lease's end is for a worker that hangs.
-- It steps from endpoint to endpoint in the index of due deliveries, so the number of venues, the history and the length of a queue do
-- not make it slower. Sequential scans and sorts are off (`enable_…`), so a plan made for small tables cannot either. Venues alternate:
-- a venue in `holders` (an entry for each lease) comes after those without a lease, and none gets more than `venue_max`. Within a venue
-- the longest waiting endpoint is first. Failing endpoints have their own limit, so that they do not use the others' share.
create function claim_endpoints(
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
  with recursive pending as (
    (select d.restaurant_id, d.endpoint_id from deliveries d where d.state = 'ready' order by 1, 2 limit 1)
    union all
    select n.restaurant_id, n.endpoint_id from pending cross join lateral (
      select d.restaurant_id, d.endpoint_id from deliveries d
      where d.state = 'ready' and (d.restaurant_id, d.endpoint_id) > (pending.restaurant_id, pending.endpoint_id)
      order by 1, 2 limit 1) n
  ), alive as (
    select objid::integer as worker from pg_locks where locktype = 'advisory' and classid = 7262663 and granted
      and database = (select oid from pg_database where datname = current_database())
  ), held as (
    select holder as restaurant_id, count(*) as places from unnest(holders) holder group by holder
  ), ranked as (
    select l.restaurant_id, l.endpoint_id, l.failures_in_row >= failing_from as is_failing, l.served_at, coalesce(held.places, 0)
           + row_number() over (partition by l.restaurant_id, l.failures_in_row >= failing_from order by l.served_at nulls first) as turn
    from pending join webhook_endpoint_state l using (restaurant_id, endpoint_id)
      join webhook_endpoints e on (e.restaurant_id, e.id) = (l.restaurant_id, l.endpoint_id) left join held on held.restaurant_id = l.restaurant_id
    where not e.is_paused and l.endpoint_id <> all (busy)
      and (l.leased_until is null or l.leased_until <= at or l.worker = me or l.worker not in (select worker from alive))
  ), healthy as (
    select l.restaurant_id, l.endpoint_id, r.is_failing from ranked r join webhook_endpoint_state l using (restaurant_id, endpoint_id)
    where not r.is_failing and r.turn <= venue_max and (l.leased_until is null or l.leased_until <= at or l.worker = me or l.worker not in (select worker from alive))
    order by r.turn, r.served_at nulls first limit healthy_max for update of l skip locked
  ), failing as (
    select l.restaurant_id, l.endpoint_id, r.is_failing from ranked r join webhook_endpoint_state l using (restaurant_id, endpoint_id)
    where r.is_failing and (l.leased_until is null or l.leased_until <= at or l.worker = me or l.worker not in (select worker from alive))
    order by r.turn, r.served_at nulls first limit failing_max for update of l skip locked
  ), chosen as (select * from healthy union all select * from failing)
  update webhook_endpoint_state l set worker = me, leased_until = at + lease, served_at = at
  from chosen c where (l.restaurant_id, l.endpoint_id) = (c.restaurant_id, c.endpoint_id)
  returning l.restaurant_id, l.endpoint_id, c.is_failing;
end $$;

-- Returns what is due to one endpoint, the oldest first, out of the index that has it in that order: without statistics some versions of
-- PostgreSQL would rather read and sort all rows (10 ms instead of 3 beside 20,000). Bodies are looked up one by one, because a join may
-- be planned as a scan of all the venue's events. It runs with the caller's rights, so row level security applies.
create function due_deliveries(wanted_restaurant bigint, wanted_endpoint bigint, row_count integer)
  returns table (id bigint, cycle integer, attempts integer, event_id uuid, event_type text, body text)
  language sql stable set search_path = app, pg_temp set enable_sort = off set enable_bitmapscan = off set enable_seqscan = off as $$
  select d.id, d.cycle, d.attempts, d.event_id, d.event_type,
    (select v.body from events v where v.restaurant_id = d.restaurant_id and v.id = d.event_id)
  from deliveries d where d.restaurant_id = wanted_restaurant and d.endpoint_id = wanted_endpoint and d.state = 'ready'
  order by d.due_at, d.id limit row_count
$$;

-- Returns how many deliveries wait, and how long the oldest has been due, for the operator's alarms. Counting stops at a hundred thousand.
create function delivery_backlog(given_now timestamptz)
  returns table (ready integer, waiting integer, oldest_due_seconds double precision)
  language sql stable security definer set search_path = app, pg_temp set enable_seqscan = off as $$
  select (select count(*)::integer from (select from deliveries where state = 'ready' limit 100000) r),
         (select count(*)::integer from (select from deliveries where state = 'waiting' limit 100000) w),
         greatest(0, extract(epoch from coalesce(given_now, clock_timestamp()) - least(
           (select min(due_at) from (select due_at from deliveries where state = 'ready' limit 100000) r),
           (select min(due_at) from deliveries where state = 'waiting')))::double precision)
$$;

-- Deletes old deliveries and their attempts of all tenants in bounded batches.
create function purge_deliveries(updated_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
  with old as (
    select ctid as place, restaurant_id, id from deliveries where state in ('done', 'failed') and updated_at < updated_before
    order by updated_at limit least(row_count, 10000) for update skip locked
  ), tried as (
    select a.place from old cross join lateral (
      select ctid as place from delivery_attempts where restaurant_id = old.restaurant_id and delivery_id = old.id order by cycle, attempt
    ) a
  ), attempts as (
    delete from delivery_attempts where ctid = any(array(select place from tried))
  ), gone as (
    delete from deliveries where ctid = any(array(select place from old)) returning 1
  ) select count(*)::integer from gone
$$;

-- Deletes the oldest events first, so that a remaining event is younger than every deleted one. It never reads a whole table, whatever
-- plan was made while the tables were small: rows are read in the order of the one index that is meant, and sorts are off. With the
-- statistics of almost empty tables any index that begins with the venue looked just as cheap, and a batch read all of the venue's rows
-- a thousand times over.
-- Events with a delivery are kept. The check looks up the first delivery from the event on and compares its event.
create function purge_events(created_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
  with old as (
    select ctid as place from events e where created_at < created_before and e.id is distinct from (
      select case when d.restaurant_id = e.restaurant_id then d.event_id end from deliveries d
      where (d.restaurant_id, d.event_id) >= (e.restaurant_id, e.id) order by d.restaurant_id, d.event_id, d.endpoint_id limit 1
    )
    order by created_at limit least(row_count, 10000) for update skip locked
  ), gone as (
    delete from events where ctid = any(array(select place from old)) returning 1
  ) select count(*)::integer from gone
$$;

revoke all on function claim_endpoints, delivery_backlog, purge_deliveries, purge_events from public;
grant execute on function claim_endpoints, due_deliveries, delivery_backlog, purge_deliveries, purge_events to comanda_app;
