-- Whoever ends an installation, or changes what it may do, locks the installation first and what hangs on it afterwards.
set local search_path = app;

-- An app that is withdrawn is out of every venue at once.
create or replace function withdraw_app(wanted_app bigint, at timestamptz) returns integer
  language plpgsql security definer set search_path = app, pg_temp as $$
declare ended integer;
begin
  update apps set withdrawn_at = at, updated_at = at where id = wanted_app and withdrawn_at is null;
  perform from installations where app_id = wanted_app and uninstalled_at is null order by restaurant_id, id for no key update;
  update grants set ended_at = at where app_id = wanted_app and ended_at is null;
  update tokens t set revoked_at = at from installations i
    where i.app_id = wanted_app and i.uninstalled_at is null
      and t.restaurant_id = i.restaurant_id and t.installation_id = i.id and t.revoked_at is null;
  update installations set uninstalled_at = at where app_id = wanted_app and uninstalled_at is null;
  get diagnostics ended = row_count;
  return ended;
end $$;
