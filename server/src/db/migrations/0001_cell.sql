-- The cell: its number, its encryption keys and its identity; and what every table of a tenant uses.
create schema if not exists app;
set local search_path = app;

-- The extension btree_gist lets an exclusion constraint compare ids beside ranges of time.
create schema if not exists extensions;
create extension if not exists btree_gist schema extensions;

grant usage on schema app to comanda_app;

-- This table has one row: the cell's number, the key that signs paging cursors, and a known text that checks the encryption keys.
create table cell (
  only_row boolean primary key default true check (only_row),
  number integer not null check (number between 0 and 1023),
  cursor_key bytea not null check (length(cursor_key) = 32),
  encrypted_canary text
);
comment on column cell.encrypted_canary is 'encrypted for canary:{number}';
grant select, update (encrypted_canary) on cell to comanda_app;

insert into cell (number, cursor_key)
  values (current_setting('comanda.cell')::integer, decode(current_setting('comanda.cursor_key'), 'hex'));

-- Returns the tenant of the running transaction. A local setting leaves '' behind, so '' means none.
create function current_tenant() returns bigint language sql stable parallel safe
  as $$ select nullif(current_setting('app.restaurant_id', true), '')::bigint $$;

-- Ids step by 1024 and start at the cell's number. They are unique over all cells, and a proxy finds the cell by id % 1024.
create procedure create_id_sequence(name text) language plpgsql as $$
declare start bigint := (select 1024 + number from app.cell);
begin
  execute format('create sequence app.%I as bigint increment by 1024 minvalue %s start with %s', name, start, start);
  execute format('grant usage on sequence app.%I to comanda_app', name);
end $$;

-- Each table of a tenant is passed to this procedure. It forces row level security, in addition to the filters in the code.
create procedure enable_tenant_rls(name text, privileges text default 'select, insert, update, delete') language plpgsql as $$
begin
  execute format('alter table app.%I enable row level security', name);
  execute format('alter table app.%I force row level security', name);
  execute format('create policy tenant on app.%I using (restaurant_id = (select app.current_tenant())) with check (restaurant_id = (select app.current_tenant()))', name);
  execute format('grant %s on app.%I to comanda_app', privileges, name);
end $$;

revoke all on procedure create_id_sequence, enable_tenant_rls from public;

-- Returns the time before which every change is committed or rolled back: the start of the oldest running transaction, or now. Only
-- sessions of the application count, because only they write orders.
create function commit_horizon() returns timestamptz language sql volatile
  as $$ select least(clock_timestamp(), min(xact_start)) from pg_stat_activity
        where datname = current_database() and usename = current_user and pid <> pg_backend_pid() and xact_start is not null
          and application_name <> 'comanda sandbox reset' $$;

-- A key's name belongs to one key. A process that has other bytes under a known name is refused.
create table key_fingerprints (
  key_id text primary key,
  fingerprint bytea not null check (length(fingerprint) = 32),
  created_at timestamptz(3) not null default clock_timestamp()
);
grant select, insert, delete on key_fingerprints to comanda_app;

-- Returns every column whose name begins with `encrypted_` or whose comment begins with 'encrypted for'. That comment says what each value
-- is encrypted for: `{column}` stands for that column of the same row. Without such a comment the purpose is null.
create function encrypted_columns()
  returns table (table_name text, column_name text, purpose text, key_columns text[], of_venue boolean, is_required boolean)
  language sql stable as $$
  select c.relname::text, a.attname::text, substring(col_description(c.oid, a.attnum) from '^encrypted for (.+)$'),
    array(select k.attname::text from pg_index i cross join lateral unnest(i.indkey::smallint[]) with ordinality p (attnum, place)
      join pg_attribute k on k.attrelid = c.oid and k.attnum = p.attnum where i.indrelid = c.oid and i.indisprimary order by p.place),
    exists (select from pg_attribute v where v.attrelid = c.oid and v.attname = 'restaurant_id' and not v.attisdropped), a.attnotnull
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and (a.attname like 'encrypted\_%' or col_description(c.oid, a.attnum) like 'encrypted for %')
  order by c.relname, a.attnum
$$;

-- Returns the names of all keys in use, over all venues. It returns names only. An encrypted text has the name of its key as its second
-- part, and each encrypted column has an index that begins with it, so this reads one entry for each key.
create function encryption_key_ids() returns table (table_name text, column_name text, key_id text)
  language plpgsql stable security definer set search_path = app, pg_temp as $$
#variable_conflict use_column
declare
  found record;
  last_id text;
begin
  for found in select s.table_name, s.column_name from encrypted_columns() s loop
    last_id := '';
    loop
      execute format('select min(split_part(%1$I, ''.'', 2)) from %2$I where %1$I is not null and split_part(%1$I, ''.'', 2) > $1',
        found.column_name, found.table_name) into last_id using last_id;
      exit when last_id is null;
      return query select found.table_name, found.column_name, last_id;
    end loop;
  end loop;
end $$;

-- Returns the ids of venues with values of one column that were encrypted with one key, page by page. Sandboxes are included.
create function venues_encrypted_with(wanted_table text, wanted_column text, wanted_key text, after_id bigint, row_count integer)
  returns table (restaurant_id bigint)
  language plpgsql stable security definer set search_path = app, pg_temp as $$
#variable_conflict use_column
begin
  if not exists (select from encrypted_columns() s where s.table_name = wanted_table and s.column_name = wanted_column and s.of_venue) then
    raise exception '%.% is not an encrypted column of a venue', wanted_table, wanted_column;
  end if;
  return query execute format('select distinct restaurant_id from %2$I where %1$I is not null and split_part(%1$I, ''.'', 2) = $1
    and restaurant_id > $2 order by restaurant_id limit least($3, 1000)', wanted_column, wanted_table) using wanted_key, after_id, row_count;
end $$;

-- This table has one row: the identity of this database when it was last released for sending. A copy contains this row, but differs in
-- its server (system_identifier), its database (database_oid) or its tables (table_oid).
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

-- The system identifier is null when this role may not read it. Then the two oids decide.
create function current_identity() returns table (system_identifier text, database_oid bigint, table_oid bigint, database_name text)
  language plpgsql stable as $$
begin
  if has_function_privilege('pg_catalog.pg_control_system()', 'execute') then
    system_identifier := (select c.system_identifier::text from pg_catalog.pg_control_system() c);
  end if;
  select d.oid::bigint, d.datname::text into database_oid, database_name from pg_catalog.pg_database d where d.datname = current_database();
  table_oid := 'app.database_identity'::regclass::oid::bigint;
  return next;
end $$;

insert into database_identity (system_identifier, database_oid, table_oid, database_name, recorded_at)
  select p.system_identifier, p.database_oid, p.table_oid, p.database_name, clock_timestamp() from current_identity() p;

revoke all on function encryption_key_ids, venues_encrypted_with, current_identity from public;
grant execute on function encryption_key_ids, venues_encrypted_with, current_identity to comanda_app;
