set local search_path = app;

-- The ids of orders, reservations and other subjects that a stored answer names. Null: stored by an earlier version, for a day.
alter table idempotency_keys add column about text[];
