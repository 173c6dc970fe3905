-- Kitchen tickets, and the paired screens that show them.
set local search_path = app;

-- A ticket that is done was bumped in the kitchen or closed with its order. `fired_at` is when the kitchen got it. A ticket that is voided
-- or withdrawn after that stays there until it is acknowledged.
call create_id_sequence('ticket_ids');
create table tickets (
  restaurant_id bigint not null,
  id bigint not null default nextval('ticket_ids'),
  order_id uuid not null,
  station text not null,
  state text not null check (state in ('held', 'queued', 'fired', 'done', 'voided', 'withdrawn')),
  lines jsonb not null,
  release_at timestamptz(3),
  void_reason text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  fired_at timestamptz(3),
  done_at timestamptz(3),
  acknowledged_at timestamptz(3),
  is_priority boolean not null default false,
  changed_at timestamptz,
  primary key (restaurant_id, id),
  foreign key (restaurant_id, order_id) references orders
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
create index tickets_order on tickets (restaurant_id, order_id);
create index tickets_open on tickets (restaurant_id, created_at) where state in ('held', 'queued', 'fired');
create index tickets_in_kitchen on tickets (restaurant_id, fired_at) where state = 'fired' and fired_at is not null;
create index tickets_to_acknowledge on tickets (restaurant_id, fired_at)
  where state in ('voided', 'withdrawn') and fired_at is not null and acknowledged_at is null;
create index tickets_done on tickets (restaurant_id, done_at desc) where state = 'done';
call enable_tenant_rls('tickets', 'select, insert, update');

-- A device that shows a code until a manager types it. It belongs to no venue yet. The device's cookie holds the secret, this table the
-- hash.
create table screen_pairings (
  hash bytea primary key check (length(hash) = 32),
  code text not null unique check (code ~ '^([0-9]{6}|[0-9A-HJKMNP-TV-Z]{8})$'),
  client text,
  expires_at timestamptz(3) not null,
  -- The network and the host from which the device asked for its code, and when it last asked about it.
  network text not null default 'unknown',
  host text not null default 'unknown',
  polled_at timestamptz(3) not null default now() + interval '10 minutes'
);
create index screen_pairings_expiry on screen_pairings (expires_at);
grant select, insert, update (polled_at), delete on screen_pairings to comanda_app;

-- A device of a venue without a person. The branch is null for all branches; without stations it shows all. `paired_by_user_id` and
-- `paired_by_email` are the person who paired it: when that person leaves, the venue is asked about the screen.
call create_id_sequence('screen_ids');
create table screens (
  restaurant_id bigint not null references restaurants,
  id bigint not null default nextval('screen_ids'),
  purpose text not null check (purpose in ('kitchen')),
  name text not null,
  branch_id bigint,
  stations text[] not null check (cardinality(stations) <= 20),
  language text not null,
  has_sound boolean not null,
  hash bytea not null check (length(hash) = 32),
  client text,
  paired_by text not null,
  paired_at timestamptz(3) not null,
  seen_at timestamptz(3) not null,
  ended_at timestamptz(3),
  paired_by_user_id bigint,
  paired_by_email text,
  primary key (restaurant_id, id)
) with (fillfactor = 70);
-- This unique key does not begin with the tenant, because the cookie arrives before the tenant is known.
create unique index screens_by_hash on screens (hash);
call enable_tenant_rls('screens', 'select, insert, update');

-- Returns the screen of a cookie. It finds nothing once the screen has ended.
create function screen_by_hash(given bytea)
  returns table (restaurant_id bigint, id bigint, purpose text, name text, branch_id bigint, stations text[], language text, has_sound boolean,
    client text, paired_by text, paired_at timestamptz, seen_at timestamptz, venue_name jsonb)
  language sql stable security definer set search_path = app, pg_temp as $$
  select s.restaurant_id, s.id, s.purpose, s.name, s.branch_id, s.stations, s.language, s.has_sound, s.client, s.paired_by, s.paired_at,
    s.seen_at, r.name
  from screens s join restaurants r on r.id = s.restaurant_id where s.hash = given and s.ended_at is null
$$;

-- Returns for each hash, in the order of the argument, whether its screen has not ended.
create function screens_still_paired(hashes bytea[]) returns boolean[]
  language sql stable security definer set search_path = app, pg_temp as $$
  select array_agg(exists (select from screens s where s.hash = h.hash and s.ended_at is null) order by h.place)
  from unnest(hashes) with ordinality h (hash, place)
$$;

create function purge_screen_pairings(noted_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
  with old as (
    select ctid as place from screen_pairings where expires_at < noted_before
    order by expires_at limit least(row_count, 10000) for update skip locked
  ), gone as (delete from screen_pairings where ctid = any(array(select place from old)) returning 1)
  select count(*)::integer from gone
$$;

revoke all on function screen_by_hash, screens_still_paired, purge_screen_pairings from public;
grant execute on function screen_by_hash, screens_still_paired, purge_screen_pairings to comanda_app;
