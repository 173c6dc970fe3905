set local search_path = app;

-- The reasons of a stored error as JSON. They are not part of the body, because only requests that ask for them get them. Null: none.
alter table idempotency_keys add column reasons text;
