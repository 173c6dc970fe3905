-- Sums of sales, for reports.
set local search_path = app;

-- Sales per branch and local day, updated in the orders' own transactions.
create table daily_sales (
  restaurant_id bigint not null references restaurants,
  date date not null,
  branch_id bigint not null,
  orders integer not null,
  revenue_minor bigint not null,
  -- The figures are part of the key's index: a venue's days lie scattered over the table, and a year was 300 pages instead of six.
  primary key (restaurant_id, date, branch_id) include (orders, revenue_minor)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.02);
call enable_tenant_rls('daily_sales', 'select, insert, update');

-- Sums of what a day sold, updated in the commit of the change that they count. `date` is the day of the sale, `branch_id` is 0 without a
-- branch. `key` is what the kind sums by:
--   hour        weekday and hour such as '0-13', Monday is 0; orders and their totals
--   channel     'pickup:web'; orders and their totals
--   dish        id of the dish; portions and what the lines came to
--   hour_month, dish_month  the same of a whole month, under its first day: a year of 100 dishes is 1200 rows instead of 36,000
--   payment     method; payments and their amounts, on the day of service (from 05:00)
--   refund      method; refunds and their amounts, on the day of service
create table sales_rollups (
  restaurant_id bigint not null references restaurants,
  kind text collate "C" not null check (kind in ('hour', 'hour_month', 'channel', 'dish', 'dish_month', 'payment', 'refund')),
  date date not null,
  branch_id bigint not null,
  key text collate "C" not null,
  count bigint not null,
  amount_minor bigint not null,
  -- The figures are part of the key's index, as in daily_sales: rows of one venue lie scattered over the table.
  primary key (restaurant_id, kind, date, branch_id, key) include (count, amount_minor)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.02);
call enable_tenant_rls('sales_rollups', 'select, insert, update');

-- A difference is computed and then added. Two processes that do so at once would add it twice, so each takes this lock first, in a
-- statement of its own: the next statement then sees what the other one added. Sales take no such lock.
create function lock_sums(venue bigint) returns void
  language sql set search_path = app, pg_temp as $$
  select pg_advisory_xact_lock(hashtextextended('sums ' || venue, 0))
$$;

-- Returns what the orders, payments and refunds of these days come to, minus what is stored. Every commit changes both by the same, so
-- that a difference may be added while others write.
create function sales_differences(venue bigint, first_day date, last_day date)
  returns table (kind text, date date, branch_id bigint, key text, count bigint, amount_minor bigint)
  language sql stable set search_path = app, pg_temp as $$
  with sold as (
    select o.sold_on, coalesce(o.branch_id, 0) as branch_id, o.type || ':' || o.channel as channel, o.total_minor, o.lines,
      coalesce(o.sold_hour, extract(hour from o.placed_at at time zone r.zone)) as hour
    from orders o join restaurants r on r.id = o.restaurant_id
    where o.restaurant_id = venue and o.status not in ('rejected', 'cancelled') and o.sold_on between first_day and last_day
      -- The day of a sale is that of placed_at in the zone that the venue had then.
      and o.placed_at >= (first_day - 2)::timestamptz and o.placed_at < (last_day + 3)::timestamptz
  ), dishes as (
    select s.sold_on, s.branch_id, l ->> 'item_id' as item, (l -> 'quantity')::bigint as portions, (l -> 'line_total_minor')::bigint as amount
    from sold s, jsonb_array_elements(s.lines) l where not coalesce((l -> 'voided')::boolean, false)
  ), moved as (
    select 'payment' as kind, p.service_day as day, p.method, p.amount_minor, coalesce(p.branch_id, 0) as branch_id from payments p
    where p.restaurant_id = venue and p.service_day between first_day and last_day
      and p.recorded_at >= (first_day - 2)::timestamptz and p.recorded_at < (last_day + 3)::timestamptz
    union all
    select 'refund', f.service_day, p.method, f.amount_minor, coalesce(p.branch_id, 0)
    from refunds f join payments p on p.restaurant_id = f.restaurant_id and p.id = f.payment_id
    where f.restaurant_id = venue and f.service_day between first_day and last_day
      and f.refunded_at >= (first_day - 2)::timestamptz and f.refunded_at < (last_day + 3)::timestamptz
  ), parts as (
    select 'hour' as kind, s.sold_on as date, s.branch_id, extract(isodow from s.sold_on) - 1 || '-' || s.hour as key, 1::bigint as count, s.total_minor as amount from sold s
    union all select 'channel', s.sold_on, s.branch_id, s.channel, 1, s.total_minor from sold s
    union all select 'dish', d.sold_on, d.branch_id, d.item, d.portions, d.amount from dishes d
    union all select m.kind, m.day, m.branch_id, m.method, 1, m.amount_minor from moved m
    union all select r.kind, r.date, r.branch_id, r.key, -r.count, -r.amount_minor from sales_rollups r
      where r.restaurant_id = venue and r.kind not like '%\_month' and r.date between first_day and last_day
  ), differences as (
    select p.kind, p.date, p.branch_id, p.key, sum(p.count)::bigint as count, sum(p.amount)::bigint as amount
    from parts p group by 1, 2, 3, 4 having sum(p.count) <> 0 or sum(p.amount) <> 0
  )
  select d.kind, d.date, d.branch_id, d.key, d.count, d.amount from differences d
  union all
  select d.kind || '_month', date_trunc('month', d.date)::date, d.branch_id, d.key, sum(d.count)::bigint, sum(d.amount)::bigint
  from differences d where d.kind in ('hour', 'dish') group by 1, 2, 3, 4
