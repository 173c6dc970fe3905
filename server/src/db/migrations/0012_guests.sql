-- Guests of a venue, and the history of their consent.
set local search_path = app;

-- Normalizes a phone number to its digits, of any script, and a leading plus; 00 equals the plus. A number with letters, or without a
-- digit, equals only the same text.
create function phone_key(phone text) returns text language sql immutable parallel safe
  as $$ select case when plain ~ '[0-9]' and phone !~ '[[:alpha:]]' then regexp_replace(plain, '^00', '+')
                    else nullif(lower(btrim(phone)), '') end
        from (select regexp_replace(translate(phone, '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', '01234567890123456789'), '[^0-9+]', '', 'g')) as p (plain) $$;

-- A profile that was merged stays as a row: its phone number and address still lead to the guest that it belongs to. A reference of a
-- table to itself would have to be copied in an order of its own, so there is none; guests are never deleted.
call create_id_sequence('guest_ids');
create table guests (
  restaurant_id bigint not null references restaurants,
  id bigint not null default nextval('guest_ids'),
  key text not null,
  name text not null,
  phone text,
  email text,
  locale text,
  marketing_opted_in boolean not null,
  marketing_opted_in_at timestamptz(3),
  staff_note text,
  visits_count integer not null default 0,
  total_spend_minor bigint not null default 0,
  last_visit_at timestamptz(3),
  erased_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- Guests are found by these keys, which do not depend on the spelling.
  phone_key text generated always as (app.phone_key(phone)) stored,
  email_key text generated always as (lower(email)) stored,
  changed_at timestamptz not null default clock_timestamp(),
  merged_into bigint,
  merged_at timestamptz(3),
  primary key (restaurant_id, id),
  unique (restaurant_id, key),
  constraint guests_merged_check check (merged_into <> id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
-- Two concurrent first orders must not create two guests: the second one violates this index and is retried.
create unique index guests_phone on guests (restaurant_id, phone_key) where erased_at is null;
create index guests_email on guests (restaurant_id, email_key) where erased_at is null;
create index guests_updated on guests (restaurant_id, updated_at);
-- The two functions below read these indexes.
create index guests_name on guests (restaurant_id, lower(name) text_pattern_ops) where erased_at is null;
create index guests_last_name on guests (restaurant_id, lower(substring(name from '[^ ]+ *$')) text_pattern_ops) where erased_at is null;
create index guests_phone_end on guests (restaurant_id, reverse(phone_key) text_pattern_ops) where erased_at is null;
create index guests_merged on guests (restaurant_id, merged_into) where merged_into is not null;
call enable_tenant_rls('guests');

-- Returns guests whose name or last name begins with a text. Under row level security an index on an expression cannot be used, because its
-- functions could reveal other rows; here the tenant is the filter. The order makes PostgreSQL read the index.
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

-- Returns guests whose phone number ends with these digits: the index and the comparison use the reversed number.
create function guests_by_phone_end(digits text, row_count integer) returns table (id bigint)
  language sql stable security definer set search_path = app, pg_temp as $$
  select coalesce(g.merged_into, g.id) from guests g
  where g.restaurant_id = current_tenant() and g.erased_at is null
    and reverse(g.phone_key) ~>=~ reverse(digits) and reverse(g.phone_key) ~<~ (reverse(digits) || U&'\+10FFFF')
  order by reverse(g.phone_key) using ~<~ limit row_count
$$;

revoke all on function guests_by_name_beginning, guests_by_phone_end from public;
grant execute on function guests_by_name_beginning, guests_by_phone_end to comanda_app;

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
