-- Bookings, which tables they hold, and the sales of each day.
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
call protect('reservations', 'select, insert, update');

-- A table is held by one booking at a time, whatever the code believes: this constraint is the truth.
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
call protect('reservation_tables', 'select, insert, delete');

-- What was sold, per branch and day of the restaurant's clock, kept in the orders' own transactions.
create table sales_days (
  restaurant_id bigint not null references restaurants,
  date date not null,
  branch_id bigint not null,
  orders integer not null,
  revenue_minor bigint not null,
  primary key (restaurant_id, date, branch_id)
) with (fillfactor = 70);
call protect('sales_days', 'select, insert, update');

-- The day an order was counted on, so that a cancel takes it from there, wherever the restaurant's clock has moved since.
alter table orders add column sold_on date;
update orders o set sold_on = (o.placed_at at time zone r.zone)::date from restaurants r where r.id = o.restaurant_id;

insert into sales_days (restaurant_id, date, branch_id, orders, revenue_minor)
  select o.restaurant_id, o.sold_on, coalesce(o.branch_id, 0), count(*), sum(o.total_minor)
  from orders o
  where o.status not in ('rejected', 'cancelled') group by 1, 2, 3;

create index guests_updated on guests (restaurant_id, updated_at);

-- As for orders: when the profile was last written, by the database's own clock.
alter table guests add column changed_at timestamptz not null default clock_timestamp();

-- Events are written once. The one exception is a guest who asked to be forgotten: then the frozen body is replaced.
create function replace_event_body(event_id uuid, new_body text) returns void
  language sql security definer set search_path = app, pg_temp as $$
  update events set body = new_body where restaurant_id = tenant() and id = event_id
$$;
revoke all on function replace_event_body from public;
grant execute on function replace_event_body to comanda_app;
