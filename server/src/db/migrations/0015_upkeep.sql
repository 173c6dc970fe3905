-- What a long life asks for: lists that stay cheap in a heavy venue, an index by age for everything that goes away again, and
-- settings under which the busiest tables are tidied little and often. On a database with millions of orders the indexes may be
-- built beforehand with `create index concurrently` under the names below; this file then finds them there.
set local search_path = app;

do $$
begin
  if exists (select from pg_index where not indisvalid and indrelid in (select oid from pg_class where relnamespace = 'app'::regnamespace)) then
    raise exception 'An index was built half: drop it (\d+ shows it as INVALID) and run the migration again';
  end if;
end
$$;
-- All or none at once: to come to the last table only to find it taken would be to build everything again.
lock table orders, sales_days, events, requests, token_hours, audit_entries, availability_flips, messages, pos_pushes in share row exclusive mode;

-- Newest first, as before; what a list may ask for besides stands behind it, so that rows which do not match are passed over
-- inside the index. A heavy venue's few open orders are found without reading its fifteen thousand others.
create index if not exists orders_listed on orders (restaurant_id, placed_at desc, id desc, status, type, channel, updated_at);
-- What a kitchen's screen asks for every few seconds. Only orders under way are in it, so it stays small however old the venue is.
create index if not exists orders_open on orders (restaurant_id, placed_at desc, id desc) where status in ('placed', 'accepted', 'ready');

-- A venue's days lie scattered over the table, because all venues write theirs at the same time: a year was three hundred pages. With the
-- figures in the key's own index it is six. The price: an order counted into its day writes into this index too.
create unique index if not exists sales_days_kept on sales_days (restaurant_id, date, branch_id) include (orders, revenue_minor);

-- By age. The summaries of a BRIN index never shrink, so once old rows had gone and new ones took their places it named nearly
-- the whole table as old. New rows are always the youngest: they go to the right end of these trees, which costs little.
create index if not exists events_by_age on events (created_at);
create index if not exists requests_by_age on requests (at);
create index if not exists token_hours_age on token_hours (hour);
create index if not exists audit_entries_age on audit_entries (at);
create index if not exists availability_flips_age on availability_flips (at);
create index if not exists messages_age on messages (updated_at) where state <> 'queued';
create index if not exists pos_pushes_age on pos_pushes (updated_at) where state <> 'queued';

-- Last, because from here on nobody reads these tables until the end of the migration, a moment later.
alter table sales_days drop constraint sales_days_pkey, add constraint sales_days_pkey primary key using index sales_days_kept;
drop index orders_newest, events_age, requests_age;

-- The oldest first, so that what is left is younger than what went. Whole tables are never read for it, whatever plan was made while
-- they were small: rows are asked for in the order of the one index that is meant, and nothing may be sorted. With figures from when
-- the tables were almost empty any index that begins with the venue looked just as cheap, and a batch read all of the venue's rows a
-- thousand times over.

-- Events that are still in somebody's log are passed over: the next delivery from the event on is looked up, and is another event's.
create or replace function forget_events(created_before timestamptz, row_count integer) returns integer
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

create or replace function forget_deliveries(updated_before timestamptz, row_count integer) returns integer
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

create or replace function forget_requests(made_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
  with old as (select ctid as place from requests where at < made_before order by at limit least(row_count, 10000) for update skip locked),
    gone as (delete from requests where ctid = any(array(select place from old)) returning 1)
  select count(*)::integer from gone
$$;

create function forget_token_hours(noted_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
  with old as (select ctid as place from token_hours where hour < noted_before order by hour limit least(row_count, 10000) for update skip locked),
    gone as (delete from token_hours where ctid = any(array(select place from old)) returning 1)
  select count(*)::integer from gone
$$;

create function forget_audit_entries(noted_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
  with old as (select ctid as place from audit_entries where at < noted_before order by at limit least(row_count, 10000) for update skip locked),
    gone as (delete from audit_entries where ctid = any(array(select place from old)) returning 1)
  select count(*)::integer from gone
$$;

create function forget_availability_flips(noted_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
  with old as (select ctid as place from availability_flips where at < noted_before order by at limit least(row_count, 10000) for update skip locked),
    gone as (delete from availability_flips where ctid = any(array(select place from old)) returning 1)
  select count(*)::integer from gone
$$;

create function forget_messages(updated_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
  with old as (select ctid as place from messages where state <> 'queued' and updated_at < updated_before
      order by updated_at limit least(row_count, 10000) for update skip locked),
    gone as (delete from messages where ctid = any(array(select place from old)) returning 1)
  select count(*)::integer from gone
$$;

create function forget_pos_pushes(updated_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
  with old as (select ctid as place from pos_pushes where state <> 'queued' and updated_at < updated_before
      order by updated_at limit least(row_count, 10000) for update skip locked),
    gone as (delete from pos_pushes where ctid = any(array(select place from old)) returning 1)
  select count(*)::integer from gone
$$;

revoke all on function forget_token_hours, forget_audit_entries, forget_availability_flips, forget_messages, forget_pos_pushes from public;
grant execute on function forget_token_hours, forget_audit_entries, forget_availability_flips, forget_messages, forget_pos_pushes to comanda_app;

-- A fifth of ten million rows is too long to wait for a vacuum.
alter table orders set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
alter table tickets set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
alter table payments set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
alter table guests set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table sales_days set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.02);
alter table events set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
alter table audit_entries set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
alter table delivery_attempts set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
-- These are replaced as a whole every day or two.
alter table idempotency_keys set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.1);
alter table requests set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.1);
-- Written again and again in columns that no index knows: with room on the page such a write stays there.
alter table tokens set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
