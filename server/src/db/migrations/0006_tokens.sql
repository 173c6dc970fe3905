-- Bearer tokens, the grants of apps that tokens come from, and the log of requests.
set local search_path = app;

-- `last_used_at` is updated often and is not indexed. Free space on the page keeps these updates on it (HOT).
call create_id_sequence('token_ids');
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
  installation_id bigint,
  created_by_user_id bigint,
  created_by_email text,
  check ((kind = 'oauth') = (installation_id is not null)),
  primary key (restaurant_id, id),
  foreign key (restaurant_id, installation_id) references installations
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
-- This unique key does not begin with the tenant, because the id before `|` arrives before the tenant is known.
create unique index tokens_by_id on tokens (id);
create index tokens_installation on tokens (restaurant_id, installation_id) where installation_id is not null;
call enable_tenant_rls('tokens', 'select, insert, update');

create trigger tokens_end_access after update of hash, scopes, expires_at, revoked_at on tokens for each row
  when (old.revoked_at is null and (old.hash, old.scopes, old.expires_at, old.revoked_at)
    is distinct from (new.hash, new.scopes, new.expires_at, new.revoked_at))
  execute function lock_ended_access('venue', 'restaurant_id');

-- Finds a token by its id over all tenants, because the tenant is not known before. The clock of the sandbox, and whether a fault of its
-- answers may be due, are part of what a token is checked by, so that each process learns of a change with its next request.
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

-- One consent gives one code and one chain of tokens.
call create_id_sequence('grant_ids');
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
  -- The first exchange of the code sets the token.
  token_id bigint,
  refresh_hash bytea check (length(refresh_hash) = 32),
  refresh_expires_at timestamptz(3),
  -- The number of refresh-token rotations, and the times of recent ones, within which a retry is accepted.
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
-- A grant's id arrives before its tenant is known, like a token's.
create unique index grants_by_id on grants (id);
create index grants_installation on grants (restaurant_id, installation_id);
create index grants_unused on grants (code_expires_at) where code_used_at is null;
create index grants_app on grants (app_id) where ended_at is null;
call enable_tenant_rls('grants', 'select, insert, update');

create function restaurant_id_by_grant(grant_id bigint) returns bigint
  language sql stable security definer set search_path = app, pg_temp as $$
  select restaurant_id from grants where id = grant_id
$$;

