-- The numbered changes of a venue, for pages that show its present state.
set local search_path = app;

-- The number of the venue's last committed change. The transaction that takes the next number holds this row until its commit, which
-- follows at once: numbers are in commit order and without gaps. Few rows share a page, so that updates stay on it.
create table change_counters (
  restaurant_id bigint primary key references restaurants,
  number bigint not null check (number > 0)
) with (fillfactor = 20);
call enable_tenant_rls('change_counters', 'select, insert, update');

-- What changed in a commit: one row for each subject and each event.
create table changes (
  restaurant_id bigint not null references restaurants,
  number bigint not null,
  position integer not null,
  area text not null,
  subject text not null,
  event_id uuid,
  at timestamptz(3) not null,
  primary key (restaurant_id, number, position)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
create index changes_age on changes (at);
create index changes_without_event_age on changes (at) where event_id is null;
create index changes_events on changes (restaurant_id, subject, area) include (event_id) where event_id is not null;
call enable_tenant_rls('changes', 'select, insert');

-- A change with an event is kept 28 days longer than one without, as long as the event itself.
create function purge_changes(noted_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
  with old as (
    (select ctid as place from changes where event_id is null and at < noted_before
      order by at limit least(row_count, 10000) for update skip locked)
  ), older as (
    (select ctid as place from changes where event_id is not null and at < noted_before - interval '28 days'
      order by at limit least(row_count, 10000) - (select count(*) from old) for update skip locked)
  ), gone as (
    delete from changes where ctid = any(array(select place from old union all select place from older)) returning 1
  )
  select count(*)::integer from gone
$$;

-- Returns for each venue its last number, and the areas that changed after the number that the caller knows; null when too much changed to
-- list. A restored database and a moved venue have another epoch, because their numbers may repeat. Deliveries and requests are not
-- numbered: their marks change with each delivery, attempt and request.
create function change_marks(venues bigint[], known_numbers bigint[])
  returns table (restaurant_id bigint, epoch text, number bigint, areas text[], deliveries text, requests text)
  language sql stable security definer set search_path = app, pg_temp as $$
  select v.id,
    (select (extract(epoch from i.recorded_at) * 1000)::bigint from database_identity i)
      || '-' || coalesce((select e.epoch from venue_epochs e where e.restaurant_id = v.id), 0),
    coalesce(c.number, 0),
    case when c.number > v.known + 1000 then null
      when c.number > v.known then array(select distinct h.area from changes h where h.restaurant_id = v.id and h.number > v.known)
      else '{}' end,
    coalesce((select max(d.id) from deliveries d where d.restaurant_id = v.id), 0) || ' ' ||
      (select coalesce(max(greatest(s.last_success_at, s.last_failure_at)), 'epoch') from webhook_endpoint_state s where s.restaurant_id = v.id),
    coalesce((select max(r.id) from request_log r where r.restaurant_id = v.id), 0)::text
  from unnest(venues, known_numbers) v (id, known) left join change_counters c on c.restaurant_id = v.id
$$;

-- Returns where a page stands in the numbered changes of the venue: its epoch and its last number, as `change_marks` returns them.
create function change_position() returns table (epoch text, number bigint)
  language sql stable security definer set search_path = app, pg_temp as $$
  select (select (extract(epoch from i.recorded_at) * 1000)::bigint from database_identity i)
      || '-' || coalesce((select e.epoch from venue_epochs e where e.restaurant_id = current_tenant()), 0),
    coalesce((select c.number from change_counters c where c.restaurant_id = current_tenant()), 0)
$$;

revoke all on function purge_changes, change_marks, change_position from public;
grant execute on function purge_changes, change_marks, change_position to comanda_app;
