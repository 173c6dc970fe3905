-- Which columns hold sealed secrets, which keys sealed them, and who made what gives access.
set local search_path = app;

-- A sealed column says by its comment what each value is sealed for: `{column}` stands for that column of the same row.
comment on column webhook_secrets.sealed_secret is 'sealed for webhook:{restaurant_id}:{endpoint_id}';
comment on column pos_connections.sealed_secret is 'sealed for pos:{restaurant_id}';
comment on column people.sealed_totp_secret is 'sealed for totp:{id}';

-- Every column whose name begins with `sealed_`, or whose comment says what it is sealed for. A purpose is null where the comment is missing.
create function sealed_columns()
  returns table (table_name text, column_name text, purpose text, key_columns text[], of_venue boolean, is_required boolean)
  language sql stable as $$
  select c.relname::text, a.attname::text, substring(col_description(c.oid, a.attnum) from '^sealed for (.+)$'),
    array(select k.attname::text from pg_index i cross join lateral unnest(i.indkey::smallint[]) with ordinality p (attnum, place)
      join pg_attribute k on k.attrelid = c.oid and k.attnum = p.attnum where i.indrelid = c.oid and i.indisprimary order by p.place),
    exists (select from pg_attribute v where v.attrelid = c.oid and v.attname = 'restaurant_id' and not v.attisdropped), a.attnotnull
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and (a.attname like 'sealed\_%' or col_description(c.oid, a.attnum) like 'sealed for %')
  order by c.relname, a.attnum
$$;

-- A sealed text names its key in its second part. With these indexes the questions below read one entry for each key.
create index webhook_secrets_key on webhook_secrets (split_part(sealed_secret, '.', 2), restaurant_id);
create index pos_connections_key on pos_connections (split_part(sealed_secret, '.', 2), restaurant_id);
create index people_key on people (split_part(sealed_totp_secret, '.', 2)) where sealed_totp_secret is not null;

-- The names of the keys that sealed anything, over all venues: names and nothing else.
create function sealed_key_ids() returns table (table_name text, column_name text, key_id text)
  language plpgsql stable security definer set search_path = app, pg_temp as $$
#variable_conflict use_column
declare
  found record;
  last_id text;
begin
  for found in select s.table_name, s.column_name from sealed_columns() s loop
    last_id := '';
    loop
      execute format('select min(split_part(%1$I, ''.'', 2)) from %2$I where %1$I is not null and split_part(%1$I, ''.'', 2) > $1',
        found.column_name, found.table_name) into last_id using last_id;
      exit when last_id is null;
      return query select found.table_name, found.column_name, last_id;
    end loop;
  end loop;
end $$;

-- Which venues have values of one column that one key sealed: ids, page by page. Sandboxes are venues too.
create function venues_sealed_with(wanted_table text, wanted_column text, wanted_key text, after_id bigint, row_count integer)
  returns table (restaurant_id bigint)
  language plpgsql stable security definer set search_path = app, pg_temp as $$
#variable_conflict use_column
begin
  if not exists (select from sealed_columns() s where s.table_name = wanted_table and s.column_name = wanted_column and s.of_venue) then
    raise exception '%.% is not a sealed column of a venue', wanted_table, wanted_column;
  end if;
  return query execute format('select distinct restaurant_id from %2$I where %1$I is not null and split_part(%1$I, ''.'', 2) = $1
    and restaurant_id > $2 order by restaurant_id limit least($3, 1000)', wanted_column, wanted_table) using wanted_key, after_id, row_count;
end $$;

-- A connection is nothing without its secret: when the key is lost, `reseal --discard` takes it out.
grant delete on pos_connections to comanda_app;

revoke all on function sealed_key_ids, venues_sealed_with from public;
grant execute on function sealed_key_ids, venues_sealed_with to comanda_app;

-- The canary: a known text, sealed at the first start. A process that cannot open it has other keys than this database.
alter table cell add column sealed_canary text;
comment on column cell.sealed_canary is 'sealed for canary:{number}';
grant update (sealed_canary) on cell to comanda_app;

-- One name, one key: a process whose key has other bytes under a name that is known here is refused.
create table key_fingerprints (
  key_id text primary key,
  fingerprint bytea not null check (length(fingerprint) = 32),
  created_at timestamptz(3) not null default clock_timestamp()
);
grant select, insert, delete on key_fingerprints to comanda_app;

-- Who made a token, a webhook address or an installation: names can be changed, an e-mail address cannot. The id is the person's in the cell
-- where it was made; a person may have another id in the cell that the venue moved to.
alter table tokens add column created_by_person_id bigint, add column created_by_email text;
alter table webhook_endpoints add column created_by_person_id bigint, add column created_by_email text;
alter table installations add column granted_by_person_id bigint, add column granted_by_email text;

-- The e-mail address of the person who acted, as it was then. Null for tokens, apps, the operator and the service, and in older entries.
alter table audit_entries add column actor_email text;
