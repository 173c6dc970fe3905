-- The shifts of a venue's team.
set local search_path = app;

-- A row says when a person works in a branch. The columns `published_…` are what was sent to the person: null until then, and null again
-- when the removal was published. A person who leaves the team is kept here by id and name.
call create_id_sequence('shift_ids');
create table shifts (
  restaurant_id bigint not null,
  id bigint not null default nextval('shift_ids'),
  branch_id bigint not null,
  staff_id bigint not null,
  staff_name text not null,
  role text check (length(role) between 1 and 60),
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  note text check (length(note) between 1 and 200),
  version integer not null default 1,
  deleted_at timestamptz(3),
  changed_by text not null,
  changed_at timestamptz(3) not null,
  published_staff_id bigint,
  published_role text,
  published_starts_at timestamptz(3),
  published_ends_at timestamptz(3),
  published_note text,
  primary key (restaurant_id, id),
  foreign key (restaurant_id, branch_id) references branches,
  check (ends_at > starts_at and ends_at - starts_at <= interval '24 hours'),
  check (num_nonnulls(published_staff_id, published_starts_at, published_ends_at) in (0, 3)),
  check (published_staff_id is not null or num_nonnulls(published_role, published_note) = 0),
  -- A person works in one place at a time, in all branches of the venue.
  constraint shifts_one_place exclude using gist (restaurant_id with =, staff_id with =, tstzrange(starts_at, ends_at) with &&)
    where (deleted_at is null)
);
create index shifts_week on shifts (restaurant_id, branch_id, starts_at);
create index shifts_starts_at on shifts (restaurant_id, starts_at);
create index shifts_published on shifts (restaurant_id, published_staff_id, published_starts_at) where published_staff_id is not null;
create index shifts_age on shifts (ends_at);
-- The number of coming shifts of each person is read from this index.
create index shifts_person on shifts (restaurant_id, staff_id, starts_at) where deleted_at is null;
-- A removed shift that nothing is published of: it was a draft, or its removal is published. It can be put back for a day.
create index shifts_removed on shifts (deleted_at) where deleted_at is not null and published_staff_id is null;
call enable_tenant_rls('shifts', 'select, insert, update');

create function purge_shifts(ended_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
  with old as (
    select ctid as place from shifts where ends_at < ended_before
    order by ends_at limit least(row_count, 10000) for update skip locked
  ), gone as (delete from shifts where ctid = any(array(select place from old)) returning 1)
  select count(*)::integer from gone
$$;

create function purge_removed_shifts(removed_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
  with old as (
    select ctid as place from shifts where deleted_at is not null and published_staff_id is null and deleted_at < removed_before
    order by deleted_at limit least(row_count, 10000) for update skip locked
  ), gone as (delete from shifts where ctid = any(array(select place from old)) returning 1)
  select count(*)::integer from gone
$$;

revoke all on function purge_shifts, purge_removed_shifts from public;
grant execute on function purge_shifts, purge_removed_shifts to comanda_app;
