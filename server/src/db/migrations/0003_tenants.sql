-- Restaurants as tenants, their plans and their staff.
set local search_path = app;

create table plans (
  code text primary key,
  has_reservations boolean not null,
  has_reporting boolean not null,
  rate_per_minute integer check (rate_per_minute > 0)
);
insert into plans values
  ('essential', false, false, null),
  ('service', true, false, null),
  ('complete', true, true, null);
grant select on plans to comanda_app;

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
  -- A sandbox has no contract that could lapse and is never suspended.
  constraint restaurants_sandbox_standing check (kind = 'live' or (plan_until is null and suspended_at is null))
);
alter table restaurants enable row level security;
alter table restaurants force row level security;
create policy tenant on restaurants using (id = (select app.current_tenant())) with check (id = (select app.current_tenant()));
grant select, insert on restaurants to comanda_app;
grant update (slug, name, currency, zone, default_language, email, phone, plan, plan_until, suspended_at, updated_at)
  on restaurants to comanda_app;

-- Ids and slugs of all live venues of this cell, page by page, for the operator.
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

revoke all on function list_venues, restaurant_id_by_slug from public;
grant execute on function list_venues, restaurant_id_by_slug to comanda_app;

call create_id_sequence('staff_ids');
create table staff (
  restaurant_id bigint not null references restaurants,
  id bigint not null default nextval('staff_ids'),
  email text not null check (email = lower(email)),
  name text not null,
  role text not null check (role in ('owner', 'manager', 'staff')),
  locale text,
  created_at timestamptz(3) not null,
  primary key (restaurant_id, id),
  unique (restaurant_id, email)
);
call enable_tenant_rls('staff');
create index staff_email on staff (email);
