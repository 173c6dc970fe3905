-- Bearer tokens and the log of their requests.
set local search_path = app;

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
  primary key (restaurant_id, id)
);
-- This unique key does not begin with the tenant, because the id before `|` arrives before the tenant is known.
create unique index tokens_by_id on tokens (id);
call enable_tenant_rls('tokens', 'select, insert, update');
-- last_used_at is updated often and is not indexed. Free space on the page keeps these updates on it (HOT).
alter table tokens set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

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
  primary key (restaurant_id, id),
  foreign key (restaurant_id, token_id) references tokens
);
create index request_log_token on request_log (restaurant_id, token_id, id desc);
call enable_tenant_rls('request_log', 'select, insert');
create index request_log_by_age on request_log (at);
alter table request_log set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.1);
create index request_log_status on request_log (restaurant_id, status, id desc);
create index request_log_token_status on request_log (restaurant_id, token_id, status, id desc);
create index request_log_request_id on request_log (restaurant_id, request_id);

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
call enable_tenant_rls('hourly_token_usage', 'select, insert, update');
create index hourly_token_usage_age on hourly_token_usage (hour);

-- Writes one batch for all venues of the cell. It can only add rows.
create function record_requests(batch jsonb) returns void
  language sql security definer set search_path = app, pg_temp as $$
  insert into request_log (restaurant_id, token_id, at, method, route, status, code, fields, ms, address, client, request_id)
    select r.restaurant_id, r.token_id, r.at, r.method, r.route, r.status, r.code, r.fields, r.ms, r.address, r.client, r.request_id
    from jsonb_to_recordset(batch -> 'requests') as r (restaurant_id bigint, token_id bigint, at timestamptz, method text, route text,
      status integer, code text, fields text[], ms integer, address text, client text, request_id text);
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
