-- Experiences that guests buy tickets for: a tasting, a class, a chef's table.
set local search_path = app;

call create_id_sequence('experience_ids');
create table experiences (
  restaurant_id bigint not null references restaurants,
  id bigint not null default nextval('experience_ids'),
  key text not null,
  name jsonb not null,
  description jsonb,
  -- The price of one ticket. A booking keeps the amount that it was made for.
  price_minor bigint not null check (price_minor between 0 and 2147483647),
  branch_id bigint not null,
  is_active boolean not null default true,
  sort_order integer not null,
  version integer not null default 1,
  deleted_at timestamptz(3),
  -- Tickets were sold for the removed experience, so it is kept with its sessions.
  removed_with_sales boolean not null default false,
  primary key (restaurant_id, id),
  unique (restaurant_id, key),
  foreign key (restaurant_id, branch_id) references branches
);
create index experiences_branch on experiences (restaurant_id, branch_id);
create index experiences_unsold on experiences (deleted_at) where deleted_at is not null and not removed_with_sales;
call enable_tenant_rls('experiences');

-- The version also counts when a venue file changes the experience. A move brings the version with the row.
create function count_experience_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end $$;
create trigger experiences_version before update on experiences
  for each row when (old.* is distinct from new.* and old.version = new.version) execute function count_experience_version();

create function note_sales_of_removed() returns trigger language plpgsql set search_path = app, pg_temp as $$
begin
  new.removed_with_sales := exists (
    select from experience_sessions s where s.restaurant_id = new.restaurant_id and s.experience_id = new.id and s.was_sold);
  return new;
end $$;
create trigger experiences_removed before update on experiences
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function note_sales_of_removed();

-- `sold` and `held` are the tickets of its bookings. The application writes neither: each booking changes them.
call create_id_sequence('experience_session_ids');
create table experience_sessions (
  restaurant_id bigint not null,
  id bigint not null default nextval('experience_session_ids'),
  experience_id bigint not null,
  starts_at timestamptz(3) not null,
  capacity integer not null check (capacity between 1 and 1000),
  sold integer not null default 0,
  held integer not null default 0,
  version integer not null default 1,
  cancelled_at timestamptz(3),
  -- A ticket was paid for it, or given out free: the session is kept with its bookings. Another session is deleted some time after it
  -- is over.
  was_sold boolean not null default false,
  primary key (restaurant_id, id),
  foreign key (restaurant_id, experience_id) references experiences,
  check (sold >= 0 and held >= 0 and sold + held <= capacity)
);
create unique index experience_sessions_moment on experience_sessions (restaurant_id, experience_id, starts_at) where cancelled_at is null;
create index experience_sessions_experience on experience_sessions (restaurant_id, experience_id, starts_at);
create index experience_sessions_start on experience_sessions (restaurant_id, starts_at, id);
-- Sessions that are cancelled and have tickets that are not refunded yet.
create index experience_sessions_unrefunded on experience_sessions (restaurant_id, starts_at, id) where cancelled_at is not null and sold > 0;
create index experience_sessions_unsold on experience_sessions (coalesce(cancelled_at, starts_at)) where not was_sold;
call enable_tenant_rls('experience_sessions', 'select');
grant insert (restaurant_id, experience_id, starts_at, capacity), update (capacity, version, cancelled_at) on experience_sessions to comanda_app;

-- Tickets for one party. They are paid all at once, so there is one payment; free ones have none. A refund makes them cancelled and keeps
-- `paid_at`.
call create_id_sequence('experience_booking_ids');
create table experience_bookings (
  restaurant_id bigint not null,
  id bigint not null default nextval('experience_booking_ids'),
  session_id bigint not null,
  tickets integer not null check (tickets between 1 and 50),
  name text not null,
  phone text,
  email text,
  guest_id bigint,
  state text not null check (state in ('held', 'paid', 'cancelled', 'expired')),
  -- What the session counts of it: nothing, `held` or `sold`.
  counted text check (counted in ('held', 'sold')),
  hold_ends_at timestamptz(3) not null,
  amount_minor bigint not null check (amount_minor >= 0),
  method text check (method in ('cash', 'card_terminal', 'gift_card', 'other')),
  payment_id bigint,
  paid_at timestamptz(3),
  arrived integer not null default 0,
  sold_by text not null,
  created_at timestamptz(3) not null,
  version integer not null default 1,
  -- When the session begins, which never changes. Null for a booking that never took a seat.
  starts_at timestamptz(3),
  primary key (restaurant_id, id),
  foreign key (restaurant_id, session_id) references experience_sessions,
  foreign key (restaurant_id, guest_id) references guests,
  foreign key (restaurant_id, payment_id) references payments,
  check (arrived between 0 and tickets),
  check (state <> 'paid' or paid_at is not null),
  check (paid_at is null or state in ('paid', 'cancelled')),
  check ((payment_id is null) = (paid_at is null or amount_minor = 0)),
  check ((payment_id is null) = (method is null)),
  check (counted is not distinct from case state when 'held' then 'held' when 'paid' then 'sold' end)
);
create index experience_bookings_session on experience_bookings (restaurant_id, session_id, id);
create index experience_bookings_guest on experience_bookings (restaurant_id, guest_id, id);
create unique index experience_bookings_payment on experience_bookings (restaurant_id, payment_id) where payment_id is not null;
create index experience_bookings_unpaid on experience_bookings (created_at) where paid_at is null;
create index experience_bookings_named on experience_bookings (starts_at)
  where guest_id is null and paid_at is not null and name <> 'Erased guest';
