set local search_path = app;

-- When the person said yes. Null: invited only, which gives no access. An invitation ends at `invited_until`, or when it is declined; the row
-- stays, so that the venue sees what became of it. `invited_by` is the e-mail address of the person who invited.
alter table staff add column accepted_at timestamptz(3);
alter table staff add column declined_at timestamptz(3);
alter table staff add column invited_until timestamptz(3);
alter table staff add column invited_by text check (invited_by = lower(invited_by));
-- An owner ended the sessions of this person in this venue: those that were opened until then give no access to it.
alter table staff add column sessions_ended_at timestamptz(3);

update staff set accepted_at = seen_at where seen_at is not null;
-- Access was given without a yes. Who never used it is asked now.
update staff set invited_until = now() + interval '7 days' where seen_at is null;

-- Who is invited only has no access that could end.
create or replace trigger staff_change_ends_access after update of email, role on staff for each row
  when (old.accepted_at is not null and (old.email is distinct from new.email or old.role is distinct from new.role))
  execute function lock_ended_access('venue', 'restaurant_id');
create or replace trigger staff_removal_ends_access after delete on staff for each row
  when (old.accepted_at is not null) execute function lock_ended_access('venue', 'restaurant_id');

create or replace function memberships_of(user_email text)
  returns table (restaurant_id bigint, slug text, name jsonb, staff_id bigint, staff_name text, role text)
  language sql stable security definer set search_path = app, pg_temp as $$
  select r.id, r.slug, r.name, s.id, s.name, s.role from staff s join restaurants r on r.id = s.restaurant_id
  where s.email = lower(user_email) and s.accepted_at is not null and r.kind = 'live'
    and not exists (select from venue_moves m where m.restaurant_id = r.id and m.phase in ('moved', 'arriving'))
  order by r.slug limit 1000
$$;

create or replace function invitation_languages(user_email text) returns table (invited text, venue text)
  language sql stable security definer set search_path = app, pg_temp as $$
  select s.locale, r.default_language from staff s join restaurants r on r.id = s.restaurant_id
  where s.email = lower(user_email) and s.accepted_at is not null and r.kind = 'live'
    and not exists (select from venue_moves m where m.restaurant_id = r.id and m.phase in ('moved', 'arriving'))
  order by r.slug limit 1
$$;

-- With the moment until which sessions give no access. Processes that were started before name their columns, so they do not notice.
drop function console_memberships_of(text);
create function console_memberships_of(user_email text)
  returns table (restaurant_id bigint, slug text, name jsonb, staff_id bigint, staff_name text, role text, seen_at timestamptz,
    needs_second_factor boolean, has_reservations boolean, has_reporting boolean, is_opening boolean, sandbox_id bigint,
    sessions_ended_at timestamptz)
  language sql stable security definer set search_path = app, pg_temp as $$
  select r.id, r.slug, r.name, s.id, s.name, s.role, s.seen_at, r.needs_second_factor and s.role <> 'staff',
    coalesce(p.has_reservations, false), coalesce(p.has_reporting, false),
    o.restaurant_id is not null and o.live_at is null, open_sandbox_of(r.id), s.sessions_ended_at
  from staff s join restaurants r on r.id = s.restaurant_id left join plans p on p.code = r.plan
    left join venue_openings o on o.restaurant_id = r.id
  where s.email = lower(user_email) and s.accepted_at is not null and r.kind = 'live'
    and not exists (select from venue_moves m where m.restaurant_id = r.id and m.phase in ('moved', 'arriving'))
  order by s.seen_at is null, r.slug limit 1000
$$;
revoke all on function console_memberships_of from public;
grant execute on function console_memberships_of to comanda_app;

-- The invitations of one e-mail address that were not accepted, those that are open first. It reads over all tenants, by this address only.
create function invitations_of(user_email text, at timestamptz)
  returns table (restaurant_id bigint, slug text, name jsonb, staff_name text, role text, invited_by text, invited_at timestamptz,
    invited_until timestamptz, is_open boolean)
  language sql stable security definer set search_path = app, pg_temp as $$
  select r.id, r.slug, r.name, s.name, s.role, p.name, s.created_at, ends.at, s.declined_at is null and ends.at > invitations_of.at
  from staff s join restaurants r on r.id = s.restaurant_id left join users p on p.email = s.invited_by
    -- Processes that were started before write no end.
    cross join lateral (select coalesce(s.invited_until, s.created_at + interval '7 days')) ends (at)
  where s.email = lower(user_email) and s.accepted_at is null and r.kind = 'live'
    and not exists (select from venue_moves m where m.restaurant_id = r.id and m.phase in ('moved', 'arriving'))
  order by 9 desc, ends.at desc, r.slug limit 1000
$$;
revoke all on function invitations_of from public;
grant execute on function invitations_of to comanda_app;
