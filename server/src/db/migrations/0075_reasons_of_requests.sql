set local search_path = app;

-- Why a request was refused: [{field, reason, params}]. Null: it was not, or its code is the reason.
alter table request_log add column reasons jsonb;

create or replace function record_requests(batch jsonb) returns void
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
