set local search_path = app;

-- The weekday on which weeks of shifts begin. It was a member `week_start` of the document `shifts`, a word that also names the first day of
-- one week. Processes of the version before read the document, so a later migration drops it.
alter table settings add column first_weekday text not null default 'monday' check (first_weekday in ('saturday', 'sunday', 'monday'));
update settings set first_weekday = shifts ->> 'week_start' where shifts ->> 'week_start' <> 'monday';
comment on column settings.shifts is 'replaced by first_weekday; a later migration drops it';

-- What a mail is about, such as one week of shifts of one branch: a newer mail about it replaces one that is still queued.
alter table notifications add column topic text;

-- How many shifts of each person are to come.
create index shifts_person on shifts (restaurant_id, staff_id, starts_at) where deleted_at is null;
alter index shifts_told rename to shifts_published;

-- A shift that was removed, and of which people know nothing: it was a draft, or its removal is published. It can be put back for a day.
create index shifts_removed on shifts (deleted_at) where deleted_at is not null and published_staff_id is null;

create function purge_removed_shifts(removed_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
  with old as (
    select ctid as place from shifts where deleted_at is not null and published_staff_id is null and deleted_at < removed_before
    order by deleted_at limit least(row_count, 10000) for update skip locked
  ), gone as (delete from shifts where ctid = any(array(select place from old)) returning 1)
  select count(*)::integer from gone
$$;
revoke all on function purge_removed_shifts from public;
grant execute on function purge_removed_shifts to comanda_app;
