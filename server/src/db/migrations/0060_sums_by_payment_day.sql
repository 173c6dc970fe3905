set local search_path = app;

-- A difference is computed and then added. Two that do so at once would add it twice, so each takes this lock first, in a statement of its
-- own: the next statement then sees what the other one added. Sales take no such lock.
create function lock_sums(venue bigint) returns void
  language sql set search_path = app, pg_temp as $$
  select pg_advisory_xact_lock(hashtextextended('sums ' || venue, 0))
$$;
revoke all on function lock_sums from public;
grant execute on function lock_sums to comanda_app;

-- Payments and refunds count on the day and in the branch that are stored with them.
create or replace function sales_differences(venue bigint, first_day date, last_day date)
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

create or replace function count_earlier_sales(present timestamptz) returns boolean
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

create or replace function reset_sandbox(day date) returns void
  language plpgsql security definer set search_path = app, pg_temp set timezone = 'UTC' set datestyle = 'ISO, YMD' as $$
declare
  me constant bigint := current_sandbox();
  zone constant text := (select r.zone from restaurants r where r.id = me);
  days constant integer := day - (select s.sampled_on from sandbox_resets s where s.restaurant_id = me);
  tables constant text[] := sandbox_tables();
  sample jsonb;
  names text;
  moved text;
begin
  if days is null then
    raise exception 'The sandbox % has no sample', me;
  end if;
  for place in reverse array_length(tables, 1)..1 loop
    execute format('delete from %I where restaurant_id = $1', tables[place]) using me;
  end loop;
  for place in 1..array_length(tables, 1) loop
    sample := (select s.rows from sandbox_samples s where s.restaurant_id = me and s.table_name = tables[place]);
    continue when coalesce(jsonb_array_length(sample), 0) = 0;
    select string_agg(c.name, ', '), string_agg(c.value, ', ') into names, moved from restored_columns(tables[place], sample -> 0) c;
    execute format('insert into %I (restaurant_id, %s) select $1, %s from jsonb_populate_recordset(null::%I, $2) kept',
      tables[place], names, moved, tables[place]) using me, sample, days, zone;
  end loop;
  perform lock_sums(me);
  delete from sales_rollups r where r.restaurant_id = me;
  insert into sales_rollups (restaurant_id, kind, date, branch_id, key, count, amount_minor)
  select me, d.kind, d.date, d.branch_id, d.key, d.count, d.amount_minor from sales_differences(me, day - 2, day + 2) d;
end $$;
