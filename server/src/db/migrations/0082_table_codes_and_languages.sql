set local search_path = app;

-- The service makes the code that a table has none of by hand, as it does for a new table: 48 random bits.
update dining_tables set code = substr(replace(gen_random_uuid()::text, '-', ''), 1, 12) where code is null and deleted_at is null;

-- The main language of a venue, for pages of people who see several venues at once.
create function language_of_venue(venue bigint) returns text language sql stable security definer set search_path = app, pg_temp
  as $$ select r.default_language from restaurants r where r.id = venue $$;
revoke all on function language_of_venue from public;
grant execute on function language_of_venue to comanda_app;

-- When the kitchen was done: from then on an order is not late, it waits. Null for orders from before.
alter table orders add column ready_at timestamptz(3);