call enable_tenant_rls('experience_bookings', 'select');
grant insert (restaurant_id, session_id, tickets, name, phone, email, guest_id, state, hold_ends_at, amount_minor, paid_at, sold_by, created_at),
  update (name, phone, email, guest_id, state, hold_ends_at, method, payment_id, paid_at, arrived, version) on experience_bookings to comanda_app;

-- Changes the counters of the session together with the booking. A reset of the sandbox and a move copy bookings with what is counted of
-- them, and the session with its counters; the application may not write those columns.
create function count_experience_tickets() returns trigger
  language plpgsql security definer set search_path = app, pg_temp as $$
declare
  wanted constant text := case new.state when 'held' then 'held' when 'paid' then 'sold' end;
begin
  if new.counted is not distinct from wanted then return new; end if;
  update experience_sessions s set
    held = s.held + new.tickets * (coalesce(wanted = 'held', false)::integer - coalesce(new.counted = 'held', false)::integer),
    sold = s.sold + new.tickets * (coalesce(wanted = 'sold', false)::integer - coalesce(new.counted = 'sold', false)::integer),
    was_sold = s.was_sold or coalesce(wanted = 'sold', false)
  where s.restaurant_id = current_tenant() and s.restaurant_id = new.restaurant_id and s.id = new.session_id
  returning s.starts_at into new.starts_at;
  if not found then
    raise exception 'The session % takes no tickets', new.session_id;
  end if;
  new.counted := wanted;
  return new;
end $$;
revoke all on function count_experience_tickets from public;

create trigger experience_bookings_count before insert or update of state on experience_bookings
  for each row execute function count_experience_tickets();

-- Deletes tickets that were never paid. Paid tickets are kept with their payment; without a profile of the guest, the erasure of a guest
-- does not find them, so their names are blanked here. `created_before` is also compared with the beginning of the session.
create function purge_experience_bookings(created_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
  with old as (
    select ctid as place from experience_bookings where created_at < created_before and paid_at is null and state in ('cancelled', 'expired')
    order by created_at limit least(row_count, 10000) for update skip locked
  ), gone as (delete from experience_bookings where ctid = any(array(select place from old)) returning 1),
  named as (
    select ctid as place from experience_bookings
    where starts_at < created_before and guest_id is null and paid_at is not null and name <> 'Erased guest'
    order by starts_at limit least(row_count, 10000) - (select count(*) from gone) for update skip locked
  ), blanked as (
    update experience_bookings set name = 'Erased guest', phone = null, email = null where ctid = any(array(select place from named)) returning 1
  )
  select ((select count(*) from gone) + (select count(*) from blanked))::integer
$$;

-- Deletes sessions that were cancelled or are over, and for which no ticket was ever sold.
create function purge_experience_sessions(over_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
  with old as (
    select s.ctid as place from experience_sessions s
    where coalesce(s.cancelled_at, s.starts_at) < over_before and not s.was_sold
      and not exists (select from experience_bookings b where b.restaurant_id = s.restaurant_id and b.session_id = s.id)
    order by coalesce(s.cancelled_at, s.starts_at) limit least(row_count, 10000) for update of s skip locked
  ), gone as (delete from experience_sessions where ctid = any(array(select place from old)) returning 1)
  select count(*)::integer from gone
$$;

create function purge_experiences(removed_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
  with old as (
    select e.ctid as place from experiences e
    where e.deleted_at < removed_before and not e.removed_with_sales
      and not exists (select from experience_sessions s where s.restaurant_id = e.restaurant_id and s.experience_id = e.id)
    order by e.deleted_at limit least(row_count, 10000) for update of e skip locked
  ), gone as (delete from experiences where ctid = any(array(select place from old)) returning 1)
  select count(*)::integer from gone
$$;

revoke all on function purge_experience_bookings, purge_experience_sessions, purge_experiences from public;
grant execute on function purge_experience_bookings, purge_experience_sessions, purge_experiences to comanda_app;
