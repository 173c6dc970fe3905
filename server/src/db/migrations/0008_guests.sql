-- Guests of a restaurant.
set local search_path = app;

-- Normalizes a phone number to its digits, of any script, and a leading plus; 00 equals the plus. A number with letters, or without a
-- digit, equals only the same text.
create function phone_key(phone text) returns text language sql immutable parallel safe
  as $$ select case when plain ~ '[0-9]' and phone !~ '[[:alpha:]]' then regexp_replace(plain, '^00', '+')
                    else nullif(lower(btrim(phone)), '') end
        from (select regexp_replace(translate(phone, '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', '01234567890123456789'), '[^0-9+]', '', 'g')) as p (plain) $$;

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
  primary key (restaurant_id, id),
  unique (restaurant_id, key)
);
call enable_tenant_rls('guests');
-- Two concurrent first orders must not create two guests: the second one violates this index and is retried.
create unique index guests_phone on guests (restaurant_id, phone_key) where erased_at is null;
create index guests_email on guests (restaurant_id, email_key) where erased_at is null;
create index guests_updated on guests (restaurant_id, updated_at);
alter table guests set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
