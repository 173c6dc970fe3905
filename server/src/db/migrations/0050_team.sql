set local search_path = app;

-- When the person last used this venue in the console. Null: never, so the invitation was not accepted.
alter table staff add column seen_at timestamptz(3);

update staff s set seen_at = coalesce((select max(e.last_seen_at) from sessions e where e.user_id = p.id), s.created_at)
from users p where p.email = s.email and p.password_hash is not null;

-- The venues that a session was used in. Their owners see it and can end it; owners of the person's other venues cannot.
alter table sessions add column venue_ids bigint[] not null default '{}';

-- Owners and managers of the venue must have a second factor.
alter table restaurants add column needs_second_factor boolean not null default false;
grant update (needs_second_factor) on restaurants to comanda_app;

create trigger restaurants_factor_ends_access after update of needs_second_factor on restaurants
  for each row when (new.needs_second_factor and not old.needs_second_factor) execute function lock_ended_access('venue', 'id');

-- memberships_of with what the venue asks of the person. The older one stays for processes that were started before.
create function console_memberships_of(user_email text)
  returns table (restaurant_id bigint, slug text, name jsonb, staff_id bigint, staff_name text, role text, seen_at timestamptz,
    needs_second_factor boolean)
  language sql stable security definer set search_path = app, pg_temp as $$
  select r.id, r.slug, r.name, s.id, s.name, s.role, s.seen_at, r.needs_second_factor and s.role <> 'staff'
  from staff s join restaurants r on r.id = s.restaurant_id
  where s.email = lower(user_email) and r.kind = 'live'
    and not exists (select from venue_moves m where m.restaurant_id = r.id and m.phase in ('moved', 'arriving'))
  order by r.slug limit 1000
$$;
revoke all on function console_memberships_of from public;
grant execute on function console_memberships_of to comanda_app;
