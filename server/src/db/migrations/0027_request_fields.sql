-- The log of requests names the fields that a request was refused for.
set local search_path = app;

alter table requests add column fields text[];

-- As before, with the fields. A process of the version before sends none, which is null here.
create or replace function note_requests(batch jsonb) returns void
  language sql security definer set search_path = app, pg_temp as $$
  insert into requests (restaurant_id, token_id, at, method, route, status, code, fields, ms, address, client, request_id)
    select r.restaurant_id, r.token_id, r.at, r.method, r.route, r.status, r.code, r.fields, r.ms, r.address, r.client, r.request_id
    from jsonb_to_recordset(batch -> 'requests') as r (restaurant_id bigint, token_id bigint, at timestamptz, method text, route text,
      status integer, code text, fields text[], ms integer, address text, client text, request_id text);
  insert into token_hours (restaurant_id, token_id, hour, requests, errors, limited)
    select h.restaurant_id, h.token_id, h.hour, h.requests, h.errors, h.limited
    from jsonb_to_recordset(batch -> 'hours') as h (restaurant_id bigint, token_id bigint, hour timestamptz, requests integer,
      errors integer, limited integer)
    order by h.restaurant_id, h.token_id, h.hour
  on conflict (restaurant_id, token_id, hour) do update set requests = token_hours.requests + excluded.requests,
    errors = token_hours.errors + excluded.errors, limited = token_hours.limited + excluded.limited;
$$;
