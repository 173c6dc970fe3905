-- Orders: their numbers of the day, pauses of order types, and the alarm about orders that no screen has shown.
set local search_path = app;

-- The lines of an order are part of its document. Their ids come from this sequence.
call create_id_sequence('order_line_ids');

-- The default autovacuum threshold of 20 % would vacuum ten million rows too rarely.
create table orders (
  restaurant_id bigint not null references restaurants,
  id uuid not null,
  status text not null check (status in ('placed', 'accepted', 'rejected', 'ready', 'completed', 'cancelled')),
  type text not null check (type in ('dine_in', 'pickup', 'delivery')),
  channel text not null check (channel <> ''),
  branch_id bigint,
  table_id bigint,
  table_snapshot jsonb,
  guest_id bigint,
  customer_name text,
  customer_phone text,
  customer_email text,
  note text,
  delivery_address jsonb,
  currency text not null,
  subtotal_minor bigint not null check (subtotal_minor >= 0),
  discount_minor bigint not null check (discount_minor between 0 and subtotal_minor),
  service_charge_minor bigint not null check (service_charge_minor >= 0),
  tax_added_minor bigint not null check (tax_added_minor >= 0),
  delivery_fee_minor bigint not null check (delivery_fee_minor >= 0),
  total_minor bigint not null,
  tax_breakdown jsonb,
  cancel_reason text,
  -- The lines are a snapshot of what was sold, stored as one document.
  lines jsonb not null,
  placed_at timestamptz(3) not null,
  scheduled_for timestamptz(3),
  held_until timestamptz(3),
  paid_at timestamptz(3),
  updated_at timestamptz(3) not null,
  -- The database's clock at the last write. A list by `updated_since` shows the row only when no older transaction is running.
  changed_at timestamptz not null default clock_timestamp(),
  sold_on date,
  -- Staff call an order by its number of the day.
  number integer,
  promised_at timestamptz(3),
  -- The hour on the venue's clock under which the sale is counted. Null: the hour of placed_at.
  sold_hour integer,
  -- What each line takes of each ingredient, by the recipes at the moment of placing. Null for most orders.
  stock_needs jsonb,
  -- When the kitchen was done: from then on an order is not late, it waits.
  ready_at timestamptz(3),
  -- The bill of its table.
  bill_id uuid,
  primary key (restaurant_id, id),
  foreign key (restaurant_id, branch_id) references branches,
  foreign key (restaurant_id, table_id) references dining_tables,
  foreign key (restaurant_id, guest_id) references guests,
  check (total_minor = subtotal_minor - discount_minor + service_charge_minor + tax_added_minor + delivery_fee_minor)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
create index orders_updated on orders (restaurant_id, updated_at);
create index orders_of_guest on orders (restaurant_id, guest_id, placed_at desc);
-- The newest orders come first. The filter columns follow the sort key, so that rows that do not match are skipped inside the index: the
-- few open orders of a venue are found without reading its 15,000 others.
create index orders_listed on orders (restaurant_id, placed_at desc, id desc, status, type, channel, updated_at);
-- Clients that poll for open orders read this index. It holds only open orders, so it stays small.
create index orders_open on orders (restaurant_id, placed_at desc, id desc) where status in ('placed', 'accepted', 'ready');
call enable_tenant_rls('orders', 'select, insert, update');

-- The last number that was given on a day of service, for each branch; 0 stands for orders without a branch. The order's own insert
-- takes the next one, so numbers have no gaps.
create table order_counters (
  restaurant_id bigint not null references restaurants,
  branch_id bigint not null,
  day date not null,
  last integer not null check (last > 0),
  primary key (restaurant_id, branch_id, day)
) with (fillfactor = 50);
create index order_counters_age on order_counters (day);
call enable_tenant_rls('order_counters', 'select, insert, update');

create function purge_order_counters(noted_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
  with old as (
    select ctid as place from order_counters where day < (noted_before at time zone 'UTC')::date
    order by day limit least(row_count, 10000) for update skip locked
  ), gone as (delete from order_counters where ctid = any(array(select place from old)) returning 1)
  select count(*)::integer from gone
$$;

-- Order types that are paused, or that take longer because the kitchen is busy: at most one row for each type. An end that has passed means
-- nothing: the rules compare it with the moment that an order is for, so no job ends a pause.
create table order_pauses (
  restaurant_id bigint not null references restaurants,
  type text not null check (type in ('dine_in', 'pickup', 'delivery')),
  paused_until timestamptz(3),
  busy_until timestamptz(3),
  extra_minutes integer check (extra_minutes between 1 and 120),
  primary key (restaurant_id, type),
  check ((busy_until is null) = (extra_minutes is null))
) with (fillfactor = 50);
call enable_tenant_rls('order_pauses', 'select, insert, update');

-- The last change up to which a screen has read the orders board of a venue.
create table board_readings (
  restaurant_id bigint primary key references restaurants,
  number bigint not null check (number >= 0),
  read_at timestamptz(3) not null,
  alarmed_at timestamptz(3)
) with (fillfactor = 50);
call enable_tenant_rls('board_readings');

-- Returns the orders of a venue that have waited since a moment or longer, and were changed after the number: no screen has shown their
-- present state.
create function unseen_orders(venue bigint, after_number bigint, waiting_before timestamptz)
  returns table (count integer, since timestamptz) language sql stable set search_path = app, pg_temp as $$
  select count(*)::integer, min(coalesce(o.held_until, o.placed_at))
  from orders o
  where o.restaurant_id = venue and o.status in ('placed', 'accepted', 'ready') and o.status = 'placed'
    and coalesce(o.held_until, o.placed_at) <= waiting_before
    and exists (
      select from changes h
      where h.restaurant_id = venue and h.number > after_number and h.area = 'orders' and h.subject in (o.id::text, 'all'))
$$;

-- Returns the venues with such orders whose board was open on the last day. One statement serves all venues. Each venue's moments are those
-- of its own clock.
create function venues_with_unseen_orders(at timestamptz, row_count integer) returns setof bigint
  language sql stable security definer set search_path = app, pg_temp as $$
  select b.restaurant_id
  from board_readings b join change_counters c on c.restaurant_id = b.restaurant_id and c.number > b.number
    join restaurants r on r.id = b.restaurant_id
    cross join lateral (select at + r.clock_offset_ms * interval '1 millisecond') venue (now)
  where b.read_at > venue.now - interval '24 hours' and (b.alarmed_at is null or b.alarmed_at <= venue.now - interval '15 minutes')
    and (select u.count from unseen_orders(b.restaurant_id, b.number, venue.now - interval '60 seconds') u) > 0
  limit least(row_count, 1000)
$$;

revoke all on function purge_order_counters, unseen_orders, venues_with_unseen_orders from public;
grant execute on function purge_order_counters, unseen_orders, venues_with_unseen_orders to comanda_app;
