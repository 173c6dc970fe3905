set local search_path = app;

-- A ticket was paid for it, or given out free: the session is kept with its bookings. Any other one is deleted some time after it is over.
alter table experience_sessions add column was_sold boolean not null default false;
update experience_sessions s set was_sold = true
where s.sold > 0
  or exists (select from experience_bookings b where b.restaurant_id = s.restaurant_id and b.session_id = s.id and b.paid_at is not null);

-- When the session begins, which never changes. Null for a booking that never took a seat.
alter table experience_bookings add column starts_at timestamptz(3);
update experience_bookings b set starts_at = s.starts_at
from experience_sessions s where s.restaurant_id = b.restaurant_id and s.id = b.session_id;

-- A buyer with an address and without a phone number was not linked to the guest with this address.
update experience_bookings b set guest_id = (
  select coalesce(g.merged_into, g.id) from guests g
  where g.restaurant_id = b.restaurant_id and g.erased_at is null and g.email_key = lower(b.email) order by g.id limit 1)
where b.guest_id is null and b.email is not null;

create or replace function count_experience_tickets() returns trigger
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

-- Sessions that are cancelled and have tickets that are not refunded yet.
create index experience_sessions_unrefunded on experience_sessions (restaurant_id, starts_at, id) where cancelled_at is not null and sold > 0;
create index experience_sessions_unsold on experience_sessions (coalesce(cancelled_at, starts_at)) where not was_sold;
create index experience_bookings_named on experience_bookings (starts_at)
  where guest_id is null and paid_at is not null and name <> 'Erased guest';

-- Tickets that were never paid are deleted. What was paid is kept with its payment; without a profile of the guest, the erasure of a guest
-- does not find it, so the name goes by itself. `created_before` is also compared with the beginning of the session.
create or replace function purge_experience_bookings(created_before timestamptz, row_count integer) returns integer
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

-- Sessions that were cancelled or are over, and for which no ticket was ever sold.
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
revoke all on function purge_experience_sessions from public;
grant execute on function purge_experience_sessions to comanda_app;

-- Set with the removal: tickets were sold for it, so it is kept with its sessions.
alter table experiences add column removed_with_sales boolean not null default false;
update experiences e set removed_with_sales = true
where e.deleted_at is not null
  and exists (select from experience_sessions s where s.restaurant_id = e.restaurant_id and s.experience_id = e.id and s.was_sold);
create function note_sales_of_removed() returns trigger language plpgsql set search_path = app, pg_temp as $$
begin
  new.removed_with_sales := exists (
    select from experience_sessions s where s.restaurant_id = new.restaurant_id and s.experience_id = new.id and s.was_sold);
  return new;
end $$;
create trigger experiences_removed before update on experiences
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function note_sales_of_removed();
create index experiences_unsold on experiences (deleted_at) where deleted_at is not null and not removed_with_sales;

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
revoke all on function purge_experiences from public;
grant execute on function purge_experiences to comanda_app;
