set local search_path = app;

-- The service makes the code that a table has none of by hand, as it does for a new table: 48 random bits.
update dining_tables set code = substr(replace(gen_random_uuid()::text, '-', ''), 1, 12) where code is null and deleted_at is null;
