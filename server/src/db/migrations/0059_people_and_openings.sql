set local search_path = app;

-- Invitations of all venues to one mailbox, so that they are counted together. The rows of the links go with a removed member; these stay
-- for the day that is counted.
call create_id_sequence('invitation_mail_ids');
create table invitation_mails (
  id bigint primary key default nextval('invitation_mail_ids'),
  mailbox text not null check (mailbox = lower(mailbox)),
  queued_at timestamptz(3) not null
);
create index invitation_mails_mailbox on invitation_mails (mailbox, queued_at);
create index invitation_mails_age on invitation_mails (queued_at);
grant select, insert on invitation_mails to comanda_app;

create function purge_invitation_mails(queued_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp as $$
  with old as (select id from invitation_mails where queued_at < queued_before limit least(row_count, 10000) for update skip locked),
    gone as (delete from invitation_mails m using old where m.id = old.id returning 1)
  select count(*)::integer from gone
$$;
revoke all on function purge_invitation_mails from public;
grant execute on function purge_invitation_mails to comanda_app;

-- The venue that an alert is about: a venue can be given the name of another one, or a new name after each mail. Null: the account. An alert
-- is a person's mail: it does not move to another cell with the venue, and is not removed with it.
alter table security_alerts add column about_restaurant_id bigint;

-- When the owners were told that a venue which never was live is removed.
alter table venue_openings add column warned_at timestamptz(3);
create index venue_openings_never_live on venue_openings (opened_at) where live_at is null;

-- Venues that are as they were opened: those that the operator suspended are the operator's to decide about, and so are those that the
-- operator once let take orders. `warned_before` null: those whose owners were not told yet.
create function never_live_venues(opened_before timestamptz, warned_before timestamptz, row_count integer) returns setof bigint
  language sql stable security definer set search_path = app, pg_temp as $$
  select o.restaurant_id from venue_openings o join restaurants r on r.id = o.restaurant_id and r.suspended_at = o.opened_at
  where o.live_at is null and o.opened_at < opened_before
    and case when warned_before is null then o.warned_at is null else o.warned_at < warned_before end
    and not exists (select from venue_moves m where m.restaurant_id = o.restaurant_id)
  order by o.opened_at limit least(row_count, 1000)
$$;

-- Every table that has rows of venues, each after the tables it refers to.
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

-- Deletes the venue of the transaction and its sandbox, if it never was live and its owners were told. False otherwise. It runs with its
-- owner's rights, because the application may not delete orders and entries of the activity log.
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

revoke all on function never_live_venues, remove_never_live_venue from public;
grant execute on function never_live_venues, remove_never_live_venue to comanda_app;
