-- How a restored copy of this database is recognised, and how often a venue has changed its cell.
set local search_path = app;

-- One row: which database this was when it was last released for sending. A copy carries the row along, but is another server
-- (system_identifier), another database of the same server (database_oid), or has its tables made anew (table_oid).
create table database_identity (
  only_row boolean primary key default true check (only_row),
  system_identifier text,
  database_oid bigint not null,
  table_oid bigint not null,
  database_name text not null,
  recorded_at timestamptz(3) not null,
  -- When the venues were last compared with those of the other cells.
  compared_at timestamptz(3)
);
grant select on database_identity to comanda_app;

-- The system identifier is null where the server does not let this role read it: then the two oids decide.
create function present_identity() returns table (system_identifier text, database_oid bigint, table_oid bigint, database_name text)
  language plpgsql stable as $$
begin
  if has_function_privilege('pg_catalog.pg_control_system()', 'execute') then
    system_identifier := (select c.system_identifier::text from pg_catalog.pg_control_system() c);
  end if;
  select d.oid::bigint, d.datname::text into database_oid, database_name from pg_catalog.pg_database d where d.datname = current_database();
  table_oid := 'app.database_identity'::regclass::oid::bigint;
  return next;
end $$;
revoke all on function present_identity from public;
grant execute on function present_identity to comanda_app;

insert into database_identity (system_identifier, database_oid, table_oid, database_name, recorded_at)
  select p.system_identifier, p.database_oid, p.table_oid, p.database_name, clock_timestamp() from present_identity() p;

-- Counts the moves of a venue, in both cells of each move: of two cells that both have a venue, the higher number is the later state.
-- It belongs to the cell, like `moves`, and is not copied with the venue. No row: the venue has never moved.
create table venue_epochs (
  restaurant_id bigint primary key,
  epoch integer not null check (epoch > 0)
);
