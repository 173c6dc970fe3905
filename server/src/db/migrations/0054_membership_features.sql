set local search_path = app;

-- With what the venue's plan includes: the console shows no page of a feature that it lacks. And with whether the venue was opened in the
-- browser and is not live yet. Processes that were started before name
-- their columns, so they do not notice the new ones.
drop function console_memberships_of(text);
create function console_memberships_of(user_email text)
  returns table (restaurant_id bigint, slug text, name jsonb, staff_id bigint, staff_name text, role text, seen_at timestamptz,
    needs_second_factor boolean, has_reservations boolean, has_reporting boolean, is_opening boolean)
  language sql stable security definer set search_path = app, pg_temp as $$
  select r.id, r.slug, r.name, s.id, s.name, s.role, s.seen_at, r.needs_second_factor and s.role <> 'staff',
    coalesce(p.has_reservations, false), coalesce(p.has_reporting, false),
    o.restaurant_id is not null and o.live_at is null
  from staff s join restaurants r on r.id = s.restaurant_id left join plans p on p.code = r.plan
    left join venue_openings o on o.restaurant_id = r.id
  where s.email = lower(user_email) and r.kind = 'live'
    and not exists (select from venue_moves m where m.restaurant_id = r.id and m.phase in ('moved', 'arriving'))
  -- An owner may invite a person to any number of venues: those that the person has used come first.
  order by s.seen_at is null, r.slug limit 1000
$$;
revoke all on function console_memberships_of from public;
grant execute on function console_memberships_of to comanda_app;
