set local search_path = app;

-- Null while the sandbox is not open. Only the functions below call it.
create function open_sandbox_of(live_id bigint) returns bigint
  language sql stable set search_path = app, pg_temp as $$
  select b.sandbox_id from sandboxes b join restaurants r on r.id = b.sandbox_id and r.kind = 'sandbox'
  where b.restaurant_id = live_id
    and not exists (select from venue_moves m where m.restaurant_id = b.sandbox_id and m.phase in ('moved', 'arriving'))
$$;
revoke all on function open_sandbox_of from public;

-- With the venue's sandbox, once it is open and in this cell. Processes that were started before name their columns, so they do not notice.
drop function console_memberships_of(text);
create function console_memberships_of(user_email text)
  returns table (restaurant_id bigint, slug text, name jsonb, staff_id bigint, staff_name text, role text, seen_at timestamptz,
    needs_second_factor boolean, has_reservations boolean, has_reporting boolean, is_opening boolean, sandbox_id bigint)
  language sql stable security definer set search_path = app, pg_temp as $$
  select r.id, r.slug, r.name, s.id, s.name, s.role, s.seen_at, r.needs_second_factor and s.role <> 'staff',
    coalesce(p.has_reservations, false), coalesce(p.has_reporting, false),
    o.restaurant_id is not null and o.live_at is null, open_sandbox_of(r.id)
  from staff s join restaurants r on r.id = s.restaurant_id left join plans p on p.code = r.plan
    left join venue_openings o on o.restaurant_id = r.id
  where s.email = lower(user_email) and r.kind = 'live'
    and not exists (select from venue_moves m where m.restaurant_id = r.id and m.phase in ('moved', 'arriving'))
  -- An owner may invite a person to any number of venues: those that the person has used come first.
  order by s.seen_at is null, r.slug limit 1000
$$;
revoke all on function console_memberships_of from public;
grant execute on function console_memberships_of to comanda_app;

-- An app may be allowed in the sandbox too.
drop function consent_venues(text, bigint);
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
revoke all on function consent_venues from public;
grant execute on function consent_venues to comanda_app;