-- Deletes grants whose code was never used. Grants with a used code stay, because a second use of the code reveals theft.
create function purge_grants(expired_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp as $$
  with old as (select restaurant_id, id from grants where code_used_at is null and code_expires_at < expired_before
      limit least(row_count, 10000) for update skip locked),
    gone as (delete from grants g using old where g.restaurant_id = old.restaurant_id and g.id = old.id returning 1)
  select count(*)::integer from gone
$$;

-- An app may be installed in more venues than one transaction can lock. Its writes also hold the app's lock, so one lock is enough.
create function withdraw_app(wanted_app bigint, at timestamptz) returns integer
  language plpgsql security definer set search_path = app, pg_temp as $$
declare ended integer;
begin
  perform lock_access('app', wanted_app, true);
  perform set_config('app.access_is_locked', 'on', true);
  update apps set withdrawn_at = at, updated_at = at where id = wanted_app and withdrawn_at is null;
  perform from installations where app_id = wanted_app and uninstalled_at is null order by restaurant_id, id for no key update;
  update grants set ended_at = at where app_id = wanted_app and ended_at is null;
  update tokens t set revoked_at = at from installations i
    where i.app_id = wanted_app and i.uninstalled_at is null
      and t.restaurant_id = i.restaurant_id and t.installation_id = i.id and t.revoked_at is null;
  update installations set uninstalled_at = at where app_id = wanted_app and uninstalled_at is null;
  get diagnostics ended = row_count;
  perform set_config('app.access_is_locked', '', true);
  return ended;
end $$;

revoke all on function authenticate, restaurant_id_by_grant, purge_grants, withdraw_app from public;
grant execute on function authenticate, restaurant_id_by_grant, purge_grants, withdraw_app to comanda_app;

-- The requests of each token and their number per hour. They are written in batches after the response.
call create_id_sequence('request_log_ids');
create table request_log (
  restaurant_id bigint not null,
  id bigint not null default nextval('request_log_ids'),
  token_id bigint not null,
  at timestamptz(3) not null,
  method text not null,
  -- The path as in the contract. Ids and query strings are not stored.
  route text not null,
  status integer not null,
  code text,
  ms integer not null,
  address text not null,
  client text,
  request_id text not null,
  fields text[],
  -- Why the request was refused: [{field, reason, params}]. Null: it was not, or its code is the reason.
  reasons jsonb,
  primary key (restaurant_id, id),
  foreign key (restaurant_id, token_id) references tokens
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.1);
create index request_log_token on request_log (restaurant_id, token_id, id desc);
create index request_log_by_age on request_log (at);
create index request_log_status on request_log (restaurant_id, status, id desc);
create index request_log_token_status on request_log (restaurant_id, token_id, status, id desc);
create index request_log_request_id on request_log (restaurant_id, request_id);
call enable_tenant_rls('request_log', 'select, insert');

create table hourly_token_usage (
  restaurant_id bigint not null,
  token_id bigint not null,
  hour timestamptz(3) not null,
  requests integer not null,
  errors integer not null,
  limited integer not null,
  primary key (restaurant_id, token_id, hour),
  foreign key (restaurant_id, token_id) references tokens
) with (fillfactor = 70);
create index hourly_token_usage_age on hourly_token_usage (hour);
call enable_tenant_rls('hourly_token_usage', 'select, insert, update');

-- Writes one batch for all venues of the cell. It can only add rows.
create function record_requests(batch jsonb) returns void
  language sql security definer set search_path = app, pg_temp as $$
  insert into request_log (restaurant_id, token_id, at, method, route, status, code, fields, reasons, ms, address, client, request_id)
    select r.restaurant_id, r.token_id, r.at, r.method, r.route, r.status, r.code, r.fields, r.reasons, r.ms, r.address, r.client, r.request_id
    from jsonb_to_recordset(batch -> 'requests') as r (restaurant_id bigint, token_id bigint, at timestamptz, method text, route text,
      status integer, code text, fields text[], reasons jsonb, ms integer, address text, client text, request_id text);
  insert into hourly_token_usage (restaurant_id, token_id, hour, requests, errors, limited)
    select h.restaurant_id, h.token_id, h.hour, h.requests, h.errors, h.limited
    from jsonb_to_recordset(batch -> 'hours') as h (restaurant_id bigint, token_id bigint, hour timestamptz, requests integer,
      errors integer, limited integer)
    order by h.restaurant_id, h.token_id, h.hour
  on conflict (restaurant_id, token_id, hour) do update set requests = hourly_token_usage.requests + excluded.requests,
    errors = hourly_token_usage.errors + excluded.errors, limited = hourly_token_usage.limited + excluded.limited;
$$;

create function purge_request_log(made_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
  with old as (select ctid as place from request_log where at < made_before order by at limit least(row_count, 10000) for update skip locked),
    gone as (delete from request_log where ctid = any(array(select place from old)) returning 1)
  select count(*)::integer from gone
$$;

create function purge_hourly_token_usage(noted_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
  with old as (select ctid as place from hourly_token_usage where hour < noted_before order by hour limit least(row_count, 10000) for update skip locked),
    gone as (delete from hourly_token_usage where ctid = any(array(select place from old)) returning 1)
  select count(*)::integer from gone
$$;

revoke all on function record_requests, purge_request_log, purge_hourly_token_usage from public;
grant execute on function record_requests, purge_request_log, purge_hourly_token_usage to comanda_app;