$$;

-- Returns the months that the days of the month do not come to. There are none, unless a statement wrote without the service.
create function month_differences(venue bigint)
  returns table (kind text, date date, branch_id bigint, key text, count bigint, amount_minor bigint)
  language sql stable set search_path = app, pg_temp as $$
  select p.kind, p.date, p.branch_id, p.key, sum(p.count)::bigint, sum(p.amount_minor)::bigint
  from (
    select r.kind || '_month' as kind, date_trunc('month', r.date)::date as date, r.branch_id, r.key, r.count, r.amount_minor from sales_rollups r
    where r.restaurant_id = venue and r.kind in ('hour', 'dish')
    union all
    select r.kind, r.date, r.branch_id, r.key, -r.count, -r.amount_minor from sales_rollups r
    where r.restaurant_id = venue and r.kind in ('hour_month', 'dish_month')
  ) p group by 1, 2, 3, 4 having sum(p.count) <> 0 or sum(p.amount_minor) <> 0
$$;

-- Venues whose earlier sales are not counted yet, from the newest week to the oldest. The second round, a day later, finds what processes
-- of the release before changed without counting it.
create table sales_backfills (
  restaurant_id bigint not null primary key references restaurants,
  rounds_left integer not null,
  before date not null,
  due_at timestamptz(3) not null
);
call enable_tenant_rls('sales_backfills', 'select');

-- Counts one week of one venue. It returns false when no venue is due.
create function count_earlier_sales(present timestamptz) returns boolean
  language plpgsql security definer set search_path = app, pg_temp as $$
declare
  due sales_backfills%rowtype;
  first_sale timestamptz;
begin
  select b.* into due from sales_backfills b where b.due_at <= present order by b.due_at, b.restaurant_id limit 1 for update skip locked;
  if not found then return false; end if;
  perform lock_sums(due.restaurant_id);
  insert into sales_rollups (restaurant_id, kind, date, branch_id, key, count, amount_minor)
  select due.restaurant_id, d.kind, d.date, d.branch_id, d.key, d.count, d.amount_minor
  from sales_differences(due.restaurant_id, due.before - 7, due.before - 1) d
  order by d.kind collate "C", d.date, d.branch_id, d.key collate "C"
  on conflict (restaurant_id, kind, date, branch_id, key) do update
  set count = sales_rollups.count + excluded.count, amount_minor = sales_rollups.amount_minor + excluded.amount_minor;
  first_sale := least((select min(o.placed_at) from orders o where o.restaurant_id = due.restaurant_id),
    (select min(p.recorded_at) from payments p where p.restaurant_id = due.restaurant_id));
  -- Two days more than the week, because days of a sale are those of the venue's zone.
  if first_sale is not null and first_sale < (due.before - 5)::timestamptz then
    update sales_backfills b set before = due.before - 7 where b.restaurant_id = due.restaurant_id;
  elsif due.rounds_left > 1 then
    update sales_backfills b set rounds_left = due.rounds_left - 1, due_at = present + interval '1 day', before = present::date + 2
    where b.restaurant_id = due.restaurant_id;
  else
    delete from sales_backfills b where b.restaurant_id = due.restaurant_id;
  end if;
  return true;
end
$$;

revoke all on function lock_sums, sales_differences, month_differences, count_earlier_sales from public;
grant execute on function lock_sums, sales_differences, month_differences, count_earlier_sales to comanda_app;
