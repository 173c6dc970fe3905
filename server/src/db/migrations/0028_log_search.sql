-- A request is found in the log by the id that its answer carried. On a database with millions of rows the index may be built beforehand
-- with `create index concurrently` under this name; this file then finds it there.
set local search_path = app;

create index if not exists requests_request_id on requests (restaurant_id, request_id);
