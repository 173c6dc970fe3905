-- Apps of the marketplace, and what each venue lets them do. The registry belongs to no tenant; installations do.
set local search_path = app;

call create_ids('app_ids');
create table apps (
  id bigint primary key default nextval('app_ids'),
  client_id text not null unique,
  -- Who looks after it in the console; null: the operator alone.
  person_id bigint references people,
  name text not null,
  developer text not null,
  summary text not null,
  site text not null,
  -- Where a venue begins to install it: a page of the app, because the flow starts there. Null: not in the catalogue.
  install_url text,
  logo text,
  redirect_uris text[] not null check (cardinality(redirect_uris) between 1 and 10),
  scopes text[] not null check (cardinality(scopes) > 0),
  -- Looked at by the operator, and shown in the catalogue since.
  listed_at timestamptz(3),
  withdrawn_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index apps_person on apps (person_id);
create index apps_listed on apps (name, id) where listed_at is not null and withdrawn_at is null;
grant select, insert, update on apps to comanda_app;

-- Several at a time while one takes the place of another. Known by hashes; the text was shown once.
call create_ids('app_secret_ids');
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

-- What an app asked for at /oauth/authorize, word for word, until somebody decides about it: once.
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

call create_ids('installation_ids');
create table installations (
  restaurant_id bigint not null references restaurants,
  id bigint not null default nextval('installation_ids'),
  app_id bigint not null references apps,
  scopes text[] not null,
  granted_by text not null,
  granted_at timestamptz(3) not null,
  uninstalled_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (restaurant_id, id)
);
create unique index installations_one_at_a_time on installations (restaurant_id, app_id) where uninstalled_at is null;
create index installations_app on installations (app_id) where uninstalled_at is null;
call protect('installations', 'select, insert, update');

-- An app's token is one row for the whole life of a grant: a refresh puts a new secret into it, so nothing piles up.
alter table tokens add column installation_id bigint;
alter table tokens add foreign key (restaurant_id, installation_id) references installations;
alter table tokens add check ((kind = 'oauth') = (installation_id is not null));
create index tokens_installation on tokens (restaurant_id, installation_id) where installation_id is not null;

-- One consent, one code, one family of tokens.
call create_ids('grant_ids');
create table grants (
  restaurant_id bigint not null,
  id bigint not null default nextval('grant_ids'),
  installation_id bigint not null,
  app_id bigint not null references apps,
  scopes text[] not null,
  redirect_uri text not null,
  code_challenge text not null,
  code_hash bytea not null check (length(code_hash) = 32),
  code_expires_at timestamptz(3) not null,
  code_used_at timestamptz(3),
  -- Set with the first exchange.
  token_id bigint,
  refresh_hash bytea check (length(refresh_hash) = 32),
  refresh_expires_at timestamptz(3),
  -- How often the refresh token was replaced, and when, as far as a late retry may still be excused.
  generation integer not null default 0,
  recent_rotations timestamptz(3)[] not null default '{}',
  ended_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (restaurant_id, id),
  foreign key (restaurant_id, installation_id) references installations,
  foreign key (restaurant_id, token_id) references tokens,
  check ((code_used_at is null) = (token_id is null)),
  check ((token_id is null) = (refresh_hash is null))
) with (fillfactor = 80);
-- Like a token's, a grant's id arrives before its tenant is known.
create unique index grants_by_id on grants (id);
create index grants_installation on grants (restaurant_id, installation_id);
create index grants_unused on grants (code_expires_at) where code_used_at is null;
create index grants_app on grants (app_id) where ended_at is null;
call protect('grants', 'select, insert, update');

create function restaurant_of_grant(grant_id bigint) returns bigint
  language sql stable security definer set search_path = app, pg_temp as $$
  select restaurant_id from grants where id = grant_id
$$;

-- How many venues have it: a number, no names.
create function count_installations(wanted_app bigint) returns integer
  language sql stable security definer set search_path = app, pg_temp as $$
  select count(*)::integer from (select from installations where app_id = wanted_app and uninstalled_at is null limit 100000) venues
$$;

-- An app that is withdrawn is out of every venue at once.
create function withdraw_app(wanted_app bigint, at timestamptz) returns integer
  language plpgsql security definer set search_path = app, pg_temp as $$
declare ended integer;
begin
  update apps set withdrawn_at = at, updated_at = at where id = wanted_app and withdrawn_at is null;
  update grants set ended_at = at where app_id = wanted_app and ended_at is null;
  update tokens t set revoked_at = at from installations i
    where i.app_id = wanted_app and i.uninstalled_at is null
      and t.restaurant_id = i.restaurant_id and t.installation_id = i.id and t.revoked_at is null;
  update installations set uninstalled_at = at where app_id = wanted_app and uninstalled_at is null;
  get diagnostics ended = row_count;
  return ended;
end $$;

create function forget_consents(expired_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp as $$
  with old as (select hash from consents where expires_at < expired_before limit least(row_count, 10000) for update skip locked),
    gone as (delete from consents c using old where c.hash = old.hash returning 1)
  select count(*)::integer from gone
$$;

-- Codes that nobody came for. A grant whose code was used stays, ended or not: it is how a stolen code is noticed.
create function forget_grants(expired_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp as $$
  with old as (select restaurant_id, id from grants where code_used_at is null and code_expires_at < expired_before
      limit least(row_count, 10000) for update skip locked),
    gone as (delete from grants g using old where g.restaurant_id = old.restaurant_id and g.id = old.id returning 1)
  select count(*)::integer from gone
$$;

drop function authenticate(bigint);
create function authenticate(token_id bigint) returns table (
  id bigint, kind text, name text, hash bytea, scopes text[], token_rate integer, expires_at timestamptz, revoked_at timestamptz,
  last_used_at timestamptz, installation_id bigint, restaurant_id bigint, slug text, restaurant_kind text, currency text, zone text,
  default_language text, plan text, plan_until timestamptz, suspended_at timestamptz, has_reservations boolean, has_reporting boolean,
  plan_rate integer
) language sql stable security definer set search_path = app, pg_temp as $$
  select t.id, t.kind, t.name, t.hash, t.scopes, t.rate_per_minute, t.expires_at, t.revoked_at, t.last_used_at, t.installation_id,
         r.id, r.slug, r.kind, r.currency, r.zone, r.default_language, r.plan, r.plan_until, r.suspended_at,
         p.has_reservations, p.has_reporting, p.rate_per_minute
  from tokens t join restaurants r on r.id = t.restaurant_id join plans p on p.code = r.plan
  where t.id = token_id
$$;

revoke all on function authenticate, restaurant_of_grant, count_installations, withdraw_app, forget_consents, forget_grants from public;
grant execute on function authenticate, restaurant_of_grant, count_installations, withdraw_app, forget_consents, forget_grants to comanda_app;

-- The venues of one person, and what one app may do there already: what the consent screen asks about.
create function consent_venues(person_email text, wanted_app bigint)
  returns table (slug text, name jsonb, role text, granted text[], has_reservations boolean, has_reporting boolean)
  language sql stable security definer set search_path = app, pg_temp as $$
  select m.slug, m.name, m.role, i.scopes, p.has_reservations, p.has_reporting
  from memberships(person_email) m join restaurants r on r.id = m.restaurant_id join plans p on p.code = r.plan
  left join installations i on i.restaurant_id = m.restaurant_id and i.app_id = wanted_app and i.uninstalled_at is null
  order by m.slug
$$;
revoke all on function consent_venues from public;
grant execute on function consent_venues to comanda_app;
