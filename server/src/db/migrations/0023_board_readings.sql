-- Up to which change a screen has read the orders board of a venue, for the alarm about orders that no screen has shown.
set local search_path = app;

create table board_readings (
  restaurant_id bigint primary key references restaurants,
  number bigint not null check (number >= 0),
  read_at timestamptz(3) not null,
  alarmed_at timestamptz(3)
) with (fillfactor = 50);
call enable_tenant_rls('board_readings');

-- Orders of a venue that wait since then or longer, and were changed after the number: no screen has shown them as they are.
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

-- Venues with such orders whose board was open on the last day. One statement serves all venues.
create function venues_with_unseen_orders(at timestamptz, row_count integer) returns setof bigint
  language sql stable security definer set search_path = app, pg_temp as $$
  select r.restaurant_id
  from board_readings r join change_counters c on c.restaurant_id = r.restaurant_id and c.number > r.number
  where r.read_at > at - interval '24 hours' and (r.alarmed_at is null or r.alarmed_at <= at - interval '15 minutes')
    and (select u.count from unseen_orders(r.restaurant_id, r.number, at - interval '60 seconds') u) > 0
  limit least(row_count, 1000)
$$;
revoke all on function venues_with_unseen_orders, unseen_orders from public;
grant execute on function venues_with_unseen_orders, unseen_orders to comanda_app;
