-- no-transaction
create unique index concurrently reservation_tables_key on app.reservation_tables (restaurant_id, table_id, during)
