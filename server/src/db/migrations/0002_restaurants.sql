-- The restaurant as our customer, its plan, and its bearer tokens.
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

call create_ids('restaurant_ids');
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
  updated_at timestamptz(3) not null
);
alter table restaurants enable row level security;
alter table restaurants force row level security;
create policy tenant on restaurants using (id = (select app.tenant())) with check (id = (select app.tenant()));
grant select, insert, update on restaurants to comanda_app;

call create_ids('token_ids');
create table tokens (
  restaurant_id bigint not null references restaurants,
  id bigint not null default nextval('token_ids'),
  kind text not null check (kind in ('api', 'sandbox', 'oauth')),
  name text not null,
  hash bytea not null check (length(hash) = 32),
  last_characters text not null,
  scopes text[] not null,
  rate_per_minute integer check (rate_per_minute > 0),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  created_by text not null,
  created_at timestamptz(3) not null,
  primary key (restaurant_id, id)
);
-- The one unique key that does not lead with the tenant: the id in front of `|` arrives before the tenant is known.
create unique index tokens_by_id on tokens (id);
call protect('tokens', 'select, insert, update');

-- Before a token is known there is no tenant, so this one look-up crosses the wall: by id, nothing else.
create function authenticate(token_id bigint) returns table (
  id bigint, kind text, name text, hash bytea, scopes text[], token_rate integer, expires_at timestamptz, revoked_at timestamptz,
  last_used_at timestamptz, restaurant_id bigint, slug text, restaurant_kind text, currency text, zone text, default_language text,
  plan text, plan_until timestamptz, suspended_at timestamptz, has_reservations boolean, has_reporting boolean, plan_rate integer
) language sql stable security definer set search_path = app, pg_temp as $$
  select t.id, t.kind, t.name, t.hash, t.scopes, t.rate_per_minute, t.expires_at, t.revoked_at, t.last_used_at,
         r.id, r.slug, r.kind, r.currency, r.zone, r.default_language, r.plan, r.plan_until, r.suspended_at,
         p.has_reservations, p.has_reporting, p.rate_per_minute
  from tokens t join restaurants r on r.id = t.restaurant_id join plans p on p.code = r.plan
  where t.id = token_id
$$;

-- The operator's directory: identities only, page by page.
create function directory(after_slug text, row_count integer) returns table (restaurant_id bigint, slug text)
  language sql stable security definer set search_path = app, pg_temp as $$
  select id, slug from restaurants where slug > after_slug order by slug limit least(row_count, 1000)
$$;

create function restaurant_of_slug(wanted text) returns bigint
  language sql stable security definer set search_path = app, pg_temp as $$
  select id from restaurants where slug = wanted
$$;

revoke all on function authenticate, directory, restaurant_of_slug from public;
grant execute on function authenticate, directory, restaurant_of_slug to comanda_app;
