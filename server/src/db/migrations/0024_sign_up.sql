-- How a person opens a venue in the browser, and what the console shows a person of each venue.
set local search_path = app;

-- Links by which a person may open a venue: an operator's invitation, or one that the person asked for. They belong to no venue. Requests
-- are counted by mailbox, and all of an hour together.
call create_id_sequence('sign_up_ids');
create table sign_ups (
  id bigint primary key default nextval('sign_up_ids'),
  source text not null check (source in ('invited', 'asked')),
  email text not null check (email = lower(email)),
  plan text references plans (code),
  locale text,
  -- Null until the link is made, and where the mail has none because the address has an account.
  hash bytea unique check (length(hash) = 32),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  -- The mailbox of the address, without the part after a plus sign.
  mailbox text
);
create index sign_ups_email on sign_ups (email, created_at);
create index sign_ups_expiry on sign_ups (expires_at);
create index sign_ups_asked_by_mailbox on sign_ups (mailbox, created_at) where source = 'asked';
create index sign_ups_asked on sign_ups (created_at) where source = 'asked';
grant select, insert, update, delete on sign_ups to comanda_app;

create function purge_sign_ups(expired_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp as $$
  with old as (select id from sign_ups where expires_at < expired_before limit least(row_count, 10000) for update skip locked),
    gone as (delete from sign_ups s using old where s.id = old.id returning 1)
  select count(*)::integer from gone
$$;

-- A venue that was opened in the browser. Until it is live it is suspended, since the moment it was opened.
create table venue_openings (
  restaurant_id bigint primary key references restaurants (id),
  opened_at timestamptz(3) not null,
  test_order_id uuid,
  live_at timestamptz(3),
  -- When the owners were warned that a venue which never was live is removed.
  warned_at timestamptz(3),
  foreign key (restaurant_id, test_order_id) references orders (restaurant_id, id)
);
create index venue_openings_test_order on venue_openings (restaurant_id, test_order_id);
create index venue_openings_never_live on venue_openings (opened_at) where live_at is null;
call enable_tenant_rls('venue_openings');

-- Returns venues that are as they were opened. The operator decides about a venue that it suspended, or once let take orders, so both are
-- left out. `warned_before` null: venues whose owners were not warned yet.
create function never_live_venues(opened_before timestamptz, warned_before timestamptz, row_count integer) returns setof bigint
  language sql stable security definer set search_path = app, pg_temp as $$
  select o.restaurant_id from venue_openings o join restaurants r on r.id = o.restaurant_id and r.suspended_at = o.opened_at
  where o.live_at is null and o.opened_at < opened_before
    and case when warned_before is null then o.warned_at is null else o.warned_at < warned_before end
    and not exists (select from venue_moves m where m.restaurant_id = o.restaurant_id)
  order by o.opened_at limit least(row_count, 1000)
$$;

-- Returns every table that has rows of venues, each after the tables it refers to.
create function venue_tables() returns text[] language plpgsql stable as $$
declare
  -- They say where a venue is, and outlive its rows.
  kept constant text[] := array['venue_moves', 'venue_epochs'];
  waiting text[] := array(
    select c.relname::text from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'restaurant_id' and not a.attisdropped
    where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> all (kept));
  ordered text[] := '{}';
  ready text[];
begin
  while cardinality(waiting) > 0 loop
    ready := array(
      select w.name from unnest(waiting) w (name)
      where not exists (
        select from pg_constraint k join pg_class f on f.oid = k.confrelid
        where k.contype = 'f' and k.conrelid = format('app.%I', w.name)::regclass and f.relnamespace = 'app'::regnamespace
          and f.relname = any (waiting) and f.relname <> w.name)
      order by w.name);
    if cardinality(ready) = 0 then
      raise exception 'These tables refer to each other in a circle: %', waiting;
    end if;
    ordered := ordered || ready;
    waiting := array(select w.name from unnest(waiting) w (name) where w.name <> all (ready));
  end loop;
  return ordered;
end $$;

-- Deletes the venue of the transaction and its sandbox, if it never was live and its owners were warned. It returns false otherwise. It
-- runs with its owner's rights, because the application may not delete orders and entries of the activity log.
create function remove_never_live_venue(opened_before timestamptz, warned_before timestamptz) returns boolean
  language plpgsql security definer set search_path = app, pg_temp as $$
declare
  me constant bigint := current_tenant();
  tables constant text[] := venue_tables();
  ids bigint[];
begin
  perform from venue_openings o join restaurants r on r.id = o.restaurant_id and r.suspended_at = o.opened_at and r.kind = 'live'
    where o.restaurant_id = me and o.live_at is null and o.opened_at < opened_before and o.warned_at < warned_before for update;
  if not found then
    return false;
  end if;
  ids := array[me] || array(select s.sandbox_id from sandboxes s where s.restaurant_id = me);
  for place in reverse array_length(tables, 1)..1 loop
    execute format('delete from %I where restaurant_id = any ($1)', tables[place]) using ids;
  end loop;
  delete from restaurants where id = any (ids);
  return true;
end $$;

-- Returns the venues of one e-mail address with what the console asks of the person and shows: whether a second factor is needed, what the
-- plan includes, whether the venue is being opened, its sandbox once it is open and in this cell, and the moment until which sessions give
-- no access.
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

revoke all on function purge_sign_ups, never_live_venues, remove_never_live_venue, console_memberships_of from public;
grant execute on function purge_sign_ups, never_live_venues, remove_never_live_venue, console_memberships_of to comanda_app;
