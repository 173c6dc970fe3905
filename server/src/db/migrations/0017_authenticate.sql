-- Asked with every request. Before version 18 PostgreSQL plans a function written in SQL anew at every call, and one in
-- PL/pgSQL once for each connection: on 15 that is four times as fast.
set local search_path = app;

create or replace function authenticate(token_id bigint) returns table (
  id bigint, kind text, name text, hash bytea, scopes text[], token_rate integer, expires_at timestamptz, revoked_at timestamptz,
  last_used_at timestamptz, installation_id bigint, restaurant_id bigint, slug text, restaurant_kind text, currency text, zone text,
  default_language text, plan text, plan_until timestamptz, suspended_at timestamptz, has_reservations boolean, has_reporting boolean,
  plan_rate integer, is_elsewhere boolean
) language plpgsql stable security definer rows 1 set search_path = app, pg_temp as $$
begin
  return query
  select t.id, t.kind, t.name, t.hash, t.scopes, t.rate_per_minute, t.expires_at, t.revoked_at, t.last_used_at, t.installation_id,
         r.id, r.slug, r.kind, r.currency, r.zone, r.default_language, r.plan, r.plan_until, r.suspended_at,
         p.has_reservations, p.has_reporting, p.rate_per_minute,
         exists (select from moves m where m.restaurant_id = r.id and m.phase in ('moved', 'arriving'))
  from tokens t join restaurants r on r.id = t.restaurant_id join plans p on p.code = r.plan
  where t.id = token_id;
end
$$;
