set local search_path = app;

-- How far the clock of a sandbox is ahead of the real one, 400 days at most. It only moves forward; a reset takes it back.
alter table restaurants add column clock_offset_ms bigint not null default 0;
alter table restaurants add constraint restaurants_clock_offset
  check (clock_offset_ms between 0 and 34560000000 and (kind = 'sandbox' or clock_offset_ms = 0));
grant update (clock_offset_ms) on restaurants to comanda_app;

create function refuse_clock_back() returns trigger language plpgsql as $$
begin
  raise exception 'The clock of the sandbox % moves forward only', new.id;
end $$;
create trigger restaurants_clock_forward before update of clock_offset_ms on restaurants
  for each row when (new.clock_offset_ms < old.clock_offset_ms and new.clock_offset_ms <> 0) execute function refuse_clock_back();

-- Faults that a program ordered in its sandbox: one row is taken once. Of an answer the row is then deleted; of a webhook it names the
-- delivery until it has expired. `number` is the order in which they are taken.
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

-- With the clock of the sandbox, and whether a fault of its answers may be due. Both are part of what a token is checked by, so that each
-- process learns of a change with its next request. Processes that were started before name their columns.
drop function authenticate(bigint);
create function authenticate(token_id bigint)
  returns table (id bigint, kind text, name text, hash bytea, scopes text[], token_rate integer, expires_at timestamptz, revoked_at timestamptz,
    last_used_at timestamptz, installation_id bigint, restaurant_id bigint, slug text, restaurant_kind text, currency text, zone text,
    default_language text, plan text, plan_until timestamptz, suspended_at timestamptz, has_reservations boolean, has_reporting boolean,
    plan_rate integer, is_elsewhere boolean, app_id bigint, clock_offset_ms bigint, has_faults boolean)
  language plpgsql stable security definer rows 1 set search_path = app, pg_temp as $$
begin
  return query
  select t.id, t.kind, t.name, t.hash, t.scopes, t.rate_per_minute, t.expires_at, t.revoked_at, t.last_used_at, t.installation_id,
         r.id, r.slug, r.kind, r.currency, r.zone, r.default_language, r.plan, r.plan_until, r.suspended_at,
         p.has_reservations, p.has_reporting, p.rate_per_minute,
         exists (select from venue_moves m where m.restaurant_id = r.id and m.phase in ('moved', 'arriving')),
         case when t.installation_id is not null then
           (select i.app_id from installations i where i.restaurant_id = t.restaurant_id and i.id = t.installation_id) end,
         r.clock_offset_ms,
         case when r.kind = 'sandbox' then exists (select from sandbox_faults f where f.restaurant_id = r.id
           and f.fault in ('lose_answer', '503', '429', 'slow', 'timeout')) else false end
  from tokens t join restaurants r on r.id = t.restaurant_id join plans p on p.code = r.plan
  where t.id = token_id;
end $$;
revoke all on function authenticate from public;
grant execute on function authenticate to comanda_app;

-- The moments of a venue are those of its clock.
create or replace function venues_with_unseen_orders(at timestamptz, row_count integer) returns setof bigint
  language sql stable security definer set search_path = app, pg_temp as $$
  select b.restaurant_id
  from board_readings b join change_counters c on c.restaurant_id = b.restaurant_id and c.number > b.number
    join restaurants r on r.id = b.restaurant_id
    cross join lateral (select at + r.clock_offset_ms * interval '1 millisecond') venue (now)
  where b.read_at > venue.now - interval '24 hours' and (b.alarmed_at is null or b.alarmed_at <= venue.now - interval '15 minutes')
    and (select u.count from unseen_orders(b.restaurant_id, b.number, venue.now - interval '60 seconds') u) > 0
  limit least(row_count, 1000)
$$;

-- Takes the clock back too. The faults are rows of a table without a sample.
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
