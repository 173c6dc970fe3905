-- The ground: who this cell is, how a tenant is known inside a transaction, and how every tenant table is protected.
create schema if not exists app;
set local search_path = app;

-- One row: the cell's number, and the key that signs paging cursors.
create table cell (
  only_row boolean primary key default true check (only_row),
  number integer not null check (number between 0 and 1023),
  cursor_key bytea not null check (length(cursor_key) = 32)
);

-- The tenant of the running transaction. '' is what a local setting leaves behind, so it must read as "none".
create function tenant() returns bigint language sql stable parallel safe
  as $$ select nullif(current_setting('app.restaurant_id', true), '')::bigint $$;

-- Ids step by 1024 and start at the cell's number: unique over all cells, and a proxy can tell the cell by id % 1024.
create procedure create_ids(name text) language plpgsql as $$
declare start bigint := (select 1024 + number from app.cell);
begin
  execute format('create sequence app.%I as bigint increment by 1024 minvalue %s start with %s', name, start, start);
  execute format('grant usage on sequence app.%I to comanda_app', name);
end $$;

-- Every tenant table goes through here: forced row level security under the code's own filter.
create procedure protect(name text, privileges text default 'select, insert, update, delete') language plpgsql as $$
begin
  execute format('alter table app.%I enable row level security', name);
  execute format('alter table app.%I force row level security', name);
  execute format('create policy tenant on app.%I using (restaurant_id = (select app.tenant())) with check (restaurant_id = (select app.tenant()))', name);
  execute format('grant %s on app.%I to comanda_app', privileges, name);
end $$;

insert into cell (number, cursor_key)
  values (current_setting('comanda.cell')::integer, decode(current_setting('comanda.cursor_key'), 'hex'));

revoke all on all procedures in schema app from public;
grant usage on schema app to comanda_app;
grant select on cell to comanda_app;
