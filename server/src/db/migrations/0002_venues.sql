-- Venues as tenants: their plans, their sandboxes, their moves to other cells, and the lock that ends access.
set local search_path = app;

-- A moving venue has one row in both cells; it stays in the cell that the venue has left. It belongs to the cell, so it is not copied
-- with the venue, and it exists before the venue's own row does.
-- copying: the venue works as usual. draining: no new job starts. paused: writes are refused until paused_until, even if the command
-- dies. moved: the venue is in other_cell. arriving: the venue is not complete here yet.
create table venue_moves (
  restaurant_id bigint primary key,
  phase text not null check (phase in ('copying', 'draining', 'paused', 'moved', 'arriving')),
  other_cell integer not null check (other_cell between 0 and 1023),
  paused_until timestamptz(3) check ((phase = 'paused') = (paused_until is not null)),
  updated_at timestamptz(3) not null default clock_timestamp()
);
grant select on venue_moves to comanda_app;

-- Counts the moves of a venue, in both cells of each move. When two cells have a venue, the higher number is the later state.
-- It belongs to the cell, like `venue_moves`, and is not copied with the venue. A venue without a row has never moved.
create table venue_epochs (
  restaurant_id bigint primary key,
  epoch integer not null check (epoch > 0)
);

-- The first statement of every transaction of a venue takes this lock and holds it to the end. A move that pauses the venue waits for
-- running transactions, and later ones see the pause. 57P03 is PostgreSQL's code for "cannot connect now".
create function assert_venue_not_moving(venue bigint) returns void language plpgsql as $$
declare
  found_phase text;
  found_cell integer;
begin
  if venue = 0 then
    return;
  end if;
  perform pg_advisory_xact_lock_shared(hashtextextended('venue ' || venue, 0));
  select m.phase, m.other_cell into found_phase, found_cell from app.venue_moves m where m.restaurant_id = venue
    and (m.phase in ('moved', 'arriving') or m.paused_until > clock_timestamp());
  if found_phase is not null then
    raise exception using errcode = '57P03', message = case found_phase
      when 'moved' then format('The venue %s has moved to cell %s', venue, found_cell)
      else format('The venue %s is moving: nothing can be written for a moment', venue) end;
  end if;
end $$;

create table plans (
  code text primary key,
  has_reservations boolean not null,
  has_reporting boolean not null,
  rate_per_minute integer check (rate_per_minute > 0)
);
grant select on plans to comanda_app;
insert into plans values
  ('essential', false, false, null),
  ('service', true, false, null),
  ('complete', true, true, null);

call create_id_sequence('restaurant_ids');
create table restaurants (
  id bigint primary key default nextval('restaurant_ids'),
  slug text not null unique,
  kind text not null default 'live' check (kind in ('live', 'sandbox')),
  name jsonb not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  zone text not null,
  default_language text not null,
  email text,
  phone text,
  plan text not null references plans,
  plan_until timestamptz(3),
  suspended_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- Owners and managers of the venue must have a second factor.
  needs_second_factor boolean not null default false,
  -- How far the clock of a sandbox is ahead of the real one, 400 days at most. It only moves forward; a reset takes it back.
  clock_offset_ms bigint not null default 0,
  -- A sandbox has no contract that could lapse and is never suspended.
  constraint restaurants_sandbox_standing check (kind = 'live' or (plan_until is null and suspended_at is null)),
  constraint restaurants_clock_offset check (clock_offset_ms between 0 and 34560000000 and (kind = 'sandbox' or clock_offset_ms = 0))
);
-- The tenant's own column is `id`, so `enable_tenant_rls` does not fit.
alter table restaurants enable row level security;
alter table restaurants force row level security;
create policy tenant on restaurants using (id = (select app.current_tenant())) with check (id = (select app.current_tenant()));
grant select, insert, update (slug, name, currency, zone, default_language, email, phone, plan, plan_until, suspended_at, updated_at,
  needs_second_factor, clock_offset_ms) on restaurants to comanda_app;

create function refuse_clock_back() returns trigger language plpgsql as $$
begin
  raise exception 'The clock of the sandbox % moves forward only', new.id;
