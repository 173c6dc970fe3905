-- The activity log, events and stored answers of idempotent requests.
set local search_path = app;

-- The application may not update or delete an entry. A screen acts in the kitchen.
call create_id_sequence('audit_entry_ids');
create table audit_entries (
  restaurant_id bigint not null references restaurants,
  id bigint not null default nextval('audit_entry_ids'),
  at timestamptz(3) not null,
  actor_kind text not null check (actor_kind in ('token', 'app', 'staff', 'screen', 'operator', 'system')),
  actor_id bigint,
  actor_name text not null,
  action text not null,
  subject_kind text not null,
  subject_id text not null,
  before jsonb,
  after jsonb,
  reason text,
  address text,
  request_id text,
  via text check (via in ('mcp')),
  actor_email text,
  primary key (restaurant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
create index audit_entries_at on audit_entries (restaurant_id, at desc, id desc);
create index audit_entries_age on audit_entries (at);
-- An area is a prefix of actions. In byte order its actions are adjacent.
create index audit_entries_action on audit_entries (restaurant_id, action collate "C", actor_kind, id desc);
create index audit_entries_actor on audit_entries (restaurant_id, actor_kind, id desc);
create index audit_entries_subject on audit_entries (restaurant_id, subject_id, id desc);
create index audit_entries_reason on audit_entries (restaurant_id, subject_id) where reason is not null;
call enable_tenant_rls('audit_entries', 'select, insert');

-- Erases the reasons of entries about an erased guest, because staff may have written personal data there.
create function erase_audit_reasons(kinds text[], ids text[]) returns void
  language sql security definer set search_path = app, pg_temp as $$
  update audit_entries e set reason = null from unnest(kinds, ids) as about (kind, id)
  where e.restaurant_id = current_tenant() and e.subject_id = about.id and e.subject_kind = about.kind and e.reason is not null
$$;

create function purge_audit_entries(noted_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
  with old as (select ctid as place from audit_entries where at < noted_before order by at limit least(row_count, 10000) for update skip locked),
    gone as (delete from audit_entries where ctid = any(array(select place from old)) returning 1)
  select count(*)::integer from gone
$$;

revoke all on function erase_audit_reasons, purge_audit_entries from public;
grant execute on function erase_audit_reasons, purge_audit_entries to comanda_app;

create table events (
  restaurant_id bigint not null references restaurants,
  id uuid not null,
  type text not null,
  created_at timestamptz(3) not null,
  body text not null,
  primary key (restaurant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
create index events_created_at on events (restaurant_id, created_at desc, id);
-- The retention purge reads this index. A BRIN index would not do: its summaries never shrink, so after deletions it reported nearly the
-- whole table as old. New rows go to the right end of this tree, which is cheap.
create index events_by_age on events (created_at);
call enable_tenant_rls('events', 'select, insert');

-- Events are not updated, with one exception: the body of an event about an erased guest is replaced.
create function replace_event_body(event_id uuid, new_body text) returns void
  language sql security definer set search_path = app, pg_temp as $$
  update events set body = new_body where restaurant_id = current_tenant() and id = event_id
$$;

revoke all on function replace_event_body from public;
grant execute on function replace_event_body to comanda_app;

-- All rows are replaced within two days.
create table idempotency_keys (
  restaurant_id bigint not null references restaurants,
  caller text not null,
  key text not null,
  fingerprint bytea not null check (length(fingerprint) = 32),
  status integer not null,
  body text not null,
  location text,
  created_at timestamptz(3) not null,
  -- The ids of orders, reservations and other subjects that the stored answer names.
  about text[],
  -- The reasons of a stored error as JSON. They are not part of the body, because only requests that ask for them get them. Null: none.
  reasons text,
  primary key (restaurant_id, caller, key)
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.1);
create index idempotency_keys_age on idempotency_keys (created_at);
call enable_tenant_rls('idempotency_keys');

-- Deletes expired keys of all tenants in bounded batches.
create function purge_idempotency_keys(created_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp as $$
  with old as (
    select restaurant_id, caller, key from idempotency_keys where created_at < created_before
    order by created_at limit least(row_count, 10000) for update skip locked
  ), gone as (
    delete from idempotency_keys k using old
    where k.restaurant_id = old.restaurant_id and k.caller = old.caller and k.key = old.key returning 1
  ) select count(*)::integer from gone
$$;

revoke all on function purge_idempotency_keys from public;
grant execute on function purge_idempotency_keys to comanda_app;
