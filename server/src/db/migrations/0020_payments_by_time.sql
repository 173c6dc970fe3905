-- no-transaction
create index concurrently payments_recorded on app.payments (restaurant_id, recorded_at)
