-- Guests in the console: the history of consent, and profiles that were merged.
set local search_path = app;

-- A profile that was merged stays as a row: its phone number and address still lead to the guest that it belongs to. A reference of a
-- table to itself would have to be copied in an order of its own, so there is none; guests are never deleted.
alter table guests
  add column merged_into bigint,
  add column merged_at timestamptz(3),
  add constraint guests_merged_check check (merged_into <> id) not valid;

-- When consent was given or withdrawn, who recorded it, and how the guest said so.
call create_id_sequence('guest_consent_ids');
create table guest_consents (
  restaurant_id bigint not null references restaurants,
  id bigint not null default nextval('guest_consent_ids'),
  guest_id bigint not null,
  is_given boolean not null,
  source text not null check (source in ('in_person', 'phone', 'written', 'online', 'file', 'command', 'merge', 'before')),
  recorded_by text not null,
  at timestamptz(3) not null,
  primary key (restaurant_id, id),
  foreign key (restaurant_id, guest_id) references guests (restaurant_id, id)
);
create index guest_consents_guest on guest_consents (restaurant_id, guest_id, id);
call enable_tenant_rls('guest_consents');

-- Guests whose name, last name or reversed phone number begins so. Under row level security an index on an expression cannot be used,
-- because its functions could tell of other rows; here the tenant is the filter. The order makes PostgreSQL read the index.
create function guests_by_name_beginning(beginning text, row_count integer) returns table (id bigint)
  language sql stable security definer set search_path = app, pg_temp as $$
  (select coalesce(g.merged_into, g.id) from guests g
   where g.restaurant_id = current_tenant() and g.erased_at is null
     and lower(g.name) ~>=~ beginning and lower(g.name) ~<~ (beginning || U&'\+10FFFF')
   order by lower(g.name) using ~<~ limit row_count)
  union
  (select coalesce(g.merged_into, g.id) from guests g
   where g.restaurant_id = current_tenant() and g.erased_at is null
     and lower(substring(g.name from '[^ ]+ *$')) ~>=~ beginning and lower(substring(g.name from '[^ ]+ *$')) ~<~ (beginning || U&'\+10FFFF')
   order by lower(substring(g.name from '[^ ]+ *$')) using ~<~ limit row_count)
$$;
create function guests_by_phone_end(digits text, row_count integer) returns table (id bigint)
  language sql stable security definer set search_path = app, pg_temp as $$
  select coalesce(g.merged_into, g.id) from guests g
  where g.restaurant_id = current_tenant() and g.erased_at is null
    and reverse(g.phone_key) ~>=~ reverse(digits) and reverse(g.phone_key) ~<~ (reverse(digits) || U&'\+10FFFF')
  order by reverse(g.phone_key) using ~<~ limit row_count
$$;
revoke all on function guests_by_name_beginning, guests_by_phone_end from public;
grant execute on function guests_by_name_beginning, guests_by_phone_end to comanda_app;
