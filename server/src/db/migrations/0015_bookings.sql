-- Reservations, the tables that they and blocks occupy, and the waitlist.
set local search_path = app;

-- `arrived_at` and `left_at` are not in the API. `version` counts every change that a page can see, also those that leave updated_at as it
-- is. `former_guest_ids` are the guests that the booking belonged to before staff gave it to another one: its older events are still about
-- them.
create table reservations (
  restaurant_id bigint not null references restaurants,
  id uuid not null,
  status text not null check (status in ('pending', 'confirmed', 'declined', 'cancelled', 'seated', 'no_show')),
  name text not null,
  phone text not null,
  email text,
  party_size integer not null check (party_size > 0),
  date date not null,
  time text not null check (time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null check (ends_at > starts_at),
  branch_id bigint not null,
  table_id bigint,
  guest_id bigint,
  note text,
  deposit_minor bigint check (deposit_minor >= 0),
  deposit_status text check (deposit_status in ('pending', 'paid', 'refunded', 'forfeited')),
  language text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version integer not null default 1,
  is_walk_in boolean not null default false,
  arrived_at timestamptz(3),
  seated_at timestamptz(3),
  left_at timestamptz(3),
  no_show_at timestamptz(3),
  former_guest_ids bigint[] not null default '{}',
  primary key (restaurant_id, id),
  foreign key (restaurant_id, branch_id) references branches,
  foreign key (restaurant_id, table_id) references dining_tables,
  foreign key (restaurant_id, guest_id) references guests,
  constraint reservations_left_check check (left_at is null or status = 'seated')
);
create index reservations_by_time on reservations (restaurant_id, date, time, id);
create index reservations_guest on reservations (restaurant_id, guest_id);
create index reservations_handed_over on reservations (restaurant_id) where former_guest_ids <> '{}';
call enable_tenant_rls('reservations', 'select, insert, update');

-- A table that no party can be given for a time.
create table table_blocks (
  restaurant_id bigint not null references restaurants,
  id uuid not null,
  branch_id bigint not null,
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null check (ends_at > starts_at),
  reason text not null,
  blocked_by text not null,
  created_at timestamptz(3) not null,
  ended_at timestamptz(3),
  primary key (restaurant_id, id),
  foreign key (restaurant_id, branch_id) references branches
);
create index table_blocks_by_time on table_blocks (restaurant_id, ends_at) where ended_at is null;
call enable_tenant_rls('table_blocks', 'select, insert, update');

-- A row holds a table for a reservation or for a block. One constraint keeps both apart: a table has one holder at a time. Rows of one
-- table never overlap, so no two have the same time, and the key is the table and its time. A party that is at its table is present.
create table reservation_tables (
  restaurant_id bigint not null,
  reservation_id uuid,
  table_id bigint not null,
  during tstzrange not null check (not isempty(during)),
  block_id uuid,
  is_present boolean not null default false,
  foreign key (restaurant_id, reservation_id) references reservations,
  foreign key (restaurant_id, table_id) references dining_tables,
  constraint reservation_tables_block_fkey foreign key (restaurant_id, block_id) references table_blocks,
  constraint reservation_tables_holder check (num_nonnulls(reservation_id, block_id) = 1),
  constraint reservation_tables_one_party exclude using gist (restaurant_id with =, table_id with =, during with &&)
);
-- After the exclusion: PostgreSQL checks indexes in the order in which they were made, and the exclusion names what happened.
alter table reservation_tables add primary key (restaurant_id, table_id, during);
create index reservation_tables_reservation on reservation_tables (restaurant_id, reservation_id);
create index reservation_tables_block on reservation_tables (restaurant_id, block_id) where block_id is not null;
create unique index reservation_tables_one_present on reservation_tables (restaurant_id, table_id) where is_present;
call enable_tenant_rls('reservation_tables');

create table waitlist_entries (
  restaurant_id bigint not null references restaurants,
  id uuid not null,
  branch_id bigint not null,
  guest_id bigint,
  name text not null,
  phone text not null,
  party_size integer not null check (party_size > 0),
  note text,
  quoted_minutes integer not null check (quoted_minutes >= 0),
  version integer not null default 1,
  added_at timestamptz(3) not null,
  notified_at timestamptz(3),
  ended_at timestamptz(3),
  reservation_id uuid,
  primary key (restaurant_id, id),
  foreign key (restaurant_id, branch_id) references branches,
  foreign key (restaurant_id, guest_id) references guests,
  foreign key (restaurant_id, reservation_id) references reservations
);
create index waitlist_entries_open on waitlist_entries (restaurant_id, added_at) where ended_at is null;
create index waitlist_entries_guest on waitlist_entries (restaurant_id, guest_id);
create index waitlist_entries_age on waitlist_entries (added_at);
call enable_tenant_rls('waitlist_entries', 'select, insert, update');

create function purge_waitlist_entries(added_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
  with old as (
    select ctid as place from waitlist_entries where added_at < added_before
    order by added_at limit least(row_count, 10000) for update skip locked
  ), gone as (delete from waitlist_entries where ctid = any(array(select place from old)) returning 1)
  select count(*)::integer from gone
$$;

revoke all on function purge_waitlist_entries from public;
grant execute on function purge_waitlist_entries to comanda_app;
