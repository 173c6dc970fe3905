-- Marketplace apps, their authorization requests and their installations.
set local search_path = app;

call create_id_sequence('app_ids');
create table apps (
  id bigint primary key default nextval('app_ids'),
  client_id text not null unique,
  -- The user who manages the app in the console; null: only the operator does.
  user_id bigint references users,
  name text not null,
  developer text not null,
  summary text not null,
  site text not null,
  -- The app's page where an installation starts. Null: the app is not in the catalogue.
  install_url text,
  logo text,
  redirect_uris text[] not null check (cardinality(redirect_uris) between 1 and 10),
  scopes text[] not null check (cardinality(scopes) > 0),
  -- When the operator approved the app for the catalogue.
  listed_at timestamptz(3),
  withdrawn_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index apps_user on apps (user_id);
create index apps_listed on apps (name, id) where listed_at is not null and withdrawn_at is null;
grant select, insert, update on apps to comanda_app;

-- An app has several secrets during a rotation. Only hashes are stored.
call create_id_sequence('app_secret_ids');
create table app_secrets (
  app_id bigint not null references apps,
  id bigint not null default nextval('app_secret_ids'),
  hash bytea not null check (length(hash) = 32),
  last_characters text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  primary key (app_id, id)
);
grant select, insert, update on app_secrets to comanda_app;

-- Authorization requests of apps, until the owner decides. Each is decided once.
create table consents (
  hash bytea primary key check (length(hash) = 32),
  app_id bigint not null references apps,
  redirect_uri text not null,
  scopes text[] not null,
  state text,
  code_challenge text not null,
  expires_at timestamptz(3) not null,
  decided_at timestamptz(3),
  created_at timestamptz(3) not null
);
create index consents_expiry on consents (expires_at);
grant select, insert, update on consents to comanda_app;

call create_id_sequence('installation_ids');
create table installations (
  restaurant_id bigint not null references restaurants,
  id bigint not null default nextval('installation_ids'),
  app_id bigint not null references apps,
  scopes text[] not null,
  granted_by text not null,
  granted_at timestamptz(3) not null,
  uninstalled_at timestamptz(3),
  created_at timestamptz(3) not null,
  granted_by_user_id bigint,
  granted_by_email text,
  primary key (restaurant_id, id)
);
create unique index installations_one_at_a_time on installations (restaurant_id, app_id) where uninstalled_at is null;
create index installations_app on installations (app_id) where uninstalled_at is null;
call enable_tenant_rls('installations', 'select, insert, update');

-- Returns the number of venues that installed an app.
create function count_installations(wanted_app bigint) returns integer
  language sql stable security definer set search_path = app, pg_temp as $$
  select count(*)::integer from (select from installations where app_id = wanted_app and uninstalled_at is null limit 100000) venues
$$;

-- Returns the venues of one user and the scopes that one app has there and in the sandboxes, for the consent screen.
create function consent_venues(user_email text, wanted_app bigint)
  returns table (slug text, name jsonb, role text, granted text[], has_reservations boolean, has_reporting boolean,
    has_sandbox boolean, granted_in_sandbox text[])
  language sql stable security definer set search_path = app, pg_temp as $$
  select m.slug, m.name, m.role, i.scopes, p.has_reservations, p.has_reporting, b.id is not null, t.scopes
  from memberships_of(user_email) m join restaurants r on r.id = m.restaurant_id join plans p on p.code = r.plan
  cross join lateral open_sandbox_of(m.restaurant_id) b (id)
  left join installations i on i.restaurant_id = m.restaurant_id and i.app_id = wanted_app and i.uninstalled_at is null
  left join installations t on t.restaurant_id = b.id and t.app_id = wanted_app and t.uninstalled_at is null
  order by m.slug
$$;

create function purge_consents(expired_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp as $$
  with old as (select hash from consents where expires_at < expired_before limit least(row_count, 10000) for update skip locked),
    gone as (delete from consents c using old where c.hash = old.hash returning 1)
  select count(*)::integer from gone
$$;

revoke all on function count_installations, consent_venues, purge_consents from public;
grant execute on function count_installations, consent_venues, purge_consents to comanda_app;
