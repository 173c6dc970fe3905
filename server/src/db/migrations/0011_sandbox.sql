-- The sandbox of a restaurant: which one it is, what it held when it was opened, and how it is set back to that.
set local search_path = app;

-- A row of the live restaurant: nobody else can tell which sandbox is whose. The sandbox may come a moment after this row,
-- so nothing refers to it; its id is drawn here.
create table sandboxes (
  restaurant_id bigint primary key references restaurants,
  sandbox_id bigint not null check (sandbox_id <> restaurant_id),
  created_at timestamptz(3) not null
);
call protect('sandboxes', 'select, insert');

-- Rows of the sandbox itself. `sampled_on` is the day on which the sample was true as it stands.
create table sandbox_resets (
  restaurant_id bigint primary key references restaurants,
  sampled_on date not null,
  reset_at timestamptz(3),
  next_reset_at timestamptz(3) not null
);
call protect('sandbox_resets', 'select, insert, update');

create table sandbox_samples (
  restaurant_id bigint not null references restaurants,
  table_name text not null,
  rows jsonb not null,
  primary key (restaurant_id, table_name)
);
call protect('sandbox_samples', 'select');

-- What a reset empties can never be made of a restaurant: the application may not turn one kind into the other.
revoke update on restaurants from comanda_app;
grant update (slug, name, currency, zone, default_language, email, phone, plan, plan_until, suspended_at, updated_at)
  on restaurants to comanda_app;

alter table restaurants add constraint restaurants_sandbox_standing
  check (kind = 'live' or (plan_until is null and suspended_at is null));

-- As before, without sandboxes: they are known to their own restaurant and to the holder of their token.
create or replace function directory(after_slug text, row_count integer) returns table (restaurant_id bigint, slug text)
  language sql stable security definer set search_path = app, pg_temp as $$
  select id, slug from restaurants where kind = 'live' and slug > after_slug order by slug limit least(row_count, 1000)
$$;

-- Every table whose rows a reset takes away and brings back, each after those it refers to. What is not here stays:
-- tokens, the activity log, events and who is told of them. A test compares this list with the tables there are.
create function sandbox_tables() returns text[] language sql immutable parallel safe as $$
  select array[
    'branches', 'closing_days', 'dining_tables', 'table_combinations', 'table_combination_members', 'settings', 'staff', 'guests',
    'menus', 'categories', 'items', 'item_variants', 'modifier_groups', 'modifier_options', 'item_modifier_groups',
    'happy_hours', 'happy_hour_targets', 'availability_flips',
    'orders', 'tickets', 'payments', 'refunds', 'pos_connections', 'pos_pushes',
    'reservations', 'reservation_tables', 'sales_days', 'messages', 'idempotency_keys']
$$;

-- The tenant of the transaction if it is a sandbox; for any other restaurant an error.
create function this_sandbox() returns bigint language plpgsql stable as $$
declare found_id bigint := (select r.id from restaurants r where r.id = tenant() and r.kind = 'sandbox');
begin
  if found_id is null then
    raise exception 'This restaurant is not a sandbox';
  end if;
  return found_id;
end $$;

-- The same time of day, some days later, on the clock of the place.
create function moved_moment(moment timestamptz, days integer, zone text) returns timestamptz language sql stable as $$
  select case when days = 0 then moment else ((moment at time zone zone) + make_interval(days => days)) at time zone zone end
$$;

create function moved_span(span tstzrange, days integer, zone text) returns tstzrange language sql stable as $$
  select case when days = 0 then span else tstzrange(moved_moment(lower(span), days, zone), moved_moment(upper(span), days, zone),
    case when lower_inc(span) then '[' else '(' end || case when upper_inc(span) then ']' else ')' end) end
$$;

-- How each column of a kept row is written again: $3 is the number of days, $4 the zone. Left out are columns that the
-- database works out, those it stamps with its own clock, and those that came after the sample: they have their defaults.
create function restored_columns(table_name text, sample jsonb) returns table (name text, value text) language sql stable as $$
  select quote_ident(a.attname), case format_type(a.atttypid, null)
    when 'timestamp with time zone' then format('moved_moment(kept.%I, $3, $4)', a.attname)
    when 'tstzrange' then format('moved_span(kept.%I, $3, $4)', a.attname)
    when 'date' then format('kept.%I + $3', a.attname)
    else format('kept.%I', a.attname) end
  from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = format('app.%I', table_name)::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    and a.attname <> 'restaurant_id' and sample ? a.attname
    and pg_get_expr(d.adbin, d.adrelid) is distinct from 'clock_timestamp()'
  order by a.attnum
$$;

-- Once, right after the sample was laid out. A message names its date in words that no reset could move, so none is kept.
create function keep_sandbox_sample() returns void
  language plpgsql security definer set search_path = app, pg_temp set timezone = 'UTC' set datestyle = 'ISO, YMD' as $$
declare
  me constant bigint := this_sandbox();
  table_name text;
begin
  delete from messages where restaurant_id = me;
  foreach table_name in array sandbox_tables() loop
    execute format('insert into sandbox_samples (restaurant_id, table_name, rows)
      select $1, $2, coalesce(jsonb_agg(to_jsonb(r)), ''[]'') from %I r where r.restaurant_id = $1', table_name) using me, table_name;
  end loop;
end $$;

-- Everything out, the sample in under its old ids, moved to the given day. The application could do neither alone: orders,
-- payments and others are never deleted by it.
create function reset_sandbox(day date) returns void
  language plpgsql security definer set search_path = app, pg_temp set timezone = 'UTC' set datestyle = 'ISO, YMD' as $$
declare
  me constant bigint := this_sandbox();
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
end $$;

-- As before, but for resets: one writes to nothing but its own sandbox, however long it takes, and must hold up no list of
-- changes of a live restaurant.
create or replace function settled_until() returns timestamptz language sql volatile
  as $$ select least(clock_timestamp(), min(xact_start)) from pg_stat_activity
        where datname = current_database() and usename = current_user and pid <> pg_backend_pid() and xact_start is not null
          and application_name <> 'comanda sandbox reset' $$;

revoke all on function keep_sandbox_sample, reset_sandbox from public;
grant execute on function keep_sandbox_sample, reset_sandbox to comanda_app;
