-- What the orders board needs: numbers of the day, promised times, payments by day, and the position in the numbered changes.
set local search_path = app;

-- A staff member calls an order by its number of the day. Orders from before this migration have none.
alter table orders add column number integer, add column promised_at timestamptz(3);

-- The last number that was given on a day of service, for each branch; 0 stands for orders without a branch. The order's own insert
-- takes the next one, so numbers have no gaps.
create table order_counters (
  restaurant_id bigint not null references restaurants,
  branch_id bigint not null,
  day date not null,
  last integer not null check (last > 0),
  primary key (restaurant_id, branch_id, day)
) with (fillfactor = 50);
call enable_tenant_rls('order_counters', 'select, insert, update');
create index order_counters_age on order_counters (day);

create function purge_order_counters(noted_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
  with old as (
    select ctid as place from order_counters where day < (noted_before at time zone 'UTC')::date
    order by day limit least(row_count, 10000) for update skip locked
  ), gone as (delete from order_counters where ctid = any(array(select place from old)) returning 1)
  select count(*)::integer from gone
$$;

alter table payments drop constraint payments_method_check;
-- Checked for existing rows by a later migration, because that reads the whole table.
alter table payments add constraint payments_method_check check (method in ('cash', 'card_terminal', 'gift_card', 'online', 'other')) not valid;

-- Where a page stands in the numbered changes of the venue: its epoch and its last number, as `change_marks` tells them.
create function change_position() returns table (epoch text, number bigint)
  language sql stable security definer set search_path = app, pg_temp as $$
  select (select (extract(epoch from i.recorded_at) * 1000)::bigint from database_identity i)
      || '-' || coalesce((select e.epoch from venue_epochs e where e.restaurant_id = current_tenant()), 0),
    coalesce((select c.number from change_counters c where c.restaurant_id = current_tenant()), 0)
$$;

revoke all on function purge_order_counters, change_position from public;
grant execute on function purge_order_counters, change_position to comanda_app;
