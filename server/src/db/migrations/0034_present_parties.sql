-- no-transaction
create unique index concurrently reservation_tables_one_present on app.reservation_tables (restaurant_id, table_id) where is_present
