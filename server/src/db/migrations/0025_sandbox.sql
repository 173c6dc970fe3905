-- Sandboxes: their samples, resets and ordered faults.
set local search_path = app;

-- A sandbox has one row. `sampled_on` is the day for which the sample was written.
create table sandbox_resets (
  restaurant_id bigint primary key references restaurants,
  sampled_on date not null,
  reset_at timestamptz(3),
  next_reset_at timestamptz(3) not null
);
call enable_tenant_rls('sandbox_resets', 'select, insert, update');

create table sandbox_samples (
  restaurant_id bigint not null references restaurants,
  table_name text not null,
  rows jsonb not null,
  primary key (restaurant_id, table_name)
);
call enable_tenant_rls('sandbox_samples', 'select');

-- Returns the tables that a reset restores, each after the tables it refers to: every table whose rows all have a restaurant_id, except
-- the tables that record who has access, what happened, who is notified and where the venue is, and the sandbox's own.
create function sandbox_tables() returns text[] language plpgsql stable as $$
declare
  kept constant text[] := array[
    'tokens', 'installations', 'grants', 'audit_entries', 'events', 'webhook_endpoints', 'webhook_secrets', 'webhook_endpoint_state',
    'deliveries', 'delivery_attempts', 'request_log', 'hourly_token_usage', 'sandboxes', 'sandbox_resets', 'sandbox_samples',
    'venue_moves', 'venue_epochs', 'changes', 'change_counters'];
  waiting text[] := array(
    select c.relname::text from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'restaurant_id' and a.attnotnull
    where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> all (kept));
  ordered text[] := '{}';
  ready text[];
begin
  while cardinality(waiting) > 0 loop
    ready := array(
      select w.name from unnest(waiting) w (name)
      where not exists (
        select from pg_constraint k join pg_class f on f.oid = k.confrelid
        where k.contype = 'f' and k.conrelid = format('app.%I', w.name)::regclass and f.relnamespace = 'app'::regnamespace
          and f.relname = any (waiting) and f.relname <> w.name)
      order by w.name);
    if cardinality(ready) = 0 then
      raise exception 'These tables refer to each other in a circle: %', waiting;
    end if;
    ordered := ordered || ready;
    waiting := array(select w.name from unnest(waiting) w (name) where w.name <> all (ready));
  end loop;
  return ordered;
end $$;

-- Returns the tenant of the transaction, if it is a sandbox; otherwise it raises an error.
create function current_sandbox() returns bigint language plpgsql stable as $$
declare found_id bigint := (select r.id from restaurants r where r.id = current_tenant() and r.kind = 'sandbox');
begin
  if found_id is null then
    raise exception 'This restaurant is not a sandbox';
  end if;
  return found_id;
end $$;

-- Returns the same local time, some days later.
create function shift_timestamp(moment timestamptz, days integer, zone text) returns timestamptz language sql stable as $$
  select case when days = 0 then moment else ((moment at time zone zone) + make_interval(days => days)) at time zone zone end
$$;

create function shift_range(span tstzrange, days integer, zone text) returns tstzrange language sql stable as $$
  select case when days = 0 then span else tstzrange(shift_timestamp(lower(span), days, zone), shift_timestamp(upper(span), days, zone),
    case when lower_inc(span) then '[' else '(' end || case when upper_inc(span) then ']' else ')' end) end
$$;

-- Returns the expression that restores each column: $3 is the number of days, $4 the time zone. Generated columns, columns with the
-- database's clock as default, and columns newer than the sample are left out.
create function restored_columns(table_name text, sample jsonb) returns table (name text, value text) language sql stable as $$
  select quote_ident(a.attname), case format_type(a.atttypid, null)
    when 'timestamp with time zone' then format('shift_timestamp(kept.%I, $3, $4)', a.attname)
    when 'tstzrange' then format('shift_range(kept.%I, $3, $4)', a.attname)
    when 'date' then format('kept.%I + $3', a.attname)
    else format('kept.%I', a.attname) end
  from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = format('app.%I', table_name)::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    and a.attname <> 'restaurant_id' and sample ? a.attname
    and pg_get_expr(d.adbin, d.adrelid) is distinct from 'clock_timestamp()'
  order by a.attnum
$$;

-- Saves the sample once, right after it was created. Notifications are left out, because their text names a date.
create function save_sandbox_sample() returns void
  language plpgsql security definer set search_path = app, pg_temp set timezone = 'UTC' set datestyle = 'ISO, YMD' as $$
declare
  me constant bigint := current_sandbox();
  table_name text;
begin
  delete from notifications where restaurant_id = me;
  foreach table_name in array sandbox_tables() loop
    execute format('insert into sandbox_samples (restaurant_id, table_name, rows)
      select $1, $2, coalesce(jsonb_agg(to_jsonb(r)), ''[]'') from %I r where r.restaurant_id = $1', table_name) using me, table_name;
  end loop;
end $$;

-- Deletes all rows, takes the clock back and restores the sample with its ids, shifted to the given day. The faults are rows of a table
-- without a sample. It runs with its owner's rights, because the application may not delete orders and payments.
create function reset_sandbox(day date) returns void
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
  update restaurants r set clock_offset_ms = 0 where r.id = me and r.clock_offset_ms <> 0;
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

revoke all on function save_sandbox_sample, reset_sandbox from public;
grant execute on function save_sandbox_sample, reset_sandbox to comanda_app;

-- Faults that a program ordered in its sandbox: one row is taken once. The row of an answer's fault is then deleted; the row of a webhook's
-- fault names the delivery until it has expired. `number` is the order in which they are taken.
create table sandbox_faults (
  restaurant_id bigint not null references restaurants,
  number integer not null,
  fault text not null check (fault in ('lose_answer', '503', '429', 'slow', 'timeout', 'twice', 'swapped', 'late', 'bad_signature')),
  operation text,
  duration_ms integer not null check (duration_ms between 0 and 60000),
  expires_at timestamptz(3) not null,
  delivery_id bigint,
  primary key (restaurant_id, number),
  foreign key (restaurant_id, delivery_id) references deliveries (restaurant_id, id) on delete cascade,
  constraint sandbox_faults_of_webhooks check (
    fault in ('twice', 'swapped', 'late', 'bad_signature') and operation is null
    or fault in ('lose_answer', '503', '429', 'slow', 'timeout') and delivery_id is null)
);
create unique index sandbox_faults_by_delivery on sandbox_faults (restaurant_id, delivery_id);
call enable_tenant_rls('sandbox_faults', 'select, insert, update, delete');

create function refuse_live_fault() returns trigger language plpgsql as $$
begin
  if not exists (select from restaurants r where r.id = new.restaurant_id and r.kind = 'sandbox') then
    raise exception 'Faults are ordered in sandboxes only';
  end if;
  return new;
end $$;
create trigger sandbox_faults_only_in_sandboxes before insert on sandbox_faults for each row execute function refuse_live_fault();