end $$;
create trigger restaurants_clock_forward before update of clock_offset_ms on restaurants
  for each row when (new.clock_offset_ms < old.clock_offset_ms and new.clock_offset_ms <> 0) execute function refuse_clock_back();

-- Takes the lock that a revocation waits for. kind: 'venue', 'app' (all writes of a marketplace app, in every venue) or 'person' (all
-- writes of a user in the console).
create function lock_access(kind text, id bigint, is_exclusive boolean) returns void language plpgsql as $$
begin
  if is_exclusive then
    perform pg_advisory_xact_lock(hashtextextended('access ' || kind || ' ' || id, 0));
  else
    perform pg_advisory_xact_lock_shared(hashtextextended('access ' || kind || ' ' || id, 0));
  end if;
end $$;

-- Runs for every change that ends access. Services take the lock in their begin, where it cannot deadlock. This trigger takes it for
-- code that did not; for the others it changes nothing.
create function lock_ended_access() returns trigger language plpgsql as $$
declare
  ended jsonb := to_jsonb(old);
begin
  if current_setting('app.access_is_locked', true) = 'on' then
    return null;
  end if;
  -- Staff of a sandbox cannot sign in, and each reset replaces them.
  if tg_table_name = 'staff' and exists (select from app.restaurants where id = (ended ->> 'restaurant_id')::bigint and kind = 'sandbox') then
    return null;
  end if;
  perform app.lock_access(tg_argv[0], (ended ->> tg_argv[1])::bigint, true);
  return null;
end $$;

create trigger restaurants_end_access after update of plan, plan_until, suspended_at on restaurants for each row
  when ((old.plan, old.plan_until, old.suspended_at) is distinct from (new.plan, new.plan_until, new.suspended_at))
  execute function lock_ended_access('venue', 'id');

create trigger restaurants_factor_ends_access after update of needs_second_factor on restaurants
  for each row when (new.needs_second_factor and not old.needs_second_factor) execute function lock_ended_access('venue', 'id');

-- Returns the ids and slugs of all live venues of this cell, page by page, for the operator.
create function list_venues(after_slug text, row_count integer) returns table (restaurant_id bigint, slug text)
  language sql stable security definer set search_path = app, pg_temp as $$
  select id, slug from restaurants r where kind = 'live' and slug > after_slug
    and not exists (select from venue_moves m where m.restaurant_id = r.id and m.phase in ('moved', 'arriving'))
  order by slug limit least(row_count, 1000)
$$;

create function restaurant_id_by_slug(wanted text) returns bigint
  language sql stable security definer set search_path = app, pg_temp as $$
  select id from restaurants where slug = wanted
$$;

-- Returns the main language of a venue, for pages of people who see several venues at once.
create function language_of_venue(venue bigint) returns text language sql stable security definer set search_path = app, pg_temp
  as $$ select r.default_language from restaurants r where r.id = venue $$;

-- A live venue has one row when it has a sandbox. The sandbox's id is drawn here, before the sandbox exists, so there is no foreign key.
create table sandboxes (
  restaurant_id bigint primary key references restaurants,
  sandbox_id bigint not null check (sandbox_id <> restaurant_id),
  created_at timestamptz(3) not null
);
call enable_tenant_rls('sandboxes', 'select, insert');

-- Returns null while the sandbox is not open. Only functions with their owner's rights call it.
create function open_sandbox_of(live_id bigint) returns bigint
  language sql stable set search_path = app, pg_temp as $$
  select b.sandbox_id from sandboxes b join restaurants r on r.id = b.sandbox_id and r.kind = 'sandbox'
  where b.restaurant_id = live_id
    and not exists (select from venue_moves m where m.restaurant_id = b.sandbox_id and m.phase in ('moved', 'arriving'))
$$;

revoke all on function assert_venue_not_moving, lock_access, list_venues, restaurant_id_by_slug, language_of_venue, open_sandbox_of
  from public;
grant execute on function assert_venue_not_moving, lock_access, list_venues, restaurant_id_by_slug, language_of_venue to comanda_app;
