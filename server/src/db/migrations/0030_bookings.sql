-- What staff do with bookings: arrivals, walk-ins, blocked tables, the waitlist and deposits.
set local search_path = app, extensions;

-- arrived_at and left_at are not in the API. version counts every change that a page can see, also those that leave updated_at as it is.
alter table reservations
  add column version integer not null default 1,
  add column is_walk_in boolean not null default false,
  add column arrived_at timestamptz(3),
  add column seated_at timestamptz(3),
  add column left_at timestamptz(3),
  add column no_show_at timestamptz(3),
  add constraint reservations_left_check check (left_at is null or status = 'seated') not valid;

-- Tables that no party can be given for a time.
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

-- A row holds a table for a reservation or for a block. One constraint keeps both apart. A party that is at its table is present.
alter table reservation_tables
  add column block_id uuid,
  add column is_present boolean not null default false,
  add constraint reservation_tables_block_fkey foreign key (restaurant_id, block_id) references table_blocks not valid,
  add constraint reservation_tables_holder check (num_nonnulls(reservation_id, block_id) = 1) not valid;
grant update on reservation_tables to comanda_app;

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
call enable_tenant_rls('waitlist_entries', 'select, insert, update');

create index waitlist_entries_age on waitlist_entries (added_at);
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

-- A payment is for an order or for the deposit of a reservation.
alter table payments
  add column reservation_id uuid,
  add constraint payments_reservation_fkey foreign key (restaurant_id, reservation_id) references reservations not valid,
  add constraint payments_subject check (num_nonnulls(order_id, reservation_id) <= 1) not valid;

-- Erases the refund reasons of an erased guest's orders and reservations, and returns their payments.
create or replace function erase_refund_reasons(orders uuid[]) returns table (id bigint)
  language sql security definer set search_path = app, pg_temp as $$
  with paid as (
    select p.id from payments p
    where p.restaurant_id = current_tenant() and (p.order_id = any (orders) or p.reservation_id = any (orders))
  ),
  erased as (
    update refunds r set reason = null from paid
    where r.restaurant_id = current_tenant() and r.payment_id = paid.id and r.reason is not null
  )
  select paid.id from paid
$$;
