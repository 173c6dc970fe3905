-- Authentication of tokens, and locks that make a revocation wait for running writes.
set local search_path = app;

-- Finds a token by its id over all tenants, because the tenant is not known before.
create function authenticate(token_id bigint) returns table (
  id bigint, kind text, name text, hash bytea, scopes text[], token_rate integer, expires_at timestamptz, revoked_at timestamptz,
  last_used_at timestamptz, installation_id bigint, restaurant_id bigint, slug text, restaurant_kind text, currency text, zone text,
  default_language text, plan text, plan_until timestamptz, suspended_at timestamptz, has_reservations boolean, has_reporting boolean,
  plan_rate integer, is_elsewhere boolean, app_id bigint
) language plpgsql stable security definer rows 1 set search_path = app, pg_temp as $$
begin
  return query
  select t.id, t.kind, t.name, t.hash, t.scopes, t.rate_per_minute, t.expires_at, t.revoked_at, t.last_used_at, t.installation_id,
         r.id, r.slug, r.kind, r.currency, r.zone, r.default_language, r.plan, r.plan_until, r.suspended_at,
         p.has_reservations, p.has_reporting, p.rate_per_minute,
         exists (select from venue_moves m where m.restaurant_id = r.id and m.phase in ('moved', 'arriving')),
         case when t.installation_id is not null then
           (select i.app_id from installations i where i.restaurant_id = t.restaurant_id and i.id = t.installation_id) end
  from tokens t join restaurants r on r.id = t.restaurant_id join plans p on p.code = r.plan
  where t.id = token_id;
end
$$;

-- kind: 'venue', 'app' (all writes of a marketplace app, in every venue) or 'person' (all writes of a user in the console).
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

revoke all on function authenticate, lock_access from public;
grant execute on function authenticate, lock_access to comanda_app;

create trigger tokens_end_access after update of hash, scopes, expires_at, revoked_at on tokens for each row
  when (old.revoked_at is null and (old.hash, old.scopes, old.expires_at, old.revoked_at)
    is distinct from (new.hash, new.scopes, new.expires_at, new.revoked_at))
  execute function lock_ended_access('venue', 'restaurant_id');

create trigger restaurants_end_access after update of plan, plan_until, suspended_at on restaurants for each row
  when ((old.plan, old.plan_until, old.suspended_at) is distinct from (new.plan, new.plan_until, new.suspended_at))
  execute function lock_ended_access('venue', 'id');

create trigger staff_change_ends_access after update of email, role on staff for each row
  when ((old.email, old.role) is distinct from (new.email, new.role))
  execute function lock_ended_access('venue', 'restaurant_id');

create trigger staff_removal_ends_access after delete on staff for each row
  execute function lock_ended_access('venue', 'restaurant_id');

-- Purging an expired session ends no access.
create trigger sessions_end_access after delete on sessions for each row
  when (old.expires_at > now())
  execute function lock_ended_access('person', 'user_id');

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

revoke all on function withdraw_app from public;
grant execute on function withdraw_app to comanda_app;
