-- A venue on its way from one cell to another.
set local search_path = app;

-- One row while a venue leaves or arrives, and for ever in the cell that it has left. It belongs to the cell, not to the venue: it
-- is not copied, and has to be there before the venue's own row is.
-- copying: nothing is different yet. draining: no new job is begun. paused: nothing is written until paused_until, whatever
-- becomes of the command. moved: it lives in other_cell. arriving: it is not yet here.
create table moves (
  restaurant_id bigint primary key,
  phase text not null check (phase in ('copying', 'draining', 'paused', 'moved', 'arriving')),
  other_cell integer not null check (other_cell between 0 and 1023),
  paused_until timestamptz(3) check ((phase = 'paused') = (paused_until is not null)),
  updated_at timestamptz(3) not null default clock_timestamp()
);
grant select on moves to comanda_app;

-- First thing in every transaction of a venue, held to its end: a move that is about to pause the venue waits for those inside, and
-- whoever comes later sees the pause. 57P03 is PostgreSQL's own "cannot connect now".
create function enter_venue(venue bigint) returns void language plpgsql as $$
declare
  found_phase text;
  found_cell integer;
begin
  if venue = 0 then
    return;
  end if;
  perform pg_advisory_xact_lock_shared(hashtextextended('venue ' || venue, 0));
  select m.phase, m.other_cell into found_phase, found_cell from app.moves m where m.restaurant_id = venue
    and (m.phase in ('moved', 'arriving') or m.paused_until > clock_timestamp());
  if found_phase is not null then
    raise exception using errcode = '57P03', message = case found_phase
      when 'moved' then format('The venue %s has moved to cell %s', venue, found_cell)
      else format('The venue %s is moving: nothing can be written for a moment', venue) end;
  end if;
end $$;
revoke all on function enter_venue from public;
grant execute on function enter_venue to comanda_app;

drop function authenticate(bigint);
create function authenticate(token_id bigint) returns table (
  id bigint, kind text, name text, hash bytea, scopes text[], token_rate integer, expires_at timestamptz, revoked_at timestamptz,
  last_used_at timestamptz, installation_id bigint, restaurant_id bigint, slug text, restaurant_kind text, currency text, zone text,
  default_language text, plan text, plan_until timestamptz, suspended_at timestamptz, has_reservations boolean, has_reporting boolean,
  plan_rate integer, is_elsewhere boolean
) language sql stable security definer set search_path = app, pg_temp as $$
  select t.id, t.kind, t.name, t.hash, t.scopes, t.rate_per_minute, t.expires_at, t.revoked_at, t.last_used_at, t.installation_id,
         r.id, r.slug, r.kind, r.currency, r.zone, r.default_language, r.plan, r.plan_until, r.suspended_at,
         p.has_reservations, p.has_reporting, p.rate_per_minute,
         exists (select from moves m where m.restaurant_id = r.id and m.phase in ('moved', 'arriving'))
  from tokens t join restaurants r on r.id = t.restaurant_id join plans p on p.code = r.plan
  where t.id = token_id
$$;
revoke all on function authenticate from public;
grant execute on function authenticate to comanda_app;

create or replace function directory(after_slug text, row_count integer) returns table (restaurant_id bigint, slug text)
  language sql stable security definer set search_path = app, pg_temp as $$
  select id, slug from restaurants r where kind = 'live' and slug > after_slug
    and not exists (select from moves m where m.restaurant_id = r.id and m.phase in ('moved', 'arriving'))
  order by slug limit least(row_count, 1000)
$$;

create or replace function memberships(person_email text)
  returns table (restaurant_id bigint, slug text, name jsonb, staff_id bigint, staff_name text, role text)
  language sql stable security definer set search_path = app, pg_temp as $$
  select r.id, r.slug, r.name, s.id, s.name, s.role from staff s join restaurants r on r.id = s.restaurant_id
  where s.email = lower(person_email) and r.kind = 'live'
    and not exists (select from moves m where m.restaurant_id = r.id and m.phase in ('moved', 'arriving'))
  order by r.slug limit 1000
$$;
