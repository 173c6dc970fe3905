-- no-transaction
create index concurrently reservation_tables_reservation on app.reservation_tables (restaurant_id, reservation_id)
