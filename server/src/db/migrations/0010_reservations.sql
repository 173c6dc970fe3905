-- Reservations and the tables that they occupy.
create schema if not exists extensions;
create extension if not exists btree_gist schema extensions;

set local search_path = app, extensions;

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
  primary key (restaurant_id, id),
  foreign key (restaurant_id, branch_id) references branches,
  foreign key (restaurant_id, table_id) references dining_tables,
  foreign key (restaurant_id, guest_id) references guests
);
create index reservations_by_time on reservations (restaurant_id, date, time, id);
create index reservations_guest on reservations (restaurant_id, guest_id);
call enable_tenant_rls('reservations', 'select, insert, update');

-- This constraint guarantees that a table has one reservation at a time.
create table reservation_tables (
  restaurant_id bigint not null,
  reservation_id uuid not null,
  table_id bigint not null,
  during tstzrange not null check (not isempty(during)),
  primary key (restaurant_id, reservation_id, table_id),
  foreign key (restaurant_id, reservation_id) references reservations,
  foreign key (restaurant_id, table_id) references dining_tables,
  constraint reservation_tables_one_party exclude using gist (restaurant_id with =, table_id with =, during with &&)
);
call enable_tenant_rls('reservation_tables', 'select, insert, delete');
