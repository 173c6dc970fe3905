-- A block has no reservation, so the key is the table and its time. Rows of one table never overlap, so no two have the same time.
set local search_path = app;
alter table reservation_tables
  drop constraint reservation_tables_pkey,
  add constraint reservation_tables_pkey primary key using index reservation_tables_key;
alter table reservation_tables alter column reservation_id drop not null;
