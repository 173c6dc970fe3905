-- What is remembered of each change: who did it, what subscribers are told, what the till sees, what a retry gets back.
set local search_path = app;

call create_ids('audit_entry_ids');
create table audit_entries (
  restaurant_id bigint not null references restaurants,
  id bigint not null default nextval('audit_entry_ids'),
  at timestamptz(3) not null,
  actor_kind text not null check (actor_kind in ('token', 'app', 'staff', 'operator', 'system')),
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
  primary key (restaurant_id, id)
);
create index audit_entries_at on audit_entries (restaurant_id, at desc, id desc);
-- Written once: the application can neither alter nor remove an entry.
call protect('audit_entries', 'select, insert');

create table events (
  restaurant_id bigint not null references restaurants,
  id uuid not null,
  type text not null,
  created_at timestamptz(3) not null,
  body text not null,
  primary key (restaurant_id, id)
);
create index events_created_at on events (restaurant_id, created_at desc, id);
call protect('events', 'select, insert');

call create_ids('availability_flip_ids');
create table availability_flips (
  restaurant_id bigint not null,
  id bigint not null default nextval('availability_flip_ids'),
  item_id bigint not null,
  at timestamptz(3) not null,
  was_available boolean not null,
  is_available boolean not null,
  source text not null check (source in ('api', 'till', 'console')),
  token_id bigint,
  primary key (restaurant_id, id),
  foreign key (restaurant_id, item_id) references items
);
create index availability_flips_item on availability_flips (restaurant_id, item_id);
call protect('availability_flips', 'select, insert');

create table idempotency_keys (
  restaurant_id bigint not null references restaurants,
  caller text not null,
  key text not null,
  fingerprint bytea not null check (length(fingerprint) = 32),
  status integer not null,
  body text not null,
  location text,
  created_at timestamptz(3) not null,
  primary key (restaurant_id, caller, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
call protect('idempotency_keys');

-- Keys are forgotten after their window, for all tenants, a bounded batch at a time.
create function forget_idempotency_keys(created_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp as $$
  with old as (
    select restaurant_id, caller, key from idempotency_keys where created_at < created_before
    order by created_at limit least(row_count, 10000) for update skip locked
  ), gone as (
    delete from idempotency_keys k using old
    where k.restaurant_id = old.restaurant_id and k.caller = old.caller and k.key = old.key returning 1
  ) select count(*)::integer from gone
$$;
revoke all on function forget_idempotency_keys from public;
grant execute on function forget_idempotency_keys to comanda_app;
