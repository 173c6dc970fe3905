-- no-transaction
create index concurrently payments_reservation on app.payments (restaurant_id, reservation_id) where reservation_id is not null
