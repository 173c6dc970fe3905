-- no-transaction
create index concurrently refunds_made on app.refunds (restaurant_id, refunded_at)
