-- Order types that are paused, or that take longer because the kitchen is busy.
set local search_path = app;

-- At most one row for each type. An end that has passed means nothing: the rules compare it with the moment that an order is for, so no
-- job ends a pause.
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
