-- no-transaction
create index concurrently reservation_tables_block on app.reservation_tables (restaurant_id, block_id) where block_id is not null
